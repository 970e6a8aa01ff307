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
function explainButton(ask, attributes = {}) {
  const node = button({ class: "link", text: "Explain this number", ...attributes }, ask);
  node.addEventListener("pointerdown", (event) => event.preventDefault());
  return node;
}
function columnHead(text, name) {
  return el("th", { scope: "col", ...name && { class: name }, text });
}
function rowHead(text, name) {
  return el("th", { scope: "row", ...name && { class: name }, text });
}
function table(caption, heads, rows, attributes = {}) {
  return el(
    "table",
    attributes,
    words("caption", caption, "unseen"),
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...rows)
  );
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

// explorer/browser/shared/focus.ts
function focusBeside(node) {
  return node.getRootNode().activeElement;
}
function setHidden(node, hidden, heir) {
  const isHeld = hidden && focusBeside(node) === node;
  node.hidden = hidden;
  if (isHeld) heir.focus({ preventScroll: true });
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
  const target = place?.querySelector("a, button");
  target?.click();
  if (target) return "pressed";
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
function formatSigned(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || value === 0 || size >= 1e-3 && size <= 9999) return fixed(value, 3);
  const [mantissa, exponent] = fourDigits(size).split("e");
  return `${value < 0 ? "−" : ""}${mantissa.replace(/\.?0+$/, "")} · 10${raised(Number(exponent))}`;
}
function fourDigits(size) {
  const between = /^(\d\.\d\d[02468])50*(e.*)$/.exec(size.toExponential(20));
  return between ? between[1] + between[2] : size.toExponential(3);
}
function raised(exponent) {
  return String(exponent).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
}
function formatCount(value) {
  return value.toLocaleString("en-US");
}
function plural(count, word) {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
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

// explorer/browser/shared/text.ts
var INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
function visible(token) {
  if (token === "") return "∅";
  return clip(safe(token.replace(/\s/g, "␣")), 80);
}
function safe(text) {
  return text.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}
function visibleText(text) {
  return visible(text).replaceAll("␣", " ");
}
function clip(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

// explorer/browser/shared/cells.ts
function cellSize(longest, columns, room) {
  if (longest <= 8) return Math.max(34, Math.min(48, Math.floor(room / columns)));
  if (longest <= 16) return 34;
  if (longest <= 32) return 20;
  if (longest <= 64) return 10;
  return Math.max(2, Math.min(10, Math.floor(room / columns)));
}
function shownLabels(cell, marked) {
  const every = Math.ceil(14 / cell);
  const crowd = Math.ceil(15 / cell);
  return (i) => marked.includes(i) || i % every === 0 && (every === 1 || marked.every((m) => Math.abs(m - i) >= crowd));
}
var WEIGHTS = {
  kind: "weight",
  ramp: () => "weight",
  place: (value) => value,
  beyond: (value) => value > 1.00001 || value < 0,
  faint: (value) => value < 0.1,
  bold: (value) => value >= 0.3,
  write: (value) => fixed(value, 2)
};
function shadeOf({ ramps }, scale, value) {
  const ramp = ramps[scale.ramp(value)], index = rampIndex(scale.place(value));
  return { fill: ramp.fill[index], text: ramp.text[index] };
}
function pixelOf2({ ramps, errorPixel }, scale, value) {
  return Number.isNaN(value) ? errorPixel : ramps[scale.ramp(value)].pixels[rampIndex(scale.place(value))];
}
function hatch(look, ratio) {
  const tile = document.createElement("canvas"), size = Math.round(7 * ratio);
  tile.width = tile.height = size;
  const context = tile.getContext("2d");
  context.strokeStyle = look.hatch;
  context.lineWidth = 1.1 * ratio;
  context.beginPath();
  for (const start of [-size, 0, size]) {
    context.moveTo(start, size);
    context.lineTo(start + size, 0);
  }
  context.stroke();
  return tile;
}
function cellPainter(context, look, ratio, scale, fontSize = 0) {
  return new CellPainter(context, look, ratio, scale, fontSize);
}
var CellPainter = class {
  constructor(context, look, ratio, scale, fontSize) {
    this.context = context;
    this.look = look;
    this.ratio = ratio;
    this.scale = scale;
    this.fontSize = fontSize;
    context.textAlign = "center";
    context.textBaseline = "middle";
  }
  // One pattern for the whole plane, so that the lines of the hatch run on from cell to cell.
  pattern = null;
  masked(...box) {
    this.context.fillStyle = this.pattern ??= this.context.createPattern(
      hatch(this.look, this.ratio),
      "repeat"
    );
    this.context.fillRect(...box);
  }
  cell(value, ...box) {
    if (Number.isNaN(value)) return this.cross(...box);
    const { look, scale, ratio } = this, [, , width, height] = box;
    const { fill, text } = shadeOf(look, scale, value), isFinite = Number.isFinite(value);
    const isNo = scale.kind === "mask" && !value;
    if (isNo) this.masked(...box);
    else {
      this.context.fillStyle = fill;
      this.context.fillRect(...box);
    }
    if (isFinite && scale.beyond(value)) this.cutCorner(...box);
    const size = this.fontSize || (!isFinite && Math.min(width, height) >= 14 * ratio ? 12 * ratio : 0);
    const colour = isNo || scale.faint(value) ? look.mute : text;
    if (size) this.write(value, size, colour, box, isNo);
    else if (!isFinite) this.dot(...box);
  }
  write(value, size, colour, [x, y, width, height], isOnHatch) {
    const { context, look, scale } = this, text = scale.write(value);
    context.font = `${scale.bold(value) ? 600 : 400} ${size}px ${look.family}`;
    if (isOnHatch) {
      const paper = context.measureText(text).width + 6 * this.ratio;
      context.fillStyle = look.bg;
      context.fillRect(x + (width - paper) / 2, y + (height - size * 1.2) / 2, paper, size * 1.2);
    }
    context.fillStyle = colour;
    context.fillText(text, x + width / 2, y + height / 2 + size * 0.06);
  }
  cross(x, y, width, height) {
    const { context } = this;
    context.strokeStyle = this.look.error;
    context.lineWidth = Math.max(1, height / 20);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + width, y + height);
    context.moveTo(x + width, y);
    context.lineTo(x, y + height);
    context.stroke();
  }
  // A value beyond the scale keeps the end colour and loses its top right corner.
  cutCorner(x, y, width, height) {
    const { context } = this;
    context.fillStyle = this.look.bg;
    context.beginPath();
    context.moveTo(x + width * 0.65, y);
    context.lineTo(x + width, y);
    context.lineTo(x + width, y + height * 0.35);
    context.fill();
  }
  dot(x, y, width, height) {
    const { context } = this;
    context.fillStyle = this.look.bg;
    context.beginPath();
    context.arc(x + width / 2, y + height / 2, Math.min(width, height) / 4, 0, 2 * Math.PI);
    context.fill();
  }
};
function pixelSheet(look, scale, rows, columns, value, masked) {
  return pixelCanvas(columns, rows, (column, row) => {
    const number = value(row, column);
    return masked(row, column) || scale.kind === "mask" && !number ? CLEAR : pixelOf2(look, scale, number);
  });
}
var CLEAR = 0;
function pixelCanvas(width, height, pixel) {
  const image = new ImageData(width, height), pixels = new Uint32Array(image.data.buffer), canvas = document.createElement("canvas");
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++, at++) pixels[at] = pixel(x, y);
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
function drawSheet(canvas, sheet, { width, height }, under) {
  const prepared = prepareCanvas(canvas, width, height), { context } = prepared;
  under?.(prepared);
  context.imageSmoothingEnabled = false;
  context.drawImage(sheet, 0, 0, canvas.width, canvas.height);
  return prepared;
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

// explorer/views/decoding/component/data.ts
function within(index, last) {
  return Math.min(last, Math.max(0, index));
}
function makeTrace({ header, arrays: given }) {
  const arrays = given, { log_probs: logProbs, candidate_probs: probs } = arrays, [steps, width] = probs.shape;
  const source = header.source_tokens.map(visible), output = header.output_tokens.map(visible);
  const totals = [];
  logProbs.reduce((sum, value, t) => totals[t] = sum + value, 0);
  const planes = makePlanes(header, arrays, source, output), lastCross = planes.cross.matrix(planes.cross.layers - 1, null);
  const candidate = (t, i) => {
    const isChosen = i === header.chosen[t], prob = probs[t * width + i];
    return {
      id: header.candidate_ids[t][i],
      token: header.candidate_tokens[t][i],
      prob,
      logProb: isChosen ? logProbs[t] : Math.log(prob),
      isChosen
    };
  };
  return {
    ...header,
    steps,
    output,
    totals,
    planes,
    nCandidates: width,
    candidate,
    lens: header.lens && makeLens(header.lens, given),
    // The source token that each step reads most: the row of the encoder that a step is about.
    reads: output.map((_, t) => Math.max(0, peakOf(lastCross, t, source.length))),
    logProbs: (from, to) => Array.from(logProbs.subarray(from, to)),
    entropyBits: (t) => arrays.entropy_bits[t],
    probability: (t) => candidate(t, header.chosen[t]).prob,
    perplexity: (t) => Math.exp(-totals[t] / (t + 1)),
    isForced: (t) => header.forced[t] === true
  };
}
function makePlanes({ bos, sites, causal }, arrays, source, output) {
  const input = [visible(bos), ...output.slice(0, -1)];
  return {
    encoder: makePlane(arrays.encoder_weights, {
      title: "Encoder self-attention",
      stack: "encoder",
      site: sites.encoder,
      rows: source,
      writes: [],
      columns: source,
      rowSide: "source",
      columnSide: "source",
      rowWords: "the source tokens that read",
      columnWords: "those that are read",
      note: "The encoder reads the whole source at once, so every row is there from the first step on."
    }),
    self: makePlane(arrays.self_weights, {
      title: "Decoder self-attention",
      stack: "decoder",
      site: sites.self,
      rows: input,
      writes: output,
      columns: input,
      rowSide: "target",
      columnSide: "target",
      shift: 1,
      causal,
      rowWords: "each step by what it reads",
      columnWords: "the same tokens as keys",
      note: causal ? "Hatched cells are masked: a step reads only what has been written before it." : ""
    }),
    cross: makePlane(arrays.weights, {
      title: "Cross-attention",
      stack: "decoder",
      site: sites.cross,
      rows: input,
      writes: output,
      columns: source,
      rowSide: "target",
      columnSide: "source",
      rowWords: "each step by what it reads",
      columnWords: "the source tokens"
    })
  };
}
function makePlane(weights, attention) {
  const { rows, writes, rowSide, shift = 0, causal = false } = attention;
  const [layers, heads, height, width] = weights.shape, size = height * width, means = [];
  return {
    ...attention,
    causal,
    layers,
    heads,
    height,
    width,
    longest: Math.max(height, width),
    byStep: rowSide === "target",
    // its rows appear one after the other
    /** A row at the beginning of a sentence, and where there is room. */
    rowName: (row) => writes.length ? `Step ${row} (→ ${clip(writes[row], 24)})` : rows[row],
    rowHeading: (row) => writes.length ? `reads ${clip(rows[row], 24)} → writes ${clip(writes[row], 24)}` : clip(rows[row], 24),
    masked: (row, column) => causal && column > row,
    columnOf: (chip) => chip + shift < width ? chip + shift : void 0,
    chipOf: (column) => column - shift,
    // −1 for BOS, which has no chip
    matrix(layer, head) {
      if (head !== null)
        return weights.subarray((layer * heads + head) * size, (layer * heads + head + 1) * size);
      return means[layer] ??= meanOf(
        weights.subarray(layer * heads * size, (layer + 1) * heads * size),
        heads
      );
    }
  };
}
function peakOf(matrix, row, columns) {
  let best = -1;
  for (let j = 0; j < columns; j++) {
    const value = matrix[row * columns + j];
    if (!Number.isNaN(value) && (best < 0 || value > matrix[row * columns + best])) best = j;
  }
  return best;
}
function headName(head, heads) {
  return head === null ? `mean of ${plural(heads, "head")}` : `head ${head}`;
}
function makeLens(header, {
  "lens.top": top,
  "lens.top_probs": chances,
  "lens.probs": probs,
  "lens.ranks": ranks
}) {
  const count = header.names.length, width = top.shape[2], names = header.tokens.map(visible);
  const at = (t, i) => t * count + i;
  return {
    ...header,
    count,
    width,
    /** The k-th token after a point, most probable first, and its P. */
    token: (t, i, k) => clip(names[top[at(t, i) * width + k]], 24),
    chance: (t, i, k) => chances[at(t, i) * width + k],
    /** P and rank of the token that was produced. */
    prob: (t, i) => probs[at(t, i)],
    rank: (t, i) => ranks[at(t, i)]
  };
}

// explorer/views/decoding/component/heads.ts
var FRAME = 9;
var NAMES = 46;
var WIDEST = 0.42;
var LARGEST = 62;
var SIDES = { dashboard: [62, 56, 50, 44, 36, 28, 24], usual: [62, 56, 50, 44] };
var Heads = class {
  // what all together may be wide, and scroll beyond
  constructor(view, plane) {
    this.view = view;
    this.plane = plane;
    this.rows = [null, ...range(plane.heads)];
    this.gap = plane.layers > 3 ? 3 : 8;
    for (const [name, value] of [
      ["layers", plane.layers],
      ["heads", this.rows.length],
      ["gap", `${this.gap}px`]
    ])
      this.node.style.setProperty(`--${name}`, String(value));
    const label = (name, text, style) => el("span", { class: name, text, style, "aria-hidden": "true" });
    this.layerNames = range(plane.layers).map(
      (layer) => label("layer-name", `layer ${layer}`, `--l:${layer}`)
    );
    this.headNames = this.rows.map((head, row) => label("head-name", shortName(head), `--h:${row}`));
    this.thumbs = range(plane.layers).flatMap(
      (layer) => this.rows.map((head, row) => this.thumb(layer, head, row))
    );
    const ofLayer = (layer) => this.thumbs.filter((thumb) => thumb.layer === layer).map((thumb) => thumb.node);
    this.node.append(
      ...this.layerNames.flatMap((name, layer) => [name, ...ofLayer(layer)]),
      ...this.headNames
    );
  }
  node = el("div", { class: "heads", role: "group", "aria-label": "Layers and heads" });
  rows;
  gap;
  thumbs;
  layerNames;
  headNames;
  size = { width: 0, height: 0 };
  // of one picture
  most = Infinity;
  thumb(layer, head, row) {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const attributes = {
      class: "thumb",
      style: `--l:${layer};--h:${row}`,
      "aria-label": `Layer ${layer}, ${headName(head, this.plane.heads)}`
    };
    const node = button(
      attributes,
      () => this.view.choose(layer, head),
      el("span", { class: "paper" }, canvas),
      el("span", { class: "short", text: shortName(head), "aria-hidden": "true" })
    );
    return { node, canvas, layer, head };
  }
  measure(side) {
    const { longest, width, height } = this.plane;
    const even = side / longest, cell = longest <= 8 ? Math.floor(Math.max(24 / longest, Math.min(9, even))) : even;
    this.size = {
      width: Math.max(10, Math.round(width * cell)),
      height: Math.max(10, Math.round(height * cell))
    };
  }
  /** Chooses the size, 62 px for the longer side where there is room; says whether the pictures stand beside the matrix. */
  fit(room, tall, matrixWidth) {
    const { phone, dashboard } = this.view.size, count = this.rows.length;
    if (phone) {
      this.measure(
        Math.max(42, Math.min(LARGEST, Math.floor(this.node.parentElement.clientWidth / count) - FRAME))
      );
      return false;
    }
    const left = room - matrixWidth - 24;
    const fits = () => this.ownWidth() <= left && (!dashboard || this.ownWidth() <= WIDEST * room && this.ownHeight() <= tall);
    const found = SIDES[dashboard ? "dashboard" : "usual"].some((side) => {
      this.measure(side);
      return fits();
    });
    const isBeside = found || dashboard;
    if (!isBeside) this.measure(LARGEST);
    this.most = dashboard ? Math.floor(WIDEST * room) : Infinity;
    this.node.classList.toggle("across", !isBeside && count > this.plane.layers);
    return isBeside;
  }
  get width() {
    return Math.min(this.most, this.ownWidth());
  }
  ownWidth() {
    return NAMES + this.plane.layers * (Math.max(24, this.size.width + FRAME) + this.gap);
  }
  ownHeight() {
    return 22 + this.rows.length * (Math.max(24, this.size.height + FRAME) + 2);
  }
  draw() {
    const { plane, size, view } = this;
    for (const { canvas, layer, head } of this.thumbs) {
      const matrix = plane.matrix(layer, head);
      drawSheet(
        canvas,
        pixelSheet(
          view.look,
          WEIGHTS,
          plane.height,
          plane.width,
          (t, j) => matrix[t * plane.width + j],
          plane.masked
        ),
        size
      );
    }
  }
  // One write for all pictures: the style sheet clips this much off the foot of every canvas, and half a pixel more,
  // because a picture that starts between two pixels is drawn on the nearest one, but clipped where it is.
  step() {
    const {
      plane,
      view,
      size: { height }
    } = this, shown2 = Math.floor((view.state.step + 1) * height / plane.height);
    this.node.style.setProperty("--cut", plane.byStep ? `${height - shown2 + 0.5}px` : "0px");
  }
  matrix() {
    const { layer, head } = this.view.state;
    for (const thumb of this.thumbs)
      thumb.node.setAttribute("aria-pressed", String(thumb.layer === layer && thumb.head === head));
    this.layerNames.forEach((name, l) => name.classList.toggle("now", l === layer));
    this.headNames.forEach((name, row) => name.classList.toggle("now", this.rows[row] === head));
  }
  layout() {
    this.draw();
    this.matrix();
    this.step();
  }
};
function shortName(head) {
  return head === null ? "mean" : `head ${head}`;
}

// explorer/browser/shared/sheet.ts
var GAPLESS = 10;
function gapOf({ width, height }) {
  return Math.min(width, height) >= GAPLESS ? 1 : 0;
}
function drawCells(canvas, cells, size, scale, fontSize, look) {
  const { width, height } = size, prepared = prepareCanvas(canvas, cells.columns * width, cells.rows * height), { context, ratio } = prepared;
  const painter = cellPainter(context, look, ratio, scale, fontSize * ratio), gap = gapOf(size) && Math.max(1, Math.round(ratio));
  const across = Math.round(width * ratio) - gap, down = Math.round(height * ratio) - gap;
  for (let row = 0; row < cells.rows; row++)
    for (let column = 0; column < cells.columns; column++) {
      const x = Math.round(column * width * ratio), y = Math.round(row * height * ratio);
      if (cells.masked(row, column)) painter.masked(x, y, across, down);
      else painter.cell(cells.value(row, column), x, y, across, down);
    }
  return prepared;
}
var Sheet = class {
  constructor(canvas, frames) {
    this.canvas = canvas;
    this.frames = new Map(frames.map((name) => [name, el("i", { class: `frame ${name}` })]));
    this.nodes = [...this.frames.values(), el("i", { class: "ring" })];
  }
  /** The frames, and a ring around all that the focus shows. */
  nodes;
  size = { width: 0, height: 0 };
  frames;
  /** Frames so many rows and columns from a cell on; null hides the frame. */
  frame(name, spot, rows = 1, columns = 1) {
    const { style } = this.frames.get(name), { width, height } = this.size, gap = gapOf(this.size);
    style.transition = style.visibility === "visible" ? "" : "none";
    style.visibility = spot ? "visible" : "hidden";
    if (!spot) return;
    style.transform = `translate(${spot.column * width}px,${spot.row * height}px)`;
    style.width = `${columns * width - gap}px`;
    style.height = `${rows * height - gap}px`;
  }
  /** The cell under the pointer, among so many rows and columns. */
  under(event, rows, columns) {
    const { left, top } = this.canvas.getBoundingClientRect(), { width, height } = this.size;
    const row = Math.floor((event.clientY - top) / height), column = Math.floor((event.clientX - left) / width);
    return row >= 0 && column >= 0 && row < rows && column < columns ? { row, column } : null;
  }
  /** Keeps a cell in sight when the matrix scrolls inside its card; left, top: what its labels take of the room. */
  reveal(scroller, { row, column }, { left, top }) {
    const { width, height } = this.size;
    scroller.scrollLeft = scrolledTo(column * width, width, scroller.scrollLeft, scroller.clientWidth - left);
    scroller.scrollTop = scrolledTo(row * height, height, scroller.scrollTop, scroller.clientHeight - top);
  }
};
function scrolledTo(at, length, scrolled, room) {
  if (at < scrolled) return at;
  return at + length > scrolled + room ? at + length - room + 8 : scrolled;
}

// explorer/views/decoding/component/room.ts
var LARGEST2 = 48;
var SMALLEST = 8;
var TURN = 48 * Math.PI / 180;
function labelSize({ longest }, { phone, low }) {
  return longest <= 8 && !phone && !low ? 14 : 12;
}
function leftRoom({ row }, { phone, dashboard }) {
  return Math.ceil(Math.min(row, phone ? 78 : dashboard ? 96 : 132)) + 12;
}
function leastWidth({ longest, width }, { dashboard }) {
  return width * (dashboard ? SMALLEST : cellSize(longest, width, 0));
}
function cellRoom(plane, widths, size, free, tall) {
  const { phone, dashboard } = size, { width: columns, height: rows, longest, writes } = plane;
  const fitting = (room, count) => Math.max(SMALLEST, Math.min(LARGEST2, Math.floor(room / count)));
  const cellWidth = (room) => dashboard ? fitting(room, columns) : cellSize(longest, columns, room);
  const column = Math.min(widths.column, phone ? 90 : dashboard ? 72 : 120);
  const beyond = (cell2) => Math.max(0, Math.ceil(column * Math.cos(TURN) - cell2 / 2 + 16));
  const usual = cellWidth(free), isTurned = column > usual + (dashboard ? 3 : -6);
  const across = isTurned && dashboard ? cellWidth(free - beyond(usual)) : usual;
  const top = isTurned ? Math.ceil(column * Math.sin(TURN) + 18) : labelSize(plane, size) + 12;
  const cell = { width: across, height: dashboard ? fitting(tall - top - 10, rows) : across };
  const end = Math.ceil(Math.min(widths.end, 96)) + 12, hasEnds = writes.length > 0 && !phone && end <= free - columns * across;
  const ends = hasEnds ? end : 0;
  return { cell, top, column, ends, isTurned, overhang: Math.max(0, (isTurned ? beyond(across) : 0) - ends) };
}

// explorer/views/decoding/component/matrix.ts
var LEAST_READ = 17;
var FRAMES = ["row", "cell", "hover", "link-row", "link-column"];
var Matrix = class {
  // px for the names of rows and of columns
  constructor(view, plane, heads) {
    this.view = view;
    this.plane = plane;
    this.heads = heads;
    const label = (text) => el("span", { class: "label", title: text, text: clip(text, 40) });
    const box = (name, labels) => el("div", { class: name, "aria-hidden": "true" }, ...labels);
    this.columnLabels = plane.columns.map(label);
    this.rowLabels = plane.rows.map(label);
    this.endLabels = plane.writes.map((text) => label(`→ ${text}`));
    this.endBox = box("ends", this.endLabels);
    this.scroller = el(
      "div",
      { class: "scroller" },
      el(
        "div",
        { class: "matrix" },
        el("div", { class: "corner" }),
        box("columns", this.columnLabels),
        box("rows", this.rowLabels),
        this.box,
        this.endBox
      )
    );
    this.node = el(
      "div",
      { class: "picture", "data-rows": plane.rowSide, "data-columns": plane.columnSide },
      this.scroller,
      heads.node
    );
    this.cells.addEventListener("pointermove", (event) => view.hover(this.cellAt(event)));
    this.cells.addEventListener("pointerleave", () => view.hover(null));
    this.cells.addEventListener("click", (event) => view.pick(this.cellAt(event)));
    this.cells.addEventListener("blur", () => view.pick(null));
  }
  node;
  cells = el("canvas", {
    class: "cells",
    role: "img",
    tabindex: "0",
    "aria-roledescription": "matrix"
  });
  empty = el("canvas", { class: "empty", "aria-hidden": "true" });
  notYet = el("span");
  future = el("div", { class: "future", "aria-hidden": "true" }, this.notYet);
  sheet = new Sheet(this.cells, FRAMES);
  box = el(
    "div",
    { class: "plane" },
    this.empty,
    this.cells,
    this.future,
    ...this.sheet.nodes
  );
  columnLabels;
  rowLabels;
  endLabels;
  endBox;
  scroller;
  labels = { left: 0, top: 0 };
  // ---- size --------------------------------------------------------------------------------------------------
  labelWidths() {
    const context = document.createElement("canvas").getContext("2d"), { plane, view } = this;
    context.font = `650 ${labelSize(plane, view.size)}px ${view.look.family}`;
    const widest = (texts) => Math.max(0, ...texts.map((text) => context.measureText(clip(text, 40)).width));
    return {
      row: widest(plane.rows),
      column: widest(plane.columns),
      end: widest(this.endLabels.map((node) => node.textContent))
    };
  }
  layout() {
    const {
      plane,
      heads,
      node,
      view: { size }
    } = this, widths = this.labelWidths();
    const across = node.clientWidth, tall = node.clientHeight;
    this.labels.left = leftRoom(widths, size);
    const isBeside = heads.fit(across, tall, this.labels.left + leastWidth(plane, size));
    node.classList.toggle("wide", isBeside);
    this.place(
      cellRoom(plane, widths, size, across - this.labels.left - 8 - (isBeside ? heads.width + 20 : 0), tall)
    );
    this.drawEmpty();
    this.matrix();
  }
  /** Gives the sheet and its labels their places. */
  place({ cell, top, column, ends, overhang, isTurned }) {
    const {
      node,
      box,
      plane,
      labels: { left }
    } = this, { width, height } = cell;
    this.sheet.size = cell;
    this.labels.top = top;
    this.endBox.hidden = !ends;
    node.classList.toggle("turned", isTurned);
    const lengths = {
      left,
      top,
      label: labelSize(plane, this.view.size),
      "label-width": isTurned ? column : Math.max(width, column + 6),
      ends,
      overhang
    };
    for (const [name, length] of Object.entries(lengths)) node.style.setProperty(`--${name}`, `${length}px`);
    Object.assign(box.style, { width: `${plane.width * width}px`, height: `${plane.height * height}px` });
    this.columnLabels.forEach((label, j) => {
      label.style.left = `${(j + 0.5) * width}px`;
    });
    for (const side of [this.rowLabels, this.endLabels])
      side.forEach((label, t) => {
        label.style.top = `${(t + 0.5) * height}px`;
      });
    box.classList.toggle("tiny", this.least < LEAST_READ);
    node.toggleAttribute("data-numbers", this.hasNumbers);
  }
  get cell() {
    return this.sheet.size;
  }
  get least() {
    return Math.min(this.cell.width, this.cell.height);
  }
  get hasNumbers() {
    return this.cell.width >= 27 && this.cell.height >= LEAST_READ;
  }
  // ---- drawing -----------------------------------------------------------------------------------------------
  drawEmpty() {
    const {
      plane: { width: columns, height: rows },
      cell: { width, height },
      view: { look }
    } = this;
    const { context, ratio } = prepareCanvas(this.empty, columns * width, rows * height);
    if (this.least < LEAST_READ) return;
    context.strokeStyle = look.line2;
    context.globalAlpha = 0.7;
    context.lineWidth = ratio;
    context.setLineDash([2 * ratio, 3 * ratio]);
    context.beginPath();
    const line = (i, size) => Math.max(0, Math.round(i * size * ratio) - ratio) + ratio / 2;
    for (let t = 0; t <= rows; t++) {
      context.moveTo(0, line(t, height));
      context.lineTo(columns * width * ratio, line(t, height));
    }
    for (let j = 0; j <= columns; j++) {
      context.moveTo(line(j, width), 0);
      context.lineTo(line(j, width), rows * height * ratio);
    }
    context.stroke();
  }
  draw() {
    const { plane, view, cell } = this, { trace, look, state } = view, fontSize = cell.width >= 34 ? 13 : 12;
    const cells = {
      rows: plane.height,
      columns: plane.width,
      value: (t, j) => view.weight(t, j),
      masked: plane.masked
    };
    const { context, ratio } = drawCells(
      this.cells,
      cells,
      cell,
      WEIGHTS,
      this.hasNumbers ? fontSize : 0,
      look
    );
    if (state.overlay && plane === trace.planes.cross)
      trace.gold?.forEach((row, t) => row.forEach((j) => this.drawRing(context, ratio, t, j)));
  }
  // A ring, not a square: gold is told apart from the selected cell by its shape as well.
  drawRing(context, ratio, t, j) {
    const {
      least,
      hasNumbers,
      cell,
      view: { look }
    } = this, isLarge = least >= LEAST_READ;
    const inset = hasNumbers ? 3.5 : least * 0.2, width = cell.width - 1 - 2 * inset, height = cell.height - 1 - 2 * inset;
    const round = hasNumbers ? Math.min(8, height / 2) : Math.min(width, height) / 2;
    for (const [colour, line] of [
      [look.bg, isLarge ? 4 : 3],
      [look.ink, isLarge ? 1.75 : 1.25]
    ]) {
      context.strokeStyle = colour;
      context.lineWidth = line * ratio;
      context.beginPath();
      context.roundRect(
        (j * cell.width + inset) * ratio,
        (t * cell.height + inset) * ratio,
        width * ratio,
        height * ratio,
        round * ratio
      );
      context.stroke();
    }
  }
  matrix() {
    this.draw();
    this.step();
  }
  // ---- the step, and what is pointed at ----------------------------------------------------------------------
  step() {
    const {
      view,
      plane,
      cell: { width, height }
    } = this, now = view.row(), seen = view.rowsSeen(), left = plane.height - seen;
    this.cells.style.clipPath = left ? `inset(0 0 ${left * height + 0.5}px 0)` : "";
    this.empty.style.clipPath = `inset(${seen * height}px 0 0 0)`;
    this.future.style.top = `${seen * height}px`;
    this.future.hidden = left === 0;
    const fits = left * height >= 18 && plane.width * width >= 170;
    setText(this.notYet, fits ? `not there yet at step ${now}` : "");
    for (const side of [this.rowLabels, this.endLabels])
      side.forEach((label, t) => {
        label.classList.toggle("now", t === now);
        label.classList.toggle("later", t >= seen);
      });
    if (plane.columnSide === "target")
      this.columnLabels.forEach((label, j) => label.classList.toggle("later", j > now));
    this.sheet.frame("row", { row: now, column: 0 }, 1, plane.width);
    this.hover();
    this.cells.setAttribute("aria-label", this.summary());
  }
  summary() {
    const { view, plane } = this, { layer, head } = view.state, now = view.row(), peak = view.peak(now);
    const largest = peak < 0 ? "" : ` The largest weight of the row ${plane.rowHeading(now)} is on ${plane.columns[peak]}: ${fixed(view.weight(now, peak), 4)}.`;
    return `${plane.title} weights, ${plane.stack} layer ${layer}, ${headName(head, plane.heads)}: ${plural(view.rowsSeen(), "row")}, ${plane.rowWords}, by ${plural(plane.width, "column")}, ${plane.columnWords}.${largest} Arrow keys move a cell cursor, Escape leaves.`;
  }
  hover() {
    const { view, plane, sheet } = this, now = view.row(), picked = view.picked(), shown2 = view.rowsSeen();
    const { row, column, cell } = view.state.hover ?? {};
    sheet.frame("cell", picked);
    sheet.frame("hover", cell && row !== void 0 && column !== void 0 ? { row, column } : null);
    sheet.frame(
      "link-row",
      !cell && row !== void 0 && row !== now ? { row, column: 0 } : null,
      1,
      plane.width
    );
    const top = plane.causal ? Math.min(column ?? 0, shown2) : 0;
    sheet.frame(
      "link-column",
      !cell && column !== void 0 && top < shown2 ? { row: top, column } : null,
      shown2 - top,
      1
    );
    this.light({ row, column }, picked, now);
  }
  /** Says which labels have room, and which are those of what is pointed at. */
  light({ row, column }, picked, now) {
    const marked = (...places) => places.filter((i) => i !== void 0);
    const rowShown = shownLabels(this.cell.height, marked(now, row, picked?.row));
    const columnShown = shownLabels(this.cell.width, marked(picked?.column, column));
    for (const side of [this.rowLabels, this.endLabels])
      side.forEach((label, t) => {
        label.classList.toggle("off", !rowShown(t));
        label.classList.toggle("lit", row === t);
      });
    this.columnLabels.forEach((label, j) => {
      label.classList.toggle("off", !columnShown(j));
      label.classList.toggle("lit", column === j);
      label.classList.toggle("now", picked?.column === j);
    });
  }
  cellAt(event) {
    const spot = this.sheet.under(event, this.view.rowsSeen(), this.plane.width);
    return spot && { ...spot, cell: true };
  }
  /** Keeps the keyboard's cell in sight when the matrix scrolls inside its card. */
  reveal(cell) {
    this.sheet.reveal(this.scroller, cell, this.labels);
  }
};

// explorer/views/decoding/component/table.ts
var DETAILS = { closed: "More", open: "Less" };
var FoldedTable = class {
  constructor(label, contents) {
    this.contents = contents;
    this.node = el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": label });
    this.node.hidden = true;
  }
  node;
  built = null;
  /** The rows that are to follow: none while they are hidden. */
  get rows() {
    return this.node.hidden ? [] : this.built;
  }
  show(isShown) {
    this.node.hidden = !isShown;
    if (isShown) this.built ??= this.build();
  }
  build() {
    const { caption, heads, names, width } = this.contents();
    const rows = names.map((name) => {
      const cells = Array.from({ length: width }, () => el("td"));
      return { cells, node: el("tr", {}, name, ...cells) };
    });
    this.node.append(
      table(
        caption,
        heads,
        rows.map(({ node }) => node)
      )
    );
    return rows;
  }
};

// explorer/views/decoding/component/attention.ts
var ATTENTIONS = [
  ["encoder", "Encoder"],
  ["self", "Decoder"],
  ["cross", "Cross"]
];
var MEAN_IS_DERIVED = "Choose one head to have a number explained.";
var Attention = class {
  constructor(view) {
    this.view = view;
    const legend2 = el(
      "div",
      { class: "legend", "aria-hidden": "true" },
      el("i"),
      words("span", "0"),
      words("span", "weight"),
      words("span", "1"),
      this.beyond
    );
    const open = tableButton(view.opened, "weights", () => this.shown.table.layout());
    this.node = el(
      "section",
      { class: "card attention" },
      el(
        "header",
        {},
        this.title,
        el("div", { class: "choices" }, this.segments.node, this.gold),
        el("p", {}, this.what, this.shape, " ", this.site)
      ),
      this.place,
      el("div", { class: "readout" }, el("p", {}, this.sentence, this.explain, open, this.why), legend2),
      this.note,
      this.tablePlace
    );
  }
  node;
  title = el("h2");
  what = el("span");
  shape = el("span", { class: "shape" });
  site = el("code", { class: "site" });
  segments = new Segments(
    "segments",
    "Attention",
    (name) => this.view.setAttention(name),
    ATTENTIONS
  );
  gold = button(
    { class: "switch", role: "switch", "aria-describedby": "gold-note" },
    () => this.view.setOverlay(!this.view.state.overlay),
    el("i"),
    "Gold alignment"
  );
  // What is read: "Step 2 (→ dort) reads cat with weight 0.8123", its parts as they are spoken.
  readout = {
    query: el("b"),
    reads: el("span"),
    key: el("b"),
    tail: el("span"),
    value: el("b")
  };
  sentence = el("span", {}, ...Object.values(this.readout));
  explain = explainButton(() => this.view.explainWeight(this.pointed()));
  why = el("span", { class: "why" });
  beyond = el("span", { class: "beyond" });
  note = el("p", { class: "note", id: "gold-note" });
  place = el("div", { class: "picture-place" });
  tablePlace = el("div");
  // A plane is built when it is first looked at, and kept: the way back costs nothing.
  built = /* @__PURE__ */ new Map();
  plane = null;
  get shown() {
    return this.built.get(this.view.plane);
  }
  isCells(target) {
    return this.built.get(this.view.plane)?.matrix.cells === target;
  }
  reveal(cell) {
    this.shown.matrix.reveal(cell);
  }
  /** Brings the chosen attention in; says whether it is another one than before. */
  take() {
    const {
      view,
      view: { plane },
      built
    } = this;
    if (plane === this.plane) return false;
    this.plane = plane;
    if (!built.has(plane)) {
      const heads = new Heads(view, plane);
      built.set(plane, {
        heads,
        matrix: new Matrix(view, plane, heads),
        table: new WeightsTable(view, plane)
      });
    }
    const { matrix, table: table2 } = this.shown;
    this.place.replaceChildren(matrix.node);
    this.tablePlace.replaceChildren(table2.node);
    table2.layout();
    this.readout.query.className = plane.rowSide;
    this.readout.key.className = plane.columnSide;
    return true;
  }
  /** The cell that the readout is about; column -1 where a row has none. */
  pointed() {
    const {
      view,
      view: {
        state: { hover }
      }
    } = this, now = view.row(), picked = view.picked();
    if (!hover) return { row: picked?.row ?? now, column: picked?.column ?? -1 };
    const row = hover.row ?? now;
    return { row, column: hover.cell || hover.row === void 0 ? hover.column : view.peak(row) };
  }
  read() {
    const {
      view,
      view: { plane },
      readout
    } = this, { row, column } = this.pointed();
    this.sentence.classList.toggle("blank", column < 0);
    if (column < 0) return;
    const isMasked = plane.masked(row, column);
    setText(readout.query, clip(plane.rowName(row), 40));
    setText(readout.reads, isMasked ? " cannot read " : " reads ");
    setText(readout.key, clip(plane.columns[column], 24));
    setText(readout.tail, isMasked ? ": " : " with weight ");
    setText(readout.value, isMasked ? "masked" : fixed(view.weight(row, column), 4));
  }
  /** What is to be said of the attention, or of the gold alignment beside it. */
  remark() {
    const {
      view,
      view: { trace, plane, state }
    } = this;
    if (plane !== trace.planes.cross) return plane.note ?? "";
    if (!trace.gold) return trace.gold_note || "No gold alignment is known for this sentence.";
    if (!state.overlay) return "";
    const rows = trace.gold.slice(0, state.step + 1), known = rows.filter((row) => row.length).length;
    const right = rows.filter((row, t) => row.includes(view.peak(t))).length;
    const sofar = state.step < trace.steps - 1 ? " so far" : "";
    const among = known === rows.length ? plural(known, "row") : `the ${plural(known, "row")} with a gold word`;
    const said = known ? `${right} of ${among}${sofar} put their largest weight on a gold word.` : `No row${sofar} has a gold word.`;
    return `${said} ${trace.gold_note}`.trim();
  }
  describe() {
    const {
      view: { root, trace, plane, state },
      site,
      gold
    } = this, { layer, head } = state;
    this.node.setAttribute("aria-label", plane.title);
    setText(this.title, plane.title);
    setText(this.what, `${plane.stack} layer ${layer}, ${headName(head, plane.heads)}, `);
    site.title = plane.site.replace("{layer}", String(layer));
    setText(site, site.title);
    this.segments.show(state.attention);
    setHidden(this.explain, head === null, root);
    setText(this.why, head === null ? MEAN_IS_DERIVED : "");
    setHidden(gold, plane !== trace.planes.cross, root);
    gold.setAttribute("aria-checked", String(state.overlay));
    gold.setAttribute("aria-disabled", String(!trace.gold));
    setText(this.beyond, this.odd());
  }
  /** How many of the weights lie beyond the scale. */
  odd() {
    const { weights } = this.view, count = (is) => weights.filter(is).length;
    const outside = count((weight) => WEIGHTS.beyond(weight)), broken = count((weight) => Number.isNaN(weight));
    return [
      outside && `${plural(outside, "value")} beyond 0 to 1`,
      broken && `${formatCount(broken)} not a number (×)`
    ].filter(Boolean).join(", ");
  }
  speak() {
    this.read();
    setText(this.note, this.remark());
  }
  step() {
    const { view, shown: shown2 } = this;
    setText(this.shape, `${view.rowsSeen()}×${view.plane.width} ${view.trace.dtype}`);
    shown2.heads.step();
    shown2.matrix.step();
    shown2.table.step();
    this.speak();
  }
  matrix() {
    if (this.take()) return this.layout();
    const { heads, matrix, table: table2 } = this.shown;
    this.describe();
    heads.matrix();
    matrix.matrix();
    table2.matrix();
    this.speak();
  }
  layout() {
    this.take();
    const { heads, matrix, table: table2 } = this.shown;
    this.describe();
    matrix.layout();
    heads.layout();
    table2.matrix();
    this.step();
  }
  hover() {
    this.shown.matrix.hover();
    this.read();
  }
};
var WeightsTable = class {
  constructor(view, plane) {
    this.view = view;
    this.plane = plane;
    const { rows, columns, rowSide, columnSide, rowWords, columnWords, rowHeading } = plane;
    this.table = new FoldedTable("Table of the weights", () => ({
      caption: `Rows are ${rowWords}, columns ${columnWords}`,
      width: columns.length,
      heads: [el("td"), ...columns.map((token) => columnHead(clip(token, 24), columnSide))],
      names: rows.map((_, row) => rowHead(rowHeading(row), rowSide))
    }));
  }
  table;
  get node() {
    return this.table.node;
  }
  matrix() {
    const { view, plane } = this, text = (t, j) => plane.masked(t, j) ? "masked" : fixed(view.weight(t, j), 4);
    this.table.rows.forEach((row, t) => row.cells.forEach((cell, j) => setText(cell, text(t, j))));
  }
  step() {
    this.table.rows.forEach(({ node }, t) => {
      node.hidden = t >= this.view.rowsSeen();
      node.classList.toggle("now", t === this.view.row());
    });
  }
  layout() {
    this.table.show(this.view.opened.has("weights"));
    this.matrix();
    this.step();
  }
};

// explorer/views/decoding/component/link.ts
function buildCopyLink(view) {
  const said = el("span", { class: "said", role: "status" });
  let clock = 0;
  async function copy() {
    await view.settle();
    const isDone = await isCopied(location.href);
    setText(
      said,
      isDone ? "Link copied" : "The browser does not let pages copy here; take the link from the address bar."
    );
    clearTimeout(clock);
    clock = window.setTimeout(() => setText(said, ""), isDone ? 2500 : 8e3);
  }
  return { button: button({ class: "link copy", text: "Copy link" }, () => void copy()), said };
}
async function isCopied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// explorer/views/decoding/component/branches.ts
var BIN = "M3.5 3.5l7 7M10.5 3.5l-7 7";
var PEN = "M2.5 11.5l.7-2.8 6-6 2.1 2.1-6 6zM8 4l2 2";
var Branches = class {
  constructor(view, { branches: rows }) {
    this.view = view;
    const count = Math.max(...rows.map((row) => row.tokens.length));
    this.heads = range(count).map((t) => columnHead(`step ${t}`));
    this.branches = rows.map((row) => new Branch(view, row, rows[0], count));
    const copy = buildCopyLink(view);
    const heads = [
      el("td", { class: "name" }, words("h2", "Branches")),
      ...this.heads,
      columnHead("log P", "sum"),
      el("td", { class: "tools" }, copy.button)
    ];
    this.stage = el(
      "div",
      { class: "stage" },
      this.lines,
      table(
        "Branches: rows are decodings, columns steps, with the probability of each token",
        heads,
        this.branches.map(({ node }) => node),
        { class: "branches" }
      )
    );
    const none = words(
      "p",
      "No branch yet. Force a token above: the decoder goes on by itself from there.",
      "none"
    );
    none.hidden = rows.length > 1;
    this.node = el(
      "section",
      { class: "card tree", "aria-label": "Branches" },
      el(
        "div",
        { class: "scroller", tabindex: "0", role: "region", "aria-label": "All branches" },
        this.stage
      ),
      none,
      copy.said
    );
  }
  node;
  lines = svg("svg", { class: "lines", "aria-hidden": "true" });
  stage;
  heads;
  branches;
  now = -1;
  step() {
    const t = this.view.state.step;
    if (t === this.now) return;
    const columns = [this.heads, ...this.branches.map(({ cells }) => cells)];
    for (const column of columns) {
      column[this.now]?.classList.remove("now");
      column[t]?.classList.add("now");
    }
    this.now = t;
  }
  layout() {
    requestAnimationFrame(() => this.drawLines());
  }
  /** The lines behind the chips: greedy runs through, a branch leaves it before the first token that differs. */
  drawLines() {
    const { view, stage, lines } = this;
    if (view.size.phone || !stage.isConnected) return lines.replaceChildren();
    const origin = stage.getBoundingClientRect();
    const at = (chip) => {
      const box = chip.getBoundingClientRect();
      return {
        left: box.left - origin.left,
        right: box.right - origin.left,
        middle: (box.top + box.bottom) / 2 - origin.top
      };
    };
    lines.setAttribute("width", String(stage.scrollWidth));
    lines.setAttribute("height", String(stage.offsetHeight));
    const trunk = this.branches[0].chips.map(at), root = { x: trunk[0].left - 22, y: trunk[0].middle };
    const paths = this.branches.map(({ row, chips }, i) => {
      const own = chips.filter((chip) => !chip.classList.contains("shared")).map(at), to = own.at(-1);
      const d = !to ? "" : i ? bentPath(root, trunk[(row.differs ?? 0) - 1], own[0], to) : `M${root.x} ${root.y}H${to.left}`;
      return svg("path", { d, class: row.shown ? "shown" : "" });
    });
    lines.replaceChildren(...paths, svg("circle", { cx: root.x, cy: root.y, r: 3.5 }));
  }
  /** Takes the focus to the branch that was opened or named; false where it is gone. */
  focus(action) {
    const prefix = "prefix" in action ? JSON.stringify(action.prefix) : null;
    const branch = action.kind === "remove" ? this.branches[0] : this.branches.find(({ row }) => JSON.stringify(row.prefix) === prefix);
    branch?.open.focus({ preventScroll: true });
    return branch !== void 0;
  }
};
function bentPath(root, before, from, to) {
  const x = before ? Math.min(before.right, from.left - 18) : root.x, bend = from.left - 8;
  return `M${x} ${root.y}C${bend} ${root.y} ${x} ${from.middle} ${bend + 8} ${from.middle}H${to.left}`;
}
var Branch = class {
  constructor(view, row, greedy, count) {
    this.view = view;
    this.row = row;
    this.greedy = greedy;
    const label = visibleText(row.label);
    this.open = button(
      { class: "open", text: clip(label, 28), title: label, "aria-label": `Open ${label}` },
      () => {
        if (!row.shown) this.go(view.state.step);
      }
    );
    if (row.shown) this.open.setAttribute("aria-current", "true");
    this.cells = range(count).map((t) => t < row.tokens.length ? this.cell(t) : el("td"));
    const away = row.log_prob - greedy.log_prob, beside = row === greedy ? "" : `${away > 0 ? "+" : ""}${fixed(away, 2)} to greedy`;
    const sum = el(
      "td",
      { class: "sum" },
      words("b", fixed(row.log_prob, 3)),
      words("span", beside),
      words("span", row.ended ? "" : "stopped by the limit")
    );
    const name = el("th", { scope: "row" }, this.open), tools = el("td", { class: "tools" });
    if (row.prefix.length) this.addTools(name, tools, label);
    this.node = el("tr", { class: row.shown ? "shown" : "" }, name, ...this.cells, sum, tools);
  }
  node;
  open;
  chips = [];
  cells;
  go(t) {
    this.view.act({ kind: "open", prefix: this.row.prefix, step: within(t, this.row.tokens.length - 1) });
  }
  cell(t) {
    const { row, view } = this, token = visible(row.tokens[t]), chip = el("span", { class: "token", text: clip(token, 24), title: token });
    if (row.differs !== null && t < row.differs) chip.classList.add("shared");
    if (row.forced[t]) chip.classList.add("forced");
    if (row.tokens[t] !== this.greedy.tokens[t]) chip.classList.add("other");
    if (t === row.differs) chip.append(words("span", ", first difference", "unseen"));
    this.chips.push(chip);
    const cell = el("td", { class: "step" }, chip, words("em", formatProbability(row.probs[t])));
    cell.addEventListener("click", () => row.shown ? view.go(t) : this.go(t));
    return cell;
  }
  /** Naming and removing. */
  addTools(name, tools, label) {
    const {
      view,
      open,
      row: { prefix, name: given }
    } = this;
    const field = el("input", {
      type: "text",
      maxlength: "40",
      class: "name",
      "aria-label": `Name of ${label}`,
      title: "Enter keeps the name"
    });
    const edit = (isEdited) => {
      field.hidden = !isEdited;
      open.hidden = isEdited;
    };
    const rename = tool("Rename", label, PEN, () => {
      field.value = given;
      edit(true);
      field.focus();
    });
    field.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" && key !== "Enter") return;
      edit(false);
      rename.focus();
      const text = field.value.trim();
      if (key === "Enter" && text !== given) view.act({ kind: "name", prefix, name: text });
    });
    field.addEventListener("blur", () => edit(false));
    edit(false);
    name.append(field);
    tools.append(
      rename,
      tool("Remove", label, BIN, () => view.act({ kind: "remove", prefix }))
    );
  }
};
function tool(name, label, path, act) {
  return button(
    { class: "tool", "aria-label": `${name} ${label}`, title: name },
    act,
    svg("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, svg("path", { d: path }))
  );
}

// explorer/views/decoding/component/costs.ts
var HEIGHT = 56;
var Costs = class {
  /** counts: of each step with the cache and without, and their running sums. */
  constructor(counts) {
    this.counts = counts;
    const head = (text, name) => el("th", { scope: "col", class: "number" }, el("i", { class: `stroke ${name}` }), text);
    const { cells, now, sum } = this;
    this.node = table(
      "Multiply-adds with the cache and without",
      [words("th", "multiply-adds"), head("with cache", "cached"), head("without", "uncached")],
      [el("tr", {}, now, cells[0], cells[1]), el("tr", {}, sum, cells[2], cells[3])],
      { class: "costs" }
    );
  }
  node;
  cells = range(4).map(() => el("td", { class: "number" }));
  now = el("th", { scope: "row" });
  sum = el("th", { scope: "row" });
  step(t) {
    setText(this.now, `step ${t}`);
    setText(this.sum, t ? `steps 0 to ${t}` : "so far");
    this.counts.forEach((counts, i) => setText(this.cells[i], formatCount(counts[t])));
  }
};
var Curve = class {
  constructor(title, cached, uncached) {
    this.cached = cached;
    this.uncached = uncached;
    const last = cached.length - 1, { dots } = this;
    this.most = Math.max(...cached, ...uncached);
    const box = { viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const span = (counts) => `from ${formatCount(counts[0])} in step 0 to ${formatCount(counts[last])} in step ${last}`;
    this.node = el(
      "div",
      {
        class: "curve",
        role: "img",
        "aria-label": `Multiply-adds ${title}: with the cache ${span(cached)}, without ${span(uncached)}`
      },
      el("div", { class: "ends" }, words("b", title), words("span", formatCount(this.most))),
      el(
        "div",
        { class: "plot" },
        this.now,
        svg("svg", box, this.path(uncached, "uncached"), this.path(cached, "cached")),
        dots.uncached,
        dots.cached
      ),
      el(
        "div",
        { class: "ends" },
        words("span", last ? "step 0" : ""),
        words("span", last ? `step ${last}` : "step 0")
      )
    );
  }
  node;
  dots = { uncached: el("i", { class: "uncached" }), cached: el("i", { class: "cached" }) };
  now = el("i", { class: "now" });
  most;
  x(t) {
    return this.cached.length > 1 ? t / (this.cached.length - 1) : 0.5;
  }
  y(count) {
    return (1 - count / this.most) * HEIGHT;
  }
  path(counts, name) {
    const points = counts.map((count, t) => `${(1e3 * this.x(t)).toFixed(1)},${this.y(count).toFixed(2)}`).join(" ");
    return svg("polyline", { class: name, "vector-effect": "non-scaling-stroke", points });
  }
  step(t) {
    const { dots, now, cached, uncached } = this;
    now.style.left = dots.cached.style.left = dots.uncached.style.left = `${100 * this.x(t)}%`;
    dots.cached.style.top = `${this.y(cached[t])}px`;
    dots.uncached.style.top = `${this.y(uncached[t])}px`;
  }
};
function runningSum(counts) {
  let sum = 0;
  return counts.map((count) => sum += count);
}

// explorer/views/decoding/component/cache.ts
var MOST_SQUARES = 24;
var SHOWN_LAYERS = 2;
var CacheCard = class {
  constructor(view, cache) {
    this.view = view;
    this.cache = cache;
    const { cached, uncached, n_layers: layers, source_length: sources } = cache, steps = cached.length;
    this.sums = { cached: runningSum(cached), uncached: runningSum(uncached) };
    this.blocks = range(layers).flatMap((layer) => [
      new Block(cache, `${layer} self`, steps, true),
      new Block(cache, `${layer} cross`, sources, false)
    ]);
    this.costs = new Costs([cached, uncached, this.sums.cached, this.sums.uncached]);
    this.curves = [
      new Curve("each step", cached, uncached),
      new Curve("in total", this.sums.cached, this.sums.uncached)
    ];
    this.table = this.makeTable();
    this.details = this.makeDetails();
    const show = () => {
      this.details.hidden = !view.opened.has("costs");
    };
    const share = squareNotice(steps, sources);
    this.node = el(
      "section",
      { class: "card cache", "aria-label": "Key/value cache" },
      el("header", {}, words("h2", "Key/value cache"), tableButton(view.opened, "costs", show, DETAILS)),
      el("p", { class: "spent" }, this.spent, " multiply-adds, ", this.instead, " without it"),
      ...share ? [words("p", share, "thinned")] : [],
      this.kept(),
      legend(),
      this.details
    );
    show();
  }
  node;
  spent = el("b");
  instead = el("b");
  held = el("b");
  blocks;
  sums;
  costs;
  curves;
  table;
  details;
  /** The rows of all attention blocks; those of a deep decoder scroll within the card. */
  kept() {
    const heads = [
      columnHead("layer"),
      columnHead("keys"),
      columnHead("values"),
      columnHead("shape each", "number")
    ];
    const isDeep = this.cache.n_layers > SHOWN_LAYERS;
    return el(
      "div",
      {
        class: "blocks",
        ...isDeep && { tabindex: 0, role: "region", "aria-label": "All attention blocks" }
      },
      table(
        "Rows kept in each attention block",
        heads,
        this.blocks.map((block) => block.node),
        { class: "kept" }
      )
    );
  }
  /** What stands behind a button of the card. */
  makeDetails() {
    const { cache, view } = this;
    const run = cache.same_tokens ? "Both ways were run: the same token at each step, " : "Both ways were run, and differ in a token: ";
    const open = tableButton(view.opened, "cache", () => this.showTable());
    return el(
      "div",
      { class: "details" },
      el("p", { class: "held" }, "All keys and values: ", this.held, ` in ${cache.dtype}.`),
      this.costs.node,
      el("div", { class: "curves" }, ...this.curves.map((curve) => curve.node)),
      el(
        "p",
        { class: "foot" },
        run,
        "largest difference of a log-probability ",
        words("b", formatPower(cache.largest_difference)),
        ".",
        open
      ),
      this.table.node,
      words(
        "p",
        `Counted: multiply-adds of the matrix products of decoder and generator. The encoder's ${formatCount(cache.encoder)} come once, either way.`,
        "counted"
      )
    );
  }
  /** Every step's numbers. */
  makeTable() {
    const columns = ["step", "with cache", "without", "total with", "total without", "bytes kept"];
    return new FoldedTable("Table of the cache's costs", () => ({
      caption: "Multiply-adds of each step, and bytes kept after it",
      width: columns.length - 1,
      heads: columns.map((text) => columnHead(text)),
      names: this.cache.cached.map((_, t) => rowHead(t))
    }));
  }
  showTable() {
    const { cache, sums, table: table2 } = this, counts = [cache.cached, cache.uncached, sums.cached, sums.uncached, cache.n_bytes];
    table2.show(this.view.opened.has("cache"));
    table2.rows.forEach(({ node, cells }, t) => {
      node.classList.toggle("now", t === this.view.state.step);
      cells.forEach((cell, k) => setText(cell, formatCount(counts[k][t])));
    });
  }
  step() {
    const {
      cache,
      view: {
        state: { step: t }
      }
    } = this;
    setText(this.spent, formatCount(cache.cached[t]));
    setText(this.instead, formatCount(cache.uncached[t]));
    setText(this.held, formatBytes(cache.n_bytes[t]));
    for (const part of [...this.blocks, this.costs, ...this.curves]) part.step(t);
    this.showTable();
  }
  layout() {
    this.step();
  }
};
function legend() {
  const key = (name, text) => [el("i", { class: `square ${name}` }), words("span", text)];
  return el(
    "p",
    { class: "key", "aria-hidden": "true" },
    ...key("new", "new"),
    ...key("reused", "reused"),
    ...key("once", "computed once, in step 0")
  );
}
var Block = class {
  /** rows: how many there are at the end. grows: whether each step adds one, or the first all. */
  constructor(cache, name, rows, grows) {
    this.cache = cache;
    this.rows = rows;
    this.grows = grows;
    this.stride = strideOf(rows);
    this.squares = range(2).map(
      () => range(Math.ceil(rows / this.stride)).map(() => el("i", { class: "square" }))
    );
    const [keys, values] = this.squares.map(
      (each) => el("span", { class: "squares", "aria-hidden": "true" }, ...each)
    );
    this.node = el(
      "tr",
      {},
      rowHead(name),
      el("td", {}, this.said, keys),
      el("td", {}, values),
      el("td", { class: "number" }, this.shape, this.bytes)
    );
  }
  node;
  stride;
  squares;
  said = el("span", { class: "unseen" });
  shape = words("span", "", "shape");
  bytes = el("small");
  stateOf(index, t) {
    if (!this.grows) return t ? "once" : "once new";
    const first = index * this.stride, last = Math.min(this.rows, first + this.stride) - 1;
    return t > last ? "reused" : t < first ? "later" : "new";
  }
  step(t) {
    const { cache, rows, grows } = this, filled = grows ? t + 1 : rows;
    for (const each of this.squares) {
      each.forEach((square, index) => {
        const name = `square ${this.stateOf(index, t)}`;
        if (square.className !== name) square.className = name;
      });
    }
    const news = grows ? `1 new, ${t} reused` : `all ${rows} ${t ? "computed once, in step 0" : "computed now"}`;
    setText(this.said, `${plural(filled, "row")} of keys and of values: ${news}`);
    setText(this.shape, `1·${cache.n_heads}·${filled}·${cache.d_head}`);
    setText(this.bytes, formatBytes(filled * cache.row_bytes));
  }
};
function strideOf(rows) {
  return Math.ceil(rows / MOST_SQUARES);
}
function squareNotice(steps, sources) {
  const self = strideOf(steps), cross = strideOf(sources);
  if (self === 1 && cross === 1) return "";
  if (self === cross) return `Each square stands for ${self} rows.`;
  return `Each square stands for ${plural(self, "row")} of self-attention, ${plural(cross, "row")} of cross-attention.`;
}
function formatBytes(count) {
  return count < 10240 ? `${formatCount(count)} B` : `${fixed(count / 1024, 1)} KiB`;
}
function formatPower(value) {
  if (!value) return "0";
  const [digits, exponent] = value.toExponential(1).split("e");
  return `${digits} · 10${raised(Number(exponent))}`;
}

// explorer/views/decoding/component/forcing.ts
var OFFERED = 40;
function makeForcing(view, { first_id: first, n_words: count }) {
  return {
    can: (id) => id >= first && id < first + count,
    take(id) {
      view.typed = "";
      view.act({ kind: "force", step: view.state.step, token_id: id });
    }
  };
}
var AnyToken = class {
  constructor(view, whatIf, forcing) {
    this.view = view;
    this.whatIf = whatIf;
    this.forcing = forcing;
    const { field } = this;
    this.shown = whatIf.words.map(visible);
    field.value = view.typed;
    field.addEventListener("focus", () => this.offer());
    field.addEventListener("input", () => {
      view.typed = field.value;
      setText(this.problem, "");
      this.offer();
    });
    this.node = el(
      "form",
      { class: "any-token" },
      field,
      this.offers,
      el("button", { type: "submit", class: "plain", text: "Force" }),
      this.problem
    );
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit(field.value);
    });
  }
  node;
  offers = el("datalist", { id: "offers" });
  field = el("input", {
    type: "text",
    list: "offers",
    placeholder: "Any other token…",
    "aria-label": "Any other token",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    "aria-describedby": "force-problem"
  });
  problem = el("p", { class: "problem", role: "alert", id: "force-problem" });
  shown;
  offered = null;
  // Few at a time: a vocabulary may have ten thousand.
  offer() {
    const start = this.field.value.trim().toLowerCase();
    if (start === this.offered) return;
    this.offered = start;
    const fitting = this.shown.filter((token) => token.toLowerCase().startsWith(start)).slice(0, OFFERED);
    this.offers.replaceChildren(...fitting.map((token) => el("option", { value: token })));
  }
  idOf(text) {
    const exact = this.whatIf.words.indexOf(text);
    return this.whatIf.first_id + (exact >= 0 ? exact : this.shown.indexOf(text.trim()));
  }
  submit(text) {
    const {
      trace,
      state: { step: t }
    } = this.view, id = this.idOf(text);
    let said = "";
    if (!text) said = "Type a token of the model's vocabulary.";
    else if (!this.forcing.can(id))
      said = `The model has no word “${clip(visible(text), 24)}”; choose one of the offered tokens.`;
    else if (id === trace.output_ids[t]) said = `${clip(trace.output[t], 24)} already stands at step ${t}.`;
    setText(this.problem, said);
    if (!said) this.forcing.take(id);
  }
  step() {
    setText(this.problem, "");
  }
};

