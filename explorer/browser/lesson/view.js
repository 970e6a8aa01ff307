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

// explorer/browser/shared/message.ts
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
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

// explorer/browser/lesson/follow.ts
var EDGE = 12;
var ENOUGH = 0.75;
var MOVES = ["wheel", "pointerdown", "keydown", "touchstart"];
function follow(targets, isWhole, isAsked) {
  const ends = new AbortController(), { signal } = ends;
  const observer = new MutationObserver(() => align());
  signal.addEventListener("abort", () => observer.disconnect());
  function align() {
    const page = document.querySelector("[data-testid=stMain]");
    if (!page || signal.aborted) return;
    const boxes = targets().map((node) => node.getBoundingClientRect()).filter(({ width, height }) => width || height).map(({ top, bottom }) => ({ top: top + page.scrollTop, bottom: bottom + page.scrollTop }));
    if (!boxes.length) return;
    const away = scrollFor(boxes, roomOf(), isWhole(), isAsked);
    if (Math.abs(away - page.scrollTop) > 1) page.scrollTop = away;
  }
  for (const name of MOVES)
    document.addEventListener(name, () => ends.abort(), { capture: true, once: true, signal });
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["style", "class", "data-lit"]
  });
  align();
  return { align, end: () => ends.abort() };
}
function scrollFor(boxes, [from, to], isWhole, isAsked) {
  const sorted = [...boxes].sort((one, other) => one.top - other.top), room = to - from;
  const lowest = Math.max(...boxes.map(({ bottom }) => bottom)), rest = sorted.filter(({ top: top2 }) => lowest - top2 <= room);
  const top = (rest[0] ?? sorted[0]).top, height = lowest - top;
  const seen = Math.min(lowest, to) - top, enough = isWhole ? ENOUGH : 1;
  if (!isAsked && top >= from && seen >= enough * Math.min(height, room)) return 0;
  return height > room ? top - from : (top + lowest) / 2 - (from + to) / 2;
}
function isInRoom(node) {
  const { top, bottom } = node.getBoundingClientRect(), [from, to] = roomOf();
  return top >= from - EDGE && bottom <= to + EDGE;
}
function roomOf() {
  const bar = document.querySelector(".st-key-bar")?.parentElement?.getBoundingClientRect().bottom ?? 0;
  const sheet = document.querySelector(".st-key-lesson")?.getBoundingClientRect(), isSheet = sheet && sheet.left < EDGE;
  return [Math.max(0, bar) + EDGE, (isSheet ? sheet.top : window.innerHeight) - EDGE];
}

// explorer/browser/lesson/line.ts
var GUTTER = 12;
var ARROW = 5;
var ROOM = 14;
var SHEET = 40;
var Line = class {
  path = svg("path", { class: "line" });
  head = svg("path", { class: "head" });
  node = svg("svg", { class: "lead", "aria-hidden": "true" }, this.path, this.head);
  /**
   * From a card to an element, or to the right edge of one; nothing where either is missing or out of sight.
   *
   * isEdge: whether it ends at the element's edge, near its top.
   */
  draw(card, end, isEdge) {
    const way = card && end ? wayOf(card.getBoundingClientRect(), end.getBoundingClientRect(), isEdge) : null;
    this.node.style.display = way ? "" : "none";
    if (!way) return;
    const [, , , [x, y]] = way;
    this.path.setAttribute("d", `M${way.map((point) => point.join(" ")).join("L")}`);
    this.head.setAttribute("d", `M${x} ${y}l${ARROW + 3} ${-ARROW}v${2 * ARROW}z`);
  }
};
function wayOf(card, end, isEdge) {
  const column = document.querySelector(".st-key-lesson").getBoundingClientRect(), x = Math.min(end.right + 3, column.left - GUTTER - ROOM);
  if (column.left < SHEET) return null;
  const from = Math.max(
    column.top + GUTTER,
    Math.min(column.bottom - GUTTER, card.top + Math.min(24, card.height / 2))
  );
  const to = isEdge ? Math.max(column.top + GUTTER, end.top + Math.min(24, end.height / 2)) : (end.top + end.bottom) / 2;
  const gutter = column.left - GUTTER;
  if (to < column.top || to > window.innerHeight) return null;
  return [
    [Math.max(gutter, card.left), from],
    [gutter, from],
    [gutter, to],
    [x, to]
  ];
}

