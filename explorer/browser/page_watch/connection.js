// Opens the page anew by its address where a cut connection has left it empty.
//
// Of an answer that a cut divides the browser gets the end alone, takes all that is not in it for outdated and removes
// it. Everything that was chosen is in the address.

const LOOK_MS = 500, LOOKS = 40;

function watchConnection() {
  if (globalThis.explorerWatches) return;
  globalThis.explorerWatches = true;   // for as long as the page is open, also when the component is gone
  const stateOf = (name) => document.querySelector(`[data-test-${name}-state]`)?.getAttribute(`data-test-${name}-state`);
  let cut = false, clock = 0;

  function look(times, empty) {
    clock = setTimeout(() => {
      if (stateOf("connection") !== "CONNECTED" || !times) return;
      const isEmpty = stateOf("script") === "notRunning" && !document.querySelector("h1");
      // Twice, because an answer may just begin.
      if (isEmpty && empty) location.reload();
      else look(times - 1, isEmpty);
    }, LOOK_MS);
  }
  new MutationObserver(() => {
    const connected = stateOf("connection") === "CONNECTED";
    if (connected && cut) { clearTimeout(clock); look(LOOKS, false); }
    cut = !connected;
  }).observe(document.body, { attributes: true, subtree: true, attributeFilter: ["data-test-connection-state"] });
}
