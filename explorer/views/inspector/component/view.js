// The field and the tree under it: search, keys, and the report of a choice.

const alive = new WeakMap();   // root element -> its view; a rerun calls the default export again with the same page
const KIND_WORDS = { id: "ids", learned: "learned", recorded: "" };

function createView(root) {
  const ends = new AbortController(), open = new Set();
  const input = el("input", { id: "site", type: "text", role: "combobox", "aria-autocomplete": "list", "aria-haspopup": "tree", "aria-controls": "sites",
    "aria-expanded": "false", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const hint = el("kbd", { text: "/", "aria-hidden": "true" });
  const list = el("div", { id: "sites", role: "tree", "aria-label": "Tensors" });
  const count = words("p", "", "count"), popup = el("div", { class: "popup", hidden: "" }, count, list);
  const live = el("div", { class: "unseen", "aria-live": "polite" });
  root.replaceChildren(el("label", { for: "site", text: "Tensor" }), el("div", { class: "field" }, input, hint, popup), live);
  let message = null, tree = null, query = "", rows = [], active = -1, report = 0, shown = false, send = null;

  // ---- what is in sight --------------------------------------------------------------------------------------
  function draw(wanted) {
    const sight = rowsOf(tree, open, query);
    rows = sight.rows;
    active = rows.findIndex((row) => row.key === wanted);
    if (active < 0) active = query ? rows.findIndex((row) => !row.isGroup) : Math.min(0, rows.length - 1);
    list.replaceChildren(...rows.map(rowNode));
    setText(count, !query ? `${plural(tree.leaves.length, "tensor")}. Type to search, arrow keys to walk.`
      : sight.found ? `${plural(sight.found, "tensor")} found${sight.found > MOST_FOUND ? `, the first ${MOST_FOUND} shown` : ""}.` : "Nothing has such a name.");
    if (query) {
      setText(live, count.textContent);
      popup.scrollTop = 0;
    }
    mark();
  }
  function rowNode(row, at) {
    const node = el("div", { role: "treeitem", id: `site-${at}`, class: row.isGroup ? "group" : "leaf", "aria-level": row.level, "aria-selected": "false" });
    node.style.paddingLeft = `${8 + 18 * (row.level - 1)}px`;
    if (row.isGroup) {
      node.setAttribute("aria-expanded", isOpen(row));
      node.append(el("i", { "aria-hidden": "true" }), words("span", row.title, "title"));
    } else {
      if (row.name === message.chosen) node.setAttribute("aria-current", "true");
      node.append(words("code", row.label), words("span", KIND_WORDS[row.kind], "kind"), words("span", row.shape, "shape"));
    }
    return node;
  }
  const isOpen = (row) => Boolean(query) || open.has(row.key);
  function mark() {
    [...list.children].forEach((node, at) => node.setAttribute("aria-selected", at === active));
    const node = list.children[active];
    if (!node) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", node.id);
    const above = node.offsetTop - popup.scrollTop - 34, below = node.offsetTop + node.offsetHeight - popup.scrollTop - popup.clientHeight;
    if (above < 0) popup.scrollTop += above;
    else if (below > 0) popup.scrollTop += below + 6;
  }

  // ---- open and close ----------------------------------------------------------------------------------------
  function show(text = "") {
    query = text;
    if (!shown) {
      open.clear();
      groupsAbove(tree.byName.get(message.chosen)).forEach((key) => open.add(key));
      shown = true;
      if (!text) input.value = "";
    }
    popup.hidden = false;
    input.setAttribute("aria-expanded", "true");
    draw(text ? undefined : message.chosen);
    // The chosen tensor stands in the middle of the tree, so that its neighbours are seen, too.
    const node = list.children[active];
    if (!text && node) popup.scrollTop = Math.max(0, node.offsetTop - popup.clientHeight / 2);
  }
  function hide() {
    shown = false;
    query = "";
    popup.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    input.value = message.chosen;
  }
  function choose(name) {
    const other = name !== message.chosen;
    message.chosen = name;
    hide();
    input.select();
    if (other) send("chosen", { site: name, report: (report = reportAfter(report)) });
  }
  function toggle(row, to = !open.has(row.key)) {
    if (query) return;
    if (to) open.add(row.key);
    else open.delete(row.key);
    draw(row.key);
  }
  function take(row) {
    if (!row) return;
    if (row.isGroup) toggle(row);
    else choose(row.name);
  }

  // ---- keys --------------------------------------------------------------------------------------------------
  function treeKey(key) {
    const row = rows[active], by = (step) => () => { active = within(active + step, rows.length - 1); mark(); };
    const walks = !query && input.value === "";
    return {
      ArrowDown: by(1), ArrowUp: by(-1), PageDown: by(10), PageUp: by(-10), Enter: () => take(row), Escape: hide,
      ArrowRight: walks && (() => (row?.isGroup && !open.has(row.key) ? toggle(row, true) : by(1)())),
      ArrowLeft: walks && (() => (row?.isGroup && open.has(row.key) ? toggle(row, false) : row?.parent?.key && draw(row.parent.key))),
    }[key];
  }
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const act = shown ? treeKey(event.key) : { ArrowDown: () => show(), Enter: () => show() }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
  const { signal } = ends;
  input.addEventListener("keydown", onKey, { signal });
  input.addEventListener("input", () => show(input.value), { signal });
  input.addEventListener("click", () => shown || show(), { signal });
  input.addEventListener("focus", () => shown || input.select(), { signal });
  input.addEventListener("blur", () => shown && hide(), { signal });
  // The field keeps the focus, whatever is clicked in the tree.
  popup.addEventListener("pointerdown", (event) => event.preventDefault(), { signal });
  popup.addEventListener("mousedown", (event) => event.preventDefault(), { signal });
  list.addEventListener("click", (event) => {
    const node = event.target.closest("[role=treeitem]");
    if (node) take(rows[[...list.children].indexOf(node)]);
  }, { signal });
  onSlash(root, () => { input.focus(); show(); }, signal);

  function update(bytes, setStateValue) {
    send = setStateValue;
    root.dataset.look = themeOf(root);
    const next = JSON.parse(new TextDecoder().decode(bytes)), before = message;
    // A message that does not know of the last choice yet must not take it back.
    if (before && next.key === before.key && next.report < report) next.chosen = before.chosen;
    if (!before || next.key !== before.key || JSON.stringify(next.entries) !== JSON.stringify(before.entries)) tree = makeTree(next);
    message = next;
    input.placeholder = `Search ${plural(tree.leaves.length, "tensor")}`;
    if (shown) {
      const at = popup.scrollTop;
      draw(rows[active]?.key);
      popup.scrollTop = at;
    } else input.value = message.chosen;
  }
  function dispose() {
    ends.abort();
    alive.delete(root);
  }
  return { update, dispose };
}

function within(index, last) { return Math.min(last, Math.max(0, index)); }

/** Streamlit calls this on every new message, and again when its theme changes. */
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".site-tree");
  if (!alive.has(root)) alive.set(root, createView(root));
  const view = alive.get(root);
  view.update(data, setStateValue);
  return view.dispose;
}