// explorer/views/decoding/component/totals.ts
var TERMS = 4;
var Totals = class {
  constructor(view) {
    this.view = view;
    const row = (name, ...value) => [words("dt", name), el("dd", {}, ...value)];
    const node = el(
      "dl",
      { class: "totals", "aria-label": "Running totals" },
      ...row("log P so far", this.total),
      el("dd", { class: "terms" }, this.sum),
      ...row("perplexity", this.over, this.perplexity),
      ...row("stops", whyStopped(view.trace))
    );
    const show = () => {
      node.hidden = !view.opened.has("totals");
    };
    this.node = node;
    this.open = tableButton(view.opened, "totals", show, DETAILS);
    show();
  }
  node;
  open;
  sum = el("span");
  total = button(
    { class: "explain", title: "Explain log P of the whole output" },
    () => this.view.act({ kind: "explain", what: "log_prob" })
  );
  over = el("span");
  perplexity = el("b");
  step() {
    const {
      trace,
      state: { step: t }
    } = this.view, { total } = this;
    setText(this.sum, sumText(trace, t));
    setText(total, fixed(trace.totals[t], 3));
    total.setAttribute("aria-label", `${total.textContent}, explain log P of the whole output`);
    setText(this.over, `exp(${fixed(-trace.totals[t], 3)} / ${t + 1}) = `);
    setText(this.perplexity, formatPerplexity(trace.perplexity(t)));
  }
};
function sumText({ logProbs, totals }, t) {
  if (!t) return "";
  const first = Math.max(0, t + 1 - TERMS), before = first ? `${fixed(totals[first - 1], 3)} ` : "";
  const terms = logProbs(first, t + 1).map((value) => fixed(value, 3).replace("−", "− ")).join(" ");
  return `= ${before}${terms.replace(/^− /, before ? "− " : "−")}`;
}
function whyStopped(trace) {
  const end = trace.steps - 1, stopped = trace.isForced(end) ? "EOS was forced" : "the model chose EOS";
  return `at step ${end}: ${trace.ended ? stopped : `the limit of ${plural(trace.steps, "token")}`}`;
}
function formatPerplexity(value) {
  if (value < 999.9995) return fixed(value, 3);
  return value < 1e9 ? formatCount(Number(value.toPrecision(4))) : formatSigned(value);
}

