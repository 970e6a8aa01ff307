// Made from view.ts by "make browser".
// explorer/browser/shared/bus.ts
var NAME = "explorer-";
function shareToken(hear, signal) {
  let isTelling = false;
  onTold(
    "token",
    (token) => {
      if (!isTelling) hear(token);
    },
    signal
  );
  return (token) => {
    isTelling = true;
    tell("token", token);
    isTelling = false;
  };
}
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

// explorer/browser/shared/camera.ts
var LENGTH = { in: 420, out: 360 };
var LATE = 2500;
var EASE = "cubic-bezier(.45,.05,.35,1)";
function isStill() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
function leave(direction, block, box, picture) {
  globalThis.explorerFlight = { direction, block, box, began: performance.now() };
  if (isStill()) return;
  const { left, top, width, height } = picture.getBoundingClientRect(), share = 0.14;
  picture.style.transformOrigin = `${(box.left + box.width / 2 - left) / width * 100}% ${direction === "in" ? 0 : (box.top + box.height / 2 - top) / height * 100}%`;
  const gone = direction === "in" ? { transform: `scaleY(${share})`, opacity: 0 } : { transform: "none", opacity: 0.35 };
  picture.animate([{ transform: "none", opacity: 1 }, gone], {
    duration: LENGTH[direction] / 2,
    easing: EASE,
    fill: "forwards"
  });
  frame(picture, box, direction === "in" ? picture.getBoundingClientRect() : box, LENGTH[direction]);
}
function arrival(direction) {
  const flight = globalThis.explorerFlight;
  if (flight?.direction !== direction) return null;
  globalThis.explorerFlight = void 0;
  return performance.now() - flight.began < LATE && !isStill() ? flight : null;
}
function openAround(place, picture) {
  picture.style.transformOrigin = "50% 0";
  picture.animate(
    [
      { transform: "scaleY(.14)", opacity: 0 },
      { transform: "none", opacity: 1 }
    ],
    { duration: LENGTH.out, easing: EASE }
  );
  frame(picture, picture.getBoundingClientRect(), place, LENGTH.out);
}
function frame(picture, from, to, duration) {
  const node = document.createElement("div"), { left, top } = picture.parentElement.getBoundingClientRect();
  const at = (box) => ({
    transform: `translate(${box.left - left}px,${box.top - top}px)`,
    width: `${box.width}px`,
    height: `${box.height}px`
  });
  node.style.cssText = "position:absolute;inset:0 auto auto 0;border:2px solid currentColor;border-radius:8px;pointer-events:none;z-index:3";
  node.setAttribute("aria-hidden", "true");
  picture.parentElement.append(node);
  void node.animate([at(from), { ...at(to), opacity: 1, offset: 0.9 }, { ...at(to), opacity: 0 }], {
    duration,
    easing: EASE,
    fill: "forwards"
  }).finished.then(
    () => node.remove(),
    () => node.remove()
  );
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
function columnHead(text, name) {
  return el("th", { scope: "col", ...name && { class: name }, text });
}
function table(caption2, heads, rows, attributes = {}) {
  return el(
    "table",
    attributes,
    words("caption", caption2, "unseen"),
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...rows)
  );
}
function layOver(node, { x, y, width, height }) {
  Object.assign(node.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}
var shown = /* @__PURE__ */ new WeakMap();
function setText(node, text) {
  if (shown.get(node) === text) return;
  shown.set(node, text);
  node.textContent = text;
}

// explorer/browser/shared/focus.ts
function focusBeside(node) {
  return node.getRootNode().activeElement;
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

// explorer/browser/shared/lesson_keys.ts
var LESSON_KEYS = ".st-key-lesson_keys";
var PRESSED = {
  ArrowLeft: ".st-key-lesson_previous",
  ArrowRight: ".st-key-lesson_next",
  r: ".st-key-lesson_reveal",
  d: ".st-key-lesson_demo",
  Escape: ".st-key-lesson_end",
  l: ".st-key-lesson_light"
};
var NEXT = `${PRESSED.ArrowRight} a`;
var ONLY_WHERE_THERE = ["Escape"];
var LEAVES_KEYS = ".st-key-lesson, .st-key-explain";
var PAGE = "[data-testid=stMain]";
var TAKES_ARROWS = 'input, textarea, select, [contenteditable], [role="radio"], [role="radiogroup"], [role="option"],[role="combobox"], [role="listbox"], [role="textbox"], [role="spinbutton"], [role="slider"]';
function listenForLesson() {
  if (globalThis.explorerListensForLesson) return;
  globalThis.explorerListensForLesson = true;
  let held = [], left = "";
  const observer = new MutationObserver(press);
  function press() {
    if (!document.querySelector(LESSON_KEYS)) forget();
    while (held.length && !isUnderWay(left)) {
      const next = wayOn();
      const done = pressInColumn(held[0]);
      if (!done) break;
      if (done === "pressed") left = next;
      held.shift();
    }
    if (!held.length) observer.disconnect();
  }
  function forget() {
    held = [];
    left = "";
  }
  document.addEventListener(
    "keydown",
    (event) => {
      if (!isForLesson(event)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      held.push(event.key);
      observer.observe(document.body, {
        childList: true,
        subtree: true,
        attributes: true,
        attributeFilter: ["href"]
      });
      press();
    },
    true
  );
  document.addEventListener("pointerdown", forget, true);
}
function wayOn() {
  return document.querySelector(NEXT)?.href ?? "";
}
function isUnderWay(left) {
  return left !== "" && [left, ""].includes(wayOn());
}
function pressInColumn(key) {
  const place = document.querySelector(PRESSED[key]);
  if (key === "l") {
    tell("lamp", null);
    return "nothing";
  }
  const target2 = place?.querySelector("a, button");
  target2?.click();
  if (target2) return "pressed";
  return place ? "" : "nothing";
}
function isForLesson(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
    return false;
  if (!Object.hasOwn(PRESSED, event.key) || !document.querySelector(LESSON_KEYS)) return false;
  if (ONLY_WHERE_THERE.includes(event.key) && !document.querySelector(PRESSED[event.key])) return false;
  const path = event.composedPath().filter((node) => node instanceof Element);
  const isMine = path[0] === document.body || path[0]?.matches(PAGE) || path.some((node) => node.matches(LEAVES_KEYS));
  return isMine && !path.some((node) => node.matches(TAKES_ARROWS));
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
    const ends2 = new AbortController(), view = create(root, ends2.signal);
    return view && { view, ends: ends2 };
  };
  return (component) => {
    const root = component.parentElement.querySelector(selector);
    const found = views.get(root) ?? made(root);
    if (!found) return void 0;
    const { view, ends: ends2 } = found;
    views.set(root, found);
    return endedByLastCall(
      root,
      () => {
        view.update(component);
      },
      () => {
        views.delete(root);
        ends2.abort();
        view.dispose?.();
      }
    );
  };
}

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
function topOf(root) {
  const { host } = root.getRootNode(), scrolled = host.closest("[data-testid=stMain]")?.scrollTop ?? 0;
  return root.getBoundingClientRect().top + scrolled;
}
function onMoved(root, layout, signal) {
  const page = root.getRootNode().host.closest("[data-testid=stMainBlockContainer]");
  if (!page) return;
  let top = topOf(root);
  const observer = new ResizeObserver(() => {
    if (Math.abs(topOf(root) - top) < 1) return;
    top = topOf(root);
    layout();
  });
  observer.observe(page);
  signal.addEventListener("abort", () => observer.disconnect());
}

// explorer/browser/shared/spare_corner.ts
var LEAST_WIDTH = 300;
var LEAST_HEIGHT = 200;
function pageOf(node) {
  return node.getRootNode().host?.closest(".st-key-page") ?? null;
}
function offerCorner(picture, cornerIn) {
  const page = pageOf(picture), box = page && cornerIn ? cornerIn(page.clientWidth) : null;
  const isOffered = box !== null && box.width >= LEAST_WIDTH && box.height >= LEAST_HEIGHT;
  page?.toggleAttribute("data-corner", isOffered);
  if (!page || !isOffered) return;
  const here = picture.getBoundingClientRect(), there = page.getBoundingClientRect();
  const places = {
    left: here.left - there.left + box.x,
    top: here.top - there.top + box.y,
    width: box.width,
    height: box.height
  };
  for (const [name, length] of Object.entries(places))
    page.style.setProperty(`--corner-${name}`, `${length}px`);
}

// explorer/browser/shared/report.ts
function reportAfter(last2) {
  return Math.max(last2 + 1, Date.now());
}

// explorer/browser/shared/choices.ts
function makeChoices(same) {
  const told = /* @__PURE__ */ new Map();
  let known = null, said2 = null, report = 0;
  const knownAt = (named2) => told.get(named2) ?? said2;
  return {
    get report() {
      return report;
    },
    isKnown: (choice) => known !== null && same(choice, known),
    tell(choice) {
      known = choice ?? known;
      told.set(report = reportAfter(report), known);
      return report;
    },
    knownAt,
    hear(choice, named2, { fresh, possible, pending, alike = same }) {
      const before = knownAt(named2);
      const keeps = fresh && possible && before !== null && alike(choice, before) && (named2 < report || pending);
      const follows = !keeps && (fresh || named2 >= report && !(known !== null && same(choice, known)));
      said2 = choice;
      if (keeps || follows) known = choice;
      for (const earlier of told.keys()) if (earlier < named2) told.delete(earlier);
      return keeps ? "keep" : follows ? "follow" : "";
    }
  };
}

// explorer/browser/shared/teller.ts
var REST_MS = 400;
var Teller = class {
  /** same: whether two choices are alike. seen: null while what is looked at is not to be told. */
  constructor(same, seen) {
    this.seen = seen;
    this.choices = makeChoices(same);
  }
  choices;
  report = () => void 0;
  rest;
  /** From now on reports go this way: each message from Python brings its own. */
  through(report) {
    this.report = report;
  }
  /** Something else is looked at. */
  changed() {
    this.hold();
    this.rest = setTimeout(() => this.tellChoice(), REST_MS);
  }
  /** What is looked at is not told by itself: it goes on changing, or is Python's own. */
  hold() {
    clearTimeout(this.rest);
  }
  /** Tell what is looked at, unless Python knows it. */
  tellChoice() {
    this.hold();
    const seen = this.seen();
    if (seen && !this.choices.isKnown(seen.choice))
      this.send("view", { ...seen.about, ...seen.choice, report: this.choices.tell(seen.choice) });
  }
  /** Tell what somebody does; gives the number of the report. */
  tell(name, what) {
    const report = this.choices.tell();
    this.send(name, { ...what, report });
    return report;
  }
  send(name, what) {
    this.report(name, what);
  }
};

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
function ordinal(place) {
  const isTeen = Math.floor(place / 10) % 10 === 1;
  return `${place}${isTeen ? "th" : ["th", "st", "nd", "rd"][place % 10] ?? "th"}`;
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

// explorer/browser/shared/planes.ts
function meanOf(planes, count) {
  const size = planes.length / count;
  return Float32Array.from({ length: size }, (_, i) => {
    let sum = 0;
    for (let at = i; at < planes.length; at += size) sum += planes[at];
    return sum / count;
  });
}
function range(count) {
  return Array.from({ length: count }, (_, i) => i);
}

// explorer/views/living_map/component/run.ts
var TEXTS = ["source", "inputs", "outputs", "greedy", "trained"];
var VALUES = ["q", "k", "v", "weights", "context", "hidden", "output"];
var Run = class _Run {
  constructor(header, arrays, bytes) {
    this.header = header;
    this.arrays = arrays;
    this.bytes = bytes;
    this.encoder = { ...named(header.encoder), side: "source", tokens: header.source };
    this.decoder = { ...named(header.decoder), side: "target", tokens: header.inputs };
  }
  encoder;
  decoder;
  means = /* @__PURE__ */ new Map();
  /** A run from its message; its tokens are written as they can be seen. */
  static of({ header, arrays, codes }) {
    const seen = Object.fromEntries(TEXTS.map((name) => [name, header[name].map(visible)]));
    const candidates = {
      ...header.candidates,
      tokens: header.candidates.tokens.map((each) => each.map(visible))
    };
    return new _Run({ ...header, ...seen, candidates }, arrays, codes);
  }
  get steps() {
    return this.header.outputs.length;
  }
  get crossing() {
    return this.decoder.sublayers.filter((sub) => sub.crosses);
  }
  stack(side2) {
    return side2 === "source" ? this.encoder : this.decoder;
  }
  stackOf(sub) {
    return this.encoder.sublayers.includes(sub) ? this.encoder : this.decoder;
  }
  sublayer(id) {
    return [...this.encoder.sublayers, ...this.decoder.sublayers].find((sub) => sub.id === id);
  }
  block(id) {
    const [, kind] = this.header.blocks.find(([each]) => each === id) ?? [];
    return kind === void 0 ? void 0 : { ...this.header.kinds[kind], id };
  }
  /** The side whose tokens are an attention's keys. */
  keySide(sub) {
    return sub.crosses ? "source" : this.stackOf(sub).side;
  }
  keys(sub) {
    return this.stack(this.keySide(sub)).tokens;
  }
  /** Whether later keys are hidden from a query. */
  isCausal(sub) {
    return this.header.causal && this.keySide(sub) === "target";
  }
  codes(site) {
    return this.bytes[site];
  }
  weights(site) {
    return this.arrays[site];
  }
  weight(site, head, row, column) {
    const array = this.arrays[site], [, rows, columns] = array.shape;
    return array[(head * rows + row) * columns + column];
  }
  /** Mean over the heads of a weight. */
  mean(site, row, column) {
    const array = this.arrays[site], [heads, , columns] = array.shape;
    let means = this.means.get(site);
    if (!means) this.means.set(site, means = meanOf(array, heads));
    return means[row * columns + column];
  }
  /** How large the mean weight is; of a difference, whichever way it goes. */
  size(site, row, column) {
    return Math.abs(this.mean(site, row, column));
  }
  /** The key that a row reads most, or most otherwise, in the mean of the heads; never one that is hidden behind the row. */
  strongest(sub, row) {
    const most = this.isCausal(sub) ? row + 1 : this.keys(sub).length;
    let place = 0;
    for (let key = 1; key < most; key++)
      if (this.size(sub.weights, row, key) > this.size(sub.weights, row, place)) place = key;
    return { place, weight: this.mean(sub.weights, row, place) };
  }
  /** The first keys of an attention, those that a row reads most, or most otherwise, first. */
  byReading(sub, row, keys = this.keys(sub).length) {
    return range(keys).sort((a, b) => this.size(sub.weights, row, b) - this.size(sub.weights, row, a));
  }
  /** What a step reads of the source, in the last layer that reads it at all. */
  reading(step) {
    return this.strongest(this.crossing.at(-1), step);
  }
  /** A step's logits in the order of the vocabulary; of a large one the largest and smallest alone, the largest first. */
  logits(step) {
    const {
      shape: [, size]
    } = this.arrays.logits;
    return this.arrays.logits.subarray(step * size, (step + 1) * size);
  }
  /** The recorded probabilities of a step's candidates, the most probable first. */
  candidates(step) {
    const { ids, tokens, chosen } = this.header.candidates, { "candidates.probs": probs } = this.arrays;
    const trained = this.isChanged ? this.arrays["candidates.trained"] : null;
    return ids[step].map((id, k) => ({
      id,
      token: tokens[step][k],
      probability: probs[step * ids[step].length + k],
      isWritten: chosen[step] === k,
      trained: trained && trained[step * ids[step].length + k]
    }));
  }
  /** Whose values are drawn, of a changed model. */
  get compared() {
    return this.header.compared;
  }
  /** What a token that the model as it was trained would write has there. */
  trainedProbability(step) {
    return Math.exp(this.arrays.trained_log_probs[step]);
  }
  /** Whether the model that runs is a changed one. */
  get isChanged() {
    return this.header.trained.length > 0;
  }
  /** What the model as it was trained writes at a step after the same tokens, where that is another token; else empty. */
  otherwise(step) {
    const { trained, outputs } = this.header;
    return this.isChanged && trained[step] !== outputs[step] ? trained[step] : "";
  }
  /** Probability of the token that a step wrote. */
  probability(step) {
    return Math.exp(this.arrays.log_probs[step]);
  }
  /** Whether most of a step's logits lie between those that are here. */
  get isCut() {
    return this.header.n_vocabulary > this.logits(0).length;
  }
  /** The logit of the token that a step wrote. */
  written(step) {
    return this.arrays.written_logits[step];
  }
};
function written({ compared }, weight) {
  const text = fixed(weight, 2);
  if (compared !== "difference") return text;
  return Number(fixed(Math.abs(weight), 2)) === 0 ? "0.00" : weight > 0 ? `+${text}` : text;
}
function named({ embedding: embedding3, sublayers }) {
  const values = (id) => Object.fromEntries(VALUES.map((value) => [value, `${id}.${value}`]));
  return {
    embedding: embedding3,
    sublayers: sublayers.map((sub) => ({ ...sub, ...values(sub.id), stream: `${sub.joins}.output` }))
  };
}

// explorer/views/living_map/component/compare.ts
var NAMES = {
  changed: { text: "A: changed", title: "The values of the changed model" },
  trained: {
    text: "B: as trained",
    title: "The values that the model has as it was trained, when it reads the same tokens"
  },
  difference: {
    text: "A − B",
    title: "The values of the changed model, less those that it has as it was trained"
  }
};
var CompareSwitch = class {
  node = el("div", { class: "compare", role: "group", "aria-label": "Whose values are drawn" });
  buttons = /* @__PURE__ */ new Map();
  constructor(choose) {
    for (const [name, said2] of Object.entries(NAMES)) {
      this.buttons.set(
        name,
        button({ class: "plain", ...said2 }, () => choose(name))
      );
    }
    this.node.append(...this.buttons.values());
  }
  show(run) {
    this.node.hidden = !run.isChanged;
    for (const [name, node] of this.buttons) node.setAttribute("aria-pressed", String(name === run.compared));
  }
};
function isBeside(run) {
  return run.compared !== "changed";
}
function titleBeside({ run }) {
  return run.compared === "trained" ? "As it was trained" : "What the change has changed";
}
function leadBeside({ run }) {
  return run.compared === "trained" ? "The model without its changes reads the same tokens." : "Changed values less trained ones.";
}
function whose(run) {
  return { changed: "", trained: "as trained, ", difference: "changed − trained, " }[run.compared];
}
function stepBeside({ run, at: { step } }) {
  const { header } = run, { place, weight } = run.reading(step), read = { text: header.source[place], kind: "source" };
  const where = `cross-attention, layer ${run.crossing.at(-1).layer}`, heads = `(mean of ${plural(header.n_heads, "head")})`;
  const lane2 = { text: header.inputs[step], kind: "target" }, output = (text) => ({ text, kind: "target" });
  if (run.compared === "trained") {
    return [
      `Step ${step}, as trained: the lane of `,
      lane2,
      " reads ",
      read,
      ` with ${written(run, weight)} in ${where} ${heads}, and writes `,
      output(header.trained[step]),
      `, P ${formatProbability(run.trainedProbability(step))}`
    ];
  }
  const logit = run.written(step), by = written(run, weight);
  const reading = by === "0.00" ? [" agrees to two decimals"] : [" differs most at ", read, `, by ${by} ${heads}`];
  return [
    `Step ${step}, A − B: ${where}`,
    ...reading,
    "; the logit of ",
    output(header.outputs[step]),
    ` by ${logit > 0 ? "+" : ""}${fixed(logit, 3)}`
  ];
}

// explorer/browser/shared/pen.ts
function penOn(canvas, width, height, look) {
  const ratio = window.devicePixelRatio || 1, size = [Math.round(width * ratio), Math.round(height * ratio)], context = canvas.getContext("2d");
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return new Pen(context, look);
}
var Pen = class {
  /** isTurned: whether x and y change places, so that one code draws a picture across a screen and down a phone. */
  constructor(context, look, isTurned = false) {
    this.context = context;
    this.look = look;
    this.isTurned = isTurned;
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = false;
  }
  alpha = 1;
  /** Where a point stands on the canvas. */
  place(x, y) {
    return this.isTurned ? [y, x] : [x, y];
  }
  /** Draw something fainter than all around it is. */
  faint(share, draw) {
    if (share <= 0) return;
    const before = this.alpha;
    this.context.globalAlpha = this.alpha = before * share;
    try {
      draw();
    } finally {
      this.context.globalAlpha = this.alpha = before;
    }
  }
  fill(x, y, width, height, colour) {
    this.context.fillStyle = colour;
    this.context.fillRect(...this.place(x, y), ...this.place(width, height));
  }
  box(x, y, width, height, radius, paint) {
    const { context } = this;
    context.beginPath();
    context.roundRect(...this.place(x, y), ...this.place(width, height), radius);
    if (paint.fill) {
      context.fillStyle = paint.fill;
      context.fill();
    }
    if (paint.stroke) this.stroke(paint.stroke, paint.width ?? 1, paint.dash);
  }
  /** A frame along the edges of a rectangle. */
  frame(x, y, width, height, colour, line, dash = []) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.setLineDash(dash);
    context.strokeRect(...this.place(x, y), ...this.place(width, height));
    context.setLineDash([]);
  }
  line(points, colour, width, radius = 0, dash) {
    const { context } = this, [first, ...others] = points.map(([x, y]) => this.place(x, y));
    context.beginPath();
    context.moveTo(...first);
    others.forEach((point, i) => {
      const next = others.at(i + 1), before = i ? others[i - 1] : first;
      if (!next || !radius) context.lineTo(...point);
      else
        context.arcTo(
          ...point,
          ...next,
          Math.min(
            radius,
            Math.hypot(point[0] - before[0], point[1] - before[1]) / 2,
            Math.hypot(next[0] - point[0], next[1] - point[1]) / 2
          )
        );
    });
    this.stroke(colour, width, dash);
  }
  stroke(colour, width, dash) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    if (dash) context.setLineDash(dash);
    context.stroke();
    if (dash) context.setLineDash([]);
  }
  /** A surface between corners. */
  area(corners, colour) {
    const { context } = this;
    context.fillStyle = colour;
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(...this.place(x, y));
    context.fill();
  }
  /** Part of a picture, as it lies in its canvas, into a place. */
  image(source2, part, x, y, width, height) {
    this.context.drawImage(source2, ...part, ...this.place(x, y), ...this.place(width, height));
  }
  setFont(form) {
    this.context.font = `${form.weight ?? 400} ${form.size ?? 12.5}px ${this.look.family}`;
  }
  measure(text, form) {
    this.setFont(form);
    return this.context.measureText(text).width;
  }
  text(text, x, y, colour, form = {}) {
    const { context } = this;
    this.setFont(form);
    context.fillStyle = colour;
    context.textAlign = form.align ?? "left";
    context.textBaseline = "middle";
    context.fillText(text, ...this.place(x, y), form.most);
  }
};

// explorer/views/living_map/component/timeline.ts
var ENCODER_MS = 4e3;
var STEP_MS = 6e3;
var ENCODER = -1;
var NEVER = [Infinity, Infinity];
var ATTENTION = {
  project: [0, 0.24],
  fill: [0.24, 0.6],
  mix: [0.6, 0.76],
  add: [0.76, 1]
};
var FEED_FORWARD = { open: [0, 0.5], add: [0.5, 1] };
function clamp(share) {
  return share < 0 ? 0 : share > 1 ? 1 : share;
}
function within(ms, [from, to]) {
  return from === Infinity ? 0 : clamp((ms - from) / (to - from));
}
function mix(from, to, share) {
  return from + (to - from) * share;
}
function easeMove(share) {
  return share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) ** 2;
}
function easeAppear(share) {
  return 1 - (1 - share) ** 3;
}
function lengthOf(step) {
  return step === ENCODER ? ENCODER_MS : STEP_MS;
}
function timeOf({ step, ms }) {
  return step === ENCODER ? ms : ENCODER_MS + step * STEP_MS + ms;
}
function momentAt(time, steps) {
  if (time <= ENCODER_MS) return { step: ENCODER, ms: Math.max(0, time) };
  const step = Math.min(steps - 1, Math.ceil((time - ENCODER_MS) / STEP_MS) - 1);
  return { step, ms: Math.min(STEP_MS, time - ENCODER_MS - step * STEP_MS) };
}
function encoderSchedule(encoder) {
  return {
    length: ENCODER_MS,
    chip: [0, 300],
    tokens: [300, 600],
    positions: [600, 900],
    sublayers: shares(encoder.sublayers, [900, 3600]),
    memory: [3600, 4e3],
    output: NEVER,
    drop: NEVER
  };
}
function stepSchedule(decoder) {
  return {
    length: STEP_MS,
    chip: [0, 400],
    tokens: [400, 650],
    positions: [650, 950],
    sublayers: shares(decoder.sublayers, [950, 5250]),
    memory: NEVER,
    output: [5250, 5750],
    drop: [5750, 6e3]
  };
}
function shares(sublayers, [from, to]) {
  const weights2 = sublayers.map(({ kind, crosses }) => kind === "feed-forward" ? 3.5 : crosses ? 6 : 5);
  const total = weights2.reduce((sum, weight) => sum + weight, 0);
  let at = from;
  return weights2.map((weight) => [at, at += weight / total * (to - from)]);
}
var spansOf = ({ kind }) => kind === "attention" ? ATTENTION : FEED_FORWARD;
function stagesAt(sub, span, ms) {
  const share = within(ms, span), stages = { project: 0, fill: 0, mix: 0, open: 0, add: 0 };
  return {
    ...stages,
    ...Object.fromEntries(Object.entries(spansOf(sub)).map(([name, each]) => [name, within(share, each)]))
  };
}
function stillFrames(schedule, { sublayers }) {
  const done = sublayers.flatMap((sub, i) => {
    const [from, to] = schedule.sublayers[i];
    return Object.values(spansOf(sub)).map(([, end]) => mix(from, to, end));
  });
  const output = schedule.output === NEVER ? [] : [schedule.output[1]];
  return [0, schedule.tokens[1], schedule.positions[1], ...done, ...output, schedule.length].map(Math.round);
}

