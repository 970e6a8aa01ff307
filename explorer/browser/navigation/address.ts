// Where the links to pages lead, and which clicks on them stay in the page.

/** Where a page is, seen from every other one; the first has the bare address. */
export function hrefOf(address: string, query: string): string {
  return `${address || "./"}${query && "?"}${query}`;
}

/** Whether a click is for the page that is open, and not for another tab or window. */
export function isPlain({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !(altKey || ctrlKey || metaKey || shiftKey);
}
