// What a view tells Python by itself: not in the same moment as somebody's click.

/** Milliseconds after which a browser that is never at rest is not waited for. */
const LONGEST_WAIT = 2000;

/**
 * Report something that nobody has done by hand: once the browser has nothing else to do, if the view is on the page by then.
 *
 * Streamlit makes one message of all that is reported within a moment, and where a part of it comes from a fragment, the
 * fragment alone is run: a choice made elsewhere on the page just then would be heard, and nothing done.
 */
export function atRest(view: Element, report: () => void): void {
  const told = () => {
    if (view.isConnected) report();
  };
  if ("requestIdleCallback" in window) window.requestIdleCallback(told, { timeout: LONGEST_WAIT });
  else setTimeout(told, 0); // Not every browser has it.
}
