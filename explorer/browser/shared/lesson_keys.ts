// Keys of a lesson: they press what stands in its column, so that there is one way to do each thing.
//
// Views take arrows, too, while nothing has the focus, and a view may be there before the lesson's own script, as may
// that be before the column's links. So there is one listener on the page, whichever script brings it, and a key
// that has nothing to press yet is held until it has.

import { tell } from "./bus";

declare global { var explorerListensForLesson: boolean | undefined; }

// Python draws these places before any view, and an empty one is still to be filled.
const LESSON_KEYS = ".st-key-lesson_keys";
const PRESSED: Record<string, string> = {
  ArrowLeft: ".st-key-lesson_previous", ArrowRight: ".st-key-lesson_next", r: ".st-key-lesson_reveal", d: ".st-key-lesson_demo",
  Escape: ".st-key-lesson_end", l: ".st-key-lesson_light",
};
// What no lesson but one before an audience has leaves its key to whatever else is there.
const ONLY_WHERE_THERE = ["Escape"];
// The panel that explains a number takes the focus where a stop opens it, and has no use for these keys.
const LEAVES_KEYS = ".st-key-lesson, .st-key-explain";
const PAGE = "[data-testid=stMain]";
// Where arrows choose, or move a cursor.
const TAKES_ARROWS = 'input, textarea, select, [contenteditable], [role="radio"], [role="radiogroup"], [role="option"],' +
  '[role="combobox"], [role="listbox"], [role="textbox"], [role="spinbutton"], [role="slider"]';

/** Listen for as long as the page is open; every script whose keys a lesson comes before calls it before it listens itself. */
export function listenForLesson(): void {
  if (globalThis.explorerListensForLesson) return;
  globalThis.explorerListensForLesson = true;
  let held: string[] = [];
  const observer = new MutationObserver(press);

  function press(): void {
    if (!document.querySelector(LESSON_KEYS)) held = [];
    while (held.length && pressInColumn(held[0])) held.shift();
    if (!held.length) observer.disconnect();
  }
  document.addEventListener("keydown", (event) => {
    if (!isForLesson(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    held.push(event.key);
    observer.observe(document.body, { childList: true, subtree: true });
    press();
  }, true);
  // Who goes on elsewhere waits for the key no more.
  document.addEventListener("pointerdown", () => { held = []; }, true);
}

/** Whether a key could be acted upon: a way that the stop does not have needs no waiting, a link that is not drawn yet does. */
function pressInColumn(key: string): boolean {
  const place = document.querySelector(PRESSED[key]);
  if (key === "l") {
    tell("lamp", null);
    return true;
  }
  const target = place?.querySelector<HTMLElement>("a, button");
  target?.click();
  return !place || Boolean(target);
}

function isForLesson(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  if (!Object.hasOwn(PRESSED, event.key) || !document.querySelector(LESSON_KEYS)) return false;
  if (ONLY_WHERE_THERE.includes(event.key) && !document.querySelector(PRESSED[event.key])) return false;
  const path = event.composedPath().filter((node) => node instanceof Element);
  // A view that has the focus has keys of its own.
  // Who clicks beside everything has put the focus on the page's own scroller.
  const isMine = path[0] === document.body || path[0]?.matches(PAGE) || path.some((node) => node.matches(LEAVES_KEYS));
  return isMine && !path.some((node) => node.matches(TAKES_ARROWS));
}
