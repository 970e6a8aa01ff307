// The links to all pages. They stay where they are from page to page: the one with the focus keeps it.

import { el } from "../shared/elements";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import { hrefOf, isPlain } from "./address";

type Link = [name: string, address: string, query: number];
interface Message {
  here: string;
  queries: string[];
  sections: [title: string, links: Link[]][];
}

let shown: Record<string, string> = {};
/** The choices in the links to pages, by the pages' addresses. */
export const linked = (): Record<string, string> => shown;

export default mounted("nav", (root, signal) => {
  root.addEventListener("click", follow, { signal });
  let written = "";
  return {
    update({ data }): void {
      const { here, queries, sections } = readJson<Message>(data),
        names = JSON.stringify(sections.map(([title, links]) => [title, links.map(([name]) => name)]));
      if (names !== written)
        root.replaceChildren(...sections.flatMap(([title, links]) => section(title, links)));
      written = names;
      shown = Object.fromEntries(
        sections.flatMap(([, links]) => links.map(([, address, query]) => [address, queries[query]])),
      );
      const anchors = root.querySelectorAll("a");
      sections
        .flatMap(([, links]) => links)
        .forEach(([, address, query], i) => {
          anchors[i].href = hrefOf(address, queries[query]);
          if (address === here) anchors[i].setAttribute("aria-current", "page");
          else anchors[i].removeAttribute("aria-current");
        });
    },
  };
});

function section(title: string, links: Link[]): HTMLElement[] {
  const list = el(
    "ul",
    title ? { "aria-label": title } : {},
    ...links.map(([name]) => el("li", {}, el("a", { href: "", text: name }))),
  );
  return title ? [el("p", { "aria-hidden": "true", text: title }), list] : [list];
}

function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  if (!link || event.defaultPrevented || !isPlain(event)) return;
  event.preventDefault();
  // After a click the keys are those of the page that opens; a link that was pressed by a key keeps the focus.
  if (event.detail > 0) link.blur();
  // An address that changes while nobody can answer would lead to no page.
  if (
    document.querySelector("[data-test-connection-state]")?.getAttribute("data-test-connection-state") !==
    "CONNECTED"
  )
    return;
  if (link.href !== location.href) history.pushState({}, "", link.href);
  // As Back and Forward do, by which Streamlit opens the page of an address.
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}
