// The message of a page's head, and how its lead is written.

import { el } from "../shared/elements";

/** page: its address. lead: its parts, each with the address of the term that it is, or none. tab: title of the tab in the browser. */
export interface Head {
  page: string;
  title: string;
  lead: [href: string, text: string][];
  tab: string;
}

const shown = new WeakMap<Element, string>(); // leads by their elements

/** Write a lead; the same words stay, and with them the focus on one of their links. */
export function showLead(line: HTMLElement, lead: Head["lead"]): void {
  const said = JSON.stringify(lead);
  if (shown.get(line) === said) return;
  shown.set(line, said);
  line.replaceChildren(...lead.map(([href, text]) => (href ? el("a", { href, text }) : text)));
}