// explorer/browser/lesson/sheet.ts
var COLUMN = ".st-key-lesson";
var LEFT = 12;
var Sheet = class {
  /** moved: called when the sheet covers another part of the page than before. */
  constructor(moved) {
    this.moved = moved;
  }
  node = el("button", { type: "button", class: "handle", hidden: "" });
  /** Listen to the handle, and stay at the sheet's edge, until the signal. */
  follow(signal) {
    this.node.addEventListener(
      "click",
      () => {
        this.fold(this.column?.dataset.folded === void 0);
      },
      { signal }
    );
  }
  get column() {
    return document.querySelector(COLUMN);
  }
  /** Whether the column is a sheet, as it was placed last. */
  get isThere() {
    return !this.node.hidden;
  }
  /** Another stop is to be read first. */
  open() {
    this.fold(false);
  }
  fold(isFolded) {
    const { column } = this;
    if (!column || column.dataset.folded !== void 0 === isFolded) return;
    column.toggleAttribute("data-folded", isFolded);
    this.place();
    this.moved();
  }
  /** Put the handle at the edge of the sheet; a column has none. */
  place() {
    const { column, node } = this, box = column?.getBoundingClientRect(), isSheet = box !== void 0 && box.left < LEFT && box.height < window.innerHeight;
    const isFolded = column?.dataset.folded !== void 0;
    node.hidden = !isSheet;
    setText(node, isFolded ? "Show the lesson" : "Show the picture");
    node.setAttribute("aria-expanded", String(!isFolded));
    if (box) node.style.top = `${Math.round(box.top)}px`;
  }
};

