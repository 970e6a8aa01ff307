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
function words(tag, text2, name) {
  return el(tag, name ? { class: name, text: text2 } : { text: text2 });
}
function button(attributes, press, ...children) {
  const node = el("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", press);
  return node;
}
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
var shown = /* @__PURE__ */ new WeakMap();
function setText(node, text2) {
  if (shown.get(node) === text2) return;
  shown.set(node, text2);
  node.textContent = text2;
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
  const stops = colours.map(channels), fill2 = [], text2 = [], pixels = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    const place = i / 255 * 5, left = Math.min(4, Math.floor(place));
    const [red, green, blue] = stops[left].map(
      (c, k) => Math.round(c + (stops[left + 1][k] - c) * (place - left))
    );
    const mixed = [red, green, blue], light = luminance(mixed);
    pixels[i] = pixelOf(mixed);
    fill2.push(`rgb(${mixed.join()})`);
    text2.push((light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000" : "#fff");
  }
  return { fill: fill2, text: text2, pixels };
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
function formatShare(value) {
  const text2 = formatProbability(value), finer = fixed(value, 4);
  if (value >= 1 || text2 !== "1.000") return text2;
  return finer === "1.0000" ? ">0.9999" : finer;
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

// explorer/browser/shared/rest.ts
var LONGEST_WAIT = 2e3;
function atRest(view, report) {
  const told = () => {
    if (view.isConnected) report();
  };
  if ("requestIdleCallback" in window) window.requestIdleCallback(told, { timeout: LONGEST_WAIT });
  else setTimeout(told, 0);
}

// explorer/browser/theatre/curve.ts
var LEFT = 34;
var RIGHT = 34;
var TOP = 12;
var BOTTOM = 24;
var NEAR_END = 0.8;
function nearest(moments, updates) {
  return moments.reduce(
    (best, each, i) => best < 0 || Math.abs(each - updates) < Math.abs(moments[best] - updates) ? i : best,
    -1
  );
}
function valueAt(points, updates) {
  let found = null;
  for (const [at, value] of points) {
    if (at > updates) break;
    found = value;
  }
  return found;
}
function ticks(end) {
  if (end <= 0) return [0];
  const raw = end / 5, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw);
  return Array.from(
    { length: Math.floor(end / step + 1e-9) + 1 },
    (_, i) => Number((i * step).toPrecision(12))
  );
}
function topOf(lines) {
  const values = lines.filter(({ axis }) => axis === "left").flatMap(({ points }) => points.map(([, value]) => value)).filter(Number.isFinite);
  return values.length ? Math.max(...values) * 1.05 : 1;
}
var Curve = class {
  /** pick: called with the place of a moment that somebody chooses. */
  constructor(pick) {
    this.pick = pick;
    this.node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.node.setPointerCapture(event.pointerId);
      this.pickAt(event);
    });
    this.node.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.pickAt(event);
    });
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }
  picture = svg("svg", { "aria-hidden": "true" });
  node = el(
    "div",
    { class: "curve", role: "slider", tabindex: "0", "aria-label": "Kept moment of the training" },
    this.picture
  );
  data = null;
  width = 0;
  height = 0;
  lay(width, height) {
    this.width = width;
    this.height = height;
    for (const [name, value] of [
      ["width", width],
      ["height", height],
      ["viewBox", `0 0 ${width} ${height}`]
    ])
      this.picture.setAttribute(String(name), String(value));
    if (this.data) this.show(this.data);
  }
  show(data) {
    this.data = data;
    if (!this.width) return;
    const { moments, at, played } = data, beyond = data.lines.some(({ points }) => points.length > 0 && points[points.length - 1][0] > played);
    const pale = beyond ? data.lines.filter(({ width }) => width > 1).map((line) => this.path({ ...line, tone: "line2", width: 1.5 }, Infinity)) : [];
    this.picture.replaceChildren(
      ...this.axes(),
      ...pale,
      ...data.lines.flatMap((line) => [this.path(line, played), ...this.marks(line, played)]),
      ...this.ticksOf(),
      ...at === null ? [] : this.playhead(at)
    );
    const here = at === null ? -1 : nearest(moments, at);
    const values = {
      "aria-valuemin": 0,
      "aria-valuemax": moments.at(-1) ?? 0,
      "aria-valuenow": at ?? 0,
      "aria-valuetext": data.spoken
    };
    for (const [name, value] of Object.entries(values)) this.node.setAttribute(name, String(value));
    this.node.setAttribute("aria-disabled", String(here < 0));
  }
  x(updates) {
    return LEFT + (this.width - LEFT - RIGHT) * updates / Math.max(1, this.data.span);
  }
  y(value, axis) {
    const top = axis === "left" ? this.data.top ?? 1 : 1;
    return TOP + (this.height - TOP - BOTTOM) * (1 - Math.min(1, value / top));
  }
  get floor() {
    return this.height - BOTTOM;
  }
  axes() {
    const { top, right, span } = this.data, end = this.width - RIGHT, found = [];
    const shown2 = top === null ? [0] : ticks(top).filter((_, i, all) => all.length <= 4 || i % 2 === 0);
    for (const value of shown2) {
      const y = this.y(value, "left");
      found.push(svg("line", { class: "grid", x1: LEFT, x2: end, y1: y, y2: y }));
      if (top !== null)
        found.push(text(String(value), { x: LEFT - 7, y: y + 4, "text-anchor": "end", class: "axis" }));
    }
    if (right)
      for (const value of [0, 1])
        found.push(text(String(value), { x: end + 7, y: this.y(value, "right") + 4, class: "axis exact" }));
    for (const updates of ticks(span))
      found.push(
        text(updates.toLocaleString("en-US"), {
          x: this.x(updates),
          y: this.height - 4,
          "text-anchor": "middle",
          class: "axis"
        })
      );
    return found;
  }
  path({ points, axis, tone, width, dash }, played) {
    const shown2 = points.filter(([updates]) => updates <= played);
    const d = shown2.map(
      ([updates, value], i) => `${i ? "L" : "M"}${this.x(updates).toFixed(1)} ${this.y(value, axis).toFixed(1)}`
    ).join("");
    return svg("path", {
      class: `line tone-${tone}`,
      d,
      "stroke-width": width,
      ...dash ? { "stroke-dasharray": dash } : {}
    });
  }
  marks({ points, axis, tone, marks }, played) {
    if (!marks) return [];
    return points.filter(([updates]) => updates <= played).map(([updates, value]) => {
      const x = this.x(updates), y = this.y(value, axis), name = `mark mark-${marks} tone-${tone}`;
      if (marks === "square") return svg("rect", { class: name, x: x - 3, y: y - 3, width: 6, height: 6 });
      if (marks === "triangle")
        return svg("path", { class: name, d: `M${x} ${y - 4}L${x + 4} ${y + 3}H${x - 4}Z` });
      return svg("circle", { class: name, cx: x, cy: y, r: 2.8 });
    });
  }
  ticksOf() {
    const { moments, at, loose } = this.data, y = this.floor;
    const tick = (updates, name) => svg("line", { class: name, x1: this.x(updates), x2: this.x(updates), y1: y + 2, y2: y + 7 });
    return [
      ...moments.map((updates) => tick(updates, at !== null && updates <= at ? "tick past" : "tick")),
      ...loose === void 0 ? [] : [tick(loose, "tick loose")]
    ];
  }
  playhead(at) {
    const x = this.x(at), y = this.floor, isRight2 = at > this.data.span * NEAR_END;
    const named = this.data.lines.filter(({ name }) => name).map((line) => ({ line, value: valueAt(line.points, at) })).filter(({ value }) => value !== null);
    const heights = spread(
      named.map(({ line, value }) => this.y(value, line.axis) - 7),
      TOP + 9,
      y - 8
    );
    const words2 = named.map(
      ({ line, value }, i) => text(`${line.name} ${(line.write ?? ((each) => fixed(each, 3)))(value)}`, {
        x: isRight2 ? x - 11 : x + 11,
        y: heights[i],
        "text-anchor": isRight2 ? "end" : "start",
        class: `said tone-${line.tone}`
      })
    );
    return [
      svg("line", { class: "head", x1: x, x2: x, y1: TOP - 6, y2: y + 7 }),
      svg("circle", { class: "knob", cx: x, cy: y + 4, r: 7 }),
      ...words2
    ];
  }
  pickAt(event) {
    if (!this.data) return;
    const { left, width } = this.picture.getBoundingClientRect(), scale = this.width / width;
    const updates = ((event.clientX - left) * scale - LEFT) / (this.width - LEFT - RIGHT) * this.data.span;
    this.to(nearest(this.data.moments, updates));
  }
  to(place) {
    if (this.data && place >= 0 && place < this.data.moments.length) this.pick(place);
  }
  onKey(event) {
    if (!this.data) return;
    const { moments, at } = this.data, here = at === null ? -1 : nearest(moments, at), to = (place) => () => this.to(Math.max(0, Math.min(moments.length - 1, place)));
    actOn(event, {
      ArrowLeft: to(here - 1),
      ArrowDown: to(here - 1),
      ArrowRight: to(here + 1),
      ArrowUp: to(here + 1),
      PageDown: to(here - 5),
      PageUp: to(here + 5),
      Home: to(0),
      End: to(moments.length - 1)
    });
  }
};
function spread(heights, least, most, gap = 16) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]), found = heights.map((each) => Math.max(least, Math.min(most, each)));
  order.forEach((place, i) => {
    if (i) found[place] = Math.max(found[place], found[order[i - 1]] + gap);
  });
  const over = Math.max(0, Math.max(...found, 0) - most);
  return over ? found.map((each) => each - over) : found;
}
function text(content, attributes) {
  const node = svg("text", attributes);
  node.textContent = content;
  return node;
}

