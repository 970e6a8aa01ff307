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
function readPayload(bytes) {
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = readJson(new Uint8Array(buffer, 4, length));
  const arrays = {}, codes = {};
  let at2 = bodyStart(length);
  for (const [name, shape] of header.arrays) {
    arrays[name] = Object.assign(new Float32Array(buffer, at2, sizeOf(shape)), { shape });
    at2 += arrays[name].byteLength;
  }
  for (const [name, shape] of header.codes ?? []) {
    codes[name] = Object.assign(new Uint8Array(buffer, at2, sizeOf(shape)), { shape });
    at2 += codes[name].byteLength;
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

// explorer/browser/shared/search.ts
function finder(query) {
  const sought = query.toLowerCase().split(/\s+/).filter(Boolean);
  return sought.length ? (text) => sought.every((word) => text.toLowerCase().includes(word)) : null;
}

// explorer/browser/shared/segments.ts
var Segments = class {
  /** kind: the class of the group, and label its name. choose: called with what is pressed. */
  constructor(kind, label, choose, segments = []) {
    this.choose = choose;
    this.node = el("div", { class: kind, role: "group", "aria-label": label });
    this.offer(segments);
  }
  node;
  offered = "";
  buttons = [];
  /** What there is to choose; nothing is built anew where it is the same. */
  offer(segments) {
    const offered = JSON.stringify(segments);
    if (offered === this.offered) return;
    this.offered = offered;
    this.buttons = segments.map(([value, text]) => [value, button({ text }, () => this.choose(value))]);
    this.node.replaceChildren(...this.buttons.map(([, node]) => node));
  }
  show(chosen) {
    for (const [value, node] of this.buttons) node.setAttribute("aria-pressed", String(value === chosen));
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

// explorer/views/mistakes/component/data.ts
function pairsOf({ header, arrays }) {
  const { sizes, numbers, log_probs, right } = arrays;
  const readers = {
    source: reader(arrays.source, header),
    reference: reader(arrays.reference, header),
    output: reader(arrays.output, header),
    best: reader(arrays.best, header)
  };
  let at2 = 0;
  return Array.from({ length: sizes.shape[0] }, (_, place) => {
    const [nSource, nReference, nOutput] = sizes.subarray(3 * place, 3 * place + 3);
    const losses = [...arrays.losses.subarray(at2, at2 += nReference)];
    const source = readers.source(nSource), reference = readers.reference(nReference), output = readers.output(nOutput);
    return {
      place,
      number: numbers[place],
      source,
      reference,
      output,
      best: readers.best(nReference),
      losses,
      loss: losses.reduce((sum, each) => sum + each, 0) / nReference,
      logProb: log_probs[place],
      first: right[place] ? null : firstDifference(reference, output),
      text: [source, reference, output].map((side) => `${side.join(" ")}
${side.join("")}`).join("\n")
    };
  });
}
function reader(places, { tokens }) {
  let at2 = 0;
  return (count) => Array.from(places.subarray(at2, at2 += count), (place) => tokens[place]);
}
function firstDifference(one, other) {
  const longest = Math.max(one.length, other.length);
  for (let i = 0; i < longest; i++) if (one[i] !== other[i]) return i;
  return null;
}
function belongs(group, header) {
  const [name, text] = group.split("-"), of = Number(text);
  switch (name) {
    case "first":
      return ({ first }) => first === of;
    case "length":
      return ({ source }) => source.length === of;
    // Without the end, as the source's.
    case "reference":
      return ({ reference }) => reference.length - 1 === of;
    case "token": {
      const token = header.tokens[of];
      return ({ reference, best }) => reference.some((each, i) => each === token && best[i] !== token);
    }
    case "taken": {
      const [expected, written] = (header.confusions.at(of) ?? [-1, -1]).map(
        (place) => place < 0 ? "" : header.tokens[place]
      );
      return ({ first, reference, output }) => first !== null && reference[first] === expected && (output[first] ?? "") === written;
    }
    default:
      return () => true;
  }
}
var ORDERS = {
  loss: (a, b) => b.loss - a.loss,
  first: (a, b) => (a.first ?? Infinity) - (b.first ?? Infinity),
  length: (a, b) => a.source.length - b.source.length,
  number: () => 0
};
function sorted(pairs, order) {
  return [...pairs].sort((a, b) => ORDERS[order](a, b) || a.number - b.number);
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
function areLetters(unit) {
  return ["letter", "character"].includes(unit);
}

// explorer/views/mistakes/component/list.ts
var AT_ONCE = 40;
var FULL_LOSS = 5;
var List = class {
  constructor(units, open) {
    this.units = units;
    this.open = open;
    this.node.addEventListener("keydown", (event) => {
      const rows = this.openers(), at2 = rows.indexOf(event.target), to = (place) => () => this.focus(rows.at(place));
      if (at2 >= 0)
        actOn(event, {
          ArrowDown: to(Math.min(at2 + 1, rows.length - 1)),
          ArrowUp: to(Math.max(at2 - 1, 0)),
          Home: to(0),
          End: to(-1)
        });
    });
  }
  node = el("ol", { class: "pairs", "aria-label": "Held-out pairs" });
  more = button({ class: "more" }, () => this.add());
  pairs = [];
  nShown = 0;
  show(pairs) {
    this.pairs = pairs;
    this.nShown = 0;
    this.node.replaceChildren();
    this.add();
  }
  add() {
    const next = this.pairs.slice(this.nShown, this.nShown + AT_ONCE);
    this.node.append(...next.map((pair) => this.row(pair)));
    this.nShown += next.length;
    const left = this.pairs.length - this.nShown;
    this.more.hidden = left === 0;
    this.more.textContent = `${formatCount(Math.min(left, AT_ONCE))} more of ${formatCount(left)}`;
    this.openers().forEach((each, i) => each.setAttribute("tabindex", i === 0 ? "0" : "-1"));
  }
  openers() {
    return [...this.node.querySelectorAll(".open")];
  }
  focus(row) {
    for (const each of this.openers()) each.setAttribute("tabindex", each === row ? "0" : "-1");
    row?.focus();
  }
  row(pair) {
    const where = pair.first === null ? "" : ` at its first wrong step, ${pair.first}`;
    const open = el(
      "button",
      {
        type: "button",
        class: "open",
        "aria-label": `Open pair ${pair.number}, ${spoken(pair.source)},${where} in Step by step`
      },
      words("span", "Open", "say")
    );
    const node = el(
      "li",
      { class: pair.first === null ? "pair exact" : "pair" },
      words("span", formatCount(pair.number), "number"),
      el(
        "div",
        { class: "texts" },
        this.source(pair),
        pair.first === null ? this.same(pair) : this.compared(pair)
      ),
      figure("loss", pair.loss),
      figure("log P", pair.logProb),
      open
    );
    node.classList.toggle("letters", areLetters(this.units.target));
    node.addEventListener("click", () => {
      if (!document.getSelection()?.toString()) this.open(pair);
    });
    return node;
  }
  source({ source }) {
    return el(
      "p",
      { class: "source" },
      ...spaced(
        source.map((token) => words("span", visible(token))),
        this.units.source
      )
    );
  }
  same({ output, losses }) {
    const tokens = output.map((token, i) => at(words("span", visible(token)), losses[i]));
    return el("p", { class: "same" }, ...spaced(tokens, this.units.target), words("span", "✓", "tick"));
  }
  /** Reference and output, each place of them in one column. */
  compared({ reference, output, losses, first }) {
    const longest = Math.max(reference.length, output.length);
    const columns = Array.from({ length: longest }, (_, i) => {
      const node = el(
        "span",
        { class: reference[i] === output[i] ? "place" : "place wrong" },
        at(words("span", i < reference.length ? visible(reference[i]) : " "), losses.at(i)),
        words("span", i < output.length ? visible(output[i]) : "–", "wrote")
      );
      node.classList.toggle("first", i === first);
      return node;
    });
    return el(
      "div",
      { class: "compared" },
      el(
        "span",
        { class: "names", "aria-hidden": "true" },
        words("span", "should be"),
        words("span", "wrote")
      ),
      el(
        "div",
        {
          class: "places",
          role: "img",
          "aria-label": `Should be ${spoken(reference)}; the model wrote ${spoken(output)}`
        },
        ...columns
      )
    );
  }
};
function at(token, loss) {
  const node = el("span", { class: "expected" }, token);
  if (loss === void 0) return node;
  node.style.setProperty("--loss", String(Math.min(loss / FULL_LOSS, 1)));
  node.title = `−log P = ${fixed(loss, 3)}`;
  return node;
}
function figure(name, value) {
  return el("span", { class: "figure" }, words("small", name), words("span", fixed(value, 3)));
}
function spoken(tokens) {
  return tokens.map(visible).join(" ");
}
function spaced(nodes, unit) {
  return areLetters(unit) ? nodes : nodes.flatMap((node, i) => i ? [" ", node] : [node]);
}

// explorer/views/mistakes/component/pictures.ts
var MOST_ROWS = 8;
var MOST_COLUMNS = 24;
var Pictures = class {
  constructor(header, choose) {
    this.header = header;
    this.choose = choose;
    const { firsts, lengths, reference_lengths: written, target_unit: unit, source_unit: read } = header;
    if (!firsts.length) {
      this.node = el(
        "aside",
        {},
        words("p", "Every output is exactly its reference: there is no mistake to look at.", "none")
      );
      return;
    }
    this.node = el(
      "aside",
      { "aria-label": "What the mistakes have in common" },
      picture(
        "Taken for",
        `at the first wrong ${unit}: what it should be, and what was written`,
        "rows",
        this.confusedRows()
      ),
      picture(
        "First wrong at",
        `the place of the first wrong ${unit}, from 0${ofAll(firsts)}`,
        "columns",
        this.columns("first", firsts, (of, n) => `${plural(n, "output")} first wrong at ${unit} ${of}`)
      ),
      picture(
        "Wrong, by length of the source",
        `wrong outputs of sources with that many ${read}s${ofAll(lengths)}`,
        "columns",
        this.columns(
          "length",
          lengths,
          (of, n, all) => `${formatCount(n)} of ${plural(all, "source")} of ${plural(of, read)} wrong`
        )
      ),
      picture(
        "Wrong, by length of the reference",
        `wrong outputs whose reference has that many ${unit}s${ofAll(written)}`,
        "columns",
        this.columns(
          "reference",
          written,
          (of, n, all) => `${formatCount(n)} of ${plural(all, "reference")} of ${plural(of, unit)} wrong`
        )
      ),
      picture(
        "Most often missed",
        `${unit}s that are not the most probable, though the decoder had read the reference up to there`,
        "rows",
        this.missedRows()
      )
    );
  }
  node;
  bars = [];
  /** One bar for each of the most frequent confusions of two tokens. */
  confusedRows() {
    const { confusions } = this.header;
    return confusions.slice(0, MOST_ROWS).map(
      ([expected, written, count], i) => this.row(
        `taken-${i}`,
        [
          words("span", this.tokenName(expected)),
          words("span", "→", "arrow"),
          words("span", this.tokenName(written), "taken")
        ],
        `${this.tokenName(expected)} taken for ${this.tokenName(written)}`,
        count,
        confusions[0][2]
      )
    );
  }
  /** One bar for each of the tokens that the model misses most often. */
  missedRows() {
    const { hardest, target_unit: unit } = this.header;
    return hardest.slice(0, MOST_ROWS).map(
      ([of, n, right]) => this.row(
        `token-${of}`,
        [words("span", this.tokenName(of))],
        `${this.tokenName(of)} is not the most probable ${unit} in ${n - right} of ${n} places`,
        n - right,
        hardest[0][1] - hardest[0][2],
        `${formatCount(n - right)} of ${formatCount(n)}`
      )
    );
  }
  tokenName(place) {
    return place < 0 ? "nothing" : visible(this.header.tokens[place]);
  }
  row(group, label, said, count, most, text = formatCount(count)) {
    const fill = el("i", { class: "fill" }), number = words("span", text, "count");
    fill.style.setProperty("--part", String(count / most));
    return this.bar(
      group,
      said,
      fill,
      el("span", { class: "label" }, ...label),
      el("span", { class: "track" }, fill),
      number
    );
  }
  columns(name, shares, said) {
    const shown2 = shares.slice(0, MOST_COLUMNS), height = ([, n, right]) => name === "first" ? n : (n - right) / n;
    const most = Math.max(...shown2.map(height));
    return shown2.map((share) => {
      const [of, n, right] = share, fill = el("i", { class: "fill" });
      fill.style.setProperty("--part", String(most ? height(share) / most : 0));
      return this.bar(
        `${name}-${of}`,
        said(of, n - right, n),
        fill,
        words("small", formatCount(n - right)),
        el("span", { class: "track" }, fill),
        words("span", of, "of")
      );
    });
  }
  bar(group, label, fill, ...children) {
    const listed = el("span", { class: "unseen" });
    const node = button(
      { class: "bar", title: label },
      () => this.choose(node.getAttribute("aria-pressed") === "true" ? "" : group),
      words("span", label, "unseen"),
      listed
    );
    for (const child of children) node.append(el("span", { class: "seen", "aria-hidden": "true" }, child));
    this.bars.push({ group, node, fill, label, listed });
    return node;
  }
  /** What a bar counts; empty for none. */
  nameOf(group) {
    return this.bars.find((bar) => bar.group === group)?.label ?? "";
  }
  /** Light the chosen bar, and the part of each that stands in the list. */
  light(group, pairs, all) {
    for (const bar of this.bars) {
      const own = belongs(bar.group, this.header), isOwn = (pair) => pair.first !== null && own(pair);
      const total = all.filter(isOwn).length, listed = pairs.filter(isOwn).length;
      bar.node.setAttribute("aria-pressed", String(bar.group === group));
      bar.fill.style.setProperty("--listed", String(total ? listed / total : 0));
      setText(bar.listed, `, ${formatCount(listed)} of them in the list`);
    }
  }
};
function ofAll(shares) {
  return shares.length > MOST_COLUMNS ? `; the first ${MOST_COLUMNS} of ${formatCount(shares.length)}` : "";
}
function picture(title, what, kind, bars) {
  const nothing = words("p", "None.", "none");
  return el(
    "section",
    { class: "picture", "aria-label": title },
    words("h2", title),
    words("p", what, "what"),
    bars.length ? el("div", { class: kind }, ...bars) : nothing
  );
}

// explorer/views/mistakes/component/view.ts
var PHONE = 640;
var BESIDE = 900;
var TYPED2 = 400;
var WRONG = "wrong";
var ALL = "all";
var EXACT = "exact";
var ORDERS2 = [
  ["loss", "Largest loss first"],
  ["first", "Earliest mistake first"],
  ["length", "Shortest source first"],
  ["number", "As in the split"]
];
var MistakesView = class {
  constructor(root, signal) {
    this.root = root;
    onResize(root, () => this.layout(), signal);
    onSlash(root, () => this.shown?.search.focus(), signal);
  }
  reports = new Reports();
  shown = null;
  tell(name, what) {
    if (this.shown) this.reports.tell(name, { key: this.shown.header.key, ...what });
  }
  dispose() {
    this.shown?.rest();
  }
  layout() {
    if (!this.root.clientWidth) return;
    this.root.dataset.look = themeOf(this.root);
    this.root.dataset.size = window.innerWidth < PHONE ? "phone" : this.root.clientWidth < BESIDE ? "narrow" : "wide";
  }
  update({ data, setStateValue }) {
    this.reports.through(setStateValue);
    const payload = readPayload(data);
    if (this.shown?.header.key !== payload.header.key) {
      this.shown?.rest();
      this.shown = new Shown(payload.header, pairsOf(payload), this);
    } else if (payload.header.report >= this.reports.last) this.shown.take(payload.header.looked);
    this.layout();
  }
};
var Shown = class {
  constructor(header, pairs, view) {
    this.header = header;
    this.pairs = pairs;
    this.view = view;
    this.looked = header.looked;
    this.list = new List(
      { source: header.source_unit, target: header.target_unit },
      (pair) => view.tell("opened", { pair: pair.place })
    );
    this.pictures = new Pictures(header, (group) => this.choose({ group }));
    this.search = el("input", {
      type: "search",
      placeholder: "Search",
      "aria-label": "Search source, reference and output",
      maxlength: 100
    });
    this.search.addEventListener("input", () => {
      this.looked = { ...this.looked, search: this.search.value };
      this.draw();
      clearTimeout(this.typing);
      this.typing = window.setTimeout(() => this.report(), TYPED2);
    });
    this.order.addEventListener("change", () => this.choose({ sort: this.order.value }));
    view.root.replaceChildren(
      this.figures(),
      el(
        "div",
        { class: "beside" },
        el(
          "section",
          { class: "listed", "aria-label": "Pairs" },
          this.filters(),
          el("div", { class: "tools" }, this.search, this.order, this.said, this.only),
          heads(header),
          this.list.node,
          this.list.more,
          this.foot()
        ),
        this.pictures.node
      )
    );
    this.draw();
  }
  search;
  looked;
  list;
  pictures;
  chips = /* @__PURE__ */ new Map();
  said = el("p", { class: "said", role: "status" });
  only = button({ class: "only" }, () => this.choose({ group: "" }));
  order = el(
    "select",
    { "aria-label": "Order of the pairs" },
    ...ORDERS2.map(([key, title]) => el("option", { value: key, text: title }))
  );
  typing = 0;
  /** What Python says is looked at, as after a step back in the browser's history. */
  take(looked) {
    if (JSON.stringify(looked) === JSON.stringify(this.looked)) return;
    this.looked = looked;
    this.draw();
  }
  choose(part) {
    this.looked = { ...this.looked, ...part };
    this.draw();
    this.report();
  }
  /** Nothing that waits is told any more: what is told holds what was typed. */
  report(split = this.header.split, looked = this.looked) {
    this.rest();
    this.view.tell("looked", { ...looked, split });
  }
  /** Another view takes this one's place. */
  rest() {
    clearTimeout(this.typing);
  }
  get kind() {
    return this.looked.kind || (this.pairs.some(({ first }) => first !== null) ? WRONG : ALL);
  }
  /** Whether a pair is of a kind. */
  ofKind(kind) {
    if (kind === WRONG || kind === EXACT) return ({ first }) => first === null === (kind === EXACT);
    const found = this.header.kinds.find(({ key }) => key === kind), places = new Set(found?.pairs);
    return found ? ({ place }) => places.has(place) : () => true;
  }
  draw() {
    const {
      looked: { group, search, sort },
      kind,
      header,
      pairs
    } = this;
    if (this.search.value !== search) this.search.value = search;
    this.order.value = sort;
    const isOfKind = this.ofKind(kind), belongsTo = belongs(group, header), finds = finder(search);
    const listed = pairs.filter((pair) => isOfKind(pair) && belongsTo(pair) && (!finds || finds(pair.text)));
    for (const [key, chip] of this.chips) chip.setAttribute("aria-pressed", String(key === kind));
    this.list.show(sorted(listed, sort));
    this.pictures.light(group, listed, pairs);
    const only = this.pictures.nameOf(group);
    this.only.hidden = !only;
    this.only.replaceChildren(`Only: ${only} `, words("span", "×", "close"));
    this.only.setAttribute("aria-label", `Only ${only}; show all again`);
    const meaning = header.kinds.find(({ key }) => key === kind)?.meaning;
    setText(this.said, [`${plural(listed.length, "pair")}.`, meaning].filter(Boolean).join(" "));
  }
  figures() {
    const {
      figures: { exact, right, n_pairs, loss, token_accuracy, chrf, bleu, bleu_tokenizer },
      split,
      splits,
      target_unit
    } = this.header;
    const others = [
      [`nats per ${target_unit}`, fixed(loss, 3)],
      [`${target_unit}s in place`, percent(token_accuracy)],
      ...chrf === void 0 ? [] : [["chrF", fixed(chrf, 1)]],
      ...bleu === void 0 ? [] : [[`BLEU (sacrebleu ${bleu_tokenizer})`, fixed(bleu, 1)]]
    ];
    const bar = el("i", { class: "whole", "aria-hidden": "true" });
    bar.style.setProperty("--part", String(exact / n_pairs));
    const choices = new Segments(
      "segments",
      "Held-out pairs",
      (key) => this.report(key, { ...this.looked, group: "" }),
      splits.length > 1 ? splits : []
    );
    choices.show(split);
    return el(
      "header",
      { class: "figures" },
      el(
        "p",
        { class: "exact" },
        words("b", formatCount(exact)),
        ` of ${formatCount(n_pairs)} ${right}`,
        bar
      ),
      ...others.map(([name, value]) => el("p", {}, words("b", value), ` ${name}`)),
      choices.node
    );
  }
  filters() {
    const { pairs, header } = this, nWrong = pairs.filter(({ first }) => first !== null).length;
    const all = [
      [WRONG, "Wrong", nWrong, ""],
      ...header.kinds.map(({ key, title, pairs: own, meaning }) => [
        key,
        title,
        own.length,
        meaning
      ]),
      [EXACT, "Exact", pairs.length - nWrong, ""],
      [ALL, "All", pairs.length, ""]
    ];
    for (const [key, title, count, meaning] of all) {
      const chip = button(
        { class: "chip", title: meaning },
        () => this.choose({ kind: key }),
        title,
        " ",
        words("b", formatCount(count))
      );
      if (!count && key !== WRONG) chip.setAttribute("disabled", "");
      this.chips.set(key, chip);
    }
    return el("div", { class: "chips", role: "group", "aria-label": "Which pairs" }, ...this.chips.values());
  }
  foot() {
    const { n_available, n_evaluated } = this.header, { length } = this.pairs;
    const cut = n_evaluated < n_available ? ` Of ${formatCount(n_available)} pairs the first ${formatCount(n_evaluated)} were translated.` : "";
    const listed = length < n_evaluated ? ` The list has ${formatCount(length)} of them, the wrong ones first.` : "";
    return words("p", `The loss is of the reference, log P of what was written.${cut}${listed}`, "foot");
  }
};
function heads({ target_unit }) {
  const texts = [
    "bar over a token: its loss, −log P; a full one is 5 nats and more",
    `loss / ${target_unit}`,
    "log P"
  ];
  return el("div", { class: "heads" }, ...texts.map((text) => words("span", text)), el("span"));
}
function percent(share) {
  const text = `${fixed(100 * share, 1)} %`;
  return share < 1 && text === "100.0 %" ? ">99.9 %" : text;
}
var view_default = mounted(".mistakes", (root, signal) => new MistakesView(root, signal));
export default view_default;
