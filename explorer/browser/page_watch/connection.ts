// Has the page drawn once more after its connection was cut.
//
// Of an answer that a cut divides the browser may get the beginning alone, and the rest of the page stays as it was
// before; or the end alone, and then it takes what is not in it for outdated and removes it. Streamlit asks again only
// where it knows that an answer was under way.

declare global {
  var explorerWatches: boolean | undefined;
  var explorerAsksAgain: (() => void) | undefined;
}

const STATE = "data-test-connection-state";
/** Before this the server may not have noticed the cut, and would give its answer to who is gone. */
const NOTICED_MS = 500;

/** askAgain: has Python draw the page; of several that were given the newest is called. */
export function watchConnection(askAgain: () => void): void {
  globalThis.explorerAsksAgain = askAgain;
  if (globalThis.explorerWatches) return;
  globalThis.explorerWatches = true; // for as long as the page is open, also when the component is gone
  let wasCut = false;
  new MutationObserver(() => {
    const isConnected = document.querySelector(`[${STATE}]`)?.getAttribute(STATE) === "CONNECTED";
    if (isConnected && wasCut) setTimeout(() => globalThis.explorerAsksAgain?.(), NOTICED_MS);
    wasCut = !isConnected;
  }).observe(document.body, { attributes: true, subtree: true, attributeFilter: [STATE] });
}
