// Keeps what a stop speaks of in view while its page is built, which on a busy server takes what it takes: until the
// visitor moves the page themselves.

const EDGE = 12;
const ENOUGH = 0.75; // of a whole part, where it begins: a page that moves for the rest of it hides its title half
interface Box {
  top: number;
  bottom: number;
}
type Room = [from: number, to: number];

const MOVES = ["wheel", "pointerdown", "keydown", "touchstart"];

/** Keeps something in view; what a view draws in a tree of its own is not heard of by itself: who knows of it calls `align`. */
export interface Following {
  align: () => void;
  end: () => void;
}

/**
 * Scrolls so that all targets are in view, until the visitor moves the page themselves, or it is ended.
 *
 * targets: what is to be seen, as it is on the page by then. isWhole: whether that is a whole part, of which most is enough.
 *   isAsked: whether the visitor has asked for it, which puts it into the middle; what is in view already stays where it
 *   is otherwise.
 */
export function follow(targets: () => HTMLElement[], isWhole: () => boolean, isAsked: boolean): Following {
  const ends = new AbortController(),
    { signal } = ends;
  const observer = new MutationObserver(() => align());
  signal.addEventListener("abort", () => observer.disconnect());
  function align(): void {
    const page = document.querySelector("[data-testid=stMain]");
    if (!page || signal.aborted) return;
    // As they would stand in a page that is not scrolled.
    const boxes = targets()
      .map((node) => node.getBoundingClientRect())
      .filter(({ width, height }) => width || height)
      .map(({ top, bottom }) => ({ top: top + page.scrollTop, bottom: bottom + page.scrollTop }));
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
    attributeFilter: ["style", "class", "data-lit"],
  });
  align();
  return { align, end: () => ends.abort() };
}

/**
 * How far a page is scrolled so that something is seen in the room that it has.
 *
 * boxes: where that stands in a page that is not scrolled. Where it is too much at once, the last of it counts.
 */
export function scrollFor(boxes: Box[], [from, to]: Room, isWhole: boolean, isAsked: boolean): number {
  const sorted = [...boxes].sort((one, other) => one.top - other.top),
    room = to - from;
  const lowest = Math.max(...boxes.map(({ bottom }) => bottom)),
    rest = sorted.filter(({ top }) => lowest - top <= room);
  const top = (rest[0] ?? sorted[0]).top,
    height = lowest - top;
  const seen = Math.min(lowest, to) - top,
    enough = isWhole ? ENOUGH : 1;
  if (!isAsked && top >= from && seen >= enough * Math.min(height, room)) return 0;
  return height > room ? top - from : (top + lowest) / 2 - (from + to) / 2;
}

/** Whether an element stands in what of the window the bar and a sheet leave free. */
export function isInRoom(node: HTMLElement): boolean {
  const { top, bottom } = node.getBoundingClientRect(),
    [from, to] = roomOf();
  return top >= from - EDGE && bottom <= to + EDGE;
}

/** What of the window the bar and a sheet leave free. */
function roomOf(): Room {
  const bar = document.querySelector(".st-key-bar")?.parentElement?.getBoundingClientRect().bottom ?? 0;
  const sheet = document.querySelector(".st-key-lesson")?.getBoundingClientRect(),
    isSheet = sheet && sheet.left < EDGE;
  return [Math.max(0, bar) + EDGE, (isSheet ? sheet.top : window.innerHeight) - EDGE];
}