// explorer/views/decoding/component/candidates.ts
var Candidates = class {
  constructor(view) {
    this.view = view;
    const {
      trace,
      trace: { what_if: whatIf, nCandidates }
    } = view;
    this.others = trace.vocabulary_size - nCandidates;
    this.forcing = whatIf && makeForcing(view, whatIf);
    this.anyToken = whatIf && this.forcing && new AnyToken(view, whatIf, this.forcing);
    this.totals = whatIf && new Totals(view);
    this.rows = range(nCandidates).map((i) => this.row(i));
    const where = el(
      "p",
      { class: "where" },
      el("span", { class: "place" }, this.where.step, this.where.among)
    );
    this.node = el(
      "section",
      { class: "card next", "aria-label": "Next token" },
      el("header", {}, el("h2", { text: "Next token" }), where, ...this.totals ? [this.totals.open] : []),
      this.remark,
      this.table(),
      ...[this.anyToken, this.totals].flatMap((part) => part?.node ?? [])
    );
    this.node.classList.toggle("forcing", Boolean(whatIf));
  }
  node;
  where = { step: el("b"), among: el("span") };
  remark = el("p", { class: "remark" });
  entropy = el("b");
  rest = el("td", { class: "number" });
  rows;
  forcing;
  anyToken;
  totals;
  others;
  row(i) {
    const { view, forcing } = this, id = () => view.trace.candidate(view.state.step, i).id;
    const token = el("span"), bar = words("i", "", "bar"), logP = words("td", "", "number"), said = el("span");
    const p = button(
      { class: "explain", title: "Explain this number" },
      () => view.act({ kind: "explain", what: "prob", step: view.state.step, token_id: id() })
    );
    const force = button(
      { class: "force" },
      () => forcing?.take(id()),
      "Force",
      el("i", { "aria-hidden": "true", text: "↵" })
    );
    const node = el(
      "tr",
      {},
      el("th", { scope: "row" }, token),
      el("td", { class: "share" }, bar),
      el("td", { class: "number" }, p),
      logP,
      el("td", { class: "tag" }, said, force)
    );
    return { node, token, bar, p, logP, said, force };
  }
  table() {
    const last = el(
      "tr",
      { class: "others" },
      el("th", {
        scope: "row",
        colspan: 2,
        text: this.others ? `${plural(this.others, "other")} together` : ""
      }),
      this.rest,
      el("td", { colspan: 2, class: "entropy" }, "entropy ", this.entropy)
    );
    const heads = [
      columnHead("token"),
      el("td"),
      columnHead("P", "number"),
      columnHead("log P", "number"),
      el("td")
    ];
    return table("Candidates for the next token", heads, [...this.rows.map(({ node }) => node), last], {
      class: "candidates"
    });
  }
  show({ node, token, bar, p, logP, said, force }, i) {
    const {
      view: {
        trace,
        root,
        state: { step: t }
      },
      forcing
    } = this, candidate = trace.candidate(t, i), { prob, isChosen } = candidate;
    const canBe = forcing?.can(candidate.id) ?? false, isForced = isChosen && trace.isForced(t);
    setText(token, clip(visible(candidate.token), 24));
    token.title = candidate.token;
    bar.style.transform = `scaleX(${prob || 0})`;
    setText(p, formatProbability(prob));
    p.setAttribute("aria-label", `${p.textContent}, explain`);
    setText(logP, fixed(candidate.logProb, 2));
    const isNoWord = forcing !== null && !canBe && !isChosen;
    setText(said, isForced ? "forced" : isChosen ? "chosen" : isNoWord ? "no word" : "");
    said.title = isNoWord ? "Padding and BOS are never produced" : "";
    setHidden(force, isChosen || !canBe, root);
    force.setAttribute("aria-label", `Force ${clip(visible(candidate.token), 40)}`);
    node.classList.toggle("chosen", isChosen);
  }
  step() {
    const {
      trace,
      state: { step: t }
    } = this.view, best = trace.candidate(t, 0);
    this.rows.forEach((row, i) => this.show(row, i));
    const sum = this.rows.reduce((all, _, i) => all + trace.candidate(t, i).prob, 0);
    setText(this.rest, this.others ? formatProbability(Math.max(0, 1 - sum)) : "");
    setText(this.entropy, `${fixed(trace.entropyBits(t), 2)} bits`);
    setText(this.where.step, `Step ${t}`);
    setText(this.where.among, `, ${t + 1} of ${plural(trace.steps, "token")}`);
    this.totals?.step();
    this.anyToken?.step();
    const taken = best.isChosen ? "" : `not the most probable of ${formatCount(trace.vocabulary_size)} was taken`;
    setText(
      this.remark,
      trace.isForced(t) ? `forced here; greedy would take ${clip(visible(best.token), 24)}` : taken
    );
  }
  /** Moves the focus along the Force buttons; nothing to do where there are none. */
  onto(direction) {
    const open = this.rows.map(({ force }) => force).filter((button2) => !button2.hidden);
    if (!open.length) return void 0;
    const now = open.findIndex((button2) => button2 === focusBeside(this.node));
    return () => open[now < 0 ? 0 : within(now + direction, open.length - 1)].focus();
  }
};

