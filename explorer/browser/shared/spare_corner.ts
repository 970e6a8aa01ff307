// A corner that a picture leaves free, where the page may show a number that is explained: see explorer/shell/page_style.py.

import type { Box } from "./elements";

const LEAST_WIDTH = 300,
  LEAST_HEIGHT = 200;

/** The page that a view stands in. */
function pageOf(node: Node): HTMLElement | null {
  return (node.getRootNode() as Partial<ShadowRoot>).host?.closest<HTMLElement>(".st-key-page") ?? null;
}

/**
 * Tell the page where a picture's corner is, where that is large enough; null takes the offer back.
 *
 * cornerIn: the corner within the picture, were that so wide. What counts is the whole page, which the picture has for
 * itself whenever its corner is taken.
 */
export function offerCorner(picture: HTMLElement, cornerIn: ((width: number) => Box) | null): void {
  const page = pageOf(picture),
    box = page && cornerIn ? cornerIn(page.clientWidth) : null;
  const isOffered = box !== null && box.width >= LEAST_WIDTH && box.height >= LEAST_HEIGHT;
  page?.toggleAttribute("data-corner", isOffered);
  if (!page || !isOffered) return;
  const here = picture.getBoundingClientRect(),
    there = page.getBoundingClientRect();
  const places = {
    left: here.left - there.left + box.x,
    top: here.top - there.top + box.y,
    width: box.width,
    height: box.height,
  };
  for (const [name, length] of Object.entries(places))
    page.style.setProperty(`--corner-${name}`, `${length}px`);
}