// explorer/views/living_map/component/scene.ts
function schedulesOf(run) {
  return { encoder: encoderSchedule(run.encoder), step: stepSchedule(run.decoder) };
}
function scheduleNow(scene) {
  return scene.at.step === ENCODER ? scene.encoder : scene.step;
}
function isNow(scene, side2, token) {
  return side2 === "target" && token === scene.at.step;
}
function isLit({ run, pointed }, side2, token) {
  if (!pointed) return false;
  if (pointed.side === side2 && pointed.token === token) return true;
  const { cell } = pointed;
  if (!cell) return false;
  return run.stackOf(cell.sub).side === side2 && cell.row === token || run.keySide(cell.sub) === side2 && cell.column === token;
}
function mostRead({ run, at, step, isAsking }) {
  if (at.step === ENCODER || isAsking) return null;
  const last2 = run.crossing.at(-1);
  return at.ms < step.sublayers[run.decoder.sublayers.indexOf(last2)][1] ? null : run.reading(at.step).place;
}

// explorer/views/living_map/component/lens.ts
var MIDDLE = 127;
var MOST_KEYS = 8;
var MOST_HEADS = 8;
var BAND = 72;
function lensContent(scene) {
  const { run, at } = scene, schedule = scheduleNow(scene), stack = at.step === ENCODER ? run.encoder : run.decoder;
  const token = at.step === ENCODER ? run.reading(run.steps - 1).place : at.step, word = stack.tokens[token];
  const now = at.ms < schedule.positions[1] ? -1 : schedule.sublayers.findIndex(([, to]) => at.ms < to), sub = stack.sublayers[now];
  if (at.ms < schedule.positions[1]) return embedding(scene, stack, token);
  if (!sub) return last(scene, stack, token);
  const stages = stagesAt(sub, schedule.sublayers[now], at.ms), title = `${sub.title}, layer ${sub.layer}`;
  if (stages.add > 0) return adding(scene, stack, sub, token);
  if (sub.kind === "feed-forward") {
    const rows = [{ name: "hidden", site: sub.hidden }];
    return {
      title,
      beside: `the row of ${word}`,
      draw: (pen, width, height) => bars(scene, pen, rows, token, width, height, 0.25 + 0.75 * easeAppear(stages.open))
    };
  }
  return {
    title,
    beside: `the row of ${word}`,
    draw: (pen, width, height) => weights(scene, pen, sub, token, width, height, stages.fill)
  };
}
function embedding(scene, { embedding: { tokens, positions, output }, tokens: words2 }, token) {
  const schedule = scheduleNow(scene), added = within(scene.at.ms, schedule.positions);
  const rows = [
    { name: `row × √${scene.run.header.d_model}`, site: tokens },
    ...positions && added > 0 ? [{ name: "position", site: positions }] : [],
    ...added >= 0.7 ? [{ name: "sum", site: output }] : []
  ];
  return {
    title: "Embedding",
    beside: `the row of ${words2[token]}`,
    draw: (pen, width, height) => bars(scene, pen, rows, token, width, height, 1, 3)
  };
}
function adding(scene, stack, sub, token) {
  const place = stack.sublayers.indexOf(sub), before = place ? stack.sublayers[place - 1].stream : stack.embedding.output;
  const rows = [
    { name: "the lane", site: before },
    { name: "added", site: sub.output },
    { name: "the lane after it", site: sub.stream }
  ];
  const title = scene.run.block(sub.joins)?.title ?? "Add";
  return {
    title: `${title}, layer ${sub.layer}`,
    beside: `the row of ${stack.tokens[token]}`,
    draw: (pen, width, height) => bars(scene, pen, rows, token, width, height, 1, 3)
  };
}
function last(scene, stack, token) {
  const rows = [{ name: "the end of the lane", site: stack.sublayers.at(-1).stream }];
  return {
    title: "End of the lane",
    beside: `the row of ${stack.tokens[token]}`,
    draw: (pen, width, height) => bars(scene, pen, rows, token, width, height, 1)
  };
}
function bars({ run }, pen, rows, token, width, height, open = 1, room = rows.length) {
  const { look } = pen, each = Math.min(96, height / Math.max(room, rows.length));
  rows.forEach(({ name, site }, i) => {
    const codes = run.codes(site), size = codes.length / codes.shape[0], top = i * each, middle = top + 18 + (each - 24) / 2;
    pen.text(name, 0, top + 8, look.ink2);
    pen.fill(0, middle - 0.5, width, 1, look.line);
    const step = width * open / size, from = width * (1 - open) / 2;
    for (let k = 0; k < size; k++) {
      const value = (codes[token * size + k] - MIDDLE) / MIDDLE, tall = Math.max(0.6, Math.abs(value) * (each - 24) * 0.5);
      pen.fill(
        from + k * step,
        value < 0 ? middle : middle - tall,
        Math.max(0.7, step - (step > 3 ? 1 : 0)),
        tall,
        value < 0 ? look.negative : look.positive
      );
    }
  });
}
function weights(scene, pen, sub, token, width, height, filled) {
  const { run, tiles } = scene, { look } = pen, keys = run.keys(sub), side2 = run.keySide(sub), heads = Math.min(MOST_HEADS, run.header.n_heads);
  const seen = side2 === "target" && scene.at.step !== ENCODER ? Math.min(keys.length, (run.isCausal(sub) ? token : scene.at.step) + 1) : keys.length;
  const shown2 = run.byReading(sub, token, seen).slice(0, MOST_KEYS).sort((a, b) => a - b);
  const left = 54, cell = Math.min(48, (width - left) / shown2.length), tall = Math.min(32, (height - 24) / heads);
  shown2.forEach(
    (key, i) => pen.text(keys[key], left + (i + 0.5) * cell, 9, look[side2], { align: "center", most: cell - 2 })
  );
  for (let head = 0; head < heads; head++) {
    pen.text(`head ${head}`, 0, 18 + (head + 0.5) * tall, look.mute);
    shown2.forEach((key, i) => {
      if (key >= filled * keys.length) return;
      const weight = run.weight(sub.weights, head, token, key), shade = tiles.weight(weight), size = Math.abs(weight);
      pen.fill(left + i * cell + 1, 18 + head * tall + 1, cell - 2, tall - 2, shade.fill);
      const colour = size < 0.1 * run.header.weight_limit ? look.mute : shade.text;
      pen.text(fixed(weight, 2), left + (i + 0.5) * cell, 18 + (head + 0.5) * tall, colour, {
        align: "center",
        weight: size >= 0.3 ? 650 : 400
      });
    });
  }
  const note = [
    seen > shown2.length ? `the ${shown2.length} keys with the largest weights of ${seen}` : "",
    run.header.n_heads > heads ? `${heads} of ${run.header.n_heads} heads` : ""
  ];
  pen.text(note.filter(Boolean).join(", "), left, 30 + heads * tall, look.mute);
}
function skyline(scene, pen, width, height, risen) {
  const { run, at } = scene, { look } = pen, logits = run.logits(at.step), written2 = run.written(at.step), half = logits.length / 2;
  const most = logits.reduce((a, b) => Math.max(a, b)), least = Math.min(
    0,
    logits.reduce((a, b) => Math.min(a, b))
  );
  const unit = height / Math.max(1e-6, Math.max(0, most) - least), zero = height + least * unit, band2 = run.isCut ? BAND : 0;
  const step = (width - 14 - band2) / logits.length, placeOf = (i) => 14 + i * step + (i >= half ? band2 : 0);
  pen.text("0", 0, zero, look.mute);
  pen.fill(14, zero - 0.5, width - 14, 1, look.line2);
  const draw = (x2, logit, isWritten) => {
    const tall = Math.max(0.5, Math.abs(logit) * unit * clamp(risen));
    pen.fill(
      x2,
      logit < 0 ? zero : zero - tall,
      isWritten ? Math.max(3, step) : Math.max(0.7, step * 0.72),
      tall,
      isWritten ? look.target : look.mute
    );
  };
  pen.faint(
    0.5,
    () => logits.forEach((logit, i) => {
      draw(placeOf(i), logit, false);
    })
  );
  if (band2)
    between(scene, pen, {
      x: placeOf(half - 1) + step,
      width: band2,
      zero,
      unit: unit * clamp(risen),
      ends: [logits[half - 1], logits[half]]
    });
  const place = run.isCut ? logits.indexOf(written2) : run.header.output_ids[at.step], x = place < 0 ? placeOf(half) - band2 / 2 : placeOf(place), isRight = x > width * 0.75;
  draw(x, written2, true);
  if (risen >= 1)
    pen.text(fixed(written2, 3), isRight ? x - 6 : x + Math.max(3, step) + 6, 7, look.target, {
      align: isRight ? "right" : "left",
      weight: 650
    });
}
function between({ run, at }, pen, place) {
  const {
    x,
    width,
    zero,
    unit,
    ends: [high, low]
  } = place, { mute } = pen.look;
  const corners = [
    [x, 0],
    [x, high],
    [x + width, low],
    [x + width, 0]
  ].map(([left, logit]) => [left, zero - logit * unit]);
  pen.faint(0.25, () => pen.area(corners, mute));
  pen.text(
    `${formatCount(run.header.n_vocabulary - run.logits(at.step).length)} between`,
    x + width / 2,
    zero + (zero > 20 ? -8 : 8),
    mute,
    { align: "center", most: width - 4 }
  );
}