// explorer/views/decoding/component/lens.ts
var TOP = 16;
var LEVELS = [
  ["1", 1],
  ["0.5", 0.5],
  ["0", 0]
];
var STEEP = 0.12;
var LensCard = class {
  // whether the keys have it
  constructor(view, lens) {
    this.view = view;
    this.lens = lens;
    this.points = lens.labels.map(pointOf);
    this.best = range(lens.width).map(() => ({ name: el("b"), chance: el("span") }));
    const axis = el(
      "div",
      { class: "levels", "aria-hidden": "true" },
      ...this.levels.map((level) => level.text)
    );
    this.chart = el(
      "div",
      {
        class: "points",
        role: "slider",
        tabindex: "0",
        "aria-label": "Point of the logit lens",
        "aria-orientation": "horizontal",
        "aria-valuemin": 0,
        "aria-valuemax": lens.count - 1
      },
      axis,
      this.plot,
      ...this.points.map((point) => point.node)
    );
    this.chart.style.setProperty("--points", String(lens.count));
    this.scroller = el("div", { class: "scroller" }, this.chart);
    this.table = this.makeTable();
    const through = lens.final_norm ? ", read through the decoder's final norm" : "";
    this.about = words(
      "p",
      `What the decoder would say if it stopped after each sub-layer${through}: the probability of the token that was produced, its rank, and the top token there.`,
      "about"
    );
    this.open = tableButton(view.opened, "lens", () => this.show());
    const { token, verdict, where, end } = this.foot;
    const reading = el(
      "p",
      { class: "reading" },
      this.place,
      ...this.best.flatMap(({ name, chance }) => [name, chance]),
      this.site
    );
    this.node = el(
      "section",
      { class: "card lens", "aria-label": "Logit lens" },
      el(
        "header",
        {},
        words("h2", "Logit lens"),
        el("p", { class: "foot" }, "P of ", token, ". ", verdict, where, end),
        this.open,
        reading
      ),
      this.scroller,
      this.about,
      this.table.node
    );
    this.listen();
  }
  node;
  line = svg("polyline", { "vector-effect": "non-scaling-stroke" });
  levels = LEVELS.map(([text, p]) => ({
    p,
    text: words("span", text),
    line: svg("line", { x1: 0, x2: 1e3, "vector-effect": "non-scaling-stroke" })
  }));
  plot = svg(
    "svg",
    { preserveAspectRatio: "none", "aria-hidden": "true" },
    ...this.levels.map((level) => level.line),
    this.line
  );
  points;
  chart;
  scroller;
  foot = {
    token: el("b", { class: "target" }),
    verdict: el("span"),
    where: el("b"),
    end: el("span")
  };
  place = el("span");
  site = el("code", { class: "site" });
  best;
  about;
  open;
  table;
  own = el("th", { scope: "col", class: "target" });
  pointed = null;
  // the point under the pointer or the keys
  isHeld = false;
  makeTable() {
    const { lens, own } = this;
    return new FoldedTable("Table of the logit lens", () => {
      const best = range(lens.width).flatMap((k) => [columnHead(`top ${k + 1}`), columnHead("P")]);
      return {
        caption: "What the decoder would say after each sub-layer of this step",
        width: 2 + 2 * lens.width,
        heads: [columnHead("after"), own, columnHead("rank"), ...best],
        names: lens.names.map((name) => rowHead(name))
      };
    });
  }
  // ---- a point under the pointer, or under the keys ----------------------------------------------------------
  get shown() {
    return this.pointed ?? this.lens.decided[this.view.state.step] ?? this.lens.count - 1;
  }
  point(index, byKeys = false) {
    if (index === this.pointed) return;
    this.pointed = index;
    this.isHeld = byKeys && index !== null;
    this.read();
  }
  listen() {
    const { chart } = this;
    chart.addEventListener("pointermove", (event) => {
      const over = event.target.closest(".point");
      if (over) this.point(Number(over.dataset.index));
    });
    chart.addEventListener("pointerleave", () => {
      if (!this.isHeld) this.point(null);
    });
    chart.addEventListener("blur", () => this.point(null));
    chart.addEventListener("keydown", (event) => {
      const {
        shown: shown2,
        lens: { count }
      } = this, to = (point) => () => {
        this.point(within(point, count - 1), true);
        keepInView(this.scroller, this.points[this.shown].node);
      };
      actOn(event, { ArrowLeft: to(shown2 - 1), ArrowRight: to(shown2 + 1), Home: to(0), End: to(count - 1) });
    });
  }
  read() {
    const {
      view: {
        state: { step: t },
        trace
      },
      lens,
      shown: i,
      chart
    } = this;
    this.points.forEach(({ node }, k) => node.classList.toggle("read", k === this.pointed));
    this.node.classList.toggle("pointing", this.pointed !== null);
    setText(this.place, `After ${lens.names[i]}: `);
    this.best.forEach(({ name, chance }, k) => {
      setText(name, lens.token(t, i, k));
      setText(chance, ` ${formatProbability(lens.chance(t, i, k))}${k < lens.width - 1 ? ", " : ""}`);
    });
    setText(this.site, lens.sites[i]);
    chart.setAttribute("aria-valuenow", String(i));
    const top = this.best.map((_, k) => `${lens.token(t, i, k)} ${formatProbability(lens.chance(t, i, k))}`).join(", ");
    const own = `${clip(trace.output[t], 24)} has rank ${lens.rank(t, i)}, probability ${formatProbability(lens.prob(t, i))}`;
    chart.setAttribute("aria-valuetext", `After ${lens.names[i]}: ${top}; ${own}`);
  }
  // ---- the step ----------------------------------------------------------------------------------------------
  conclude(t) {
    const { lens, foot } = this, [verdict, where, end] = verdictOf(lens, t);
    setText(foot.token, clip(this.view.trace.output[t], 24));
    setText(foot.verdict, verdict);
    setText(foot.where, where);
    setText(foot.end, end);
  }
  height(p) {
    return TOP + (1 - within(p || 0, 1)) * this.view.size.plot;
  }
  step() {
    const {
      view: {
        state: { step: t }
      },
      lens,
      lens: { count }
    } = this, chance = (i) => lens.prob(t, i);
    const corners = this.points.map(
      (_, i) => `${(1e3 * (i + 0.5) / count).toFixed(1)},${this.height(chance(i)).toFixed(1)}`
    );
    this.line.setAttribute("points", corners.join(" "));
    this.points.forEach((each, i) => {
      each.dot.style.top = each.chance.style.top = `${this.height(chance(i))}px`;
      const rises = i < count - 1 && chance(i + 1) - chance(i) > STEEP, falls = i > 0 && chance(i - 1) - chance(i) > STEEP;
      each.chance.classList.toggle("left", rises);
      each.chance.classList.toggle("right", falls && !rises);
      setText(each.chance, formatProbability(chance(i)));
      setText(each.token, lens.token(t, i, 0));
      setText(each.rank, `rank ${formatCount(lens.rank(t, i))}`);
      each.node.classList.toggle("first", lens.rank(t, i) === 1);
      each.node.classList.toggle("decided", i === lens.decided[t]);
    });
    this.conclude(t);
    this.read();
    this.fill();
  }
  fill() {
    const {
      view: {
        trace,
        state: { step: t }
      },
      lens
    } = this;
    setText(this.own, `P of ${clip(trace.output[t], 24)}`);
    this.table.rows.forEach(({ node, cells: [prob, rank, ...best] }, i) => {
      node.classList.toggle("now", i === lens.decided[t]);
      setText(prob, formatProbability(lens.prob(t, i)));
      setText(rank, formatCount(lens.rank(t, i)));
      best.forEach((cell, at) => {
        const k = Math.floor(at / 2);
        setText(cell, at % 2 ? formatProbability(lens.chance(t, i, k)) : lens.token(t, i, k));
      });
    });
  }
  show() {
    const isShown = this.view.size.phone || this.view.opened.has("lens");
    this.about.hidden = !isShown;
    this.table.show(isShown);
    this.fill();
  }
  layout() {
    const { phone, plot } = this.view.size, whole = TOP + plot;
    this.show();
    this.plot.setAttribute("viewBox", `0 0 1000 ${whole}`);
    this.chart.style.setProperty("--plot", `${whole}px`);
    for (const { p, text, line } of this.levels) {
      text.style.top = `${this.height(p)}px`;
      for (const end of ["y1", "y2"]) line.setAttribute(end, String(this.height(p)));
    }
    this.levels[1].text.hidden = plot < 60;
    this.open.hidden = phone;
    this.step();
  }
};
function pointOf([upper, lower], i) {
  const dot = el("i"), chance = el("em"), token = el("b"), rank = el("span", { class: "rank" });
  const node = el(
    "div",
    { class: "point", "data-index": i, "aria-hidden": "true" },
    dot,
    chance,
    token,
    rank,
    words("span", upper),
    words("span", lower)
  );
  return { node, dot, chance, token, rank };
}
function verdictOf({ decided, names, count, rank }, t) {
  const point = decided[t];
  if (point === null)
    return [
      `Never decided: after the last sub-layer its rank is still ${formatCount(rank(t, count - 1))}.`,
      "",
      ""
    ];
  return point === 0 ? ["It has rank 1 from the ", "embedding", " on."] : ["Decided by ", names[point], "."];
}
function keepInView(scroller, node) {
  const left = node.offsetLeft, right = left + node.offsetWidth;
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth;
}

