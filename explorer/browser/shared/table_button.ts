// The button that shows and hides a part, such as a table: what was opened stays open when its view is built anew.

import { button, setText } from "./elements";

/** opened: the names of the view's parts that are open; follow is called when this one is opened or closed. */
export function tableButton(
  opened: Set<string>,
  name: string,
  follow: () => void,
  words = { closed: "Table", open: "Hide table" },
): HTMLButtonElement {
  const node = button({ class: "link" }, () => {
    if (!opened.delete(name)) opened.add(name);
    show();
    follow();
  });
  function show(): void {
    node.setAttribute("aria-expanded", String(opened.has(name)));
    setText(node, opened.has(name) ? words.open : words.closed);
  }
  show();
  return node;
}
