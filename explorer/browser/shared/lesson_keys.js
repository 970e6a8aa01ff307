// Made from lesson_keys.ts by "make browser".
const LESSON_KEYS = ".st-key-lesson_keys";
const PRESSED = {
  ArrowLeft: ".st-key-lesson_previous",
  ArrowRight: ".st-key-lesson_next",
  r: ".st-key-lesson_reveal",
  d: ".st-key-lesson_demo",
  Escape: ".st-key-lesson_end",
  l: ".st-key-lesson_light"
};
const NEXT = `${PRESSED.ArrowRight} a`;
const ONLY_WHERE_THERE = ["Escape"];
const LEAVES_KEYS = ".st-key-lesson, .st-key-explain";
const PAGE = "[data-testid=stMain]";
const TAKES_ARROWS = 'input, textarea, select, [contenteditable], [role="radio"], [role="radiogroup"], [role="option"],[role="combobox"], [role="listbox"], [role="textbox"], [role="spinbutton"], [role="slider"]';
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
  document.addEventListener("keydown", (event) => {
    if (!isForLesson(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    held.push(event.key);
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["href"] });
    press();
  }, true);
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
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  if (!Object.hasOwn(PRESSED, event.key) || !document.querySelector(LESSON_KEYS)) return false;
  if (ONLY_WHERE_THERE.includes(event.key) && !document.querySelector(PRESSED[event.key])) return false;
  const path = event.composedPath().filter((node) => node instanceof Element);
  const isMine = path[0] === document.body || path[0]?.matches(PAGE) || path.some((node) => node.matches(LEAVES_KEYS));
  return isMine && !path.some((node) => node.matches(TAKES_ARROWS));
}
