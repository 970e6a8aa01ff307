// Made from panel.ts by "make browser".
// explorer/browser/shared/bus.ts
var NAME = "explorer-";
function tell(kind, message) {
  if (kind === "moment") globalThis.explorerMoment = message;
  if (kind === "light") globalThis.explorerLight = message;
  window.dispatchEvent(new CustomEvent(NAME + kind, { detail: message }));
}

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
function button(attributes, press, ...children) {
  const node = el("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", press);
  return node;
}
var shown = /* @__PURE__ */ new WeakMap();
function setText(node, text) {
  if (shown.get(node) === text) return;
  shown.set(node, text);
  node.textContent = text;
}

// explorer/browser/shared/focus.ts
function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}

// explorer/browser/shared/keys.ts
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

// explorer/browser/shared/text.ts
var INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
function visible(token) {
  if (token === "") return "∅";
  return clip(safe(token.replace(/\s/g, "␣")), 80);
}
function safe(text) {
  return text.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}
function clip(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

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

// explorer/browser/explain_panel/data.ts
function readExplanation(packed) {
  const { selected_by: chosen } = packed;
  return { ...packed, terms: packed.terms.map(readTerm), selected_by: chosen && readOperand(chosen) };
}
function readTerm([place, [text, role], numbers, value, exact, share, rank, own]) {
  return { place, token: { text, role }, numbers: numbers.map(readOperand), value, exact, share, rank, own };
}
function readOperand([symbol, text, exact, role, cell, at]) {
  return { symbol, text, exact, role, cell: readCell(cell), at: readCell(at ?? cell) };
}
function readCell(packed) {
  if (!packed) return null;
  const [site, ...index] = packed;
  return { site, index };
}

// explorer/browser/explain_panel/table.ts
function shownWords({ text, role }) {
  const isToken = role === "source" || role === "target";
  return el(
    "span",
    role ? { class: role, text: isToken ? clip(visible(text), 24) : safe(text) } : { text: safe(text) }
  );
}
function operand(actions, number) {
  const { cell, at } = number;
  if (!cell || !at) return el("span", { text: number.text, title: number.exact });
  const places = [...new Set([at, cell].map(({ site, index }) => `${site}[${index.join(", ")}]`))];
  const node = el("button", {
    type: "button",
    class: `number ${number.role}`,
    text: number.text,
    title: [number.exact, ...places].join("\n"),
    "aria-label": `${number.symbol} ${number.text}, explain`
  });
  node.addEventListener("click", () => actions.follow(cell));
  for (const begins of ["pointerenter", "focus"]) node.addEventListener(begins, () => tell("term", at));
  for (const ends of ["pointerleave", "blur"]) node.addEventListener(ends, () => tell("term", null));
  return node;
}
function buildParts(actions, data) {
  const rows = data.terms.map(
    (term) => el(
      "tr",
      {},
      el("th", { scope: "row", text: safe(term.place) }),
      el(
        "td",
        { class: "of" },
        ...term.numbers.map(
          (number) => el("span", { class: "operand" }, words("i", number.symbol), " ", operand(actions, number))
        )
      ),
      el("td", { class: "number", text: term.value, title: term.exact })
    )
  );
  return el(
    "table",
    { class: "parts" },
    words("caption", "Parts of the formula", "unseen"),
    el("tbody", {}, ...rows)
  );
}
var TermsTable = class {
  /** before: how the terms were put that stood here. */
  constructor(actions, data, before) {
    this.actions = actions;
    this.data = data;
    this.isCut = data.terms.length < data.n_terms;
    this.hasValues = data.value_name !== "";
    this.width = data.columns.length + (this.hasValues ? 3 : 2);
    const about = `${data.site}${data.index}`, isLong = data.n_terms > data.largest;
    const isSame = before?.about === about && before.isLong === isLong && !this.isCut;
    this.order = isSame ? before : { about, isLong, bySize: true, all: !isLong };
    const isSigned = data.terms.some((term) => term.share < 0);
    this.rows = data.terms.map((term) => this.row(term, isSigned));
    this.rest = el(
      "tr",
      { class: "rest" },
      el(
        "td",
        { colspan: this.width - 1 },
        `${data.n_rest} smaller`,
        ...this.isCut ? [] : [" ", this.more]
      ),
      words("td", data.rest, "number")
    );
    const less = el("button", { type: "button", class: "link", text: `Show the ${data.largest} largest` });
    this.fewer = el("tr", { class: "rest" }, el("td", { colspan: this.width }, less));
    this.node = el(
      "table",
      { class: "terms" },
      words("caption", "Terms of the sum", "unseen"),
      el("thead", {}, this.head()),
      this.body,
      this.foot()
    );
    this.listen(less);
    this.draw();
  }
  node;
  order;
  rows;
  body = el("tbody");
  place = el("button", { type: "button", "aria-label": "Sort by place" });
  size = el("button", { type: "button", "aria-label": "Sort by size" });
  more = el("button", { type: "button", class: "link", text: "Show all" });
  rest;
  fewer;
  /** Whether the message has but the largest of the terms. */
  isCut;
  hasValues;
  width;
  listen(less) {
    this.more.addEventListener("click", () => {
      this.put({ all: true });
      this.rows.find((row) => row.node.isConnected)?.node.querySelector("button")?.focus();
    });
    less.addEventListener("click", () => {
      this.put({ all: false, bySize: true });
      this.more.focus();
    });
    this.place.addEventListener("click", () => this.put({ bySize: false, all: true }));
    this.size.addEventListener("click", () => this.put({ bySize: true }));
  }
  head() {
    const { columns, value_name: values } = this.data;
    return el(
      "tr",
      {},
      el("th", { scope: "col", class: "place" }, this.place),
      ...columns.map(
        (column) => el(
          "th",
          { scope: "col", class: column.role, title: safe(column.under) },
          column.text,
          ...column.under ? [words("sub", clip(visible(column.under), 9))] : []
        )
      ),
      el("th", { scope: "col", class: "bar" }, this.size),
      ...this.hasValues ? [words("th", values)] : []
    );
  }
  row(term, isSigned) {
    const nEmpty = this.data.columns.length - term.numbers.length;
    const node = el(
      "tr",
      term.own ? { class: "own", "aria-current": "true" } : {},
      el(
        "th",
        { scope: "row" },
        words("span", safe(term.place), "where"),
        ...term.token.text ? [" ", shownWords(term.token)] : []
      ),
      ...Array.from({ length: nEmpty }, () => el("td")),
      ...term.numbers.map((number) => el("td", { class: "number" }, operand(this.actions, number))),
      el("td", { class: "bar" }, bar(term.share, isSigned)),
      ...this.hasValues ? [el("td", { class: "number", text: term.value, title: term.exact })] : []
    );
    return { node, term };
  }
  foot() {
    const { total, factor, result } = this.data;
    const line = (name, value, kind = "") => el(
      "tr",
      kind ? { class: kind } : {},
      el("td", { colspan: this.width - 1, text: name }),
      el("td", { class: "number", text: value })
    );
    return el(
      "tfoot",
      {},
      ...total ? [line("sum", total)] : [],
      line(factor || (total ? "result" : "="), result, "result")
    );
  }
  put(changes) {
    Object.assign(this.order, changes);
    this.draw();
  }
  draw() {
    const {
      order: { isLong, bySize, all },
      data,
      isCut
    } = this;
    const sorted = [...this.rows].sort((a, b) => bySize ? a.term.rank - b.term.rank : 0);
    const shown2 = all ? sorted : sorted.filter((row) => row.term.rank < data.largest || row.term.own);
    const isWhole = all && !isCut;
    this.body.replaceChildren(
      ...shown2.map((row) => row.node),
      ...isLong ? [isWhole ? this.fewer : this.rest] : []
    );
    setText(this.place, `${data.letter || "term"}${bySize ? "" : " ↑"}`);
    setText(this.size, `size${bySize ? " ↓" : ""}`);
    this.place.setAttribute("aria-pressed", String(!bySize));
    this.size.setAttribute("aria-pressed", String(bySize));
    this.place.disabled = isCut;
  }
};
function bar(share, isSigned) {
  const node = el("i", { class: !isSigned ? "whole" : share < 0 ? "minus" : "plus", "aria-hidden": "true" });
  node.style.width = `${Math.max(Math.abs(share) * (isSigned ? 46 : 92), share ? 1.5 : 0)}%`;
  return node;
}

// explorer/browser/explain_panel/parts.ts
function buildHead(actions, data, previous) {
  const isDeep = data.crumbs.length > 1;
  const close = link("close", () => actions.back(-1), "quiet");
  const top = el(
    "div",
    { class: "top" },
    words("h2", "This number"),
    link("back", previous, "quiet"),
    ...isDeep ? [close] : []
  );
  const way = isDeep ? [buildWay(actions, data)] : [];
  if (data.problem) return el("header", {}, top, ...way, words("p", safe(data.problem), "problem"));
  return el(
    "header",
    {},
    top,
    ...way,
    el("p", { class: "sentence" }, ...data.words.map(shownWords)),
    el(
      "p",
      { class: "value" },
      el("strong", { text: data.value, title: data.exact }),
      el("code", {}, ...named(data.site), el("span", { text: data.index }))
    ),
    words("p", data.shape, "shape")
  );
}
function spoken(data) {
  const sentence = data.words.map((each) => shownWords(each).textContent).join("");
  return `This number: ${data.problem ? safe(data.problem) : `${sentence} ${data.value}`}`;
}
function buildWay(actions, data) {
  return el(
    "ol",
    { class: "way", "aria-label": "The way to this number" },
    ...data.crumbs.map(({ text, place }, i) => {
      const name = clip(safe(text), 22);
      if (i === data.crumbs.length - 1) return el("li", {}, el("b", { text: name, "aria-current": "true" }));
      return el("li", {}, place === null ? "…" : link(name, () => actions.back(place)));
    })
  );
}
function named(site) {
  return site.split(".").flatMap((part, i) => i ? [".", el("wbr"), part] : [part]);
}
function link(text, act, name = "link") {
  return button({ class: name, text }, act);
}
function buildPicked(actions, data) {
  if (!data.selected_by) return [];
  return [el("p", { class: "picked" }, "Row picked by token id ", operand(actions, data.selected_by))];
}
function buildCheck(data) {
  const mark = words("i", data.agrees ? "✓" : "✕");
  mark.setAttribute("aria-hidden", "true");
  const verdict = data.agrees ? "recorded " : "does not agree with the recorded ";
  const difference = data.difference ? `, difference ${data.difference}` : ", no difference";
  return el(
    "p",
    { class: data.agrees ? "check" : "check bad" },
    mark,
    el("span", {}, verdict, words("b", data.recorded), difference)
  );
}
function buildUses(actions, data) {
  if (!data.used_by.length) return [];
  const list = data.used_by.map(({ text, cell, site }) => {
    if (!cell && !site) return el("li", { text: safe(text) });
    return el(
      "li",
      {},
      link(safe(text), () => cell ? actions.follow(cell) : actions.open(site))
    );
  });
  return [el("div", { class: "uses" }, words("h3", "Used by"), el("ul", {}, ...list))];
}
function buildButtons(actions, data) {
  const open = data.page ? [link(`Open ${data.page_title}`, () => actions.open(data.site), "plain")] : [];
  const buttons = [...open, ...data.code ? [copyButton(data.code)] : []];
  return buttons.length ? [el("div", { class: "buttons" }, ...buttons)] : [];
}
function copyButton(code) {
  const said = el("span", { class: "said", role: "status" });
  const fallback = el("textarea", { readonly: "", rows: 6, "aria-label": "Python that prints this number" });
  fallback.value = code;
  fallback.hidden = true;
  async function copy() {
    try {
      await navigator.clipboard.writeText(code);
      setText(said, "Copied.");
    } catch {
      fallback.hidden = false;
      fallback.select();
      setText(said, "Copy it from here.");
    }
  }
  return el(
    "div",
    { class: "copy" },
    link("Copy code", () => void copy(), "plain"),
    said,
    fallback
  );
}

// explorer/browser/explain_panel/panel.ts
var DOCKED = "(min-width: 1280px)";
var ExplainPanel = class {
  /** box: Streamlit's container, which holds the formulas too. */
  constructor(root, box, signal) {
    this.root = root;
    this.box = box;
    box.setAttribute("role", "region");
    box.tabIndex = -1;
    box.addEventListener(
      "keydown",
      (event) => actOn(event, { Escape: () => this.back(-1), Backspace: () => this.previous() }),
      { signal }
    );
    document.addEventListener(
      "keydown",
      (event) => {
        const isFree = event.target === document.body || comesFrom(event, ".st-key-page");
        if (event.key === "Escape" && isFree && !comesFrom(event, "input, textarea, select")) this.back(-1);
      },
      { signal }
    );
  }
  before = focused();
  data = null;
  order = null;
  reports = new Reports();
  written = "";
  // ---- what is reported --------------------------------------------------------------------------------------
  follow({ site, index }) {
    this.report({ kind: "follow", site, index });
  }
  back(place) {
    this.report({ kind: "back", place });
  }
  open(site) {
    this.report({ kind: "open", site });
  }
  report(what) {
    this.reports.tell("report", { key: this.data?.key, ...what });
  }
  /** One number back on the way; from the first one the panel closes. */
  previous() {
    const places = (this.data?.crumbs ?? []).map((crumb) => crumb.place).filter((place) => place !== null);
    this.back(places.length > 1 ? places[places.length - 2] : -1);
  }
  // ---- new messages ------------------------------------------------------------------------------------------
  update({ data: bytes, setStateValue }) {
    const { root, box } = this;
    this.reports.through(setStateValue);
    root.dataset.look = themeOf(root);
    const text = new TextDecoder().decode(bytes);
    if (text === this.written) return;
    this.written = text;
    const data = readExplanation(JSON.parse(text));
    const isOther = this.data?.key !== data.key, isHeld = this.data ? box.contains(document.activeElement) : isOwnAct();
    this.data = data;
    box.setAttribute("aria-label", spoken(data));
    root.replaceChildren(
      buildHead(this, data, () => this.previous()),
      ...data.problem ? [] : this.parts(data)
    );
    tell("term", null);
    if (!isOther || !isHeld) return;
    box.scrollTop = 0;
    box.focus({ preventScroll: true });
    if (!matchMedia(DOCKED).matches) box.scrollIntoView({ block: "start" });
  }
  parts(data) {
    return [
      el("section", { class: "body" }, ...buildPicked(this, data), ...this.terms(data)),
      el(
        "section",
        { class: "foot" },
        ...data.note ? [words("p", safe(data.note), "note")] : [],
        ...data.layout === "none" ? [] : [buildCheck(data)],
        ...buildUses(this, data),
        ...buildButtons(this, data)
      )
    ];
  }
  terms(data) {
    if (data.layout === "none") return [];
    if (data.layout === "parts") return [buildParts(this, data)];
    const table = new TermsTable(this, data, this.order);
    this.order = table.order;
    return [table.node];
  }
  dispose() {
    tell("term", null);
    const now = focused(), isOurs = !now || now === document.body || this.box.contains(now) || this.root.contains(now);
    if (!isOurs || !this.before?.isConnected) return;
    const { before } = this, back = () => before.focus({ preventScroll: matchMedia(DOCKED).matches });
    back();
    if (focused() !== before) requestAnimationFrame(back);
  }
};
function isOwnAct() {
  return navigator.userActivation.hasBeenActive && !document.activeElement?.closest("[data-testid=stSidebar]");
}
var panel_default = mounted(".explain-panel", (root, signal) => {
  const box = root.getRootNode().host?.closest(".st-key-explain");
  return box ? new ExplainPanel(root, box, signal) : null;
});
export default panel_default;
