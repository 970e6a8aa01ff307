// Made from tips.ts by "make browser".
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

// explorer/browser/term_tips/tips.ts
var GAP = 6;
var EDGE = 8;
var BEFORE = 120;
var AFTER = 200;
var HINTS = {
  mouse: "Click for the glossary",
  key: "Enter opens the glossary, Escape closes this",
  touch: "Tap again for the glossary"
};
var TermTips = class {
  title = words("b", "");
  text = words("span", "");
  hint = words("small", "");
  box = el(
    "div",
    { class: "term-tip", id: "term-tip", role: "tooltip", popover: "manual" },
    this.title,
    this.text,
    this.hint
  );
  terms = {};
  prefix = "";
  send = () => void 0;
  shown = null;
  touched = null;
  pointer = [-1, -1];
  // where it was last, in the window
  isSkipped = false;
  // whether a term lies under it that it has not been moved to
  timer;
  constructor(root, signal) {
    root.replaceChildren(this.box);
    const on = (name, act) => document.addEventListener(name, act, { signal, capture: true });
    on("pointerover", (event) => this.onOver(event));
    on("pointermove", (event) => this.onMove(event));
    on("focusin", (event) => {
      const link = this.linkOf(event);
      if (link?.matches(":focus-visible")) this.show(link, "key");
    });
    on("focusout", (event) => {
      if (this.linkOf(event)) this.hide();
    });
    on("keydown", (event) => {
      if (event.key !== "Escape" || !this.shown) return;
      event.preventDefault();
      event.stopPropagation();
      this.hide();
    });
    on("scroll", () => {
      if (this.shown) this.place(this.shown);
    });
    on("pointerdown", (event) => this.onPress(event));
    on("click", (event) => this.onClick(event));
    addEventListener("resize", () => this.hide(), { signal });
  }
  /** The marked term that an event is about, also in a component's own tree. */
  linkOf(event) {
    const path = event.composedPath().filter((node) => node instanceof Element);
    const link = path.find((node) => node.matches(`a[href^="${this.prefix}"]`));
    return link && this.termOf(link) in this.terms ? link : null;
  }
  termOf(link) {
    return (link.getAttribute("href") ?? "").slice(this.prefix.length);
  }
  // ---- open and close ----------------------------------------------------------------------------------------
  show(link, by) {
    clearTimeout(this.timer);
    if (this.shown !== link) this.hide();
    const { box } = this, [name, meaning] = this.terms[this.termOf(link)];
    setText(this.title, name);
    setText(this.text, meaning);
    setText(this.hint, HINTS[by]);
    box.dataset.look = themeOf(box);
    this.shown = link;
    if (link.getRootNode() === document) link.setAttribute("aria-describedby", box.id);
    else link.setAttribute("aria-description", meaning);
    box.showPopover();
    this.place(link);
  }
  place(link) {
    const at = link.getClientRects().item(0), { width, height } = this.box.getBoundingClientRect();
    if (!at || at.bottom < 0 || at.top > innerHeight) return this.hide();
    const below = at.bottom + GAP, above = at.top - GAP - height;
    const isBelow = below + height <= innerHeight - EDGE || above < EDGE;
    this.box.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - EDGE - width))}px`;
    this.box.style.top = `${isBelow ? below : above}px`;
  }
  hide() {
    clearTimeout(this.timer);
    if (!this.shown) return;
    this.shown.removeAttribute("aria-describedby");
    this.shown.removeAttribute("aria-description");
    this.shown = null;
    if (this.box.isConnected) this.box.hidePopover();
  }
  later(act, wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, wait);
  }
  // ---- pointers ----------------------------------------------------------------------------------------------
  // A term that the page slides under a pointer at rest was not asked about, and its box would lie over what is there.
  onOver(event) {
    const isAtRest = event.clientX === this.pointer[0] && event.clientY === this.pointer[1];
    this.isSkipped = isAtRest && this.linkOf(event) !== this.shown;
    if (!this.isSkipped) this.onHover(event);
    else if (this.shown) this.later(() => this.hide(), AFTER);
  }
  onMove(event) {
    const isMoved = event.clientX !== this.pointer[0] || event.clientY !== this.pointer[1];
    this.pointer = [event.clientX, event.clientY];
    if (!isMoved || !this.isSkipped) return;
    this.isSkipped = false;
    this.onHover(event);
  }
  onHover(event) {
    if (event.pointerType === "touch") return;
    const link = this.linkOf(event);
    if (link)
      this.later(
        () => {
          if (link.isConnected) this.show(link, "mouse");
        },
        link === this.shown ? 0 : BEFORE
      );
    else if (this.shown && !event.composedPath().includes(this.box) && !this.shown.matches(":focus-visible")) {
      this.later(() => this.hide(), AFTER);
    } else clearTimeout(this.timer);
  }
  // A finger cannot hover: its first tap explains, the second one follows.
  onPress(event) {
    const link = this.linkOf(event);
    if (!link && !event.composedPath().includes(this.box)) this.hide();
    this.touched = event.pointerType === "touch" && link !== this.shown ? link : null;
  }
  onClick(event) {
    const link = this.linkOf(event);
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    event.stopPropagation();
    if (this.touched === link) {
      this.touched = null;
      return this.show(link, "touch");
    }
    this.hide();
    this.send("asked", this.termOf(link));
  }
  update({ data, setTriggerValue }) {
    const message = readJson(data);
    this.terms = message.terms;
    this.prefix = `${message.address}?term=`;
    this.send = setTriggerValue;
  }
  dispose() {
    this.hide();
  }
};
var tips_default = mounted(".term-tips", (root, signal) => new TermTips(root, signal));
export default tips_default;