// explorer/views/living_map/component/saying.ts
var source = (text) => ({ text, kind: "source" });
var target = (text) => ({ text, kind: "target" });
var side = (text, of) => ({ text, kind: of });
function plainText(pieces) {
  return pieces.map((piece) => typeof piece === "string" ? piece : piece.text).join("");
}
function isAtRest({ at, step, encoder }) {
  return at.ms >= (at.step === ENCODER ? encoder : step).length;
}
function question(scene) {
  const {
    run: { header },
    at: { step }
  } = scene;
  if (isBeside(scene.run)) return [titleBeside(scene)];
  if (step === ENCODER) return ["What does the source say?"];
  if (!isAtRest(scene))
    return step ? ["What comes after ", target(header.inputs[step]), "?"] : ["What comes first?"];
  if (step === header.outputs.length - 1 && header.ended) return ["Why did it stop here?"];
  return header.forced[step] ? ["Forced: ", target(header.outputs[step])] : ["Why did it write ", target(header.outputs[step]), "?"];
}
function lead(scene) {
  if (isBeside(scene.run)) return leadBeside(scene);
  if (scene.at.step === ENCODER) return "The encoder reads the whole source at once, and only once.";
  if (isAtRest(scene) && scene.run.isChanged) return "The cells show what it read, not why.";
  return isAtRest(scene) ? "The cells show what it read, not why. Press play, open a block, or force another token." : "Only the new lane is computed; the lanes above it were kept.";
}
function caption(scene) {
  const { pointed, at } = scene;
  if (pointed?.cell) return ofCell(scene, pointed.cell);
  if (pointed?.side && pointed.token !== void 0) return ofLane(scene, pointed);
  if (at.step === ENCODER) return ofEncoder(scene);
  return isAtRest(scene) ? ofStep(scene) : ofMoment(scene);
}
function ofCell({ run, layout }, { sub, row, column }) {
  const stack = run.stackOf(sub), keys = run.keys(sub), shared = Math.min(layout.keyGroup, keys.length - column);
  const heads = run.header.n_heads > 8 || shared > 1 ? [`mean of ${plural(run.header.n_heads, "head")} ${written(run, mean(run, sub, row, column, shared))}`] : Array.from(
    { length: run.header.n_heads },
    (_, head) => `head ${head} ${written(run, run.weight(sub.weights, head, row, column))}`
  );
  const read = shared > 1 ? `${keys[column]} to ${keys[column + shared - 1]} (mean of ${shared} neighbours)` : keys[column];
  return [
    side(stack.tokens[row], stack.side),
    " reads ",
    side(read, run.keySide(sub)),
    `, ${nameOf(sub)}: ${whose(run)}${heads.join(" · ")}`
  ];
}
function mean(run, sub, row, column, shared) {
  let sum = 0;
  for (let key = column; key < column + shared; key++) sum += run.mean(sub.weights, row, key);
  return sum / shared;
}
var nameOf = (sub) => `${sub.title.toLowerCase()}, layer ${sub.layer}`;
function ofLane({ run, at }, { side: of, token }) {
  const { header } = run, written2 = Math.max(0, at.step);
  if (of === "target") {
    return token <= written2 ? [
      target(header.inputs[token]),
      " is read in this lane, and ",
      target(header.outputs[token]),
      " is written at its end"
    ] : [`Step ${token}: not there yet`];
  }
  if (run.compared === "difference")
    return [source(header.source[token]), ": its lane, its wire of the memory, its columns"];
  const readers = header.outputs.slice(0, at.step === ENCODER ? 0 : written2 + 1).filter((_, step) => run.reading(step).place === token);
  return [
    source(header.source[token]),
    ": its lane, its wire of the memory, its columns. Written while it was read most: ",
    ...readers.length ? readers.flatMap((word, i) => [...i ? [", "] : [], target(word)]) : ["nothing so far"]
  ];
}
function ofEncoder({ run, at: { ms }, encoder }) {
  const now = encoder.sublayers.findIndex(([, to]) => ms <= to), sub = run.encoder.sublayers.at(now);
  if (ms <= encoder.positions[1])
    return [
      `A row of the table for each token${run.encoder.embedding.positions ? ", plus the vector of its position" : ""}`
    ];
  if (now >= 0 && sub)
    return [
      `Encoder layer ${sub.layer}, ${sub.title.toLowerCase()}: all ${plural(run.header.source.length, "lane")} at once`
    ];
  return [
    "The memory is carried to every cross-attention, as keys and values: computed once, kept for every step"
  ];
}
function ofStep(scene) {
  const {
    run,
    at: { step },
    isAsking
  } = scene;
  if (isBeside(run)) return stepBeside(scene);
  const { header } = run, { place, weight } = run.reading(step), last2 = run.crossing.at(-1);
  if (isAsking)
    return [
      `Step ${step}: the lane of `,
      target(header.inputs[step]),
      " writes ",
      target(header.outputs[step]),
      `, P ${formatProbability(run.probability(step))}`
    ];
  return [
    `Step ${step}: the lane of `,
    target(header.inputs[step]),
    " reads ",
    source(header.source[place]),
    ` with ${fixed(weight, 2)} in cross-attention, layer ${last2.layer} (mean of ${plural(header.n_heads, "head")}), and writes `,
    target(header.outputs[step]),
    `, P ${formatProbability(run.probability(step))}${header.forced[step] ? ", forced" : ""}`
  ];
}
function ofMoment(scene) {
  const {
    run,
    at: { step, ms },
    step: schedule
  } = scene, { header } = run, read = target(header.inputs[step]);
  if (ms <= schedule.chip[1])
    return step ? [read, " was written, so it is read: a new lane"] : ["The decoder begins with ", read];
  if (ms <= schedule.positions[1])
    return [
      read,
      `: its row of the table × √${header.d_model}${run.decoder.embedding.positions ? `, plus the vector of position ${step}` : ""}`
    ];
  const now = schedule.sublayers.findIndex(([, to]) => ms <= to);
  if (now >= 0) return ofSublayer(scene, run.decoder.sublayers[now], now);
  return ms <= schedule.output[1] ? [`${formatCount(header.n_vocabulary)} logits, and the softmax of them`] : isBeside(run) ? stepBeside(scene) : [target(header.outputs[step]), ` is written, P ${formatProbability(run.probability(step))}`];
}
function ofSublayer({ run, at: { step, ms }, step: schedule }, sub, place) {
  const { header } = run, stages = stagesAt(sub, schedule.sublayers[place], ms), name = `${sub.title}, layer ${sub.layer}: `;
  const read = target(header.inputs[step]);
  if (sub.kind === "feed-forward")
    return [
      `${name}${header.d_model} → ${header.d_ff} → ${header.d_model} numbers, for `,
      read,
      " by itself"
    ];
  if (stages.fill <= 0) {
    return sub.crosses ? [`${name}the query of `, read, "; keys and values wait in the memory"] : [`${name}query, key and value of `, read, step ? "; older keys and values were kept" : ""];
  }
  const seen = sub.crosses ? header.source.length : step + 1;
  if (stages.mix <= 0)
    return [`${name}${plural(header.n_heads, "head")} compare it with ${plural(seen, "key")}`];
  const most = run.strongest(sub, step);
  const what = run.compared === "difference" ? "the weight differs most on " : "most weight on ";
  return stages.add <= 0 ? [
    `${name}${what}`,
    side(run.keys(sub)[most.place], run.keySide(sub)),
    `, ${written(run, most.weight)}; the values are mixed`
  ] : [`${name}the heads are joined and added to the lane`];
}
function spoken(scene) {
  const {
    run,
    at: { step }
  } = scene, { header } = run;
  if (isBeside(run) && step !== ENCODER) return `${titleBeside(scene)}. ${plainText(stepBeside(scene))}.`;
  if (step === ENCODER) return `The encoder has read ${header.source.join(" ")}.`;
  const { place, weight } = run.reading(step), last2 = run.crossing.at(-1);
  return `Step ${step}. The decoder reads ${header.inputs.slice(0, step + 1).join(" ")} and writes ${header.outputs[step]} with probability ${formatProbability(run.probability(step))}. In layer ${last2.layer} it reads ${header.source[place]} most, weight ${fixed(weight, 2)} in the mean of ${plural(header.n_heads, "head")}.`;
}

// explorer/views/living_map/component/corner.ts
var ROWS = 6;
var ROW = 25;
var SKYLINE = 74;
var LOW_SKYLINE = 44;
var AROUND = 62;
var INSPECTS = { class: "inspect", title: "All its numbers, in the Tensor inspector" };
var Corner = class {
  constructor(acts) {
    this.acts = acts;
    this.node.append(el("header", {}, this.heading, this.beside), this.canvas, this.list, this.card);
  }
  node = el("section", { class: "corner" });
  heading = el("h2");
  beside = el("span");
  canvas = el("canvas", { "aria-hidden": "true" });
  list = el("div", { class: "candidates" });
  card = el("div", { class: "card" });
  shown = "";
  /** Show what belongs to the scene; a block that is asked about comes before all else. */
  draw(scene, block) {
    const { at, step } = scene, isRunning = !isAtRest(scene) && (at.step === ENCODER || at.ms < step.output[0]);
    const isEncoder = at.step === ENCODER;
    const kind = block ? `block/${block.id}` : isRunning || isEncoder ? "lens" : `next/${scene.run.header.key}/${at.step}`;
    if (kind !== this.shown) this.rebuild(scene, block, kind);
    if (kind === "lens") this.lens(scene);
    else if (!block) this.next(scene);
  }
  rebuild(scene, block, kind) {
    this.shown = kind;
    this.node.dataset.kind = kind.split("/")[0];
    this.list.replaceChildren(...kind.startsWith("next") ? this.candidates(scene) : []);
    this.card.replaceChildren(...block ? this.about(block) : []);
    this.canvas.hidden = Boolean(block);
    if (!block && kind !== "lens") this.title("Next token", besideNext(scene.run));
    if (block) this.title(block.title, block.note);
  }
  title(title, beside) {
    setText(this.heading, title);
    setText(this.beside, beside);
  }
  lens(scene) {
    const { title, beside, draw } = lensContent(scene), room = Math.max(60, this.room() - 30);
    this.title(title, beside);
    draw(this.prepared(scene, room), this.node.clientWidth, room);
  }
  room() {
    return this.node.clientHeight || 300;
  }
  get tall() {
    return this.room() < 260 ? LOW_SKYLINE : SKYLINE;
  }
  next(scene) {
    const { at, step } = scene, risen = within(at.ms, step.output);
    skyline(scene, this.prepared(scene, this.tall), this.node.clientWidth, this.tall, risen / 0.6);
    this.list.style.opacity = String(within(risen, [0.6, 1]));
  }
  prepared({ pen: { look } }, height) {
    this.canvas.style.height = `${height}px`;
    return penOn(this.canvas, this.node.clientWidth, height, look);
  }
  /** The most probable tokens: the written one on a scale of 1, its rivals on one of their own, which says so. */
  candidates(scene) {
    const { run, at } = scene, all = run.candidates(at.step), count = Math.min(
      all.length,
      ROWS,
      Math.max(2, Math.floor((this.room() - this.tall - AROUND - (run.isChanged ? ROW : 0)) / ROW))
    );
    const written2 = all.find(({ isWritten }) => isWritten), rivals = all.filter((each) => each !== written2).slice(0, count - 1);
    const most = rivals.length ? rivals[0].probability : 0, isZoomed = !run.isChanged && most > 0 && most < 0.1 && most < written2.probability;
    const longest = written2.probability / 2;
    const scale = isZoomed ? longest / most : 1;
    const row = (each, share) => this.candidate(scene, each, share, each === written2 ? 1 : scale);
    const rows = [
      row(written2, written2.probability),
      ...rivals.map((each) => row(each, scale * each.probability))
    ];
    const others = 1 - [written2, ...rivals].reduce((sum, { probability }) => sum + probability, 0);
    const left = run.header.n_vocabulary - rows.length, zoom = isZoomed ? ` · rivals’ bars × ${formatCount(Math.round(longest / most))}` : "";
    const rest = words(
      "p",
      `${formatCount(left)} others together ${formatProbability(Math.max(0, others))}${zoom}`,
      "rest"
    );
    if (!run.isChanged) return [...rows, rest];
    const other = run.otherwise(at.step);
    return [
      ...rows,
      words("p", `dashed: as trained${other ? `, which writes ${other}` : ""}`, "rest trained"),
      rest
    ];
  }
  candidate({ run, at }, { id, token, probability, isWritten, trained }, share, scale) {
    const said2 = formatProbability(probability), canForce = id >= run.header.first_id && !isWritten;
    const explain = button(
      { class: "number", text: said2, title: `P = ${fixed(probability, 6)}: how it came about` },
      () => this.acts.explain(id)
    );
    const force = canForce ? button({ class: "force", text: "force", "aria-label": `force ${token}` }, () => this.acts.force(id)) : words("span", !isWritten ? "never" : run.header.forced[at.step] ? "forced" : "chosen", "force");
    const bar = el("i", { class: scale === 1 ? "" : "zoomed" });
    bar.style.width = `${Math.max(0.8, share * 100)}%`;
    const node = el(
      "div",
      { class: isWritten ? "candidate written" : "candidate" },
      words("b", token),
      el("span", { class: "bar" }, bar),
      explain,
      force
    );
    if (trained !== null) withTrained(node, trained, scale);
    return node;
  }
  /** What is said of a block: what it does, its parameters, and each of its recorded values with its shape. */
  about(block) {
    const close = button({ class: "quiet", text: "Close" }, () => this.acts.close());
    const open = block.page ? [button({ class: "plain", text: `Open ${block.page}` }, () => this.acts.open(block.id))] : [];
    const rows = block.tensors.map(
      ([name, shape, isLearned]) => el(
        "tr",
        {},
        el(
          "td",
          {},
          button(INSPECTS, () => this.acts.inspect(block.id, name), words("code", name))
        ),
        words("td", shape.join(" × ")),
        words("td", isLearned ? "learned" : "")
      )
    );
    return [
      words("p", block.text),
      words(
        "p",
        `${formatCount(block.n_parameters)} parameters of its own; a name opens all its numbers`,
        "rest"
      ),
      el(
        "div",
        { class: "tensors", tabindex: 0, role: "region", "aria-label": `Tensors of ${block.title}` },
        el("table", {}, el("tbody", {}, ...rows))
      ),
      el("p", { class: "acts" }, ...open, close)
    ];
  }
};
function besideNext({ header: { n_vocabulary }, compared }) {
  const what = { changed: ", then softmax", trained: " as trained", difference: ": changed − trained" }[compared];
  return `${formatCount(n_vocabulary)} logits${what}`;
}
function withTrained(node, trained, scale) {
  const mark = el("i", { class: "was" }), number = el(
    "span",
    { class: "was-number", title: `as trained P = ${fixed(trained, 6)}` },
    words("span", "as trained ", "unseen"),
    formatProbability(trained)
  );
  mark.style.left = `${Math.min(100, 100 * scale * trained)}%`;
  node.classList.add("compared");
  node.querySelector(".bar").append(mark);
  node.querySelector(".number").after(number);
}

// explorer/views/living_map/component/guide.ts
var KEPT = "explorer-first-minute";
var MOST_ANSWERS = 6;
var Guide = class {
  constructor(acts) {
    this.acts = acts;
    this.node.hidden = true;
  }
  node = el("div", { class: "guide", role: "group", "aria-label": "Your first minute" });
  stage = isOver() ? "over" : "wait";
  guess = 0;
  written = "";
  /** Who has moved on by themselves is not asked any more. */
  leave() {
    if (this.stage === "ask") this.stage = "over";
  }
  /** Whether it asks what was read, and the picture must not tell. */
  get isAsking() {
    return this.stage === "ask" && this.written !== "";
  }
  /** Whether it has something to say beside the title; the lead then waits. */
  show(scene) {
    const isThere = this.stage !== "over" && this.follow(scene) && !document.querySelector(".st-key-lesson");
    const key = isThere ? `${this.stage}/${scene.run.header.key}/${scene.at.step}/${this.guess}` : "";
    if (key !== this.written) {
      this.written = key;
      this.node.hidden = !isThere;
      this.node.replaceChildren(...isThere ? this.contents(scene) : []);
    }
    return isThere;
  }
  /** Goes on with what has happened since; false where there is nothing to ask about. */
  follow(scene) {
    const { run, at } = scene;
    if (isBeside(run)) return false;
    if (this.stage === "wait") this.stage = run.header.is_first ? "ask" : "over";
    if (run.header.forced.includes(true)) this.stage = "forced";
    else if (this.stage === "forced") return this.end();
    if (this.stage === "over") return false;
    if (this.stage === "forced") return true;
    return at.step !== ENCODER && isAtRest(scene) && run.header.source.length > 2;
  }
  contents(scene) {
    const { run, at } = scene, { header } = run, { place, weight } = run.reading(at.step);
    const read = words("b", header.source[place], "source"), close = button({ class: "quiet", text: "×", "aria-label": "Dismiss" }, () => {
      this.end();
    });
    const act = (text, press) => button({ class: "primary", text }, press);
    const rival = run.candidates(at.step).find(({ id, isWritten }) => !isWritten && id > header.first_id);
    if (this.stage === "ask") return ["Which word did it read most? ", ...this.answers(scene, place), close];
    if (this.stage === "read") {
      const said2 = this.guess === place ? ["Yes: it reads ", read] : ["It reads ", read, `, not ${header.source[this.guess]}`];
      return [
        el("span", {}, ...said2, `, weight ${fixed(weight, 2)}. What it reads is not yet why it writes.`),
        act("Play the step", () => this.go("played", () => this.acts.play())),
        close
      ];
    }
    if (this.stage === "forced") {
      const text = header.outputs.slice(0, header.ended ? -1 : void 0).join(" ");
      return [
        el("span", {}, "Now it goes on to ", words("b", text, "target"), "."),
        act("Now you: type a sentence", () => {
          this.end();
          this.acts.type();
        }),
        close
      ];
    }
    if (!rival) return [close];
    return [
      el("span", {}, "What if it had to write ", words("b", rival.token, "target"), " here?"),
      act(`Force ${rival.token}`, () => this.acts.force(rival.id)),
      close
    ];
  }
  answers({ run: { header }, at, run }, right) {
    const shown2 = /* @__PURE__ */ new Set([
      right,
      ...run.byReading(run.crossing.at(-1), at.step).filter((token) => token < header.source.length - 1).slice(0, MOST_ANSWERS)
    ]);
    return [...shown2].sort((a, b) => a - b).map(
      (token) => button({ class: "answer", text: header.source[token] }, () => {
        this.guess = token;
        this.go("read", () => this.acts.light(right));
      })
    );
  }
  go(stage, act) {
    this.stage = stage;
    act();
  }
  end() {
    this.stage = "over";
    this.written = "?";
    try {
      window.localStorage.setItem(KEPT, "over");
    } catch {
    }
    this.acts.light(-1);
    return false;
  }
};
function isOver() {
  try {
    return window.localStorage.getItem(KEPT) !== null;
  } catch {
    return false;
  }
}

