// Keeps what a stop speaks of in view while its page is built.

const WAIT_MS = 4000, EDGE = 12;   // for the parts of a page to have their height
const MOVES = ["wheel", "pointerdown", "keydown", "touchstart"];

/**
 * Scrolls so that all targets are in view, until the visitor moves the page themselves; gives the way to end it.
 *
 * targets: what is to be seen, as it is on the page by then. isAsked: whether the visitor has asked for it, which puts it
 *   into the middle; what is in view already stays where it is otherwise.
 */
export function follow(targets: () => HTMLElement[], isAsked: boolean): () => void {
  const ends = new AbortController(), { signal } = ends;
  const observer = new MutationObserver(() => align());
  const timer = setTimeout(() => ends.abort(), WAIT_MS);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    clearTimeout(timer);
  });
  function align(): void {
    const boxes = targets().map((node) => node.getBoundingClientRect()).filter(({ width, height }) => width || height);
    if (!boxes.length) return;
    const page = document.querySelector("[data-testid=stMain]"), [from, to] = roomOf();
    if (!page) return;
    // As they would stand in a page that is not scrolled.
    const top = Math.min(...boxes.map((box) => box.top)) + page.scrollTop, bottom = Math.max(...boxes.map((box) => box.bottom)) + page.scrollTop;
    const fits = top >= from && bottom <= to && !isAsked;
    const away = fits ? 0 : bottom - top > to - from ? top - from : (top + bottom) / 2 - (from + to) / 2;
    if (Math.abs(away - page.scrollTop) > 1) page.scrollTop = away;
  }
  for (const name of MOVES) document.addEventListener(name, () => ends.abort(), { capture: true, once: true, signal });
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["style", "class"] });
  align();
  return () => ends.abort();
}

/** What of the window the bar and a sheet leave free. */
function roomOf(): [from: number, to: number] {
  const bar = document.querySelector(".st-key-bar")?.parentElement?.getBoundingClientRect().bottom ?? 0;
  const sheet = document.querySelector(".st-key-lesson")?.getBoundingClientRect(), isSheet = sheet && sheet.left < EDGE;
  return [Math.max(0, bar) + EDGE, (isSheet ? sheet.top : window.innerHeight) - EDGE];
}
