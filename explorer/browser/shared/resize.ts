// When a view has to lay itself out anew.

/** Call `layout` when the window or the root has another size, and once the page's typeface is there, until `signal` ends it. */
export function onResize(root: HTMLElement, layout: () => void, signal: AbortSignal): void {
  let width = 0;
  window.addEventListener("resize", layout, { signal });
  const observer = new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    layout();
  });
  observer.observe(root);
  signal.addEventListener("abort", () => observer.disconnect());
  // Text is measured with the page's typeface, which may arrive after the first drawing.
  void document.fonts.ready.then(() => {
    if (!signal.aborted) layout();
  });
}

/** Where an element begins in its page, however far that is scrolled. */
export function topOf(root: HTMLElement): number {
  const { host } = root.getRootNode() as ShadowRoot,
    scrolled = host.closest("[data-testid=stMain]")?.scrollTop ?? 0;
  return root.getBoundingClientRect().top + scrolled;
}

/** Call `layout` when the root begins elsewhere, since something above it came or went, until `signal` ends it. */
export function onMoved(root: HTMLElement, layout: () => void, signal: AbortSignal): void {
  const page = (root.getRootNode() as ShadowRoot).host.closest("[data-testid=stMainBlockContainer]");
  if (!page) return;
  let top = topOf(root);
  const observer = new ResizeObserver(() => {
    if (Math.abs(topOf(root) - top) < 1) return;
    top = topOf(root);
    layout();
  });
  observer.observe(page);
  signal.addEventListener("abort", () => observer.disconnect());
}
