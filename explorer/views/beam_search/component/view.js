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
function columnHead(text, name) {
  return el("th", { scope: "col", ...name && { class: name }, text });
}
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
var shown = /* @__PURE__ */ new WeakMap();
function setText(node, text) {
  if (shown.get(node) === text) return;
  shown.set(node, text);
  node.textContent = text;
}
function keepScroll(root, kinds = ".numbers") {
  const boxes = () => [...root.querySelectorAll(kinds)].map(
    (box) => [box, `${box.className} ${box.closest("section")?.ariaLabel}`]
  );
  const before = new Map(boxes().map(([box, name]) => [name, [box.scrollLeft, box.scrollTop]]));
  return () => {
    for (const [box, name] of boxes()) {
      const place = before.get(name);
      if (place?.some(Boolean)) box.scrollTo(...place);
    }
  };
}

// explorer/browser/shared/keys.ts
function isShortcut(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
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
function ordinal(place) {
  const isTeen = Math.floor(place / 10) % 10 === 1;
  return `${place}${isTeen ? "th" : ["th", "st", "nd", "rd"][place % 10] ?? "th"}`;
}

// explorer/browser/shared/table_button.ts
function tableButton(opened, name, follow, words2 = { closed: "Table", open: "Hide table" }) {
  const node = button({ class: "link" }, () => {
    if (!opened.delete(name)) opened.add(name);
    show();
    follow();
  });
  function show() {
    node.setAttribute("aria-expanded", String(opened.has(name)));
    setText(node, opened.has(name) ? words2.open : words2.closed);
  }
  show();
  return node;
}

// explorer/views/beam_search/component/tree.ts
var FATES = ["kept", "pruned", "finished", "outside"];
var SHOWN_PRUNED = { none: 0, best: 2, all: Infinity };
function readTree({ header, arrays }) {
  const { key, width, length_penalty, end, n_best, greedy } = header;
  const nodes = readNodes(header, arrays);
  const seen = nodes.filter((node) => node.fate !== "outside");
  const tree = {
    key,
    width,
    length_penalty,
    end,
    n_best,
    greedy,
    nodes,
    steps: nSteps(nodes),
    searched: nSteps(seen),
    best: nodes[n_best[0]],
    last: nodes[greedy[greedy.length - 1]]
  };
  for (const i of greedy) nodes[i].greedy = true;
  for (const node of pathTo(tree, tree.best)) node.best = true;
  return tree;
}
function readNodes(header, arrays) {
  const known = (value) => value < 0 ? null : value;
  const shown2 = header.tokens.map(visible), texts = textsOf(header);
  const nodes = header.token.map((token, i) => ({
    index: i,
    token: shown2[token],
    step: header.step[i],
    parent: known(header.parent[i]),
    rank: known(header.rank[i]),
    fate: FATES[header.fate[i]],
    ended: header.ended[i],
    text: shownText(texts[i]),
    children: [],
    place: header.n_best.indexOf(i),
    tokenLogProb: arrays.token_log_prob[i],
    logProb: arrays.log_prob[i],
    score: arrays.score[i],
    greedy: false,
    best: false
  }));
  for (const node of nodes) if (node.parent !== null) nodes[node.parent].children.push(node);
  return nodes;
}
function textsOf({ text, parent }) {
  const texts = [];
  text.forEach(([same, rest], i) => {
    const before = parent[i] < 0 ? "" : texts[parent[i]];
    texts.push(Array.from(before).slice(0, same).join("") + rest);
  });
  return texts;
}
function nSteps(nodes) {
  return 1 + nodes.reduce((last, node) => Math.max(last, node.step), 0);
}
function pathTo(tree, node) {
  const path = [node];
  for (let at = node.parent; at !== null; at = tree.nodes[at].parent) path.unshift(tree.nodes[at]);
  return path;
}
function shownText(text) {
  return clip(Array.from(text, visible).join("").replaceAll("␣", " "), 300);
}
function placeNodes(tree, pruned2) {
  const steps = Array.from({ length: tree.steps }, () => []);
  for (const node of tree.nodes) steps[node.step].push(node);
  const places = /* @__PURE__ */ new Map();
  let rows = 0;
  for (const nodes of steps) {
    const going = nodes.filter((node) => node.fate === "kept" || node.fate === "finished");
    const dropped = nodes.filter((node) => node.fate === "pruned");
    const seen = dropped.filter((node, i) => i < SHOWN_PRUNED[pruned2] || node.greedy);
    going.forEach((node, row) => places.set(node, { row, gap: 0 }));
    seen.forEach((node, i) => places.set(node, { row: going.length + i, gap: 1 }));
    rows = Math.max(rows, going.length + seen.length);
  }
  const outside = tree.nodes.filter((node) => node.fate === "outside");
  for (const node of outside) places.set(node, { row: rows, gap: 2 });
  return { places, rows: rows + (outside.length ? 1 : 0), gaps: outside.length ? 2 : 1 };
}
function fateOf(node, tree) {
  const rank = `rank ${node.rank} of its step`, width = tree.width;
  if (node.fate === "outside") return `greedy alone: ${whyOutside(tree)}`;
  if (node.fate === "finished") {
    const place = node.place < 0 ? `not among the ${tree.n_best.length} best` : `${ordinal(node.place + 1)} of the n-best list`;
    return `ended here with ${rank}; ${place}`;
  }
  if (node.fate === "pruned") {
    return node.ended ? `pruned: ${rank}, and it ends only if it is among the best ${width}` : `pruned: ${rank}, and the beam keeps the best ${width} that go on`;
  }
  const over = tree.end === "limit" ? "; the length limit stopped it" : "; the search was over";
  return `kept: ${rank}${node.children.length ? "" : over}`;
}
function whyOutside(tree) {
  const left = tree.greedy.map((i) => tree.nodes[i]).find((node) => node.fate !== "kept");
  return left && left.step < tree.searched ? `the beam dropped it at step ${left.step}` : "the search was over before";
}

// explorer/views/beam_search/component/details.ts
var MOST_TERMS = 12;
var COLUMNS = ["step", "rank", "text so far", "token", "P", "log P", "score", "fate"];
var Details = class {
  constructor(beam) {
    this.beam = beam;
    const open = button(
      { class: "action", text: "Open in Step by step" },
      () => beam.open(beam.state.cursor)
    );
    this.node = el(
      "div",
      { class: "details" },
      el("div", {}, el("p", {}, this.text, " ", this.fate), this.sum, this.score),
      open
    );
  }
  node;
  text = words("b", "", "text");
  fate = el("span");
  sum = el("p", { class: "sum" });
  score = el("p", { class: "sum" });
  show(at) {
    const { tree } = this.beam;
    setText(this.text, at.text === "" ? "nothing yet" : at.text);
    setText(this.fate, `${at.ended ? "and the end, " : ""}${fateOf(at, tree)}`);
    setText(this.sum, sumText(tree, at));
    this.score.replaceChildren(
      "score = ",
      fixed(at.logProb, 3),
      ` / ((5 + ${at.step + 1}) / 6)`,
      words("sup", tree.length_penalty),
      ` = ${fixed(at.score, 3)}`
    );
  }
  /** Room for the longest sum, so that looking around moves nothing. */
  layout() {
    const length = (node) => node.step + node.text.length / 8;
    this.node.style.minHeight = "";
    this.show(this.beam.tree.nodes.reduce((a, b) => length(b) > length(a) ? b : a));
    this.node.style.minHeight = `${this.node.offsetHeight}px`;
    this.light();
  }
  light() {
    this.show(this.beam.looked());
  }
};
function sumText(tree, at) {
  const terms = pathTo(tree, at).map((one) => fixed(one.tokenLogProb, 3)), nLeft = terms.length - MOST_TERMS;
  const shown2 = nLeft > 0 ? [...terms.slice(0, MOST_TERMS - 1), `… (${nLeft} more)`, terms[terms.length - 1]] : terms;
  return `log P = ${shown2.join(" + ")} = ${fixed(at.logProb, 3)}`.replaceAll("+ −", "− ");
}
function buildList(beam) {
  const { tree } = beam, same = tree.n_best.indexOf(tree.last.index);
  const rows = tree.n_best.map(
    (i, place) => listRow(beam, tree.nodes[i], String(place + 1), i === tree.last.index ? "greedy’s" : "")
  );
  const greedy = listRow(
    beam,
    tree.last,
    "greedy",
    same < 0 ? "not in the list" : `the same as rank ${same + 1}`
  );
  greedy.classList.add("apart");
  const table = el(
    "table",
    { class: "list" },
    words("caption", "The n-best list, and greedy’s output", "unseen"),
    listHead(),
    el("tbody", {}, ...rows, greedy)
  );
  const formula = el(
    "p",
    { class: "formula" },
    "score = log P / ((5 + |y|) / 6)",
    words("sup", tree.length_penalty)
  );
  const note = "|y| counts the tokens, EOS among them. The exponent is the length penalty α: 0 compares by log P alone, more favours longer outputs.";
  return el(
    "section",
    { class: "card", "aria-label": "n-best list" },
    el(
      "header",
      {},
      el("div", {}, words("h2", "n-best list"), words("p", "the best outputs found, by score")),
      formula
    ),
    el("div", { class: "wide-table" }, table),
    words("p", note, "note")
  );
}
function listHead() {
  return el(
    "thead",
    {},
    el(
      "tr",
      {},
      columnHead("rank"),
      columnHead("output"),
      columnHead("tokens", "number"),
      columnHead("log P", "number"),
      columnHead("score", "number"),
      el("td")
    )
  );
}
function listRow(beam, node, name, remark) {
  const label = `Open ${name === "greedy" ? "greedy’s output" : `rank ${name}`} in Step by step`;
  const open = button({ class: "quiet", text: "Open", "aria-label": label }, () => beam.open(node));
  const output = el("td", { class: "output" }, words("span", node.text || "∅"));
  const remarks = [remark, node.ended ? "" : "not ended"].filter(Boolean).join(", ");
  if (remarks) output.append(" ", words("em", remarks));
  const number = (text) => words("td", text, "number");
  const row = el(
    "tr",
    {},
    el("th", { scope: "row", text: name }),
    output,
    number(formatCount(node.step + 1)),
    number(fixed(node.logProb, 3)),
    number(fixed(node.score, 3)),
    el("td", { class: "act" }, open)
  );
  row.addEventListener("pointerenter", () => beam.hover(node));
  row.addEventListener("pointerleave", () => beam.hover(null));
  return row;
}
function buildTable(beam) {
  const node = el("div", {
    class: "numbers",
    tabindex: "0",
    role: "region",
    "aria-label": "Table of the nodes"
  });
  function show() {
    node.hidden = !beam.opened.has("nodes");
    if (!node.hidden && !node.childElementCount) node.append(nodeTable(beam.tree));
  }
  show();
  return { node, button: tableButton(beam.opened, "nodes", show) };
}
function nodeTable({ nodes }) {
  const cell = (text) => words("td", text);
  const rank = (node) => node.rank ?? Infinity;
  const sorted = [...nodes].sort((a, b) => a.step - b.step || rank(a) - rank(b));
  const rows = sorted.map(
    (at) => el(
      "tr",
      {},
      cell(at.step),
      cell(at.rank ?? "–"),
      words("th", at.text || "∅"),
      cell(at.token),
      cell(formatProbability(Math.exp(at.tokenLogProb))),
      cell(fixed(at.logProb, 3)),
      cell(fixed(at.score, 3)),
      cell(at.fate)
    )
  );
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...COLUMNS.map((text) => columnHead(text)))),
    el("tbody", {}, ...rows)
  );
}

