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
  const { left, top, width, height } = picture.getBoundingClientRect(), share2 = 0.14;
  picture.style.transformOrigin = `${(box.left + box.width / 2 - left) / width * 100}% ${direction === "in" ? 0 : (box.top + box.height / 2 - top) / height * 100}%`;
  const gone = direction === "in" ? { transform: `scaleY(${share2})`, opacity: 0 } : { transform: "none", opacity: 0.35 };
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
function growFrom({ box, began }, picture, later) {
  const { left, top, right, bottom } = picture.getBoundingClientRect(), passed = performance.now() - began;
  const edges = [
    box.top - top,
    right - box.left - box.width,
    bottom - box.top - box.height,
    box.left - left
  ].map((edge) => `${Math.max(0, edge)}px`);
  const timing = { duration: LENGTH.in, delay: -Math.min(LENGTH.in * 0.45, passed), easing: EASE };
  picture.animate(
    [
      { clipPath: `inset(${edges.join(" ")} round 8px)`, opacity: 0.2 },
      { clipPath: "inset(0 round 8px)", opacity: 1 }
    ],
    timing
  );
  for (const node of later)
    node.animate([{ opacity: 0 }, { opacity: 0, offset: 0.5 }, { opacity: 1 }], timing);
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
function table(caption, heads, rows2, attributes = {}) {
  return el(
    "table",
    attributes,
    words("caption", caption, "unseen"),
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...rows2)
  );
}
function layOver(node, { x, y, width, height }) {
  Object.assign(node.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
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
  const read3 = (name) => style.getPropertyValue(`--${name}`).trim();
  const roles = Object.fromEntries(CANVAS_ROLES.map((name) => [name, read3(name)]));
  const ramp = (name) => makeRamp(STOPS.map((i) => read3(`${name}-${i}`)));
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
  return shape.reduce((product3, size) => product3 * size, 1);
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
  const made2 = (root) => {
    const ends = new AbortController(), view = create(root, ends.signal);
    return view && { view, ends };
  };
  return (component) => {
    const root = component.parentElement.querySelector(selector);
    const found = views.get(root) ?? made2(root);
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

// explorer/browser/shared/math.ts
function mathWords(tag, text, name) {
  const node = el(tag, name ? { class: name } : {});
  for (const part2 of text.split(/(_[A-Za-z0-9]+|(?<![A-Za-z_])[QKV]+(?![A-Za-z]))/)) {
    if (/^_./.test(part2)) node.append(words("sub", part2.slice(1)));
    else if (/^[QKV]+$/.test(part2))
      node.append(...Array.from(part2, (letter) => words("b", letter, `tone-${letter.toLowerCase()}`)));
    else if (part2) node.append(part2);
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
  const part2 = (which) => arrays[`tensors.${name}.${which}`];
  const values = part2("values"), hidden = part2("hidden") ?? null, covered = part2("covered") ?? null;
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
function makeSide(tensor, names2, step) {
  const axes = names2.map((name) => tensor.axis(name));
  const total2 = axes.reduce((product3, axis) => product3 * axis.shown, 1), count = Math.ceil(total2 / step);
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
  const parts = (i, write) => places(i).map((place, k) => write(axes[k], place)).join(" · ");
  const words2 = (i) => parts(i, placeWords), label = (i) => parts(i, placeLabel);
  const isWritten = axes.length === 1 && axes[0].writes.length > 0;
  return {
    axes,
    names: names2,
    count,
    offsets,
    places,
    total: total2,
    step,
    size: axes.reduce((product3, axis) => product3 * axis.size, 1),
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
  const thin = (names2) => Math.ceil(names2.reduce((product3, name) => product3 * tensor.axis(name).shown, 1) / MOST_CELLS);
  const rows2 = makeSide(tensor, panel.rows, thin(panel.rows)), columns = makeSide(tensor, panel.columns, thin(panel.columns));
  const others = tensor.axes.filter(
    (axis) => !panel.rows.includes(axis.name) && !panel.columns.includes(axis.name)
  );
  const fixedPlaces = new Map(
    others.map((axis) => [axis.name, Math.max(0, shownPlace(axis, placeOf(axis.name)))])
  );
  const base = others.reduce((sum, axis) => sum + fixedPlaces.get(axis.name) * axis.stride, 0);
  const at = (row, column2) => base + rows2.offsets[row] + columns.offsets[column2];
  function numbers(row, column2) {
    const found = new Map(
      [...fixedPlaces].map(([name, place]) => [name, wholePlace(tensor.axis(name), place)])
    );
    rows2.places(row).forEach((place, k) => found.set(rows2.names[k], wholePlace(rows2.axes[k], place)));
    columns.places(column2).forEach((place, k) => found.set(columns.names[k], wholePlace(columns.axes[k], place)));
    return found;
  }
  function index(row, column2) {
    const found = numbers(row, column2);
    return tensor.index.map(
      (names2) => names2.reduce((sum, name) => sum * tensor.axis(name).size + found.get(name), 0)
    );
  }
  const layer = (row, column2) => numbers(row, column2).get("layer") ?? null;
  function find2(cell) {
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
    const onSides = [rows2, columns].map((side) => side.names.map((axis) => wanted.get(axis) ?? 0));
    if (onSides.flat().includes(-1)) return null;
    const [row, column2] = [rows2.find(onSides[0]), columns.find(onSides[1])];
    return Number.isInteger(row) && Number.isInteger(column2) ? { row, column: column2 } : null;
  }
  return {
    tensor,
    rows: rows2,
    columns,
    index,
    layer,
    find: find2,
    key: [...fixedPlaces].join(),
    value: (row, column2) => tensor.values[at(row, column2)],
    masked: (row, column2) => tensor.hidden !== null && tensor.hidden[at(row, column2)] !== 0,
    /** Whether a number is not here before a question is answered. */
    covered: (row, column2) => tensor.covered !== null && tensor.covered[at(row, column2)] !== 0
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
function extremes(plane, rows2 = range(plane.rows.count), columns = range(plane.columns.count)) {
  let low = Infinity, high = -Infinity, best = null, size = -1;
  for (const row of rows2) {
    for (const column2 of columns) {
      const value = plane.value(row, column2);
      if (Number.isNaN(value) || plane.masked(row, column2) || plane.covered(row, column2)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
      if (Math.abs(value) > size) {
        size = Math.abs(value);
        best = { row, column: column2 };
      }
    }
  }
  return best && { low, high, ...best };
}
function panelShape(plane) {
  return plane.rows.names.length ? `${plane.rows.size}×${plane.columns.size}` : String(plane.columns.size);
}
function limitOf(sizes4, share2) {
  if (!sizes4.length) return 0;
  return sizes4[Math.min(sizes4.length - 1, Math.max(0, Math.ceil(share2 * sizes4.length) - 1))];
}
function sortedSizes(tensor, layer = 0) {
  tensor.sorted ??= /* @__PURE__ */ new Map();
  let sizes4 = tensor.sorted.get(layer);
  if (!sizes4) tensor.sorted.set(layer, sizes4 = sizesOf(tensor, layer).sort());
  return sizes4;
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

// explorer/browser/stop/board.ts
var SPREAD = (rows2, columns) => ({
  rows: rows2 ? rows2.split(" ") : [],
  columns: columns ? columns.split(" ") : []
});
function partOf(board, name) {
  return board.parts.find((part2) => part2.name === name);
}
function planeOf(model, { tensor, spread }) {
  return model.plane(tensor, spread);
}
function versionAt(model, part2, progress) {
  let found = null;
  for (const version2 of part2.versions) {
    const from = Math.max(0, model.stageIndex(version2.from));
    if (from < progress || from === 0 && progress >= 0)
      found = { version: version2, share: Math.min(1, progress - from), before: found?.version ?? null };
  }
  return found;
}
function shownIn(model, part2) {
  const plane = planeOf(model, part2.versions[0]);
  return { rows: part2.rows ?? range(plane.rows.count), columns: part2.columns ?? range(plane.columns.count) };
}
function isMissing(model, plane, row, column2) {
  return model.header.entries.length > 0 && Number.isNaN(plane.value(row, column2));
}
function extent(model, part2) {
  const { rows: rows2, columns } = shownIn(model, part2);
  return {
    width: columns.length * part2.cell[0],
    height: rows2.length * part2.cell[1],
    rows: rows2.length,
    columns: columns.length
  };
}
function middleOf(model, part2, row, column2) {
  const { rows: rows2, columns } = shownIn(model, part2), [down, across] = [rows2.indexOf(row), columns.indexOf(column2)];
  return down < 0 || across < 0 ? null : [part2.x + (across + 0.5) * part2.cell[0], part2.y + (down + 0.5) * part2.cell[1]];
}
function spotOf(model, part2, plane, cell) {
  const found = plane.find(cell), { rows: rows2, columns } = shownIn(model, part2);
  return found && rows2.includes(found.row) && columns.includes(found.column) ? { part: part2.name, ...found } : null;
}
function spotBeside(model, part2, from, down, across) {
  const { rows: rows2, columns } = shownIn(model, part2);
  const go = (places, at, by) => places[Math.max(0, Math.min(places.length - 1, Math.max(0, places.indexOf(at)) + by))];
  return { part: part2.name, row: go(rows2, from.row, down), column: go(columns, from.column, across) };
}
function spotBelow(model, board, part2, { row, column: column2 }, by) {
  const { columns } = extent(model, part2), alike = board.parts.filter((each) => each.rows?.length === 1 && extent(model, each).columns === columns);
  const next = alike[alike.indexOf(part2) + by];
  return next ? { part: next.name, row: shownIn(model, next).rows.includes(row) ? row : next.rows[0], column: column2 } : null;
}
function spotAt(model, board, x, y) {
  for (const part2 of board.parts) {
    const { width, height } = extent(model, part2);
    if (x < part2.x || y < part2.y || x >= part2.x + width || y >= part2.y + height) continue;
    const { rows: rows2, columns } = shownIn(model, part2);
    return {
      part: part2.name,
      row: rows2[Math.floor((y - part2.y) / part2.cell[1])],
      column: columns[Math.floor((x - part2.x) / part2.cell[0])]
    };
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
function pixelSheet(look, scale, rows2, columns, value, masked) {
  return pixelCanvas(columns, rows2, (column2, row) => {
    const number = value(row, column2);
    return masked(row, column2) || scale.kind === "mask" && !number ? CLEAR : pixelOf2(look, scale, number);
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

// explorer/browser/shared/pen.ts
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
  faint(share2, draw) {
    if (share2 <= 0) return;
    const before = this.alpha;
    this.context.globalAlpha = this.alpha = before * share2;
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
  image(source, part2, x, y, width, height) {
    this.context.drawImage(source, ...part2, ...this.place(x, y), ...this.place(width, height));
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

// explorer/browser/stop/draw.ts
var NUMBERS = [33, 19];
var WHOLE_NUMBERS = 22;
var SMALL = 9;
var LABEL = 15;
var ROOM = 26;
var BETWEEN = 3;
var TURNED = 56;
var UNLIT = 0.4;
function namedEvery(widths, cell) {
  return Math.max(1, Math.ceil(Math.min(ROOM, Math.max(0, ...widths) + BETWEEN) / cell));
}
var Drawing = class {
  constructor(model, context, look, ratio) {
    this.model = model;
    this.context = context;
    this.look = look;
    this.ratio = ratio;
    this.pen = new Pen(context, look);
  }
  sheets = /* @__PURE__ */ new Map();
  pen;
  pattern = null;
  draw(shown3) {
    const { context, ratio } = this, { canvas } = context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const { points, colour } of shown3.board.areas ?? []) this.pen.area(points, this.look[colour]);
    for (const way of shown3.board.ways) this.way(way);
    for (const ray of shown3.rays) this.ray(ray);
    for (const frame2 of shown3.frames) if (frame2.soft) this.ground(frame2, shown3.board);
    for (const range2 of shown3.board.ranges ?? []) this.range(range2, shown3);
    for (const part2 of shown3.board.parts) this.part(part2, shown3);
    for (const note of shown3.board.notes)
      if (!note.from || Math.max(0, this.model.stageIndex(note.from)) < shown3.progress) this.note(note);
    for (const frame2 of shown3.frames) this.frame(frame2, shown3.board);
    if (shown3.cell) this.frame(shown3.cell, shown3.board);
  }
  // ---- one part ----------------------------------------------------------------------------------------------------
  part(part2, shown3) {
    const { model } = this, at = versionAt(model, part2, shown3.held), { rows: rows2 } = shownIn(model, part2), lit = model.chosen.row;
    for (const [i, row] of rows2.entries())
      this.pen.faint(this.seen(part2, row, shown3), () => this.rowAt(part2, i, row, at, shown3));
    if (at) this.title(part2, at.version);
    this.labels(part2, shown3);
    const frame2 = (place, colour) => this.pen.frame(
      part2.x - 1,
      part2.y + place * part2.cell[1] - 1,
      extent(model, part2).width + 1,
      part2.cell[1] + 1,
      colour,
      1.5
    );
    if (part2.picks) frame2(model.placeOf(part2.picks), this.look.ink);
    if (part2.follows === "rows" && !part2.rows && part2.cell[1] >= 4 && lit < rows2.length)
      frame2(lit, this.look[model.header.row_side || "ink"]);
  }
  /** A row of a part as far as it has come; at: what the part shows where nothing plays. */
  rowAt(part2, place, row, at, { isPlaying, progress }) {
    const { model } = this, lit = model.chosen.row, y = part2.y + place * part2.cell[1];
    const follows = part2.follows === "rows", isLit = isPlaying && (part2.follows === "lit" || follows && row === lit);
    if (follows && model.header.grows && row > lit) return this.absent(part2, place);
    const now = isLit ? versionAt(model, part2, progress) : at;
    const share2 = !isLit ? 1 : part2.follows === "lit" ? Math.max(0, Math.min(1, (now?.share ?? 0) * shownIn(model, part2).rows.length - place)) : now?.share ?? 0;
    if (now?.before && share2 < 1 && part2.form === "bars") this.row(part2, now.before, row, y, 1, share2);
    return now ? this.row(part2, now.version, row, y, share2) : this.absent(part2, place);
  }
  /** How much is seen of a row: what a lesson does not speak of steps back beside what it does. */
  seen(part2, row, { light }) {
    const here = light.find((each) => each.part.name === part2.name);
    return here?.row === void 0 || here.row === row ? 1 : UNLIT;
  }
  /** Which columns of a part are there: a key that is not written yet has no cell. */
  columnsOf(part2, count) {
    const grows = this.model.header.grows && (part2.columnsGrow || part2.follows === "columns");
    return grows ? Math.min(count, this.model.chosen.row + 1) : count;
  }
  row(part2, version2, row, y, share2, from = 0) {
    const plane = planeOf(this.model, version2), [width, height] = part2.cell, count = this.columnsOf(part2, extent(this.model, part2).columns);
    const there = Math.ceil(count * share2), first = Math.ceil(count * from), at = {
      part: part2,
      version: version2,
      plane,
      row,
      y,
      first,
      columns: shownIn(this.model, part2).columns.slice(first, there)
    };
    if (part2.form === "bars") return this.bars(at);
    if (part2.form !== "cells") return this.written(at);
    if (Math.min(width, height) < SMALL && !plane.tensor.hidden && !part2.columns && version2.scale.kind !== "mask") {
      const sheet = this.sheet(part2, version2, plane);
      this.context.drawImage(sheet, 0, row, there, 1, part2.x, y, there * width, height);
      if (height >= 5) this.pen.fill(part2.x, y + height - 0.5, there * width, 0.5, this.look.bg);
    } else this.cells(at);
    for (let column2 = count; column2 < plane.columns.count && part2.columnsGrow && width >= SMALL; column2++)
      this.empty(part2, Math.round((y - part2.y) / height), column2);
    return void 0;
  }
  cells({ part: part2, version: version2, plane, row, y: top, columns }) {
    const { context, look, ratio } = this, [width, height] = part2.cell, hasNumbers = width >= (plane.tensor.dtype === "int64" ? WHOLE_NUMBERS : NUMBERS[0]) && height >= NUMBERS[1];
    const painter = cellPainter(context, look, 1, version2.scale, hasNumbers ? width >= 40 ? 13 : 12 : 0), gap = width < SMALL || height < SMALL ? 0 : 1;
    const snap = (value) => Math.round(value * ratio) / ratio;
    for (const [i, column2] of columns.entries()) {
      const x = snap(part2.x + i * width), y = snap(top), w = snap(part2.x + (i + 1) * width) - x - gap, h = snap(top + height) - y - gap;
      if (this.model.isWritten(plane.tensor.name, row, column2)) continue;
      if (isMissing(this.model, plane, row, column2))
        this.empty(part2, Math.round((top - part2.y) / height), column2);
      else if (plane.covered(row, column2)) this.question(x, y, w, h);
      else if (plane.masked(row, column2)) this.hatched(x, y, w, h);
      else painter.cell(valueOf(version2, plane, row, column2), x, y, w, h);
    }
  }
  bars({ part: part2, version: version2, plane, row, y, first, columns }) {
    const { look } = this, [width, height] = part2.cell, limit = version2.scale.limit || 1, [low, high] = part2.span ?? [-limit, limit];
    const unit = height / (high - low || 1), zero = y + Math.max(0, high) * unit, before = version2.behind ? this.model.plane(version2.behind, version2.spread) : null;
    const bar = (i, value, colour) => {
      const size = Math.max(low, Math.min(high, value)) * unit;
      this.pen.fill(
        part2.x + i * width,
        size < 0 ? zero : zero - size,
        Math.max(0.5, width - (width > 3 ? 1 : 0)),
        Math.max(0.5, Math.abs(size)),
        colour
      );
    };
    this.pen.fill(part2.x, zero - 0.5, extent(this.model, part2).width, 1, look.line2);
    for (const [i, column2] of columns.entries()) {
      if (plane.covered(row, column2)) continue;
      const value = valueOf(version2, plane, row, column2);
      if (before) bar(first + i, before.value(row, column2), look.line2);
      if (value || !before)
        bar(first + i, value, look[part2.paint?.(row, column2) ?? (value < 0 ? "negative" : "positive")]);
    }
  }
  /** Numbers as text, or as lengths between 0 and 1. */
  written({ part: part2, version: version2, plane, row, y, columns }) {
    const { look } = this, [width, height] = part2.cell, middle = y + height / 2;
    for (const [i, column2] of columns.entries()) {
      const value = valueOf(version2, plane, row, column2), x = part2.x + i * width, paint = part2.paint?.(row, column2);
      if (part2.form === "numbers") {
        this.text(
          (version2.write ?? formatSigned)(value),
          x + width - 4,
          middle,
          look[paint ?? "ink"],
          13,
          paint ? 650 : 400,
          "right",
          width
        );
        continue;
      }
      this.pen.fill(x, middle + 8, width, 1, look.line2);
      this.pen.fill(x, middle - 7, Math.max(1.5, value * width), 14, look[paint ?? "mute"]);
    }
  }
  /** A tile of one pixel a number, which drawing enlarges. */
  sheet(part2, version2, plane) {
    const key = [
      part2.name,
      version2.from,
      version2.tensor,
      plane.key,
      version2.scale.limit,
      version2.as ? this.model.chosen.row : ""
    ].join();
    let sheet = this.sheets.get(key);
    if (!sheet) {
      const value = (row, column2) => valueOf(version2, plane, row, column2);
      this.sheets.set(
        key,
        sheet = pixelSheet(
          this.look,
          version2.scale,
          plane.rows.count,
          plane.columns.count,
          value,
          (r, c) => plane.masked(r, c) || plane.covered(r, c)
        )
      );
    }
    return sheet;
  }
  /** A cell that comes with the answer to a question. */
  question(x, y, width, height) {
    this.pen.frame(x + 0.5, y + 0.5, width - 1, height - 1, this.look.line2, 1, [3, 3]);
    if (Math.min(width, height) >= NUMBERS[1])
      this.text("?", x + width / 2, y + height / 2, this.look.mute, 13, 600, "center");
  }
  hatched(x, y, width, height) {
    this.pen.fill(
      x,
      y,
      width,
      height,
      this.pattern ??= this.context.createPattern(hatch(this.look, 1), "repeat")
    );
  }
  /** A row that is not there yet. */
  absent(part2, row) {
    const { columns } = extent(this.model, part2), [width, height] = part2.cell;
    if (part2.form === "cells" && Math.min(width, height) >= SMALL)
      for (let column2 = 0; column2 < columns; column2++) this.empty(part2, row, column2);
    else if (row === 0 || part2.follows === "rows")
      this.pen.frame(part2.x, part2.y + row * height, columns * width, height, this.look.line, 0.5, [2, 2]);
  }
  empty({ x, y, cell: [width, height] }, row, column2) {
    this.pen.frame(
      x + column2 * width + 0.5,
      y + row * height + 0.5,
      width - 2,
      height - 2,
      this.look.line,
      1,
      [3, 3]
    );
  }
  // ---- words -------------------------------------------------------------------------------------------------------
  title(part2, { title }) {
    if (part2.title) this.note({ text: title, weight: 600, tone: part2.tone, ...part2.title, size: 13 });
  }
  labels(part2, shown3) {
    const { lit } = shown3;
    const { model, look } = this, { rows: rows2, columns } = planeOf(model, part2.versions[0]), [width, height] = part2.cell, { grows, row_side: side } = model.header;
    const isThere = (row) => !grows || row <= model.chosen.row, every = Math.max(1, Math.ceil(LABEL / height));
    const isCrowded = (row) => every > 1 && part2.follows === "rows" && Math.abs(row - model.chosen.row) * height < LABEL;
    for (const [i, row] of (part2.rows ?? range(rows2.count)).entries()) {
      const isLit = part2.picks ? row === model.placeOf(part2.picks) : part2.follows === "rows" && (row === model.chosen.row || row === lit.row);
      if (!isLit && (row % every || isCrowded(row))) continue;
      const colour = isThere(row) || part2.rows ? look[rows2.side || part2.follows === "rows" && side || "ink"] : look.mute, y = part2.y + (i + 0.5) * height, weight = isLit ? 650 : 400;
      this.pen.faint(this.seen(part2, row, shown3), () => {
        if (part2.left)
          this.text(
            part2.follows === "rows" && rows2.side === side ? model.reads[row] ?? rows2.label(row) : rows2.label(row),
            part2.x - 8,
            y,
            colour,
            13,
            weight,
            "right",
            90
          );
        if (part2.right?.length)
          this.text(
            part2.right[row],
            part2.x + columns.count * width + 8,
            y,
            isThere(row) ? look.target : look.mute,
            13,
            weight,
            "left",
            90
          );
      });
    }
    if (part2.above) this.names(part2, columns, lit.column);
  }
  names(part2, columns, lit) {
    const { look, context } = this, [width] = part2.cell, isTurned = part2.above === "turned";
    context.font = `400 13px ${look.family}`;
    const widths = range(columns.count).map((column2) => context.measureText(columns.label(column2)).width), across = isTurned ? Math.max(1, Math.ceil(LABEL / width)) : namedEvery(widths, width);
    for (let column2 = 0; column2 < columns.count; column2++) {
      const isLit = column2 === lit, weight = isLit ? 650 : 400, colour = look[columns.side || "ink"], x = part2.x + (column2 + 0.5) * width;
      if (column2 % across && !isLit) {
        this.text("·", x, part2.y - 11, look.mute, 13, 400, "center");
        continue;
      }
      if (!isTurned) {
        this.text(columns.label(column2), x, part2.y - 11, colour, 13, weight, "center", width * across - 2);
        continue;
      }
      context.save();
      context.translate(x, part2.y - 6);
      context.rotate(-Math.PI / 4);
      this.text(columns.label(column2), 0, 0, colour, 12, weight, "left", TURNED);
      context.restore();
    }
  }
  note({ text, x, y, tone = "", size = 13, weight = 400, align = "left", most }) {
    this.text(text, x, y, colourOf(this.look, tone), size, weight, align, most);
  }
  text(text, x, y, colour, size, weight, align, most) {
    const { context } = this;
    context.font = `${weight} ${size}px ${this.look.family}`;
    context.fillStyle = colour;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const pieces = text.split(/(_[A-Za-z0-9]+)/).filter(Boolean).map((piece) => piece.startsWith("_") ? { piece: piece.slice(1), low: true } : { piece, low: false });
    const width = pieces.reduce(
      (sum, { piece, low }) => sum + context.measureText(piece).width * (low ? 0.75 : 1),
      0
    ), share2 = most && width > most ? most / width : 1;
    let at = x - (align === "right" ? width * share2 : align === "center" ? width * share2 / 2 : 0);
    for (const { piece, low } of pieces) {
      context.font = `${weight} ${low ? size * 0.75 : size}px ${this.look.family}`;
      const own = context.measureText(piece).width * share2;
      context.fillText(piece, at, y + (low ? size * 0.25 : 0), own + 0.5);
      at += own;
    }
  }
  // ---- lines -------------------------------------------------------------------------------------------------------
  frame(frame2, board) {
    if (frame2.note) this.note(frame2.note);
    const place = frame2.soft ? null : this.framed(frame2, board);
    if (!place) return;
    const { x, y, width, height, gap } = place, isCell = frame2.row !== void 0 && frame2.column !== void 0;
    this.pen.frame(
      x - 1,
      y - 1,
      Math.max(3, width - gap + 2),
      Math.max(3, height - gap + 2),
      colourOf(this.look, frame2.tone),
      isCell ? 2.5 : 2
    );
  }
  /** Where what is framed stands; null for what is not shown. */
  framed({ part: name, row, column: column2 }, board) {
    const part2 = partOf(board, name);
    if (!part2) return null;
    const { width, height } = extent(this.model, part2), [w, h] = part2.cell, shown3 = shownIn(this.model, part2);
    const across = column2 === void 0 ? 0 : shown3.columns.indexOf(column2), down = row === void 0 ? 0 : shown3.rows.indexOf(row);
    if (across < 0 || down < 0) return null;
    return {
      x: part2.x + across * w,
      y: part2.y + down * h,
      width: column2 === void 0 ? width : w,
      height: row === void 0 ? height : h,
      gap: Math.min(w, h) >= SMALL ? 1 : 0
    };
  }
  ground(frame2, board) {
    const place = this.framed(frame2, board);
    if (place) this.pen.fill(place.x, place.y, place.width, place.height, this.look.line);
  }
  /** A band behind bars with a line in it, where their values are that it marks. */
  range({ part: name, from, low, middle, high }, { board, progress }) {
    const part2 = partOf(board, name);
    if (!part2 || this.model.stageIndex(from) >= progress) return;
    const { width, height } = extent(this.model, part2), limit = part2.versions[0].scale.limit || 1;
    const at = (value) => part2.y + height / 2 * (1 - Math.max(-1, Math.min(1, value / limit)));
    this.pen.fill(part2.x, at(high), width, at(low) - at(high), this.look["source-tint"]);
    this.pen.fill(part2.x, at(middle) - 1, width, 2, this.look.link);
  }
  ray({ from, to, strength }) {
    const size = Math.min(1, Math.abs(strength));
    this.pen.faint(
      0.06 + 0.84 * size,
      () => this.pen.line([from, to], strength < 0 ? this.look.negative : this.look.positive, 0.5 + 2 * size)
    );
  }
  way({ points, tone = "mute", arrow }) {
    const colour = tone === "mute" ? this.look.line2 : colourOf(this.look, tone), [end, before] = [points.at(-1), points.at(-2)];
    this.pen.line(points, colour, 1.5);
    if (!arrow) return;
    const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
    const corner = (turn, length) => [end[0] + length * Math.cos(angle + turn), end[1] + length * Math.sin(angle + turn)];
    this.pen.area([corner(0, 0), corner(2.7, 8), corner(-2.7, 8)], colour);
  }
};
function valueOf(version2, plane, row, column2) {
  const value = plane.value(row, column2);
  return version2.as ? version2.as(value, row, column2) : value;
}
function colourOf(look, tone) {
  return tone === "" ? look.ink : look[tone];
}

// explorer/browser/stop/entries.ts
var REST_MS2 = 250;
var FORMS = { name: /\S/, number: /^\s*[-−+]?\d\s*$/, answer: /^\s*([-−+]?(\d+([.,]\d*)?|[.,]\d+))?\s*$/ };
var BEGUN = /^\s*[-−+]?\s*$/;
var Entries = class {
  /** tell: reports all that Python does not know of and gives the number of the report; changed: a problem came or went; at: a cell that is written in, or none. */
  constructor(tell2, changed, at) {
    this.tell = tell2;
    this.changed = changed;
    this.at = at;
    this.node.addEventListener("keydown", (event) => this.onKey(event));
    this.node.addEventListener("input", (event) => this.onInput(event.target));
    this.node.addEventListener("change", (event) => this.onChange(event.target));
    this.node.addEventListener("focusin", (event) => this.onFocus(event.target));
    this.node.addEventListener("focusout", () => this.at(null));
  }
  node = el("div", { class: "entries" });
  /** What is wrong with the text that cannot be used, in a sentence; empty for nothing. */
  problem = "";
  inputs = /* @__PURE__ */ new Map();
  held = /* @__PURE__ */ new Map();
  waiting = /* @__PURE__ */ new Map();
  rest;
  /** heard: the number of the last report that the message knows of. */
  draw(model, board, heard) {
    const { entries } = model.header, there = new Set(entries.map(keyOf));
    for (const [key, { report }] of this.waiting) if (report && report <= heard) this.waiting.delete(key);
    for (const [key, input] of this.inputs) if (!there.has(key)) this.forget(key, input);
    for (const entry of entries) {
      const part2 = board.parts.find(({ versions }) => versions[0].tensor === entry.tensor);
      if (part2) this.place(entry, part2, model);
    }
    this.node.hidden = !entries.length;
  }
  dispose() {
    clearTimeout(this.rest);
  }
  forget(key, input) {
    input.remove();
    this.inputs.delete(key);
    this.held.delete(key);
  }
  place(entry, part2, model) {
    const key = keyOf(entry), input = this.inputs.get(key) ?? this.build(key, entry), { rows: rows2, columns } = shownIn(model, part2), [width, height] = part2.cell;
    const y = part2.y + rows2.indexOf(entry.row) * height, isName = entry.column < 0, wide = Math.min(part2.x - 8, 116), x = isName ? part2.x - wide - 6 : part2.x + columns.indexOf(entry.column) * width;
    layOver(input, { x, y, width: (isName ? wide : width) - 1, height: height - 1 });
    input.setAttribute("aria-label", entry.label + (entry.state ? `, ${entry.state}` : ""));
    input.dataset.state = entry.state;
    const before = this.held.get(key);
    this.held.set(key, entry);
    if (before?.text !== entry.text && !this.waiting.has(key)) this.write(input, entry.text);
  }
  build(key, { kind }) {
    const input = el("input", {
      type: "text",
      class: kind,
      "data-cell": key,
      autocomplete: "off",
      spellcheck: "false",
      maxlength: kind === "name" ? 16 : 12
    });
    this.inputs.set(key, input);
    this.node.append(input);
    return input;
  }
  onFocus(input) {
    input.select();
    this.at(this.held.get(input.dataset.cell) ?? null);
  }
  write(input, text) {
    input.value = text;
    this.judge(input, false);
  }
  /** Says whether a text can be used; what is still on its way is not refused before it is left. */
  judge(input, isLeft) {
    const entry = this.held.get(input.dataset.cell), isUsable = entry !== void 0 && FORMS[entry.kind].test(input.value), isRefused = !isUsable && (isLeft || !BEGUN.test(input.value));
    const problem = isRefused && entry ? problemOf(entry, input.value) : "";
    if (isRefused) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    const others = [...this.inputs.values()].find(
      (each) => each !== input && each.hasAttribute("aria-invalid")
    ), other = others && this.held.get(others.dataset.cell);
    this.problem = problem || (other ? problemOf(other, others.value) : "");
    this.changed();
    return isUsable;
  }
  onInput(input) {
    const isUsable = this.judge(input, false), { kind } = this.held.get(input.dataset.cell);
    if (isUsable && kind !== "answer") this.keep(input, REST_MS2);
  }
  onChange(input) {
    if (this.judge(input, true)) this.keep(input, 0);
  }
  keep(input, wait) {
    const key = input.dataset.cell, entry = this.held.get(key), text = input.value.trim(), before = this.waiting.get(key)?.cell[3] ?? entry.text;
    if (text === before) return;
    this.waiting.set(key, { cell: [entry.tensor, entry.row, entry.column, text], report: 0 });
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.send(), wait);
  }
  send() {
    const waiting = [...this.waiting.values()], report = this.tell(waiting.map(({ cell }) => cell));
    for (const each of waiting) each.report = report;
  }
  onKey(event) {
    if (event.key === "Tab" || isShortcut(event) || event.isComposing) return;
    event.stopPropagation();
    const input = event.target, { selectionStart: from, selectionEnd: to, value } = input, isAll = from === 0 && to === value.length;
    const steps = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      Enter: [1, 0],
      ArrowLeft: (isAll || to === 0) && [0, -1],
      ArrowRight: (isAll || from === value.length) && [0, 1]
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    this.go(input, step);
  }
  /** To the cell beside, of the same matrix. */
  go(input, [down, across]) {
    const { tensor, row, column: column2 } = this.held.get(input.dataset.cell), beside = this.inputs.get(keyOf({ tensor, row: row + down, column: column2 + across }));
    input.blur();
    (beside ?? input).focus();
  }
};
function keyOf({ tensor, row, column: column2 }) {
  return `${tensor}-${row}-${column2}`;
}
function problemOf({ kind, label, text }, typed) {
  if (kind === "name") return `${label}: a token needs a name; “${text}” still stands.`;
  if (kind === "answer") return `${label}: “${typed}” is not a number; write it like 0.67.`;
  return `${label}: ${typed.trim() ? `“${typed.trim()}” is` : "an empty cell is"} no whole number from −9 to 9; ${text.replace("-", "−")} still counts.`;
}

// explorer/browser/stop/heads.ts
var Heads = class {
  constructor(choose) {
    this.choose = choose;
  }
  node = el("div", { class: "heads", role: "group", "aria-label": "Head" });
  drawn = "";
  draw(model, board, look) {
    const { heads } = board, chosen = model.placeOf("head");
    this.node.hidden = !heads;
    if (!heads) return;
    const key = [
      model.header.key,
      model.placeOf("layer"),
      JSON.stringify(heads),
      look.bg,
      model.header.grows && model.chosen.row
    ].join();
    if (key !== this.drawn) {
      this.drawn = key;
      this.node.replaceChildren(
        ...model.chooser("head").options.map((_, head) => this.head(model, heads, head, look))
      );
    }
    [...this.node.children].forEach(
      (button2, head) => button2.setAttribute("aria-pressed", String(head === chosen))
    );
  }
  head(model, { x, y, width, height, pitch, tensor, spread }, head, look) {
    const canvas = el("canvas", { "aria-hidden": "true" }), name = `head ${head}`, node = button({ class: "thumb", title: name, "aria-label": name }, () => this.choose(head), canvas);
    const isHere = (model.tensors[tensor].axis("head")?.places ?? range(head + 1)).includes(head);
    layOver(node, { x: x + head * pitch + (pitch - width) / 2, y, width, height });
    if (!isHere) return node.textContent = String(head), node;
    const plane = model.plane(tensor, spread, { head }), { rows: rows2, columns } = plane;
    const sheet = pixelSheet(
      look,
      WEIGHTS,
      rows2.count,
      columns.count,
      plane.value,
      (r, c) => plane.masked(r, c) || plane.covered(r, c)
    );
    const { context } = drawSheet(canvas, sheet, { width: width - 6, height: height - 6 });
    const there = model.header.grows ? (model.chosen.row + 1) / rows2.count : 1;
    context.clearRect(0, there * canvas.height, canvas.width, canvas.height);
    return node;
  }
};

// explorer/browser/stop/model.ts
var Model = class extends Tensors {
  reads;
  writes;
  written;
  planes = /* @__PURE__ */ new Map();
  constructor(payload, chosen) {
    super(payload, chosen);
    const { header } = payload;
    this.reads = header.reads.map(visible);
    this.written = new Set(header.entries.map(({ tensor, row, column: column2 }) => [tensor, row, column2].join()));
    this.writes = header.writes.map(visible);
  }
  /** Whether it stands below a stop, which has the rail, the stages and the keys of the page. */
  get isBelow() {
    return !this.header.rail.length;
  }
  /** Whether somebody writes in a cell, which covers the number. */
  isWritten(tensor, row, column2) {
    return this.written.has([tensor, row, column2].join());
  }
  has(tensor) {
    return tensor in this.tensors;
  }
  /** How many stages stand there when nothing plays. */
  get held() {
    return this.chosen.stage && !this.isBelow ? this.stageIndex(this.chosen.stage) + 1 : this.header.stages.length;
  }
  stageIndex(key) {
    return this.header.stages.findIndex((each) => each.key === key);
  }
  /** A tensor as a plane, at the chosen places of its other axes, or at one that is given. */
  plane(tensor, spread, at = {}) {
    const placeOf = (axis) => at[axis] ?? this.placeOf(axis);
    const held = this.tensors[tensor].axes.map(({ name }) => `${name}=${placeOf(name)}`), key = [tensor, spread.rows, "/", spread.columns, ...held].join();
    let plane = this.planes.get(key);
    if (!plane) this.planes.set(key, plane = makePlane(this.tensors[tensor], spread, placeOf));
    return plane;
  }
  /** The colours of one tensor, or of several that share theirs. */
  scale(...names2) {
    const tensors = names2.filter((name) => this.has(name)).map((name) => this.tensors[name]), { scale } = tensors[0];
    if (scale === "weight") return WEIGHTS;
    if (scale === "mask") return MASK;
    const limit = Math.max(
      ...tensors.map((tensor) => limitOf(sortedSizes(tensor, this.placeOf("layer")), 1))
    );
    return scale === "size" ? sizeScale(limit) : signedScale(limit);
  }
  site(tensor) {
    return siteOf(this.tensors[tensor], this.placeOf("layer"));
  }
  cellAt(tensor, plane, row, column2) {
    const { lead } = this.tensors[tensor], layer = plane.layer(row, column2);
    return { site: siteOf(this.tensors[tensor], layer), index: [...lead, ...plane.index(row, column2)] };
  }
};

// explorer/browser/stop/attention.ts
var HEAD = 18;
var LABELS = 22;
var GAP = 8;
var MOST_CELL = 48;
var LEAST_PAIR = 34;
var LEAST_ROW = 12;
var LEAST_LONG = 4;
var KEYS_LEAST = 40;
var KEYS_MOST = 136;
var ROOMS = [
  [64, 44],
  [32, 20]
];
var PAIRS = SPREAD("query", "key");
var VECTORS = SPREAD("query", "d_head");
var TURNED2 = SPREAD("d_head", "key");
function sizes(model, room) {
  const { rows: rows2, columns } = model.plane("weights", PAIRS), n = rows2.count, m = columns.count;
  const label = Math.min(96, Math.ceil(Math.max(...model.reads.map((text) => room.measure(text, 650)))) + 10);
  const write = model.writes.length ? Math.min(96, Math.ceil(Math.max(...model.writes.map((text) => room.measure(text, 650)))) + 10) : 0;
  const pairWith = ([tile2, arrow2]) => Math.floor((room.width - label - 2 * tile2 - 3 * GAP - write - arrow2) / (2 * m));
  const [most, tight] = ROOMS, [tile, arrow] = room.isPhone ? [0, 0] : pairWith(most) >= 40 || pairWith(tight) < LEAST_PAIR ? most : tight;
  const left = label + (tile ? tile + GAP : 0), wide = room.width - left - (room.isPhone ? 4 : GAP + tile + GAP + write), pair = pairWith([tile, arrow]);
  const isPair = !room.isPhone && pair >= LEAST_PAIR;
  const width = Math.min(MOST_CELL, isPair ? pair : Math.max(6, Math.floor(wide / m)));
  const row = Math.max(2, Math.min(8, Math.floor(72 / n))), heads = model.header.choosers.some(({ axis, options }) => axis === "head" && options.length > 1) ? 46 : 0;
  const below = 34 + heads + n * row + 26;
  const free = room.height - HEAD - LABELS - below, least = n > 12 ? LEAST_LONG : LEAST_ROW;
  const height = room.isPhone ? Math.max(26, width) : Math.max(least, Math.min(width, MOST_CELL, Math.floor((free - KEYS_LEAST) / n)));
  const keys = room.isPhone ? 32 : Math.max(KEYS_LEAST, Math.min(KEYS_MOST, free - n * height));
  return { n, m, label, tile, arrow, left, cell: [width, height], keys, isPair, joined: row, heads };
}
function scoreVersions(model) {
  const shown3 = (from, tensor, title) => ({
    from,
    tensor,
    title,
    spread: PAIRS,
    scale: model.scale(tensor)
  });
  const scaled = model.stage("scores")?.scaling?.words;
  return [
    ...model.stage("products") ? [shown3("products", "products", "QKᵀ: q · k")] : [],
    shown3("scores", "scores", `scores = q · k ${scaled ?? ""}`),
    {
      ...shown3(
        "masked",
        "masked_scores",
        model.chosen.stage === "masked" ? "scores, masked" : `scores = q · k ${scaled ?? ""}`
      ),
      hides: true
    }
  ];
}
function weightVersion(model) {
  return {
    from: "softmax",
    tensor: "weights",
    title: "weights = softmax",
    spread: PAIRS,
    scale: model.scale("weights")
  };
}
function valueVersions(model) {
  const values = {
    from: "values",
    tensor: "v",
    title: "Vᵀ",
    spread: TURNED2,
    scale: model.scale("v", "context")
  };
  const weights = model.plane("weights", PAIRS);
  if (model.chosen.stage !== "context") return [values];
  return [
    values,
    {
      ...values,
      from: "context",
      title: "a · v",
      as: (value, _, key) => value * weights.value(model.chosen.row, key)
    }
  ];
}
function single(name, version2, place) {
  return { name, versions: [version2], form: "cells", ...place };
}
function lay(model, room) {
  const size = sizes(model, room), { n, m, left, keys, isPair } = size, [cellWidth, cellHeight] = size.cell;
  const top = HEAD + keys + LABELS, width = m * cellWidth, second = isPair ? left + width + size.arrow : left, parts = [], notes2 = [], ways = [];
  const memory = model.header.picture === "attention" && crosses(model) ? "memory" : "X", own = !crosses(model) && model.header.row_side === "target";
  const keyTile = (name, x, y, versions, tone) => ({
    name,
    versions,
    form: "cells",
    x,
    y,
    cell: [cellWidth, keys / model.plane("k", TURNED2).rows.count],
    tone,
    follows: own ? "columns" : ""
  });
  const matrix2 = (name, x, y, versions, isLeft) => ({
    name,
    versions,
    form: "cells",
    x,
    y,
    cell: size.cell,
    tone: "",
    follows: "rows",
    columnsGrow: own,
    left: isLeft,
    above: true,
    title: { x, y: y - LABELS - keys - HEAD / 2 }
  });
  const kt = [
    { from: "keys", tensor: "k", title: "Kᵀ", spread: TURNED2, scale: model.scale("q", "k") }
  ];
  if (isPair) {
    parts.push(keyTile("k", left, HEAD, kt, "k"), matrix2("scores", left, top, scoreVersions(model), false));
    parts.push(
      keyTile("v", second, HEAD, valueVersions(model), "v"),
      matrix2("weights", second, top, [weightVersion(model)], false)
    );
    notes2.push(
      ...["K", "V"].map(
        (letter) => product(letter, memory, letter === "K" ? left + width : second + width)
      )
    );
    ways.push({
      points: [
        [left + width + 8, top + cellHeight * (model.chosen.row + 0.5)],
        [second - 8, top + cellHeight * (model.chosen.row + 0.5)]
      ],
      arrow: true
    });
  } else {
    const isEarly = model.chosen.stage && model.stageIndex(model.chosen.stage) < model.stageIndex("softmax");
    parts.push(
      isEarly ? keyTile("k", left, HEAD, kt, "k") : keyTile("v", left, HEAD, valueVersions(model), "v")
    );
    parts.push(
      matrix2("scores", left, top, isEarly ? scoreVersions(model) : [weightVersion(model)], !size.tile)
    );
    notes2.push(product(isEarly ? "K" : "V", memory, left + width));
  }
  if (size.tile) projections(model, size, top, parts, notes2, ways);
  const after = second + width + GAP;
  if (!room.isPhone) parts.push(contextPart(model, size, after, top));
  const end = top + n * cellHeight, bottom = joinedRow(model, size, room, end, after + size.tile / 2, parts, notes2, ways);
  return { width: room.width, height: bottom, parts, notes: notes2, ways, heads: headsAt(model, size, end, parts) };
}
function contextPart(model, { tile, cell: [, height] }, x, y) {
  const { columns } = model.plane("context", VECTORS);
  return {
    ...single(
      "context",
      {
        from: "context",
        tensor: "context",
        title: "context",
        spread: VECTORS,
        scale: model.scale("v", "context")
      },
      { x, y, cell: [tile / columns.count, height], tone: "v", follows: "rows" }
    ),
    right: model.writes,
    title: { x, y: y - LABELS / 2 }
  };
}
function crosses(model) {
  return model.header.row_side === "target" && model.has("memory") && model.tensors.memory.axes.some(({ side }) => side === "source");
}
function product(letter, memory, x) {
  return {
    text: `${letter}ᵀ, ${letter} = ${memory} W_${letter}`,
    x,
    y: HEAD / 2,
    tone: letter === "K" ? "k" : "v",
    align: "right",
    size: 12.5
  };
}
function projections(model, { label, tile, keys, cell: [, height] }, top, parts, notes2, ways) {
  const letter = { keys: "k", values: "v" }[model.chosen.stage] ?? "q", input = letter !== "q" && model.has("memory") ? "memory" : "x";
  const rows2 = SPREAD("position", "d_model"), source = model.plane(input, rows2), down = Math.min(8, (keys - 30) / source.rows.count);
  const weight = SPREAD("d_model", "d_head"), w = model.plane(`w_${letter}`, weight), q = model.plane("q", VECTORS);
  parts.push({
    ...single(
      "x",
      {
        from: "input",
        tensor: input,
        title: input === "memory" && crosses(model) ? "memory" : "X",
        spread: rows2,
        scale: model.scale(input)
      },
      {
        x: 0,
        y: HEAD,
        cell: [(label - 12) / source.columns.count, down],
        tone: input === "memory" && crosses(model) ? "source" : model.header.row_side || "",
        follows: letter === "q" ? "rows" : ""
      }
    ),
    title: { x: 0, y: HEAD / 2 }
  });
  parts.push({
    ...single(
      "w",
      {
        from: "queries",
        tensor: `w_${letter}`,
        title: `W_${letter.toUpperCase()}`,
        spread: weight,
        scale: model.scale(`w_${letter}`)
      },
      {
        x: label,
        y: HEAD,
        cell: [tile / w.columns.count, (keys - 4) / w.rows.count],
        tone: letter,
        follows: ""
      }
    ),
    title: { x: label, y: HEAD / 2 }
  });
  parts.push({
    ...single(
      "q",
      { from: "queries", tensor: "q", title: "Q", spread: VECTORS, scale: model.scale("q", "k") },
      { x: label, y: top, cell: [tile / q.columns.count, height], tone: "q", follows: "rows" }
    ),
    left: true,
    title: { x: label, y: top - LABELS / 2 }
  });
  ways.push({
    points: [
      [label + tile - 6, top - LABELS + 2],
      [label + tile - 6, top - 4]
    ],
    tone: "q",
    arrow: true
  });
  notes2.push({ text: "×", x: label - 8, y: HEAD + 10, tone: "mute", align: "center", from: "queries" });
}
var STRIP = 256;
function joinedRow(model, { n, joined, heads, label }, room, end, from, parts, notes2, ways) {
  const tensor = model.has("joined") ? "joined" : "context", spread = SPREAD("query", "head d_head"), strip = model.plane(tensor, spread).columns.count;
  const y = end + 34 + heads, width = room.isPhone ? room.width - label - 4 : STRIP, out = SPREAD("query", "d_model"), columns = model.plane("output", out).columns.count;
  const perHead = width / (model.chooser("head")?.options.length ?? 1), mid = label + perHead * (model.placeOf("head") + 0.5);
  parts.push({
    ...single(
      "joined",
      { from: "joined", tensor, title: "heads joined", spread, scale: model.scale("context") },
      { x: label, y, cell: [width / strip, joined], tone: "", follows: "rows" }
    ),
    title: { x: label, y: y + n * joined + 12 }
  });
  if (!room.isPhone)
    ways.push({
      points: [
        [from, end + 3],
        [from, end + 16],
        [mid, end + 16],
        [mid, end + 28]
      ],
      arrow: true
    });
  const next = room.isPhone ? { x: label, y: y + n * joined + 46 } : { x: label + width + 24 + n * joined + 24, y };
  const side = n * joined;
  if (!room.isPhone) mixingMatrix(model, [label + width, y], side, parts, notes2);
  const size = room.isPhone ? width : Math.min(STRIP, room.width - next.x - 4);
  parts.push({
    ...single(
      "output",
      { from: "output", tensor: "output", title: "output", spread: out, scale: model.scale("output") },
      { ...next, cell: [size / columns, joined], tone: "", follows: "rows" }
    ),
    title: { x: next.x, y: next.y - 10 }
  });
  return next.y + side + 24;
}
function mixingMatrix(model, [x, y], side, parts, notes2) {
  const spread = SPREAD("head d_head", "d_model"), { rows: rows2, columns } = model.plane("w_o", spread);
  parts.push({
    ...single(
      "w_o",
      { from: "output", tensor: "w_o", title: "W_O", spread, scale: model.scale("w_o") },
      { x: x + 24, y, cell: [side / columns.count, side / rows2.count], tone: "", follows: "" }
    ),
    title: { x: x + 24, y: y - 10 }
  });
  const signs = [
    ["×", 12],
    ["=", side + 36]
  ];
  notes2.push(
    ...signs.map(([text, right]) => ({
      text,
      x: x + right,
      y: y + side / 2,
      tone: "mute",
      align: "center",
      from: "output"
    }))
  );
}
function headsAt(model, { heads, label }, end, parts) {
  if (!heads) return void 0;
  const joined = parts.find((part2) => part2.name === "joined"), count = model.chooser("head").options.length;
  const { columns } = model.plane(model.has("joined") ? "joined" : "context", SPREAD("query", "head d_head")), pitch = columns.count * joined.cell[0] / count;
  return {
    x: label,
    y: end + 30,
    width: Math.min(64, pitch - 4),
    height: heads - 4,
    pitch,
    tensor: "weights",
    spread: PAIRS
  };
}
function feeds(model, { part: part2, row, column: column2 }, board) {
  const kt = { part: "k", column: column2, tone: "k" }, early = model.chosen.stage && model.stageIndex(model.chosen.stage) < model.stageIndex("softmax");
  const isWeights = part2 === "weights" || part2 === "scores" && !partOf(board, "weights") && !early;
  if (isWeights) return partOf(board, "weights") ? [{ part: "scores", row, tone: "" }] : [];
  const ways = {
    scores: [{ part: "q", row, tone: "q" }, kt],
    context: [
      { part: partOf(board, "weights") ? "weights" : "scores", row, tone: "" },
      { part: "v", row: column2, tone: "v" }
    ],
    q: [
      { part: "x", row, tone: "" },
      { part: "w", column: column2, tone: "q" }
    ],
    joined: [{ part: "context", row, tone: "v" }],
    output: [
      { part: "joined", row, tone: "" },
      { part: "w_o", column: column2, tone: "" }
    ]
  };
  return ways[part2] ?? [];
}
var attention = {
  spans: {
    input: [0, 0],
    queries: [0, 0.12],
    keys: [0.12, 0.12],
    values: [0.12, 0.12],
    products: [0.12, 0.42],
    scores: [0.42, 0.48],
    masked: [0.48, 0.54],
    softmax: [0.54, 0.7],
    context: [0.7, 0.86],
    joined: [0.86, 0.93],
    output: [0.93, 1]
  },
  lay,
  feeds
};

// explorer/browser/stop/by_hand.ts
var TITLE = 20;
var NAMES = 20;
var GAP2 = 26;
var LEAST = 33;
var MOST = 52;
var TOTAL = 62;
var ARROWS = [52, 36];
var LETTERS = ["q", "k", "v"];
var PAIRS2 = SPREAD("query", "key");
function full(value) {
  return Number.isInteger(value) ? fixed(value, 0) : formatSigned(value);
}
function short(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size < 99999.5)
    return fixed(value, Number.isInteger(value) ? 0 : size >= 1e3 ? 0 : 2);
  const [mantissa, exponent] = size.toExponential(0).split("e");
  return `${value < 0 ? "−" : ""}${mantissa}·10${raised(Number(exponent))}`;
}
function scaleOf(model, ...tensors) {
  return { ...model.scale(...tensors), write: short };
}
function stagesOf(model) {
  const pair = (tensor, from, title, sign3) => ({
    tensor,
    from,
    title,
    sign: sign3,
    spread: PAIRS2,
    scale: scaleOf(model, tensor),
    write: full,
    above: true
  });
  const isScaled = model.stage("scores") !== void 0, isMasked = model.stage("masked") !== void 0;
  return [
    pair("products", "products", "QKᵀ", ""),
    ...isScaled ? [pair("scores", "scores", model.stage("scores").formula, model.stage("scores").arrows[0])] : [],
    ...isMasked ? [pair("masked_scores", "masked", "masked", "mask")] : [],
    pair("exps", "softmax", model.stage("softmax").panels[1].title, "exp"),
    {
      tensor: "total",
      from: "softmax",
      title: "Σ of the row",
      sign: "Σ",
      spread: SPREAD("query", ""),
      scale: scaleOf(model, "total"),
      write: full,
      wide: TOTAL
    },
    {
      ...pair("weights", "softmax", "weights", "÷ Σ"),
      scale: { ...model.scale("weights"), write: (value) => fixed(value, 3) },
      write: void 0
    },
    {
      tensor: "context",
      from: "context",
      title: "output = weights · V",
      sign: "· V",
      spread: SPREAD("query", "d_head"),
      scale: scaleOf(model, "v", "context"),
      write: full,
      tone: "v"
    }
  ];
}
function sizesOf2(model, room) {
  const { rows: rows2, columns } = model.plane("q", SPREAD("query", "d_head")), d = model.plane("x", SPREAD("position", "d_model")).columns.count, n = rows2.count;
  const label = Math.min(
    room.isPhone ? 106 : 124,
    Math.max(56, Math.ceil(Math.max(...model.reads.map((text) => room.measure(text, 650)))) + 22)
  );
  const across = room.isPhone ? Math.max(d, columns.count) : d + 3 * columns.count, gaps = room.isPhone ? 0 : 3 * GAP2;
  const cell = Math.min(MOST, Math.floor((room.width - label - gaps - 4) / across)), down = d + 2 * n;
  const high = room.isPhone ? 30 : Math.max(22, Math.min(32, Math.floor((room.height - 2 * TITLE - NAMES - 2 * GAP2 - 60) / down)));
  return { label, cell, high, n };
}
function lay2(model, room) {
  const laid = { parts: [], notes: [], ways: [] }, sizes4 = sizesOf2(model, room);
  const below = room.isPhone ? stacked(model, sizes4, laid) : crossing(model, sizes4, laid);
  const bottom = chain(model, room, sizes4, below, laid);
  return { width: room.width, height: bottom, ...laid };
}
function part(model, item, x, y, { cell, high }, left) {
  const version2 = {
    from: item.from,
    tensor: item.tensor,
    title: item.title,
    spread: item.spread,
    scale: item.scale ?? scaleOf(model, item.tensor),
    write: item.write
  };
  return {
    name: item.tensor,
    versions: [version2],
    form: "cells",
    x,
    y,
    cell: [item.wide ?? cell, high],
    tone: item.tone ?? "",
    follows: "",
    left,
    above: item.above,
    title: { x, y: y - (item.above ? NAMES : 0) - TITLE / 2 + 2 }
  };
}
function given(tensor) {
  return {
    tensor,
    from: "queries",
    title: tensor === "x" ? "X" : `W_${tensor.slice(2).toUpperCase()}`,
    sign: "",
    spread: tensor === "x" ? SPREAD("position", "d_model") : SPREAD("d_model", "d_head"),
    tone: tensor === "x" ? "" : tensor.slice(2)
  };
}
function made(model, letter) {
  const from = { q: "queries", k: "keys", v: "values" }[letter];
  return {
    tensor: letter,
    from,
    title: model.stage(from).formula,
    sign: "",
    spread: SPREAD(letter === "q" ? "query" : "key", "d_head"),
    scale: scaleOf(model, letter),
    write: full,
    tone: letter
  };
}
function crossing(model, sizes4, { parts, ways }) {
  const x = part(model, given("x"), sizes4.label, 0, sizes4, false), matrix2 = extent(model, part(model, given("w_q"), 0, 0, sizes4, false)), top = TITLE, y = top + matrix2.height + TITLE + 6;
  parts.push({ ...x, y, title: { x: sizes4.label, y: y - TITLE / 2 + 2 } });
  let at = sizes4.label + extent(model, x).width + GAP2;
  for (const letter of LETTERS) {
    parts.push(
      part(model, given(`w_${letter}`), at, top, sizes4, false),
      part(model, made(model, letter), at, y, sizes4, false)
    );
    ways.push({
      points: [
        [at + matrix2.width - 8, top + matrix2.height + 3],
        [at + matrix2.width - 8, y - 3]
      ],
      tone: letter,
      arrow: true
    });
    at += matrix2.width + GAP2;
  }
  return y + sizes4.n * sizes4.high + 18;
}
function stacked(model, sizes4, { parts, ways }) {
  let y = TITLE;
  const add = (item, isNamed) => {
    const added = part(model, item, sizes4.label, y, sizes4, isNamed), { width, height } = extent(model, added);
    parts.push(added);
    y += height + TITLE + 6;
    return width;
  };
  add(given("x"), false);
  for (const letter of LETTERS) {
    y += 8;
    const width = add(given(`w_${letter}`), false);
    ways.push({
      points: [
        [sizes4.label + width - 8, y - TITLE - 3],
        [sizes4.label + width - 8, y - 3]
      ],
      tone: letter,
      arrow: true
    });
    add(made(model, letter), true);
  }
  return y - 4;
}
function chain(model, room, sizes4, from, { parts, notes: notes2, ways }) {
  const items = stagesOf(model), { gap, cell } = chainSizes(model, items, room, sizes4), own = { ...sizes4, cell };
  let x = own.label, y = from + TITLE + NAMES, isFirst = true;
  for (const item of items) {
    const { width } = extent(model, part(model, item, 0, 0, own, false)), needed = isFirst ? width : gap + width;
    if (!isFirst && x + needed > room.width) {
      y += own.n * own.high + TITLE + NAMES + 12;
      x = own.label;
      isFirst = true;
    }
    if (!isFirst) sign(item.sign, x + gap / 2, y + own.n * own.high / 2, gap, notes2, ways);
    const start = isFirst ? x : x + gap;
    parts.push(part(model, item, start, y, own, isFirst));
    if (isFirst && item.sign)
      notes2.push({ text: item.sign, x: 4, y: y - NAMES - TITLE / 2 + 2, tone: "mute", size: 12 });
    x = start + width;
    isFirst = false;
  }
  return y + own.n * own.high + 14;
}
function chainSizes(model, items, room, sizes4) {
  const columns = items.reduce(
    (sum, item) => sum + (item.wide ? 0 : model.plane(item.tensor, item.spread).columns.count),
    0
  );
  const alone = (gap2) => Math.floor((room.width - sizes4.label - TOTAL - (items.length - 1) * gap2 - 4) / columns);
  const gap = ARROWS.find((each) => alone(each) >= LEAST);
  return gap ? { gap, cell: Math.min(MOST, alone(gap)) } : { gap: ARROWS[1], cell: Math.max(LEAST, Math.min(sizes4.cell, 44)) };
}
function sign(text, x, y, gap, notes2, ways) {
  notes2.push({ text, x, y: y - 11, tone: "mute", size: 12, align: "center", most: gap - 6 });
  ways.push({
    points: [
      [x - gap / 2 + 6, y],
      [x + gap / 2 - 6, y]
    ],
    arrow: true
  });
}
function feeds2(model, { part: name, row, column: column2 }) {
  const of = (tensor) => ({ part: tensor, row, column: column2, tone: "" }), before = model.stage("masked") ? "masked_scores" : model.stage("scores") ? "scores" : "products";
  const ways = {
    ...Object.fromEntries(
      LETTERS.map((letter) => [
        letter,
        [
          { part: "x", row, tone: "" },
          { part: `w_${letter}`, column: column2, tone: letter }
        ]
      ])
    ),
    products: [
      { part: "q", row, tone: "q" },
      { part: "k", row: column2, tone: "k" }
    ],
    scores: [of("products")],
    masked_scores: [of(model.stage("scores") ? "scores" : "products")],
    exps: [of(before)],
    total: [{ part: "exps", row, tone: "" }],
    weights: [of("exps"), { part: "total", row, tone: "" }],
    context: [
      { part: "weights", row, tone: "" },
      { part: "v", column: column2, tone: "v" }
    ]
  };
  return ways[name] ?? [];
}
var FACTORS = {
  q: ["x", "w_q"],
  k: ["x", "w_k"],
  v: ["x", "w_v"],
  products: ["q", "k"],
  context: ["weights", "v"]
};
function valuesOf(model, tensor, at) {
  const plane = model.plane(tensor, spreadOf(model, tensor)), found = [];
  for (let row = 0; row < plane.rows.count; row++)
    for (let column2 = 0; column2 < plane.columns.count; column2++)
      if (at(row, column2)) found.push(plane.value(row, column2));
  return found;
}
function spreadOf(model, tensor) {
  const [rows2, columns = ""] = model.tensors[tensor].axes.map(({ name }) => name);
  return SPREAD(rows2, columns);
}
function madeOf(model, { part: name, row, column: column2 }) {
  const one = (tensor, across = column2) => valuesOf(model, tensor, (r, c) => r === row && c === across)[0], whole = (tensor) => valuesOf(model, tensor, (r) => r === row);
  if (Number.isNaN(one(name))) return null;
  if (name in FACTORS) {
    const [left, right] = FACTORS[name], factors = valuesOf(model, right, name === "products" ? (r) => r === column2 : (_, c) => c === column2);
    return whole(left).map((value, i) => `${term(value)} · ${factor(factors[i])}`).join(" + ");
  }
  if (name === "scores") return `${term(one("products"))} ${model.stage("scores").arrows[0]}`;
  if (name === "total") return whole("exps").map(term).join(" + ");
  return name === "weights" ? `${term(one("exps"))} ÷ ${term(one("total", 0))}` : null;
}
function term(value) {
  return fixed(value, Number.isInteger(value) ? 0 : 3);
}
function factor(value) {
  return value < 0 ? `(${term(value)})` : term(value);
}
function says(model, spot) {
  const terms = madeOf(model, spot);
  return terms === null ? null : { between: spot.part === "total" ? "" : " · ", after: `: ${terms} = ` };
}
var byHand = {
  lay: lay2,
  feeds: feeds2,
  says,
  rests: "Type into the framed cells. Point at a number to see what it is made of; click it to see how."
};

// explorer/browser/stop/grid.ts
var GAP3 = 10;
var LEAST_ROW2 = 44;
var SMALL_SHARE = 0.36;
var PHONE_ROW = 64;
var TITLE2 = 20;
var HALF_LINE = 8;
var LEAST_LIMIT = 36;
var LEFT = 156;
var RIGHT = 66;
var CHIP = 30;
var CHIP_OF_TWO = 44;
function layGrid(model, room, rows2, under, { above = 0, least = LEAST_ROW2 } = {}) {
  const left = room.isPhone ? 0 : LEFT, chips = under.length ? CHIP_OF_TWO : CHIP, top = chips + 8 + above, spaces = rows2.reduce((sum, { space = 0 }) => sum + space, 0);
  const wide = room.width - left - (room.isPhone ? 2 : RIGHT), share2 = (row) => row.isSmall ? SMALL_SHARE : 1;
  const free = room.height - top - spaces - rows2.length * GAP3, height = room.isPhone ? PHONE_ROW : Math.max(least, Math.floor(free / rows2.reduce((sum, row) => sum + share2(row), 0)));
  const parts = [], notes2 = [], places = /* @__PURE__ */ new Map();
  let y = top;
  for (const row of rows2) {
    y += (row.space ?? 0) + (room.isPhone ? TITLE2 : 0);
    const own = Math.floor(height * share2(row)), place = { y, height: own };
    places.set(row.name, place);
    parts.push(partOf2(model, row, place, left, wide, room.isPhone));
    notes2.push(...notesOf(model, row, place, left, room.isPhone));
    y += own + GAP3;
  }
  const board = {
    width: room.width,
    height: y,
    parts,
    notes: notes2,
    ways: [],
    tokens: { x: 0, y: 0, width: room.width, height: chips, under }
  };
  return { board, top, rowAt: (name) => places.get(name) };
}
function partOf2(model, row, { y, height }, left, wide, isPhone) {
  const version2 = {
    from: row.from,
    tensor: row.tensor,
    title: row.title,
    spread: SPREAD(row.rows, "d_model"),
    scale: signedScale(limitIn(model, row))
  };
  const plane = model.plane(row.tensor, version2.spread), cell = wide / plane.columns.count, title = isPhone ? y - 9 : row.below ? y + height / 2 - HALF_LINE : y + height / 2;
  return {
    name: row.name,
    versions: [version2],
    form: "bars",
    x: left,
    y,
    cell: [cell >= 7 ? Math.floor(cell) : cell, height],
    tone: row.tone ?? "",
    follows: row.isMade ? "rows" : "",
    rows: [litRow(model, row.tensor, row.rows)],
    title: { x: isPhone && row.sign ? 14 : 0, y: title }
  };
}
function notesOf(model, row, { y, height }, left, isPhone) {
  const notes2 = [], limit = limitIn(model, row);
  if (row.below && !isPhone)
    notes2.push({
      text: row.below,
      x: 0,
      y: y + height / 2 + HALF_LINE,
      tone: "mute",
      size: 12,
      most: left - 20
    });
  if (row.sign)
    notes2.push(
      isPhone ? { text: row.sign, x: 0, y: y - 9, weight: 600 } : { text: row.sign, x: left - 14, y: y + height / 2, weight: 600, size: 15, align: "center" }
    );
  if (limit && !isPhone && !row.isSmall && height >= LEAST_LIMIT)
    notes2.push({
      text: fixed(limit, limit >= 1 ? 1 : 2),
      x: left - 6,
      y: y + 6,
      tone: "mute",
      size: 11,
      align: "right"
    });
  return notes2;
}
function column(model, spot, board) {
  const isThere = (part2) => part2.form === "bars" && versionAt(model, part2, model.held) && spot.column < planeOf(model, part2.versions[0]).columns.count;
  return board.parts.filter(isThere).map((part2) => {
    const [width, height] = part2.cell, row = part2.rows[0], { columns } = planeOf(model, part2.versions[0]), isPhone = !part2.x;
    const end = part2.x + columns.count * width, at = isPhone ? { x: end, y: part2.y - 9, align: "right" } : { x: end + 8, y: part2.y + height / 2 };
    const note = {
      ...at,
      text: formatSigned(valueOf(part2.versions[0], planeOf(model, part2.versions[0]), row, spot.column)),
      weight: part2.name === spot.part ? 650 : 400,
      size: 13
    };
    return { part: part2.name, row, column: spot.column, tone: "", soft: true, note };
  });
}
function limitIn(model, { scale }) {
  return Math.max(
    0,
    ...scale.filter((tensor) => model.has(tensor)).map((tensor) => {
      const rows2 = model.tensors[tensor].axes.map(({ name }) => name).find((name) => name !== "d_model") ?? "";
      const { low, high } = extremes(model.plane(tensor, SPREAD(rows2, "d_model")), [
        litRow(model, tensor, rows2)
      ]) ?? { low: 0, high: 0 };
      return Math.max(-low, high);
    })
  );
}
function litRow(model, tensor, rows2) {
  return rows2 ? Math.min(model.chosen.row, model.tensors[tensor].axis(rows2).shown - 1) : 0;
}
function valueAt(model, tensor, rows2, at) {
  const plane = model.plane(
    tensor,
    SPREAD(rows2, rows2 === "position" && !model.tensors[tensor].axis("d_model") ? "" : "d_model")
  );
  return plane.value(litRow(model, tensor, rows2), at);
}
function plus(value) {
  return `${value < 0 ? " − " : " + "}${formatSigned(Math.abs(value))}`;
}

// explorer/browser/stop/embedding.ts
function idsOf(model) {
  const vocabulary = model.tensors.rows.axis("vocab");
  return model.reads.map((_, row) => wholePlace(vocabulary, row));
}
function rowsOf(model) {
  const [picked, scaled, summed] = model.header.stages, { row } = model.chosen, side = model.header.row_side || "", sums = ["tokens", "positions", "output"];
  const vocabulary = model.tensors.rows.axis("vocab"), width = model.tensors.output.axis("d_model").size;
  const position = model.has("positions") ? [
    {
      name: "positions",
      tensor: "positions",
      title: summed.panels[1].title,
      below: `of position ${row}`,
      sign: "+",
      rows: "position",
      scale: sums,
      from: summed.key
    }
  ] : [];
  return [
    {
      name: "rows",
      tensor: "rows",
      title: `row ${idsOf(model)[row]} of ${vocabulary.size}`,
      below: picked.panels[0].title,
      rows: "vocab",
      scale: ["rows"],
      from: picked.key,
      tone: side,
      isMade: true
    },
    {
      name: "tokens",
      tensor: "tokens",
      title: `× √${width}`,
      below: "the same row, scaled",
      rows: "position",
      scale: sums,
      from: scaled.key,
      isMade: true
    },
    ...position,
    {
      name: "output",
      tensor: "output",
      title: "into layer 0",
      below: position.length ? "their sum" : "nothing is added",
      sign: "=",
      rows: "position",
      scale: sums,
      from: summed.key,
      isMade: true,
      tone: side
    }
  ];
}
function lay3(model, room) {
  return layGrid(
    model,
    room,
    rowsOf(model),
    idsOf(model).map((id) => `id ${id}`)
  ).board;
}
function story(model, { part: part2, column: at }) {
  const value = (tensor, rows2 = "position") => formatSigned(valueAt(model, tensor, rows2, at));
  const width = model.tensors.output.axis("d_model").size;
  if (part2 === "tokens") return `${value("rows", "vocab")} × √${width} = `;
  if (part2 !== "output" || !model.has("positions")) return "";
  return `${value("tokens")}${plus(valueAt(model, "positions", "position", at))} = `;
}
var embedding = {
  lay: lay3,
  feeds: column,
  says: (model, spot) => ({ after: `: ${story(model, spot)}` })
};

// explorer/browser/stop/feed_forward.ts
var NARROW = SPREAD("position", "d_model");
var WIDE = SPREAD("position", "d_ff");
var WIDEN = SPREAD("d_model", "d_ff");
var NARROWS = SPREAD("d_ff", "d_model");
var HEAD2 = 20;
var NAMES2 = 42;
var NAMED2 = 6;
var CLOSE = [26, 14];
var SHARES = { in: 0.19, widen: 0.1, units: 0.44, narrow: 0.1, out: 0.17 };
function sizes2(model, room) {
  const n = model.reads.length, width = room.width, label = Math.min(96, Math.ceil(Math.max(...model.reads.map((text) => room.measure(text, 650)))) + 10);
  const rows2 = room.isPhone ? n * 12 + 2 * HEAD2 : 0, free = room.isPhone ? 430 : room.height - 2 * HEAD2 - NAMES2, share2 = (name) => Math.round(free * SHARES[name]);
  const narrow = room.isPhone ? { x: 0, width } : { x: Math.round(width * 0.29), width: Math.round(width * 0.42) };
  const input = [rows2 + HEAD2, share2("in")], units = [input[0] + input[1] + share2("widen") + NAMES2, share2("units")];
  return {
    width,
    narrow,
    label,
    in: input,
    units,
    out: [units[0] + units[1] + share2("narrow"), share2("out")]
  };
}
function lay4(model, room) {
  const size = sizes2(model, room), row = model.chosen.row, parts = [...bars(model, size, row), ...allRows(model, size, room)];
  const {
    narrow: { x, width },
    width: whole
  } = size, [top, bottom] = [size.in[0] + size.in[1] + 3, size.out[0] - 3], fan = [size.units[0] - NAMES2 + 8, size.units[0] + size.units[1]];
  const areas = [
    {
      colour: "well",
      points: [
        [x, top],
        [x + width, top],
        [whole, fan[0]],
        [0, fan[0]]
      ]
    },
    {
      colour: "well",
      points: [
        [0, fan[1]],
        [whole, fan[1]],
        [x + width, bottom],
        [x, bottom]
      ]
    }
  ];
  return {
    width: whole,
    height: size.out[0] + size.out[1] + (room.isPhone ? HEAD2 : 4),
    parts,
    notes: [...notes(model, size, room), ...names(model, partOf({ parts }, "units"))],
    ways: [],
    areas
  };
}
function bars(model, { width, narrow, in: input, units, out }, row) {
  const d = model.plane("x", NARROW).columns.count, pre = model.plane("pre", WIDE), whole = model.tensors.pre.axis("d_ff").size, act = model.stage("hidden").title;
  const { low, high } = extremes(pre, [row]) ?? { low: -1, high: 1 }, passed = range(pre.columns.count).filter(
    (unit) => model.plane("hidden", WIDE).value(row, unit) > 0
  ).length;
  const some = pre.columns.count < whole ? `the ${pre.columns.count} strongest of ${formatCount(whole)} units` : `${formatCount(whole)} units`;
  const at = (name, [y, height], versions, follows, title) => ({
    name,
    versions: versions.map((each) => ofRow(model, each, row)),
    form: "bars",
    x: narrow.x,
    y,
    cell: [narrow.width / d, height],
    tone: "",
    follows,
    rows: [row],
    title: { x: title[0], y: title[1] }
  });
  const reads = model.reads[row] ?? "";
  return [
    {
      ...at(
        "in",
        input,
        [
          version(
            model,
            "pre_activation",
            "x",
            NARROW,
            `in: the row that reads ${reads}, ${formatCount(d)} numbers`
          )
        ],
        "",
        [narrow.x, input[0] - HEAD2 / 2]
      ),
      tone: model.header.row_side || ""
    },
    {
      ...at(
        "units",
        units,
        [
          version(model, "pre_activation", "pre", WIDE, `${some} before the ${act}`),
          {
            ...version(model, "hidden", "hidden", WIDE, `${some}: ${passed} pass the ${act}`),
            behind: "pre"
          }
        ],
        "rows",
        [0, units[0] - NAMES2 + 14]
      ),
      x: 0,
      cell: [width / pre.columns.count, units[1]],
      columns: inOrder(model),
      span: [Math.min(0, low), Math.max(0, high)]
    },
    at("out", out, [version(model, "output", "output", NARROW, "")], "rows", [0, 0])
  ];
}
function version(model, from, tensor, spread, title) {
  return { from, tensor, spread, title, scale: model.scale(tensor) };
}
function inOrder(model) {
  const axis = model.tensors.hidden.axis("d_ff");
  return range(axis.shown).sort((a, b) => wholePlace(axis, a) - wholePlace(axis, b));
}
function ofRow(model, shown3, row) {
  const { low, high } = extremes(model.plane(shown3.tensor, shown3.spread), [row]) ?? { low: 0, high: 1 };
  return { ...shown3, scale: signedScale(Math.max(-low, high)) };
}
function allRows(model, { narrow, label, in: input, out }, room) {
  const d = model.plane("x", NARROW).columns.count, n = model.reads.length, width = room.isPhone ? room.width - label : Math.min(140, narrow.x - label - 36);
  const rows2 = (name, shown3, y, height, follows) => ({
    name,
    versions: [shown3],
    form: "cells",
    x: label,
    y,
    cell: [width / d, Math.min(16, height / n)],
    tone: "",
    follows,
    left: true
  });
  const all = rows2(
    "rows in",
    version(model, "pre_activation", "x", NARROW, "every row"),
    room.isPhone ? HEAD2 : input[0],
    room.isPhone ? n * 12 : input[1],
    "rows"
  );
  if (room.isPhone) return [all];
  return [
    all,
    rows2("rows out", version(model, "output", "output", NARROW, "every row"), out[0], out[1], "rows")
  ];
}
function notes(model, size, room) {
  const {
    narrow: { x, width },
    in: input,
    units,
    out
  } = size, small = { size: 12.5, tone: "mute" }, row = model.chosen.row, hidden = model.plane("hidden", WIDE), count = hidden.columns.count;
  const silent = range(count).filter((unit) => hidden.value(row, unit) === 0).length, d = formatCount(model.plane("output", NARROW).columns.count);
  const away = room.isPhone ? { x: 0, align: "left" } : { x: x - 10, align: "right" };
  const found = [
    { text: "× W_1 + b_1", ...away, y: input[0] + input[1] + 14, weight: 600, size: 13 },
    {
      text: "× W_2 + b_2",
      ...away,
      y: room.isPhone ? units[0] + units[1] + 14 : out[0] - 12,
      weight: 600,
      size: 13
    },
    {
      text: `out: ${d} numbers, added to the stream`,
      x: room.isPhone ? 0 : x + width + 10,
      y: room.isPhone ? out[0] + out[1] + HEAD2 / 2 : out[0] + out[1] / 2,
      size: 13,
      from: "output",
      most: room.isPhone ? room.width : room.width - x - width - 12
    }
  ];
  if (silent && !room.isPhone)
    found.push({
      text: `${count === silent ? "all" : "the other"} ${formatCount(silent)} are set to 0`,
      x: 0,
      y: units[0] + units[1] + 10,
      from: "hidden",
      ...small
    });
  if (!room.isPhone)
    found.push({ text: "every row, the same network", x: size.label, y: input[0] - HEAD2 / 2, ...small });
  return found;
}
function names(model, units) {
  const placed = [], plane = model.plane("hidden", WIDE);
  return strongest(model).slice(0, NAMED2).map((column2) => {
    const x = Math.max(
      12,
      Math.min(
        units.x + plane.columns.count * units.cell[0] - 12,
        middleOf(model, units, model.chosen.row, column2)[0]
      )
    );
    let y = endOf(units, plane.value(model.chosen.row, column2)) - 8;
    while (placed.some(([left, top]) => Math.abs(left - x) < CLOSE[0] && Math.abs(top - y) < CLOSE[1]))
      y -= CLOSE[1];
    placed.push([x, y]);
    return {
      text: plane.columns.label(column2),
      x,
      y,
      align: "center",
      weight: 650,
      size: 12.5,
      from: "hidden"
    };
  });
}
function strongest(model) {
  const plane = model.plane("hidden", WIDE), size = (column2) => Math.abs(plane.value(model.chosen.row, column2));
  return range(plane.columns.count).filter((column2) => size(column2) > 0).sort((a, b) => size(b) - size(a));
}
function rays(model, spot, board, held) {
  const units = partOf(board, "units"), input = partOf(board, "in"), out = partOf(board, "out"), row = model.chosen.row;
  if (!versionAt(model, units, held) || spot && spot.row !== row) return [];
  const x = model.plane("x", NARROW), pre = model.plane("pre", WIDE), hidden = model.plane("hidden", WIDE), all = (plane) => range(plane.columns.count);
  const line = (from, a, to, b, value) => ({
    from: [middleOf(model, from, row, a)[0], from === units ? zeroOf(units) : from.y + from.cell[1] + 3],
    to: [middleOf(model, to, row, b)[0], to === units ? endOf(units, pre.value(row, b)) - 15 : to.y - 3],
    strength: value
  });
  const into = (d, unit2) => line(input, d, units, unit2, x.value(row, d) * model.plane("w1", WIDEN).value(d, unit2));
  const onward = (unit2, d) => line(units, unit2, out, d, hidden.value(row, unit2) * model.plane("w2", NARROWS).value(unit2, d));
  const hasOut = versionAt(model, out, held) !== null;
  if (spot?.part === "in") return relative(all(hidden).map((each) => into(spot.column, each)));
  if (spot?.part === "out") return relative(all(hidden).map((each) => onward(each, spot.column)));
  const unit = spot ? spot.part === "units" ? spot.column : null : strongest(model)[0] ?? null;
  if (unit === null) return [];
  return [all(x).map((d) => into(d, unit)), hasOut ? all(x).map((d) => onward(unit, d)) : []].flatMap(
    relative
  );
}
function endOf({ y, cell, span }, value) {
  const [low, high] = span;
  return y + (high - Math.max(0, value)) * cell[1] / (high - low || 1);
}
function zeroOf(units) {
  return endOf(units, 0);
}
function relative(lines2) {
  const most = Math.max(...lines2.map(({ strength }) => Math.abs(strength)));
  return most > 0 ? lines2.filter(({ strength }) => strength !== 0).map((line) => ({ ...line, strength: line.strength / most })) : [];
}
function says2(model, spot, version2) {
  if (spot.part !== "units") return null;
  const { columns } = model.plane(version2.tensor, WIDE), before = model.plane("pre", WIDE).value(spot.row, spot.column), name = { between: " · unit ", second: columns.label(spot.column) };
  return version2.tensor === "hidden" ? { ...name, after: `: ${model.stage("hidden").title} of ${formatSigned(before)} gives ` } : null;
}
var feedForward = {
  spans: { pre_activation: [0, 0.45], hidden: [0.45, 0.6], output: [0.6, 1] },
  lay: lay4,
  feeds: () => [],
  rays,
  says: says2
};

// explorer/browser/stop/masks.ts
var TITLE3 = 20;
var NAMES3 = 44;
var GAP4 = 14;
var ARROW = 76;
var CHANGE = 84;
var TURN = 26;
var MOST_CELL2 = 26;
var MOST_ID = 36;
var ROW = 20;
var LEAST_ROW3 = 4;
var BAND_MOST = 150;
var COLUMNS = 3;
function isBatch({ tensor }) {
  return tensor.startsWith("src") || tensor.startsWith("tgt_in");
}
function spreadOf2(item) {
  return isBatch(item) ? SPREAD("sentence", "key") : SPREAD("query", "key");
}
function bandsOf(model) {
  const ids = { ...model.scale("src", "tgt_in"), write: (value) => fixed(value, 0) }, scores = model.scale("scores", "masked_scores");
  const isOff = model.has("weights_before"), ran = isOff ? "weights, mask off" : "weights", before = (tensor, from) => isOff ? [{ tensor, from, title: "weights, all masks on" }] : [];
  const acting = ["padding", "causal"].filter(
    (name) => model.stage("combined").panels.some(({ tensor }) => tensor === name)
  );
  const combined = [
    ...acting.map((name, i) => ({
      tensor: name,
      from: name === "causal" ? "causal" : "combined",
      title: `${name} mask`,
      sign: i ? "and" : ""
    })),
    {
      tensor: "mask",
      from: "combined",
      title: "may look",
      sign: acting.length === 2 ? "both say yes" : "it alone"
    }
  ];
  while (combined.length < COLUMNS - 1) combined.push(null);
  return [
    [
      { tensor: "src", from: "batch", title: "source ids", scale: ids },
      { tensor: "tgt_in", from: "batch", title: "target ids", scale: ids }
    ],
    [
      { tensor: "src_padding", from: "padding", title: "padding mask of the sources", plain: true },
      { tensor: "tgt_in_padding", from: "padding", title: "of the targets", plain: true }
    ],
    [...combined, ...before("weights_before", "without")],
    [
      { tensor: "scores", from: "weights", title: "scores", scale: scores },
      {
        tensor: "masked_scores",
        from: "weights",
        title: "masked scores",
        sign: "−∞ where no",
        scale: scores
      },
      { tensor: "weights", from: "weights", title: ran, sign: "softmax" }
    ],
    [
      { tensor: "cross_mask", from: "memory", title: "memory mask" },
      { tensor: "cross_weights", from: "memory", title: ran, sign: "softmax" },
      ...before("cross_weights_before", "memory-without")
    ]
  ];
}
function widthOf(model, item) {
  return model.plane(item.tensor, spreadOf2(item)).columns.count;
}
function sizesOf3(model, room, bands, rows2, gap, most) {
  const label = 10 + Math.min(90, Math.max(...rows2.map((text) => room.measure(text, 650))));
  const widths = bands.map((band2) => {
    const items = band2.filter((item) => item !== null), beside = items.some(({ tensor }) => tensor === "weights") && model.has("change") ? CHANGE : 0;
    return (room.width - label - TURN - (items.length - 1) * (gap || label) - beside) / items.reduce((sum, item) => sum + widthOf(model, item), 0);
  });
  return { bands, label, cell: Math.max(3, Math.min(most, ...widths.map(Math.floor))) };
}
function lay5(model, room) {
  const [ids, padding, combined, weights, memory] = bandsOf(model), stacked2 = (bands) => room.isPhone ? bands.flatMap((band2) => band2.filter((item) => item !== null).map((item) => [item])) : bands;
  const { rows: rows2 } = model.plane("src", SPREAD("sentence", "key")), names2 = range(rows2.count).map(rows2.label), parts = [], notes2 = [], ways = [];
  let y = 0;
  const pairs = (bands) => sizesOf3(model, room, stacked2(bands), model.reads, ARROW, MOST_CELL2);
  const sizes4 = [
    sizesOf3(model, room, stacked2([ids, padding]), names2, 0, MOST_ID),
    pairs([combined, weights]),
    pairs([memory])
  ];
  for (const size of sizes4)
    for (const band2 of size.bands) y = layBand(model, room, band2, size, y, { parts, notes: notes2, ways });
  if (model.has("change")) parts.push(changes(model, partOf({ parts }, "weights"), room));
  return { width: room.width, height: y, parts, notes: notes2, ways };
}
function layBand(model, room, band2, { label, cell }, y, { parts, notes: notes2, ways }) {
  const first = band2[0], isIds = isBatch(first), isNamed = !first.plain || room.isPhone, count = model.plane(first.tensor, spreadOf2(first)).rows.count;
  const height = isIds ? ROW : Math.max(LEAST_ROW3, Math.min(ROW, cell, Math.floor(BAND_MOST / count))), top = y + TITLE3 + (isNamed ? NAMES3 : 0);
  let x = label;
  for (const item of band2) {
    if (item) parts.push(matrix(model, item, x, top, [cell, height], isIds || item === first, isNamed));
    if (item?.sign && item !== first) sign2(item.sign, x, top + count * height / 2, notes2, ways);
    else if (item?.sign && room.isPhone)
      notes2.push({
        text: item.sign,
        x: room.width - 4,
        y: y + TITLE3 / 2,
        tone: "mute",
        size: 12,
        align: "right"
      });
    x += widthOf(model, item ?? first) * cell + (isIds ? label : ARROW);
  }
  return top + count * height + GAP4;
}
function matrix(model, item, x, y, cell, left, isNamed) {
  const version2 = {
    from: item.from,
    tensor: item.tensor,
    title: item.title,
    spread: spreadOf2(item),
    scale: item.scale ?? model.scale(item.tensor)
  };
  return {
    name: item.tensor,
    versions: [version2],
    form: "cells",
    x,
    y,
    cell,
    tone: "",
    ...isBatch(item) ? { follows: "", picks: "sentence" } : { follows: "rows" },
    left,
    above: isNamed && "turned",
    title: { x, y: y - (isNamed ? NAMES3 : 0) - TITLE3 / 2 }
  };
}
function sign2(text, x, y, notes2, ways) {
  notes2.push({ text, x: x - ARROW / 2, y: y - 10, tone: "mute", size: 12, align: "center", most: ARROW - 4 });
  ways.push({
    points: [
      [x - ARROW + 6, y],
      [x - 6, y]
    ],
    arrow: true
  });
}
function changes(model, beside, { isPhone }) {
  const {
    x,
    y,
    cell: [width, height]
  } = beside, start = x + model.plane("weights", SPREAD("query", "key")).columns.count * width + 8;
  return {
    name: "change",
    versions: [
      {
        from: "change",
        tensor: "change",
        title: "max |Δ log P|",
        spread: SPREAD("query", ""),
        scale: model.scale("change")
      }
    ],
    form: height >= 14 ? "numbers" : "cells",
    x: start,
    y,
    cell: [CHANGE - 8, height],
    tone: "",
    follows: "rows",
    title: { x: start, y: y - TITLE3 / 2 - (isPhone ? 0 : NAMES3) }
  };
}
function feeds3(model, { part: part2, row, column: column2 }) {
  const cell = (name) => ({ part: name, row, column: column2, tone: "" }), whole = (name) => ({ part: name, row, tone: "" });
  const ways = {
    src_padding: [cell("src")],
    tgt_in_padding: [cell("tgt_in")],
    mask: [cell("padding"), cell("causal")],
    padding: [{ part: "tgt_in_padding", row: model.placeOf("sentence"), column: column2, tone: "" }],
    masked_scores: [cell("scores"), cell("mask")],
    weights: [whole("masked_scores")],
    cross_mask: [{ part: "src_padding", row: model.placeOf("sentence"), column: column2, tone: "" }],
    cross_weights: [whole("cross_mask")]
  };
  return ways[part2] ?? [];
}
var masks = {
  lay: lay5,
  feeds: feeds3,
  rests: "Point at a cell to read it. Click a sentence of the batch to see its masks and weights."
};

// explorer/browser/stop/norm.ts
var ONE = [44, 20];
function isPost(model) {
  return model.stageIndex("sum") === 0;
}
function read(model) {
  return isPost(model) ? "summed" : "stream";
}
function endOf2(model, name) {
  return `±${formatSigned(limitOf(sortedSizes(model.tensors[name], model.placeOf("layer")), 1))}`;
}
function rowsOf2(model, room) {
  const post = isPost(model), sum = model.stage("sum"), stream = sum ? ["stream", "added", "summed"] : ["x"], side = model.header.row_side || "";
  const first = {
    name: "stream",
    tensor: sum ? "stream" : "x",
    title: post ? "the stream" : "the stream, x",
    below: post ? "what went past" : "",
    rows: "position",
    scale: stream,
    from: post ? "sum" : "statistics",
    tone: side
  };
  const added = sum ? addedRows(model, sum.panels[1].title, stream) : [], norm2 = normRows(model, room, sum?.panels[1].title);
  return post ? [first, ...added, ...norm2] : [first, ...norm2, ...added];
}
function addedRows(model, sublayer, scale) {
  const post = isPost(model);
  return [
    {
      name: "added",
      tensor: "added",
      title: sublayer,
      below: "what it adds",
      sign: "+",
      rows: "position",
      scale,
      from: "sum"
    },
    {
      name: "summed",
      tensor: "summed",
      title: "sum",
      below: post ? "" : `stream + ${sublayer}`,
      sign: "=",
      rows: "position",
      scale,
      from: "sum",
      isMade: true,
      tone: post ? "" : model.header.row_side || ""
    }
  ];
}
function normRows(model, { isPhone }, sublayer) {
  const post = isPost(model), hasSum = sublayer !== void 0, letter = post ? "sum" : "x", normed = ["normalized", "output"];
  const learned = (name, title, sign3) => ({
    name,
    tensor: name,
    title: isPhone ? `${title}, learned, to ${endOf2(model, name)}` : `${title}, learned`,
    below: `its bars end at ${endOf2(model, name)}`,
    sign: sign3,
    rows: "",
    scale: [name],
    from: "output",
    isSmall: true
  });
  return [
    {
      name: "normalized",
      tensor: "normalized",
      title: "normalised",
      below: `(${letter} − μ) ÷ √(σ² + ε)`,
      rows: "position",
      scale: normed,
      from: "normalized",
      isMade: true
    },
    learned("gamma", "γ", "×"),
    learned("beta", "β", "+"),
    {
      name: "output",
      tensor: "output",
      title: "output",
      below: hasSum && !post ? `what ${sublayer} reads` : "normalised × γ + β",
      sign: "=",
      rows: "position",
      scale: normed,
      from: "output",
      isMade: true,
      tone: post || !hasSum ? model.header.row_side || "" : ""
    }
  ];
}
function lay6(model, room) {
  const { writes } = model, laid = layGrid(
    model,
    room,
    rowsOf2(model, room),
    writes.map((token) => `→ ${token}`)
  );
  statistics(model, room, laid);
  return laid.board;
}
function statistics(model, room, { board, rowAt }) {
  const name = read(model), { y, height } = rowAt(name), [width, high] = ONE, isPhone = room.isPhone, at = isPhone ? y - high : y + height / 2 + 1;
  const start = isPhone ? Math.max(90, room.width - 2 * (width + 20) - 62) : 0, row = partOf(board, name);
  if (!isPhone) row.title = { x: 0, y: y + height / 2 - 12 };
  const cell = (tensor, x) => ({
    name: tensor,
    versions: [
      {
        from: "statistics",
        tensor,
        title: tensor === "mean" ? "μ" : "σ²",
        spread: SPREAD("position", ""),
        scale: model.scale(tensor)
      }
    ],
    form: "cells",
    x: x + 18,
    y: at,
    cell: [width, high],
    tone: "",
    follows: "rows",
    rows: [litRow(model, tensor, "position")],
    title: { x: x + 14, y: at + high / 2, align: "right" }
  });
  board.parts.splice(
    board.parts.indexOf(row) + 1,
    0,
    cell("mean", start),
    cell("variance", start + width + 20)
  );
  const mean = valueAt(model, "mean", "position", 0), spread = Math.sqrt(valueAt(model, "variance", "position", 0));
  board.ranges = [{ part: name, from: "statistics", low: mean - spread, middle: mean, high: mean + spread }];
}
function feeds4(model, spot, board) {
  if (spot.part === "mean" || spot.part === "variance") return [{ part: read(model), tone: "" }];
  return column(model, spot, board);
}
function story2(model, { part: part2, column: at }) {
  const value = (tensor, rows2 = "position") => valueAt(model, tensor, rows2, at), one = (tensor) => valueAt(model, tensor, "position", 0);
  const letter = isPost(model) ? "the sum" : "the stream", count = model.tensors.x.axis("d_model").size;
  const stories = {
    summed: () => `${formatSigned(value("stream"))}${plus(value("added"))} = `,
    mean: () => `the mean of the ${count} numbers of ${letter} is `,
    variance: () => `the mean of the squared distances from μ of the ${count} numbers of ${letter} is `,
    normalized: () => `(${formatSigned(value("x"))}${plus(-one("mean"))}) ÷ √(${formatSigned(one("variance"))} + ε) = `,
    gamma: () => "learned, and the same for all tokens: ",
    beta: () => "learned, and the same for all tokens: ",
    output: () => `${formatSigned(value("normalized"))} × ${formatSigned(value("gamma", ""))}${plus(value("beta", ""))} = `
  };
  return stories[part2]?.() ?? "";
}
var norm = { lay: lay6, feeds: feeds4, says: (model, spot) => ({ after: `: ${story2(model, spot)}` }) };

// explorer/browser/stop/output.ts
var TEN = 10;
var HEAD3 = 20;
var HEADS = 26;
var FOOT = 26;
var ROW_MOST = 33;
var ROW_LEAST = 22;
var SKY_LEAST = 84;
var SKY = SPREAD("position", "vocab");
var DOWN = SPREAD("vocab", "position");
var TERMS = SPREAD("vocab", "d_model");
var NARROW2 = SPREAD("position", "d_model");
var HEADINGS = {
  logits: "logit",
  exp: "e^logit",
  softmax: "softmax",
  probs: "P",
  log: "log P"
};
function shown2(model) {
  const row = model.chosen.row, plane = model.plane("logits", SKY), count = plane.columns.count, written = model.writes[row];
  const order = range(count).sort((a, b) => plane.value(row, b) - plane.value(row, a)), own = range(count).findIndex((token) => plane.columns.label(token) === written);
  const ten = order.slice(0, TEN), sky = model.tensors.skyline, place = own < 0 ? -1 : shownPlace(sky.axis("vocab"), idOf2(model, own));
  if (own >= 0 && !ten.includes(own)) ten.splice(-1, 1, own);
  return { ten, written: own, sky: { row: shownPlace(sky.axis("position"), row), written: place } };
}
function idOf2(model, place) {
  return wholePlace(model.tensors.logits.axis("vocab"), place);
}
function total(model, token) {
  const row = model.chosen.row;
  return Math.exp(
    model.plane("logits", SKY).value(row, token) - model.plane("log_probs", SKY).value(row, token)
  );
}
function power(value) {
  return value >= 100 && value < 1e7 ? fixed(value, 0) : value >= 0.01 ? fixed(value, 2) : formatSigned(value);
}
function sizes3(room, count) {
  const { width, isPhone } = room, free = (isPhone ? 520 : room.height) - HEAD3 - HEADS - FOOT, row = Math.max(ROW_LEAST, Math.min(ROW_MOST, Math.floor((free - SKY_LEAST) / (count + 1.5))));
  const sky = [HEAD3, Math.max(SKY_LEAST, Math.min(isPhone ? 110 : 230, free - count * row))];
  const columns = isPhone ? { terms: [62, 86], logits: [150, 52], exp: [202, 54], softmax: [262, 36], probs: [width - 60, 60] } : share(width, {
    terms: [0.12, 0.31],
    logits: [0.43, 0.09],
    exp: [0.52, 0.1],
    softmax: [0.64, 0.17],
    probs: [0.81, 0.095],
    log: [0.905, 0.095]
  });
  return { width, sky, row, top: sky[0] + sky[1] + HEADS, columns };
}
function share(width, columns) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, [x, part2]]) => [name, [x * width, part2 * width]])
  );
}
function lay7(model, room) {
  const found = shown2(model), size = sizes3(room, found.ten.length), parts = [skyline(model, found, size, room), ...rows(model, found, size)];
  const bottom = size.top + found.ten.length * size.row;
  return {
    width: size.width,
    height: bottom + FOOT,
    parts,
    notes: [...skyNotes(model, found, parts[0]), ...rowNotes(model, found, size, room)],
    ways: [],
    areas: [...band(model, found, parts[0]), ...lines(found, size)]
  };
}
function skyline(model, { sky }, { width, sky: [y, height] }, room) {
  const plane = model.plane("skyline", SKY), { low, high } = extremes(plane, sky.row < 0 ? [] : [sky.row]) ?? { low: 0, high: 1 }, left = 16;
  const { count, size } = plane.columns, half = formatCount(Math.floor(count / 2)), rest = count < size ? `: the ${half} largest and the ${half} smallest, all others in the band` : "";
  const title = room.isPhone && rest ? `${formatCount(size)} logits: ${half} at each end, and a band` : `${formatCount(size)} logits${room.isPhone || rest ? "" : ", one for each token of the vocabulary,"} of the row that reads ${model.reads[model.chosen.row] ?? ""}${rest}`;
  return {
    name: "skyline",
    versions: [
      { from: "logits", tensor: "skyline", spread: SKY, scale: signedScale(Math.max(-low, high)), title }
    ],
    form: "bars",
    x: left,
    y,
    cell: [(width - left) / plane.columns.count, height],
    tone: "",
    follows: "lit",
    rows: sky.row < 0 ? [] : [sky.row],
    span: [Math.min(0, low), Math.max(0, high)],
    paint: (_, token) => token === sky.written ? "target" : "hatch",
    title: { x: 0, y: y - HEAD3 / 2 }
  };
}
function rows(model, { ten, written }, { row: height, top, columns }) {
  const lit = model.chosen.row, x = model.plane("x", NARROW2), matrix2 = model.plane("matrix", TERMS), logits = model.plane("logits", DOWN), term2 = (value, _, d) => value * x.value(lit, d);
  const most = Math.max(
    ...ten.flatMap(
      (token) => range(x.columns.count).map((d) => Math.abs(term2(matrix2.value(token, d), token, d)))
    )
  );
  const part2 = (name, form, version2, columnCount = 1) => ({
    name,
    versions: [{ ...version2, title: name === "terms" ? `${x.columns.count} terms x · e` : HEADINGS[name] }],
    form,
    x: columns[name][0],
    y: top,
    cell: [columns[name][1] / columnCount, height],
    tone: "",
    follows: "lit",
    rows: ten,
    ...columnCount === 1 ? { columns: [lit], paint: (token) => token === written ? "target" : void 0 } : {}
  });
  const probs = { from: "softmax", tensor: "probs", spread: DOWN, scale: WEIGHTS }, exp = (_, token) => Math.exp(logits.value(token, lit));
  return [
    part2(
      "terms",
      "bars",
      { from: "logits", tensor: "matrix", spread: TERMS, scale: signedScale(most), as: term2 },
      x.columns.count
    ),
    part2("logits", "numbers", {
      from: "logits",
      tensor: "logits",
      spread: DOWN,
      scale: model.scale("logits"),
      write: formatSigned
    }),
    part2("exp", "numbers", { ...probs, as: exp, write: power }),
    part2("softmax", "meters", { ...probs, write: formatProbability }),
    part2("probs", "numbers", { ...probs, write: formatProbability }),
    ...columns.log ? [part2("log", "numbers", { ...probs, tensor: "log_probs", write: formatSigned })] : []
  ];
}
function skyNotes(model, { sky, written }, { x, y, cell, span }) {
  const [low, high] = span, at = (value2) => y + (high - value2) * cell[1] / (high - low || 1), notes2 = [{ text: "0", x: 0, y: at(0), size: 12, tone: "mute" }];
  if (sky.row < 0 || sky.written < 0) return notes2;
  const value = model.plane("logits", SKY).value(model.chosen.row, written), left = x + (sky.written + 0.5) * cell[0], isRight = left > model.plane("skyline", SKY).columns.count * cell[0] - 120;
  return [
    ...notes2,
    {
      text: `${model.writes[model.chosen.row]} ${formatSigned(value)}`,
      x: left + (isRight ? -8 : 8),
      y: at(value) + (value < 0 ? -8 : 8),
      tone: "target",
      weight: 650,
      align: isRight ? "right" : "left",
      from: "logits"
    }
  ];
}
function band(model, { sky }, { x, y, cell, span }) {
  const plane = model.plane("skyline", SKY), [low, high] = span, { count, size } = plane.columns;
  if (count >= size || sky.row < 0) return [];
  const sorted = range(count).map((token) => plane.value(sky.row, token)).sort((a, b) => b - a), half = Math.floor(count / 2), at = (value) => y + (high - value) * cell[1] / (high - low || 1);
  const [top, bottom] = [at(sorted[half - 1]), at(sorted[half])], right = x + count * cell[0];
  return [
    {
      colour: "line",
      points: [
        [x, top],
        [right, top],
        [right, bottom],
        [x, bottom]
      ]
    }
  ];
}
function rowNotes(model, { ten, written }, { row: height, top, columns, width }, room) {
  const logits = model.plane("logits", DOWN), probs = model.plane("probs", DOWN), lit = model.chosen.row, d = model.plane("x", NARROW2).columns.count, left = columns.terms[0];
  const heading = { y: top - HEADS / 2 + 1, size: 12.5, tone: "mute" }, over2 = (name) => ({
    text: HEADINGS[name],
    ...heading,
    x: name === "softmax" ? columns.softmax[0] : columns[name][0] + columns[name][1] - 4,
    align: name === "softmax" ? "left" : "right",
    from: name === "logits" ? "logits" : "softmax"
  });
  const names2 = ten.map((token, i) => ({
    text: logits.rows.label(token),
    x: 6,
    y: top + (i + 0.5) * height,
    tone: token === written ? "target" : "",
    weight: token === written ? 650 : 400,
    most: left - 12,
    size: 14,
    from: "logits"
  }));
  const others = model.tensors.logits.axis("vocab").size - ten.length, rest = 1 - ten.reduce((sum2, token) => sum2 + probs.value(token, lit), 0), sum = power(total(model, ten[0]));
  const left_out = others > 0 ? `the other ${formatCount(others)} together ${formatProbability(Math.max(0, rest))}  ·  ` : "";
  return [
    { text: "token", ...heading, x: 6 },
    { text: room.isPhone ? "x · e" : `${formatCount(d)} terms x · e, summed`, ...heading, x: left },
    over2("logits"),
    over2("exp"),
    ...room.isPhone ? [] : [over2("softmax")],
    over2("probs"),
    ...columns.log ? [over2("log")] : [],
    ...names2,
    {
      text: `${left_out}sum of all e^logit ${sum}`,
      x: 6,
      y: top + ten.length * height + FOOT / 2,
      tone: "mute",
      size: 13,
      most: width - 8,
      from: "softmax"
    }
  ];
}
function lines({ ten, written }, { width, row, top }) {
  const box = (y, height) => [
    [0, y],
    [width, y],
    [width, y + height],
    [0, y + height]
  ], at = ten.indexOf(written);
  return [
    ...at < 0 ? [] : [{ colour: "target-tint", points: box(top + at * row, row) }],
    ...ten.map((_, i) => ({ colour: "line", points: box(top + (i + 1) * row - 1, 1) }))
  ];
}
function tokenOf(model, { part: part2, row, column: column2 }) {
  return part2 === "skyline" ? shownPlace(
    model.tensors.logits.axis("vocab"),
    wholePlace(model.tensors.skyline.axis("vocab"), column2)
  ) : row;
}
function feeds5(model, spot) {
  const token = tokenOf(model, spot), lit = model.chosen.row, cell = (part2) => ({ part: part2, row: token, column: lit, tone: "" });
  if (token < 0) return [];
  const inSky = {
    part: "skyline",
    column: shownPlace(model.tensors.skyline.axis("vocab"), idOf2(model, token)),
    tone: ""
  };
  const ways = {
    skyline: [{ part: "terms", row: token, tone: "" }],
    logits: [{ part: "terms", row: token, tone: "" }, inSky],
    exp: [cell("logits"), inSky],
    softmax: [cell("exp")],
    probs: [cell("exp")],
    log: [cell("logits"), inSky]
  };
  return ways[spot.part] ?? [];
}
function says3(model, spot, version2) {
  const lit = model.chosen.row, d = model.plane("x", NARROW2).columns.count, token = tokenOf(model, spot), first = spot.part === "skyline" ? model.plane("skyline", SKY).columns.label(spot.column) : model.plane("logits", DOWN).rows.label(token);
  const name = { first, between: "", second: "" }, logit = token < 0 ? 0 : model.plane("logits", DOWN).value(token, lit);
  if (spot.part === "skyline" || spot.part === "logits")
    return { ...name, after: `: ${formatCount(d)} products x · e, summed, give the logit ` };
  if (spot.part === "terms") {
    const x = model.plane("x", NARROW2).value(lit, spot.column), e = model.plane(version2.tensor, TERMS).value(token, spot.column);
    return {
      ...name,
      after: ` · d_model ${spot.column}: x · e = ${formatSigned(x)} · ${formatSigned(e)} = `,
      place: ""
    };
  }
  if (spot.part === "exp")
    return { ...name, after: `: e to the power of its logit ${formatSigned(logit)} = `, place: "" };
  if (spot.part === "log")
    return {
      ...name,
      after: `: its logit less the logarithm of the sum, ${formatSigned(logit)} − log ${power(total(model, token))} = `
    };
  return {
    ...name,
    after: `: its share of the sum, ${power(Math.exp(logit))} ÷ ${power(total(model, token))} = `
  };
}
function asks(model, spot) {
  return spot.part === "terms" ? { part: "logits", row: spot.row, column: model.chosen.row } : spot;
}
var output = { spans: { logits: [0, 0.6], softmax: [0.6, 1] }, lay: lay7, feeds: feeds5, says: says3, asks };

// explorer/browser/stop/positions.ts
var ROWS = SPREAD("position", "d_model");
var PRODUCTS = SPREAD("position", "other");
var TITLE4 = 20;
var GAP5 = 18;
var ROW_MOST2 = 20;
var SHARE = 0.24;
var CELL_MOST = 34;
var PHONE_TALL = 120;
var LEAST_BARS = 22;
var NUMBER = [50, 20];
var SIGN = 26;
var TURN2 = TITLE4 + 2 * NUMBER[1] + 14;
function tables(model, room) {
  const learned = model.stage("learned"), shown3 = model.has("table") ? [["table", "table", model.stage("table").panels[0].title]] : [];
  shown3.push(
    ...learned.panels.filter(({ tensor }) => tensor !== "table").map(({ tensor, title }) => [tensor, "learned", title])
  );
  const most = Math.max(...shown3.map(([tensor]) => model.plane(tensor, ROWS).rows.count)), tall = room.isPhone ? PHONE_TALL : room.height * SHARE;
  const row = Math.min(ROW_MOST2, tall / most), label = Math.min(90, Math.ceil(Math.max(...model.reads.map((text) => room.measure(text, 650)))) + 10), parts = [];
  const products = model.has("similarity") ? Math.min(most * CELL_MOST, Math.round((room.isPhone ? 0.5 : 0.28) * room.width)) : 0;
  const beside = room.isPhone ? 1 : shown3.length, width = (room.width - label - (room.isPhone ? 2 : (beside - 1) * GAP5 + (products ? products + GAP5 : 0))) / beside;
  let x = label, y = TITLE4;
  const next = (own) => {
    if (room.isPhone) y += most * row + TITLE4 + 4;
    else x += own + GAP5;
  };
  const part2 = (name, version2, own) => {
    const { rows: rows2, columns } = model.plane(version2.tensor, version2.spread), isFirst = room.isPhone || !parts.length;
    return {
      name,
      versions: [{ ...version2, scale: model.scale(version2.tensor) }],
      form: "cells",
      x,
      y,
      cell: [own / columns.count, rows2.count ? row : 0],
      tone: "",
      follows: "rows",
      left: isFirst,
      title: { x, y: y - TITLE4 / 2 }
    };
  };
  for (const [tensor, from, title] of shown3) {
    parts.push(part2(tensor, { from, tensor, title, spread: ROWS }, width));
    next(width);
  }
  if (products) {
    parts.push(
      part2(
        "similarity",
        { from: "similarity", tensor: "similarity", title: "products PE PEᵀ", spread: PRODUCTS },
        products
      )
    );
    next(products);
  }
  return { parts, height: room.isPhone ? y - TITLE4 : y + most * row + 4 };
}
function rowsOf3(model) {
  const { row } = model.chosen, side = model.header.row_side || "", sums = ["sum_tokens", "sum_positions", "sum_output"], isAdded = model.has("sum_positions"), shifted = model.stage("shifted");
  const table2 = model.has("table") ? [
    {
      name: "position",
      tensor: "table",
      title: `PE(${row})`,
      below: isAdded ? "of the table" : "not added here",
      sign: isAdded ? "+" : "",
      rows: "position",
      scale: isAdded ? sums : ["table"],
      from: "table",
      isMade: true
    }
  ] : [];
  const turned = shifted ? shifted.panels.map(({ tensor, title }, i) => ({
    name: tensor,
    tensor,
    title,
    below: model.has("sinusoids") ? "of the sinusoids" : i ? "of the table" : "all pairs turned",
    sign: i ? "≈" : "",
    rows: "position",
    scale: ["predicted", "real"],
    from: "shifted",
    isMade: true,
    space: i ? 0 : TURN2
  })) : [];
  return [
    {
      name: "tokens",
      tensor: "sum_tokens",
      title: model.reads[row] ?? "",
      below: "its token vector",
      rows: "position",
      scale: sums,
      from: "sum",
      isMade: true,
      tone: side
    },
    ...table2,
    {
      name: "output",
      tensor: "sum_output",
      title: "into layer 0",
      below: isAdded ? "their sum" : "nothing is added",
      sign: "=",
      rows: "position",
      scale: sums,
      from: "sum",
      isMade: true,
      tone: side
    },
    ...turned
  ];
}
function rotation(model, x, y) {
  const { row } = model.chosen, [matrix2, before, after] = model.stage("rotation").panels, [width, height] = NUMBER, top = y + TITLE4, parts = [], notes2 = [];
  let left = x;
  for (const [sign3, panel] of [
    ["", matrix2],
    ["×", before],
    ["=", after]
  ]) {
    const spread = SPREAD(panel.rows[0], panel.columns[0]), columns = sign3 ? [row] : void 0, count = columns?.length ?? 2;
    if (sign3)
      notes2.push({
        text: sign3,
        x: left - SIGN / 2,
        y: top + height,
        align: "center",
        weight: 600,
        from: "rotation"
      });
    const version2 = {
      from: "rotation",
      tensor: panel.tensor,
      title: panel.title,
      spread,
      scale: model.scale("rotation", "pair", "turned")
    };
    parts.push({
      name: panel.tensor,
      versions: [version2],
      form: "cells",
      x: left,
      y: top,
      cell: [width, height],
      tone: "",
      follows: sign3 ? "lit" : "",
      columns,
      left: !sign3,
      title: { x: left, y: y + TITLE4 / 2 }
    });
    left += count * width + SIGN + (sign3 ? 40 : 0);
  }
  return { parts, notes: notes2 };
}
function lay8(model, room) {
  const above = tables(model, room), rows2 = rowsOf3(model), under = model.reads.map((_, place) => `p = ${place}`);
  const { board, rowAt, top } = layGrid(model, room, rows2, under, { above: above.height, least: LEAST_BARS });
  for (const part2 of above.parts)
    board.parts.splice(above.parts.indexOf(part2), 0, {
      ...part2,
      y: part2.y + top - above.height,
      title: { ...part2.title, y: part2.title.y + top - above.height }
    });
  if (!model.stage("rotation")) return board;
  const first = board.parts.find(({ name }) => name === "predicted"), turned = rotation(model, first.x || 34, rowAt("predicted").y - TURN2 - (room.isPhone ? TITLE4 : 0));
  board.parts.splice(board.parts.indexOf(first), 0, ...turned.parts);
  board.notes.push(...turned.notes);
  return board;
}
function feeds6(model, spot, board) {
  const { part: part2, row, column: at } = spot;
  if (part2 === "similarity")
    return [
      { part: "table", row, tone: "" },
      { part: "table", row: at, tone: "" }
    ];
  if (part2 === "turned")
    return [
      { part: "rotation", row, tone: "" },
      { part: "pair", column: at, tone: "" }
    ];
  return board.parts.find(({ name }) => name === part2)?.form === "bars" ? column(model, spot, board) : [];
}
function says4(model, { part: part2, column: at }) {
  const value = (tensor) => valueAt(model, tensor, "position", at);
  if (part2 !== "output" || !model.has("sum_positions")) return null;
  return { after: `: ${formatSigned(value("sum_tokens"))}${plus(value("sum_positions"))} = ` };
}
var positions = { lay: lay8, feeds: feeds6, says: says4 };

// explorer/browser/stop/pictures.ts
var PICTURES = {
  attention,
  "by-hand": byHand,
  "feed-forward": feedForward,
  norm,
  embedding,
  output,
  masks,
  positions
};

// explorer/browser/stop/progress.ts
function stagesDone(stages, spans, share2) {
  if (share2 >= 1) return stages.length;
  let done = 0;
  for (const [i, key] of stages.entries()) {
    const [from, to] = spans[key] ?? [0, 0];
    if (share2 < from) break;
    done = i + (to > from ? Math.min(1, (share2 - from) / (to - from)) : 1);
  }
  return done;
}

// explorer/browser/stop/player.ts
var LENGTH2 = 4500;
var LONGEST_FRAME = 60;
var Player = class {
  /** draw: called for each frame; ended: once the row is complete. */
  constructor(draw, ended) {
    this.draw = draw;
    this.ended = ended;
  }
  ms = LENGTH2;
  isPlaying = false;
  speed = 1;
  before = 0;
  frame = 0;
  get isOver() {
    return this.ms >= LENGTH2;
  }
  progress(model, picture) {
    const keys = model.header.stages.map(({ key }) => key), share2 = this.ms / LENGTH2;
    return picture.spans ? stagesDone(keys, picture.spans, share2) : keys.length * Math.min(1, share2);
  }
  toggle() {
    if (this.isPlaying) return this.stop();
    this.ms = this.isOver ? 0 : this.ms;
    this.isPlaying = true;
    this.before = 0;
    return this.next();
  }
  stop() {
    this.isPlaying = false;
    cancelAnimationFrame(this.frame);
  }
  /** The row is complete. */
  finish() {
    this.stop();
    this.ms = LENGTH2;
  }
  next() {
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }
  tick(now) {
    if (!this.isPlaying) return;
    this.ms += (this.before ? Math.min(LONGEST_FRAME, now - this.before) : 16) * this.speed;
    this.before = now;
    const isOver = this.isOver;
    if (isOver) this.finish();
    this.draw();
    if (isOver) this.ended();
    else this.next();
  }
};

// explorer/browser/stop/rail.ts
var NARROW3 = 1150;
var MANY = 30;
var Rail = class {
  constructor(open) {
    this.open = open;
  }
  node = el("nav", { class: "rail", "aria-label": "Blocks of the model" });
  wire = svg("path", { class: "wire" });
  built = "";
  draw({ rail, here }) {
    const isNarrow = this.node.clientWidth < NARROW3, key = JSON.stringify([rail, here, isNarrow]);
    if (key === this.built) return;
    this.built = key;
    const at = rail.findIndex(({ id }) => id === here), { side } = rail[at];
    const rows2 = ["source", "target"].map((each) => {
      const own = rail.filter((block) => block.side === each);
      const done = (block) => each === side ? rail.indexOf(block) <= at : side === "target";
      return el(
        "div",
        { class: `blocks ${each}` },
        ...own.map(
          (block) => this.button(block, here, done(block), shortened(block, rail.length > MANY, isNarrow))
        )
      );
    });
    this.node.replaceChildren(svg("svg", { "aria-hidden": "true" }, this.wire), ...rows2);
    const open = this.node.querySelector("[aria-current]");
    this.node.scrollLeft = open.offsetLeft - (this.node.clientWidth - open.offsetWidth) / 2;
  }
  button(block, here, isDone, text) {
    const name = block.layer === null ? block.title : `${block.title}, layer ${block.layer}`, isHere = block.id === here;
    const attributes = {
      title: name,
      "aria-label": `${block.side === "source" ? "Encoder" : "Decoder"}: ${name}`,
      class: isDone ? "done" : "",
      "data-block": block.id
    };
    const node = button(
      { ...attributes, ...isHere ? { "aria-current": "true" } : {} },
      () => {
        if (!isHere) this.open(block.id);
      },
      words("span", text)
    );
    node.style.flexGrow = String(block.weight);
    return node;
  }
  /** The memory: from the encoder's end to every block that reads it. Once the rail has its place. */
  lay({ rail }) {
    const buttons = new Map(
      [...this.node.querySelectorAll("button")].map((button2) => [button2.dataset.block, button2])
    );
    const last = buttons.get(rail.findLast(({ side }) => side === "source")?.id);
    if (!last) return;
    const readers = rail.filter(({ crosses: crosses2 }) => crosses2).map(({ id }) => buttons.get(id));
    const { left: edge, top } = this.node.getBoundingClientRect(), left = edge - this.node.scrollLeft, end = last.getBoundingClientRect(), from = end.right - left + 10;
    const ways = readers.map((reader) => {
      const place = reader.getBoundingClientRect(), between = (end.bottom + place.top) / 2 - top;
      return `M${from - 10} ${(end.top + end.bottom) / 2 - top}H${from}V${between}H${(place.left + place.right) / 2 - left}V${place.top - top}`;
    });
    this.wire.setAttribute("d", ways.join(""));
  }
};
function shortened({ short: short2 }, areMany, isNarrow) {
  if (areMany)
    return short2.split(/[ -]/).map((word) => word[0].toUpperCase()).join("");
  return isNarrow ? short2.replace("attention", "attn") : short2;
}

// explorer/browser/shared/numbers_table.ts
var ROWS2 = 100;
var COLUMNS2 = 64;
function numbersTable(title, caption, { rows: rows2, columns }, shown3, text) {
  const down = shown3.rows.slice(0, ROWS2), across = shown3.columns.slice(0, COLUMNS2);
  const cut = [
    [down, shown3.rows, "row"],
    [across, shown3.columns, "column"]
  ];
  const left = cut.filter(([some, all]) => some.length < all.length).map(([some, all, word]) => `the first ${some.length} of ${plural(all.length, word)}`);
  const cells = down.map(() => across.map(() => el("td")));
  const body = down.map(
    (row, i) => el("tr", {}, rowHead(rows2.names.length ? rows2.heading(row) : "", rows2.side), ...cells[i])
  );
  const head = across.map((column2) => columnHead(clip(columns.label(column2), 24), columns.side));
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
  const write = () => down.forEach((row, i) => across.forEach((column2, j) => setText(cells[i][j], text(row, column2))));
  write();
  return { node, box, write };
}

// explorer/browser/stop/words.ts
function cellText(model, version2, plane, row, column2) {
  if (isMissing(model, plane, row, column2)) return "?";
  if (plane.covered(row, column2)) return "covered until you have answered";
  if (plane.masked(row, column2)) return "masked";
  const value = valueOf(version2, plane, row, column2);
  return version2.write ? version2.write(value) : numberText(plane.tensor, value);
}
function shownOf(model, part2, progress, at) {
  const version2 = versionAt(model, part2, progress)?.version ?? part2.versions[0], plane = planeOf(model, version2);
  if (!at || !version2.hides || plane.masked(at.row, at.column)) return { version: version2, plane };
  const before = part2.versions[part2.versions.indexOf(version2) - 1];
  return { version: before, plane: planeOf(model, before) };
}
function foundIn(model, part2, progress, cell) {
  return planesShown(model, part2, progress).map((plane) => spotOf(model, part2, plane, cell)).find((spot) => spot !== null) ?? null;
}
function planesShown(model, part2, progress) {
  const { version: version2, plane } = shownOf(model, part2, progress);
  return version2.hides ? [plane, planeOf(model, part2.versions[part2.versions.indexOf(version2) - 1])] : [plane];
}
function read2(model, picture, board, spot, progress) {
  const part2 = partOf(board, spot.part), { row, column: column2 } = spot, { version: version2, plane } = shownOf(model, part2, progress, spot), { tensor } = plane;
  const stage = model.header.stages.find(
    ({ key, kind, panels }) => key === version2.from && kind === "product" && panels[2].tensor === version2.tensor
  );
  const first = plane.rows.names.length ? plane.rows.words(row) : "", second = plane.columns.words(column2), value = cellText(model, version2, plane, row, column2);
  const name = siteOf(tensor, plane.layer(row, column2) ?? model.placeOf("layer")).split(".").at(-1), index = [...tensor.lead, ...plane.index(row, column2)];
  const tones = [
    tensor.letter && plane.rows.side === "" ? tensor.letter : plane.rows.side,
    tensor.letter && plane.columns.side === "" ? tensor.letter : plane.columns.side
  ];
  const base = { first, second, value, place: `${name}[${index.join(", ")}]`, tones };
  const own = picture.says?.(model, spot, version2);
  if (own) return { ...base, before: "", between: first && second && " · ", after: ": ", ...own };
  if (!stage || version2.as)
    return {
      ...base,
      before: "",
      between: first && second && " · ",
      after: version2.as ? `: ${version2.title} = ` : ": "
    };
  const isTurned = version2.spread.rows.join() === stage.panels[2].columns.join(), names2 = isTurned ? { first: second, second: first, tones: [tones[1], tones[0]] } : {};
  const before = first ? "Row " : "The row", after = ` of ${letterOf(stage.panels[1])}${product2(model, stage, version2, plane, spot, isTurned ? row : column2)}`;
  return { ...base, ...names2, before, between: ` of ${letterOf(stage.panels[0])} times column `, after };
}
function letterOf({ title }) {
  return title.split(/,? /)[0];
}
function product2(model, stage, version2, plane, { row, column: column2 }, output2) {
  const factors = model.plane(stage.panels[0].tensor, stage.panels[0]), { total: total2, size } = factors.columns;
  const whole = total2 < size ? `, summed over all ${formatCount(size)},` : "", biasPanel = stage.panels.at(3);
  const bias = biasPanel ? `, with the bias ${formatSigned(model.plane(biasPanel.tensor, biasPanel).value(0, output2))},` : "";
  const scaled = stage.scaling ? `${formatSigned(valueOf(version2, plane, row, column2) / stage.scaling.factor)}; ${stage.scaling.words} = ` : "";
  return `${whole}${bias} gives ${scaled}`;
}
function summary(model, part2, progress) {
  const { version: version2, plane } = shownOf(model, part2, progress), { tensor } = plane, { rows: rows2, columns } = shownIn(model, part2), found = extremes(plane, rows2, columns);
  const shape = `${plural(rows2.length, "row")} by ${plural(columns.length, "column")}`, keys = `Arrow keys move a cell cursor, ${tensor.askable ? "Enter explains, " : ""}Escape leaves.`;
  if (!found) return `${version2.title}: ${shape}, no numbers. ${keys}`;
  const place = [plane.rows.names.length && plane.rows.words(found.row), plane.columns.words(found.column)].filter(Boolean).join(" · ");
  const largest = tensor.scale === "mask" ? "" : `, from ${formatSigned(found.low)} to ${formatSigned(found.high)}. Largest in size at ${place}: ${cellText(model, version2, plane, found.row, found.column)}.`;
  return `${version2.title}: ${shape}, ${tensor.dtype}${largest} ${keys}`;
}

// explorer/browser/stop/table.ts
function tableOf(model, part2, progress) {
  const { version: version2, plane } = shownOf(model, part2, progress), caption = el(
    "p",
    { class: "caption" },
    words("b", version2.title),
    ` ${panelShape(plane)} ${plane.tensor.dtype}`
  );
  return numbersTable(
    version2.title,
    caption,
    plane,
    shownIn(model, part2),
    (row, column2) => cellText(model, version2, plane, row, column2)
  ).node;
}

// explorer/browser/shared/lit.ts
var LitFrames = class {
  node = el("div", { class: "light", "aria-hidden": "true" });
  told = "[]";
  /** Put an element over every box, and tell where they are if they have moved; end: where a line to them may end. */
  show(boxes, end) {
    const to = boxes.length ? [end()] : [], said = JSON.stringify([...boxes, ...to]);
    if (said === this.told) return;
    this.told = said;
    const frames = boxes.map((box) => over(box, "frame")), ends = to.map((at) => over({ ...at, width: 0, height: 0 }, "end"));
    this.node.replaceChildren(...frames, ...ends);
    tell("lit", ends.length ? { frames, end: ends[0] } : null);
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

// explorer/browser/stop/light.ts
function litIn(model, board, held, rows2) {
  return board.parts.flatMap(
    (part2) => rows2.flatMap((row) => litPart(model, part2, held, row) ?? []).slice(0, 1)
  );
}
function litPart(model, part2, held, { site, index, size, columns }) {
  const ends = [
    find(model, part2, held, cellOf(site, index, 0)),
    find(model, part2, held, cellOf(site, index, size - 1))
  ];
  const [first, last] = ends, shown3 = shownIn(model, part2);
  if (!first || !last) return null;
  const cells = columns.flatMap((place) => find(model, part2, held, cellOf(site, index, place)) ?? []);
  if (first.row === last.row)
    return shown3.rows.includes(first.row) ? { part: part2, row: first.row, cells: cells.filter(({ column: column2 }) => shown3.columns.includes(column2)) } : null;
  return first.column === last.column && shown3.columns.includes(first.column) ? { part: part2, column: first.column, cells } : null;
}
function find(model, part2, held, cell) {
  const found = planesShown(model, part2, held).map((plane) => plane.find(cell)).find((spot) => spot !== null);
  return found ? { part: part2.name, ...found } : null;
}
function cellOf(site, index, place) {
  const whole = index.map((at) => at ?? 0);
  return { site, index: [...whole.slice(0, -1), whole.at(-1) + place] };
}
function framesOf(model, lit) {
  const tone = model.header.row_side || "";
  return lit.flatMap(({ part: part2, row, column: column2, cells }) => [
    { part: part2.name, row, column: column2, tone },
    ...cells.map((cell) => ({ ...cell, tone: "" }))
  ]);
}
function endBeside(model, board, y) {
  const beside = board.parts.filter(
    (part2) => y >= part2.y - 4 && y <= part2.y + extent(model, part2).height + 4
  );
  return Math.max(
    0,
    ...beside.map((part2) => part2.x + extent(model, part2).width + (part2.right?.length ? RIGHT2 : 0))
  );
}
var RIGHT2 = 98;

// explorer/browser/stop/spotlight.ts
var Spotlight = class {
  over = new LitFrames();
  node = this.over.node;
  lit = [];
  light = null;
  frames = [];
  /** Another light, or none. */
  turn(light) {
    this.light = light;
  }
  /** The frames of what is lit on a board at a stage. */
  shine(model, board, held) {
    this.lit = this.light ? litIn(model, board, held, this.light.rows) : [];
    return this.frames = framesOf(model, this.lit);
  }
  /** Whether a spot that somebody clicks is none of what is lit. */
  isElsewhere(spot) {
    if (!this.lit.length) return false;
    return !this.lit.some(
      ({ part: part2, row, column: column2 }) => spot?.part === part2.name && (row === void 0 || spot.row === row) && (column2 === void 0 || spot.column === column2)
    );
  }
  /** Put an element over every frame. */
  place(model, board, boxOf) {
    const boxes = this.frames.flatMap((frame2) => boxOf(frame2) ?? []), last = this.lit.at(-1), row = last && boxOf(framesOf(model, [last])[0]);
    if (!row) return this.over.show([], () => ({ x: 0, y: 0 }));
    const y = row.y + row.height / 2;
    return this.over.show(boxes, () => ({ x: Math.max(row.x + row.width, endBeside(model, board, y)), y }));
  }
  end() {
    this.over.end();
  }
};

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

// explorer/browser/stop/tokens.ts
var Tokens = class {
  constructor(choose) {
    this.choose = choose;
  }
  node = el("div", { class: "tokens" });
  chips = null;
  built = "";
  draw(model, { tokens }) {
    this.node.hidden = !tokens;
    if (!tokens) return;
    const { under } = tokens, key = JSON.stringify([model.reads, under, model.header.row_side]);
    layOver(this.node, tokens);
    if (key !== this.built) this.build(model, under, key);
    this.check(model);
  }
  build(model, under, key) {
    const { row_side: side } = model.header;
    this.built = key;
    this.chips = new Chips(
      "Token",
      model.reads.map(
        (token, row) => el(
          "button",
          { type: "button", role: "radio", class: "chip", "data-side": side },
          words("b", token),
          ...under.length ? [words("small", under[row])] : []
        )
      ),
      this.choose
    );
    this.node.replaceChildren(this.chips.node);
  }
  check(model) {
    const { row } = model.chosen, buttons = [...this.chips.node.children], root = this.node.getRootNode();
    const hadFocus = this.node.contains(root.activeElement);
    this.chips.check(row);
    buttons.forEach((button2, place) => button2.classList.toggle("later", model.header.grows && place > row));
    const chosen = buttons[row], { scrollLeft, clientWidth } = this.node;
    if (chosen.offsetLeft < scrollLeft || chosen.offsetLeft + chosen.offsetWidth > scrollLeft + clientWidth)
      this.node.scrollLeft = chosen.offsetLeft - clientWidth / 2;
    if (hadFocus) chosen.focus({ preventScroll: true });
  }
};

// explorer/browser/stop/view.ts
var PHONE = 641;
var LEAST_HEIGHT = 360;
var Stop = class {
  // the stage that is scrolled to until somebody scrolls or chooses
  constructor(root, signal) {
    this.root = root;
    this.stage.append(this.tokens.node, this.heads.node, this.entries.node, this.spotlight.node);
    const foot = el(
      "div",
      { class: "foot" },
      el("div", { class: "caption" }, this.sentence, this.explain, this.tableButton, this.inspect),
      this.tabs.node
    );
    root.append(this.rail.node, this.stage, foot, this.tablePlace, this.heard);
    root.tabIndex = -1;
    listenForLesson();
    this.canvas.addEventListener("pointermove", (event) => this.point(this.under(event)), { signal });
    this.canvas.addEventListener("pointerleave", () => this.point(null), { signal });
    this.canvas.addEventListener("click", (event) => this.onClick(event), { signal });
    root.addEventListener("keydown", (event) => this.onPartKey(event), { signal });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    onTold("command", (command) => this.obey(command), signal);
    onTold(
      "term",
      (term2) => {
        this.term = term2;
        if (this.model) this.draw();
      },
      signal
    );
    onTold("light", (light) => this.turn(light), signal);
    this.tellToken = shareToken((token) => this.hear(token), signal);
    onResize(root, () => this.layout(), signal);
    onMoved(
      root,
      () => {
        this.layout();
        this.bring(this.brought);
      },
      signal
    );
    for (const event of ["wheel", "pointerdown", "touchstart", "keydown"])
      window.addEventListener(
        event,
        () => {
          this.brought = "";
        },
        { signal, passive: true, capture: true }
      );
  }
  teller = new Teller(
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
    () => this.model && { about: { key: this.header.key }, choice: this.chosen }
  );
  tellToken;
  canvas = el("canvas", { "aria-hidden": "true" });
  parts = el("div", { class: "parts", id: "picture", role: "tabpanel" });
  stage = el("div", { class: "stage" }, this.canvas, this.parts);
  sentence = el("p", { class: "sentence" });
  explain = explainButton(() => {
    const spot = this.active();
    if (spot) this.ask(spot);
  });
  tableButton = button({ class: "link", text: "Table" }, () => this.toggleTable());
  inspect = button(
    { class: "link", text: "All numbers", title: "Every tensor of this block, in the tensor inspector" },
    () => this.leaveFor(this.header.here, { inspects: true })
  );
  heard = el("p", { class: "unseen", "aria-live": "polite" });
  tablePlace = el("div");
  rail = new Rail((block) => this.go(block));
  tabs = new Tabs("picture", (stage) => this.open(stage));
  heads = new Heads((head) => this.choose("head", head));
  tokens = new Tokens((row) => this.toRow(row));
  entries = new Entries(
    (cells) => this.type(cells),
    () => {
      if (this.model) this.write(this.active());
    },
    (entry) => this.writeIn(entry)
  );
  spotlight = new Spotlight();
  player = new Player(
    () => this.draw(),
    () => this.rested()
  );
  reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
  model = null;
  board;
  look;
  drawing;
  cell = null;
  pointed = null;
  term = null;
  // what the explained number is made of, pointed at beside the picture
  cursor = null;
  tabled = "";
  brought = "";
  // ---- what is chosen -----------------------------------------------------------------------------------------
  get header() {
    return this.model.header;
  }
  get picture() {
    return PICTURES[this.header.picture];
  }
  get chosen() {
    return this.model.chosen;
  }
  /** Whether the bar of the sentence and it follow each other. */
  get isLed() {
    return this.header.row_side === "target" && !this.model.isBelow;
  }
  change(change) {
    this.player.finish();
    this.model.chosen = { ...this.chosen, ...change };
    this.cursor = this.pointed = null;
    this.layout();
    this.moved();
    this.rested();
  }
  open(stage) {
    if (stage !== this.chosen.stage) this.change({ stage });
  }
  choose(axis, place) {
    const chooser = this.model.chooser(axis);
    if (!chooser || place < 0 || place >= chooser.options.length || place === this.chosen.choices[axis])
      return;
    this.change({ choices: { ...this.chosen.choices, [axis]: place } });
    setText(this.heard, `${axis} ${place}`);
    if (!chooser.local) this.teller.tellChoice();
  }
  toRow(row) {
    const to = Math.max(0, Math.min(this.header.reads.length - 1, row));
    if (to !== this.chosen.row) this.change({ row: to });
  }
  /** Another block: of another layer of the same kind at once where its numbers are here. */
  go(id) {
    const there = this.header.rail.find((block) => block.id === id), here = this.header.rail.find((block) => block.id === this.header.here);
    const isAlike = there && here && there.title === here.title && there.side === here.side && there.layer !== null;
    if (isAlike && this.model.chooser("layer")?.local) {
      this.model.header.here = id;
      this.rail.draw(this.header);
      this.choose("layer", there.layer);
    } else this.leaveFor(id);
  }
  /** To the page of a block, or with its numbers to the inspector; empty for the whole picture. */
  leaveFor(block, where = {}) {
    this.teller.tell("open", { key: this.header.key, block, ...where });
  }
  // ---- reports -------------------------------------------------------------------------------------------------
  moved() {
    if (this.isLed)
      tell("moment", {
        step: this.chosen.row,
        isPlaying: this.player.isPlaying,
        speed: this.player.speed,
        isRunning: !this.player.isOver
      });
  }
  rested() {
    this.moved();
    this.teller.changed();
  }
  ask(spot) {
    spot = this.picture.asks?.(this.model, spot) ?? spot;
    const part2 = partOf(this.board, spot.part), { version: version2, plane } = shownOf(this.model, part2, this.held, spot);
    if (part2.picks) this.choose(part2.picks, spot.row);
    if (!this.isAskable(spot)) return;
    this.teller.tellChoice();
    this.cell = this.model.cellAt(version2.tensor, plane, spot.row, spot.column);
    this.draw();
    this.teller.tell("ask", {
      key: this.header.key,
      tensor: version2.tensor,
      layer: plane.layer(spot.row, spot.column),
      index: plane.index(spot.row, spot.column)
    });
  }
  /** Somebody writes in a cell: what makes its number is framed, as of a cell that is pointed at. */
  writeIn(entry) {
    const part2 = entry && entry.column >= 0 && this.board.parts.find(({ versions }) => versions[0].tensor === entry.tensor);
    this.cursor = part2 ? { part: part2.name, row: entry.row, column: entry.column } : null;
    this.draw();
  }
  /** Something was written into cells. */
  type(cells) {
    this.teller.tellChoice();
    return this.teller.tell("type", { key: this.header.key, cells });
  }
  isAskable(spot) {
    return shownOf(this.model, partOf(this.board, spot.part), this.held, spot).plane.tensor.askable;
  }
  // ---- pointing ------------------------------------------------------------------------------------------------
  under(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return this.isThere(spotAt(this.model, this.board, event.clientX - left, event.clientY - top));
  }
  /** A spot whose cell is drawn; a row or a key that is not there yet has none. */
  isThere(spot) {
    const part2 = spot && partOf(this.board, spot.part);
    if (!part2 || isMissing(this.model, planeOf(this.model, part2.versions[0]), spot.row, spot.column))
      return null;
    if (!this.header.grows) return spot;
    const { row } = this.chosen;
    const isLater = part2.follows === "rows" && spot.row > row || (part2.columnsGrow || part2.follows === "columns") && spot.column > row;
    return isLater ? null : spot;
  }
  point(spot) {
    if (JSON.stringify(spot) === JSON.stringify(this.pointed)) return;
    this.pointed = spot;
    this.canvas.style.cursor = spot ? "pointer" : "";
    if (!this.player.isPlaying) this.draw();
    this.tellToken(this.tokenOf(spot));
  }
  tokenOf(spot) {
    const part2 = spot && partOf(this.board, spot.part);
    return part2?.follows === "rows" && this.header.row_side ? { side: this.header.row_side, place: spot.row } : null;
  }
  hear(token) {
    if (!this.model || this.player.isPlaying) return;
    const part2 = this.board.parts.find((each) => each.follows === "rows" && each.above);
    this.draw(token && part2 ? this.litBy(token, part2) : {});
  }
  litBy(token, part2) {
    const { rows: rows2, columns } = shownOf(this.model, part2, this.held).plane;
    return {
      ...rows2.side === token.side ? { row: token.place } : {},
      ...columns.side === token.side ? { column: token.place } : {}
    };
  }
  turn(light) {
    this.spotlight.turn(light);
    if (this.model) this.draw();
  }
  onClick(event) {
    const spot = this.under(event);
    if (this.spotlight.isElsewhere(spot)) tell("light", null);
    if (spot) return this.ask(spot);
    const { left, top } = this.canvas.getBoundingClientRect(), label = this.rowLabel(event.clientX - left, event.clientY - top);
    if (!label) return void 0;
    return label.picks ? this.choose(label.picks, label.row) : this.toRow(label.row);
  }
  /** The row whose label is at a place, and what is chosen by it. */
  rowLabel(x, y) {
    for (const part2 of this.board.parts) {
      const { width, height } = extent(this.model, part2), { rows: rows2 } = shownIn(this.model, part2), isBeside = part2.left && x < part2.x || part2.right && x > part2.x + width;
      if ((part2.picks || part2.follows === "rows") && isBeside && y >= part2.y && y < part2.y + height)
        return { row: rows2[Math.floor((y - part2.y) / part2.cell[1])], picks: part2.picks };
    }
    return null;
  }
  /** The cell that the sentence is about. */
  active() {
    return this.pointed ?? this.cursor ?? this.spotOf(this.cell);
  }
  /** Where the picture has a number of the model; null for nowhere. */
  spotOf(cell) {
    for (const part2 of cell ? this.board.parts : []) {
      const found = foundIn(this.model, part2, this.held, cell);
      if (found) return found;
    }
    return null;
  }
  // ---- keys ----------------------------------------------------------------------------------------------------
  onPartKey(event) {
    const name = event.target.dataset.part, part2 = name ? partOf(this.board, name) : void 0;
    if (!part2 || event.defaultPrevented) return;
    const from = this.cursor ?? { part: part2.name, row: 0, column: 0 };
    const by = (down2, across) => () => this.moveCursor(spotBeside(this.model, part2, from, down2, across));
    const down = (to) => part2.rows?.length === 1 ? () => this.goDown(part2, from, to) : by(to, 0);
    actOn(event, {
      ArrowLeft: by(0, -1),
      ArrowRight: by(0, 1),
      ArrowUp: down(-1),
      ArrowDown: down(1),
      Home: by(0, -Infinity),
      End: by(0, Infinity),
      PageUp: by(-10, 0),
      PageDown: by(10, 0),
      Enter: () => this.ask(from),
      Escape: () => this.root.focus({ preventScroll: true })
    });
  }
  /** The same number of the row above or below. */
  goDown(part2, from, by) {
    const spot = spotBelow(this.model, this.board, part2, from, by);
    if (!spot) return;
    this.overlay(spot.part).focus({ preventScroll: true });
    this.moveCursor(spot);
  }
  moveCursor(spot) {
    if (!this.isThere(spot)) return;
    this.cursor = spot;
    this.pointed = null;
    this.draw();
    setText(this.heard, textOf(read2(this.model, this.picture, this.board, spot, this.held)));
  }
  onKey(event) {
    const path = event.composedPath(), isOurs = path.includes(this.root), isBelow = this.model?.isBelow ?? false, isFree = path[0] === document.body && !isBelow;
    if (!this.model || event.defaultPrevented || !(isOurs || isFree)) return;
    if (comesFrom(event, "button, a, input, [role=tab]") && [" ", "Enter", "ArrowLeft", "ArrowRight"].includes(event.key))
      return;
    const { row, choices } = this.chosen, layer = choices.layer ?? 0, head = choices.head ?? 0;
    actOn(event, {
      ArrowRight: () => event.shiftKey && !isBelow ? this.nextStage(1) : this.toRow(row + 1),
      ArrowLeft: () => event.shiftKey && !isBelow ? this.nextStage(-1) : this.toRow(row - 1),
      " ": !isBelow && (() => this.toggle()),
      Home: () => this.toRow(0),
      End: () => this.toRow(Infinity),
      "[": () => this.choose("layer", layer - 1),
      "]": () => this.choose("layer", layer + 1),
      ",": () => this.choose("head", head - 1),
      ".": () => this.choose("head", head + 1),
      Escape: !isBelow && (() => this.leave())
    });
  }
  /** One level out: a stage becomes the whole picture of the block, and that the whole network. */
  leave() {
    if (this.chosen.stage) this.open("");
    else {
      leave("out", this.header.here, this.stage.getBoundingClientRect(), this.stage);
      this.leaveFor("");
    }
  }
  nextStage(by) {
    const keys = ["", ...this.header.stages.map(({ key }) => key)], at = keys.indexOf(this.chosen.stage);
    this.open(keys[(at + by + keys.length) % keys.length]);
  }
  toggle() {
    if (this.reduced.matches) return this.nextStage(1);
    if (this.chosen.stage) this.open("");
    this.player.toggle();
    return this.moved();
  }
  obey(command) {
    if (!this.model || !this.isLed) return;
    if (command.do === "go") this.toRow(command.step);
    else if (command.do === "toggle") this.toggle();
    else if (command.do === "speed") {
      this.player.speed = command.speed;
      this.moved();
    }
  }
  // ---- drawing -------------------------------------------------------------------------------------------------
  get held() {
    return this.model.held;
  }
  draw(lit = {}) {
    const { model, board, held } = this, spot = this.active(), isPlaying = this.player.isPlaying || !this.player.isOver;
    const cell = spot && { ...spot, tone: "" }, frames = [
      ...spot ? this.picture.feeds(model, spot, board) : [],
      ...this.terms(),
      ...this.pointedOut(),
      ...this.spotlight.shine(model, board, held)
    ], rays2 = isPlaying ? [] : this.picture.rays?.(model, spot, board, held) ?? [];
    const progress = isPlaying ? this.player.progress(model, this.picture) : held, own = spot ? { row: spot.row, column: spot.column } : lit;
    this.drawing.draw({
      board,
      progress,
      held,
      isPlaying,
      frames,
      rays: rays2,
      cell,
      lit: spot && partOf(board, spot.part).above ? own : lit,
      light: this.spotlight.lit
    });
    this.spotlight.place(model, board, (frame2) => this.drawing.framed(frame2, board));
    this.tabs.show(this.chosen.stage, isPlaying ? progress : null);
    this.write(spot);
  }
  /** Where the picture has the operand that is pointed at beside it. */
  terms() {
    const found = this.spotOf(this.term);
    return found ? [{ ...found, tone: "" }] : [];
  }
  /** Of a picture below a stop what its stage makes. */
  pointedOut() {
    const { stage } = this.chosen;
    return this.model.isBelow && stage ? this.board.parts.filter(({ versions }) => versions[0].from === stage).map(({ name }) => ({ part: name, tone: "" })) : [];
  }
  write(spot) {
    const { model, board, held } = this, stage = model.stage(this.chosen.stage);
    const { problem } = this.entries;
    this.sentence.classList.toggle("problem", Boolean(problem));
    if (problem) return this.refuse(problem);
    this.explain.disabled = !spot || !this.isAskable(spot);
    if (!spot)
      return this.sentence.replaceChildren(
        ...stage ? [words("b", stage.formula), " ", stage.note] : [this.resting()]
      );
    const reading = read2(model, this.picture, board, spot, held);
    return this.sentence.replaceChildren(...piecesOf(reading));
  }
  /** What was written cannot be used. */
  refuse(problem) {
    this.explain.disabled = true;
    this.sentence.replaceChildren(problem);
    setText(this.heard, problem);
  }
  /** What is said where nothing is pointed at. */
  resting() {
    return this.picture.rests ?? "Point at a number to see what it is made of; click it to see how.";
  }
  layout() {
    if (!this.model || !this.root.clientWidth) return;
    const isPhone = window.innerWidth < PHONE, { root, stage } = this, { isBelow } = this.model, top = isBelow ? ABOVE : topOf(stage);
    root.dataset.size = isPhone ? "phone" : "wide";
    root.style.minHeight = isPhone || isBelow ? "" : `${Math.max(LEAST_HEIGHT, window.innerHeight - topOf(root))}px`;
    this.look = readLook(root);
    for (const node of [this.rail.node, this.tabs.node, this.inspect]) node.hidden = isBelow;
    if (!isBelow) {
      this.rail.draw(this.header);
      this.rail.lay(this.header);
    }
    const measure = document.createElement("canvas").getContext("2d");
    const room = {
      width: stage.clientWidth,
      height: Math.max(LEAST_HEIGHT, window.innerHeight - top - FOOT2),
      isPhone,
      measure: (text, weight = 400) => {
        measure.font = `${weight} 13px ${this.look.family}`;
        return measure.measureText(text).width;
      }
    };
    this.board = this.picture.lay(this.model, room);
    stage.style.height = `${this.board.height}px`;
    const { context, ratio } = prepareCanvas(this.canvas, room.width, this.board.height);
    this.drawing = new Drawing(this.model, context, this.look, ratio);
    this.tokens.draw(this.model, this.board);
    this.entries.draw(this.model, this.board, this.header.report);
    this.heads.draw(this.model, this.board, this.look);
    this.overlays();
    this.draw();
  }
  /** An element over each part, for whoever uses no pointer. */
  overlays() {
    const held = focusBeside(this.parts), name = held?.dataset.part;
    const nodes = this.board.parts.map((part2) => {
      const { width, height } = extent(this.model, part2), node = this.overlay(part2.name);
      node.setAttribute("aria-label", summary(this.model, part2, this.held));
      layOver(node, { x: part2.x, y: part2.y, width, height });
      return node;
    });
    const before = [...this.parts.children];
    if (before.length !== nodes.length || before.some((node, i) => node !== nodes[i]))
      this.parts.replaceChildren(...nodes);
    if (name) nodes.find((node) => node.dataset.part === name)?.focus({ preventScroll: true });
  }
  overlayNodes = /* @__PURE__ */ new Map();
  overlay(name) {
    let node = this.overlayNodes.get(name);
    if (node) return node;
    node = el("div", {
      class: "part",
      role: "img",
      tabindex: 0,
      "aria-roledescription": "matrix",
      "data-part": name
    });
    node.addEventListener("focus", () => this.enter(name));
    node.addEventListener("blur", () => {
      this.cursor = null;
      this.draw();
    });
    this.overlayNodes.set(name, node);
    return node;
  }
  enter(name) {
    const part2 = partOf(this.board, name);
    if (!part2) return;
    const found = foundIn(this.model, part2, this.held, this.cell), row = part2.follows === "rows" ? this.chosen.row : 0;
    this.cursor = found ?? spotBeside(this.model, part2, { part: name, row, column: 0 }, 0, 0);
    this.draw();
  }
  toggleTable() {
    const name = this.active()?.part ?? this.board.parts.findLast(({ above }) => above)?.name ?? this.board.parts[0].name;
    this.tabled = this.tabled ? "" : name;
    this.showTable();
  }
  showTable() {
    const part2 = this.tabled ? partOf(this.board, this.tabled) : void 0;
    this.tablePlace.replaceChildren(...part2 ? [tableOf(this.model, part2, this.held)] : []);
    this.tableButton.textContent = part2 ? "Hide table" : "Table";
    this.tableButton.setAttribute("aria-expanded", String(Boolean(part2)));
  }
  // ---- new messages --------------------------------------------------------------------------------------------
  update({ data, setStateValue }) {
    this.teller.through(setStateValue);
    const { choices } = this.teller;
    const payload = readPayload(data), { header } = payload, fresh = this.model?.header.key !== header.key;
    const choice = { ...choiceOf(header), row: header.row };
    const before = this.model?.chosen ?? choice, possible = isPossible(header, before) && before.row < header.reads.length;
    const pending = this.model !== null && !choices.isKnown(before);
    if (fresh || header.report >= choices.report) this.cell = header.cell;
    const verdict = choices.hear(choice, header.report, { fresh, possible, pending });
    this.model = new Model(payload, verdict === "follow" || fresh ? choice : before);
    if (verdict === "follow") this.player.finish();
    else if (verdict === "keep") this.rested();
    this.tabs.build([WHOLE, ...header.stages.map(({ key, title, note }) => ({ key, title, tip: note }))]);
    this.layout();
    this.showTable();
    if (fresh || verdict === "follow") this.moved();
    if (this.model.isBelow) return this.bring(fresh || verdict === "follow" ? header.stage : this.brought);
    const flight = fresh ? arrival("in") : null;
    if (flight) growFrom(flight, this.stage, [this.rail.node]);
    return void 0;
  }
  /** Scrolls to what a stage makes, below the fold, and again while the page around it still grows. */
  bring(stage) {
    this.brought = stage;
    const part2 = this.board.parts.find(({ versions }) => versions[0].from === stage);
    if (part2) this.overlay(part2.name).scrollIntoView({ block: "center" });
  }
  dispose() {
    this.player.stop();
    this.teller.hold();
    this.entries.dispose();
    if (this.model && this.isLed) tell("moment", null);
    this.spotlight.end();
  }
};
var WHOLE = { key: "", title: "Whole", tip: "Every stage in one picture" };
var FOOT2 = 62;
var ABOVE = 130;
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
    before,
    words("b", first, tones[0]),
    between,
    words("b", second, tones[1]),
    after,
    words("b", value),
    " ",
    words("code", place)
  ];
}
var view_default = mounted(".stop", (root, signal) => new Stop(root, signal));
export default view_default;