// explorer/browser/lesson/view.ts
var VIEW_MS = 1500;
var COLUMN2 = ".st-key-lesson";
var TITLE = `${COLUMN2} h3`;
var CARD = ".st-key-lesson_card";
var KEYS = ".st-key-lesson_keys";
var Lesson = class {
  constructor(root, signal) {
    this.root = root;
    root.append(
      el("p", { class: "row" }, this.show, this.lamp, this.keys),
      this.heard,
      this.line.node,
      this.sheet.node
    );
    this.show.addEventListener("click", () => this.bring(true), { signal });
    this.lamp.addEventListener("click", () => tell("lamp", null), { signal });
    listenForLesson();
    onTold("lamp", () => this.turn(!this.isOn), signal);
    onTold(
      "light",
      (light) => {
        if (!light && this.isOn && this.message?.rows.length) this.turn(false);
      },
      signal
    );
    onTold(
      "lit",
      (lit) => {
        this.lit = lit;
        this.place();
        this.following?.align();
      },
      signal
    );
    this.sheet.follow(signal);
    for (const event of ["scroll", "resize"])
      window.addEventListener(event, () => this.place(), { signal, capture: true, passive: true });
    const moved = new ResizeObserver(() => {
      this.place();
      this.following?.align();
    });
    moved.observe(document.body);
    for (const box of document.querySelectorAll(`${COLUMN2}, [data-testid=stMainBlockContainer]`))
      moved.observe(box);
    const drawn = new MutationObserver(() => {
      if (this.box?.hasAttribute("data-lit") === !(this.isOn && this.isPart)) this.place();
    });
    drawn.observe(document.body, { childList: true, subtree: true });
    signal.addEventListener("abort", () => {
      moved.disconnect();
      drawn.disconnect();
    });
  }
  keys = words("span", "", "keys");
  heard = el("p", { class: "unseen", role: "status" });
  show = el("button", { type: "button", class: "link", text: "Show it" });
  lamp = el("button", { type: "button", class: "link" });
  line = new Line();
  sheet = new Sheet(() => {
    if (this.isOn) this.bring(false);
  });
  message = null;
  isOn = true;
  lit = null;
  following = null;
  isUnlit = false;
  // the view of the page has had its time, and draws no light: the whole of it is framed
  waiting;
  // ---- the light ---------------------------------------------------------------------------------------------------
  get box() {
    const part = this.message?.part;
    return part ? document.querySelector(`.st-key-${part}`) : null;
  }
  turn(isOn) {
    this.isOn = isOn;
    const rows = this.message?.rows ?? [];
    tell("light", isOn && rows.length ? { rows } : null);
    this.place();
  }
  /** Whether the whole part is in the light, and no row of it. */
  get isPart() {
    return !this.message?.rows.length || this.lit === null && this.isUnlit;
  }
  /** What is to be seen: the frames of a view, or the part itself. */
  get targets() {
    if (!this.isPart) return this.lit?.frames ?? [];
    return this.box ? [this.box] : [];
  }
  place() {
    const { message, box } = this;
    if (!message || !this.root.isConnected) return;
    if (box)
      this.waiting ??= setTimeout(() => {
        this.isUnlit = true;
        this.place();
      }, VIEW_MS);
    const { isPart, targets } = this;
    for (const part of document.querySelectorAll("[data-lit]"))
      if (part !== box) part.removeAttribute("data-lit");
    box?.toggleAttribute("data-lit", this.isOn && isPart);
    const has = isPart ? box !== null : this.lit !== null;
    this.sheet.place();
    this.lamp.hidden = !has && this.isOn;
    setText(this.lamp, this.isOn ? "Light off" : "Light on");
    this.show.hidden = !targets.length || targets.every(isInRoom);
    const end = isPart ? box : this.lit?.end ?? null;
    this.line.draw(this.isOn && has ? document.querySelector(CARD) : null, end, isPart);
  }
  bring(isAsked) {
    this.following?.end();
    this.following = follow(
      () => this.targets,
      () => this.isPart,
      isAsked
    );
  }
  // ---- new messages --------------------------------------------------------------------------------------------
  update({ data }) {
    this.root.dataset.look = themeOf(this.root);
    const message = readJson(data), before = globalThis.explorerLessonStop, isNew = this.message?.stop !== message.stop;
    const isTold = this.message?.said !== message.said;
    const isMoved = JSON.stringify(this.message?.rows) !== JSON.stringify(message.rows);
    this.message = message;
    setText(this.keys, message.line);
    setText(this.heard, message.said);
    const column = document.querySelector(COLUMN2);
    column?.setAttribute("role", "complementary");
    column?.setAttribute("aria-label", message.lesson);
    if (isNew) this.begin(before);
    else if (isMoved) this.turn(this.isOn);
    if (!isNew && this.isOn && (isMoved || isTold && this.sheet.isThere)) this.bring(false);
    this.place();
  }
  begin(before) {
    globalThis.explorerLessonStop = this.message.stop;
    clearTimeout(this.waiting);
    this.waiting = void 0;
    this.isUnlit = false;
    this.turn(true);
    this.sheet.open();
    this.bring(false);
    const title = document.querySelector(TITLE);
    document.querySelector(COLUMN2)?.scrollTo(0, 0);
    if (!title || before === void 0 || before === this.message.stop) return;
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }
  dispose() {
    clearTimeout(this.waiting);
    this.following?.end();
    this.line.node.remove();
    setTimeout(() => {
      if (document.querySelector(KEYS)) return;
      tell("light", null);
      for (const part of document.querySelectorAll("[data-lit]")) part.removeAttribute("data-lit");
    });
  }
};
var view_default = mounted(".lesson", (root, signal) => new Lesson(root, signal));
export default view_default;
