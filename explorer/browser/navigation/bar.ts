// The navigation bar: a way past it, the brand, which leads home, the places, each with a menu of its pages, and the
// search. They stay where they are from page to page: what has the focus keeps it.

import { button, el } from "../shared/elements";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import { opensKin } from "../screen/screen";
import { hrefOf, isPlain } from "./address";
import { line, moveAmong, opens } from "./popover";
import { Search } from "./search";

type Link = [title: string, address: string, line: string, query: number];
/** home: address of the first page, among those that it has. */
interface Message {
  here: string;
  home: string;
  queries: string[];
  places: [name: string, links: Link[]][];
  route: string;
}

let shown: Record<string, string> = {};
/** The choices in the links to pages, by the pages' addresses. */
export const linked = (): Record<string, string> => shown;

export default mounted("nav", (root, signal) => {
  root.addEventListener("click", follow, { signal });
  let written = "",
    route = "";
  const past = root.querySelector<HTMLButtonElement>(".skip")!,
    brand = root.querySelector<HTMLAnchorElement>(".brand")!;
  past.addEventListener("click", skip, { signal });
  const search = new Search(() => route, linked, signal);
  return {
    update({ data }): void {
      const { here, home, queries, places, ...message } = readJson<Message>(data),
        names = JSON.stringify(places.map(([name, links]) => [name, links.map(([title]) => title)]));
      route = message.route;
      if (names !== written) root.replaceChildren(past, brand, ...places.flatMap(place), ...search.nodes);
      written = names;
      shown = Object.fromEntries(
        places.flatMap(([, links]) => links.map(([, address, , query]) => [address, queries[query]])),
      );
      brand.href = hrefOf(home, shown[home]);
      for (const [name, links] of places) {
        const menu = root.querySelector<HTMLElement>(`#${idOf(name)}`)!,
          anchors = menu.querySelectorAll("a");
        links.forEach(([, address, , query], i) => {
          anchors[i].href = hrefOf(address, queries[query]);
          mark(anchors[i], address === here, "page");
        });
        mark(
          menu.previousElementSibling!,
          links.some(([, address]) => address === here),
          "true",
        );
      }
    },
  };
});

function mark(node: Element, isHere: boolean, current: string): void {
  if (isHere) node.setAttribute("aria-current", current);
  else node.removeAttribute("aria-current");
}

/** Focus the title of the page, from which the Tab key goes on. */
function skip(): void {
  const title = document.querySelector<HTMLElement>(".st-key-page h1");
  title?.setAttribute("tabindex", "-1");
  title?.focus();
}

const idOf = (name: string): string => `place-${name.replace(/\W/g, "-")}`;

/** The button of a place, and the menu that it opens. */
function place([name, links]: [string, Link[]]): HTMLElement[] {
  const anchors = links.map(([title, , note]) => line(title, note)),
    menu = el("ul", { "aria-label": name }, ...anchors.map((anchor) => el("li", {}, anchor))),
    opener = button({ text: name }, () => undefined);
  opens(opener, menu, idOf(name));
  menu.addEventListener("keydown", (event) => {
    if (["ArrowDown", "ArrowUp"].includes(event.key) && !moveAmong(anchors, event)) opener.focus();
  });
  opener.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    menu.showPopover();
    moveAmong(anchors, event);
  });
  return [opener, menu];
}

function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  if (!link || event.defaultPrevented || !isPlain(event)) return;
  event.preventDefault();
  const box = link.closest<HTMLElement>("[popover]");
  box?.hidePopover();
  // After a click the keys are those of the page that opens; a link that was pressed by a key leaves the focus near it.
  if (event.detail > 0) (document.activeElement as HTMLElement | null)?.blur();
  else (box?.previousElementSibling as HTMLElement | undefined)?.focus();
  // An address that changes while nobody can answer would lead to no page.
  if (
    document.querySelector("[data-test-connection-state]")?.getAttribute("data-test-connection-state") !==
    "CONNECTED"
  )
    return;
  if (opensKin(link.href)) return;
  if (link.href !== location.href) history.pushState({}, "", link.href);
  // As Back and Forward do, by which Streamlit opens the page of an address.
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}
