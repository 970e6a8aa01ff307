// Made from view.ts by "make browser".
// explorer/browser/shared/elements.ts
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = String(value);
    else node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}
function words(tag, text, name) {
  return el(tag, name ? { class: name, text } : { text });
}
var shown = /* @__PURE__ */ new WeakMap();
function setText(node, text) {
  if (shown.get(node) === text) return;
  shown.set(node, text);
  node.textContent = text;
}

// explorer/browser/shared/keys.ts
var TYPED = "input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=textbox]";
function isShortcut(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}
function actOn(event, acts) {
  const act = acts[event.key];
  if (!act || isShortcut(event) || event.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
function comesFrom(event, selector) {
  return event.composedPath().some((node) => node instanceof Element && node.matches(selector));
}
function onSlash(root, act, signal) {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "/" || !root.isConnected || event.defaultPrevented || isShortcut(event) || comesFrom(event, TYPED))
        return;
      event.preventDefault();
      act();
    },
    { signal }
  );
}

// explorer/browser/shared/message.ts
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

// explorer/browser/shared/mount.ts
var calls = /* @__PURE__ */ new WeakMap();
function endedByLastCall(root, show, end) {
  const before = calls.get(root), call = { show };
  calls.set(root, call);
  show();
  return () => {
    if (calls.get(root) !== call) return;
    if (!root.isConnected) {
      calls.delete(root);
      end();
    } else if (before) {
      calls.set(root, before);
      before.show();
    }
  };
}
function mounted(selector, create) {
  const views = /* @__PURE__ */ new WeakMap();
  const made = (root) => {
    const ends = new AbortController(), view = create(root, ends.signal);
    return view && { view, ends };
  };
  return (component) => {
    const root = component.parentElement.querySelector(selector);
    const found = views.get(root) ?? made(root);
    if (!found) return void 0;
    const { view, ends } = found;
    views.set(root, found);
    return endedByLastCall(
      root,
      () => {
        view.update(component);
      },
      () => {
        views.delete(root);
        ends.abort();
        view.dispose?.();
      }
    );
  };
}

