// Keys of a lesson: they press what stands in its column, so that there is one way to do each thing.
//
// Views take arrows, too, while nothing has the focus, and a view may be there before the column's links. So there is
// one listener, which is older than any view's, and it holds a key until the link it presses is drawn. It also holds a
// key that comes before the previous one has led anywhere: the links are still those of the stop before.

import { tell } from "./bus";
import { isFromPage } from "./keys";

declare global {
  var explorerListensForLesson: boolean | undefined;
}

// Python draws these places before any view, and an empty one is still to be filled.
const LESSON_KEYS = ".st-key-lesson_keys";
const PRESSED: Record<string, string> = {
  ArrowLeft: ".st-key-lesson_previous",
  ArrowRight: ".st-key-lesson_next",
  r: ".st-key-lesson_reveal",
  d: ".st-key-lesson_demo",
  Escape: ".st-key-lesson_end",
  l: ".st-key-lesson_light",
};
// Every stop has a way on, whose address is another one at each stop, for each thing shown of it, and after each answer.
const NEXT = `${PRESSED.ArrowRight} a`;
// What no lesson but one before an audience has leaves its key to whatever else is there.
const ONLY_WHERE_THERE = ["Escape"];
// The panel that explains a number takes the focus where a stop opens it, and has no use for these keys.
const LEAVES_KEYS = ".st-key-lesson, .st-key-explain";
// Where arrows choose, or move a cursor.
const TAKES_ARROWS =
  'input, textarea, select, [contenteditable], [role="radio"], [role="radiogroup"], [role="option"],' +
  '[role="combobox"], [role="listbox"], [role="textbox"], [role="spinbutton"], [role="slider"]';

/** Listen for as long as the page is open. A page that outlives a new version of the app loads a second bundle. */
export function listenForLesson(): void {
  if (globalThis.explorerListensForLesson) return;
  globalThis.explorerListensForLesson = true;
  let held: string[] = [],
    left = "";
  const observer = new MutationObserver(press);

  function press(): void {
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
  function forget(): void {
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
        attributeFilter: ["href"],
      });
      press();
    },
    true,
  );
  // Who goes on elsewhere waits for the key no more.
  document.addEventListener("pointerdown", forget, true);
}

function wayOn(): string {
  return document.querySelector<HTMLAnchorElement>(NEXT)?.href ?? "";
}

/** Whether the column is still the one that the last key has left: its way on is. */
function isUnderWay(left: string): boolean {
  return left !== "" && [left, ""].includes(wayOn());
}

/** What became of a key: a way that the stop does not have needs no waiting ("nothing"), a link that is not drawn yet does (""). */
function pressInColumn(key: string): "pressed" | "nothing" | "" {
  const place = document.querySelector(PRESSED[key]);
  if (key === "l") {
    tell("lamp", null);
    return "nothing";
  }
  const target = place?.querySelector<HTMLElement>("a, button");
  target?.click();
  if (target) return "pressed";
  return place ? "" : "nothing";
}

function isForLesson(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
    return false;
  if (!Object.hasOwn(PRESSED, event.key) || !document.querySelector(LESSON_KEYS)) return false;
  if (ONLY_WHERE_THERE.includes(event.key) && !document.querySelector(PRESSED[event.key])) return false;
  const path = event.composedPath().filter((node) => node instanceof Element);
  // A view that has the focus has keys of its own.
  const isMine = isFromPage(event) || path.some((node) => node.matches(LEAVES_KEYS));
  return isMine && !path.some((node) => node.matches(TAKES_ARROWS));
}
