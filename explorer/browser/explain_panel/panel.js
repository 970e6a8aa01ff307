// The panel: head with the way and the number, terms, check and links; its keys and where the focus goes.

const panels = new WeakMap();   // root element -> its panel; a rerun calls the default export again with the same page

function createPanel(root, box) {
  const ends = new AbortController();
  const before = focused();
  let data = null, send = null, report = 0, told = "";
  const narrow = () => window.innerWidth < 640;

  function tell(what) {
    report = reportAfter(report);
    send("report", { key: data.key, ...what, report });
  }
  const view = {
    follow: (cell) => tell({ kind: "follow", site: cell.site, index: cell.index }),
    back: (place) => tell({ kind: "back", place }),
    open: (site) => tell({ kind: "open", site }),
  };
  const close = () => view.back(-1);
  /** One number back on the way; from the first one the panel closes. */
  function previous() {
    const places = data.crumbs.map((crumb) => crumb.place).filter((place) => place !== null);
    view.back(places.length > 1 ? places[places.length - 2] : -1);
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { Escape: close, Backspace: previous }[event.key];
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      act();
    } else if (event.key === "Tab" && narrow()) stay(event);
  }
  /** The sheet covers the page: the focus goes round in it. */
  function stay(event) {
    const all = [...root.querySelectorAll("button:not([disabled]), a[href]")].filter((node) => node.offsetParent);
    const last = event.shiftKey ? all[0] : all[all.length - 1];
    const now = root.getRootNode().activeElement;
    if (now && now !== last) return;
    event.preventDefault();
    (event.shiftKey ? all[all.length - 1] : all[0])?.focus();
  }
  function onPageKey(event) {
    if (event.target === document.body && event.key === "Escape") onKey(event);
  }

  function update(bytes, setStateValue) {
    send = setStateValue;
    root.dataset.look = themeOf(root);
    const text = new TextDecoder().decode(bytes);
    // The same message again, as in other colours, must not take away what is read.
    if (text === told) return;
    told = text;
    const next = JSON.parse(text);
    const fresh = data?.key !== next.key, inside = data === null || box.contains(document.activeElement);
    data = { ...next, terms: next.terms.map(readTerm), selected_by: next.selected_by && readNumber(next.selected_by) };
    root.replaceChildren(buildHead(view, data, close), ...(data.problem ? [] : [
      ...(data.formula ? [words("h3", "Formula", "formula")] : []),
      ...(data.numbers ? [words("h3", "Numbers put in", "put-in")] : []), buildBody(view, data)]));
    if (fresh && inside) {
      box.scrollTop = 0;
      box.focus({ preventScroll: true });
    }
  }
  function dispose() {
    ends.abort();
    panels.delete(root);
    // Back to where the visitor came from, unless the focus has gone on by itself.
    const now = focused();
    if (!now || now === document.body || box.contains(now) || root.contains(now)) before?.isConnected && before.focus({ preventScroll: true });
  }

  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", "Explain this number");
  box.tabIndex = -1;
  box.addEventListener("keydown", onKey, { signal: ends.signal });
  document.addEventListener("keydown", onPageKey, { signal: ends.signal });
  return { update, dispose };
}

/** The element with the focus, inside of components too. */
function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}

function buildHead(view, data, close) {
  const way = el("ol", { "aria-label": "The way to this number" }, ...data.crumbs.map((crumb, i) => {
    const name = clip(safe(crumb.text), 22);
    if (i === data.crumbs.length - 1) return el("li", {}, el("b", { text: name, "aria-current": "true" }));
    if (crumb.place === null) return el("li", { text: "…" });
    const link = el("button", { type: "button", class: "link", text: name });
    link.addEventListener("click", () => view.back(crumb.place));
    return el("li", {}, link);
  }));
  const shut = el("button", { type: "button", class: "close", "aria-label": "Close", title: "Close" }, words("kbd", "Esc"), words("span", "Close"));
  shut.addEventListener("click", close);
  const top = el("div", { class: "way" }, way, shut);
  if (data.problem) return el("header", {}, top, words("p", safe(data.problem), "problem"));
  return el("header", {}, top,
    el("h2", {}, ...data.words.map(shownWords)),
    el("p", { class: "value" }, el("strong", { text: data.value, title: data.exact }), el("code", {}, ...named(data.site), el("span", { text: data.index }))),
    words("p", data.shape, "shape"));
}

/** A dotted name that may break after each dot. */
function named(site) { return site.split(".").flatMap((part, i) => (i ? [".", el("wbr"), part] : [part])); }

function buildBody(view, data) {
  const parts = [];
  if (data.note) parts.push(words("p", safe(data.note), "note"));
  if (data.selected_by) parts.push(el("p", { class: "picked" }, "Row picked by token id ", operand(view, data.selected_by)));
  if (data.layout !== "none") parts.push(words("h3", data.layout === "terms" ? "Terms" : "Parts"), data.layout === "terms" ? buildTerms(view, data) : buildParts(view, data));
  if (data.layout !== "none") parts.push(buildCheck(data));
  if (data.used_by.length) parts.push(buildUses(view, data));
  const buttons = buildButtons(view, data);
  if (buttons.childElementCount) parts.push(buttons);
  return el("section", { class: "body" }, ...parts);
}

function buildCheck(data) {
  const mark = words("i", data.agrees ? "✓" : "✕");
  mark.setAttribute("aria-hidden", "true");
  const said = data.agrees ? "recorded " : "does not agree with the recorded ";
  const difference = data.difference ? `, difference ${data.difference}` : ", no difference";
  return el("p", { class: data.agrees ? "check" : "check bad" }, mark, el("span", {}, said, words("b", data.recorded), difference));
}

function buildUses(view, data) {
  const list = data.used_by.map((use) => {
    if (!use.cell && !use.site) return el("li", { text: safe(use.text) });
    const link = el("button", { type: "button", class: "link", text: safe(use.text) });
    link.addEventListener("click", () => (use.cell ? view.follow(use.cell) : view.open(use.site)));
    return el("li", {}, link);
  });
  return el("div", { class: "uses" }, words("h3", "Used by"), el("ul", {}, ...list));
}

function buildButtons(view, data) {
  const node = el("div", { class: "buttons" });
  if (data.page) {
    const open = el("button", { type: "button", class: "plain", text: `Open ${data.page_title}` });
    open.addEventListener("click", () => view.open(data.site));
    node.append(open);
  }
  if (data.code) node.append(copyButton(data.code));
  return node;
}

function copyButton(code) {
  const button = el("button", { type: "button", class: "plain", text: "Copy code" });
  const said = el("span", { class: "said", role: "status" });
  const fallback = el("textarea", { readonly: "", rows: 6, "aria-label": "Python that prints this number" });
  fallback.value = code;
  fallback.hidden = true;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code);
      setText(said, "Copied.");
    } catch {
      fallback.hidden = false;
      fallback.select();
      setText(said, "Copy it from here.");
    }
  });
  return el("div", { class: "copy" }, button, said, fallback);
}

/** Streamlit calls this on every new message, and again when its theme changes. */
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".explain-panel");
  // Streamlit's container, which holds the formulas too. A page that is being left has none any more.
  const box = root.getRootNode().host?.closest(".st-key-explain");
  if (!panels.has(root) && !box) return undefined;
  if (!panels.has(root)) panels.set(root, createPanel(root, box));
  const panel = panels.get(root);
  panel.update(data, setStateValue);
  return endedByLastCall(root, panel.dispose);
}
