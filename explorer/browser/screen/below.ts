// Hides outdated parts that Streamlit has drawn, while another page opens.
//
// After a page has replaced another without Streamlit, everything below its picture is hidden until the visitor scrolls
// there and Streamlit has drawn it. When Streamlit opens a page, the remains of the previous page are hidden.

const PAGE = ".st-key-page",
  STATE = "data-test-script-state",
  REST_MS = 200,
  LATEST_MS = 2000, // for the beginning of a run
  SEEN = 8; // pixels of the empty place in the window

let ends = new AbortController();

/** Hide everything below the picture. hasMore: whether the open page has something there. draw: has Streamlit draw it. */
export function hideBelow(hasMore: boolean, draw: () => void): void {
  ends.abort();
  ends = new AbortController();
  const { signal } = ends,
    page = document.querySelector<HTMLElement>(PAGE);
  if (!page) return;
  page.dataset.ahead = hasMore ? "more" : "";
  if (!hasMore) return;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(waiting);
    const height = parseFloat(getComputedStyle(page, "::after").height),
      top = page.getBoundingClientRect().bottom - height;
    if (top < innerHeight - SEEN) waiting = setTimeout(draw, REST_MS);
  };
  for (const name of ["scroll", "resize"]) window.addEventListener(name, look, { signal, capture: true });
  signal.addEventListener("abort", () => clearTimeout(waiting));
  look();
}

/** Show everything below the picture as soon as Streamlit has drawn it. */
export function showBelow(): void {
  ends.abort();
  const page = document.querySelector<HTMLElement>(`${PAGE}[data-ahead]`);
  if (!page) return;
  ends = new AbortController();
  whenDrawn(() => delete page.dataset.ahead, ends.signal);
}

/** Show everything below the picture. */
export function endBelow(): void {
  ends.abort();
  delete document.querySelector<HTMLElement>(PAGE)?.dataset.ahead;
}

/** Hide the remains of the previous page until Streamlit has drawn the new one. */
export function hideLeft(): void {
  const page = document.querySelector<HTMLElement>(PAGE);
  if (!page) return;
  page.dataset.turning = "";
  const end = (): void => {
    delete page.dataset.turning;
  };
  whenDrawn(end);
  // An action may begin another run before this one ends, in which the parts of the new page are outdated for a moment.
  for (const name of ["keydown", "pointerdown"])
    window.addEventListener(name, end, { capture: true, once: true });
}

/** Call once when the next run of the page ends. */
export function whenDrawn(call: () => void, signal?: AbortSignal): void {
  const app = document.querySelector(`[${STATE}]`);
  if (!app) return;
  const stop = (): void => {
    watching.disconnect();
    clearTimeout(timer);
  };
  const look = (): void => {
    clearTimeout(timer);
    if (app.getAttribute(STATE) !== "notRunning") return;
    stop();
    call();
  };
  const watching = new MutationObserver(look);
  watching.observe(app, { attributes: true, attributeFilter: [STATE] });
  // A busy browser may handle the start and the end of a run together, without any change of the attribute.
  const timer = setTimeout(look, LATEST_MS);
  signal?.addEventListener("abort", stop);
}