// explorer/browser/theatre/data.ts
var ONE = 65535;
function readMoments({ probes, n_heads }, header, arrays, codes, path) {
  const all = arrays[`${path}.p`], bytes = codes[`${path}.w`];
  const weights = new Uint16Array(bytes.slice().buffer), nRows = all.shape[1], nWeights = bytes.shape[1] / 2;
  return header.moments.map(({ updates, kept, words: words2 }, at) => {
    let row = at * nRows, cell = at * nWeights;
    const probabilities = probes.map(({ right }) => all.slice(row, row += right.length));
    const heads = probes.map(
      ({ right, source }) => Array.from({ length: n_heads }, () => ({
        rows: right.length,
        columns: source.length,
        values: Float32Array.from(
          weights.subarray(cell, cell += right.length * source.length),
          (each) => each / ONE
        )
      }))
    );
    return { updates, kept, words: words2, probabilities, heads };
  });
}
function fits({ probes, n_heads }, { words: words2, probabilities, heads }) {
  const isOf = ({ source, right }, i) => probabilities[i].length === right.length && heads[i].length === n_heads && heads[i].every(({ rows, columns }) => rows === right.length && columns === source.length);
  return [words2, probabilities, heads].every(({ length }) => length === probes.length) && probes.every(isOf);
}
function longest(probes) {
  return probes.reduce((best, probe, i) => probe.right.length > probes[best].right.length ? i : best, 0);
}
function layersOf({ n_layers: count }) {
  return count > 1 ? Array.from({ length: count }, (_, layer) => [layer, `layer ${layer}`]) : [];
}
function mean(grids) {
  const values = new Float32Array(grids[0].values.length);
  for (const grid of grids)
    grid.values.forEach((value, i) => {
      values[i] += value / grids.length;
    });
  return { ...grids[0], values };
}
function ofHead(heads, head) {
  return head < 0 ? mean(heads) : heads[head];
}
function largest({ rows, columns, values }) {
  return Array.from({ length: rows }, (_, row) => {
    const of = values.subarray(row * columns, (row + 1) * columns);
    const value = Math.max(...of);
    return { column: of.indexOf(value), value };
  });
}
function alignment(probe, grid) {
  const tops = largest(grid), gold = (probe.gold ?? []).slice(0, grid.rows);
  const named = gold.map((places, row) => ({ places, row })).filter(({ places }) => places.length > 0);
  return {
    on: named.filter(({ places, row }) => places.includes(tops[row].column)).length,
    of: named.length,
    maximum: tops.reduce((sum, { value }) => sum + value, 0) / tops.length
  };
}

// explorer/browser/theatre/playback.ts
var MOMENT_MS = 340;
var SPEEDS = [
  [0.5, "½×"],
  [1, "1×"],
  [2, "2×"]
];
var WINDOW = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  }
};
var Playback = class {
  /** show: called whenever another moment is shown, or playing begins or ends. */
  constructor(show, clock = WINDOW) {
    this.show = show;
    this.clock = clock;
  }
  /** Place of the moment that is shown. */
  at = 0;
  speed = 1;
  isPlaying = false;
  /** Whether the newest moment is shown as soon as it is there. */
  follows = false;
  count = 0;
  cancel = () => void 0;
  get last() {
    return Math.max(0, this.count - 1);
  }
  /** So many moments are there now. While the newest is followed, what has come since is shown one by one, the first of it at once. */
  grow(count) {
    this.count = count;
    if (this.at > this.last) this.at = this.last;
    if (this.follows && this.at < this.last && !this.isPlaying) this.next();
  }
  /** Show one moment, and play no further. */
  go(place) {
    this.halt();
    this.at = Math.max(0, Math.min(this.last, place));
    this.show();
  }
  /** From here to the end; from the beginning where this is the end. */
  play() {
    if (this.at >= this.last) this.at = 0;
    this.run();
    this.show();
  }
  pause() {
    this.halt();
    this.show();
  }
  run() {
    this.cancel();
    this.isPlaying = true;
    this.cancel = this.clock.after(MOMENT_MS / this.speed, () => this.next());
  }
  next() {
    if (this.at < this.last) this.at += 1;
    if (this.at < this.last) this.run();
    else this.halt();
    this.show();
  }
  halt() {
    this.cancel();
    this.isPlaying = false;
  }
};

// explorer/browser/shared/text.ts
var INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
function visible(token) {
  if (token === "") return "∅";
  return clip(safe(token.replace(/\s/g, "␣")), 80);
}
function safe(text2) {
  return text2.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}
function clip(text2, length) {
  const letters = Array.from(text2);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text2;
}

