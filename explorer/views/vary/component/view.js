// Made from view.ts by "make browser".
// explorer/browser/shared/bus.ts
var NAME = "explorer-";
function tell(kind, message) {
  if (kind === "moment") globalThis.explorerMoment = message;
  if (kind === "light") globalThis.explorerLight = message;
  window.dispatchEvent(new CustomEvent(NAME + kind, { detail: message }));
}
function onTold(kind, hear, signal) {
  if (kind === "moment" && globalThis.explorerMoment) hear(globalThis.explorerMoment);
  if (kind === "light" && globalThis.explorerLight) hear(globalThis.explorerLight);
  window.addEventListener(NAME + kind, (event) => hear(event.detail), {
    signal
  });
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
var shown = /* @__PURE__ */ new WeakMap();
function setText(node, text) {
  if (shown.get(node) === text) return;
  shown.set(node, text);
  node.textContent = text;
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

// explorer/browser/shared/chips.ts
var Chips = class {
  /** label: name of the group. choose: called with the place of the chosen chip, which may lie beyond the ends. */
  constructor(label, chips, choose) {
    this.chips = chips;
    this.choose = choose;
    chips.forEach((chip, place) => chip.addEventListener("click", () => choose(place)));
    this.node = el("div", { class: "chips", role: "radiogroup", "aria-label": label }, ...chips);
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }
  node;
  checked = 0;
  onKey(event) {
    const { checked } = this, to = (place) => () => this.choose(place), back = to(checked - 1), onward = to(checked + 1);
    actOn(event, {
      ArrowLeft: back,
      ArrowUp: back,
      ArrowRight: onward,
      ArrowDown: onward,
      Home: to(0),
      End: to(this.chips.length - 1)
    });
  }
  /** Marks one as chosen; it alone is reached by the Tab key, or the first where none is. */
  check(place) {
    this.checked = place;
    this.chips.forEach((chip, at) => {
      chip.setAttribute("aria-checked", String(at === place));
      chip.tabIndex = at === Math.max(0, place) ? 0 : -1;
    });
  }
  focus(place) {
    this.chips[place].focus();
  }
};

// explorer/browser/shared/focus.ts
function focusBeside(node) {
  return node.getRootNode().activeElement;
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
function fixed(value, decimals) {
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  return (value < 0 ? "−" : "") + (Number.isFinite(size) ? halfToEven(size, decimals) : "∞");
}
function halfToEven(size, decimals) {
  const up = size.toFixed(decimals);
  const isBetween = size * 2 ** (decimals + 1) % 2 === 1;
  return isBetween && /[13579]$/.test(up) ? (size - 0.75 * 10 ** -decimals).toFixed(decimals) : up;
}
function formatProbability(value) {
  if (value > 0 && value < 1e-4) return "<0.0001";
  return fixed(value, value >= 0.1 ? 3 : 4);
}
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

// explorer/browser/shared/resize.ts
function onResize(root, layout, signal) {
  let width = 0;
  window.addEventListener("resize", layout, { signal });
  const observer = new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    layout();
  });
  observer.observe(root);
  signal.addEventListener("abort", () => observer.disconnect());
  void document.fonts.ready.then(() => {
    if (!signal.aborted) layout();
  });
}

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
function tail(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? "…" + letters.slice(1 - length).join("") : text;
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

// explorer/browser/shared/message.ts
function readPayload(bytes) {
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = readJson(new Uint8Array(buffer, 4, length));
  const arrays = {}, codes = {};
  let at = bodyStart(length);
  for (const [name, shape] of header.arrays) {
    arrays[name] = Object.assign(new Float32Array(buffer, at, sizeOf(shape)), { shape });
    at += arrays[name].byteLength;
  }
  for (const [name, shape] of header.codes ?? []) {
    codes[name] = Object.assign(new Uint8Array(buffer, at, sizeOf(shape)), { shape });
    at += codes[name].byteLength;
  }
  return { header, arrays, codes };
}
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
function bodyStart(length) {
  return 4 + Math.ceil(length / 4) * 4;
}
function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

// explorer/views/vary/component/data.ts
var Sweep = class _Sweep {
  constructor(header, arrays) {
    this.header = header;
    this.arrays = arrays;
  }
  static read(bytes) {
    const { header, arrays } = readPayload(bytes);
    return new _Sweep(header, arrays);
  }
  get nSteps() {
    return this.header.rivals.length;
  }
  token(id) {
    return this.header.tokens[id];
  }
  logProb(row) {
    return this.arrays.log_prob[row];
  }
  at(row, step) {
    const place = row * this.nSteps + step, { rivals, best_ids: best } = this.header, id = best[row][step];
    const [own, other] = this.arrays.rival_probs.subarray(2 * place, 2 * place + 2);
    const winner = id === rivals[step].own ? "own" : id === rivals[step].other ? "other" : "else";
    return { own, other, winner, best: this.token(id), bestProb: this.arrays.best_probs[place] };
  }
  /** The rows from top to bottom. */
  order(step, by) {
    const rows = this.header.values.map((_, row) => row);
    if (by === "listed") return rows;
    const lead = rows.map((row) => {
      const { own, other } = this.at(row, step);
      return own - other;
    });
    return rows.sort((one, two) => lead[two] - lead[one]);
  }
};
function breaks(winners) {
  return winners.flatMap((winner, place) => place > 0 && winner !== winners[place - 1] ? [place] : []);
}

// explorer/views/vary/component/rows.ts
var Rows = class {
  /** use: called with the row whose source is to become the sentence. */
  constructor(sweep, use) {
    this.sweep = sweep;
    this.use = use;
    const { values, own } = sweep.header;
    this.current = own;
    this.rows = values.map((value, row) => this.build(value, row));
    const top = el(
      "div",
      { role: "row", class: "row top" },
      head("value", "value"),
      head("output", "output"),
      head("log", "log P"),
      this.heads.own,
      this.heads.other,
      this.rest
    );
    this.node = el(
      "div",
      { role: "table", class: "rows", "aria-label": "Values of the token" },
      el("div", { role: "rowgroup" }, top),
      this.body
    );
    this.body.addEventListener("keydown", (event) => this.onKey(event));
  }
  node;
  rows;
  body = el("div", { role: "rowgroup", class: "body" });
  heads = { own: head("own"), other: head("other") };
  rest = head("rest", "otherwise");
  order = [];
  current;
  build(text, row) {
    const {
      header: { own, sentences, outputs }
    } = this.sweep, isOwn = row === own;
    const value = el("button", {
      type: "button",
      class: "value",
      tabindex: row === own ? 0 : -1,
      text: visible(text)
    });
    if (isOwn) {
      value.setAttribute("aria-disabled", "true");
      value.ariaLabel = `${visible(text)}, as in the sentence`;
    } else {
      value.title = `Make “${safe(sentences[row])}” the sentence`;
      value.ariaLabel = `${visible(text)}, make it the sentence`;
      value.addEventListener("click", () => this.use(row));
    }
    value.addEventListener("focus", () => this.focusOn(row));
    const bars = { own: bar("own"), other: bar("other") }, rest = el("div", { role: "cell", class: "rest" });
    const output = el("div", { role: "cell", class: "output" }, ...written(outputs[row].parts));
    if (!outputs[row].ended) output.append(words("span", " … not ended", "note"));
    const node = el(
      "div",
      { role: "row", class: isOwn ? "row own" : "row" },
      el("div", { role: "rowheader", class: "name" }, value),
      output,
      words("div", fixed(this.sweep.logProb(row), 2), "log"),
      bars.own.cell,
      bars.other.cell,
      rest
    );
    node.children[2].role = "cell";
    return { node, value, ...bars, rest };
  }
  /** Shows a step, the rows in an order. */
  show(step, by) {
    const { sweep, rows } = this, rivals = sweep.header.rivals[step];
    setText(this.heads.own.lastChild, visible(sweep.token(rivals.own)));
    setText(this.heads.other.lastChild, visible(sweep.token(rivals.other)));
    this.heads.other.title = rivals.origin ? `What ${rivals.origin} writes at this step` : "The most probable other token of the sentence";
    const standings = rows.map((_, row) => sweep.at(row, step));
    rows.forEach(({ node, own, other, rest }, row) => {
      const at = standings[row];
      node.dataset.winner = at.winner;
      for (const [{ bar: bar2, number }, prob] of [
        [own, at.own],
        [other, at.other]
      ]) {
        bar2.style.setProperty("--p", String(prob));
        setText(number, formatProbability(prob));
      }
      rest.replaceChildren(
        ...at.winner === "else" ? [words("b", visible(at.best)), ` ${formatProbability(at.bestProb)}`] : []
      );
    });
    this.rest.classList.toggle("none", !standings.some(({ winner }) => winner === "else"));
    this.arrange(sweep.order(step, by));
    const broken = new Set(breaks(this.order.map((row) => standings[row].winner)));
    this.order.forEach((row, place) => rows[row].node.classList.toggle("break", broken.has(place)));
  }
  /** Puts the rows in an order; the focus stays where it is. */
  arrange(order2) {
    if (order2.join() === this.order.join()) return;
    const held = this.body.contains(focusBeside(this.body));
    this.order = order2;
    this.body.replaceChildren(...order2.map((row) => this.rows[row].node));
    if (held) this.rows[this.current].value.focus({ preventScroll: true });
  }
  focusOn(row) {
    this.rows[this.current].value.tabIndex = -1;
    this.current = row;
    this.rows[row].value.tabIndex = 0;
  }
  onKey(event) {
    const { order: order2 } = this, at = order2.indexOf(this.current);
    const go = (place) => () => {
      this.rows[order2[Math.min(order2.length - 1, Math.max(0, place))]].value.focus();
    };
    actOn(event, { ArrowUp: go(at - 1), ArrowDown: go(at + 1), Home: go(0), End: go(order2.length - 1) });
  }
};
function head(name, text = "") {
  const node = el("div", { role: "columnheader", class: `head of-${name}` });
  node.append(...text ? [text] : ["P of ", el("b", { class: "token" })]);
  return node;
}
function bar(name) {
  const number = words("span", "", "number"), shape = el("i", { class: "bar", "aria-hidden": "true" });
  return { cell: el("div", { role: "cell", class: `side ${name}` }, shape, number), bar: shape, number };
}
function written(parts) {
  if (!parts.length) return [words("span", "nothing", "note")];
  return parts.flatMap(({ text, mark }) => {
    if (mark === "same") return [safe(text)];
    const [, blank, rest] = /^(\s*)(.*)$/s.exec(safe(text));
    if (mark === "other") return [blank, words("mark", rest)];
    const missing = words("span", "‸", "missing");
    missing.ariaHidden = "true";
    missing.title = `without ${rest}`;
    return [missing, words("span", ` (without ${rest}) `, "unseen")];
  });
}

// explorer/views/vary/component/view.ts
var PHONE = 640;
var NARROW = 760;
var order = "listed";
var VaryView = class {
  constructor(root, signal) {
    this.root = root;
    onTold(
      "moment",
      (moment) => {
        this.step = moment && Math.max(0, moment.step);
        this.show();
      },
      signal
    );
    onTold(
      "token",
      (token) => {
        this.chips.forEach(
          (chip, place) => chip.classList.toggle("ringed", token?.side === "source" && token.place === place)
        );
      },
      signal
    );
    onResize(root, () => this.layout(), signal);
  }
  reports = new Reports();
  sweep = null;
  rows = null;
  chips = [];
  source = null;
  orders = null;
  where = el("p", { class: "where" });
  verdict = el("p", { class: "verdict", "aria-live": "polite" });
  step = null;
  // of the view that plays; null where none does
  asked = -1;
  update({ data, setStateValue }) {
    this.reports.through(setStateValue);
    const sweep = Sweep.read(data), before = this.sweep;
    const isWaiting = this.asked >= 0 && sweep.header.report < this.reports.last && sweep.header.key === before?.header.key;
    if (!isWaiting) {
      this.asked = -1;
      this.sweep = sweep;
      if (!before || factsOf(before) !== factsOf(sweep)) this.build(sweep);
    }
    this.layout();
    this.show();
  }
  build(sweep) {
    const { root, where, verdict } = this, held = this.focusedPart();
    this.rows = new Rows(
      sweep,
      (value) => this.tell("used", { value, position: sweep.header.position, step: this.stepOf(sweep) })
    );
    this.chips = sweep.header.source_tokens.map((token, place) => sourceChip(token, place));
    this.source = new Chips("Token that is varied", this.chips, (place) => this.vary(place));
    this.source.check(sweep.header.position);
    root.replaceChildren(
      el(
        "section",
        { class: "card", "aria-label": "Vary one token" },
        el("header", {}, words("h2", "Vary one token"), this.source.node, this.orderPicker(sweep)),
        el("div", { class: "facts" }, el("p", { class: "rule" }, ...rule(sweep)), where),
        this.rows.node,
        verdict
      )
    );
    if (held === "source") this.source.focus(sweep.header.position);
    else if (held === "rows")
      root.querySelector(".value[tabindex='0']")?.focus({ preventScroll: true });
  }
  /** Which part has the focus, so that it goes on having it. */
  focusedPart() {
    const held = focusBeside(this.root);
    return held && this.source?.node.contains(held) ? "source" : held && this.rows?.node.contains(held) ? "rows" : null;
  }
  orderPicker({ header: { kind } }) {
    const listed = {
      digits: "By value",
      letters: "A to Z",
      neighbours: "By frequency",
      vocabulary: "As listed"
    }[kind];
    const choices = [
      ["listed", listed],
      ["probability", "By P"]
    ];
    const nodes = choices.map(([, text]) => el("button", { type: "button", role: "radio", text }));
    this.orders = new Chips("Order of the values", nodes, (place) => {
      order = choices[Math.min(1, Math.max(0, place))][0];
      this.show();
      if (focusBeside(nodes[0])?.getAttribute("role") === "radio")
        this.orders?.focus(order === "listed" ? 0 : 1);
    });
    this.orders.node.classList.add("segments");
    return this.orders.node;
  }
  vary(to) {
    const { sweep, source, chips } = this;
    if (!sweep || !source) return;
    const place = Math.min(chips.length - 1, Math.max(0, to));
    source.check(place);
    source.focus(place);
    if (place === (this.asked < 0 ? sweep.header.position : this.asked)) return;
    this.asked = place;
    this.root.classList.add("awaiting");
    this.tell("varied", { position: place });
  }
  tell(name, what) {
    this.reports.tell(name, { key: this.sweep?.header.key, ...what });
  }
  layout() {
    const { root } = this;
    if (!root.clientWidth) return;
    root.dataset.look = themeOf(root);
    root.dataset.size = root.clientWidth < PHONE ? "phone" : root.clientWidth < NARROW ? "narrow" : "wide";
    root.classList.toggle("awaiting", this.asked >= 0);
  }
  /** The step of the page: that of the view that plays, where one does. */
  stepOf(sweep) {
    return Math.min(this.step ?? sweep.header.step, sweep.nSteps - 1);
  }
  /** Shows the step of the page. */
  show() {
    const { sweep, rows } = this;
    if (!sweep || !rows) return;
    const step = this.stepOf(sweep), { rivals, written: written2 } = sweep.header;
    rows.show(step, order);
    this.orders?.check(order === "listed" ? 0 : 1);
    const after = written2[step] ? `after ${tail(safe(written2[step]), 60)}` : "as the first token";
    setText(this.where, `Step ${step}: P of two next tokens ${after}`);
    const named = [rivals[step].own, rivals[step].other].map((id) => visible(sweep.token(id)));
    setText(this.verdict, verdictOf(sweep, step, named));
  }
};
function factsOf({ header }) {
  return JSON.stringify({ ...header, step: 0, report: 0 });
}
function sourceChip(token, place) {
  const chip = el("button", { type: "button", class: "chip", role: "radio", text: clip(visible(token), 24) });
  const point = () => tell("token", { side: "source", place }), end = () => tell("token", null);
  chip.addEventListener("pointerenter", point);
  chip.addEventListener("pointerleave", end);
  chip.addEventListener("focus", point);
  chip.addEventListener("blur", end);
  return chip;
}
function rule({ header }) {
  const { kind, values, position, source_tokens: source, n_between: between, unit } = header;
  const token = (place, edge) => source[place] === void 0 ? edge : words("b", visible(source[place]), "source");
  const neighbours = [token(position - 1, "the beginning"), " and ", token(position + 1, "the end")];
  const sources = `${formatCount(header.n_sources)} ${header.own_pairs ? "pairs of the training" : "sources of its task"}`;
  if (kind === "digits") return [`All ${values.length} digits that the model knows; everything else stays.`];
  if (kind === "letters")
    return [`${plural(values.length, "letter")} that the model knows; everything else stays.`];
  if (kind === "vocabulary")
    return [`${plural(values.length, unit)} of the vocabulary; everything else stays.`];
  if (between >= values.length)
    return [
      `${plural(between, unit)} that stand between `,
      ...neighbours,
      ` in ${sources}; everything else stays.`
    ];
  const beside = values.length - between;
  return [
    `${plural(between, unit)} that ${between === 1 ? "stands" : "stand"} between `,
    ...neighbours,
    `, then ${beside} beside one of the two, in ${sources}; everything else stays.`
  ];
}
function verdictOf(sweep, step, [own, other]) {
  const { values, n_forced: forced } = sweep.header;
  const winners = values.map((_, row) => sweep.at(row, step).winner), won = (by) => winners.filter((each) => each === by).length;
  const rest = won("else") ? `, another token for ${won("else")}` : "";
  const begun = forced ? ` Each output begins with the ${plural(forced, "token")} of this branch.` : "";
  return `${own} is the most probable for ${won("own")} of ${plural(values.length, "value")}, ${other} for ${won("other")}${rest}.${begun} Press a value to make it the sentence.`;
}
var view_default = mounted(".vary-view", (root, signal) => new VaryView(root, signal));
export default view_default;
