// Popovers of the navigation bar. The browser closes one on Escape and on a click beside it.

import { el } from "../shared/elements";

/** Let a button open an element under itself. id: of the element. opened: called when it is there. */
export function opens(opener: HTMLButtonElement, box: HTMLElement, id: string, opened?: () => void): void {
  Object.assign(box, { id, popover: "auto" });
  opener.setAttribute("popovertarget", id);
  opener.ariaExpanded = "false";
  box.addEventListener("beforetoggle", (event) => {
    const isOpening = event.newState === "open",
      { left, bottom } = opener.getBoundingClientRect();
    opener.ariaExpanded = String(isOpening);
    box.style.setProperty("--left", `${left}px`);
    box.style.setProperty("--top", `${bottom + 4}px`);
  });
  box.addEventListener("toggle", (event) => {
    if (event.newState === "open") opened?.();
  });
}

/** A link in such an element: what it opens, and what is said of that. */
export function line(title: string, note: string, href = ""): HTMLAnchorElement {
  return el("a", { href, "aria-label": title }, el("b", { text: title }), el("span", { text: note }));
}

/** Move the focus among the links of such an element by the arrow keys; false where that leads out of them. */
export function moveAmong(links: HTMLElement[], event: KeyboardEvent): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !links.length) return false;
  event.preventDefault();
  event.stopPropagation();
  const at = links.indexOf(event.target as HTMLElement),
    next = at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step;
  links[next]?.focus();
  return next in links;
}
