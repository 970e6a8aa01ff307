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
  void document.fonts.ready.then(() => { if (!signal.aborted) layout(); });
}
