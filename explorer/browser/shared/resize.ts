// When a view has to lay itself out anew.

const again = new WeakMap<Element, () => void>(); // looks at the size of a view, by its root

/**
 * Call `layout` until `signal` ends it: when the window or the root's width changes, when the root begins elsewhere
 * because something above it came or went, and once the page's typeface is there.
 */
export function onResize(root: HTMLElement, layout: () => void, signal: AbortSignal): void {
  let width = 0,
    top = topOf(root);
  window.addEventListener("resize", layout, { signal });
  const observer = new ResizeObserver(() => {
    if (root.clientWidth === width && Math.abs(topOf(root) - top) < 1) return;
    width = root.clientWidth;
    top = topOf(root);
    layout();
  });
  observer.observe(root);
  again.set(root.closest("[data-look]") ?? root, () => {
    width = -1;
    observer.unobserve(root);
    observer.observe(root);
  });
  const page = hostOf(root)?.closest("[data-testid=stMainBlockContainer]");
  if (page) observer.observe(page);
  signal.addEventListener("abort", () => observer.disconnect());
  // Text is measured with the page's typeface, which may arrive after the first drawing.
  void document.fonts.ready.then(() => {
    if (!signal.aborted) layout();
  });
}

/** Lay a view out once it has room. It may have had some before and after, and none for less than a frame. */
export function awaitRoom(root: Element): void {
  again.get(root)?.();
}

/** Where an element begins in its page, however far that is scrolled. */
export function topOf(root: HTMLElement): number {
  const scrolled = hostOf(root)?.closest("[data-testid=stMain]")?.scrollTop ?? 0;
  return root.getBoundingClientRect().top + scrolled;
}

function hostOf(root: HTMLElement): Element | null {
  const tree = root.getRootNode();
  return tree instanceof ShadowRoot ? tree.host : null;
}