// explorer/browser/shared/lit.ts
var LitFrames = class {
  node = el("div", { class: "light", "aria-hidden": "true" });
  told = "[]";
  /** Put an element over every box, and tell where they are if they have moved; end: where a line to them may end. */
  show(boxes, end) {
    const to = boxes.length ? [end()] : [], said2 = JSON.stringify([...boxes, ...to]);
    if (said2 === this.told) return;
    this.told = said2;
    const frames = boxes.map((box) => over(box, "frame")), ends2 = to.map((at) => over({ ...at, width: 0, height: 0 }, "end"));
    this.node.replaceChildren(...frames, ...ends2);
    tell("lit", ends2.length ? { frames, end: ends2[0] } : null);
  }
  /** The picture leaves the page. */
  end() {
    if (this.told !== "[]") tell("lit", null);
  }
};
function over(box, name) {
  const node = el("i", { "data-light": name });
  layOver(node, box);
  return node;
}

// explorer/views/living_map/component/layout.ts
var OPEN_LAYERS = 2;
var LEAST_PITCH = 8;
var MOST_PITCH = 56;
var MEAN_PITCH = 14;
var LEAST_KEY = 3;
var LEAST_CORNER = 300;
function columnsOf(layout, keys) {
  return Math.ceil(keys / layout.keyGroup);
}
function layOut(run, wish) {
  const sizes = measures(run, wish), lanes = laneSizes(run, wish, sizes);
  const plan = planColumns(run, wish, sizes);
  const common = { sizes, lanes, plan };
  const bandHeight = sizes.header + 2 * sizes.keyHeight + 8;
  const encoder = band(run.encoder, common, wish, wish.isPhone ? 4 : 8, 0, lanes.source);
  const top = wish.isPhone ? 0 : bandHeight + lanes.pitch * lanes.source.length + sizes.between;
  const decoder = band(run.decoder, common, wish, wish.isPhone ? encoder.end + 58 : 8, top, lanes.target);
  if (!wish.isPhone)
    spread(
      encoder,
      decoder,
      wish.width - (decoder.end + 6 + sizes.chip + 8),
      wish.width - 52 - LEAST_CORNER - encoder.end
    );
  const memoryV = encoder.bottom;
  const corner = {
    x: encoder.end + 50,
    y: 0,
    width: wish.width - encoder.end - 52,
    height: memoryV - (wish.height > 660 ? 26 : 22)
  };
  const out = decoder.end + 6;
  return {
    isPhone: wish.isPhone,
    isLarge: wish.height > 660,
    width: wish.width,
    height: wish.isPhone ? Math.ceil(out + sizes.chip + 8) : wish.height,
    pitch: lanes.pitch,
    rows: lanes.rows,
    row: lanes.row,
    tile: sizes.tile,
    hidden: sizes.hidden,
    side: sizes.side,
    chip: sizes.chip,
    keyWidth: plan.keyWidth,
    keyGroup: plan.keyGroup,
    keyHeight: sizes.keyHeight,
    header: sizes.header,
    encoder,
    decoder,
    out,
    memory: { u: encoder.end, v: memoryV, gap: wireGap(run, sizes) },
    corner
  };
}
function measures(run, { width, height, isPhone }) {
  const { header } = run, [, , columns] = run.codes(run.encoder.embedding.output).shape;
  const large = height > 660 && !isPhone, wide = width > 1500, roomy = width > 1120;
  const pixel = wide ? 3 : 2, wider = Math.min(4, Math.max(1, header.d_ff / header.d_model));
  if (isPhone) {
    return {
      pixel: 2,
      tile: 2 * columns,
      hidden: 1.5 * 2 * columns,
      side: 20,
      chip: 30,
      gap: 32,
      keyMost: 9,
      keyLeast: LEAST_KEY,
      header: 0,
      keyHeight: 16,
      between: 0,
      loop: 0
    };
  }
  return {
    pixel,
    tile: pixel * columns,
    hidden: Math.round((wide ? 2 : 1) * columns * wider),
    side: wide ? 32 : 16,
    chip: roomy ? 60 : 54,
    gap: roomy ? 10 : 7,
    keyMost: wide ? 24 : 22,
    keyLeast: 7,
    header: large ? 38 : 34,
    keyHeight: large ? 32 : 16,
    between: large ? 54 : 42,
    loop: 20
  };
}
function wireGap(run, sizes) {
  return Math.min(4, (sizes.between - 26) / Math.max(1, run.encoder.tokens.length - 1));
}
function laneSizes(run, wish, sizes) {
  const nSource = run.encoder.tokens.length, nTarget = run.decoder.tokens.length;
  const room = wish.isPhone ? wish.width - 24 - 2 * sizes.keyHeight - 12 : wish.height - 2 * (sizes.header + 2 * sizes.keyHeight + 8) - sizes.between - sizes.loop - 6;
  const across = wish.isPhone ? Math.max(nSource, nTarget) : nSource + nTarget;
  const pitch = Math.max(LEAST_PITCH, Math.min(MOST_PITCH, Math.floor(room / across)));
  const fits = Math.max(2, Math.floor(room / pitch));
  const most = wish.isPhone ? [fits, fits] : halves(nSource, nTarget, fits);
  const gap = wish.isPhone ? 6 : pitch < MEAN_PITCH ? 2 : 5, heads = run.header.n_heads;
  const rows = pitch < MEAN_PITCH || Math.floor((pitch - gap) / heads) < 2 ? 1 : heads;
  return {
    pitch,
    rows,
    row: Math.floor((pitch - gap) / rows),
    source: lanesShown(nSource, most[0], wish.pinned[0] ?? 0, wish.pinned),
    target: lanesShown(nTarget, most[1], Math.max(0, wish.step), [])
  };
}
function halves(one, other, most) {
  if (one + other <= most) return [one, other];
  const half = Math.floor(most / 2);
  if (one <= half) return [one, most - one];
  return other <= half ? [most - other, other] : [half, most - half];
}
function lanesShown(length, most, around2, pinned) {
  if (length <= most) return Array.from({ length }, (_, i) => i);
  const from = Math.max(0, Math.min(length - most, around2 - Math.floor(most * 0.7)));
  const shown2 = Array.from({ length: most }, (_, i) => from + i);
  const outside = pinned.filter((token) => token < from || token >= from + most).slice(0, 3);
  return [...shown2.slice(outside.length), ...outside].sort((a, b) => a - b);
}
function planColumns(run, wish, sizes) {
  const keys = Math.max(run.encoder.tokens.length, run.decoder.tokens.length);
  const layers = (stack) => 1 + Math.max(...stack.sublayers.map(({ layer }) => layer));
  for (let open = Math.min(OPEN_LAYERS, Math.max(layers(run.encoder), layers(run.decoder))); ; open--) {
    const isOpen = (stack, layer) => {
      const last2 = Math.min(layers(stack) - 1, Math.max(open - 1, wish.openTo));
      return layer <= last2 && layer > last2 - open;
    };
    if (wish.isPhone) return { isOpen, keyWidth: sizes.keyMost, keyGroup: 1, keys };
    const width = (keyWidth2) => widthOf(run.decoder, isOpen, sizes, keyWidth2 * keys);
    const room = wish.width - (wish.width > 1120 ? 24 : 6);
    let keyWidth = sizes.keyMost;
    while (keyWidth > sizes.keyLeast && width(keyWidth) > room) keyWidth--;
    const encoder = widthOf(run.encoder, isOpen, sizes, keyWidth * keys) - (6 + sizes.chip + 8);
    const corner = wish.width - 52 - encoder >= LEAST_CORNER;
    if (width(keyWidth) <= room && corner || open === 1)
      return { isOpen, ...narrowed(keyWidth, keys, room, width), keys };
  }
}
function narrowed(keyWidth, keys, room, width) {
  let narrow = keyWidth;
  while (narrow > LEAST_KEY && width(narrow) > room) narrow--;
  let keyGroup = 1;
  while (keyGroup < keys && width(narrow * Math.ceil(keys / keyGroup) / keys) > room) keyGroup++;
  return { keyWidth: narrow, keyGroup };
}
function widthOf(stack, isOpen, sizes, keys) {
  const beside = 8 + sizes.chip + 8 + sizes.tile + 6 + sizes.chip + 8, around2 = sizes.gap + 20 + sizes.tile + 4;
  const folded2 = new Set(
    stack.sublayers.filter(({ layer }) => !isOpen(stack, layer)).map(({ layer }) => layer)
  ).size;
  return beside + folded2 * (sizes.tile + 4) + stack.sublayers.filter(({ layer }) => isOpen(stack, layer)).reduce(
    (sum, { kind }) => sum + around2 + (kind === "attention" ? 2 * sizes.side + 5 + keys : sizes.hidden),
    0
  );
}
function band(stack, { sizes, lanes, plan }, wish, from, top, shown2) {
  const keysTop = wish.isPhone ? 24 : top + (stack.side === "source" ? sizes.header : 0);
  const first = wish.isPhone ? 24 + 2 * sizes.keyHeight + 10 : keysTop + 2 * sizes.keyHeight + 8;
  const chip2 = from, begin = from + sizes.chip + 8, stops = [];
  const keys = Math.ceil(plan.keys / plan.keyGroup) * plan.keyWidth;
  let u = begin + sizes.tile;
  for (const sublayers of grouped(stack, plan.isOpen)) {
    const isFolded = sublayers.length > 1, place = isFolded ? foldedStop(u, sizes) : openStop(u, sublayers[0], sizes, keys);
    stops.push({ sublayers, sub: sublayers.at(-1), isFolded, ...place });
    u = place.to;
  }
  return {
    side: stack.side,
    stack,
    top,
    keysTop,
    lanes: first,
    bottom: first + shown2.length * lanes.pitch,
    chip: chip2,
    begin,
    end: u,
    stops,
    shown: shown2,
    place: new Map(shown2.map((token, i) => [token, i]))
  };
}
function grouped(stack, isOpen) {
  const groups = [];
  for (const sub of stack.sublayers) {
    const last2 = groups.at(-1);
    if (!isOpen(stack, sub.layer) && last2?.[0].layer === sub.layer) last2.push(sub);
    else groups.push([sub]);
  }
  return groups;
}
function openStop(from, { kind }, sizes, keys) {
  const inside = from + sizes.gap, isAttention = kind === "attention";
  const context = inside + sizes.side + 3 + keys + 2, output = isAttention ? context + sizes.side : inside + sizes.hidden;
  return {
    from,
    inside,
    q: inside,
    keys: inside + sizes.side + 3,
    context,
    hidden: inside,
    output,
    plus: output + 10,
    stream: output + 20,
    to: output + 20 + sizes.tile + 4
  };
}
function foldedStop(from, sizes) {
  const stream = from + 2, inside = from + 2;
  return {
    from,
    inside,
    q: inside,
    keys: inside,
    context: inside,
    hidden: inside,
    output: inside,
    plus: inside,
    stream,
    to: stream + sizes.tile + 2
  };
}
function spread(encoder, decoder, free, freeAbove) {
  const each = Math.max(0, Math.min(free / decoder.stops.length, freeAbove / encoder.stops.length));
  for (const { stops } of [encoder, decoder]) {
    stops.forEach((stop, i) => {
      const moved = each * (i + 1);
      stop.from = Math.round(stop.from + each * i);
      for (const part of [
        "inside",
        "q",
        "keys",
        "context",
        "hidden",
        "output",
        "plus",
        "stream",
        "to"
      ])
        stop[part] = Math.round(stop[part] + moved);
    });
  }
  for (const each_ of [encoder, decoder]) each_.end = each_.stops.at(-1)?.to ?? each_.end;
}
function attentions({ stops }) {
  return stops.filter(({ sub, isFolded }) => sub.kind === "attention" && !isFolded);
}
function laneAt(layout, band2, token) {
  const place = band2.place.get(token);
  return place === void 0 ? null : band2.lanes + place * layout.pitch;
}
function laneMiddle(layout, band2, token) {
  return (laneAt(layout, band2, token) ?? band2.bottom) + layout.pitch / 2;
}
function tileAt(layout, band2, token) {
  return (laneAt(layout, band2, token) ?? band2.bottom) + Math.floor((layout.pitch - tileHeight(layout)) / 2);
}
function tileHeight(layout) {
  return layout.rows * layout.row;
}
function keyAt(layout, stop, key) {
  return stop.keys + Math.floor(key / layout.keyGroup) * layout.keyWidth;
}
function keysAt(layout, band2, what) {
  return band2.keysTop + (what === "v" ? 0 : layout.keyHeight + 3);
}
function wireAt(layout, stop, token) {
  const { encoder, decoder, memory, isPhone } = layout, v = laneMiddle(layout, encoder, token);
  const u = keyAt(layout, stop, token) + (layout.keyWidth - 1) / 2, last2 = encoder.stack.tokens.length - 1;
  if (isPhone) {
    const gap = Math.min(3, 18 / (last2 + 1)), bus = 3 + token * gap, y2 = encoder.end + 8 + (last2 - token) * Math.min(5, 36 / (last2 + 1));
    return [
      [encoder.end, v],
      [y2, v],
      [y2, bus],
      [u, bus],
      [u, decoder.keysTop - 1]
    ];
  }
  const x = memory.u + 12 + token * memory.gap, isLeft = u < x;
  const y = memory.v + (layout.isLarge ? 14 : 9) + (isLeft ? token : last2 - token) * memory.gap;
  return [
    [encoder.end, v],
    [x, v],
    [x, y],
    [u, y],
    [u, decoder.keysTop - 2]
  ];
}
function loopAt(layout, step) {
  const { decoder } = layout, right = layout.width - 2, below = decoder.bottom + layout.header + 10;
  const from = laneMiddle(layout, decoder, step), to = laneMiddle(layout, decoder, step + 1);
  return [
    [layout.out + layout.chip, from],
    [right, from],
    [right, below],
    [2, below],
    [2, to],
    [decoder.chip, to]
  ];
}
function restsOf(layout) {
  const { decoder } = layout;
  return [
    decoder.chip + layout.chip,
    decoder.begin,
    ...decoder.stops.map(({ stream }) => stream),
    layout.out
  ];
}

// explorer/views/living_map/component/light.ts
var Spotlight = class {
  frames = new LitFrames();
  node = this.frames.node;
  light = null;
  turn(light) {
    this.light = light;
  }
  /** Put a frame where the picture has the rows. */
  place(scene) {
    const boxes = (this.light?.rows ?? []).flatMap((row) => boxesOf(scene, row));
    this.frames.show(boxes, () => ({ x: scene.layout.width, y: boxes[0].y + boxes[0].height / 2 }));
  }
  end() {
    this.frames.end();
  }
};
function boxesOf(scene, { site, index, columns }) {
  const { layout, run, pen } = scene, query = index.at(-2) ?? -1;
  for (const band2 of [layout.encoder, layout.decoder]) {
    const stop = attentions(band2).find(({ sub }) => sub.weights === site);
    if (!stop || !band2.place.has(query)) continue;
    const v = tileAt(layout, band2, query), height = tileHeight(layout), count = run.keys(stop.sub).length;
    const whole = [stop.keys, v, columnsOf(layout, count) * layout.keyWidth, height];
    return [
      whole,
      ...columns.map((key) => [keyAt(layout, stop, key), v, layout.keyWidth, height])
    ].map(([left, top, across, down]) => {
      const [x, y] = pen.place(left - 3, top - 3), [width, high] = pen.place(across + 6, down + 6);
      return { x, y, width, height: high };
    });
  }
  return [];
}

