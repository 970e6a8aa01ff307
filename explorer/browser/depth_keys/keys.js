// Made from keys.ts by "make browser".
// explorer/browser/shared/keys.ts
function isShortcut(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}
function comesFrom(event, selector) {
  return event.composedPath().some((node) => node instanceof Element && node.matches(selector));
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

// explorer/browser/depth_keys/keys.ts
var TAKES_NUMBERS = 'input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable],[role="combobox"], [role="listbox"], [role="textbox"], [role="spinbutton"], [role="menu"]';
var DepthKeys = class {
  constructor(line, signal) {
    this.line = line;
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
  }
  n = 0;
  send = () => void 0;
  onKey(event) {
    if (event.defaultPrevented || event.repeat || isShortcut(event) || event.shiftKey) return;
    const place = Number(event.key) - 1;
    if (!/^[1-9]$/.test(event.key) || place >= this.n || comesFrom(event, TAKES_NUMBERS)) return;
    this.send("pressed", place);
  }
  update({ data, setTriggerValue }) {
    ({ n: this.n } = readJson(data));
    this.send = setTriggerValue;
    this.line.dataset.look = themeOf(this.line);
    this.line.textContent = `Keys 1 to ${this.n}`;
  }
};
var keys_default = mounted(".depth-keys", (line, signal) => new DepthKeys(line, signal));
export default keys_default;
