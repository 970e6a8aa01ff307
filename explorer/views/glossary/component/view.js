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
    const found2 = views.get(root) ?? made(root);
    if (!found2) return void 0;
    const { view, ends } = found2;
    views.set(root, found2);
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

// explorer/views/glossary/component/terms.ts
function found(terms, text) {
  const has = finder(text);
  if (!has) return terms;
  const named = terms.filter(([, name]) => has(name));
  return [...named, ...terms.filter((term) => !named.includes(term) && has(`${term[1]} ${term[2]}`))];
}

// explorer/views/glossary/component/view.ts
var TermIndex = class {
  constructor(root, signal) {
    this.root = root;
    const hint = el("kbd", { text: "/", "aria-hidden": "true" });
    root.replaceChildren(
      el("label", { for: "sought", text: "Search the glossary" }),
      el("div", { class: "field" }, this.input, hint),
      this.letters,
      this.count,
      this.list
    );
    this.listen(signal);
  }
  input = el("input", {
    id: "sought",
    type: "text",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "true",
    "aria-controls": "terms",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false"
  });
  letters = el("div", { class: "letters", role: "group", "aria-label": "First letter" });
  count = el("p", { class: "count", "aria-live": "polite" });
  list = el("div", {
    id: "terms",
    class: "list",
    role: "listbox",
    tabindex: "0",
    "aria-label": "Terms"
  });
  terms = [];
  rows = [];
  active = 0;
  chosen = "";
  reports = new Reports();
  written = "";
  listen(signal) {
    const { input, list, letters } = this;
    for (const node of [input, list])
      node.addEventListener("keydown", (event) => this.onKey(event, node === list), { signal });
    input.addEventListener("input", () => this.draw(), { signal });
    list.addEventListener(
      "click",
      (event) => {
        const node = event.target.closest("[role=option]");
        if (node) this.choose([...list.children].indexOf(node));
      },
      { signal }
    );
    letters.addEventListener(
      "click",
      (event) => {
        const button = event.target.closest("button");
        if (!button) return;
        this.go(this.rows.findIndex(([, name]) => name[0].toUpperCase() === button.textContent));
        list.scrollTop = (this.row(this.active)?.offsetTop ?? 0) - 4;
        list.focus({ preventScroll: true });
      },
      { signal }
    );
    onSlash(
      this.root,
      () => {
        input.focus();
        input.select();
      },
      signal
    );
  }
  onKey(event, isInList) {
    const { active, input, rows } = this;
    actOn(event, {
      ArrowDown: () => this.go(active + 1),
      ArrowUp: () => this.go(active - 1),
      PageDown: () => this.go(active + 10),
      PageUp: () => this.go(active - 10),
      Enter: () => this.choose(active),
      " ": isInList && (() => this.choose(active)),
      Home: isInList && (() => this.go(0)),
      End: isInList && (() => this.go(rows.length - 1)),
      Escape: input.value !== "" && (() => {
        input.value = "";
        this.draw();
      })
    });
  }
  draw() {
    const { input, list, letters } = this, isSearch = input.value !== "";
    this.rows = found(this.terms, input.value);
    this.active = isSearch ? 0 : Math.max(0, this.placeOf(this.chosen));
    list.replaceChildren(
      ...this.rows.map(
        ([key, name], place) => el("div", { role: "option", id: `term-${place}`, "aria-selected": key === this.chosen, text: name })
      )
    );
    const firsts = [...new Set(this.rows.map(([, name]) => name[0].toUpperCase()))].sort();
    letters.replaceChildren(...(isSearch ? [] : firsts).map((letter) => words("button", letter)));
    letters.hidden = isSearch;
    setText(this.count, this.rows.length ? plural(this.rows.length, "term") : "No term has these words.");
    this.mark();
  }
  mark() {
    const { list } = this;
    [...list.children].forEach((node2, place) => node2.classList.toggle("active", place === this.active));
    for (const node2 of [this.input, list]) {
      if (this.rows.length) node2.setAttribute("aria-activedescendant", `term-${this.active}`);
      else node2.removeAttribute("aria-activedescendant");
    }
    const node = this.row(this.active);
    if (!node) return;
    const over = node.offsetTop - list.scrollTop - 4, under = node.offsetTop + node.offsetHeight - list.scrollTop - list.clientHeight + 4;
    if (over < 0) list.scrollTop += over;
    else if (under > 0) list.scrollTop += under;
  }
  go(place) {
    this.active = Math.max(0, Math.min(this.rows.length - 1, place));
    this.mark();
  }
  choose(place) {
    const row = this.rows[place];
    if (!row) return;
    this.active = place;
    [this.chosen] = row;
    [...this.list.children].forEach((node, at) => node.setAttribute("aria-selected", String(at === place)));
    this.mark();
    this.reports.tell("chosen", { term: this.chosen });
  }
  placeOf(term) {
    return this.rows.findIndex(([key]) => key === term);
  }
  row(place) {
    return this.list.children[place];
  }
  update({ data, setStateValue }) {
    this.reports.through(setStateValue);
    this.root.dataset.look = themeOf(this.root);
    const next = readJson(data), text = JSON.stringify(next.terms), isFirst = !this.written;
    if (next.report < this.reports.last || text === this.written && next.chosen === this.chosen) return;
    this.written = text;
    ({ terms: this.terms, chosen: this.chosen } = next);
    this.input.placeholder = `${plural(this.terms.length, "term")}, by name or meaning`;
    const sought = this.rows[this.active]?.[0];
    this.draw();
    if (this.input.value) this.go(Math.max(0, this.placeOf(sought)));
    else if (isFirst && this.chosen)
      this.list.scrollTop = (this.row(this.active)?.offsetTop ?? 0) - this.list.clientHeight / 2;
  }
};
var view_default = mounted(".term-index", (root, signal) => new TermIndex(root, signal));
export default view_default;