// explorer/browser/shared/numbers.ts
function formatCount(value) {
  return value.toLocaleString("en-US");
}
function plural(count, word) {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

// explorer/browser/shared/report.ts
function reportAfter(last) {
  return Math.max(last + 1, Date.now());
}

// explorer/browser/shared/reports.ts
var Reports = class {
  /** The number of the last report: a message that names an earlier one was written before Python heard of it. */
  last = 0;
  send = () => void 0;
  /** From now on reports go this way: each message from Python brings its own. */
  through(send) {
    this.send = send;
  }
  /** Tell Python what was done, under one of the names that it listens to. */
  tell(name, what) {
    this.last = reportAfter(this.last);
    this.send(name, { ...what, report: this.last });
  }
};

// explorer/browser/shared/theme.ts
function themeOf(root) {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff";
  context.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return luminance([red, green, blue]) < 0.18 ? "dark" : "light";
}
function luminance(colour) {
  const [red, green, blue] = colour.map(
    (c) => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// explorer/browser/shared/search.ts
function finder(query) {
  const sought = query.toLowerCase().split(/\s+/).filter(Boolean);
  return sought.length ? (text) => sought.every((word) => text.toLowerCase().includes(word)) : null;
}

// explorer/views/inspector/component/tree.ts
var MOST_FOUND = 300;
function makeTree({ groups, entries }) {
  const root = { isGroup: true, key: "", title: "", level: 0, parent: null, children: [] };
  const byKey = /* @__PURE__ */ new Map([["", root]]);
  function groupOf(path) {
    const key = path.join("/"), known = byKey.get(key);
    if (known) return known;
    const parent = groupOf(path.slice(0, -1));
    const group = {
      isGroup: true,
      key,
      title: path[path.length - 1],
      level: path.length,
      parent,
      children: []
    };
    parent.children.push(group);
    byKey.set(key, group);
    return group;
  }
  const leaves = entries.map(([name, label, kind, shape, at]) => {
    const parent = groupOf(groups[at]), text = `${name} ${groups[at].join(" ")} ${kind} ${shape}`;
    const leaf = {
      isGroup: false,
      key: name,
      level: parent.level + 1,
      parent,
      name,
      label,
      kind,
      shape,
      text
    };
    parent.children.push(leaf);
    return leaf;
  });
  return { root, leaves, byName: new Map(leaves.map((leaf) => [leaf.name, leaf])) };
}
function rowsOf(tree, open, query) {
  const has = finder(query);
  if (!has)
    return {
      rows: rowsIn(
        tree.root,
        () => true,
        (group) => open.has(group.key)
      ),
      found: tree.leaves.length
    };
  const found = tree.leaves.filter((leaf) => has(leaf.text));
  const kept = new Set(found.slice(0, MOST_FOUND));
  for (const leaf of [...kept]) for (let group = leaf.parent; group; group = group.parent) kept.add(group);
  return {
    rows: rowsIn(
      tree.root,
      (row) => kept.has(row),
      () => true
    ),
    found: found.length
  };
}
function rowsIn(group, isKept, isOpen) {
  return group.children.filter(isKept).flatMap((row) => row.isGroup && isOpen(row) ? [row, ...rowsIn(row, isKept, isOpen)] : [row]);
}
function groupsAbove(leaf) {
  const keys = [];
  for (let group = leaf?.parent; group?.key; group = group.parent)
    keys.push(group.key);
  return keys;
}

// explorer/views/inspector/component/view.ts
var KIND_WORDS = { id: "ids", learned: "learned", recorded: "" };
var NOTHING = { key: "", chosen: "", report: 0, groups: [], entries: [] };
var SiteTree = class {
  constructor(root, signal) {
    this.root = root;
    const hint = el("kbd", { text: "/", "aria-hidden": "true" });
    root.replaceChildren(
      el("label", { for: "site", text: "Tensor" }),
      el("div", { class: "field" }, this.input, hint, this.popup),
      this.live
    );
    this.listen(signal);
  }
  open = /* @__PURE__ */ new Set();
  input = el("input", {
    id: "site",
    type: "text",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-haspopup": "tree",
    "aria-controls": "sites",
    "aria-expanded": "false",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false"
  });
  list = el("div", { id: "sites", role: "tree", "aria-label": "Tensors" });
  count = words("p", "", "count");
  popup = el("div", { class: "popup", hidden: "" }, this.count, this.list);
  live = el("div", { class: "unseen", "aria-live": "polite" });
  message = NOTHING;
  tree = makeTree(NOTHING);
  query = "";
  rows = [];
  active = -1;
  reports = new Reports();
  isShown = false;
  listen(signal) {
    const { input, popup, list } = this;
    input.addEventListener("keydown", (event) => this.onKey(event), { signal });
    input.addEventListener("input", () => this.show(input.value), { signal });
    input.addEventListener(
      "click",
      () => {
        if (!this.isShown) this.show();
      },
      { signal }
    );
    input.addEventListener(
      "focus",
      () => {
        if (!this.isShown) input.select();
      },
      { signal }
    );
    input.addEventListener(
      "blur",
      () => {
        if (this.isShown) this.hide();
      },
      { signal }
    );
    for (const press of ["pointerdown", "mousedown"])
      popup.addEventListener(press, (event) => event.preventDefault(), { signal });
    list.addEventListener(
      "click",
      (event) => {
        const node = event.target.closest("[role=treeitem]");
        if (node) this.take(this.rows[[...list.children].indexOf(node)]);
      },
      { signal }
    );
    onSlash(
      this.root,
      () => {
        input.focus();
        this.show();
      },
      signal
    );
  }
  // ---- what is in sight --------------------------------------------------------------------------------------
  draw(wanted) {
    const { query, tree } = this, { rows, found } = rowsOf(tree, this.open, query);
    this.rows = rows;
    this.active = rows.findIndex((row) => row.key === wanted);
    if (this.active < 0)
      this.active = query ? rows.findIndex((row) => !row.isGroup) : Math.min(0, rows.length - 1);
    this.list.replaceChildren(...rows.map((row, at) => this.rowNode(row, at)));
    const more = found > MOST_FOUND ? `, the first ${MOST_FOUND} shown` : "";
    setText(
      this.count,
      !query ? `${plural(tree.leaves.length, "tensor")}. Type to search, arrow keys to walk.` : found ? `${plural(found, "tensor")} found${more}.` : "Nothing has such a name."
    );
    if (query) {
      setText(this.live, this.count.textContent ?? "");
      this.popup.scrollTop = 0;
    }
    this.mark();
  }
  rowNode(row, at) {
    const node = el("div", {
      role: "treeitem",
      id: `site-${at}`,
      class: row.isGroup ? "group" : "leaf",
      "aria-level": row.level,
      "aria-selected": "false"
    });
    node.style.paddingLeft = `${8 + 18 * (row.level - 1)}px`;
    if (row.isGroup) {
      node.setAttribute("aria-expanded", String(this.query !== "" || this.open.has(row.key)));
      node.append(el("i", { "aria-hidden": "true" }), words("span", row.title, "title"));
    } else {
      if (row.name === this.message.chosen) node.setAttribute("aria-current", "true");
      node.append(
        words("code", row.label),
        words("span", KIND_WORDS[row.kind], "kind"),
        words("span", row.shape, "shape")
      );
    }
    return node;
  }
  mark() {
    const { list, input, popup } = this;
    [...list.children].forEach((node2, at) => node2.setAttribute("aria-selected", String(at === this.active)));
    const node = this.activeNode();
    if (!node) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", node.id);
    const above = node.offsetTop - popup.scrollTop - 34, below = node.offsetTop + node.offsetHeight - popup.scrollTop - popup.clientHeight;
    if (above < 0) popup.scrollTop += above;
    else if (below > 0) popup.scrollTop += below + 6;
  }
  activeNode() {
    return this.list.children[this.active];
  }
  // ---- open and close ----------------------------------------------------------------------------------------
  show(text = "") {
    const { input, popup, message } = this;
    this.query = text;
    if (!this.isShown) {
      this.open.clear();
      for (const key of groupsAbove(this.tree.byName.get(message.chosen))) this.open.add(key);
      this.isShown = true;
      if (!text) input.value = "";
    }
    popup.hidden = false;
    input.setAttribute("aria-expanded", "true");
    this.draw(text ? void 0 : message.chosen);
    const node = this.activeNode();
    if (!text && node) popup.scrollTop = Math.max(0, node.offsetTop - popup.clientHeight / 2);
  }
  hide() {
    const { input, popup } = this;
    this.isShown = false;
    this.query = "";
    popup.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    input.value = this.message.chosen;
  }
  choose(site) {
    const isOther = site !== this.message.chosen;
    this.message.chosen = site;
    this.hide();
    this.input.select();
    if (isOther) this.reports.tell("chosen", { site });
  }
  toggle(group) {
    if (this.query) return;
    if (!this.open.delete(group.key)) this.open.add(group.key);
    this.draw(group.key);
  }
  take(row) {
    if (row?.isGroup) this.toggle(row);
    else if (row) this.choose(row.name);
  }
  // ---- keys --------------------------------------------------------------------------------------------------
  onKey(event) {
    const open = () => this.show();
    actOn(event, this.isShown ? this.treeKeys() : { ArrowDown: open, Enter: open });
  }
  treeKeys() {
    const row = this.rows[this.active], isWalk = !this.query && this.input.value === "";
    const by = (step) => () => {
      this.active = Math.min(this.rows.length - 1, Math.max(0, this.active + step));
      this.mark();
    };
    const into = () => row?.isGroup && !this.open.has(row.key) ? this.toggle(row) : by(1)();
    const out = () => {
      if (row?.isGroup && this.open.has(row.key)) this.toggle(row);
      else if (row?.parent?.key) this.draw(row.parent.key);
    };
    return {
      ArrowDown: by(1),
      ArrowUp: by(-1),
      PageDown: by(10),
      PageUp: by(-10),
      Enter: () => this.take(row),
      Escape: () => this.hide(),
      ArrowRight: isWalk && into,
      ArrowLeft: isWalk && out
    };
  }
  update({ data, setStateValue }) {
    this.reports.through(setStateValue);
    this.root.dataset.look = themeOf(this.root);
    const next = readJson(data), before = this.message, isOther = next.key !== before.key;
    if (!isOther && next.report < this.reports.last) next.chosen = before.chosen;
    if (isOther || JSON.stringify(next.entries) !== JSON.stringify(before.entries))
      this.tree = makeTree(next);
    this.message = next;
    this.input.placeholder = `Search ${plural(this.tree.leaves.length, "tensor")}`;
    if (!this.isShown) this.input.value = next.chosen;
    else {
      const at = this.popup.scrollTop;
      this.draw(this.rows[this.active]?.key);
      this.popup.scrollTop = at;
    }
  }
};
var view_default = mounted(".site-tree", (root, signal) => new SiteTree(root, signal));
export default view_default;