// explorer/browser/theatre/matrix.ts
var LEAST_WRITTEN = 0.15;
var NUMBER_CELL = 33;
var HEAD = 28;
var LETTER = 17;
var WORD = 13;
var BAR = 34;
function headOf(probe, cell) {
  const longest2 = Math.max(...probe.source.map((token) => visible(token).length));
  return longest2 * 6.4 <= cell + 8 || longest2 <= 1 ? HEAD : Math.min(92, 18 + 6.4 * Math.min(12, longest2));
}
function roomOf(probe) {
  return Math.max(
    30,
    14 + 7.6 * Math.min(12, Math.max(...probe.right.map((token) => isShort(token) ? 1 : visible(token).length)))
  );
}
function isShort(token) {
  return Array.from(token).length <= 1;
}
var AttentionMatrix = class {
  /** changed: called when another cell is pointed at. */
  constructor(changed) {
    this.changed = changed;
    this.node.addEventListener("pointermove", (event) => this.point(this.under(event)));
    this.node.addEventListener("pointerleave", () => this.point(null));
    this.node.addEventListener("blur", () => this.point(null));
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }
  node = svg("svg", { class: "weights", role: "img", tabindex: "0" });
  /** The cell that is pointed at or has the keys. */
  spot = null;
  cells = [];
  numbers = [];
  bars = [];
  barTexts = [];
  frame = svg("rect", { class: "spot", visibility: "hidden" });
  goldMarks = svg("g", { class: "gold" });
  drawn = "";
  size = { cell: 0, room: 0, bars: 0, numbers: false };
  probe;
  get height() {
    return headOf(this.probe, this.size.cell) + this.probe.right.length * this.size.cell + 2;
  }
  /** Lay out the matrix of a probe; nothing is drawn anew where probe and size are the same. */
  lay(probe, size) {
    const key = JSON.stringify([probe, size]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.probe = probe;
    this.size = size;
    this.spot = null;
    const { cell, room, bars } = size, width = room + probe.source.length * cell + bars;
    for (const [name, value] of [
      ["width", width],
      ["height", this.height],
      ["viewBox", `0 0 ${width} ${this.height}`]
    ])
      this.node.setAttribute(String(name), String(value));
    this.node.replaceChildren(
      ...this.labels(),
      ...this.makeCells(),
      ...this.makeBars(),
      this.goldMarks,
      this.frame
    );
    this.goldMarks.replaceChildren(...this.makeGold());
  }
  labels() {
    const {
      probe,
      size: { cell, room }
    } = this, head = headOf(probe, cell), upright = head > HEAD;
    const columns = probe.source.map((token, j) => {
      const x = room + j * cell + cell / 2, turn = upright ? { transform: `rotate(-90 ${x} ${head - 8})`, "text-anchor": "start", y: head - 4 } : { "text-anchor": "middle", y: head - 9 };
      return label("source", token, { x, ...turn });
    });
    const rows = probe.right.map(
      (token, i) => label("target", token, { x: room - 9, y: head + i * cell + cell / 2 + 5, "text-anchor": "end" })
    );
    return [...columns, ...rows];
  }
  makeCells() {
    const {
      probe,
      size: { cell, room }
    } = this, head = headOf(probe, cell);
    this.cells = [];
    this.numbers = [];
    probe.right.forEach(
      (_, i) => probe.source.forEach((__, j) => {
        const x = room + j * cell, y = head + i * cell;
        this.cells.push(svg("rect", { class: "cell", x, y, width: cell - 1, height: cell - 1 }));
        this.numbers.push(svg("text", { class: "number", x: x + cell / 2 - 0.5, y: y + cell / 2 + 4 }));
      })
    );
    return [...this.cells, ...this.numbers];
  }
  makeBars() {
    const {
      probe,
      size: { cell, room, bars }
    } = this, head = headOf(probe, cell), left = room + probe.source.length * cell + 14;
    this.bars = [];
    this.barTexts = [];
    if (!bars) return [];
    const backs = probe.right.map((_, i) => {
      const y = head + i * cell + cell / 2 - 5;
      this.bars.push(svg("rect", { class: "p", x: left, y, width: 0, height: 9, rx: 1.5 }));
      this.barTexts.push(svg("text", { class: "p-number", x: left + bars - 14, y: y + 9 }));
      return svg("rect", { class: "p-back", x: left, y, width: BAR, height: 9, rx: 1.5 });
    });
    const title = svg("text", { class: "p-title", x: left, y: head - 9 });
    title.textContent = bars > 60 ? "P of the right" : "P";
    return [title, ...backs, ...this.bars, ...bars > 60 ? this.barTexts : []];
  }
  makeGold() {
    const {
      probe,
      size: { cell, room }
    } = this, head = headOf(probe, cell);
    return (probe.gold ?? []).slice(0, probe.right.length).flatMap(
      (places, i) => places.filter((j) => j < probe.source.length).flatMap((j) => {
        const place = { x: room + j * cell + 1, y: head + i * cell + 1, width: cell - 3, height: cell - 3 };
        return [svg("rect", { class: "rim", ...place }), svg("rect", { class: "dash", ...place })];
      })
    );
  }
  /** Draw some weights; null where there are none yet. */
  show(grid, probabilities, look, gold) {
    const { cell, numbers } = this.size, ramp = look.ramps.weight;
    this.goldMarks.setAttribute("visibility", gold ? "visible" : "hidden");
    this.cells.forEach((node, i) => {
      node.classList.toggle("none", !grid);
      const value = grid ? grid.values[i] : 0, index = rampIndex(value);
      node.style.fill = grid ? ramp.fill[index] : "";
      setText(
        this.numbers[i],
        grid && numbers && cell >= NUMBER_CELL && value >= LEAST_WRITTEN ? fixed(value, 2) : ""
      );
      this.numbers[i].style.fill = ramp.text[index];
    });
    this.bars.forEach((node, i) => {
      node.setAttribute("width", String(probabilities ? Math.max(1, BAR * probabilities[i]) : 0));
      setText(this.barTexts[i], probabilities ? fixed(probabilities[i], 2) : "");
    });
    this.drawSpot();
  }
  drawSpot() {
    const {
      spot,
      frame,
      size: { cell, room }
    } = this;
    frame.setAttribute("visibility", spot ? "visible" : "hidden");
    if (!spot) return;
    const place = {
      x: room + spot.column * cell,
      y: headOf(this.probe, cell) + spot.row * cell,
      width: cell - 1,
      height: cell - 1
    };
    for (const [name, value] of Object.entries(place)) frame.setAttribute(name, String(value));
  }
  under(event) {
    const { left, top } = this.node.getBoundingClientRect(), { cell, room } = this.size;
    const column = Math.floor((event.clientX - left - room) / cell), row = Math.floor((event.clientY - top - headOf(this.probe, cell)) / cell);
    return row >= 0 && column >= 0 && row < this.probe.right.length && column < this.probe.source.length ? { row, column } : null;
  }
  point(spot) {
    if (spot?.row === this.spot?.row && spot?.column === this.spot?.column) return;
    this.spot = spot;
    this.drawSpot();
    this.changed();
  }
  onKey(event) {
    const { row, column } = this.spot ?? { row: 0, column: 0 };
    const to = (down, across) => () => this.point({
      row: Math.max(0, Math.min(this.probe.right.length - 1, this.spot ? row + down : 0)),
      column: Math.max(0, Math.min(this.probe.source.length - 1, this.spot ? column + across : 0))
    });
    actOn(event, {
      ArrowUp: to(-1, 0),
      ArrowDown: to(1, 0),
      ArrowLeft: to(0, -1),
      ArrowRight: to(0, 1),
      Escape: !!this.spot && (() => this.point(null))
    });
  }
};
function label(kind, token, place) {
  const node = svg("text", { class: `label ${kind}`, "font-size": isShort(token) ? LETTER : WORD, ...place }), text2 = visible(token);
  node.textContent = clip(text2, 12);
  if (text2.length > 12) node.append(svg("title", {}, document.createTextNode(text2)));
  return node;
}
function tableOf(probe, grid, caption) {
  const row = (cells) => el("tr", {}, ...cells);
  const head = row([
    el("td"),
    ...probe.source.map((token) => el("th", { scope: "col", text: visible(token) }))
  ]);
  const body = probe.right.map(
    (token, i) => row([
      el("th", { scope: "row", text: visible(token) }),
      ...Array.from(
        grid.values.subarray(i * grid.columns, (i + 1) * grid.columns),
        (value) => el("td", { text: fixed(value, 2) })
      )
    ])
  );
  return el("table", {}, el("caption", { text: caption }), el("thead", {}, head), el("tbody", {}, ...body));
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
function pixelOf2({ ramps, errorPixel }, scale, value) {
  return Number.isNaN(value) ? errorPixel : ramps[scale.ramp(value)].pixels[rampIndex(scale.place(value))];
}
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

// explorer/browser/theatre/heads.ts
var MOST_SIDE = 63;
var LEAST_CELL = 2;
var HeadPictures = class {
  /** choose: called with a head, -1 for the mean. */
  constructor(choose) {
    this.choose = choose;
  }
  node = el("div", { class: "heads", role: "group", "aria-label": "Heads" });
  buttons = [];
  count = 0;
  lay(nHeads) {
    if (this.count === nHeads) return;
    this.count = nHeads;
    this.buttons = Array.from({ length: nHeads + 1 }, (_, place) => {
      const canvas = el("canvas", { "aria-hidden": "true" }), name = place ? `head ${place - 1}` : "mean";
      const button2 = el(
        "button",
        { type: "button", "aria-pressed": "false" },
        el("span", { class: "frame" }, canvas),
        name
      );
      button2.addEventListener("click", () => this.choose(place - 1));
      return { button: button2, canvas };
    });
    this.node.replaceChildren(...this.buttons.map(({ button: button2 }) => button2));
  }
  /** heads: null before there are any, which keep their room. room: pixels that one picture may be tall. */
  show(heads, { rows, columns }, chosen, look, room) {
    this.buttons.forEach(({ button: button2, canvas }, place) => {
      button2.setAttribute("aria-pressed", String(place - 1 === chosen));
      button2.disabled = !heads;
      paint(
        canvas,
        heads ? ofHead(heads, place - 1) : { rows, columns, values: new Float32Array(rows * columns) },
        look,
        room
      );
    });
    this.node.style.visibility = heads ? "" : "hidden";
  }
};
function paint(canvas, grid, look, room) {
  const { rows, columns } = grid;
  paintSmall(
    canvas,
    grid,
    look,
    Math.max(
      LEAST_CELL,
      Math.min(Math.floor(MOST_SIDE / columns), Math.floor(Math.min(MOST_SIDE, room) / rows))
    )
  );
}
function paintSmall(canvas, { rows, columns, values }, look, cell) {
  const sheet = pixelSheet(
    look,
    WEIGHTS,
    rows,
    columns,
    (row, column) => values[row * columns + column],
    () => false
  );
  drawSheet(canvas, sheet, { width: columns * cell, height: rows * cell });
}

// explorer/browser/theatre/marks.ts
var MOST_EXTRA = 2;
function lettersOf(probe, { tokens, n }) {
  const right = probe.right.slice(0, probe.n_right), most = right.length + MOST_EXTRA;
  const letters = Array.from(
    { length: Math.max(right.length, Math.min(tokens.length, most)) },
    (_, i) => {
      const wrote = i < tokens.length ? tokens[i] : null, should = i < right.length ? right[i] : null;
      if (wrote === null) return { mark: "missing", text: "", right: visible(should) };
      if (should === null) return { mark: "extra", text: visible(wrote), right: "" };
      return {
        mark: wrote === should ? "right" : "wrong",
        text: visible(wrote),
        right: wrote === should ? "" : visible(should)
      };
    }
  );
  if (n > most) letters.push({ mark: "more", text: "…", right: "" });
  return letters;
}
function inPlace(probe, { tokens }) {
  return probe.right.slice(0, probe.n_right).filter((token, i) => tokens[i] === token).length;
}
function isRight(probe, written) {
  return written.stopped && written.n === probe.n_right && inPlace(probe, written) === Math.min(probe.n_right, probe.right.length);
}
function isAnagram(probe, { tokens, n }) {
  const right = probe.right.slice(0, probe.n_right);
  return n === right.length && [...tokens].sort().join("\n") === [...right].sort().join("\n") && tokens.some((token, i) => token !== right[i]);
}
function standing(probe, written) {
  if (isRight(probe, written)) return "right";
  const { n, stopped } = written, extra = n - probe.n_right;
  return `${inPlace(probe, written)} of ${probe.n_right} in place${stopped && extra > 0 ? `, ${extra} too many` : ""}`;
}
function oddity(probe, written) {
  if (!written.stopped) return "does not stop";
  if (written.n === 0) return "writes nothing";
  return isAnagram(probe, written) ? "an anagram" : "";
}
function spokenOutput(probe, written) {
  const right = probe.right.slice(0, probe.n_right).map(visible).join(" ");
  const wrote = written.tokens.map(visible).join(" ") || "nothing";
  if (isRight(probe, written)) return `${probe.text}: writes ${wrote}, which is right`;
  const odd = oddity(probe, written);
  return `${probe.text}: writes ${wrote}, should be ${right}, ${standing(probe, written)}${odd ? `, ${odd}` : ""}`;
}

// explorer/browser/theatre/outputs.ts
var CLASSES = { right: "ok", wrong: "no", missing: "mi", extra: "ex", more: "more" };
var ProbeOutputs = class {
  /** choose: called with the place of the probe that is clicked. */
  constructor(choose) {
    this.choose = choose;
  }
  node = el("div", { class: "outputs", role: "group", "aria-label": "What it writes" });
  rows = [];
  drawn = "";
  lay(probes, unit) {
    const key = JSON.stringify(probes);
    if (key === this.drawn) return;
    this.drawn = key;
    this.node.classList.toggle("long", unit !== "letter");
    this.rows = probes.map((probe, place) => {
      const odd = words("span", "", "odd"), stands = words("span", "", "stands"), letters = el("span", { class: "letters" });
      const head = el(
        "span",
        { class: "head" },
        el("span", { class: "name" }, words("span", visible(probe.text).replaceAll("␣", " "), "source"), odd),
        stands
      );
      return {
        button: button({ class: "output", "aria-pressed": "false" }, () => this.choose(place), head, letters),
        odd,
        stands,
        letters
      };
    });
    this.node.replaceChildren(...this.rows.map(({ button: button2 }) => button2));
  }
  /** written: of each probe; null before there is any. */
  show(probes, written, chosen) {
    this.rows.forEach((row, place) => {
      const probe = probes[place], wrote = written?.[place] ?? null;
      row.button.setAttribute("aria-pressed", String(place === chosen));
      row.button.setAttribute(
        "aria-label",
        wrote ? spokenOutput(probe, wrote) : `${probe.text}: nothing is written yet`
      );
      row.stands.classList.toggle("right", !!wrote && isRight(probe, wrote));
      setText(row.odd, wrote ? oddity(probe, wrote) : "");
      setText(row.stands, wrote && wrote.n ? standing(probe, wrote) : "");
      const letters = lettersOf(probe, wrote ?? { tokens: [], n: 0, stopped: true });
      fill(row.letters, letters);
    });
  }
};
function fill(place, letters) {
  while (place.children.length > letters.length) place.lastChild.remove();
  while (place.children.length < letters.length) place.append(el("span", {}, el("u"), el("small")));
  letters.forEach(({ mark, text: text2, right }, i) => {
    const box = place.children[i];
    box.className = `letter ${CLASSES[mark]}`;
    setText(box.children[0], text2 || " ");
    setText(box.children[1], right);
  });
}

// explorer/browser/theatre/tensor.ts
var GAP = 14;
var MOST_CELL = 26;
function arrange(planes, rows, columns, room) {
  const options = Array.from({ length: planes }, (_, i) => {
    const across = i + 1, down = Math.ceil(planes / across);
    const cell = Math.min(
      (room.width - GAP * (across - 1)) / (across * columns),
      (room.height - GAP * (down - 1)) / (down * rows),
      MOST_CELL
    );
    return { across, cell: cell >= 2 ? Math.floor(cell) : Math.max(1, Math.floor(cell * 2) / 2) };
  });
  return options.reduce(
    (best, each) => each.cell > best.cell ? each : best,
    options[0] ?? { across: 1, cell: 1 }
  );
}
var TensorPicture = class {
  /** changed: called when another number is pointed at. */
  constructor(changed) {
    this.changed = changed;
    this.node.addEventListener("pointermove", (event) => this.point(this.under(event)));
    this.node.addEventListener("pointerleave", () => this.point(null));
  }
  node = el("canvas", { class: "tensor", role: "img", tabindex: "0" });
  place = null;
  layout = { across: 1, cell: 1 };
  shown = null;
  show(picked, scale, look, room) {
    const [first] = picked.planes, { across, cell } = arrange(picked.planes.length, first.rows, first.columns, room), down = Math.ceil(picked.planes.length / across);
    this.layout = { across, cell };
    this.shown = picked;
    const { context, ratio } = prepareCanvas(
      this.node,
      across * (first.columns * cell + GAP) - GAP,
      down * (first.rows * cell + GAP) - GAP
    );
    context.imageSmoothingEnabled = false;
    picked.planes.forEach((grid, plane) => {
      const { x, y } = this.corner(grid, plane), { rows, columns, values } = grid;
      const sheet = pixelSheet(
        look,
        scale,
        rows,
        columns,
        (row, column) => values[row * columns + column],
        () => false
      );
      context.drawImage(sheet, x * ratio, y * ratio, columns * cell * ratio, rows * cell * ratio);
    });
    this.node.setAttribute(
      "aria-label",
      `${picked.name}, ${picked.whole.join(" × ")}, from ${formatSigned(picked.lowest)} to ${formatSigned(picked.highest)}`
    );
  }
  /** The number that is pointed at, in words; or how large the whole of it is. */
  get sentence() {
    const { shown: shown2, place } = this;
    if (!shown2) return "";
    const cut = shown2.planes[0].rows * shown2.planes[0].columns * shown2.planes.length < shown2.whole.reduce((product, each) => product * each, 1) ? ", its first part" : "";
    if (!place)
      return `${shown2.whole.join(" × ")}${cut}: from ${formatSigned(shown2.lowest)} to ${formatSigned(shown2.highest)}`;
    const { planes } = shown2, index = [
      ...planes.length > 1 ? [place.plane] : [],
      ...shown2.whole.length > 1 ? [place.row] : [],
      place.column
    ];
    return `[${index.join(", ")}] is ${formatSigned(planes[place.plane].values[place.row * planes[0].columns + place.column])}`;
  }
  corner({ rows, columns }, plane) {
    const { across, cell } = this.layout;
    return {
      x: plane % across * (columns * cell + GAP),
      y: Math.floor(plane / across) * (rows * cell + GAP)
    };
  }
  under(event) {
    const { left, top } = this.node.getBoundingClientRect(), { cell } = this.layout, planes = this.shown?.planes ?? [];
    for (const [plane, grid] of planes.entries()) {
      const { x, y } = this.corner(grid, plane), column = Math.floor((event.clientX - left - x) / cell), row = Math.floor((event.clientY - top - y) / cell);
      if (row >= 0 && column >= 0 && row < grid.rows && column < grid.columns) return { plane, row, column };
    }
    return null;
  }
  point(place) {
    this.place = place;
    this.changed();
  }
};

// explorer/browser/theatre/stage.ts
var BARS = 92;
var NARROW_BARS = 52;
var PHONE_CELL = 28;
var LEAST_CELL2 = 6;
var PICKED_SHARE = 0.56;
var Stage = class {
  constructor(form, choose, beside = {}) {
    this.form = form;
    this.matrix = new AttentionMatrix(() => this.read());
    this.heads = new HeadPictures(choose.head);
    this.outputs = new ProbeOutputs(choose.word);
    const title = (head, ...more) => el("div", { class: "title" }, head, ...more);
    const foot = el("div", { class: "foot" }, this.readout, ...beside.foot ?? []);
    this.node = el(
      "div",
      { class: form.compact ? "theatre-stage compact" : "theatre-stage" },
      el(
        "section",
        { class: "where", "aria-label": "Where it looks" },
        title(this.title, this.about, ...beside.title ?? []),
        el("div", { class: "beside" }, this.matrix.node, this.heads.node, this.picture.node),
        foot,
        this.table
      ),
      el(
        "section",
        { class: "writes", "aria-label": "What it writes" },
        title(
          words("h2", "What it writes"),
          words("p", form.compact ? "" : "fixed sources, token by token", "about")
        ),
        this.outputs.node,
        this.said
      ),
      this.empty
    );
  }
  node;
  matrix;
  title = words("h2", "");
  about = words("p", "", "about");
  readout = words("p", "", "readout");
  heads;
  outputs;
  said = words("p", "", "tells");
  table = el("div", { class: "unseen" });
  empty = words("p", "", "empty");
  picture = new TensorPicture(() => this.read());
  header = null;
  asked = null;
  shown = null;
  room = { width: 0, height: 0, isPhone: false };
  /** Give it its room, in pixels; on a phone one pane stands below the other. */
  lay(header, room) {
    this.header = header;
    this.room = room;
    this.node.style.setProperty("--stage", room.isPhone ? "auto" : `${room.height}px`);
    this.node.classList.toggle("low", !room.isPhone && room.height < 470);
    this.outputs.lay(header.probes, header.unit);
    this.heads.lay(header.n_heads);
    if (this.asked) this.show(...this.asked);
  }
  /**
   * Draw a moment; null before there is one. With a scale the moment's picked tensor is drawn in place of the attention.
   *
   * A moment or a choice of another run is not drawn: the page lays the stage out and shows its moments one after the other, so that for a while they are of two runs.
   */
  show(...asked) {
    this.asked = asked;
    const { header } = this, [given, chosen, look, wanted = null] = asked, isOther = !!given && !!header && !fits(header, given);
    const moment = isOther ? null : given, scale = isOther ? null : wanted, choice = header ? within(chosen, header) : chosen;
    this.shown = { moment, choice, look, scale };
    this.node.classList.toggle("isempty", !moment);
    this.empty.hidden = !!header?.probes.length;
    setText(this.empty, header?.probes.length ? "" : "There is no fixed source that could be looked at.");
    this.showPicked(moment, look, scale);
    if (!header?.probes.length) return;
    const probe = header.probes[choice.word], heads = moment ? moment.heads[choice.word] : null, grid = heads && ofHead(heads, choice.head);
    this.matrix.lay(probe, this.sizeOf(probe));
    this.matrix.show(
      grid,
      moment ? moment.probabilities[choice.word] : null,
      look,
      choice.gold && !!probe.gold
    );
    this.heads.show(
      heads,
      { rows: probe.right.length, columns: probe.source.length },
      choice.head,
      look,
      this.headRoom(header.n_heads)
    );
    this.outputs.show(header.probes, moment ? moment.words : null, choice.word);
    this.read();
    setText(this.said, moment ? said(header, moment) : "");
    this.table.replaceChildren(
      ...grid ? [tableOf(probe, grid, `Cross-attention of ${probe.text}, ${headName(choice.head, header.n_heads)}`)] : []
    );
    this.matrix.node.setAttribute("aria-label", this.summary(probe, grid, moment));
  }
  showPicked(moment, look, scale) {
    const { isPhone, width, height } = this.room;
    this.node.classList.toggle("picked", !!scale);
    setText(this.title, scale ? "One tensor" : "Where it looks");
    if (!scale || !moment?.picked?.planes.length) return;
    this.picture.show(moment.picked, scale, look, {
      width: isPhone ? width : width * PICKED_SHARE,
      height: isPhone ? width : height - 96
    });
  }
  sizeOf(probe) {
    const { compact } = this.form, { isPhone, height, width } = this.room, room = isPhone ? Math.min(64, roomOf(probe)) : roomOf(probe);
    const bars = compact ? 0 : isPhone ? NARROW_BARS : BARS, most = isPhone ? PHONE_CELL : this.form.cell;
    const across = (width - room - bars - (isPhone ? 0 : 130)) / probe.source.length * (isPhone ? 1 : 0.62);
    const down = isPhone ? Infinity : (height - (compact ? 64 : 96) - headOf(probe, most)) / probe.right.length;
    return {
      cell: Math.max(LEAST_CELL2, Math.floor(Math.min(most, across, down))),
      room,
      bars,
      numbers: !compact && !isPhone
    };
  }
  headRoom(nHeads) {
    return this.room.isPhone ? 40 : Math.max(10, (this.room.height - 96) / (Math.min(nHeads, 8) + 1) - 26);
  }
  /** The sentence of the cell that is pointed at, or of the whole matrix. */
  read() {
    const { header, shown: shown2 } = this;
    if (!header || !shown2?.moment || !header.probes.length) return setText(this.readout, "");
    if (shown2.scale) return setText(this.readout, shown2.moment.picked ? this.picture.sentence : "");
    const { moment, choice } = shown2, probe = header.probes[choice.word], grid = ofHead(moment.heads[choice.word], choice.head), { spot } = this.matrix;
    if (spot) {
      const value = grid.values[spot.row * grid.columns + spot.column];
      return setText(
        this.readout,
        `${visible(probe.right[spot.row])} (place ${spot.row}) reads ${visible(probe.source[spot.column])} (place ${spot.column}) with weight ${fixed(value, 2)}`
      );
    }
    const { on, of, maximum } = alignment(probe, grid), rows = of ? `${on} of ${of} rows look most at their ${header.unit}; ` : "";
    return setText(this.readout, `${rows}mean maximum ${fixed(maximum, 2)}`);
  }
  summary(probe, grid, moment) {
    if (!grid || !moment) return `Cross-attention of ${probe.text}: nothing yet`;
    const led = probe.right.slice(0, probe.n_right).map(visible).join(" ");
    return `Cross-attention of ${probe.text}, with the decoder reading ${led}, after ${moment.updates} updates. Mean of the largest weight of each row: ${fixed(alignment(probe, grid).maximum, 2)}.`;
  }
};
function within(choice, { probes, n_heads }) {
  return {
    ...choice,
    word: Math.max(0, Math.min(probes.length - 1, choice.word)),
    head: Math.min(n_heads - 1, choice.head)
  };
}
function headName(head, nHeads) {
  return head < 0 ? nHeads === 1 ? "its head" : `mean of ${nHeads} heads` : `head ${head}`;
}
function said({ probes, unit }, { updates, words: written }) {
  const place = probes.reduce((sum, probe, i) => sum + inPlace(probe, written[i]), 0), all = probes.reduce((sum, { n_right }) => sum + n_right, 0);
  const right = probes.filter((probe, i) => isRight(probe, written[i])).length;
  return `After ${updates.toLocaleString("en-US")} updates ${place} of ${all} ${unit}s stand in their place; ${right} of ${probes.length} sources come out exactly right.`;
}

// explorer/views/experiments/component/shapes.ts
var DASHES = {
  disc: "",
  square: "6 4",
  triangle: "2 3",
  diamond: "10 3 2 3"
};
var SIGNS = { disc: "●", square: "□", triangle: "△", diamond: "◇" };
var PATHS = {
  square: "M3 3H13V13H3Z",
  triangle: "M8 2.5L14 13.5H2Z",
  diamond: "M8 1.5L14.5 8L8 14.5L1.5 8Z"
};
function markNode(shape) {
  const drawn = shape === "disc" ? svg("circle", { cx: 8, cy: 8, r: 5.5, class: "filled" }) : svg("path", { d: PATHS[shape], class: "open" });
  return svg(
    "svg",
    { class: "arm-mark", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    drawn
  );
}

// explorer/views/experiments/component/times.ts
function timesOf(arms) {
  const known = arms.map(({ moments, awaited }) => ({
    updates: moments.map(({ updates }) => updates),
    awaited
  }));
  const end = Math.min(...known.filter(({ awaited }) => awaited).map(({ updates }) => updates.at(-1) ?? -1));
  return [...new Set(known.flatMap(({ updates }) => updates))].filter((updates) => updates <= end).sort((a, b) => a - b);
}
function momentAt(moments, updates) {
  return moments.filter((each) => each.updates <= updates).at(-1) ?? null;
}
function merged(here, come, all) {
  const known = new Map([...here, ...come].map((moment) => [moment.updates, moment]));
  return all.flatMap((updates) => known.get(updates) ?? []);
}

// explorer/views/experiments/component/arm.ts
var AROUND = 64;
var LEAST_HEIGHT = 200;
var MOST_HEIGHT = 320;
var ArmPane = class {
  node;
  header;
  moments = [];
  note = words("p", "", "note");
  exact = el("b");
  measured = el("p", { class: "exact" }, "exact match ", this.exact);
  problem = el("p", { class: "problem", role: "alert" });
  stage;
  constructor(shape, label2, cell, choose) {
    this.stage = new Stage({ compact: true, cell }, choose);
    this.node = el(
      "section",
      { class: "arm", "aria-label": label2 },
      el("div", { class: "arm-head" }, markNode(shape), words("h2", label2), this.note, this.measured),
      this.problem,
      this.stage.node
    );
  }
  /** Take what a message brings to what is here; whether some that Python took to be here are missing. */
  feed(header, moments) {
    this.header = header;
    this.moments = merged(this.moments, moments, header.all);
    setText(this.note, header.note);
    setText(this.problem, header.problem);
    this.problem.hidden = !header.problem;
    return this.moments.length < header.all.length;
  }
  /** Another layer is looked at: what is here is of the one before. */
  forget() {
    this.moments = [];
  }
  /** All probes have the same room, so that nothing moves when another one is chosen. */
  lay({ width, cell, isPhone }) {
    const tall = this.header.probes.probes.map((probe) => headOf(probe, cell) + probe.right.length * cell);
    const height = AROUND + Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, ...tall));
    this.stage.lay(this.header.probes, { width, height, isPhone });
  }
  /** Draw what there was after so many updates; null before any. */
  show(updates, choice, look) {
    const value = updates === null ? null : valueAt(this.header.exact, updates);
    this.measured.hidden = value === null;
    setText(this.exact, value === null ? "" : formatShare(value));
    this.stage.show(updates === null ? null : momentAt(this.moments, updates), choice, look);
  }
};

// explorer/browser/shared/segments.ts
var Segments = class {
  /** kind: the class of the group, and label its name. choose: called with what is pressed. */
  constructor(kind, label2, choose, segments = []) {
    this.choose = choose;
    this.node = el("div", { class: kind, role: "group", "aria-label": label2 });
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
    this.buttons = segments.map(([value, text2]) => [value, button({ text: text2 }, () => this.choose(value))]);
    this.node.replaceChildren(...this.buttons.map(([, node]) => node));
  }
  show(chosen) {
    for (const [value, node] of this.buttons) node.setAttribute("aria-pressed", String(value === chosen));
  }
};

// explorer/views/experiments/component/transport.ts
var ICONS = {
  first: "M3 2H5V14H3ZM14 2V14L6 8Z",
  back: "M12 2V14L3 8Z",
  play: "M4 2V14L14 8Z",
  pause: "M3 2H7V14H3ZM9 2H13V14H9Z",
  forward: "M4 2V14L13 8Z",
  last: "M11 2H13V14H11ZM2 2V14L10 8Z"
};
var Transport = class {
  node;
  at = el("p", { class: "at" });
  layers;
  icon = svg("path", { d: ICONS.play });
  progress = el("i");
  word = el("span", { text: "Play" });
  buttons;
  speeds;
  constructor(act, speed, layer) {
    const button2 = (what, name, ...contents) => {
      const node = el(
        "button",
        {
          type: "button",
          class: what === "play" ? "play" : "icon",
          ...what === "play" ? {} : { "aria-label": name }
        },
        ...contents
      );
      node.addEventListener("click", () => act(what));
      return node;
    };
    const icon = (path) => svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, path);
    const plain = (what, name) => button2(what, name, icon(svg("path", { d: ICONS[what] })));
    this.buttons = [
      plain("first", "First moment"),
      plain("back", "Moment before"),
      button2("play", "", icon(this.icon), this.word),
      plain("forward", "Next moment"),
      plain("last", "Last moment")
    ];
    this.speeds = new Segments("speeds", "Speed", speed, SPEEDS);
    this.layers = new Segments("speeds layers", "Layer", layer);
    this.node = el(
      "div",
      { class: "transport" },
      el("div", { class: "along", "aria-hidden": "true" }, this.progress),
      el("div", { class: "buttons", role: "group", "aria-label": "Time" }, ...this.buttons),
      this.speeds.node,
      this.layers.node,
      this.at
    );
  }
  /** share: how far the time has come, from 0 to 1. */
  show(isPlaying, speed, isEmpty, share) {
    this.progress.style.width = `${100 * share}%`;
    this.icon.setAttribute("d", isPlaying ? ICONS.pause : ICONS.play);
    setText(this.word, isPlaying ? "Pause" : "Play");
    for (const button2 of this.buttons) button2.disabled = isEmpty;
    this.speeds.show(speed);
  }
};

