// Made from watch.ts by "make browser".
// explorer/browser/shared/bus.ts
var NAME = "explorer-";
function tell(kind, message) {
  if (kind === "moment") globalThis.explorerMoment = message;
  if (kind === "light") globalThis.explorerLight = message;
  window.dispatchEvent(new CustomEvent(NAME + kind, { detail: message }));
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

// explorer/browser/page_watch/address.ts
function keepHistoryShort() {
  if (globalThis.explorerKeepsHistory) return;
  globalThis.explorerKeepsHistory = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, address) => {
    const to = new URL(address ?? "", location.href);
    if (isSameStop(new URL(location.href), to)) history.replaceState(state, unused, address);
    else push(state, unused, address);
  };
}
function isSameStop(from, to) {
  return from.searchParams.has("explain") && from.pathname === to.pathname && withoutWay(from) === withoutWay(to);
}
function withoutWay({ search }) {
  const query = new URLSearchParams(search);
  query.delete("explain");
  query.sort();
  return query.toString();
}

// explorer/browser/page_watch/connection.ts
var STATE = "data-test-connection-state";
var NOTICED_MS = 500;
function watchConnection(askAgain) {
  globalThis.explorerAsksAgain = askAgain;
  if (globalThis.explorerWatches) return;
  globalThis.explorerWatches = true;
  let wasCut = false;
  new MutationObserver(() => {
    const isConnected = document.querySelector(`[${STATE}]`)?.getAttribute(STATE) === "CONNECTED";
    if (isConnected && wasCut) setTimeout(() => globalThis.explorerAsksAgain?.(), NOTICED_MS);
    wasCut = !isConnected;
  }).observe(document.body, { attributes: true, subtree: true, attributeFilter: [STATE] });
}

// explorer/browser/page_watch/paste.ts
var MOST_AT_ONCE = Number("MOST_AT_ONCE");
function watchPastes() {
  if (globalThis.explorerCutsPastes) return;
  globalThis.explorerCutsPastes = true;
  document.addEventListener(
    "paste",
    (event) => {
      const field = event.composedPath()[0], text = event.clipboardData?.getData("text") ?? "";
      if (!(field instanceof HTMLTextAreaElement)) return;
      const { value, selectionStart, selectionEnd } = field;
      const whole = value.slice(0, selectionStart) + text + value.slice(selectionEnd);
      if (whole.length <= MOST_AT_ONCE) return;
      event.preventDefault();
      const kept = whole.slice(0, MOST_AT_ONCE).replace(/[\uD800-\uDBFF]$/, "");
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field, kept);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
    { capture: true }
  );
}

// explorer/browser/page_watch/watch.ts
function watch_default({ parentElement, data, setTriggerValue }) {
  keepHistoryShort();
  watchConnection(() => setTriggerValue("again", Date.now()));
  watchPastes();
  listenForLesson();
  const mark = parentElement.querySelector("span"), now = themeOf(mark);
  if (globalThis.explorerColours && globalThis.explorerColours !== now) setTriggerValue("colours", now);
  globalThis.explorerColours = now;
  mark.dataset.look = new TextDecoder().decode(data);
}
export default watch_default;