// explorer/views/decoding/component/page.ts
function joinPage(view, signal) {
  const { state } = view;
  let told = "", isHearing = false;
  function moment() {
    const now = { step: state.step, isPlaying: state.isPlaying, speed: state.speed }, said = JSON.stringify(now);
    if (said !== told) tell("moment", now);
    told = said;
  }
  const tellToken = shareToken((token) => {
    isHearing = true;
    view.hover(token && placesOf(view, token));
    isHearing = false;
  }, signal);
  onTold(
    "command",
    (command) => {
      if (command.do === "go") view.go(command.step);
      else if (command.do === "toggle") view.toggle();
      else if (command.do === "speed") view.setSpeed(command.speed);
    },
    signal
  );
  signal.addEventListener("abort", () => tell("moment", null));
  return {
    step: moment,
    playing: moment,
    hover: () => {
      if (!isHearing) tellToken(tokenOf(view, state.hover));
    }
  };
}
function tokenOf({ plane: { rowSide, columnSide, chipOf } }, seen) {
  if (seen?.row !== void 0) return { side: rowSide, place: seen.row };
  return seen?.column !== void 0 && chipOf(seen.column) >= 0 ? { side: columnSide, place: chipOf(seen.column) } : null;
}
function placesOf(view, { side, place }) {
  const { rowSide, columnSide, columnOf } = view.plane;
  const row = side === rowSide && place < view.rowsSeen() ? place : void 0;
  const column = side === columnSide ? columnOf(place) : void 0;
  return row === void 0 && column === void 0 ? null : { row, column };
}