// explorer/views/experiments/component/view.ts
var PHONE = 641;
var LOW = 820;
var NARROW = 1340;
var OVERLAP = 6;
var TYPED = "input, textarea, select, button, [role=slider]";
var ExperimentView = class {
  // of which runs Python was told that the end was reached
  constructor(root, signal) {
    this.root = root;
    const cells = this.curves.map(
      (curve, i) => el("div", { class: "curve-cell" }, this.titles[i], curve.node)
    );
    root.append(
      this.arms,
      el(
        "section",
        { class: "time", "aria-label": "Time of all models" },
        el("div", { class: "curves" }, ...cells)
      ),
      this.transport.node,
      this.heard
    );
    root.addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.target === document.body) this.onKey(event);
      },
      { signal }
    );
    onResize(root, () => this.layout(), signal);
  }
  reports = new Reports();
  arms = el("div", { class: "arms" });
  playback = new Playback(() => this.draw());
  transport = new Transport(
    (what) => this.act(what),
    (speed) => this.setSpeed(speed),
    (layer) => this.toLayer(layer)
  );
  titles = [
    words("p", "loss of a batch, smoothed", "curve-title"),
    words("p", "", "curve-title")
  ];
  curves = [0, 1].map(() => new Curve((place) => this.playback.go(place)));
  heard = el("p", { class: "unseen", "aria-live": "polite" });
  panes = [];
  times = [];
  choice = { word: 0, head: -1, gold: false };
  header = null;
  told = 0;
  // how many moments Python was told of
  meant = null;
  // after how many updates the time was before another layer was chosen
  ended = "";
  update({ data, setStateValue }) {
    this.reports.through(setStateValue);
    const { header, arrays, codes } = readPayload(data), isOther = runsOf(header) !== runsOf(this.header);
    const { playback } = this, wasLast = playback.at >= playback.last && !playback.isPlaying;
    const isAnother = header.key !== this.header?.key;
    this.header = header;
    if (isOther) this.begin(header);
    else if (isAnother) this.forget();
    const lacks = header.arms.map(
      (arm, i) => this.panes[i].feed(arm, readMoments(arm.probes, arm.moments, arrays, codes, `arms.${i}.moments`))
    ).some(Boolean);
    this.times = timesOf(this.panes.map(({ moments, header: { awaited } }) => ({ moments, awaited })));
    if (header.follows) playback.follows ||= isOther || wasLast && !isAnother;
    playback.grow(this.times.length);
    if (!header.follows && !playback.follows && (isOther || wasLast)) playback.go(playback.last);
    this.goBack();
    setText(this.titles[1], header.held_out);
    this.tellHave(lacks);
    this.layout();
  }
  /** Another layer of the same runs: the time stays, and its moments come anew. */
  forget() {
    this.meant ??= this.times[this.playback.at] ?? null;
    this.told = 0;
    for (const pane of this.panes) pane.forget();
  }
  goBack() {
    const { meant } = this, found = meant === null ? -1 : this.times.findIndex((updates) => updates >= meant);
    if (found < 0) return;
    this.meant = null;
    this.playback.go(found);
  }
  /** Python sends what is not here; it hears of what is when some is missing, or when much would be sent again. */
  tellHave(lacks) {
    const { header, panes } = this, count = panes.reduce((sum, { moments }) => sum + moments.length, 0);
    if (!header || !lacks && (header.ended || count - Math.max(
      this.told,
      header.arms.reduce((sum, { had }) => sum + had.length, 0)
    ) < OVERLAP))
      return;
    this.told = count;
    atRest(
      this.root,
      () => this.reports.tell("have", {
        key: header.key,
        have: panes.map(({ moments }) => moments.map(({ updates }) => updates))
      })
    );
  }
  toLayer(layer) {
    if (this.header && layer >= 0 && layer < this.header.n_layers && layer !== this.header.layer)
      this.reports.tell("layer", { key: this.header.key, layer });
  }
  dispose() {
    this.playback.halt();
  }
  begin({ arms }) {
    this.playback.go(0);
    this.ended = "";
    this.told = 0;
    this.meant = null;
    this.choice = { word: longest(arms[0].probes.probes), head: -1, gold: false };
    const choose = {
      word: (word) => this.choose({ word }),
      head: (head) => this.choose({ head })
    };
    this.panes = arms.map(({ shape, label: label2 }) => new ArmPane(shape, label2, this.cell, choose));
    this.arms.replaceChildren(...this.panes.map(({ node }) => node));
  }
  // ---- what is chosen -------------------------------------------------------------------------------------------
  choose(change) {
    this.choice = { ...this.choice, ...change };
    this.draw();
  }
  setSpeed(speed) {
    this.playback.speed = speed;
    this.draw();
  }
  act(what) {
    const { playback } = this, { at, last } = playback;
    if (!this.times.length) return;
    playback.follows = what === "last" && this.header.follows;
    if (what === "play") return playback.isPlaying ? this.pause() : playback.play();
    playback.go({ first: 0, back: at - 1, forward: at + 1, last }[what]);
  }
  pause() {
    this.playback.pause();
    setText(this.heard, this.spoken());
  }
  onKey(event) {
    const isOnControl = comesFrom(event, TYPED), { word, head } = this.choice, { probes, n_heads } = this.header.arms[0].probes;
    const to = (what) => !isOnControl && (() => this.act(what));
    const toWord = (place) => !isOnControl && place >= 0 && place < probes.length && (() => this.choose({ word: place }));
    const toHead = (place) => place >= -1 && place < n_heads && (() => this.choose({ head: place }));
    actOn(event, {
      ArrowLeft: to("back"),
      ArrowRight: to("forward"),
      Home: to("first"),
      End: to("last"),
      " ": to("play"),
      ArrowUp: toWord(word - 1),
      ArrowDown: toWord(word + 1),
      ",": toHead(head - 1),
      ".": toHead(head + 1),
      "[": () => this.toLayer(this.header.layer - 1),
      "]": () => this.toLayer(this.header.layer + 1),
      g: () => this.choose({ gold: !this.choice.gold })
    });
  }
  // ---- drawing --------------------------------------------------------------------------------------------------
  get isPhone() {
    return window.innerWidth < PHONE;
  }
  get cell() {
    return this.isPhone ? 28 : window.innerWidth < NARROW ? 22 : window.innerHeight >= LOW ? 31 : 28;
  }
  layout() {
    if (!this.header || !this.root.clientWidth) return;
    const { isPhone, root } = this, columns = isPhone ? 1 : 2, width = root.clientWidth / columns;
    if (isPhone) root.dataset.size = "phone";
    else delete root.dataset.size;
    this.arms.style.setProperty("--columns", String(columns));
    for (const pane of this.panes) pane.lay({ width: width - 34, cell: this.cell, isPhone });
    const across = isPhone ? root.clientWidth - 22 : (root.clientWidth - 54) / 2;
    for (const curve of this.curves) curve.lay(across, window.innerHeight >= LOW ? 124 : 98);
    this.draw();
  }
  draw() {
    const { header, playback, times } = this;
    if (!header) return;
    const at = times.length ? times[playback.at] : null, look = readLook(this.root);
    for (const pane of this.panes) pane.show(at, this.choice, look);
    this.drawCurve(
      0,
      at,
      (arm) => arm.loss,
      (value) => fixed(value, 2)
    );
    this.drawCurve(1, at, (arm) => arm.exact, formatShare);
    this.transport.show(
      playback.isPlaying,
      playback.speed,
      !times.length,
      playback.last ? playback.at / playback.last : 0
    );
    this.transport.layers.offer(layersOf(header));
    this.transport.layers.show(header.layer);
    this.transport.at.replaceChildren(
      ...at === null ? [header.begun ? "nothing yet" : "nothing trained yet"] : [
        `${this.panes.every(({ moments }) => moments.some(({ updates }) => updates === at)) ? this.panes.length > 2 ? "all" : "both" : ""} after `,
        words("b", formatCount(at)),
        ` of ${formatCount(header.span)} updates`
      ]
    );
    this.tellEnd();
  }
  drawCurve(which, at, points, write) {
    const { span, arms } = this.header;
    const lines = arms.map((arm) => ({
      points: points(arm),
      axis: which ? "right" : "left",
      tone: "ink",
      width: 2.2,
      dash: DASHES[arm.shape],
      name: SIGNS[arm.shape],
      write
    }));
    this.curves[which].show({
      lines,
      span,
      top: which ? null : topOf(lines),
      right: which === 1,
      moments: this.times,
      at,
      played: at ?? 0,
      spoken: this.spoken()
    });
  }
  spoken() {
    const { times, playback, header } = this, at = times[playback.at];
    if (!times.length) return "nothing is trained yet";
    const arms = header.arms.map(({ label: label2, loss, exact }) => {
      const values = [
        ["loss", valueAt(loss, at), (value) => fixed(value, 3)],
        ["exact match", valueAt(exact, at), formatShare]
      ];
      return `${label2}: ${values.filter(([, value]) => value !== null).map(([name, value, write]) => `${name} ${write(value)}`).join(", ") || "nothing yet"}`;
    });
    return `after ${formatCount(at)} of ${formatCount(header.span)} updates. ${arms.join("; ")}`;
  }
  /** Python is told once that all have ended and the last moment was shown. */
  tellEnd() {
    const { header, playback, times } = this;
    const hasAll = this.panes.every(({ moments, header: { all } }) => moments.length === all.length);
    if (!header?.ended || !hasAll || playback.isPlaying || !times.length || playback.at < playback.last || this.ended === header.key)
      return;
    this.ended = header.key;
    atRest(this.root, () => this.reports.tell("end", { key: header.key }));
  }
};
function runsOf(header) {
  return header?.key.split("/")[0];
}
var view_default = mounted(".experiment-view", (root, signal) => new ExperimentView(root, signal));
export default view_default;
