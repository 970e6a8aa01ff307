// The field, the letters and the list; whatever has the focus of field and list, the arrow keys walk through the terms.

const alive = new WeakMap();   // root element -> its view; a rerun calls the default export again with the same page

function createIndex(root) {
  const ends = new AbortController(), { signal } = ends;
  const input = el("input", { id: "sought", type: "text", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "true", "aria-controls": "terms",
    autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const hint = el("kbd", { text: "/", "aria-hidden": "true" }), letters = el("div", { class: "letters", role: "group", "aria-label": "First letter" });
  const count = el("p", { class: "count", "aria-live": "polite" });
  const list = el("div", { id: "terms", class: "list", role: "listbox", tabindex: "0", "aria-label": "Terms" });
  root.replaceChildren(el("label", { for: "sought", text: "Search the glossary" }), el("div", { class: "field" }, input, hint), letters, count, list);
  let terms = [], rows = [], active = 0, chosen = "", report = 0, send = null, written = "";

  /** Terms in sight: those whose name has all words first, then those whose meaning has. */
  function found() {
    const sought = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (text) => sought.every((word) => text.toLowerCase().includes(word));
    const named = terms.filter(([, name]) => has(name));
    return [...named, ...terms.filter((term) => !named.includes(term) && has(`${term[1]} ${term[2]}`))];
  }
  function draw() {
    rows = found();
    const at = rows.findIndex(([key]) => key === chosen);
    active = input.value ? 0 : Math.max(0, at);
    list.replaceChildren(...rows.map(([key, name], place) =>
      el("div", { role: "option", id: `term-${place}`, "aria-selected": key === chosen, text: name })));
    const firsts = [...new Set(rows.map(([, name]) => name[0].toUpperCase()))].sort();
    letters.replaceChildren(...(input.value ? [] : firsts).map((letter) => words("button", letter)));
    letters.hidden = Boolean(input.value);
    setText(count, rows.length ? plural(rows.length, "term") : "No term has these words.");
    mark();
  }
  function mark() {
    [...list.children].forEach((node, place) => node.classList.toggle("active", place === active));
    for (const node of [input, list]) {
      if (rows.length) node.setAttribute("aria-activedescendant", `term-${active}`);
      else node.removeAttribute("aria-activedescendant");
    }
    // Only the list scrolls; the page stays where it is.
    const node = list.children[active];
    if (!node) return;
    const over = node.offsetTop - list.scrollTop - 4, under = node.offsetTop + node.offsetHeight - list.scrollTop - list.clientHeight + 4;
    if (over < 0) list.scrollTop += over;
    else if (under > 0) list.scrollTop += under;
  }
  function go(place) {
    active = Math.max(0, Math.min(rows.length - 1, place));
    mark();
  }
  function choose(place) {
    if (!rows[place]) return;
    active = place;
    [chosen] = rows[place];
    [...list.children].forEach((node, at) => node.setAttribute("aria-selected", at === place));
    mark();
    send("chosen", { term: chosen, report: (report = reportAfter(report)) });
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const inList = event.currentTarget === list;
    const act = {
      ArrowDown: () => go(active + 1), ArrowUp: () => go(active - 1), PageDown: () => go(active + 10), PageUp: () => go(active - 10),
      Enter: () => choose(active), " ": inList && (() => choose(active)), Home: inList && (() => go(0)), End: inList && (() => go(rows.length - 1)),
      Escape: input.value && (() => { input.value = ""; draw(); }),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
  input.addEventListener("keydown", onKey, { signal });
  list.addEventListener("keydown", onKey, { signal });
  input.addEventListener("input", draw, { signal });
  list.addEventListener("click", (event) => {
    const node = event.target.closest("[role=option]");
    if (node) choose([...list.children].indexOf(node));
  }, { signal });
  letters.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    go(rows.findIndex(([, name]) => name[0].toUpperCase() === button.textContent));
    list.scrollTop = list.children[active].offsetTop - 4;
    list.focus({ preventScroll: true });
  }, { signal });
  onSlash(root, () => { input.focus(); input.select(); }, signal);

  function update(bytes, setStateValue) {
    send = setStateValue;
    root.dataset.look = themeOf(root);
    const next = JSON.parse(new TextDecoder().decode(bytes)), text = JSON.stringify(next.terms), first = !written;
    // A message that does not know of the last choice yet must not take it back; one that does says nothing new.
    if (next.report < report || (text === written && next.chosen === chosen)) return;
    written = text;
    ({ terms, chosen } = next);
    input.placeholder = `${plural(terms.length, "term")}, by name or meaning`;
    const sought = rows[active]?.[0];
    draw();
    if (input.value) go(Math.max(0, rows.findIndex(([key]) => key === sought)));
    else if (first && chosen) list.scrollTop = list.children[active].offsetTop - list.clientHeight / 2;
  }
  function dispose() {
    ends.abort();
    alive.delete(root);
  }
  return { update, dispose };
}

/** Streamlit calls this on every new message, and again when its theme changes. */
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".term-index");
  if (!alive.has(root)) alive.set(root, createIndex(root));
  const view = alive.get(root);
  view.update(data, setStateValue);
  return endedByLastCall(root, view.dispose);
}
