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

// explorer/browser/shared/rest.ts
var LONGEST_WAIT = 2e3;
function atRest(view, report) {
  const told = () => {
    if (view.isConnected) report();
  };
  if ("requestIdleCallback" in window) window.requestIdleCallback(told, { timeout: LONGEST_WAIT });
  else setTimeout(told, 0);
}

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
function topOf2(lines) {
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
function readPicked(header, arrays, codes, path) {
  const {
    name,
    whole,
    planes: [nPlanes, rows, columns]
  } = header, limits = arrays[`${path}.limits`];
  const numbers = new Uint16Array(codes[`${path}.numbers`].slice().buffer), size = rows * columns;
  return new Map(
    header.updates.map((updates, at) => {
      const [lowest, highest] = limits.subarray(2 * at, 2 * at + 2);
      const planes = Array.from({ length: nPlanes }, (_, plane) => {
        const from = (at * nPlanes + plane) * size;
        return {
          rows,
          columns,
          values: Float32Array.from(
            numbers.subarray(from, from + size),
            (each) => lowest + each / ONE * (highest - lowest)
          )
        };
      });
      return [updates, { name, whole, planes, lowest, highest }];
    })
  );
}

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
function sizeScale(limit) {
  const place = (value) => limit > 0 ? value / limit : 0;
  return {
    kind: "size",
    limit,
    place,
    ramp: () => "weight",
    beyond: (value) => value > limit * 1.000001 || value < 0,
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
      const button3 = el(
        "button",
        { type: "button", "aria-pressed": "false" },
        el("span", { class: "frame" }, canvas),
        name
      );
      button3.addEventListener("click", () => this.choose(place - 1));
      return { button: button3, canvas };
    });
    this.node.replaceChildren(...this.buttons.map(({ button: button3 }) => button3));
  }
  /** heads: null before there are any, which keep their room. room: pixels that one picture may be tall. */
  show(heads, { rows, columns }, chosen, look, room) {
    this.buttons.forEach(({ button: button3, canvas }, place) => {
      button3.setAttribute("aria-pressed", String(place - 1 === chosen));
      button3.disabled = !heads;
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
    this.node.replaceChildren(...this.rows.map(({ button: button3 }) => button3));
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
function scaleOf(pictures) {
  const lowest = Math.min(0, ...pictures.map((each) => each.lowest)), highest = Math.max(0, ...pictures.map((each) => each.highest));
  return lowest < 0 ? signedScale(Math.max(-lowest, highest)) : sizeScale(highest);
}
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

// explorer/views/training/theatre/data.ts
function liveOf({ state }) {
  if (state === "training" || state === "starting") return "follows";
  return state === "paused" ? "paused" : "none";
}
var Arrived = class {
  key = "";
  moments = [];
  /** Take the moments of a message; whether some between are missing, which Python is to send again. */
  take(key, since, all, moments) {
    if (key !== this.key) this.moments = [];
    this.key = key;
    if (since > this.moments.length) return true;
    this.moments = [...this.moments.slice(0, since), ...moments];
    const kept = this.moments.findIndex(({ updates }, i) => updates !== all[i]);
    if (kept >= 0) this.moments = this.moments.slice(0, kept);
    return kept >= 0;
  }
};
function linesOf(loss, exact) {
  const column = (numbers, at) => Array.from(
    { length: numbers.shape[0] },
    (_, i) => [numbers[i * numbers.shape[1]], numbers[i * numbers.shape[1] + at]]
  );
  const lines = [
    { points: column(loss, 1), axis: "left", tone: "line2", width: 1 },
    {
      points: column(loss, 2),
      axis: "left",
      tone: "ink",
      width: 2.2,
      name: "loss",
      write: (value) => fixed(value, 3)
    }
  ];
  if (exact.shape[0])
    lines.push({
      points: column(exact, 1),
      axis: "right",
      tone: "link",
      width: 2,
      dash: "5 3",
      marks: "ring",
      name: "exact",
      write: formatShare
    });
  return lines;
}

// explorer/views/training/theatre/film.ts
var CELL = 6;
var MOST_SIDE2 = 78;
var LEAST_CELL3 = 2;
var Film = class {
  /** pick: called with the place of the moment that is clicked; opened: when it is unfolded. */
  constructor(pick, opened) {
    this.pick = pick;
    this.node.addEventListener("toggle", opened);
  }
  frames = el("div", { class: "frames", role: "group", "aria-label": "Moments" });
  node = el(
    "details",
    { class: "film" },
    el("summary", { text: "Film: where it looks at every moment" }),
    this.frames
  );
  kept = [];
  /** Draw what has changed since; nothing before it is unfolded. */
  show(moments, at, probe, { word, head }, look) {
    if (!this.node.open || !probe) return;
    while (this.kept.length > moments.length) this.kept.pop().node.remove();
    while (this.kept.length < moments.length) this.add(this.kept.length);
    const cell = Math.max(
      LEAST_CELL3,
      Math.min(CELL, Math.floor(MOST_SIDE2 / Math.max(probe.right.length, probe.source.length)))
    );
    this.kept.forEach((frame, place) => {
      frame.node.setAttribute("aria-pressed", String(place === at));
      const moment = moments[place], wanted = [moment, word, head, look];
      if (wanted.every((each, i) => each === frame.drawn[i])) return;
      frame.drawn = wanted;
      setText(frame.label, formatCount(moment.updates));
      frame.node.setAttribute("aria-label", `after ${formatCount(moment.updates)} updates`);
      paintSmall(frame.canvas, ofHead(moment.heads[word], head), look, cell);
    });
  }
  add(place) {
    const canvas = el("canvas", { "aria-hidden": "true" }), label2 = words("span", "");
    const node = button({ class: "frame" }, () => this.pick(place), canvas, label2);
    this.frames.append(node);
    this.kept.push({ node, canvas, label: label2, drawn: [] });
  }
};

// explorer/views/training/theatre/picker.ts
var ATTENTION = "Cross-attention";
var Picker = class {
  node = el("select", { class: "picker", "aria-label": "What is drawn at each moment" });
  key = "";
  /** pick: called with the name of a tensor, empty for the attention. */
  constructor(pick) {
    this.node.addEventListener("change", () => pick(this.node.value));
  }
  /** Offer what a model has; nothing changes where it is the same. */
  lay({ values, parameters }) {
    const key = [...values, ...parameters].join();
    if (key === this.key) return;
    this.key = key;
    const options = (names) => names.map((name) => el("option", { value: name, text: name }));
    this.node.replaceChildren(
      el("option", { value: "", text: ATTENTION }),
      el("optgroup", { label: "Values of this source" }, ...options(values)),
      el("optgroup", { label: "Parameters" }, ...options(parameters))
    );
  }
  show(name) {
    if (this.node.value !== name) this.node.value = name;
    this.node.hidden = !this.key;
  }
};

// explorer/browser/shared/focus.ts
function focusBeside(node) {
  return node.getRootNode().activeElement;
}
function setHidden(node, hidden, heir) {
  const isHeld = hidden && focusBeside(node) === node;
  node.hidden = hidden;
  if (isHeld) heir.focus({ preventScroll: true });
}

// explorer/views/training/theatre/transport.ts
var ICONS = {
  play: "M5 3l9 5.5-9 5.5z",
  pause: "M4 3h3v11H4zM10 3h3v11h-3z",
  first: "M3 3h2v11H3zM14 3v11L6 8.5z",
  back: "M12 3v11L4 8.5z",
  forward: "M5 3v11l8-5.5z",
  last: "M12 3h2v11h-2zM3 3v11l8-5.5z",
  stop: "M4 4h9v9H4z",
  step: "M3 3v11l7-5.5zM12 3h2v11h-2z"
};
var Transport = class {
  node;
  main = el("button", { type: "button", class: "main" });
  sign = svg("path");
  name = words("span", "");
  moves = /* @__PURE__ */ new Map();
  step = button2("step", "One update");
  end = button2("stop", "Stop");
  speeds;
  where = words("span", "", "place");
  open = el("button", { type: "button", class: "link", text: "Open the app here" });
  walk = el("button", {
    type: "button",
    class: "link strong",
    text: "Step through this model"
  });
  progress = el("i");
  wish = "stop";
  constructor(acts) {
    this.main.append(icon(this.sign), this.name);
    this.main.addEventListener("click", () => acts.main());
    const move = (to, label2) => {
      const node = el(
        "button",
        { type: "button", class: "icon", "aria-label": label2 },
        icon(svg("path", { d: ICONS[to] }))
      );
      node.addEventListener("click", () => acts.move(to));
      this.moves.set(to, node);
      return node;
    };
    const buttons = el(
      "div",
      { class: "buttons" },
      move("first", "First moment"),
      move("back", "A moment back"),
      this.main,
      move("forward", "A moment forward"),
      move("last", "Last moment"),
      this.step,
      this.end
    );
    this.step.addEventListener("click", () => acts.wish("step"));
    this.end.addEventListener("click", () => acts.wish(this.wish));
    this.speeds = new Segments("speeds", "Speed", (speed) => acts.speed(speed), SPEEDS);
    this.open.addEventListener("click", () => acts.open());
    this.walk.addEventListener("click", () => acts.walk());
    this.node = el(
      "div",
      { class: "transport" },
      el("div", { class: "along", "aria-hidden": "true" }, this.progress),
      buttons,
      this.speeds.node,
      this.where,
      this.open,
      this.walk
    );
  }
  show(state) {
    const { main, count, at, wishes } = state, isPause = main === "pause" || main === "pause_training";
    this.sign.setAttribute("d", isPause ? ICONS.pause : ICONS.play);
    setText(this.name, { play: "Play", pause: "Pause", go_on: "Go on", pause_training: "Pause" }[main]);
    this.main.setAttribute(
      "aria-label",
      {
        play: "Play the moments",
        pause: "Pause",
        go_on: "Go on training",
        pause_training: "Pause the training"
      }[main]
    );
    this.main.disabled = main === "play" && count < 2;
    for (const [to, node] of this.moves)
      node.disabled = !count || (to === "first" || to === "back" ? at <= 0 : at >= count - 1);
    this.step.disabled = !wishes.includes("step");
    this.wish = wishes.includes("resume") ? "resume" : "stop";
    setText(this.end.lastChild, this.wish === "resume" ? "Resume" : "Stop");
    this.end.firstElementChild.firstElementChild.setAttribute(
      "d",
      this.wish === "resume" ? ICONS.play : ICONS.stop
    );
    this.end.disabled = !wishes.includes(this.wish);
    this.speeds.show(state.speed);
    setText(this.where, state.place);
    for (const link of [this.open, this.walk]) {
      setHidden(link, !state.opens, this.main);
      link.disabled = !state.kept;
      link.title = state.kept ? "" : "The weights of this moment were not kept";
    }
    this.progress.style.width = `${count > 1 ? 100 * at / (count - 1) : 0}%`;
  }
};
function icon(path) {
  return svg("svg", { width: 17, height: 17, viewBox: "0 0 17 17", "aria-hidden": "true" }, path);
}
function button2(sign, text2) {
  return el(
    "button",
    { type: "button", class: sign },
    icon(svg("path", { d: ICONS[sign] })),
    words("span", text2)
  );
}

// explorer/views/training/theatre/view.ts
var PHONE = 641;
var HIGH = 820;
var LEAST_STAGE = 300;
var BELOW = 62;
var MARGIN = 14;
var CELL2 = 46;
var OVERLAP = 6;
var USUAL_TOP = 110;
var Theatre = class {
  // whether the last moment is meant, also while earlier ones arrive
  constructor(root, signal) {
    this.root = root;
    this.transport = new Transport({
      main: () => this.toggle(),
      move: (to) => this.move(to),
      speed: (speed) => this.setSpeed(speed),
      wish: (wish) => this.wish(wish),
      open: () => this.open("open"),
      walk: () => this.open("walk")
    });
    this.heard.setAttribute("aria-live", "polite");
    this.gold.addEventListener("click", () => this.choose({ gold: !this.choice.gold }), { signal });
    root.append(
      this.stage.node,
      el("section", { class: "time", "aria-label": "The training" }, this.curve.node, this.transport.node),
      this.film.node,
      this.heard
    );
    root.addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.composedPath()[0] === document.body) this.onKey(event);
      },
      { signal }
    );
    onResize(root, () => this.layout(), signal);
    onMoved(root, () => this.layout(), signal);
  }
  arrived = new Arrived();
  gold = el(
    "button",
    { type: "button", class: "switch", role: "switch", "aria-checked": "false" },
    el("i"),
    "Gold alignment"
  );
  layers = new Segments("layers", "Layer", (layer) => this.toLayer(layer));
  picker = new Picker((name) => this.pick(name));
  stage = new Stage(
    { compact: false, cell: CELL2 },
    { word: (word) => this.toWord(word), head: (head) => this.choose({ head }) },
    { title: [this.picker.node], foot: [this.layers.node, this.gold] }
  );
  curve = new Curve((place) => this.go(place));
  film = new Film(
    (place) => this.go(place),
    () => this.show()
  );
  playback = new Playback(() => this.moved());
  transport;
  heard = words("p", "", "unseen");
  reports = new Reports();
  reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
  header = null;
  lines = [];
  choice = { word: 0, head: -1, gold: false };
  look;
  asked = -1;
  meant = null;
  // after how many updates the moment is that was shown before another tensor was chosen
  stood = 0;
  settles = false;
  // ---- messages ------------------------------------------------------------------------------------------------
  update({ data, setStateValue }) {
    const { header, arrays, codes } = readPayload(data), isOther = header.key.split("/")[0] !== this.header?.key.split("/")[0];
    this.reports.through(setStateValue);
    const picked = header.picked ? readPicked(header.picked, arrays, codes, "picked") : /* @__PURE__ */ new Map();
    const moments = readMoments(header, header.run, arrays, codes, "run").map((moment) => ({
      ...moment,
      picked: picked.get(moment.updates)
    }));
    const isAnother = header.key !== this.header?.key, lacks = this.arrived.take(header.key, header.since, header.all, moments);
    if (header.pickable) this.picker.lay(header.pickable);
    this.header = header;
    this.lines = linesOf(arrays.loss, arrays.exact);
    this.look = readLook(this.root);
    if (isOther) this.begin(header);
    else if (isAnother) this.meant = this.stood;
    const live = liveOf(header);
    if (live === "none") this.playback.follows = false;
    this.tellHave(lacks);
    this.settle(this.arrived.moments.length);
    this.layout();
  }
  /** Show what has come: at once where the last moment is meant and not all that there were have come. */
  settle(count) {
    const { meant } = this, found = meant === null ? -1 : this.arrived.moments.findIndex(({ updates }) => updates >= meant);
    if (found >= 0) {
      [this.playback.at, this.meant] = [found, null];
      this.settles = false;
    }
    if (!this.settles) return this.playback.grow(count);
    this.playback.at = Math.max(0, count - 1);
    this.playback.grow(count);
    this.settles = count < this.header.all.length;
  }
  /** Another run: what was chosen of the one before says nothing. */
  begin(header) {
    this.choice = { word: longest(header.probes), head: -1, gold: false };
    this.playback.halt();
    this.asked = -1;
    const live = liveOf(header), count = this.arrived.moments.length, plays = header.plays && live === "none" && !this.reduced.matches;
    this.playback.follows = live !== "none";
    this.settles = !plays;
    this.playback.at = 0;
    this.playback.grow(count);
    if (plays && count > 1) this.playback.play();
  }
  /** Python sends what comes after so many moments; it hears of them when some are missing, or when much would be sent again. */
  tellHave(lacks) {
    const {
      header,
      arrived: { moments }
    } = this, count = moments.length;
    if (!header || count === this.asked) return;
    if (lacks || count < header.all.length || liveOf(header) !== "none" && count - header.since >= OVERLAP) {
      this.asked = count;
      atRest(this.root, () => this.reports.tell("have", { key: header.key, have: count }));
    }
  }
  // ---- what is shown -------------------------------------------------------------------------------------------
  get moment() {
    return this.arrived.moments[this.playback.at] ?? null;
  }
  layout() {
    if (!this.header || !this.look) return;
    const width = this.root.clientWidth, isPhone = window.innerWidth < PHONE, high = window.innerHeight >= HIGH ? 150 : 100;
    if (!width) return;
    this.root.dataset.size = isPhone ? "phone" : "wide";
    const height = Math.max(
      LEAST_STAGE,
      window.innerHeight - Math.min(USUAL_TOP, topOf(this.root)) - high - BELOW - MARGIN
    );
    this.stage.lay(this.header, { width: isPhone ? width - 24 : width, height, isPhone });
    this.curve.lay(width - (isPhone ? 26 : 38), high);
    this.layers.offer(layersOf(this.header));
    this.layers.show(this.header.run.layer);
    this.show();
  }
  show() {
    const { header, moment } = this;
    if (!header) return;
    const {
      n_heads,
      picked,
      run: { layer }
    } = header;
    if (moment && this.meant === null) this.stood = moment.updates;
    setText(
      this.stage.about,
      picked ? picked.whole.join(" × ") : `cross-attention, decoder layer ${layer}, ${headName(this.choice.head, n_heads)}`
    );
    this.picker.show(picked?.name ?? "");
    this.gold.setAttribute("aria-checked", String(this.choice.gold));
    this.gold.hidden = !!picked || !header.probes[this.choice.word]?.gold;
    const pictures = this.arrived.moments.flatMap((each) => each.picked ?? []);
    this.stage.show(moment, this.choice, this.look, picked ? scaleOf(pictures) : null);
    this.film.node.hidden = !!picked || !moment;
    this.film.show(
      this.arrived.moments,
      this.playback.at,
      header.probes[this.choice.word],
      this.choice,
      this.look
    );
    this.curve.show(this.curveData());
    this.transport.show(this.transportState());
  }
  curveData() {
    const { span, made, state } = this.header, updates = this.moment?.updates ?? null, live = liveOf({ state }) !== "none";
    return {
      lines: this.lines,
      span,
      top: this.lines[1].points.length ? topOf2(this.lines) : null,
      right: true,
      moments: this.arrived.moments.map((each) => each.updates),
      at: updates,
      played: live ? made : updates ?? 0,
      spoken: this.spoken(),
      ...this.loose ? { loose: made } : {}
    };
  }
  /** Whether a paused training has made updates since its last kept moment. */
  get loose() {
    const { made, state } = this.header;
    return state === "paused" && made > (this.arrived.moments.at(-1)?.updates ?? made);
  }
  transportState() {
    const { wishes, opens, span } = this.header, { at, last, isPlaying, speed } = this.playback, count = this.arrived.moments.length, { moment } = this;
    const of = this.loose ? `; ${formatCount(this.header.made)} is not kept` : window.innerWidth > 1500 ? `  ·  moment ${at + 1} of ${count}` : "";
    return {
      main: this.main(at >= last, isPlaying),
      count,
      at,
      speed,
      wishes,
      opens,
      kept: !!moment?.kept,
      place: moment ? `after ${formatCount(moment.updates)} of ${formatCount(span)}${window.innerWidth > 1380 ? " updates" : ""}${of}` : ""
    };
  }
  /** What the large button does: it plays moments, but of a training that goes on, at its newest moment, it is for the training. */
  main(isAtEnd, isPlaying) {
    const { wishes } = this.header;
    if (this.playback.follows || isAtEnd) {
      if (wishes.includes("pause")) return "pause_training";
      if (wishes.includes("go_on")) return "go_on";
    }
    return isPlaying ? "pause" : "play";
  }
  spoken() {
    const { moment, lines, header } = this;
    if (!moment) return "no moment yet";
    const loss = lines[1] && valueAt(lines[1].points, moment.updates), exact = lines[2] && valueAt(lines[2].points, moment.updates);
    return `after ${formatCount(moment.updates)} of ${formatCount(header.span)} updates${typeof loss === "number" ? `: loss ${fixed(loss, 3)}` : ""}${typeof exact === "number" ? `, exact match ${formatShare(exact)}` : ""}`;
  }
  // ---- what somebody does --------------------------------------------------------------------------------------
  choose(change) {
    this.choice = { ...this.choice, ...change };
    this.show();
  }
  pick(name) {
    if (this.header) this.reports.tell("pick", { key: this.header.key, name, probe: this.choice.word });
  }
  /** Another probe; a value that is drawn is recorded for it then. */
  toWord(word) {
    this.choose({ word });
    if (this.header?.picked) this.pick(this.header.picked.name);
  }
  moved() {
    this.show();
    if (!this.playback.isPlaying && !this.playback.follows) this.say();
  }
  say() {
    const { moment, header } = this, probe = header?.probes[this.choice.word];
    if (moment && probe)
      setText(this.heard, `${this.spoken()}. ${spokenOutput(probe, moment.words[this.choice.word])}`);
  }
  go(place) {
    const isLast = place >= this.playback.last, { header } = this;
    this.playback.follows = isLast && !!header && liveOf(header) !== "none";
    this.settles = isLast && !!header && this.arrived.moments.length < header.all.length;
    this.playback.go(place);
  }
  move(to) {
    const { at, last } = this.playback;
    this.go({ first: 0, back: at - 1, forward: at + 1, last }[to]);
  }
  setSpeed(speed) {
    this.playback.speed = speed;
    this.show();
  }
  toggle() {
    const main = this.main(this.playback.at >= this.playback.last, this.playback.isPlaying);
    if (main === "go_on") this.wish("go_on");
    else if (main === "pause_training") this.wish("pause");
    else if (main === "pause") this.playback.pause();
    else {
      this.settles = false;
      this.playback.play();
      this.playback.follows = liveOf(this.header) !== "none";
    }
  }
  wish(wish) {
    if (this.header?.wishes.includes(wish)) this.reports.tell("wish", { key: this.header.key, do: wish });
  }
  toLayer(layer) {
    if (this.header && layer >= 0 && layer < this.header.n_layers && layer !== this.header.run.layer)
      this.reports.tell("layer", { key: this.header.key, layer });
  }
  open(how) {
    if (this.moment && this.header)
      this.reports.tell(how, { key: this.header.key, updates: this.moment.updates, probe: this.choice.word });
  }
  onKey(event) {
    const { header } = this;
    if (!header || event.defaultPrevented) return;
    if (comesFrom(event, "button, a, input, select, summary") && [" ", "Enter"].includes(event.key)) return;
    const { word, head } = this.choice, to = (by) => () => this.toWord(Math.max(0, Math.min(header.probes.length - 1, word + by)));
    const toHead = (by) => () => this.choose({ head: Math.max(-1, Math.min(header.n_heads - 1, head + by)) });
    actOn(event, {
      ArrowLeft: () => this.move("back"),
      ArrowRight: () => this.move("forward"),
      Home: () => this.move("first"),
      End: () => this.move("last"),
      " ": () => this.toggle(),
      ArrowUp: to(-1),
      ArrowDown: to(1),
      ",": toHead(-1),
      ".": toHead(1),
      "[": () => this.toLayer(header.run.layer - 1),
      "]": () => this.toLayer(header.run.layer + 1),
      g: () => this.choose({ gold: !this.choice.gold }),
      u: () => this.wish("step")
    });
  }
  dispose() {
    this.playback.halt();
  }
};
var view_default = mounted(".theatre", (root, signal) => new Theatre(root, signal));
export default view_default;
