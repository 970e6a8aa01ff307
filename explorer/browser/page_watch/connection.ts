// Opens the page anew by its address where a cut connection has left it without some of its parts.
//
// Of an answer that a cut divides the browser gets the end alone, takes all that is not in it for outdated and removes
// it. Everything that was chosen is in the address.

declare global { var explorerWatches: boolean | undefined; }

const LOOK_MS = 500, LOOKS = 40;
// What every page ends with: its title or the picture that has it, the links in the sidebar, and the bar where it has one.
const isWhole = () => document.querySelector("h1, .st-key-living_map") !== null && document.querySelector(".st-key-pages a") !== null &&
  Boolean(document.querySelector(".st-key-bar")) === Boolean(document.querySelector(".st-key-bar .st-key-sentence_bar"));

export function watchConnection(): void {
  if (globalThis.explorerWatches) return;
  globalThis.explorerWatches = true;   // for as long as the page is open, also when the component is gone
  const stateOf = (name: string) => document.querySelector(`[data-test-${name}-state]`)?.getAttribute(`data-test-${name}-state`);
  let wasCut = false, clock: ReturnType<typeof setTimeout> | undefined;

  function look(times: number, wasEmpty: boolean): void {
    clock = setTimeout(() => {
      if (stateOf("connection") !== "CONNECTED" || !times) return;
      const isEmpty = stateOf("script") === "notRunning" && !isWhole();
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
