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
  const read2 = (name) => style.getPropertyValue(`--${name}`).trim();
  const roles = Object.fromEntries(CANVAS_ROLES.map((name) => [name, read2(name)]));
  const ramp = (name) => makeRamp(STOPS.map((i) => read2(`${name}-${i}`)));
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

// explorer/browser/shared/planes.ts
function makeTensor(name, entry, arrays) {
  const axes = entry.axes.map((axis2) => ({
    ...axis2,
    shown: axis2.places ? axis2.places.length : axis2.size,
    stride: 1
  }));
  axes.reduceRight((stride, axis2) => {
    axis2.stride = stride;
    return stride * axis2.shown;
  }, 1);
  const part = (which) => arrays[`tensors.${name}.${which}`];
  const values = part("values"), hidden = part("hidden") ?? null, covered = part("covered") ?? null;
  const axis = (wanted) => axes.find((each) => each.name === wanted);
  return { ...entry, name, axes, values, hidden, covered, axis };
}
function wholePlace(axis, place) {
  return axis.places ? axis.places[place] : place;
}
function shownPlace(axis, number) {
  if (axis.places) return axis.places.indexOf(number);
  return number < axis.size ? number : -1;
}
var NAMED = ["sentence"];
function placeLabel(axis, place) {
  return axis.labels.length ? (NAMED.includes(axis.name) ? visibleText : visible)(axis.labels[place]) : String(wholePlace(axis, place));
}
function placeWords(axis, place) {
  if (!axis.labels.length) return `${axis.name} ${wholePlace(axis, place)}`;
  const token = placeLabel(axis, place);
  return axis.writes.length ? `reads ${clip(token, 24)} → writes ${clip(visible(axis.writes[place]), 24)}` : clip(token, 40);
}
function makeSide(tensor, names, step) {
  const axes = names.map((name) => tensor.axis(name));
  const total = axes.reduce((product, axis) => product * axis.shown, 1), count = Math.ceil(total / step);
  function places(i) {
    let rest = i * step;
    const found = [];
    for (const axis of [...axes].reverse()) {
      found.unshift(rest % axis.shown);
      rest = Math.floor(rest / axis.shown);
    }
    return found;
  }
  const offsets = Int32Array.from(
    { length: count },
    (_, i) => places(i).reduce((sum, place, k) => sum + place * axes[k].stride, 0)
  );
  const parts = (i, write2) => places(i).map((place, k) => write2(axes[k], place)).join(" · ");
  const words2 = (i) => parts(i, placeWords), label = (i) => parts(i, placeLabel);
  const isWritten = axes.length === 1 && axes[0].writes.length > 0;
  return {
    axes,
    names,
    count,
    offsets,
    places,
    total,
    step,
    size: axes.reduce((product, axis) => product * axis.size, 1),
    side: axes.map((axis) => axis.side).find(Boolean) ?? "",
    numeric: axes.every((axis) => !axis.labels.length),
    label,
    words: words2,
    /** What a row of the decoder writes; null where nothing is written. */
    writes: isWritten ? (i) => visible(axes[0].writes[places(i)[0]]) : null,
    /** What a table calls it: beside many columns the other end is out of sight. */
    heading: (i) => isWritten ? words2(i) : clip(label(i), 24),
    /** The row or column of a shown place on every axis. */
    find: (wanted) => axes.reduce((at, axis, k) => at * axis.shown + wanted[k], 0) / step
  };
}
var MOST_CELLS = 6e3;
function makePlane(tensor, panel, placeOf) {
  const thin = (names) => Math.ceil(names.reduce((product, name) => product * tensor.axis(name).shown, 1) / MOST_CELLS);
  const rows = makeSide(tensor, panel.rows, thin(panel.rows)), columns = makeSide(tensor, panel.columns, thin(panel.columns));
  const others = tensor.axes.filter(
    (axis) => !panel.rows.includes(axis.name) && !panel.columns.includes(axis.name)
  );
  const fixedPlaces = new Map(
    others.map((axis) => [axis.name, Math.max(0, shownPlace(axis, placeOf(axis.name)))])
  );
  const base = others.reduce((sum, axis) => sum + fixedPlaces.get(axis.name) * axis.stride, 0);
  const at = (row, column) => base + rows.offsets[row] + columns.offsets[column];
  function numbers(row, column) {
    const found = new Map(
      [...fixedPlaces].map(([name, place]) => [name, wholePlace(tensor.axis(name), place)])
    );
    rows.places(row).forEach((place, k) => found.set(rows.names[k], wholePlace(rows.axes[k], place)));
    columns.places(column).forEach((place, k) => found.set(columns.names[k], wholePlace(columns.axes[k], place)));
    return found;
  }
  function index(row, column) {
    const found = numbers(row, column);
    return tensor.index.map(
      (names) => names.reduce((sum, name) => sum * tensor.axis(name).size + found.get(name), 0)
    );
  }
  const layer = (row, column) => numbers(row, column).get("layer") ?? null;
  function find(cell) {
    if (!cell || !tensor.lead.every((number, k) => cell.index[k] === number)) return null;
    if (cell.index.length !== tensor.lead.length + tensor.index.length) return null;
    const wanted = shownPlaces(tensor, cell.index.slice(tensor.lead.length)), stack = tensor.axis("layer");
    if (stack)
      wanted.set(
        "layer",
        range(stack.shown).findIndex((i) => siteOf(tensor, wholePlace(stack, i)) === cell.site)
      );
    else if (tensor.site !== cell.site) return null;
    for (const [axis, place] of fixedPlaces) if ((wanted.get(axis) ?? place) !== place) return null;
    const onSides = [rows, columns].map((side) => side.names.map((axis) => wanted.get(axis) ?? 0));
    if (onSides.flat().includes(-1)) return null;
    const [row, column] = [rows.find(onSides[0]), columns.find(onSides[1])];
    return Number.isInteger(row) && Number.isInteger(column) ? { row, column } : null;
  }
  return {
    tensor,
    rows,
    columns,
    index,
    layer,
    find,
    key: [...fixedPlaces].join(),
    value: (row, column) => tensor.values[at(row, column)],
    masked: (row, column) => tensor.hidden !== null && tensor.hidden[at(row, column)] !== 0,
    /** Whether a number is not here before a question is answered. */
    covered: (row, column) => tensor.covered !== null && tensor.covered[at(row, column)] !== 0
  };
}
function shownPlaces(tensor, index) {
  const found = /* @__PURE__ */ new Map();
  index.forEach((number, k) => {
    for (const name of [...tensor.index[k]].reverse()) {
      const axis = tensor.axis(name);
      found.set(name, shownPlace(axis, number % axis.size));
      number = Math.floor(number / axis.size);
    }
  });
  return found;
}
function range(count) {
  return Array.from({ length: count }, (_, i) => i);
}
function siteOf(tensor, layer) {
  return tensor.sites[layer ?? -1] ?? tensor.site.replace("{layer}", String(layer));
}
function extremes(plane, rows = range(plane.rows.count), columns = range(plane.columns.count)) {
  let low = Infinity, high = -Infinity, best = null, size = -1;
  for (const row of rows) {
    for (const column of columns) {
      const value = plane.value(row, column);
      if (Number.isNaN(value) || plane.masked(row, column) || plane.covered(row, column)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
      if (Math.abs(value) > size) {
        size = Math.abs(value);
        best = { row, column };
      }
    }
  }
  return best && { low, high, ...best };
}
var APART = ["layer", "parameter"];
function shapeWords(plane) {
  const held = plane.tensor.axes.filter(
    (axis) => !APART.includes(axis.name) && ![...plane.rows.names, ...plane.columns.names].includes(axis.name)
  );
  return [...held.map((axis) => axis.size), panelShape(plane)].join("·");
}
function panelShape(plane) {
  return plane.rows.names.length ? `${plane.rows.size}×${plane.columns.size}` : String(plane.columns.size);
}
function limitOf(sizes, share) {
  if (!sizes.length) return 0;
  return sizes[Math.min(sizes.length - 1, Math.max(0, Math.ceil(share * sizes.length) - 1))];
}
function sortedSizes(tensor, layer = 0) {
  tensor.sorted ??= /* @__PURE__ */ new Map();
  let sizes = tensor.sorted.get(layer);
  if (!sizes) tensor.sorted.set(layer, sizes = sizesOf(tensor, layer).sort());
  return sizes;
}
function sizesOf(tensor, layer) {
  const stack = tensor.axis("layer"), own = stack ? Math.max(0, shownPlace(stack, layer)) : 0;
  const length = stack ? tensor.values.length / stack.shown : tensor.values.length;
  const isWhole = stack && tensor.axes[0] !== stack, start = isWhole ? 0 : own * length, end = isWhole ? tensor.values.length : start + length;
  const kept = new Float32Array(end - start);
  let count = 0;
  for (let i = start; i < end; i++) {
    const value = tensor.values[i];
    if (Number.isFinite(value) && !tensor.hidden?.[i] && !tensor.covered?.[i])
      kept[count++] = Math.abs(value);
  }
  return kept.subarray(0, count);
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

// explorer/browser/shared/math.ts
function mathWords(tag, text, name) {
  const node = el(tag, name ? { class: name } : {});
  for (const part of text.split(/(_[A-Za-z0-9]+|(?<![A-Za-z_])[QKV]+(?![A-Za-z]))/)) {
    if (/^_./.test(part)) node.append(words("sub", part.slice(1)));
    else if (/^[QKV]+$/.test(part))
      node.append(...Array.from(part, (letter) => words("b", letter, `tone-${letter.toLowerCase()}`)));
    else if (part) node.append(part);
  }
  return node;
}

// explorer/browser/shared/tabs.ts
var Tabs = class {
  /** controls: id of what a tab opens. */
  constructor(controls, open) {
    this.controls = controls;
    this.open = open;
    this.node.addEventListener("keydown", (event) => {
      const at = this.tabs.indexOf(event.target), count = this.tabs.length;
      const to = (place) => at >= 0 && (() => this.go((place + count) % count));
      actOn(event, { ArrowLeft: to(at - 1), ArrowRight: to(at + 1), Home: to(0), End: to(count - 1) });
    });
  }
  node = el("div", { class: "stages", role: "tablist", "aria-label": "Stages" });
  tabs = [];
  shown = [];
  go(place) {
    this.open(this.shown[place].key);
    this.tabs[place].focus();
  }
  build(tabs) {
    if (JSON.stringify(this.shown) === JSON.stringify(tabs)) return;
    this.shown = tabs;
    this.tabs = tabs.map(({ key, title, tip }) => {
      const attributes = {
        id: idOf(key),
        "aria-controls": this.controls,
        "data-focus": `tab:${key}`,
        title: tip
      };
      return button({ role: "tab", ...attributes }, () => this.open(key), mathWords("span", title));
    });
    this.node.replaceChildren(...this.tabs);
  }
  /** progress: how many tabs after the first have been played, where something plays. */
  show(key, progress = null) {
    this.tabs.forEach((tab, i) => {
      const isOn = this.shown[i].key === key;
      tab.setAttribute("aria-selected", String(isOn));
      tab.tabIndex = isOn ? 0 : -1;
      tab.style.setProperty(
        "--share",
        progress === null || i === 0 ? "0" : String(Math.max(0, Math.min(1, progress - (i - 1))))
      );
    });
  }
};
function idOf(key) {
  return `tab-${key || "whole"}`;
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
function ordinal(place) {
  const isTeen = Math.floor(place / 10) % 10 === 1;
  return `${place}${isTeen ? "th" : ["th", "st", "nd", "rd"][place % 10] ?? "th"}`;
}

// explorer/browser/shared/tensors.ts
var Tensors = class {
  constructor({ header, arrays }, chosen) {
    this.chosen = chosen;
    this.header = header;
    this.tensors = Object.fromEntries(
      Object.entries(header.tensors).map(([name, entry]) => [name, makeTensor(name, entry, arrays)])
    );
  }
  header;
  tensors;
  chooser(axis) {
    return this.header.choosers.find((each) => each.axis === axis);
  }
  /** The place of an axis that is drawn: of what the message does not hold, the place that it does hold. */
  placeOf = (axis) => {
    const chooser = this.chooser(axis);
    if (!chooser) return 0;
    return chooser.local ? this.chosen.choices[axis] ?? chooser.value : chooser.value;
  };
  stage(key) {
    return this.header.stages.find((each) => each.key === key);
  }
};
function choiceOf({ stage, choosers }) {
  return { stage, choices: Object.fromEntries(choosers.map(({ axis, value }) => [axis, value])) };
}
function isPossible({ choosers }, { choices }) {
  return choosers.every(({ axis, options }) => choices[axis] < options.length);
}
function textOf({ before, first, between, second, after, value }) {
  return before + first + between + second + after + value;
}
function numberText({ dtype, scale }, value) {
  if (scale === "mask") return value ? "yes" : "no";
  if (dtype === "int64") return fixed(value, 0);
  return scale === "weight" ? fixed(value, 4) : formatSigned(value);
}

// explorer/browser/shared/numbers_table.ts
var ROWS = 100;
var COLUMNS = 64;
function numbersTable(title, caption, { rows, columns }, shown2, text) {
  const down = shown2.rows.slice(0, ROWS), across = shown2.columns.slice(0, COLUMNS);
  const cut = [
    [down, shown2.rows, "row"],
    [across, shown2.columns, "column"]
  ];
  const left = cut.filter(([some, all]) => some.length < all.length).map(([some, all, word]) => `the first ${some.length} of ${plural(all.length, word)}`);
  const cells = down.map(() => across.map(() => el("td")));
  const body = down.map(
    (row, i) => el("tr", {}, rowHead(rows.names.length ? rows.heading(row) : "", rows.side), ...cells[i])
  );
  const head = across.map((column) => columnHead(clip(columns.label(column), 24), columns.side));
  const box = el(
    "div",
    {
      class: "numbers",
      tabindex: "0",
      role: "region",
      "aria-label": `Table of ${title}`,
      "data-focus": "numbers"
    },
    table(title, [el("td"), ...head], body)
  );
  const node = el(
    "div",
    { class: "as-table" },
    caption,
    ...left.length ? [words("p", `The table shows ${left.join(" and ")}.`, "thinned")] : [],
    box
  );
  const write2 = () => down.forEach((row, i) => across.forEach((column, j) => setText(cells[i][j], text(row, column))));
  write2();
  return { node, box, write: write2 };
}

// explorer/browser/tensor_view/model.ts
var Model = class extends Tensors {
  /** The stage that is open; the first where none of that name is there. */
  get open() {
    return this.stage(this.chosen.stage) ?? this.header.stages[0];
  }
  plane(panel, placeOf = this.placeOf) {
    return makePlane(this.tensors[panel.tensor], panel, placeOf);
  }
  /** Whether a panel shows one place of this axis only. */
  holds({ tensor, rows, columns }, axis) {
    return this.tensors[tensor].axis(axis) !== void 0 && !rows.includes(axis) && !columns.includes(axis);
  }
  /** What a panel holds still, such as head 2; of several panels, what any of them does. */
  held(...panels) {
    const choosers = this.header.choosers.filter(
      ({ axis }) => panels.some((panel) => this.holds(panel, axis))
    );
    return choosers.map((chooser) => optionWords(chooser, this.placeOf(chooser.axis)));
  }
};
function resultAt({ kind, panels }) {
  return kind === "product" ? 2 : panels.length - 1;
}
function optionText(option) {
  const text = visible(option);
  return option.trim() === option ? text.replaceAll("␣", " ") : text;
}
function optionWords({ options, label }, place) {
  const text = optionText(options[place]), name = /^[AB] /.test(label) ? label : label.toLowerCase();
  return text.toLowerCase().startsWith(name) ? text : `${name} ${text}`;
}

// explorer/browser/shared/cells.ts
function cellSize(longest, columns, room) {
  if (longest <= 8) return Math.max(34, Math.min(48, Math.floor(room / columns)));
  if (longest <= 16) return 34;
  if (longest <= 32) return 20;
  if (longest <= 64) return 10;
  return Math.max(2, Math.min(10, Math.floor(room / columns)));
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
var MASK = {
  kind: "mask",
  ramp: () => "weight",
  place: (value) => value ? 0.6 : 0,
  beyond: () => false,
  faint: (value) => !value,
  bold: () => false,
  write: (value) => value ? "yes" : "no"
};
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

// explorer/browser/tensor_view/paint.ts
var SMALL = 10;
var NUMBERED = 34;
function paintCells(canvas, plane, cell, scale, look) {
  const {
    rows: { count: rows },
    columns: { count: columns },
    value,
    masked
  } = plane, least = Math.min(cell.width, cell.height);
  if (least < SMALL) return paintStrips(canvas, plane, cell, scale, look);
  drawCells(
    canvas,
    { rows, columns, value, masked },
    cell,
    scale,
    least < NUMBERED ? 0 : Math.max(rows, columns) > 8 ? 12 : 13,
    look
  );
}
function paintStrips(canvas, plane, { width, height }, scale, look) {
  const { context, ratio } = paintPixels(
    canvas,
    plane,
    plane.columns.count * width,
    plane.rows.count * height,
    scale,
    look
  );
  context.fillStyle = look.bg;
  if (height >= SMALL)
    for (let row = 1; row < plane.rows.count; row++)
      context.fillRect(0, Math.round(row * height * ratio) - 1, canvas.width, 1);
}
function paintPixels(canvas, plane, width, height, scale, look) {
  const sheet = pixelSheet(look, scale, plane.rows.count, plane.columns.count, plane.value, plane.masked);
  return drawSheet(canvas, sheet, { width, height }, ({ context, ratio }) => {
    if (plane.tensor.hidden || scale.kind === "mask")
      cellPainter(context, look, ratio, scale).masked(0, 0, canvas.width, canvas.height);
  });
}

// explorer/browser/tensor_view/choosers.ts
var MOST_SEGMENTS = 12;
var THUMBNAIL = 62;
var LEAST_THUMBNAIL = 10;
var Choosers = class {
  node;
  offered;
  parts;
  constructor(host) {
    const { model } = host, stage = model.open, result = stage.panels[resultAt(stage)];
    this.offered = model.header.choosers.filter(
      ({ axis, options }) => options.length > 1 && stage.panels.some((panel) => model.holds(panel, axis))
    );
    this.parts = this.offered.map((chooser) => {
      if (chooser.axis === "head" && chooser.local && model.holds(result, "head"))
        return new Thumbnails(host, chooser, result);
      return chooser.options.length > MOST_SEGMENTS ? listOf(host, chooser) : segmentsOf(host, chooser);
    });
    this.node = el("div", { class: "choosers" }, ...this.parts.map((part) => part.node));
  }
  has(axis) {
    return this.offered.some((chooser) => chooser.axis === axis);
  }
  draw(scale) {
    for (const part of this.parts) {
      part.draw?.(scale);
      part.update();
    }
  }
};
function buttonsOf(host, chooser, contents) {
  const buttons = chooser.options.map((_, place) => {
    const attributes = {
      "aria-label": optionWords(chooser, place),
      "data-focus": `${chooser.axis}:${place}`
    };
    return button(attributes, () => host.choose(chooser.axis, place), ...contents(place));
  });
  return {
    buttons,
    update: () => buttons.forEach(
      (node, place) => node.setAttribute("aria-pressed", String(place === host.model.chosen.choices[chooser.axis]))
    )
  };
}
function segmentsOf(host, chooser) {
  const { buttons, update } = buttonsOf(host, chooser, (place) => [optionText(chooser.options[place])]);
  const node = el(
    "div",
    { class: "chooser" },
    words("span", chooser.label, "chooser-name"),
    el("div", { class: "segments", role: "group", "aria-label": chooser.label }, ...buttons)
  );
  return { node, update };
}
function listOf(host, { axis, label, options }) {
  const select = el(
    "select",
    { "data-focus": `${axis}:list` },
    ...options.map((option, place) => el("option", { value: place, text: optionText(option) }))
  );
  select.addEventListener("change", () => host.choose(axis, Number(select.value)));
  const node = el("label", { class: "chooser" }, words("span", label, "chooser-name"), select);
  return {
    node,
    update: () => {
      select.value = String(host.model.chosen.choices[axis]);
    }
  };
}
var Thumbnails = class {
  constructor(host, chooser, panel) {
    this.host = host;
    this.chooser = chooser;
    this.panel = panel;
    this.canvases = chooser.options.map(() => el("canvas", { "aria-hidden": "true" }));
    const { buttons, update } = buttonsOf(host, chooser, (place) => [
      el("span", { class: "paper" }, this.canvases[place]),
      words("span", optionWords(chooser, place), "short")
    ]);
    this.node = el("div", { class: "thumbs", role: "group", "aria-label": chooser.label }, ...buttons);
    this.update = update;
  }
  node;
  update;
  canvases;
  drawn = "";
  draw(scale) {
    const {
      chooser: { axis, options },
      host: { model, look }
    } = this;
    const planes = range(options.length).map(
      (place) => model.plane(this.panel, (each) => each === axis ? place : model.placeOf(each))
    );
    const now = [planes[0].key, look.bg, scale.limit].join();
    if (now === this.drawn) return;
    this.drawn = now;
    const { rows, columns } = planes[0], longest = Math.max(rows.count, columns.count);
    const cell = longest <= 8 ? Math.min(9, Math.max(7, Math.floor(THUMBNAIL / longest))) : THUMBNAIL / longest;
    const [width, height] = [columns.count, rows.count].map(
      (count) => Math.max(LEAST_THUMBNAIL, Math.round(count * cell))
    );
    this.canvases.forEach((canvas, place) => paintPixels(canvas, planes[place], width, height, scale, look));
  }
};

// explorer/browser/tensor_view/sizes.ts
var STRIP = 16;
var OPERATOR = 40;
var ARROW = 72;
var BESIDE = 24;
var EDGE = 4;
var LEAST_OTHER = 150;
var LARGEST = 48;
function leastCell(longest) {
  return longest <= 8 ? 20 : longest <= 32 ? 14 : longest <= 64 ? 7 : 2;
}
function ownSize(panel, room, isPhone, tallest2) {
  const { rows, columns } = panel.plane;
  const at = ({ left, right }) => {
    const space = room - left - right, usual = cellSize(panel.longest, columns.count, space);
    return isPhone ? usual : Math.min(usual, Math.max(leastCell(panel.longest), Math.floor(space / columns.count)));
  };
  let width = at(panel.labelRoom(at(panel.labelRoom(34))));
  if (panel.longest > 64 && rows.count > 24)
    width = Math.min(width, Math.max(2, Math.floor(tallest2 / rows.count)));
  return { width, height: rowHeight(panel, width) };
}
function rowHeight({ plane: { rows } }, cell) {
  return rows.count <= 24 ? Math.max(STRIP, cell) : cell;
}
function panelWidth(panel, cell, left) {
  const labels = panel.labelRoom(cell);
  return (left ?? labels.left) + EDGE + panel.plane.columns.count * cell + labels.right;
}
function beyondEdge(panel, cell) {
  return Math.max(0, panel.endsRoom() - panel.labelRoom(cell).right);
}
function cornerOf([a, b, c], room, tallest2) {
  const rows = a.plane.rows.count, inner = a.plane.columns.count, columns = b.plane.columns.count;
  if (b.plane.rows.count !== inner || c.plane.rows.count !== rows || c.plane.columns.count !== columns)
    return null;
  const first = cellSize(Math.max(rows, inner, columns), 1, LARGEST), least = Math.max(first > 20 ? 16 : 6, Math.floor(tallest2 / (inner + rows)));
  for (let cell = Math.min(first, least); cell >= 6; cell--) {
    const [own, result] = [a.labelRoom(cell), c.labelRoom(cell)], { left } = own, second = Math.max(b.labelRoom(cell).left, 18);
    const side = left + EDGE + inner * cell, other = Math.max(LEAST_OTHER, second + EDGE + columns * cell + result.right);
    if (side + other <= room) return { cell, side, other, left, second, top: Math.max(own.top, result.top) };
  }
  return null;
}
function rowSizes(kind, panels, room) {
  if (panels.length === 1 && panels[0].longest > 64) return null;
  const between = kind === "sum" || kind === "difference" ? OPERATOR : kind === "map" ? ARROW : BESIDE;
  const space = room - between * (panels.length - 1), longest = Math.max(...panels.map((panel) => panel.longest)), largest = cellSize(longest, 1, LARGEST);
  const least = kind === "difference" ? 4 : longest > 8 && longest <= 16 ? 10 : Math.max(6, leastCell(longest) - 2);
  for (let width = largest; width >= Math.min(least, largest); width--) {
    const taken = panels.reduce((sum, panel) => sum + panelWidth(panel, width), 0);
    if (taken > space) continue;
    const top = Math.max(...panels.map((panel) => panel.labelRoom(width).top));
    const ends = (panel) => panel === panels.at(-1) && taken + beyondEdge(panel, width) <= space ? panel.endsRoom() : 0;
    return panels.map((panel) => ({ width, height: rowHeight(panel, width), top, ends: ends(panel) }));
  }
  return null;
}

// explorer/browser/tensor_view/figure.ts
var TALLEST = 600;
var LEAST_TALL = 320;
var AROUND = 290;
var ROOMY = 300;
var HIGH = 380;
function tallest() {
  return Math.max(LEAST_TALL, Math.min(TALLEST, window.innerHeight - AROUND));
}
var Figure = class {
  constructor(stage, panels) {
    this.stage = stage;
    this.panels = panels;
    this.node = el("div", { class: `figure ${stage.kind}` });
    panels.forEach((panel, k) => {
      if (k) this.node.append(operatorOf(stage, k - 1));
      this.node.append(panel.node);
      panel.node.style.gridArea = stage.kind === "product" ? "abc"[k] : "";
    });
  }
  node;
  /** Gives every panel its size; the card gets to know how they stand: corner, row, wrap or stack. */
  layout(room, card, isPhone) {
    const {
      stage: { kind },
      panels
    } = this, corner = kind === "product" && !isPhone ? cornerOf(panels, room, tallest()) : null;
    const row = corner || isPhone ? null : rowSizes(kind, panels, room), arrangement = corner ? "corner" : row ? "row" : kind === "one" ? "wrap" : "stack";
    this.node.dataset.arrangement = card.dataset.arrangement = arrangement;
    card.classList.toggle("roomy", corner !== null && corner.side >= ROOMY);
    card.classList.toggle("high", corner !== null && corner.cell * panels[1].plane.rows.count >= HIGH);
    if (corner) this.placeAroundCorner(corner, card, room);
    else if (row) panels.forEach((panel, k) => panel.layout(row[k]));
    else this.placeByThemselves(room, arrangement === "stack", isPhone);
  }
  placeAroundCorner({ cell, side, other, left, second, top }, card, room) {
    const [a, b, c] = this.panels, height = rowHeight(a, cell), beyond = beyondEdge(c, cell), ends = side + other + beyond <= room ? c.endsRoom() : 0;
    card.style.setProperty("--first", `${side}px`);
    card.style.setProperty("--second", `${other + (ends && beyond)}px`);
    a.layout({ width: cell, height, left, top });
    b.layout({ width: cell, height: cell, left: second, hidesColumns: true });
    c.layout({ width: cell, height, left: second, top, ends, hidesRows: true });
  }
  placeByThemselves(room, isStack, isPhone) {
    const left = isStack ? Math.max(...this.panels.map((panel) => panel.labelRoom(20).left)) : void 0;
    for (const panel of this.panels) {
      const { width, height } = ownSize(
        panel,
        room - (left === void 0 ? 0 : left - panel.labelRoom(20).left) - 4,
        isPhone,
        tallest()
      );
      panel.layout({
        width,
        height,
        left,
        ends: panelWidth(panel, width, left) + beyondEdge(panel, width) <= room ? panel.endsRoom() : 0
      });
    }
  }
};
function operatorOf({ kind, arrows, panels }, k) {
  if (kind === "one") return el("span", { hidden: "" });
  if (kind === "map")
    return el(
      "div",
      { class: "operator arrow" },
      mathWords("span", arrows[k]),
      el("i", { "aria-hidden": "true" })
    );
  const sign = kind === "sum" ? k === panels.length - 2 ? "=" : "+" : [kind === "product" ? "×" : "−", "="][k];
  return words("div", sign, "operator");
}

// explorer/browser/tensor_view/scales.ts
function groupsOf(panels, planes, isRobust) {
  const found = /* @__PURE__ */ new Map();
  planes.forEach(({ tensor: { scale } }, k) => {
    const name = isLimited(scale) ? `${scale}/${panels[k].group || k}` : scale;
    found.set(name, [...found.get(name) ?? [], k]);
  });
  return [...found.values()].map((members) => groupOf(members, planes, isRobust));
}
function groupOf(members, planes, isRobust) {
  const { scale: kind } = planes[members[0]].tensor;
  if (!isLimited(kind)) return { scale: kind === "mask" ? MASK : WEIGHTS, members, end: "1", differs: false };
  const sizes = members.map((k) => sortedSizes(planes[k].tensor)), limit = (share) => Math.max(...sizes.map((each) => limitOf(each, share)));
  const full = limit(1), robust = limit(0.99), differs = robust > 0 && robust < 0.8 * full, end = isRobust && differs ? robust : full;
  const scale = (kind === "size" ? sizeScale : signedScale)(end), isWhole = members.every((k) => planes[k].tensor.dtype === "int64");
  return {
    scale: isWhole ? { ...scale, write: wholeNumber } : scale,
    members,
    end: isWhole ? wholeNumber(end) : limitText(end),
    differs
  };
}
function isLimited(kind) {
  return kind === "signed" || kind === "size";
}
function wholeNumber(value) {
  return fixed(value, 0);
}
function limitText(limit) {
  if (limit === 0) return "0";
  return limit >= 0.1 && limit < 9999 ? fixed(limit, limit < 10 ? 2 : 1) : formatSigned(limit);
}
function oddities({ scale, members, end }, planes) {
  let beyond = 0, broken = 0, masked = 0;
  for (const { rows, columns, value, masked: isMasked } of members.map((k) => planes[k])) {
    for (let row = 0; row < rows.count; row++)
      for (let column = 0; column < columns.count; column++) {
        const number = value(row, column);
        if (isMasked(row, column)) masked++;
        else if (Number.isNaN(number)) broken++;
        else if (scale.beyond(number)) beyond++;
      }
  }
  const range2 = scale.kind === "signed" ? `±${end}` : `0 to ${end}`;
  return [
    beyond && `${plural(beyond, "value")} beyond ${range2}`,
    broken && `${formatCount(broken)} not a number (×)`,
    masked && `${formatCount(masked)} masked (hatched)`
  ].filter(Boolean).join(", ");
}

// explorer/browser/tensor_view/legend.ts
function legendOf(group, panels, planes) {
  const {
    scale: { kind },
    members,
    end
  } = group, isSigned = kind === "signed";
  const node = el("div", { class: `legend ${kind}`, "aria-hidden": "true" }, el("i"));
  if (kind === "mask") node.append(words("span", "yes"), el("i", { class: "hatched" }), words("span", "no"));
  else {
    const middle = isSigned ? "0" : kind === "weight" ? "weight" : "";
    node.append(
      words("span", isSigned && end !== "0" ? `−${end}` : "0"),
      words("span", middle),
      words("span", end)
    );
  }
  if (planes.length > members.length)
    node.append(mathWords("span", members.map((k) => symbolOf(panels[k])).join(", "), "about"));
  node.append(words("span", oddities(group, planes), "beyond"));
  return node;
}
function symbolOf({ title }) {
  return title.replace(/^([A-Za-zα-ω](?:_\w+|ᵀ)?) (?!−).*/, "$1");
}

// explorer/browser/tensor_view/marks.ts
function marksOf(kind, planes, spot) {
  const { panel, row, column } = spot, { rows, columns } = planes[panel];
  return planes.map((plane, k) => {
    if (k === panel) return { hover: spot };
    if (kind === "product") return ofProduct(spot, k);
    if (kind === "one" || plane.rows.count !== rows.count) return {};
    return plane.columns.count === columns.count ? { hover: { row, column } } : { row };
  });
}
function ofProduct({ panel, row, column }, k) {
  if (panel === 2) return k === 0 ? { row } : { column };
  if (k !== 2) return {};
  return panel === 0 ? { row } : { column };
}
function stepRow({ rows }, row, side) {
  if (row === null || rows.side !== side || rows.axes.length !== 1 || rows.step > 1) return void 0;
  const place = shownPlace(rows.axes[0], row);
  return place < 0 ? void 0 : place;
}

// explorer/browser/tensor_view/labels.ts
var MOST_LETTERS = 40;
var LINE = 15;
var CROWDED = 14;
var measure;
var Labels = class {
  /** side: whose places are called by `label`. */
  constructor(kind, side, label = side.label) {
    this.kind = kind;
    this.side = side;
    this.label = label;
    this.node = el("div", { class: kind, "aria-hidden": "true" });
  }
  node;
  floating = words("span", "", "label floating");
  found = [];
  cell = 0;
  crowd = 0;
  /** How wide the widest label is. */
  width({ size, family }) {
    const { count, numeric } = this.side, context = measure ??= document.createElement("canvas").getContext("2d");
    context.font = `650 ${size}px ${family}`;
    const texts = numeric ? [this.label(count - 1)] : Array.from({ length: count }, (_, i) => clip(this.label(i), MOST_LETTERS));
    return Math.max(...texts.map((text) => context.measureText(text).width));
  }
  clear() {
    this.found = [];
    this.node.replaceChildren();
  }
  /** longest: the longer side of the matrix. cell: size of a cell along this side. */
  draw(cell, longest, isTurned, font) {
    if (!this.side.names.length) return this.clear();
    const isAcross = this.kind === "columns", width = isAcross ? this.width(font) : 0;
    const every = labelStep(
      cell,
      longest,
      this.side.numeric,
      isAcross && !isTurned ? width + 4 : LINE,
      isAcross ? isTurned ? "turned" : "across" : "down"
    );
    this.cell = cell;
    this.crowd = isAcross ? width + 6 : CROWDED;
    this.found = [];
    for (let i = 0; i < this.side.count; i += every) this.found.push(this.make(i));
    return this.node.replaceChildren(...this.found.map(({ node }) => node), this.floating);
  }
  make(i) {
    const text = clip(this.label(i), MOST_LETTERS), node = words("span", text, "label"), at = (i + 0.5) * this.cell;
    node.title = text;
    this.put(node, at);
    return { i, node, at };
  }
  put(node, at) {
    node.style[this.kind === "columns" ? "left" : "top"] = `${at}px`;
  }
  /** Lights the label of a place; one that has no room of its own stands over its neighbours. */
  light(place) {
    if (!this.found.length) return;
    const isSeen = place === void 0 || this.found.some(({ i }) => i === place), at = ((place ?? 0) + 0.5) * this.cell;
    for (const each of this.found) {
      each.node.classList.toggle("lit", each.i === place);
      each.node.classList.toggle("off", !isSeen && Math.abs(each.at - at) < this.crowd);
    }
    this.floating.hidden = isSeen;
    if (isSeen) return;
    setText(this.floating, clip(this.label(place), MOST_LETTERS));
    this.put(this.floating, at);
  }
  get shown() {
    return [...this.node.children].filter((label) => !label.hidden && label.textContent);
  }
};
function labelStep(cell, longest, isNumeric, room, along) {
  const least = Math.ceil(room / cell), usual = longest <= 32 ? 1 : longest <= 64 ? 4 : 10, isRoomy = cell >= LINE;
  if (!isNumeric && along === "down" || along === "turned" && isRoomy) return niceStep(least);
  return niceStep(Math.max(least, isRoomy && !isNumeric ? 1 : usual));
}
function niceStep(least) {
  for (let power = 1; ; power *= 10)
    for (const step of [1, 2, 4, 5]) if (step * power >= least) return step * power;
}

// explorer/browser/tensor_view/png.ts
var PADDING = 16;
var LINE2 = 18;
var TITLE = "650 15px";
var TEXT = "400 12px";
function pictureOf(cells, labels, title, lines, look) {
  const ratio = cells.width / parseFloat(cells.style.width), sheet = cells.getBoundingClientRect();
  const boxes = [sheet, ...labels.map((node) => node.getBoundingClientRect())];
  const left = Math.min(...boxes.map((box) => box.left)) - PADDING, top = Math.min(...boxes.map((box) => box.top)) - (PADDING + LINE2 * (lines.length + 1) + 8);
  const context = document.createElement("canvas").getContext("2d"), picture = context.canvas;
  const widthOf = (text, font) => {
    context.font = `${font} ${look.family}`;
    return context.measureText(text).width;
  };
  const wide = Math.max(widthOf(title, TITLE), ...lines.map((line) => widthOf(line, TEXT))) + 2 * PADDING;
  picture.width = Math.ceil(
    Math.max(wide, Math.max(...boxes.map((box) => box.right)) - left + PADDING) * ratio
  );
  picture.height = Math.ceil((Math.max(...boxes.map((box) => box.bottom)) - top + PADDING) * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = look.bg;
  context.fillRect(0, 0, picture.width, picture.height);
  context.textBaseline = "middle";
  write(context, title, `${TITLE} ${look.family}`, look.ink, PADDING, PADDING + 8);
  lines.forEach(
    (line, k) => write(context, line, `${TEXT} ${look.family}`, look.mute, PADDING, PADDING + 10 + LINE2 * (k + 1))
  );
  for (const node of labels) writeLabel(context, node, left, top, look.family);
  context.drawImage(cells, sheet.left - left, sheet.top - top, sheet.width, sheet.height);
  return picture;
}
function writeLabel(context, node, left, top, family) {
  const box = node.getBoundingClientRect(), { fontWeight, fontSize, color, transform } = getComputedStyle(node), matrix = new DOMMatrix(transform);
  context.save();
  context.translate((box.left + box.right) / 2 - left, (box.top + box.bottom) / 2 - top);
  context.rotate(Math.atan2(matrix.b, matrix.a));
  context.textAlign = "center";
  write(context, node.textContent, `${fontWeight} ${fontSize} ${family}`, color, 0, 0);
  context.restore();
}
function write(context, text, font, colour, x, y) {
  context.font = font;
  context.fillStyle = colour;
  context.fillText(text, x, y);
}
function fileName(parts, ending) {
  const joined = parts.filter(Boolean).map((part) => part.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "")).join("_");
  return `${joined.slice(0, 120) || "tensor"}.${ending}`;
}
function savePicture(picture, name) {
  picture.toBlob((blob) => {
    if (!blob) return;
    const address = URL.createObjectURL(blob);
    el("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1e4);
  }, "image/png");
}

// explorer/browser/tensor_view/words.ts
function cellText(plane, { row, column }) {
  return plane.masked(row, column) ? "masked" : numberText(plane.tensor, plane.value(row, column));
}
function read({ kind, panels }, planes, { panel, row, column }) {
  const plane = planes[panel], { tensor, rows, columns } = plane, index = [...tensor.lead, ...plane.index(row, column)].join(", ");
  const first = rowWords(plane, row), base = {
    first,
    second: columns.words(column),
    value: cellText(plane, { row, column }),
    place: `${tensor.site.split(".").at(-1)}[${index}]`
  };
  if (kind !== "product" || panel !== 2) {
    return {
      ...base,
      before: "",
      between: first && " · ",
      after: ": ",
      tones: [rows.side, tensor.letter ? `tone-${tensor.letter}` : columns.side]
    };
  }
  const [a, b] = planes, { total, size } = a.columns;
  const whole = total < size ? `, summed over all ${formatCount(size)},` : "";
  const tones = [
    a.tensor.letter ? `tone-${a.tensor.letter}` : a.rows.side,
    b.tensor.letter ? `tone-${b.tensor.letter}` : b.columns.side
  ];
  return {
    ...base,
    before: first ? "Row " : "The row",
    between: ` of ${panels[0].title} times column `,
    after: ` of ${panels[1].title}${whole} gives `,
    tones
  };
}
function rowWords({ rows }, row) {
  return rows.names.length ? rows.words(row) : "";
}
function summary(title, plane) {
  const { tensor, rows, columns } = plane, found = extremes(plane), shape = `${plural(rows.count, "row")} by ${plural(columns.count, "column")}`;
  if (!found) return `${title}: ${shape}, no numbers. Arrow keys move a cell cursor, Escape leaves.`;
  const place = [rowWords(plane, found.row), columns.words(found.column)].filter(Boolean).join(" · ");
  const range2 = `, from ${numberText(tensor, found.low)} to ${numberText(tensor, found.high)}. Largest in size at ${place}: ${cellText(plane, found)}.`;
  return `${title}: ${shape}, ${tensor.dtype}${tensor.scale === "mask" ? "." : range2} Arrow keys move a cell cursor, ${tensor.askable ? "Enter explains, " : ""}Escape leaves.`;
}

// explorer/browser/tensor_view/panel.ts
var FRAMES = ["step", "link-row", "link-column", "cell", "hover"];
var MOST_AT_LEFT = 132;
var MOST_ABOVE = 120;
var TURN = 48 * Math.PI / 180;
var TINY = 17;
var Panel = class {
  constructor(host, spec, position, actions) {
    this.host = host;
    this.spec = spec;
    this.position = position;
    this.actions = actions;
    this.plane = host.model.plane(spec);
    const { rows, columns, tensor } = this.plane;
    this.tensor = tensor;
    this.longest = Math.max(rows.count, columns.count);
    this.rows = new Labels("rows", rows);
    this.columns = new Labels("columns", columns);
    this.ends = new Labels("ends", rows, (i) => `→ ${rows.writes?.(i)}`);
    this.canvas = el("canvas", {
      class: "cells",
      role: "img",
      tabindex: "0",
      "aria-roledescription": "matrix",
      "data-focus": `panel:${position}`
    });
    this.sheet = new Sheet(this.canvas, FRAMES);
    this.box = el("div", { class: "sheet" }, this.canvas, ...this.sheet.nodes);
    this.scroller = el(
      "div",
      { class: "scroller" },
      el(
        "div",
        { class: "matrix" },
        el("div", { class: "corner" }),
        this.columns.node,
        this.rows.node,
        this.box,
        this.ends.node
      )
    );
    this.open = this.link("Table", "table", `Table of ${spec.title}`, () => actions.toggleTable(position));
    const save = this.link("PNG", "png", `Save ${spec.title} as a PNG picture`, () => actions.save(position));
    const caption = el(
      "p",
      { class: "caption" },
      mathWords("b", spec.title, tensor.letter && `tone-${tensor.letter}`),
      el(
        "span",
        {},
        words("span", `${panelShape(this.plane)} ${tensor.dtype} `, "shape"),
        this.open,
        " ",
        save
      )
    );
    this.node = el(
      "figure",
      { class: "panel", "data-rows": rows.side, "data-columns": columns.side, "data-tone": tensor.letter },
      caption,
      this.wide,
      this.scroller
    );
    this.listen();
  }
  plane;
  tensor;
  longest;
  canvas;
  scroller;
  node;
  open;
  wide = words("p", "", "thinned");
  sheet;
  box;
  rows;
  columns;
  ends;
  link(text, kind, label, act) {
    return button(
      { class: "link small", text, "data-focus": `${kind}:${this.position}`, "aria-label": label },
      act
    );
  }
  listen() {
    const { canvas, actions, position } = this;
    canvas.addEventListener("pointermove", (event) => actions.hover(this.under(event)));
    canvas.addEventListener("pointerleave", () => actions.hover(null));
    canvas.addEventListener("click", (event) => {
      const spot = this.under(event);
      if (spot) actions.ask(spot);
    });
    canvas.addEventListener("focus", () => actions.enter(position));
    canvas.addEventListener("blur", () => actions.leave(position));
  }
  under(event) {
    const spot = this.sheet.under(event, this.plane.rows.count, this.plane.columns.count);
    return spot && { panel: this.position, ...spot };
  }
  // ---- size --------------------------------------------------------------------------------------------------
  get font() {
    return { size: this.longest <= 8 && !this.host.isPhone ? 14 : 12, family: this.host.look.family };
  }
  endsRoom() {
    return this.plane.rows.writes && !this.host.isPhone ? Math.ceil(Math.min(this.ends.width(this.font), MOST_AT_LEFT)) + 10 : 0;
  }
  labelRoom(cell) {
    const {
      font,
      plane: { rows, columns },
      host: { isPhone }
    } = this;
    const left = rows.names.length ? Math.ceil(Math.min(this.rows.width(font), isPhone ? 78 : MOST_AT_LEFT)) + 12 : 4;
    const column = Math.min(this.columns.width(font), isPhone ? 90 : MOST_ABOVE), isTurned = !columns.numeric && column > cell - 6;
    if (!isTurned) return { left, column, isTurned, top: font.size + 12, right: 0 };
    return {
      left,
      column,
      isTurned,
      top: Math.ceil(column * Math.sin(TURN) + 18),
      right: Math.max(0, Math.ceil(column * Math.cos(TURN) - cell / 2 + 12))
    };
  }
  /** Takes the sizes that the figure has chosen. */
  layout({ width, height, left, top, ends = 0, hidesRows = false, hidesColumns = false }) {
    const room = this.labelRoom(width), {
      font,
      longest,
      plane: { rows, columns }
    } = this, right = hidesColumns ? 0 : room.right;
    this.sheet.size = { width, height };
    this.node.classList.toggle("turned", room.isTurned);
    this.node.classList.toggle("tiny", Math.min(width, height) < TINY);
    const lengths = {
      left: left ?? room.left,
      top: hidesColumns ? 4 : top ?? room.top,
      label: font.size,
      ends,
      "label-width": room.isTurned ? room.column + 8 : Math.max(width, 60),
      right: Math.max(0, right - ends)
    };
    for (const [name, length] of Object.entries(lengths))
      this.node.style.setProperty(`--${name}`, `${length}px`);
    Object.assign(this.box.style, {
      width: `${columns.count * width}px`,
      height: `${rows.count * height}px`
    });
    if (hidesColumns) this.columns.clear();
    else this.columns.draw(width, longest, room.isTurned, font);
    if (hidesRows) this.rows.clear();
    else this.rows.draw(height, longest, false, font);
    if (ends) this.ends.draw(height, longest, false, font);
    else this.ends.clear();
  }
  /** Says what is not in sight, once everything has its place. */
  tellScroll() {
    const {
      scroller,
      plane: { rows, columns }
    } = this, notes = [];
    for (const [{ step, total }, word] of [
      [rows, "row"],
      [columns, "column"]
    ]) {
      if (step > 1) notes.push(`Showing every ${ordinal(step)} of ${plural(total, word)}.`);
    }
    const needed = this.leftOfCells + columns.count * this.sheet.size.width;
    if (scroller.clientWidth && needed > scroller.clientWidth)
      notes.push(`Wider than the card: scroll to see all ${plural(columns.count, "column")}.`);
    const isCut = scroller.scrollHeight > scroller.clientHeight + 24 && getComputedStyle(scroller).overflowY !== "visible";
    if (isCut) notes.push(`Higher than the card: scroll to see all ${plural(rows.count, "row")}.`);
    setText(this.wide, notes.join(" "));
    this.wide.hidden = !notes.length;
  }
  get leftOfCells() {
    return this.lengthOf("--left") + 4;
  }
  lengthOf(name) {
    return parseFloat(this.node.style.getPropertyValue(name));
  }
  // ---- drawing -----------------------------------------------------------------------------------------------
  /** The plane at the places that are chosen now. */
  take() {
    return this.plane = this.host.model.plane(this.spec);
  }
  draw(scale) {
    paintCells(this.canvas, this.plane, this.sheet.size, scale, this.host.look);
    this.canvas.setAttribute("aria-label", summary(this.spec.title, this.plane));
  }
  /** Frames what the stage wants framed, and lights the labels of what is pointed at, linked to it or explained. */
  mark({ hover, row, column }, explained, step) {
    const {
      sheet,
      plane: {
        rows: { count: rows },
        columns: { count: columns }
      }
    } = this;
    sheet.frame("hover", hover);
    sheet.frame("link-row", row === void 0 ? null : { row, column: 0 }, 1, columns);
    sheet.frame("link-column", column === void 0 ? null : { row: 0, column }, rows, 1);
    sheet.frame("cell", explained);
    sheet.frame("step", step === void 0 ? null : { row: step, column: 0 }, 1, columns);
    for (const side of [this.rows, this.ends]) side.light(hover?.row ?? row ?? explained?.row);
    this.columns.light(hover?.column ?? column ?? explained?.column);
  }
  showTabled(isTabled) {
    this.open.setAttribute("aria-expanded", String(isTabled));
  }
  /** Keeps the keyboard's cell in sight when the matrix scrolls inside its card. */
  reveal(spot) {
    this.sheet.reveal(this.scroller, spot, { left: this.leftOfCells, top: this.lengthOf("--top") });
  }
  /** The panel as it is drawn, labels and all, as a canvas of its own; lines stand under its title. */
  picture(lines) {
    const labels = [this.columns, this.rows, this.ends].flatMap((side) => side.shown);
    return pictureOf(this.canvas, labels, this.spec.title, lines, this.host.look);
  }
};

// explorer/browser/tensor_view/readout.ts
var Readout = class {
  /** heir: what has the focus next where this loses it. */
  constructor(heir, ask, toggleTable) {
    this.heir = heir;
    this.explain = explainButton(ask, { "data-focus": "explain" });
    this.open = button({ class: "link", "data-focus": "table" }, toggleTable);
    this.node = el(
      "div",
      { class: "readout" },
      this.sentence,
      el("p", { class: "actions" }, this.explain, this.open)
    );
  }
  node;
  sentence = el("p", { class: "sentence" });
  said = "";
  explain;
  open;
  /** reading: null where there is no number at all. */
  show(reading, isAskable) {
    this.sentence.classList.toggle("blank", !reading);
    this.explain.disabled = !reading;
    setHidden(this.explain, reading !== null && !isAskable, this.heir);
    const said = JSON.stringify(reading);
    if (!reading || said === this.said) return;
    this.said = said;
    this.sentence.replaceChildren(...piecesOf(reading));
  }
  showTabled(isTabled) {
    setText(this.open, isTabled ? "Hide table" : "Table");
    this.open.setAttribute("aria-expanded", String(isTabled));
  }
};
function piecesOf({
  before,
  first,
  between,
  second,
  after,
  value,
  place,
  tones
}) {
  return [
    mathWords("span", before),
    words("b", first, tones[0]),
    mathWords("span", between),
    words("b", second, tones[1]),
    mathWords("span", after),
    words("b", value),
    " ",
    words("code", place)
  ];
}

// explorer/browser/tensor_view/card.ts
var PAGE = 10;
var Card = class {
  constructor(host) {
    this.host = host;
    const { model } = host, stage = this.stage = model.open;
    this.result = resultAt(stage);
    this.panels = stage.panels.map((panel, k) => new Panel(host, panel, k, this));
    this.figure = new Figure(stage, this.panels);
    this.choosers = new Choosers(host);
    this.readout = new Readout(
      host.root,
      () => {
        const spot = this.active();
        if (spot) this.ask(spot);
      },
      () => this.toggleTable(this.result)
    );
    const tabpanel = model.header.stages.length > 1 ? { role: "tabpanel", "aria-labelledby": idOf(stage.key) } : {};
    const foot = el(
      "footer",
      {},
      this.readout.node,
      el("div", { class: "scale" }, this.robust, this.legends)
    );
    this.node = el(
      "section",
      { class: "card", id: "stage", ...tabpanel },
      this.figure.node,
      this.head(),
      foot,
      this.tablePlace
    );
    this.showTabled();
  }
  stage;
  node;
  result;
  panels;
  figure;
  choosers;
  readout;
  title = el("h2");
  robust = button(
    {
      class: "switch",
      role: "switch",
      "data-focus": "robust",
      title: "Colours end at the size that 99 of 100 values stay below"
    },
    () => {
      this.host.isRobust = !this.host.isRobust;
      this.draw();
    },
    el("i"),
    "Robust scale"
  );
  legends = el("div", { class: "legends" });
  tablePlace = el("div");
  groups = [];
  pointed = null;
  cursor = null;
  table = null;
  tabled = null;
  head() {
    const {
      stage: { formula, note },
      panels,
      result
    } = this, windows = new Set(panels.flatMap(({ tensor }) => tensor.axes.map((axis) => axis.window)));
    return el(
      "header",
      {},
      this.title,
      words("code", panels[result].tensor.site, "site"),
      ...[...windows].filter(Boolean).map((text) => words("p", text, "thinned")),
      this.choosers.node,
      ...formula ? [mathWords("p", formula, "formula")] : [],
      ...note ? [words("p", note, "note")] : []
    );
  }
  get planes() {
    return this.panels.map(({ plane }) => plane);
  }
  // ---- what is marked ----------------------------------------------------------------------------------------
  explainedIn(k) {
    return this.panels[k].plane.find(this.host.cell);
  }
  /** The cell that the readout is about: pointed at, or under the cursor, or explained, or the largest of the result, in the row of the current step where it has one. */
  active() {
    if (this.pointed ?? this.cursor) return this.pointed ?? this.cursor;
    for (const panel of [this.result, ...range(this.panels.length)]) {
      const explained = this.explainedIn(panel);
      if (explained) return { panel, ...explained };
    }
    const { plane } = this.panels[this.result], step = this.stepIn(plane), peak = extremes(plane, step === void 0 ? void 0 : [step]) ?? extremes(plane);
    return peak && { panel: this.result, row: peak.row, column: peak.column };
  }
  stepIn(plane) {
    return stepRow(plane, this.host.model.header.row, this.host.model.header.row_side);
  }
  marks() {
    const spot = this.active(), { planes } = this, marks = spot ? marksOf(this.stage.kind, planes, spot) : [];
    this.panels.forEach(
      (panel, k) => panel.mark(
        marks[k] ?? {},
        this.explainedIn(k),
        k === this.result ? this.stepIn(panel.plane) : void 0
      )
    );
    this.readout.show(
      spot && read(this.stage, planes, spot),
      spot !== null && this.panels[spot.panel].tensor.askable
    );
  }
  // ---- what happens ------------------------------------------------------------------------------------------
  hover(spot) {
    if (JSON.stringify(spot) === JSON.stringify(this.pointed)) return;
    this.pointed = spot;
    this.marks();
  }
  ask(spot) {
    this.host.ask(this.panels[spot.panel], spot);
  }
  enter(panel) {
    const { canvas, plane } = this.panels[panel];
    if (this.cursor?.panel === panel || !canvas.matches(":focus-visible")) return;
    const { row, column } = this.explainedIn(panel) ?? extremes(plane) ?? { row: 0, column: 0 };
    this.cursor = { panel, row, column };
    this.marks();
  }
  leave(panel) {
    if (this.cursor?.panel !== panel) return;
    this.cursor = null;
    this.marks();
  }
  move(panel, row, column) {
    this.pointed = null;
    this.cursor = this.inside(panel, row, column);
    this.panels[panel].reveal(this.cursor);
    this.marks();
    this.host.say(textOf(read(this.stage, this.planes, this.cursor)));
  }
  inside(panel, row, column) {
    const { rows, columns } = this.panels[panel].plane, within = (at, count) => Math.min(count - 1, Math.max(0, at));
    return { panel, row: within(row, rows.count), column: within(column, columns.count) };
  }
  /** What keys do in the matrix that an event comes from; none where it comes from elsewhere. */
  keysAt(target) {
    const panel = this.panels.findIndex(({ canvas }) => canvas === target);
    if (panel < 0) return {};
    const from = this.cursor?.panel === panel ? this.cursor : { panel, row: 0, column: 0, ...this.explainedIn(panel) }, { row, column } = from;
    const to = (row2, column2) => () => this.move(panel, row2, column2);
    return {
      ArrowLeft: to(row, column - 1),
      ArrowRight: to(row, column + 1),
      ArrowUp: to(row - 1, column),
      ArrowDown: to(row + 1, column),
      Home: to(row, 0),
      End: to(row, Infinity),
      PageUp: to(row - PAGE, column),
      PageDown: to(row + PAGE, column),
      Enter: () => this.ask(from),
      Escape: () => this.host.root.focus({ preventScroll: true })
    };
  }
  chooses(axis) {
    return this.choosers.has(axis);
  }
  toggleTable(panel) {
    this.showTable(this.tabled === panel ? null : panel);
  }
  showTable(panel) {
    this.tabled = panel;
    this.table = panel === null ? null : this.tableOf(this.panels[panel]);
    this.tablePlace.replaceChildren(...this.table ? [this.table.node] : []);
    this.showTabled();
  }
  tableOf(panel) {
    const {
      spec: { title },
      plane,
      tensor
    } = panel;
    const caption = el(
      "p",
      { class: "caption" },
      mathWords("b", title),
      words("span", `${panelShape(plane)} ${tensor.dtype}`, "shape")
    );
    return numbersTable(
      title,
      caption,
      plane,
      { rows: range(plane.rows.count), columns: range(plane.columns.count) },
      (row, column) => cellText(panel.plane, { row, column })
    );
  }
  showTabled() {
    this.readout.showTabled(this.tabled === this.result);
    this.panels.forEach((panel, k) => panel.showTabled(this.tabled === k));
  }
  save(k) {
    const { spec, tensor, plane } = this.panels[k], places = this.host.model.held(spec), {
      scale: { kind },
      end
    } = this.groupOf(k);
    const ends = kind === "mask" ? "" : `, colours from ${kind === "signed" ? `−${end}` : "0"} to ${end}`;
    const names = this.stage.kind === "difference" && k === this.result ? this.panels.slice(0, 2).map((each) => each.tensor.site) : [tensor.site];
    const picture = this.panels[k].picture([
      [names.join(" − "), ...places].join(", "),
      `${panelShape(plane)} ${tensor.dtype}${ends}`
    ]);
    savePicture(picture, fileName([names.join("_minus_"), ...places], "png"));
  }
  // ---- what is read --------------------------------------------------------------------------------------------
  get kept() {
    return {
      cursor: this.cursor,
      tabled: this.tabled,
      scrolled: this.boxes.map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])
    };
  }
  /** Opens the table that was read in the same stage of an earlier message. */
  openTable({ tabled }) {
    this.showTable(tabled !== null && tabled < this.panels.length ? tabled : null);
  }
  /** Goes on, once it is laid out, with what was read there. */
  readOn({ cursor, scrolled }) {
    if (cursor && cursor.panel < this.panels.length) {
      this.cursor = this.inside(cursor.panel, cursor.row, cursor.column);
      this.marks();
    }
    this.boxes.forEach((box, k) => {
      if (k < scrolled.length) box.scrollTo(...scrolled[k]);
    });
  }
  get boxes() {
    return [...this.panels.map(({ scroller }) => scroller), ...this.table ? [this.table.box] : []];
  }
  // ---- drawing -----------------------------------------------------------------------------------------------
  groupOf(k) {
    return this.groups.find(({ members }) => members.includes(k));
  }
  /** The same panels with other choices. */
  draw() {
    const { panels, stage, host } = this, planes = panels.map((panel) => panel.take());
    this.groups = groupsOf(stage.panels, planes, host.isRobust);
    panels.forEach((panel, k) => panel.draw(this.groupOf(k).scale));
    this.choosers.draw(this.groupOf(this.result).scale);
    this.robust.hidden = !this.groups.some(({ differs }) => differs);
    this.robust.setAttribute("aria-checked", String(host.isRobust));
    this.legends.replaceChildren(...this.groups.map((group) => legendOf(group, stage.panels, planes)));
    this.title.replaceChildren(
      mathWords("span", stage.title),
      host.model.held(...stage.panels).map((place) => `, ${place}`).join("")
    );
    this.table?.write();
    this.marks();
  }
  layout() {
    const { node, figure, host } = this, { paddingLeft, paddingRight } = getComputedStyle(node);
    figure.layout(node.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight), node, host.isPhone);
    this.draw();
    for (const panel of this.panels) panel.tellScroll();
  }
};

// explorer/browser/tensor_view/view.ts
var PHONE = 640;
var TensorView = class {
  constructor(root, signal) {
    this.root = root;
    root.tabIndex = -1;
    root.addEventListener("keydown", (event) => this.onKey(event), { signal });
    onResize(root, () => this.layout(), signal);
  }
  model;
  look;
  isPhone = false;
  isRobust = false;
  cell = null;
  heard = el("div", { class: "unseen", "aria-live": "polite" });
  tabs = new Tabs("stage", (stage) => this.open(stage));
  teller = new Teller(
    (a, b) => a.stage === b.stage && this.model.header.choosers.every(({ axis }) => a.choices[axis] === b.choices[axis]),
    () => ({ about: { key: this.model.header.key }, choice: this.model.chosen })
  );
  card = null;
  bytes = new Uint8Array();
  structure = "";
  // ---- what the visitor can do -------------------------------------------------------------------------------
  open(stage) {
    if (stage === this.model.chosen.stage) return;
    this.model.chosen = { ...this.model.chosen, stage };
    this.showStage();
    this.teller.changed();
  }
  choose(axis, place) {
    const { model } = this, chooser = model.chooser(axis), { choices } = model.chosen;
    if (!chooser || place < 0 || place >= chooser.options.length || place === choices[axis]) return;
    model.chosen = { ...model.chosen, choices: { ...choices, [axis]: place } };
    this.card?.draw();
    this.say(optionWords(chooser, place));
    if (chooser.local) this.teller.changed();
    else this.teller.tellChoice();
  }
  ask({ tensor, plane }, { row, column }) {
    if (!tensor.askable) return;
    this.teller.tellChoice();
    const index = plane.index(row, column);
    this.cell = { site: tensor.site, index: [...tensor.lead, ...index] };
    this.card?.marks();
    this.teller.tell("ask", { key: this.model.header.key, tensor: tensor.name, index });
  }
  say(text) {
    setText(this.heard, text);
  }
  // ---- keys --------------------------------------------------------------------------------------------------
  onKey(event) {
    if (!this.card || comesFrom(event, "input, textarea, select, [contenteditable]")) return;
    const head = this.model.chosen.choices.head ?? 0, step = (by) => () => this.choose("head", head + by);
    actOn(event, {
      ...this.card.keysAt(event.target),
      ...this.card.chooses("head") ? { ",": step(-1), ".": step(1) } : {}
    });
  }
  // ---- size and colours --------------------------------------------------------------------------------------
  layout() {
    if (!this.card || !this.root.clientWidth) return;
    this.isPhone = window.innerWidth < PHONE;
    this.root.dataset.size = this.isPhone ? "phone" : "wide";
    this.card.layout();
    this.tabs.show(this.model.chosen.stage);
  }
  relook() {
    this.look = readLook(this.root);
    this.layout();
  }
  // ---- new messages ------------------------------------------------------------------------------------------
  showStage() {
    const next = new Card(this);
    this.card?.node.replaceWith(next.node);
    this.card = next;
    this.layout();
  }
  /** Builds everything; what is read in the open stage stays as it is, what had the focus has it again. */
  build() {
    const { root, model, tabs, heard, card } = this, { stages } = model.header;
    const focused = focusBeside(root), hadFocus = root.contains(focused), name = focused?.dataset.focus;
    const kept = card?.stage.key === model.open.key ? card.kept : null;
    tabs.build(
      stages.map((stage) => ({
        key: stage.key,
        title: stage.title,
        tip: shapeWords(model.plane(stage.panels[resultAt(stage)]))
      }))
    );
    const next = this.card = new Card(this);
    if (kept) next.openTable(kept);
    root.replaceChildren(...stages.length > 1 ? [tabs.node] : [], next.node, heard);
    this.relook();
    if (kept) next.readOn(kept);
    if (!hadFocus) return;
    const again = [...root.querySelectorAll("[data-focus]")].find(
      (each) => each.dataset.focus === name && !each.hidden
    );
    (again ?? root).focus({ preventScroll: true });
  }
  update({ data, setStateValue }) {
    this.teller.through(setStateValue);
    if (isSame(data, this.bytes)) return this.followTheme();
    const payload = readPayload(data), { header } = payload, before = this.card ? this.model : null, fresh = before?.header.key !== header.key;
    const structure = structureOf(header), isRebuilt = structure !== this.structure || !isSame(bodyOf(data), bodyOf(this.bytes));
    this.structure = structure;
    this.bytes = data.slice();
    if (fresh || header.report >= this.teller.choices.report) this.cell = header.cell;
    const chosen = before?.chosen ?? { stage: "", choices: {} }, choice = choiceOf(header);
    this.model = isRebuilt ? new Model(payload, chosen) : this.model;
    Object.assign(this.model.header, { row: header.row, row_side: header.row_side });
    this.model.chosen = { ...chosen, stage: this.model.stage(chosen.stage) ? chosen.stage : header.stage };
    return this.hear(choice, header, fresh, isRebuilt);
  }
  /** Follows the choice of a message, or keeps the visitor's own. */
  hear(choice, header, fresh, isRebuilt) {
    const {
      model,
      teller: { choices }
    } = this, stage = model.chosen.stage, possible = isPossible(header, model.chosen);
    const verdict = choices.hear(choice, header.report, {
      fresh,
      possible,
      pending: !choices.isKnown(model.chosen)
    });
    if (verdict === "follow") {
      this.teller.hold();
      model.chosen = choice;
    } else if (verdict === "keep") this.teller.changed();
    if (isRebuilt) return this.build();
    if (model.chosen.stage !== stage) this.showStage();
    else if (verdict === "follow") this.card?.draw();
    else this.card?.marks();
    this.tabs.show(model.chosen.stage);
    return this.followTheme();
  }
  followTheme() {
    if (this.root.dataset.look !== themeOf(this.root)) this.relook();
  }
  dispose() {
    this.teller.hold();
  }
};
function structureOf(header) {
  const choosers = header.choosers.map((each) => each.local ? { ...each, value: 0 } : each);
  return JSON.stringify({ ...header, stage: 0, cell: 0, row: 0, row_side: 0, report: 0, choosers });
}
function bodyOf(message) {
  return message.length ? message.subarray(bodyStart(new DataView(message.buffer, message.byteOffset).getUint32(0, true))) : message;
}
function isSame(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
var view_default = mounted(".tensor-view", (root, signal) => new TensorView(root, signal));
export default view_default;