// explorer/views/living_map/component/attention.ts
var CELLS = 5;
function weightsRow(scene, band2, stop, token, filled) {
  const { layout, run, pen } = scene, { sub } = stop, v = tileAt(layout, band2, token), height = tileHeight(layout);
  const now = band2.side === "target" ? scene.at.step : Infinity;
  const keys = run.keySide(sub) === "target" ? Math.min(run.keys(sub).length, now + 1) : run.keys(sub).length;
  const seen = run.isCausal(sub) ? Math.min(keys, token + 1) : keys, there = Math.min(seen, Math.ceil(filled * keys));
  if (isNow(scene, band2.side, token) || band2.side === "source" && mostRead(scene) === token) {
    pen.fill(
      stop.keys - 1,
      v - 1,
      columnsOf(layout, run.keys(sub).length) * layout.keyWidth + 1,
      height + 2,
      pen.look[`${band2.side}-tint`]
    );
  }
  if (layout.keyWidth >= CELLS) cells(scene, stop, token, there, v);
  else strip(scene, stop, token, there, v);
  if (keys > seen && filled >= seen / keys) {
    const from = keyAt(layout, stop, seen - 1) + layout.keyWidth, to = keyAt(layout, stop, keys - 1) + layout.keyWidth - 1;
    pen.faint(0.55, () => pen.fill(from, v, to - from, height, scene.hatch));
  }
  if (filled < 1) {
    const key = Math.min(keys - 1, Math.floor(filled * keys));
    pen.box(
      keyAt(layout, stop, key) - 1,
      keysAt(layout, band2, "k") - 1,
      layout.keyWidth + 1,
      layout.keyHeight + 2,
      2,
      { stroke: pen.look.k, width: 1.5 }
    );
  }
}
function cells({ layout, run, pen, tiles }, { keys, sub }, token, there, v) {
  const gap = layout.row > 5 ? 0.5 : 0;
  for (let key = 0; key < there; key++) {
    for (let row = 0; row < layout.rows; row++) {
      const weight = layout.rows > 1 || run.header.n_heads === 1 ? run.weight(sub.weights, row, token, key) : run.mean(sub.weights, token, key);
      pen.fill(
        keys + key * layout.keyWidth,
        v + row * layout.row,
        layout.keyWidth - 1,
        layout.row - gap,
        tiles.weight(weight).fill
      );
    }
  }
}
function strip({ layout, pen, tiles }, { keys, sub }, token, there, v) {
  const { canvas, width, height, isAcross } = tiles.weights(sub.weights, layout.keyGroup, layout.isPhone);
  const columns = columnsOf(layout, there);
  const part = isAcross ? [token * width, 0, width, columns] : [0, token * height, columns, height];
  pen.image(canvas, part, keys, v, columns * layout.keyWidth, tileHeight(layout));
}
function mixing({ layout, run, pen }, band2, stop, token) {
  const { sub } = stop, v = tileAt(layout, band2, token), top = keysAt(layout, band2, "v");
  const keys = run.isCausal(sub) ? token + 1 : run.keySide(sub) === "target" ? Math.min(run.keys(sub).length, token + 1) : run.keys(sub).length;
  for (let key = 0; key < keys; key++) {
    const weight = run.size(sub.weights, token, key), u = keyAt(layout, stop, key);
    if (weight <= 0.03) continue;
    pen.faint(weight, () => {
      pen.box(u - 1, top - 1, layout.keyWidth + 1, layout.keyHeight + 2, 2, {
        stroke: pen.look.v,
        width: 1 + 2 * weight
      });
      pen.line(
        [
          [u + layout.keyWidth / 2, top + layout.keyHeight],
          [u + layout.keyWidth / 2, v]
        ],
        pen.look.v,
        1 + 2 * weight
      );
    });
  }
}
function crossings({ layout }) {
  return attentions(layout.decoder).filter(({ sub }) => sub.crosses);
}
function cable(scene, laid) {
  const { layout, pen } = scene;
  pen.faint(0.8 * laid, () => {
    for (const stop of crossings(scene))
      for (const token of layout.encoder.shown)
        pen.line(wireAt(layout, stop, token), pen.look["source-line"], 1, 5);
  });
}
function lightWires(scene, step, shareOf) {
  const { layout, pen, run } = scene;
  for (const stop of crossings(scene)) {
    const share = shareOf(stop);
    if (share <= 0) continue;
    for (const token of layout.encoder.shown) {
      const weight = run.size(stop.sub.weights, step, token) * share;
      if (weight >= 0.02)
        pen.faint(
          0.35 + 0.65 * weight,
          () => pen.line(wireAt(layout, stop, token), pen.look.source, 1 + 2.6 * weight, 5)
        );
    }
  }
}
function highlights(scene) {
  const { layout, pen, run, pointed, chosen } = scene;
  for (const band2 of [layout.encoder, layout.decoder]) {
    for (const stop of attentions(band2)) {
      const side2 = run.keySide(stop.sub), last2 = side2 === "source" ? Infinity : Math.max(0, scene.at.step);
      run.keys(stop.sub).forEach((_, key) => {
        if (key > last2 || !isLit(scene, side2, key)) return;
        pen.box(
          keyAt(layout, stop, key) - 1.5,
          band2.keysTop - 2,
          layout.keyWidth + 2,
          band2.bottom - band2.keysTop + 2,
          3,
          { stroke: pen.look[side2], width: 1.6 }
        );
        if (stop.sub.crosses && layout.encoder.place.has(key))
          pen.line(wireAt(layout, stop, key), pen.look.source, 2.2, 5);
      });
    }
  }
  for (const cell of [pointed?.cell, chosen]) if (cell) frameCell(scene, cell, cell === chosen);
}
function frameCell(scene, { sub, row, column, head }, isChosen) {
  const { layout, pen, run } = scene, band2 = run.stackOf(sub).side === "source" ? layout.encoder : layout.decoder;
  const stop = band2.stops.find(({ sublayers, isFolded }) => !isFolded && sublayers.includes(sub));
  if (!stop || !band2.place.has(row)) return;
  const hasHead = head !== null && layout.rows > 1, height = hasHead ? layout.row : tileHeight(layout);
  const v = tileAt(layout, band2, row) + (hasHead ? head * layout.row : 0), u = keyAt(layout, stop, column);
  pen.box(u - 1.5, v - 1.5, layout.keyWidth + 2, height + 3, 2, { stroke: pen.look.ink, width: 2 });
  if (!isChosen) return;
  pen.box(u - 1, keysAt(layout, band2, "k") - 1, layout.keyWidth + 1, layout.keyHeight + 2, 2, {
    stroke: pen.look.k,
    width: 2
  });
  pen.box(stop.q - 1, v - 1, layout.side + 2, height + 2, 2, { stroke: pen.look.q, width: 2 });
}
function findings(scene, shareOf) {
  const { layout, pen, run, at } = scene;
  if (layout.isPhone) return;
  for (const stop of crossings(scene)) {
    const { place, weight } = run.strongest(stop.sub, at.step), y = keysAt(layout, layout.decoder, "v") + layout.keyHeight / 2 - (layout.isLarge ? 0 : 3);
    const x = stop.keys + columnsOf(layout, run.keys(stop.sub).length) * layout.keyWidth + 20, room = stop.to - x - 2;
    pen.faint(shareOf(stop), () => {
      pen.text(run.header.source[place], x, y + (layout.isLarge ? 8 : 2), pen.look.source, {
        size: 13.5,
        weight: 650,
        most: room
      });
      pen.text(written(run, weight), x, y + (layout.isLarge ? 25 : 17), pen.look.ink, {
        size: 13,
        weight: 600,
        most: room
      });
    });
  }
}
function litPath({ layout, pen }, token, to) {
  const v = laneMiddle(layout, layout.decoder, token), from = layout.decoder.chip + layout.chip;
  if (to > from)
    pen.line(
      [
        [from, v],
        [Math.min(to, layout.decoder.end + 3), v]
      ],
      pen.look.target,
      2.5
    );
}

// explorer/views/living_map/component/chips.ts
var WORDS_FROM = 14;
var EVERY_OTHER = 13;
function chip({ pen, layout }, token, u, v, kind) {
  const { look } = pen, height = layout.pitch - (layout.pitch < WORDS_FROM ? 0 : 4);
  const forms = {
    source: { fill: look["source-tint"], stroke: look["source-line"], text: look.source, weight: 500 },
    most: { fill: look["source-tint"], stroke: look.source, text: look.source, weight: 650, width: 1.8 },
    target: { fill: look["target-tint"], stroke: look["target-line"], text: look.target, weight: 500 },
    now: { fill: look.target, stroke: look.target, text: look["on-target"], weight: 650 },
    later: { stroke: look.line, text: look.mute, weight: 400, dash: [3, 3] },
    forced: { fill: look.bg, stroke: look.ink, text: look.ink, weight: 650, width: 1.5, dash: [4, 3] }
  };
  const { text, weight, ...paint } = forms[kind];
  if (layout.pitch >= WORDS_FROM) pen.box(u + 0.5, v + 0.5, layout.chip - 1, height - 1, 6, paint);
  else if (kind === "now" || kind === "most")
    pen.box(u, v + (height - WORDS_FROM) / 2, layout.chip, WORDS_FROM, 4, paint);
  const size = layout.isPhone ? Math.min(12, layout.pitch * 0.34) : Math.min(13.5, Math.max(9.5, layout.pitch - 3));
  if (layout.isPhone && layout.pitch < 20) return;
  pen.text(token, u + layout.chip / 2, v + height / 2 + 0.5, text, {
    size,
    weight,
    align: "center",
    most: (layout.isPhone ? layout.pitch : layout.chip) - 4
  });
}
function otherwiseFrame({ pen, layout }, u, v) {
  const isLow = layout.pitch < WORDS_FROM;
  pen.box(u + 1, v + 1, layout.chip - 2, layout.pitch - (isLow ? 2 : 6), 6, {
    stroke: pen.look.ink,
    width: 2
  });
}
function chipAt({ layout }, band2, token) {
  const v = laneAt(layout, band2, token);
  return v === null ? null : v + (layout.pitch < WORDS_FROM ? 0 : 2);
}
function hasWord({ layout }, band2, token, isLooked) {
  return isLooked || layout.pitch > EVERY_OTHER || (band2.place.get(token) ?? 0) % 2 === 0;
}

// explorer/views/living_map/component/lanes.ts
function tile({ layout, pen, tiles }, site, token, u, v, form) {
  const { turned = false, width, height, opacity = 1, share = 1 } = form;
  if (opacity <= 0 || share <= 0) return;
  const {
    canvas,
    part: [x, y, w, h]
  } = tiles.of(site, token, turned !== layout.isPhone);
  pen.faint(opacity, () => {
    pen.image(
      canvas,
      layout.isPhone ? [x, y, w, h * share] : [x, y, w * share, h],
      u,
      v,
      width * share,
      height
    );
    if (form.frame)
      pen.box(u - 1, v - 1, width * share + 2, height + 2, 2, { stroke: form.frame, width: 1.5 });
  });
}
function streamBefore(band2, stop) {
  const before = band2.stops.at(band2.stops.indexOf(stop) - 1);
  return band2.stops[0] === stop || !before ? [band2.stack.embedding.output, band2.begin] : [before.sub.stream, before.stream];
}
function stagesOf(band2, stop, schedule, ms) {
  const all = band2.stack.sublayers, [from, to] = [stop.sublayers[0], stop.sub].map((sub) => schedule.sublayers[all.indexOf(sub)]);
  const span = [from[0], to[1]];
  return stop.isFolded ? { project: 0, fill: 0, mix: 0, open: 0, add: within(ms, span) } : stagesAt(stop.sub, span, ms);
}
function lane(scene, band2, token, schedule, ms) {
  if (!band2.place.has(token)) return;
  embedding2(scene, band2, token, schedule, ms);
  for (const stop of band2.stops) {
    const stages = stagesOf(band2, stop, schedule, ms);
    if (!stop.isFolded && stop.sub.kind === "attention") attention(scene, band2, stop, token, stages);
    else if (!stop.isFolded) hidden(scene, band2, stop, token, stages.open);
    add(scene, band2, stop, token, stages.add, ms < schedule.length);
  }
}
function embedding2(scene, band2, token, schedule, ms) {
  const { layout } = scene, {
    embedding: { tokens, positions, output }
  } = band2.stack, v = tileAt(layout, band2, token);
  const form = { width: layout.tile, height: tileHeight(layout) };
  const looked = within(ms, schedule.tokens), added = within(ms, schedule.positions);
  if (added >= 1) return tile(scene, output, token, band2.begin, v, form);
  tile(scene, tokens, token, mix(band2.chip + layout.chip - layout.tile, band2.begin, easeAppear(looked)), v, {
    ...form,
    opacity: looked
  });
  if (added <= 0) return void 0;
  const fallen = easeAppear(Math.min(1, added / 0.7));
  if (positions)
    tile(scene, positions, token, band2.begin, v - (1 - fallen) * (layout.pitch + 6), {
      ...form,
      opacity: 0.35 + 0.4 * fallen
    });
  tile(scene, output, token, band2.begin, v, { ...form, opacity: (added - 0.7) / 0.3 });
  return void 0;
}
function attention(scene, band2, stop, token, stages) {
  const {
    layout,
    pen: { look }
  } = scene, { sub } = stop, v = tileAt(layout, band2, token), height = tileHeight(layout);
  const [, u] = streamBefore(band2, stop), from = u + layout.tile, moved = easeMove(stages.project);
  const side2 = { width: layout.side, height };
  if (stages.project >= 1) tile(scene, sub.q, token, stop.q, v, side2);
  else if (stages.project > 0) {
    tile(scene, sub.q, token, mix(from - layout.side, stop.q, moved), v, {
      ...side2,
      opacity: moved,
      frame: look.q
    });
    if (!sub.crosses)
      for (const what of ["k", "v"]) keyOnItsWay(scene, band2, stop, token, what, moved, from);
  }
  if (stages.fill > 0) weightsRow(scene, band2, stop, token, stages.fill);
  if (stages.mix > 0) tile(scene, sub.context, token, stop.context, v, { ...side2, share: stages.mix });
}
function keyOnItsWay(scene, band2, stop, token, what, moved, from) {
  const {
    layout,
    pen: { look }
  } = scene, width = Math.max(1, layout.keyWidth - 1);
  const place = [
    mix(from - width, keyAt(layout, stop, token), moved),
    mix(tileAt(layout, band2, token), keysAt(layout, band2, what), moved)
  ];
  tile(scene, stop.sub[what], token, ...place, {
    turned: true,
    width,
    height: layout.keyHeight,
    opacity: 0.3 + 0.7 * moved,
    frame: look[what]
  });
}
function keyColumn(scene, band2, stop, key, what, opacity = 1) {
  const { layout } = scene;
  if (layout.keyGroup > 1 && key % layout.keyGroup) return;
  const width = layout.keyWidth > 4 ? layout.keyWidth - 1 : layout.keyWidth;
  tile(scene, stop.sub[what], key, keyAt(layout, stop, key), keysAt(layout, band2, what), {
    turned: true,
    width,
    height: layout.keyHeight,
    opacity
  });
}
function hidden(scene, band2, stop, token, open) {
  if (open <= 0) return;
  const { layout } = scene, width = layout.hidden * mix(0.25, 1, easeAppear(open));
  const u = stop.hidden + (layout.hidden - width) / 2;
  tile(scene, stop.sub.hidden, token, u, tileAt(layout, band2, token), {
    width,
    height: tileHeight(layout),
    opacity: Math.min(1, open * 3)
  });
}
function add(scene, band2, stop, token, share, isRunning) {
  if (share <= 0) return;
  const { layout } = scene, v = tileAt(layout, band2, token), height = tileHeight(layout), form = { width: layout.tile, height };
  if (share >= 1) tile(scene, stop.sub.stream, token, stop.stream, v, form);
  else {
    const [before, u] = streamBefore(band2, stop), moved = easeMove(Math.min(1, share / 0.7)), gone = clamp((share - 0.7) / 0.3);
    tile(scene, before, token, mix(u, stop.stream, moved), v + (height / 2 + 3) * (1 - moved), {
      ...form,
      opacity: 0.75 * (1 - gone)
    });
    tile(scene, stop.sub.output, token, mix(stop.output - layout.tile * 0.6, stop.stream, moved), v, {
      ...form,
      opacity: 0.8 * moved * (1 - gone)
    });
    tile(scene, stop.sub.stream, token, stop.stream, v, { ...form, opacity: gone });
  }
  if (isRunning && !stop.isFolded) plus(scene, band2, stop, token);
}
function plus({ pen, layout }, band2, stop, token) {
  const colour = pen.look[band2.side], [x, y] = pen.place(stop.plus, laneMiddle(layout, band2, token)), { context } = pen;
  context.beginPath();
  context.arc(x, y, 5.5, 0, 7);
  context.fillStyle = pen.look.bg;
  context.fill();
  context.moveTo(x - 3, y);
  context.lineTo(x + 3, y);
  context.moveTo(x, y - 3);
  context.lineTo(x, y + 3);
  context.strokeStyle = colour;
  context.lineWidth = 1.4;
  context.stroke();
}