// explorer/browser/shared/focus.ts
function focusBeside(node) {
  return node.getRootNode().activeElement;
}

// explorer/views/beam_search/component/picture.ts
var SIZES = { wide: { height: 42, row: 54, root: 34 }, phone: { height: 46, row: 58, root: 30 } };
var LEAST_WIDTH = 94;
var MOST_WIDTH = 156;
var TIGHT_WIDTH = 104;
var LEAST_GAP = 26;
var MOST_GAP = 54;
var TOP = 34;
var GROUP_GAP = 14;
var Picture = class {
  constructor(beam) {
    this.beam = beam;
    const { tree } = beam;
    this.greedyCurves = new Map(tree.greedy.map((i) => [i, svg("path", { class: "greedy" })]));
    this.heads = Array.from(
      { length: tree.steps },
      (_, t) => el("span", { class: "step-name", text: `step ${t}` })
    );
    this.plane = el(
      "div",
      {
        class: "plane",
        role: "group",
        "aria-label": "Beam search tree: arrow keys move between tokens, Enter opens one in Step by step"
      },
      this.lines,
      this.root
    );
    this.node = el("div", { class: "scroller" }, this.plane);
    this.listen();
  }
  node;
  plane;
  wide = words("p", "Wider than the card: scroll to see all steps.", "wide");
  // Made when first shown: most nodes are pruned ones that nobody asks for.
  buttons = [];
  curves = [];
  greedyCurves;
  heads;
  root = el("span", { class: "root", text: "<s>", title: "every hypothesis begins here" });
  lines = svg("svg", { "aria-hidden": "true" });
  places = /* @__PURE__ */ new Map();
  lit = [];
  listen() {
    const { plane, beam } = this;
    let before = null;
    plane.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") beam.hover(this.nodeOf(event));
    });
    plane.addEventListener("pointerleave", () => beam.hover(null));
    plane.addEventListener("focusin", (event) => {
      const at = this.nodeOf(event);
      if (at) beam.move(at);
    });
    plane.addEventListener(
      "pointerdown",
      () => {
        before = beam.state.cursor;
      },
      { capture: true }
    );
    plane.addEventListener("click", (event) => {
      const at = this.nodeOf(event);
      if (!at) return;
      if (event.pointerType === "touch" && before !== at) beam.move(at);
      else beam.open(at);
    });
  }
  nodeOf(event) {
    const button2 = event.target instanceof Element ? event.target.closest("button.node") : null;
    return button2 ? this.beam.tree.nodes[Number(button2.dataset.index)] : null;
  }
  buttonOf(at) {
    return this.buttons[at.index] ??= buildNode(at, this.beam.tree);
  }
  curveOf(at) {
    return this.curves[at.index] ??= svg("path");
  }
  isShown(at) {
    return this.places.has(at);
  }
  /** The nodes of a step that are shown, from above. */
  column(step) {
    const rowOf = (node) => this.places.get(node)?.row ?? 0;
    return [...this.places.keys()].filter((node) => node.step === step).sort((a, b) => rowOf(a) - rowOf(b));
  }
  // ---- where things are --------------------------------------------------------------------------------------
  /** Draws the nodes that are shown; the others leave the page. */
  layout() {
    const {
      beam: { tree, state },
      plane
    } = this, { places, rows, gaps } = placeNodes(tree, state.pruned);
    this.places = places;
    const grid = this.grid([...places.keys()]), rowHeight = grid.y({ row: 1, gap: 0 }) - grid.y({ row: 0, gap: 0 });
    plane.style.width = `${grid.x(tree.steps - 1) + grid.width + 4}px`;
    plane.style.height = `${TOP + rows * rowHeight + gaps * GROUP_GAP}px`;
    plane.style.setProperty("--height", `${grid.height}px`);
    plane.style.setProperty("--width", `${grid.width}px`);
    this.root.style.cssText = `top:${grid.y({ row: 0, gap: 0 }) - 13}px;width:${grid.root}px`;
    this.heads.forEach((head, t) => {
      head.style.left = `${grid.x(t)}px`;
    });
    for (const [at, place] of places) this.put(at, place, grid);
    this.fill(tree.nodes.filter((at) => places.has(at)));
    this.light();
    this.wide.hidden = plane.offsetWidth <= this.node.clientWidth;
  }
  grid(shown2) {
    const {
      size,
      tree: { steps }
    } = this.beam, { height, row: rowHeight, root } = SIZES[size.isPhone ? "phone" : "wide"];
    const wanted = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, this.beam.widestToken(shown2) + 62));
    const fitting = (size.width - root - 4) / steps - LEAST_GAP;
    const width = fitting >= TIGHT_WIDTH ? Math.min(wanted, Math.floor(fitting)) : wanted;
    const free = size.width - root - steps * width - 4, gap = Math.min(MOST_GAP, Math.max(LEAST_GAP, free / steps));
    return {
      width,
      height,
      root,
      x: (step) => root + (step + 1) * gap + step * width,
      y: ({ row, gap: nGaps }) => TOP + row * rowHeight + nGaps * GROUP_GAP + height / 2
    };
  }
  put(at, place, grid) {
    const left = grid.x(at.step), middle = grid.y(place), parent = at.parent === null ? null : this.beam.tree.nodes[at.parent];
    const from = parent ? grid.x(parent.step) + grid.width : grid.root;
    const height = grid.y((parent && this.places.get(parent)) ?? { row: 0, gap: 0 });
    this.buttonOf(at).style.transform = `translate(${left}px, ${middle - grid.height / 2}px)`;
    this.curveOf(at).setAttribute("d", curve(from, height, left, middle));
    this.greedyCurves.get(at.index)?.setAttribute("d", curve(from, height + 6, left, middle + 6));
  }
  fill(shown2) {
    const { plane } = this;
    this.lines.replaceChildren(
      ...drawingOrder(shown2).flatMap(
        (at) => [this.curveOf(at), this.greedyCurves.get(at.index) ?? []].flat()
      )
    );
    const held = focusBeside(plane);
    plane.replaceChildren(this.lines, this.root, ...this.heads, ...shown2.map((at) => this.buttonOf(at)));
    if (held instanceof HTMLElement && plane.contains(held)) held.focus({ preventScroll: true });
    for (const at of shown2) this.curveOf(at).setAttribute("class", `${at.fate}${at.best ? " best" : ""}`);
  }
  // ---- what is looked at -------------------------------------------------------------------------------------
  /** Lights the path of the node that is looked at. */
  light() {
    const { beam } = this, mark = (isLit) => {
      for (const at of this.lit)
        for (const part of [this.buttonOf(at), this.curveOf(at)]) part.classList.toggle("lit", isLit);
    };
    mark(false);
    this.lit = pathTo(beam.tree, beam.looked());
    mark(true);
    this.plane.classList.toggle("asking", beam.state.hover !== null);
    for (const at of this.places.keys()) this.buttonOf(at).tabIndex = at === beam.state.cursor ? 0 : -1;
  }
  focus(at) {
    this.buttonOf(at).focus({ preventScroll: true });
    this.buttonOf(at).scrollIntoView({ block: "nearest", inline: "nearest" });
  }
};
function buildNode(node, tree) {
  const button2 = el("button", {
    type: "button",
    class: `node ${node.fate}${node.best ? " best" : ""}${node.greedy ? " greedy" : ""}`,
    "data-index": node.index,
    "aria-label": nodeName(node, tree)
  });
  button2.append(
    words("span", node.token, "token"),
    words("em", formatProbability(Math.exp(node.tokenLogProb))),
    words("small", fixed(node.logProb, 2)),
    words("small", fixed(node.score, 3))
  );
  const tags = [];
  if (node.place >= 0) tags.push(node.place === 0 ? "best" : ordinal(node.place + 1));
  if (node === tree.last) tags.push("greedy");
  if (tags.length) button2.append(words("i", tags.join(" · "), "tag"));
  return button2;
}
function nodeName(node, tree) {
  const marks = [node.best && "on the best path", node.greedy && "on greedy’s path"].filter(Boolean);
  const p = formatProbability(Math.exp(node.tokenLogProb));
  const numbers = `probability ${p}, log P ${fixed(node.logProb, 2)}, score ${fixed(node.score, 3)}`;
  return [node.token, `step ${node.step}`, numbers, fateOf(node, tree), ...marks].join(", ");
}
function drawingOrder(nodes) {
  const weight = (node) => node.best ? 2 : node.fate === "pruned" ? 0 : 1;
  return [...nodes].sort((a, b) => weight(a) - weight(b));
}
function curve(x1, y1, x2, y2) {
  const bend = Math.max(10, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

// explorer/views/beam_search/component/view.ts
var PHONE = 640;
var CHOICES = [
  ["none", "None"],
  ["best", "Best 2"],
  ["all", "All"]
];
var END = {
  settled: "it was over when nothing kept could still get into the list",
  "nothing kept": "it was over when nothing was left to extend",
  limit: "the length limit stopped it"
};
var pruned = "best";
var Search = class {
  constructor(tree, view) {
    this.tree = tree;
    this.view = view;
    this.state = { cursor: tree.best, hover: null, pruned };
    this.picture = new Picture(this);
    this.details = new Details(this);
    const table = buildTable(this);
    view.root.replaceChildren(this.card(table), buildList(this));
  }
  state;
  picture;
  details;
  choices = new Segments(
    "segments",
    "Pruned nodes",
    (choice) => this.setPruned(choice),
    CHOICES
  );
  get opened() {
    return this.view.opened;
  }
  get size() {
    return { isPhone: this.view.isPhone, width: this.picture.node.clientWidth };
  }
  looked() {
    return this.state.hover ?? this.state.cursor;
  }
  // ---- what the visitor can do -------------------------------------------------------------------------------
  hover(node) {
    const next = node && this.picture.isShown(node) ? node : null;
    if (next === this.state.hover) return;
    this.state.hover = next;
    this.light();
  }
  move(node) {
    if (node === this.state.cursor && !this.state.hover) return;
    Object.assign(this.state, { cursor: node, hover: null });
    this.light();
  }
  open(node) {
    this.view.open(this.tree, node);
  }
  setPruned(choice) {
    const { state, picture, tree } = this;
    state.pruned = pruned = choice;
    state.hover = null;
    picture.layout();
    state.cursor = pathTo(tree, state.cursor).findLast((at) => picture.isShown(at)) ?? tree.best;
    this.light();
    this.choices.show(choice);
  }
  light() {
    this.picture.light();
    this.details.light();
  }
  layout() {
    this.picture.layout();
    this.details.layout();
  }
  widestToken(nodes) {
    const context = document.createElement("canvas").getContext("2d");
    context.font = `650 14px ${getComputedStyle(this.view.root).fontFamily}`;
    return Math.max(...nodes.map((node) => context.measureText(clip(node.token, 40)).width));
  }
  // ---- keys --------------------------------------------------------------------------------------------------
  onKey(event) {
    if (isShortcut(event) || !event.target.closest(".node")) return;
    const next = this.neighbour(event.key);
    if (next === void 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    this.move(next);
    this.picture.focus(next);
  }
  /** The node that a key leads to, null where there is none, undefined for other keys. */
  neighbour(key) {
    const {
      tree,
      picture,
      state: { cursor: at }
    } = this;
    const beside = (by) => {
      const column = picture.column(at.step);
      return column[column.indexOf(at) + by] ?? null;
    };
    const ways = {
      ArrowLeft: () => at.parent === null ? null : tree.nodes[at.parent],
      ArrowRight: () => {
        const children = at.children.filter((node) => picture.isShown(node));
        return children.find((node) => node.best) ?? children.at(0) ?? null;
      },
      ArrowUp: () => beside(-1),
      ArrowDown: () => beside(1),
      Home: () => pathTo(tree, at)[0],
      End: () => tree.best
    };
    return ways[key]?.();
  }
  // ---- the card ----------------------------------------------------------------------------------------------
  card(table) {
    const { tree, picture } = this;
    const kept = tree.width === 1 ? "the best hypothesis is" : `the best ${tree.width} hypotheses are`;
    return el(
      "section",
      { class: "card", "aria-label": "Beam search tree" },
      picture.node,
      picture.wide,
      el(
        "header",
        {},
        el("div", {}, words("h2", "Search tree"), words("p", `${kept} kept at each step; ${END[tree.end]}`)),
        this.picker()
      ),
      legend(),
      this.details.node,
      el("p", { class: "foot" }, keyHints(), table.button),
      table.node
    );
  }
  picker() {
    this.choices.show(this.state.pruned);
    return el("div", { class: "picker" }, words("span", "Pruned"), this.choices.node);
  }
};
var BeamView = class {
  constructor(root, signal) {
    this.root = root;
    root.addEventListener("keydown", (event) => this.search?.onKey(event), { signal });
    onResize(root, () => this.layout(), signal);
  }
  opened = /* @__PURE__ */ new Set();
  isPhone = false;
  search = null;
  reports = new Reports();
  open({ key }, { index }) {
    this.reports.tell("opened", { trace: key, node: index });
  }
  layout() {
    if (!this.search || !this.root.clientWidth) return;
    this.root.dataset.look = themeOf(this.root);
    this.isPhone = window.innerWidth < PHONE;
    this.root.dataset.size = this.isPhone ? "phone" : "wide";
    this.search.layout();
  }
  update({ data, setStateValue }) {
    this.reports.through(setStateValue);
    const payload = readPayload(data);
    if (this.search?.tree.key === payload.header.key) {
      if (this.root.dataset.look !== themeOf(this.root)) this.layout();
      return;
    }
    const scrollBack = keepScroll(this.root);
    this.search = new Search(readTree(payload), this);
    this.layout();
    scrollBack();
  }
};
function legend() {
  const sample = (name, text) => el(
    "span",
    { class: "sample" },
    svg(
      "svg",
      { width: 30, height: 10, "aria-hidden": "true" },
      svg("path", { class: name, d: "M1 5H29" })
    ),
    words("span", text)
  );
  const chip = el(
    "span",
    { class: "node key", "aria-hidden": "true" },
    words("span", "token", "token"),
    words("em", "P"),
    words("small", "log P"),
    words("small", "score")
  );
  return el(
    "div",
    { class: "legend" },
    chip,
    sample("best", "best output"),
    sample("greedy", "greedy’s path"),
    sample("kept", "kept"),
    sample("pruned", "pruned"),
    words("span", "rounded: ended")
  );
}
function keyHints() {
  return el(
    "span",
    { class: "keys", "aria-hidden": "true" },
    ...["←", "→", "↑", "↓"].map((key) => words("kbd", key)),
    words("span", "move"),
    words("kbd", "Enter"),
    words("span", "open")
  );
}
var view_default = mounted(".beam-view", (root, signal) => new BeamView(root, signal));
export default view_default;
