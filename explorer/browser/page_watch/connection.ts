// Opens the page anew by its address where a cut connection has left it without some of its parts.
//
// Of an answer that a cut divides the browser gets the end alone, takes all that is not in it for outdated and removes
// it. Everything that was chosen is in the address.

declare global { var explorerWatches: boolean | undefined; }

const LOOK_MS = 500, LOOKS = 40;
// What every page ends with: its title or the picture that has it, the links in the sidebar, the bar where it has one, and
// the column of a lesson where one is followed.
const PAGE = ["h1, .st-key-living_map, .st-key-lesson_covered", ".st-key-pages a"], PRESENTED = ".st-key-lesson .present-strip", LESSONS = "/lessons";
const BAR = ".st-key-bar", IN_BAR = ".st-key-bar .st-key-sentence_bar", WAYS = ".st-key-lesson a";

/** Whether a page has all its parts: `has` says whether something is there, and the address what belongs to it. */
export function isWhole(has: (selector: string) => boolean, { pathname, search }: { pathname: string; search: string }): boolean {
  const query = new URLSearchParams(search), follows = query.has("lesson") && !pathname.endsWith(LESSONS);
  if (follows && !has(WAYS)) return false;
  return has(PRESENTED) || (PAGE.every(has) && has(BAR) === has(IN_BAR));
}

export function watchConnection(): void {
  if (globalThis.explorerWatches) return;
  globalThis.explorerWatches = true;   // for as long as the page is open, also when the component is gone
  const stateOf = (name: string) => document.querySelector(`[data-test-${name}-state]`)?.getAttribute(`data-test-${name}-state`);
  let wasCut = false, clock: ReturnType<typeof setTimeout> | undefined;

  function look(times: number, wasEmpty: boolean): void {
    clock = setTimeout(() => {
      if (stateOf("connection") !== "CONNECTED" || !times) return;
      const isEmpty = stateOf("script") === "notRunning" && !isWhole((selector) => document.querySelector(selector) !== null, location);
      // Twice, because an answer may just begin.
      if (isEmpty && wasEmpty) location.reload();
      else look(times - 1, isEmpty);
    }, LOOK_MS);
  }
  new MutationObserver(() => {
    const isConnected = stateOf("connection") === "CONNECTED";
    if (isConnected && wasCut) {
      clearTimeout(clock);
      look(LOOKS, false);
    }
    wasCut = !isConnected;
  }).observe(document.body, { attributes: true, subtree: true, attributeFilter: ["data-test-connection-state"] });
}