// explorer/views/living_map/component/frame.ts
var SWELL_MS = 450;
function drawMoving(scene) {
  if (scene.at.step === ENCODER) encoderRun(scene);
  else stepRun(scene);
  highlights(scene);
}
function encoderRun(scene) {
  const {
    layout: { encoder, decoder, out },
    run,
    pen,
    at: { ms },
    encoder: schedule
  } = scene;
  const seen = within(ms, schedule.chip), laid = within(ms, schedule.memory);
  for (const token of encoder.shown) {
    pen.faint(
      seen,
      () => chip(scene, run.header.source[token], encoder.chip, chipAt(scene, encoder, token), "source")
    );
    lane(scene, encoder, token, schedule, ms);
  }
  for (const stop of attentions(encoder)) {
    if (stagesAt(stop.sub, schedule.sublayers[run.encoder.sublayers.indexOf(stop.sub)], ms).project < 1)
      continue;
    for (const what of ["v", "k"])
      encoder.stack.tokens.forEach((_, key) => keyColumn(scene, encoder, stop, key, what));
  }
  if (laid > 0) {
    cable(scene, laid);
    for (const stop of crossings(scene))
      for (const what of ["v", "k"])
        encoder.stack.tokens.forEach((_, key) => keyColumn(scene, decoder, stop, key, what, laid));
  }
  for (const u of [decoder.chip, out]) chip(scene, "", u, chipAt(scene, decoder, decoder.shown[0]), "later");
}
function stepRun(scene) {
  const {
    layout: { decoder },
    run,
    at: { step, ms },
    step: schedule
  } = scene;
  const spanOf = ({ sub }) => schedule.sublayers[run.decoder.sublayers.indexOf(sub)];
  cable(scene, 1);
  if (!scene.isAsking)
    lightWires(scene, step, (stop) => within(ms, [spanOf(stop)[0], spanOf(stop)[0] + SWELL_MS]));
  litPath(scene, step, litTo(scene));
  lane(scene, decoder, step, schedule, ms);
  for (const stop of attentions(decoder)) {
    const stages = stagesAt(stop.sub, spanOf(stop), ms);
    if (!stop.sub.crosses && stages.project >= 1)
      for (const what of ["v", "k"]) keyColumn(scene, decoder, stop, step, what);
    if (stages.mix > 0 && stages.add < 1) mixing(scene, decoder, stop, step);
  }
  if (!scene.isAsking) findings(scene, (stop) => stagesAt(stop.sub, spanOf(stop), ms).mix);
  ends(scene);
}
function litTo({ layout, run, at: { ms }, step: { tokens, positions, sublayers, output } }) {
  const rests = restsOf(layout);
  const ends2 = layout.decoder.stops.map(({ sub }) => sublayers[run.decoder.sublayers.indexOf(sub)][1]);
  const times = [tokens[0], positions[1], ...ends2, output[1]];
  let place = rests[0];
  for (let i = 1; i < rests.length; i++) {
    const share = within(ms, [times[i - 1], times[i]]);
    place = mix(rests[i - 1], rests[i], share);
    if (share < 1) break;
  }
  return place;
}
function movingAt(scene) {
  const {
    at: { step, ms },
    encoder: schedule,
    layout: { encoder }
  } = scene;
  return step === ENCODER ? mix(encoder.chip, encoder.end, ms / schedule.length) : litTo(scene);
}
function ends(scene) {
  const {
    layout,
    run: { header },
    pen,
    at: { step, ms },
    step: schedule
  } = scene, { decoder } = layout;
  const v = chipAt(scene, decoder, step);
  if (v === null) return;
  const come = within(ms, schedule.chip), rises = within(ms, schedule.output), dropped = within(ms, schedule.drop);
  if (come >= 1 || step === 0 || layout.isPhone)
    pen.faint(Math.max(0.05, come), () => chip(scene, header.inputs[step], decoder.chip, v, "target"));
  else {
    const [u, across] = along(loopAt(layout, step - 1), easeMove(come));
    chip(scene, header.inputs[step], u - layout.chip / 2, across - (layout.pitch - 4) / 2, "now");
  }
  if (!layout.isPhone && rises > 0) rise(scene, laneMiddle(layout, decoder, step), Math.min(1, rises * 2));
  if (dropped <= 0) return chip(scene, "", layout.out, v, "later");
  const from = layout.isPhone ? v : mix(layout.corner.height - 30, v, easeMove(dropped));
  chip(scene, header.outputs[step], layout.out, from, header.forced[step] ? "forced" : "now");
  if (scene.run.otherwise(step)) otherwiseFrame(scene, layout.out, from);
}
function rise({ layout, pen }, from, share) {
  const u = layout.decoder.end + 3, top = mix(from, layout.corner.height + 2, share), { target: target2 } = pen.look;
  pen.line(
    [
      [u - 6, from],
      [u, from],
      [u, top]
    ],
    target2,
    2.5,
    4
  );
  if (share >= 1)
    pen.area(
      [
        [u - 5, top + 5],
        [u + 5, top + 5],
        [u, top - 3]
      ],
      target2
    );
}
function along(points, share) {
  const lengths = points.slice(1).map(([u, v], i) => Math.hypot(u - points[i][0], v - points[i][1]));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (const [i, length] of lengths.entries()) {
    if (left <= length || i === lengths.length - 1) {
      return [
        mix(points[i][0], points[i + 1][0], left / length),
        mix(points[i][1], points[i + 1][1], left / length)
      ];
    }
    left -= length;
  }
  return points[0];
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

// explorer/browser/shared/look.ts
var CANVAS_ROLES = [
  "bg",
  "well",
  "line",
  "line2",
  "ink",
  "ink2",
  "mute",
  "link",
  "source",
  "source-tint",
  "source-line",
  "target",
  "target-tint",
  "target-line",
  "on-target",
  "q",
  "k",
  "v",
  "hatch",
  "positive",
  "negative",
  "error"
];
var STOPS = [0, 1, 2, 3, 4, 5];
function readLook(root) {
  root.dataset.look = themeOf(root);
  const style = getComputedStyle(root);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const roles = Object.fromEntries(CANVAS_ROLES.map((name) => [name, read(name)]));
  const ramp = (name) => makeRamp(STOPS.map((i) => read(`${name}-${i}`)));
  const ramps = { weight: ramp("weight"), plus: ramp("plus"), minus: ramp("minus") };
  return { ...roles, ramps, errorPixel: pixelOf(channels(roles.error)), family: style.fontFamily };
}
function makeRamp(colours) {
  const stops = colours.map(channels), fill = [], text = [], pixels = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    const place = i / 255 * 5, left = Math.min(4, Math.floor(place));
    const [red, green, blue] = stops[left].map(
      (c, k) => Math.round(c + (stops[left + 1][k] - c) * (place - left))
    );
    const mixed = [red, green, blue], light = luminance(mixed);
    pixels[i] = pixelOf(mixed);
    fill.push(`rgb(${mixed.join()})`);
    text.push((light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000" : "#fff");
  }
  return { fill, text, pixels };
}
function pixelOf([red, green, blue]) {
  return 255 << 24 | blue << 16 | green << 8 | red;
}
function channels(hex) {
  const at = (i) => parseInt(hex.slice(i, i + 2), 16);
  return [at(1), at(3), at(5)];
}
function rampIndex(place) {
  return Math.round(255 * Math.min(1, Math.max(0, place)));
}
function prepareCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  return { context: canvas.getContext("2d"), ratio };
}

// explorer/views/living_map/component/pointing.ts
function pointedAt(scene, x, y) {
  const { layout } = scene, [u, v] = scene.pen.place(x, y);
  for (const band2 of [layout.encoder, layout.decoder]) {
    const found = inBand(scene, band2, u, v);
    if (found) return found;
  }
  const { corner } = layout;
  return !layout.isPhone && x >= corner.x && y < corner.height ? { block: "generator" } : null;
}
function inBand(scene, band2, u, v) {
  const { layout, at } = scene, last2 = band2.side === "target" ? layout.out + layout.chip : band2.end;
  const inLanes = v >= band2.lanes && v < band2.bottom, inKeys = v >= band2.keysTop && v < band2.lanes;
  const named2 = !layout.isPhone && (band2.side === "source" ? v >= band2.top && v < band2.keysTop : v >= band2.bottom && v < band2.bottom + 20);
  if (u < band2.chip || u > last2 || !(inLanes || inKeys || named2)) return null;
  const token = inLanes ? band2.shown[Math.floor((v - band2.lanes) / layout.pitch)] : void 0;
  const isThere = token !== void 0 && (band2.side === "source" || token <= Math.max(0, at.step));
  const lane2 = isThere ? { side: band2.side, token } : {};
  const stop = band2.stops.find((each) => u >= each.inside - 5 && u < each.to);
  const norm = band2.stops.find(
    (each) => each.sub.norm && !each.isFolded && u >= each.from && u < each.inside - 5
  );
  if (norm && !stop) return { ...lane2, block: norm.sub.norm };
  if (!stop) return withEnd(scene, band2, u, lane2);
  if (stop.sub.kind === "attention" && !stop.isFolded) {
    const key = keyUnder(scene, stop, u);
    if (key !== null && isThere && inLanes)
      return cellAt(scene, band2, stop, token, key, v) ?? { ...lane2, block: stop.sub.id };
    if (key !== null && inKeys && (scene.run.keySide(stop.sub) === "source" || key <= at.step))
      return { side: scene.run.keySide(stop.sub), token: key, block: stop.sub.id };
  }
  if (stop.isFolded) return { ...lane2, block: foldedBlock(band2, stop, v) };
  return { ...lane2, block: u >= stop.plus - 8 && inLanes ? stop.sub.joins : stop.sub.id };
}
function withEnd({ layout, run }, band2, u, lane2) {
  if (lane2.token === void 0) return null;
  if (band2.side === "target" && u >= layout.out - 4) return { ...lane2, block: "generator" };
  return u < band2.begin + layout.tile + 6 ? { ...lane2, block: run.stack(band2.side).embedding.id } : lane2;
}
function keyUnder({ layout, run }, stop, u) {
  const keys = run.keys(stop.sub).length, key = Math.floor((u - stop.keys) / layout.keyWidth) * layout.keyGroup;
  return u >= stop.keys && key < keys ? key : null;
}
function cellAt(scene, band2, stop, row, column, v) {
  const { layout, run, at } = scene;
  if (run.isCausal(stop.sub) && column > row) return null;
  if (run.keySide(stop.sub) === "target" && column > Math.max(0, at.step)) return null;
  if (band2.side === "source" && at.step === ENCODER && at.ms < scene.encoder.length) return null;
  const inside = Math.floor((v - tileAt(layout, band2, row)) / layout.row);
  const head = layout.rows > 1 ? Math.max(0, Math.min(layout.rows - 1, inside)) : null;
  return { block: stop.sub.id, cell: { sub: stop.sub, row, column, head } };
}
function blockBox(scene, id) {
  const { layout, run } = scene;
  for (const band2 of [layout.encoder, layout.decoder]) {
    const stop = band2.stops.find(({ sub }) => sub.id === id), joined = band2.stops.find(({ sub }) => sub.joins === id), height = band2.bottom - band2.keysTop;
    if (stop) return [stop.inside - 4, band2.keysTop, stop.plus - 8 - stop.inside, height];
    if (joined) return [joined.plus - 8, band2.lanes, joined.to - joined.plus + 8, band2.bottom - band2.lanes];
    if (run.stack(band2.side).embedding.id === id)
      return [band2.chip, band2.lanes, band2.begin + layout.tile - band2.chip, band2.bottom - band2.lanes];
  }
  const place = blockPlace(scene, id);
  return place && [place[0] - 30, place[1] - 20, 60, 40];
}
function blocksOf({ sublayers }) {
  return sublayers.flatMap(({ norm, id, joins }) => norm ? [norm, id, joins] : [id, joins]);
}
function foldedBlock(band2, stop, v) {
  const ids = blocksOf(stop), share = (v - band2.keysTop) / (band2.bottom - band2.keysTop);
  return ids[Math.max(0, Math.min(ids.length - 1, Math.floor(share * ids.length)))];
}
function foldedPlace(band2, stop, index) {
  return band2.keysTop + index / blocksOf(stop).length * (band2.bottom - band2.keysTop);
}
function blockPlace({ layout, run }, id) {
  if (id === "generator") return [layout.out + layout.chip / 2, layout.decoder.lanes - 24];
  for (const band2 of [layout.encoder, layout.decoder]) {
    const v = layout.isPhone ? band2.lanes + 30 : band2.side === "source" ? band2.keysTop - 9 : band2.bottom + 12;
    if (id === `${band2.side === "source" ? "encoder" : "decoder"}.final_norm`)
      return [band2.end - 4, band2.lanes - 10];
    if (run.stack(band2.side).embedding.id === id)
      return [band2.chip + layout.chip, layout.isPhone ? band2.lanes + 20 : band2.lanes - 10];
    for (const stop of band2.stops) {
      const among = blocksOf(stop).indexOf(id);
      if (stop.isFolded && among >= 0)
        return [stop.stream + layout.tile / 2, foldedPlace(band2, stop, among + 0.5)];
      if (stop.isFolded) continue;
      if (stop.sub.norm === id) return [stop.from + 2, v];
      if (stop.sub.id === id) return [stop.inside + 20, v];
      if (stop.sub.joins === id) return [stop.plus, layout.isPhone ? v : band2.bottom - 12];
    }
  }
  return null;
}

// explorer/browser/shared/cells.ts
var WEIGHTS = {
  kind: "weight",
  ramp: () => "weight",
  place: (value) => value,
  beyond: (value) => value > 1.00001 || value < 0,
  faint: (value) => value < 0.1,
  bold: (value) => value >= 0.3,
  write: (value) => fixed(value, 2)
};
function signedScale(limit) {
  const place = (value) => limit > 0 ? Math.abs(value) / limit : Number(value !== 0);
  return {
    kind: "signed",
    limit,
    place,
    ramp: (value) => value < 0 ? "minus" : "plus",
    // The limit itself is a float32 that has been through a division.
    beyond: (value) => Math.abs(value) > limit * 1.000001,
    faint: (value) => place(value) < 0.1,
    bold: () => false,
    write: shortNumber
  };
}
function shortNumber(value) {
  const size = Math.abs(value);
  if (size >= 9999.5 && Number.isFinite(value))
    return `${value < 0 ? "−" : ""}1e${Math.floor(Math.log10(size))}`;
  return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}
function shadeOf({ ramps }, scale, value) {
  const ramp = ramps[scale.ramp(value)], index = rampIndex(scale.place(value));
  return { fill: ramp.fill[index], text: ramp.text[index] };
}
function pixelOf2({ ramps, errorPixel }, scale, value) {
  return Number.isNaN(value) ? errorPixel : ramps[scale.ramp(value)].pixels[rampIndex(scale.place(value))];
}
function pixelCanvas(width, height, pixel) {
  const image = new ImageData(width, height), pixels = new Uint32Array(image.data.buffer), canvas = document.createElement("canvas");
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++, at++) pixels[at] = pixel(x, y);
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

// explorer/views/living_map/component/still.ts
var OVERVIEW = 4;
function drawStill(scene) {
  const {
    layout: { encoder, decoder },
    at
  } = scene;
  for (const band2 of [encoder, decoder]) {
    for (const stop of band2.stops) stopFrame(scene, band2, stop);
    layerNames(scene, band2);
    laneLines(scene, band2);
    overview(scene, band2);
  }
  if (at.step !== ENCODER) kept(scene);
  chips(scene);
  if (!scene.layout.isPhone) around(scene);
}
function kept(scene) {
  const {
    layout: { encoder, decoder },
    run,
    at: { step },
    pen
  } = scene;
  for (const token of encoder.shown) {
    const most = Math.max(...run.crossing.map((sub) => run.size(sub.weights, step, token)));
    pen.faint(
      isLit(scene, "source", token) ? 1 : 0.6 + 0.4 * Math.min(1, most * 1.6),
      () => lane(scene, encoder, token, scene.encoder, Infinity)
    );
  }
  for (const band2 of [encoder, decoder]) {
    for (const stop of attentions(band2)) {
      const keys = run.keySide(stop.sub) === "source" ? run.keys(stop.sub).length : step;
      for (const what of ["v", "k"])
        for (let key = 0; key < keys; key++) keyColumn(scene, band2, stop, key, what, 0.85);
    }
  }
  for (const token of decoder.shown.filter((each) => each < step)) {
    pen.faint(
      isLit(scene, "target", token) ? 1 : 0.5,
      () => lane(scene, decoder, token, scene.step, Infinity)
    );
  }
}
function stopFrame(scene, band2, stop) {
  const { layout, pen, pointed, run } = scene, { look } = pen, isEncoder = band2.side === "source", isOn = pointed?.block === stop.sub.id;
  if (isOn) {
    const top = layout.isPhone ? band2.keysTop - 2 : isEncoder ? band2.top + layout.header - 21 : band2.keysTop - 3;
    const bottom = layout.isPhone ? band2.bottom : band2.bottom + (isEncoder ? 2 : 20);
    pen.box(stop.inside - 5, top, stop.stream - stop.inside - 9, bottom - top, 8, {
      fill: look.well,
      stroke: look.line2
    });
  }
  const colour = isOn ? look.link : look.ink2, title = stop.isFolded ? `Layer ${stop.sub.layer}` : stop.sub.title;
  if (layout.isPhone) {
    const name = stop.isFolded ? title : `${title} · layer ${stop.sub.layer}`;
    pen.text(name, stop.inside - 12, band2.lanes, colour, { size: 12, weight: 600 });
  } else {
    const y = isEncoder ? band2.top + layout.header - 9 : band2.bottom + 12;
    pen.text(title, stop.inside - 1, y, colour, {
      weight: 600,
      size: stop.isFolded ? 12 : 12.5,
      most: stop.to - stop.inside - 2
    });
  }
  if (stop.isFolded) return;
  if (stop.sub.kind === "attention") crossing(scene, band2, stop);
  else if (!layout.isPhone) {
    const { d_model: narrow, d_ff: wide } = run.header;
    pen.text(`${narrow} → ${wide} → ${narrow}`, stop.hidden + layout.hidden / 2, band2.lanes - 8, look.mute, {
      size: 12,
      align: "center"
    });
  }
}
function crossing(scene, band2, stop) {
  const { layout, pen, run, at } = scene, { look } = pen, keys = run.keys(stop.sub).length, columns = columnsOf(layout, keys);
  const last2 = stop.keys + columns * layout.keyWidth;
  const rows = band2.side === "source" ? band2.shown.length : band2.shown.filter((token) => token <= at.step).length;
  pen.fill(stop.keys - 2, band2.lanes, columns * layout.keyWidth + 3, rows * layout.pitch, look.well);
  pen.faint(stop.sub.crosses ? 0.75 : 1, () => {
    for (let key = 0; key < keys && layout.keyWidth > 4; key++) {
      const u = keyAt(layout, stop, key) + Math.floor((layout.keyWidth - 1) / 2) + 0.5;
      pen.line(
        [
          [u, keysAt(layout, band2, "k") + layout.keyHeight],
          [u, band2.bottom]
        ],
        look[stop.sub.crosses ? "source-line" : "line"],
        1
      );
    }
  });
  if (layout.isPhone) {
    pen.text("V", last2 + 9, band2.keysTop + layout.keyHeight / 2 - 1, look.v, {
      weight: 650,
      align: "center"
    });
    pen.text("K", last2 + 9, band2.keysTop + layout.keyHeight * 1.5 + 3, look.k, {
      weight: 650,
      align: "center"
    });
    pen.text("Q", stop.q + layout.side / 2, band2.lanes - 6, look.q, { weight: 650, align: "right" });
    return;
  }
  for (const what of ["v", "k"]) {
    const v = keysAt(layout, band2, what) + layout.keyHeight / 2;
    pen.text(what.toUpperCase(), last2 + 4, v, look[what], { weight: 650 });
    if (stop.sub.crosses) continue;
    const u = stop.inside - (what === "k" ? 2 : 5);
    pen.faint(
      0.55,
      () => pen.line(
        [
          [u, band2.lanes + 2],
          [u, v],
          [stop.keys - 3, v]
        ],
        look[what],
        1,
        4
      )
    );
  }
  pen.text("Q", stop.q + layout.side / 2, band2.lanes - 6, look.q, { weight: 650, align: "center" });
}
function layerNames({ layout, pen }, band2) {
  if (layout.isPhone) return;
  const isEncoder = band2.side === "source", y = isEncoder ? band2.top + 9 : band2.bottom + 30, foot = y + (isEncoder ? 4 : -4);
  const open = band2.stops.filter(({ isFolded }) => !isFolded);
  for (const number of new Set(open.map(({ sub }) => sub.layer))) {
    const own = open.filter(({ sub }) => sub.layer === number), from = own[0].inside - 4, to = own.at(-1).stream + layout.tile;
    const name = `${isEncoder ? "Encoder" : "Decoder"} layer ${number}`, width = pen.measure(name, { size: 12 });
    pen.line(
      [
        [from, foot],
        [from, y],
        [from + 8, y]
      ],
      pen.look.line2,
      1
    );
    pen.line(
      [
        [from + 16 + width, y],
        [to, y],
        [to, foot]
      ],
      pen.look.line2,
      1
    );
    pen.text(name, from + 12, y, pen.look.mute, { size: 12 });
  }
}
function laneLines(scene, band2) {
  const { layout, pen, at } = scene, { look } = pen, isSource = band2.side === "source", end = isSource ? band2.end : layout.out - 2;
  const most = mostRead(scene), from = band2.chip + layout.chip;
  for (const token of band2.shown) {
    const v = laneMiddle(layout, band2, token), isPointed = isLit(scene, band2.side, token), isMost = isSource && token === most;
    const isLater = !isSource && token > at.step, isNow2 = !isSource && token === at.step;
    if (isNow2 || isPointed || isMost) {
      pen.faint(
        isPointed && !isNow2 ? 0.75 : 1,
        () => pen.fill(from - 4, v - layout.pitch / 2, end - from + 4, layout.pitch, look[`${band2.side}-tint`])
      );
    }
    const isStrong = isPointed || isMost, colour = isStrong ? look[band2.side] : isLater ? look.line : look[`${band2.side}-line`];
    pen.line(
      [
        [from, v],
        [end, v]
      ],
      colour,
      isPointed ? 2 : isMost ? 2.2 : 1,
      0,
      isLater ? [2, 4] : void 0
    );
  }
}
function overview({ layout, pen, run }, band2) {
  const all = run.stack(band2.side).tokens.length, height = band2.shown.length * layout.pitch;
  if (band2.shown.length === all) return;
  pen.fill(band2.chip - OVERVIEW - 1, band2.lanes, OVERVIEW, height, pen.look.line);
  for (const token of band2.shown)
    pen.fill(
      band2.chip - OVERVIEW - 1,
      band2.lanes + height * token / all,
      OVERVIEW,
      height / all,
      pen.look[band2.side]
    );
}
function chips(scene) {
  const {
    layout,
    run: { header },
    at: { step }
  } = scene, { encoder, decoder } = layout, most = mostRead(scene);
  for (const token of encoder.shown) {
    const isMost = isLit(scene, "source", token) || token === most;
    if (step !== ENCODER)
      chip(
        scene,
        hasWord(scene, encoder, token, isMost) ? header.source[token] : "",
        encoder.chip,
        chipAt(scene, encoder, token),
        isMost ? "most" : "source"
      );
  }
  for (const token of decoder.shown) {
    const v = chipAt(scene, decoder, token), isWritten = token < step;
    const word = (text) => isWritten && hasWord(scene, decoder, token, false) ? text : "";
    if (token !== step)
      chip(scene, word(header.inputs[token]), decoder.chip, v, isWritten ? "target" : "later");
    if (token !== step)
      chip(
        scene,
        word(header.outputs[token]),
        layout.out,
        v,
        isWritten ? header.forced[token] ? "forced" : "target" : "later"
      );
    if (token !== step && isWritten && scene.run.otherwise(token)) otherwiseFrame(scene, layout.out, v);
  }
}
function around(scene) {
  const { layout, pen, at, run } = scene, { look } = pen, { encoder, decoder, memory } = layout;
  const below = decoder.bottom + layout.header + 10, middle = layout.width / 2;
  const isThere = at.step > 0 && decoder.place.has(at.step - 1) && decoder.place.has(at.step);
  if (isThere) pen.line(loopAt(layout, at.step - 1), look["target-line"], 1.2, 7);
  else
    pen.line(
      [
        [layout.width - 2, decoder.lanes + layout.pitch / 2],
        [layout.width - 2, below],
        [2, below],
        [2, decoder.lanes + layout.pitch * 1.5]
      ],
      look["target-line"],
      1.2,
      7,
      [2, 4]
    );
  const said2 = "the token that was written is read at the next step", width = pen.measure(said2, { size: 12 });
  pen.fill(middle - width / 2 - 8, below - 8, width + 16, 16, look.bg);
  pen.text(said2, middle, below, look.mute, { size: 12, align: "center" });
  pen.text("memory", memory.u + 48, memory.v - 10, look.source, { weight: 650 });
  pen.text("kept for every step", memory.u + 98, memory.v - 10, look.mute, { size: 12 });
  const heading = { weight: 600, align: "center" };
  pen.text("reads", encoder.chip + layout.chip / 2, encoder.lanes - 9, look.source, heading);
  pen.text("reads", decoder.chip + layout.chip / 2, decoder.lanes - 9, look.target, heading);
  pen.text("writes", layout.out + layout.chip / 2 + 6, decoder.lanes - 9, look.target, heading);
  const lines = ["the last vector of the lane", `meets ${formatCount(run.header.n_vocabulary)} embeddings`], gap = layout.isLarge ? 16 : 15;
  lines.forEach(
    (line, i) => pen.text(line, decoder.end - 6, memory.v + (layout.isLarge ? 26 : 14) + i * gap, look.mute, {
      size: 12,
      align: "right"
    })
  );
  legend(scene, 8, memory.v + (layout.isLarge ? 16 : 11));
}
function folded({ layout, run: { header } }) {
  const { encoder, decoder, rows, keyGroup } = layout, lanes = encoder.shown.length + decoder.shown.length;
  const all = header.source.length + header.outputs.length;
  return [
    header.every > 1 ? `every ${ordinal(header.every)} number` : "",
    rows < header.n_heads ? `mean of ${header.n_heads} heads` : "",
    lanes < all ? `${lanes} of ${all} lanes, around the step` : "",
    keyGroup > 1 ? `${keyGroup} keys a column, their mean` : ""
  ].filter(Boolean);
}
function legend(scene, x, y) {
  const { pen, run, hatch } = scene, { look } = pen, steps = 60, { limit } = run.header;
  const wide = run.compared === "difference" ? 8 : 0;
  const bar = (at, name, ends3, colour) => {
    pen.text(name, x, at, look.mute, { size: 12 });
    pen.text(ends3[0], x + 64 + wide, at, look.mute, { size: 12, align: "right" });
    for (let i = 0; i < steps; i++)
      pen.fill(x + 68 + wide + i * 1.2, at - 4, 1.7, 8, colour(i / (steps - 1)));
    pen.text(ends3[1], x + 145 + wide, at, look.mute, { size: 12 });
  };
  const whole = signedScale(1), signed = (share) => shadeOf(look, whole, share * 2 - 1).fill;
  const ends2 = (size) => [
    fixed(-size, size < 1 ? 1 : 0),
    fixed(size, size < 1 ? 1 : 0)
  ];
  bar(y, "values", ends2(limit), signed);
  if (run.compared === "difference") bar(y + 16, "weights", ends2(run.header.weight_limit), signed);
  else bar(y + 16, "weights", ["0", "1"], (share) => shadeOf(look, WEIGHTS, share).fill);
  pen.fill(x + 176 + 2 * wide, y + 12, 14, 9, hatch);
  pen.text("masked", x + 195 + 2 * wide, y + 16, look.mute, { size: 12 });
  pen.text(folded(scene).join(" · "), x + 156 + 2 * wide, y, look.mute, {
    size: 12,
    most: scene.layout.memory.u - x - 160 - 2 * wide
  });
}

// explorer/views/living_map/component/tiles.ts
var MIDDLE2 = 127;
var NOT_A_NUMBER = 255;
var Tiles = class {
  /** isFlat: whether a tile is one row of numbers, where lanes are too low for more. */
  constructor(run, look, isFlat) {
    this.run = run;
    this.look = look;
    this.isFlat = isFlat;
    const { compared, weight_limit: limit } = run.header, codes = signedScale(MIDDLE2);
    this.pixels = range(NOT_A_NUMBER + 1).map(
      (code) => pixelOf2(look, codes, code === NOT_A_NUMBER ? NaN : code - MIDDLE2)
    );
    this.scale = compared === "difference" ? signedScale(limit) : WEIGHTS;
  }
  sheets = /* @__PURE__ */ new Map();
  pixels;
  /** Of weights; a difference has a sign, and a scale of its own. */
  scale;
  /** The tile of a token; turned, its rows run across. */
  of(site, token, isTurned) {
    const sheet = this.sheet(site, isTurned);
    const part = sheet.isAcross ? [token * sheet.width, 0, sheet.width, sheet.height] : [0, token * sheet.height, sheet.width, sheet.height];
    return { canvas: sheet.canvas, part };
  }
  /** The weights of every query, one row of pixels a head: of the mean alone where lanes have one row. */
  weights(site, group, isTurned) {
    return this.kept(`${site}/${group}/${isTurned}`, () => this.drawWeights(site, group, isTurned));
  }
  /** The colours of a weight. */
  weight(value) {
    return shadeOf(this.look, this.scale, value);
  }
  sheet(site, isTurned) {
    return this.kept(`${site}/${isTurned}`, () => this.drawSheet(site, isTurned));
  }
  kept(key, draw) {
    let sheet = this.sheets.get(key);
    if (!sheet) this.sheets.set(key, sheet = draw());
    return sheet;
  }
  drawSheet(site, isTurned) {
    const codes = this.run.codes(site), [tokens, allRows, columns] = codes.shape, step = this.isFlat ? allRows : 1;
    const rows = this.isFlat ? 1 : allRows;
    const value = (token, row, column) => codes[token * allRows * columns + (row * columns + column) * step];
    const [width, height] = isTurned ? [rows, columns] : [columns, rows];
    const canvas = pixelCanvas(
      isTurned ? width * tokens : width,
      isTurned ? height : height * tokens,
      (x, y) => {
        const token = Math.floor(isTurned ? x / width : y / height), [across, down] = isTurned ? [x % width, y] : [x, y % height];
        return this.pixels[isTurned ? value(token, across, down) : value(token, down, across)];
      }
    );
    return { canvas, width, height, isAcross: isTurned };
  }
  drawWeights(site, group, isTurned) {
    const {
      shape: [heads, queries, keys]
    } = this.run.weights(site), columns = Math.ceil(keys / group), rows = this.isFlat ? 1 : heads;
    const one = (row, query, key) => this.isFlat ? this.run.mean(site, query, key) : this.run.weight(site, row, query, key);
    const value = (row, query, column) => {
      const last2 = Math.min(keys, (column + 1) * group);
      let sum = 0;
      for (let key = column * group; key < last2; key++) sum += one(row, query, key);
      return sum / (last2 - column * group);
    };
    const pixel = (weight) => pixelOf2(this.look, this.scale, weight);
    const canvas = isTurned ? pixelCanvas(rows * queries, columns, (x, y) => pixel(value(x % rows, Math.floor(x / rows), y))) : pixelCanvas(columns, rows * queries, (x, y) => pixel(value(y % rows, Math.floor(y / rows), x)));
    return isTurned ? { canvas, width: rows, height: columns, isAcross: true } : { canvas, width: columns, height: rows, isAcross: false };
  }
};

// explorer/views/living_map/component/picture.ts
var PINNED = 3;
var Picture = class {
  constructor(run, root, room) {
    this.run = run;
    this.root = root;
    this.room = room;
    this.schedules = schedulesOf(run);
    this.resize(room);
  }
  node = el("canvas", { role: "img", tabindex: 0 });
  still = document.createElement("canvas");
  schedules;
  look;
  layout;
  tiles;
  hatch;
  key = "";
  laidFor = null;
  ratio = 1;
  /** Lay out anew for another room or another theme. */
  resize(room) {
    this.room = room;
    this.look = readLook(this.root);
    this.lay(this.laidFor ?? 0);
    this.ratio = prepareCanvas(this.node, this.layout.width, this.layout.height).ratio;
    [this.still.width, this.still.height] = [this.node.width, this.node.height];
    this.hatch = hatching(this.node.getContext("2d"), this.look);
  }
  lay(step) {
    const before = this.tiles;
    this.laidFor = step;
    this.layout = this.laidOut(step);
    const isFlat = this.layout.rows < this.run.header.n_heads;
    if (before?.isFlat !== isFlat || before.look !== this.look)
      this.tiles = new Tiles(this.run, this.look, isFlat);
    this.key = "";
  }
  laidOut(step, width = this.room.width) {
    const { run } = this, at = Math.max(0, step);
    return layOut(run, {
      ...this.room,
      width,
      step: at,
      pinned: run.byReading(run.crossing.at(-1), at).slice(0, PINNED)
    });
  }
  /** Everything that drawing needs at a moment. */
  scene({ at, pointed, chosen, isAsking }) {
    const { encoder, decoder } = this.layout, isWhole = encoder.shown.length === this.run.header.source.length && decoder.shown.length === this.run.steps;
    if (!isWhole && this.laidFor !== at.step) this.lay(at.step);
    return {
      run: this.run,
      layout: this.layout,
      tiles: this.tiles,
      hatch: this.hatch,
      pen: this.pen(this.node),
      ...this.schedules,
      at,
      pointed,
      chosen,
      isAsking
    };
  }
  pen(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    return new Pen(context, this.look, this.layout.isPhone);
  }
  /** Draw one frame. */
  draw(scene) {
    const { node, still } = this, context = node.getContext("2d"), key = JSON.stringify([scene.at.step, mostRead(scene), said(scene.pointed)]);
    if (key !== this.key) {
      this.key = key;
      still.getContext("2d").clearRect(0, 0, still.width, still.height);
      drawStill({ ...scene, pen: this.pen(still) });
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, node.width, node.height);
    context.drawImage(still, 0, 0);
    drawMoving({ ...scene, pen: this.pen(node) });
  }
  under(scene, event) {
    const { left, top } = this.node.getBoundingClientRect();
    return pointedAt(scene, event.clientX - left, event.clientY - top);
  }
  get corner() {
    return this.layout.corner;
  }
  /** The corner that it would have, were it so wide. */
  cornerIn(width) {
    return this.laidOut(this.laidFor ?? 0, width).corner;
  }
  get height() {
    return this.layout.height;
  }
};
function said(pointed) {
  const { cell, ...others } = pointed ?? {};
  return [others, cell && [cell.sub.id, cell.row, cell.column, cell.head]];
}
function hatching(context, look) {
  const tile2 = document.createElement("canvas"), size = 10;
  tile2.width = tile2.height = size;
  const pen = tile2.getContext("2d");
  pen.strokeStyle = look.hatch;
  pen.lineWidth = 1.3;
  pen.globalAlpha = 0.75;
  for (let x = -size; x <= 2 * size; x += size / 2) {
    pen.beginPath();
    pen.moveTo(x, size);
    pen.lineTo(x + size, 0);
    pen.stroke();
  }
  return context.createPattern(tile2, "repeat");
}

// explorer/views/living_map/component/steps_table.ts
function stepsTable(run) {
  const { header } = run, heads = [
    "step",
    "reads",
    "writes",
    "P",
    `${whose(run)}reads most in layer ${run.crossing.at(-1).layer}`,
    "weight"
  ];
  const rows = header.outputs.map((token, step) => {
    const { place, weight } = run.reading(step);
    const cells2 = [
      String(step),
      header.inputs[step],
      token,
      formatProbability(run.probability(step)),
      header.source[place],
      written(run, weight)
    ];
    return el("tr", {}, ...cells2.map((text) => words("td", text)));
  });
  return el(
    "div",
    { class: "unseen" },
    table(
      "The steps of the decoding",
      heads.map((text) => columnHead(text)),
      rows
    )
  );
}

// explorer/views/living_map/component/track.ts
var HEIGHT = 24;
var ENCODER_SHARE = 0.6;
var Track = class {
  canvas = el("canvas", { "aria-hidden": "true" });
  node = el(
    "div",
    { class: "track", role: "slider", tabindex: 0, "aria-label": "Moment of the run" },
    this.canvas
  );
  steps = 1;
  constructor(scrub, signal) {
    let isHeld = false;
    const move = (event) => {
      const { left, width } = this.node.getBoundingClientRect();
      scrub(this.momentAt((event.clientX - left) / width));
    };
    this.node.addEventListener(
      "pointerdown",
      (event) => {
        isHeld = true;
        this.node.setPointerCapture(event.pointerId);
        move(event);
      },
      { signal }
    );
    this.node.addEventListener(
      "pointermove",
      (event) => {
        if (isHeld) move(event);
      },
      { signal }
    );
    for (const name of ["pointerup", "pointercancel"])
      this.node.addEventListener(
        name,
        () => {
          isHeld = false;
        },
        { signal }
      );
  }
  get unit() {
    return 1 / (this.steps + ENCODER_SHARE);
  }
  momentAt(share) {
    const place = Math.min(1, Math.max(0, share)) / this.unit;
    if (place < ENCODER_SHARE) return { step: ENCODER, ms: place / ENCODER_SHARE * ENCODER_MS };
    return momentAt(ENCODER_MS + (place - ENCODER_SHARE) * STEP_MS, this.steps);
  }
  /** Where a step begins and ends, as shares of the line. */
  span(step) {
    return step === ENCODER ? [0, ENCODER_SHARE * this.unit] : [(ENCODER_SHARE + step) * this.unit, (ENCODER_SHARE + step + 1) * this.unit];
  }
  draw(scene) {
    const width = this.node.clientWidth, {
      run,
      at,
      pen: { look }
    } = scene, pen = penOn(this.canvas, width, HEIGHT, look);
    this.steps = run.steps;
    const [from, to] = this.span(at.step), place = (from + (to - from) * (at.ms / lengthOf(at.step))) * width;
    for (let step = ENCODER; step < run.steps; step++) this.segment(pen, scene, step, width, place);
    pen.box(Math.min(width - 3, Math.max(0, place - 1.5)), 3, 3, 21, 1.5, { fill: look.ink });
  }
  segment(pen, { run: { header }, at, step: schedule }, step, width, place) {
    const { look } = pen, isNow2 = step === at.step, isLater = step > at.step;
    const [from, to] = this.span(step).map((share) => share * width), x = from + 1, end = to - 1, side2 = step === ENCODER ? "source" : "target";
    pen.faint(
      isLater ? 0.45 : 1,
      () => pen.box(x, 6, Math.max(1, end - x), 15, 4, { fill: look[`${side2}-tint`] })
    );
    if (!isLater) {
      pen.context.save();
      pen.context.clip();
      pen.fill(x, 6, (isNow2 ? place : end) - x, 15, look[`${side2}-line`]);
      if (isNow2 && step !== ENCODER)
        for (const [, to2] of schedule.sublayers)
          pen.fill(x + (end - x) * to2 / STEP_MS - 0.5, 6, 1, 15, look.bg);
      pen.context.restore();
    }
    const name = step === ENCODER ? width < 700 ? "enc" : "encoder" : header.outputs[step];
    const colour = isLater ? look.mute : isNow2 ? look.ink : look[side2];
    if (end - x > 14)
      pen.text(name, (x + end) / 2, 14, colour, {
        size: 12,
        weight: isNow2 ? 650 : 400,
        align: "center",
        most: end - x - 4
      });
  }
  /** Say where the run stands; once it rests, for a screen reader would not keep up with frames. */
  tell(scene) {
    const { run, at } = scene, { node } = this;
    node.ariaValueMin = "0";
    node.ariaValueMax = String(ENCODER_MS + run.steps * STEP_MS);
    node.ariaValueNow = String(Math.round(timeOf(at)));
    node.ariaValueText = plainText(caption({ ...scene, pointed: null }));
  }
};

// explorer/views/living_map/component/view.ts
var PHONE = 641;
var REST_MS2 = 400;
var CARD_MS = 350;
var LEAST_HEIGHT2 = 480;
var LONGEST_FRAME = 60;
var LivingMap = class {
  constructor(root, signal) {
    this.root = root;
    this.corner = new Corner({
      force: (token) => this.act({ kind: "force", step: this.at.step, token_id: token }),
      explain: (token) => this.act({ kind: "probability", step: this.at.step, token_id: token }),
      open: (block) => this.zoom(block),
      inspect: (block, name) => this.act({ kind: "inspect", block, name }),
      close: () => this.about(null)
    });
    this.guide = new Guide({
      play: () => {
        this.point(null, true);
        this.replay();
      },
      force: (token) => this.act({ kind: "force", step: this.at.step, token_id: token }),
      type: () => tell("command", { do: "type" }),
      light: (token) => this.point(token < 0 ? null : { side: "source", token }, true)
    });
    this.track = new Track((to) => this.hold(to), signal);
    const replay = button({ class: "plain", text: "Replay this step" }, () => this.replay());
    root.append(
      el(
        "div",
        { class: "head" },
        this.title,
        this.guide.node,
        this.lead,
        this.compare.node,
        el("div", { class: "acts" }, replay)
      ),
      this.stage,
      el(
        "div",
        { class: "foot" },
        el("div", { class: "caption" }, this.caption, keyHints()),
        this.track.node
      ),
      this.heard
    );
    listenForLesson();
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    this.corner.node.addEventListener("pointerenter", () => clearTimeout(this.lingering), { signal });
    onTold("command", (command) => this.obey(command), signal);
    onTold(
      "light",
      (light) => {
        this.spotlight.turn(light);
        if (this.picture) this.kick();
      },
      signal
    );
    this.tellToken = shareToken(
      (token) => this.point(token && { side: token.side, token: token.place }, false),
      signal
    );
    onResize(root, () => this.layout(), signal);
    onMoved(root, () => this.layout(), signal);
  }
  teller = new Teller(
    (a, b) => a.step === b.step && a.moment === b.moment,
    () => ({ about: { key: this.run.header.key }, choice: this.choice() })
  );
  tellToken;
  title = el("h1");
  lead = el("p");
  stage = el("div", { class: "stage" });
  blocks = el("div", { class: "blocks" });
  caption = el("span");
  heard = el("p", { class: "unseen", "aria-live": "polite" });
  spotlight = new Spotlight();
  corner;
  guide;
  track;
  compare = new CompareSwitch(
    (compared) => this.act({ kind: "compare", compared, ...this.choice() })
  );
  picture = null;
  table = null;
  at = { step: ENCODER, ms: 0 };
  pointed = null;
  chosen = null;
  block = null;
  isPlaying = false;
  isReplay = false;
  // of one step alone, at whose end it rests
  speed = 1;
  openTo = Infinity;
  before = 0;
  frame = 0;
  rest;
  lingering;
  written = "";
  reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
  // ---- moments -----------------------------------------------------------------------------------------------
  get run() {
    return this.picture.run;
  }
  get last() {
    return this.run.steps - 1;
  }
  get isOver() {
    return this.at.ms >= lengthOf(this.at.step);
  }
  /** Rest at the end of a step. */
  go(step) {
    const to = Math.max(ENCODER, Math.min(this.last, step));
    this.hold({ step: to, ms: lengthOf(to) });
  }
  /** Stop at a moment. */
  hold(to) {
    this.guide.leave();
    this.at = to;
    this.isPlaying = false;
    this.chosen = null;
    this.moved();
    this.rested();
  }
  toggle() {
    if (this.reduced.matches) return this.nextStage(1);
    if (!this.isPlaying && this.isOver)
      this.at = this.at.step === this.last ? { step: ENCODER, ms: 0 } : this.hasPlayed() ? { step: this.at.step + 1, ms: 0 } : { ...this.at, ms: 0 };
    this.guide.leave();
    this.isPlaying = !this.isPlaying;
    this.isReplay = false;
    this.before = 0;
    this.moved();
    if (!this.isPlaying) this.rested();
    return void 0;
  }
  plays = 0;
  /** The first press plays the step that is looked at; from the second one on it goes on. */
  hasPlayed() {
    return this.at.step === ENCODER || this.plays++ > 0;
  }
  replay() {
    this.at = { ...this.at, ms: 0 };
    this.isPlaying = this.isReplay = !this.reduced.matches;
    this.before = 0;
    this.moved();
  }
  /** The next still frame, or the one before. */
  nextStage(by) {
    const { encoder, step } = schedulesOf(this.run), isEncoder = this.at.step === ENCODER;
    const frames = stillFrames(isEncoder ? encoder : step, isEncoder ? this.run.encoder : this.run.decoder), { ms } = this.at;
    const next = by > 0 ? frames.find((each) => each > ms + 1) : frames.findLast((each) => each < ms - 1);
    if (next !== void 0) return this.hold({ step: this.at.step, ms: next });
    const to = this.at.step + by;
    if (to < ENCODER || to > this.last) return void 0;
    return this.hold({ step: to, ms: by > 0 ? 0 : lengthOf(to) });
  }
  moved() {
    tell("moment", {
      step: this.at.step,
      isPlaying: this.isPlaying,
      speed: this.speed,
      isRunning: !this.isOver
    });
    this.kick();
  }
  // ---- frames ------------------------------------------------------------------------------------------------
  kick() {
    if (!this.frame) this.frame = requestAnimationFrame((now) => this.tick(now));
  }
  tick(now) {
    this.frame = 0;
    if (!this.picture || !this.root.isConnected) return;
    if (this.isPlaying) this.advance(this.before ? Math.min(LONGEST_FRAME, now - this.before) : 16);
    this.before = now;
    this.draw();
    if (!this.isPlaying) return;
    this.keepInSight();
    this.kick();
  }
  /** On a phone the picture is longer than the screen, which follows what moves. */
  keepInSight() {
    const page = this.root.getRootNode().host.closest("[data-testid=stMain]");
    if (this.root.dataset.size !== "phone" || !page) return;
    const { top } = this.picture.node.getBoundingClientRect(), at = top + movingAt(this.scene());
    page.scrollBy(0, at - window.innerHeight * 0.55);
  }
  advance(passed) {
    const ms = this.at.ms + passed * this.speed, length = lengthOf(this.at.step);
    if (ms < length) this.at = { ...this.at, ms };
    else if (this.at.step < this.last && !this.isReplay) {
      this.at = { step: this.at.step + 1, ms: 0 };
      this.moved();
    } else {
      this.at = { ...this.at, ms: length };
      this.isPlaying = false;
      this.moved();
      this.rested();
    }
  }
  scene() {
    return this.picture.scene({
      at: this.at,
      pointed: this.pointed,
      chosen: this.chosen,
      isAsking: this.guide.isAsking
    });
  }
  draw() {
    this.lead.hidden = this.guide.show(this.scene());
    const scene = this.scene();
    this.table.hidden = scene.isAsking;
    this.picture.draw(scene);
    this.spotlight.place(scene);
    this.corner.draw(scene, this.block);
    this.track.draw(scene);
    const pieces = [question(scene), [lead(scene)], caption(scene)], text = JSON.stringify(pieces);
    if (text === this.written) return;
    this.written = text;
    this.title.replaceChildren(...nodes(pieces[0]));
    setText(this.lead, lead(scene));
    this.lead.title = lead(scene);
    this.caption.replaceChildren(...nodes(pieces[2]));
    this.caption.title = plainText(pieces[2]);
  }
  /** Tell Python and whoever listens, once it has been still for a moment. */
  rested() {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      if (!this.picture || this.isPlaying) return;
      const scene = this.scene();
      this.track.tell(scene);
      setText(this.heard, scene.isAsking ? plainText(question(scene)) : spoken(scene));
      this.teller.tellChoice();
    }, REST_MS2);
  }
  choice() {
    const step = Math.max(0, this.at.step);
    return { step, moment: this.at.step !== ENCODER && this.isOver ? null : Math.round(timeOf(this.at)) };
  }
  // ---- what is done in it --------------------------------------------------------------------------------------
  act(what) {
    this.teller.tell("act", { key: this.run.header.key, ...what });
  }
  obey(command) {
    if (!this.picture) return;
    if (command.do === "go") this.go(command.step);
    else if (command.do === "toggle") this.toggle();
    else if (command.do === "speed") {
      this.speed = command.speed;
      this.moved();
    }
  }
  point(pointed, isOwn) {
    if (!this.picture || JSON.stringify(said(pointed)) === JSON.stringify(said(this.pointed))) return;
    this.pointed = pointed;
    this.kick();
    if (!isOwn) return;
    this.linger(pointed);
    this.tellToken(this.tokenOf(pointed));
  }
  /** The token that other views light for what is pointed at here. */
  tokenOf(pointed) {
    if (pointed?.cell) return { side: this.run.stackOf(pointed.cell.sub).side, place: pointed.cell.row };
    return pointed?.side && pointed.token !== void 0 ? { side: pointed.side, place: pointed.token } : null;
  }
  /** What is said of a block comes once somebody stays on its name, and goes once they stay elsewhere; not on the way to it. */
  linger(pointed) {
    clearTimeout(this.lingering);
    const isName = pointed?.block !== void 0 && pointed.token === void 0 && !pointed.cell;
    if (isName) this.lingering = setTimeout(() => this.about(pointed.block), CARD_MS);
    else if (pointed) this.lingering = setTimeout(() => this.about(null), 2 * CARD_MS);
  }
  /** Into a block: it grows from its place, and its page opens. */
  zoom(block) {
    const box = this.boxOf(block);
    if (box) leave("in", block, box, this.stage);
    this.act({ kind: "open", block });
  }
  /** The place of a block in the window. */
  boxOf(block) {
    const scene = this.scene(), place = blockBox(scene, block);
    if (!place) return null;
    const [u, v, du, dv] = place, [x, y] = scene.pen.place(u, v), [width, height] = scene.pen.place(du, dv), { left, top } = this.stage.getBoundingClientRect();
    return { left: left + x, top: top + y, width, height };
  }
  about(block) {
    this.block = block && this.run.block(block) || null;
    this.kick();
  }
  onClick(event) {
    const pointed = this.picture.under(this.scene(), event), { cell } = pointed ?? {};
    if (!cell) tell("light", null);
    if (cell && isBeside(this.run))
      this.chosen = cell;
    else if (cell) {
      this.chosen = cell;
      const head = cell.head ?? 0;
      this.act({ kind: "weight", site: cell.sub.weights, head, row: cell.row, column: cell.column });
    } else if (pointed?.block) this.zoom(pointed.block);
    else if (pointed?.side === "target" && pointed.token !== void 0) this.go(pointed.token);
    this.kick();
  }
  onKey(event) {
    const path = event.composedPath(), isOurs = path.includes(this.root), isFree = path[0] === document.body;
    if (!this.picture || event.defaultPrevented || !(isOurs || isFree)) return;
    if (comesFrom(event, "button, a, input") && [" ", "Enter"].includes(event.key)) return;
    const stages = event.shiftKey;
    actOn(event, {
      ArrowRight: () => stages ? this.nextStage(1) : this.go(this.at.step + 1),
      ArrowLeft: () => stages ? this.nextStage(-1) : this.go(this.at.step - 1),
      " ": () => this.toggle(),
      Home: () => this.go(ENCODER),
      End: () => this.go(this.last),
      Escape: (this.block || this.chosen || this.pointed) !== null && (() => this.close()),
      "[": () => this.open(-1),
      "]": () => this.open(1)
    });
  }
  close() {
    this.chosen = null;
    this.point(null, true);
    this.about(null);
  }
  /** Move which layers are open, where not all of them can be. */
  open(by) {
    const last2 = this.run.decoder.sublayers.at(-1).layer;
    this.openTo = Math.max(0, Math.min(last2, Math.min(last2, this.openTo) + by));
    this.layout();
  }
  // ---- room ----------------------------------------------------------------------------------------------------
  layout() {
    if (!this.picture || !this.root.clientWidth) return;
    const isPhone = window.innerWidth < PHONE;
    this.root.dataset.size = isPhone ? "phone" : "wide";
    this.root.style.height = isPhone ? "" : `${Math.max(LEAST_HEIGHT2, window.innerHeight - topOf(this.root))}px`;
    this.picture.resize({
      width: this.root.clientWidth,
      height: isPhone ? 0 : this.stage.clientHeight,
      isPhone,
      openTo: this.openTo
    });
    const { corner, height } = this.picture, { style } = this.corner.node;
    Object.assign(
      style,
      isPhone ? {} : { left: `${corner.x}px`, top: "0", width: `${corner.width}px`, height: `${corner.height}px` }
    );
    if (isPhone) this.picture.node.style.height = `${height}px`;
    offerCorner(this.stage, isPhone ? null : (width) => this.picture.cornerIn(width));
    this.written = "";
    this.buttons();
    this.kick();
  }
  /** A button over each block, in the order of the computation, for whoever uses no pointer; one that is there stays. */
  buttons() {
    const scene = this.scene(), before = new Map(
      [...this.blocks.children].map((button2) => [
        button2.dataset.block,
        button2
      ])
    );
    const buttons = this.run.header.blocks.flatMap(([id]) => {
      const place = blockPlace(scene, id), block = this.run.block(id);
      if (!place || !block) return [];
      const [x, y] = scene.pen.place(...place), button2 = before.get(id) ?? this.button(block);
      Object.assign(button2.style, { left: `${x}px`, top: `${y}px` });
      return [button2];
    });
    if (buttons.length !== before.size || buttons.some((button2, i) => button2 !== this.blocks.children[i]))
      this.blocks.replaceChildren(...buttons);
  }
  button({ id, title }) {
    const node = button(
      { "aria-label": `${title}, ${id}`, "data-block": id, "aria-keyshortcuts": "i" },
      () => this.zoom(id)
    );
    node.addEventListener("focus", () => this.point({ block: id }, true));
    node.addEventListener("keydown", (event) => actOn(event, { i: () => this.about(id) }));
    node.addEventListener("blur", () => this.point(null, true));
    return node;
  }
  // ---- new messages --------------------------------------------------------------------------------------------
  update({ data, setStateValue }) {
    this.teller.through(setStateValue);
    const payload = readPayload(data), { header } = payload, fresh = this.picture?.run.header.key !== header.key;
    const choice = { step: header.step, moment: header.moment };
    const verdict = this.teller.choices.hear(choice, header.report, {
      fresh,
      possible: this.at.step < header.outputs.length,
      pending: false
    });
    if (fresh) this.begin(Run.of(payload));
    if (verdict === "follow") this.follow(choice);
    else if (verdict === "keep") this.rested();
    this.layout();
    if (fresh) this.moved();
    const flight = arrival("out"), place = flight && this.boxOf(flight.block);
    if (place) openAround(place, this.stage);
  }
  begin(run) {
    const isHeld = this.root.contains(focusBeside(this.root));
    this.compare.show(run);
    this.picture = new Picture(run, this.root, {
      width: this.root.clientWidth || 800,
      height: this.stage.clientHeight,
      isPhone: window.innerWidth < PHONE,
      openTo: this.openTo
    });
    this.isPlaying = false;
    this.block = this.chosen = this.pointed = null;
    const { node } = this.picture;
    node.setAttribute("aria-label", "The whole network");
    node.addEventListener("mousemove", (event) => {
      this.point(this.picture.under(this.scene(), event), true);
      node.style.cursor = this.pointed?.cell ? "pointer" : this.pointed?.block ? "zoom-in" : "";
    });
    node.addEventListener("mouseleave", () => this.point(null, true));
    node.addEventListener("click", (event) => this.onClick(event));
    this.stage.replaceChildren(
      node,
      this.blocks,
      this.spotlight.node,
      this.corner.node,
      this.table = stepsTable(this.run)
    );
    if (isHeld) node.focus({ preventScroll: true });
  }
  follow({ step, moment }) {
    const held = moment === null ? null : momentAt(moment, this.run.steps);
    const isOfStep = held !== null && Math.max(0, held.step) === step;
    this.at = isOfStep ? held : { step: Math.min(step, this.last), ms: lengthOf(0) };
    this.isPlaying = false;
    this.moved();
    this.rested();
  }
  dispose() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    clearTimeout(this.lingering);
    offerCorner(this.stage, null);
    this.spotlight.end();
    tell("moment", null);
  }
};
function nodes(pieces) {
  return pieces.map((piece) => typeof piece === "string" ? piece : words("b", piece.text, piece.kind));
}
function keyHints() {
  const keys = [
    [["←", "→"], "step"],
    [["Shift", "→"], "stage"],
    [["Space"], "play"],
    [["Esc"], "close"]
  ];
  return el(
    "span",
    { class: "keys", "aria-hidden": "true" },
    ...keys.flatMap(([names, does]) => [
      ...names.flatMap((name, i) => [
        ...i && name === "→" && names[0] === "Shift" ? ["+"] : [],
        words("kbd", name),
        " "
      ]),
      `${does}  `
    ])
  );
}
var view_default = mounted(".living-map", (root, signal) => new LivingMap(root, signal));
export default view_default;