// explorer/browser/shared/report.ts
function reportAfter(last) {
  return Math.max(last + 1, Date.now());
}

// explorer/browser/shared/choices.ts
function makeChoices(same) {
  const told = /* @__PURE__ */ new Map();
  let known = null, said = null, report = 0;
  const knownAt = (named) => told.get(named) ?? said;
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
    hear(choice, named, { fresh, possible, pending, alike = same }) {
      const before = knownAt(named);
      const keeps = fresh && possible && before !== null && alike(choice, before) && (named < report || pending);
      const follows = !keeps && (fresh || named >= report && !(known !== null && same(choice, known)));
      said = choice;
      if (keeps || follows) known = choice;
      for (const earlier of told.keys()) if (earlier < named) told.delete(earlier);
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

// explorer/views/decoding/component/telling.ts
var INSIST_MS = 3e3;
var INSISTS = 10;
var SETTLE_MS = 50;
var SETTLES = 40;
var CHOICE = ["step", "attention", "layer", "head", "overlay"];
function isSame(one, other) {
  return CHOICE.every((name) => one[name] === other[name]);
}
function isAlike(one, other) {
  return isSame({ ...one, step: 0 }, { ...other, step: 0 });
}
function choiceOf({ step, attention, layer, head, overlay }) {
  return { step, attention, layer, head, overlay };
}
var InsistingTeller = class extends Teller {
  /** Whether there is a choice that is not told yet. */
  isPending = false;
  heard = 0;
  // the number of the last report that Python knows of
  unheard = 0;
  /** seen: what is looked at, of which trace; null while it plays. */
  constructor(seen) {
    super(isSame, () => {
      const found = seen();
      if (found) this.isPending = false;
      return found;
    });
  }
  /** A message has come: reports go its way from now on, and it names the last one that Python has heard. */
  hear(report, last) {
    this.through(report);
    this.heard = last;
  }
  changed() {
    this.isPending = true;
    super.changed();
  }
  /** Something that changes the decodings themselves; what is looked at is told first, so that it stays. */
  act(trace, action) {
    this.tellChoice();
    this.tell("action", { trace, ...action });
  }
  send(name, what) {
    super.send(name, what);
    this.insist(name, what, INSISTS);
  }
  /** An answer may be lost with the connection. Python acts on a report once, however often it is told. */
  insist(name, what, times) {
    clearTimeout(this.unheard);
    if (times)
      this.unheard = window.setTimeout(() => {
        if (this.isHeard) return;
        if (document.querySelector("[data-test-script-state=notRunning]")) super.send(name, what);
        this.insist(name, what, times - 1);
      }, INSIST_MS);
  }
  get isHeard() {
    return this.heard >= this.choices.report;
  }
  async settle() {
    this.tellChoice();
    for (let tries = 0; !this.isHeard && tries < SETTLES; tries++)
      await new Promise((done) => setTimeout(done, SETTLE_MS));
  }
  /** Nothing is left to be told. */
  stop() {
    this.hold();
    clearTimeout(this.unheard);
  }
};

// explorer/views/decoding/component/view.ts
var STEP_MS = 900;
var PHONE = 640;
var DASHBOARD = 640;
var LOWEST = 600;
var LOW = 700;
var HIGHEST = 900;
var BELOW = 6;
var PLOT = 34;
var USUAL_PLOT = 220;
var CONTROLS = "button, input, [tabindex]";
var SCROLLED = ".numbers, .scroller";
var TYPED = "input, textarea, select, [contenteditable]";
var DecodeView = class {
  constructor(root, signal) {
    this.root = root;
    this.page = joinPage(this, signal);
    root.tabIndex = -1;
    listenForLesson();
    document.addEventListener("keydown", (event) => this.onPageKey(event), { signal });
    root.addEventListener("keydown", (event) => this.onKey(event), { signal });
    onResize(root, () => this.layout(), signal);
  }
  state = {
    step: 0,
    attention: "cross",
    layer: 0,
    head: null,
    overlay: false,
    isPlaying: false,
    speed: 1,
    cursor: null,
    hover: null
  };
  opened = /* @__PURE__ */ new Set();
  typed = "";
  size = { phone: false, dashboard: false, low: false, plot: USUAL_PLOT };
  plane;
  look;
  weights = new Float32Array();
  peaks = [];
  decode = null;
  structure = "";
  // all of a message but what is looked at
  parts = [];
  attention;
  candidates;
  branches = null;
  acted = null;
  // what was done last
  isLaidOut = false;
  // a part is whole once it was laid out, for which the view must have a width
  clock = 0;
  live = el("div", { class: "unseen", "aria-live": "polite" });
  page;
  teller = new InsistingTeller(
    () => this.state.isPlaying ? null : { about: { trace: this.trace.key }, choice: choiceOf(this.state) }
  );
  get trace() {
    return this.decode;
  }
  weight(row, column) {
    return this.weights[row * this.plane.width + column];
  }
  peak(row) {
    return this.peaks[row];
  }
  row() {
    return this.plane.byStep ? this.state.step : this.trace.reads[this.state.step];
  }
  rowsSeen() {
    return this.plane.byStep ? this.state.step + 1 : this.plane.height;
  }
  picked() {
    const row = this.row(), column = this.peak(row);
    return this.state.cursor ?? (column < 0 ? null : { row, column });
  }
  redraw(what) {
    if (this.isLaidOut) for (const part of this.parts) part[what]?.();
  }
  // ---- what the visitor can do -------------------------------------------------------------------------------
  go(step) {
    this.stop();
    this.show(step);
    this.teller.changed();
  }
  choose(layer, head) {
    this.take(layer, head);
    this.redraw("matrix");
    this.teller.changed();
  }
  setAttention(name) {
    Object.assign(this.state, { attention: name, cursor: null, hover: null });
    this.choose(this.state.layer, this.state.head);
  }
  setOverlay(on) {
    if (!this.trace.gold) return;
    this.state.overlay = on;
    this.redraw("matrix");
    this.teller.changed();
  }
  hover(next) {
    const before = this.state.hover;
    if (before?.row === next?.row && before?.column === next?.column && before?.cell === next?.cell) return;
    this.state.hover = next;
    this.redraw("hover");
  }
  pick(cell) {
    if (!cell && !this.state.cursor) return;
    this.state.cursor = cell;
    this.redraw("hover");
  }
  act(action) {
    this.stop();
    this.acted = action;
    this.teller.act(this.trace.key, action);
  }
  /** Asks how a weight came about; of the mean over the heads nothing was recorded. */
  explainWeight({ row, column }) {
    const { attention, layer, head } = this.state;
    if (head === null) return setText(this.live, MEAN_IS_DERIVED);
    if (column >= 0) this.act({ kind: "explain", what: "weight", attention, layer, head, row, column });
  }
  settle() {
    return this.teller.settle();
  }
  show(step) {
    Object.assign(this.state, { step: within(step, this.trace.steps - 1), cursor: null, hover: null });
    this.redraw("step");
    this.announce();
  }
  /** Takes a layer and a head of the attention, in its bounds. */
  take(layer, head) {
    const { state, root } = this, plane = this.trace.planes[state.attention];
    this.plane = plane;
    root.dataset.attention = state.attention;
    state.layer = within(layer, plane.layers - 1);
    state.head = head === null || head < 0 ? null : within(head, plane.heads - 1);
    this.weights = plane.matrix(state.layer, state.head);
    this.peaks = plane.rows.map((_, row) => peakOf(this.weights, row, plane.width));
  }
  announce() {
    const {
      trace,
      plane,
      state: { step: t }
    } = this, peak = plane.byStep ? this.peak(t) : -1;
    const reads = peak < 0 ? "" : `, reads mostly ${clip(plane.columns[peak], 32)}`;
    const token = `${clip(trace.output[t], 32)}${trace.isForced(t) ? ", forced" : ""}`;
    setText(this.live, `Step ${t}, ${token}, probability ${formatProbability(trace.probability(t))}${reads}`);
  }
  // ---- playing -----------------------------------------------------------------------------------------------
  toggle() {
    if (!this.state.isPlaying) return this.play();
    this.stop();
    this.teller.changed();
  }
  setSpeed(speed) {
    this.state.speed = speed;
    this.tick();
    this.redraw("playing");
  }
  play() {
    if (this.state.step === this.trace.steps - 1) this.show(0);
    this.state.isPlaying = this.trace.steps > 1;
    this.teller.hold();
    this.redraw("playing");
    this.tick();
  }
  stop() {
    clearTimeout(this.clock);
    if (!this.state.isPlaying) return;
    this.state.isPlaying = false;
    this.redraw("playing");
  }
  tick() {
    clearTimeout(this.clock);
    if (!this.state.isPlaying) return;
    this.clock = window.setTimeout(() => {
      this.show(this.state.step + 1);
      if (this.state.step < this.trace.steps - 1) return this.tick();
      this.stop();
      this.teller.changed();
    }, STEP_MS / this.state.speed);
  }
  // ---- keys --------------------------------------------------------------------------------------------------
  onKey(event) {
    if (isShortcut(event) && !event.getModifierState("AltGraph")) return;
    const target = event.target;
    if (target.closest(TYPED) || event.key === " " && target.closest("button")) return;
    const act = this.attention.isCells(target) && this.cellKeys()[event.key] || this.viewKeys()[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
  /** With the focus nowhere at all, as after opening the page, the arrows still step: the screen says they do. */
  onPageKey(event) {
    const ways = { ArrowLeft: -1, ArrowRight: 1 }, by = ways[event.key];
    if (by && event.target === document.body && !isShortcut(event)) this.go(this.state.step + by);
  }
  viewKeys() {
    const {
      candidates,
      state: { step, layer, head }
    } = this, row = head ?? -1;
    return {
      ArrowLeft: () => this.go(step - 1),
      ArrowRight: () => this.go(step + 1),
      Home: () => this.go(0),
      End: () => this.go(this.trace.steps - 1),
      " ": () => this.toggle(),
      "[": () => this.choose(layer - 1, head),
      "]": () => this.choose(layer + 1, head),
      ",": () => this.choose(layer, row - 1),
      ".": () => this.choose(layer, row + 1),
      ArrowUp: candidates.onto(-1),
      ArrowDown: candidates.onto(1)
    };
  }
  cellKeys() {
    const { row, column } = this.picked() ?? { row: this.row(), column: 0 }, last = this.plane.width - 1;
    const to = (nextRow, nextColumn) => () => this.moveTo({
      row: within(nextRow, this.rowsSeen() - 1),
      column: within(nextColumn, last)
    });
    return {
      ArrowLeft: to(row, column - 1),
      ArrowRight: to(row, column + 1),
      ArrowUp: to(row - 1, column),
      ArrowDown: to(row + 1, column),
      Home: to(row, 0),
      End: to(row, last),
      Enter: () => this.explainWeight({ row, column }),
      Escape: () => this.focusRoot()
    };
  }
  moveTo(cell) {
    const { plane, state } = this;
    if (state.isPlaying) this.toggle();
    state.hover = null;
    this.pick(cell);
    this.attention.reveal(cell);
    const weight = plane.masked(cell.row, cell.column) ? "masked" : `weight ${fixed(this.weight(cell.row, cell.column), 4)}`;
    setText(
      this.live,
      `${clip(plane.rowName(cell.row), 40)} reads ${clip(plane.columns[cell.column], 32)}, ${weight}`
    );
  }
  focusRoot() {
    this.root.focus({ preventScroll: true });
  }
  // ---- size and colours --------------------------------------------------------------------------------------
  layout() {
    const {
      root,
      root: { clientWidth: width }
    } = this;
    if (!this.decode || !width) return;
    const phone = window.innerWidth < PHONE, dashboard = !phone && width >= DASHBOARD;
    const tall = Math.max(LOWEST, Math.min(HIGHEST, window.innerHeight - topOf(root) - BELOW)), low = dashboard && tall < LOW;
    this.size = {
      phone,
      dashboard,
      low,
      plot: dashboard ? Math.round(PLOT + (tall - LOWEST) / 4) : USUAL_PLOT
    };
    root.dataset.size = phone ? "phone" : dashboard ? "dashboard" : "stacked";
    root.toggleAttribute("data-low", low);
    root.style.setProperty("--tall", `${tall}px`);
    const isFirst = !this.isLaidOut;
    this.isLaidOut = true;
    this.redraw("layout");
    if (isFirst) this.redrawStep();
  }
  redrawStep() {
    this.redraw("step");
    this.redraw("playing");
  }
  // ---- new messages ------------------------------------------------------------------------------------------
  update({ data, setStateValue }) {
    const { root, state, teller } = this, theme = themeOf(root);
    const payload = readPayload(data), { header } = payload, before = this.decode;
    const structure = JSON.stringify({
      ...header,
      step: 0,
      attention: 0,
      layer: 0,
      head: 0,
      overlay: 0,
      report: 0
    });
    const isRebuilt = structure !== this.structure, isAgain = String(header.source_tokens) === String(before?.source_tokens);
    this.structure = structure;
    const choice = { ...choiceOf(header), overlay: header.overlay && header.gold !== null };
    teller.hear(setStateValue, header.report);
    const { choices, isPending: pending } = teller, earlier = choices.knownAt(header.report), fresh = before?.key !== header.key;
    const verdict = choices.hear(choice, header.report, {
      fresh,
      possible: isAgain,
      pending,
      alike: isAlike
    }), follows = verdict === "follow";
    if (fresh) {
      this.stop();
      teller.stop();
    }
    const scrollBack = isRebuilt && isAgain ? keepScroll(root, SCROLLED) : null, focusBack = isRebuilt ? this.build(payload, isAgain) : null;
    if (follows) this.follow(choice);
    else if (verdict === "keep") this.keep(choice, earlier);
    if (!follows && !isRebuilt && root.dataset.look === theme) return;
    state.step = Math.min(state.step, this.trace.steps - 1);
    this.take(state.layer, state.head);
    if (!before || root.dataset.look !== theme) this.look = readLook(root);
    this.layout();
    if (follows && !isRebuilt) this.redrawStep();
    scrollBack?.();
    focusBack?.();
  }
  follow(choice) {
    this.stop();
    this.teller.hold();
    Object.assign(this.state, { ...choice, cursor: null });
  }
  keep(choice, earlier) {
    if (this.state.step === earlier?.step) this.state.step = choice.step;
    this.teller.changed();
  }
  /** Builds everything; gives the way to have the focus again where it was, if it was in the view. */
  build(payload, isAgain) {
    const { root, state } = this, before = this.controls(), { cursor } = state, had = focusBeside(root);
    const hasFocus = root.contains(had), held = before.findIndex((control) => control === had);
    if (!isAgain) this.typed = "";
    this.decode = makeTrace(payload);
    this.isLaidOut = false;
    state.hover = state.cursor = null;
    const { what_if: whatIf, lens, cache } = this.decode;
    this.attention = new Attention(this);
    this.candidates = new Candidates(this);
    this.branches = whatIf && new Branches(this, whatIf);
    const internals = [lens && new LensCard(this, lens), cache && new CacheCard(this, cache)].filter(
      (card) => card !== null
    );
    const below = this.branches ? [this.branches] : [];
    this.parts = [this.page, this.attention, this.candidates, ...below, ...internals];
    const pair = el("div", { class: "pair" }, this.attention.node, this.candidates.node);
    const inside = el("div", { class: "internals" }, ...internals.map((part) => part.node));
    root.replaceChildren(
      pair,
      ...below.map((part) => part.node),
      ...internals.length ? [inside] : [],
      this.live
    );
    return hasFocus ? () => this.refocus(isAgain && before.length === this.controls().length ? held : -1, cursor) : null;
  }
  controls() {
    return [...this.root.querySelectorAll(CONTROLS)];
  }
  /** Takes the focus to what the visitor's last action made, or to the control that had it; else to the view. */
  refocus(held, cursor) {
    const { acted } = this, control = this.controls().at(held);
    this.acted = null;
    if (acted) {
      if (!this.branches?.focus(acted)) this.focusRoot();
    } else if (held < 0) this.focusRoot();
    else {
      control?.focus({ preventScroll: true });
      if (control && this.attention.isCells(control) && cursor && cursor.row < this.rowsSeen())
        this.pick(cursor);
    }
  }
  dispose() {
    clearTimeout(this.clock);
    this.teller.stop();
  }
};
var view_default = mounted(".decode-view", (root, signal) => new DecodeView(root, signal));
export default view_default;
