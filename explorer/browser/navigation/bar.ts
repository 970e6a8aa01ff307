// The navigation bar: a way past it, the brand, which leads home, the places, each with a menu of its pages, the
// search, and the link. They stay where they are from page to page: what has the focus keeps it.

import { button, el } from "../shared/elements";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import { follow, keepLinks, linked, linkTo } from "./links";
import type { Places } from "./links";
import { line, moveAmong, opens } from "./popover";
import { Search } from "./search";
import { Share } from "./share";

/** home: address of the first page, among those that it has. share: address for others; empty if it is that of the window. */
interface Message {
  here: string;
  home: string;
  queries: string[];
  places: Places;
  route: string;
  share: string;
}

export default mounted("nav", (root, signal) => {
  root.addEventListener("click", follow, { signal });
  let written = "",
    route = "",
    shared = "";
  const past = root.querySelector<HTMLButtonElement>(".skip")!,
    brand = root.querySelector<HTMLAnchorElement>(".brand")!;
  past.addEventListener("click", skip, { signal });
  const search = new Search(() => route, linked, signal),
    share = new Share(() => shared, signal);
  return {
    update({ data }): void {
      const { here, home, queries, places, ...message } = readJson<Message>(data),
        names = JSON.stringify(places.map(([name, links]) => [name, links.map(([title]) => title)]));
      ({ route, share: shared } = message);
      if (names !== written)
        root.replaceChildren(past, brand, ...places.flatMap(place), ...search.nodes, ...share.nodes);
      written = names;
      keepLinks(places, queries);
      brand.href = linkTo(home);
      for (const [name, links] of places) {
        const menu = root.querySelector<HTMLElement>(`#${idOf(name)}`)!,
          anchors = menu.querySelectorAll("a");
        links.forEach(([, address], i) => {
          anchors[i].href = linkTo(address);
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
function place([name, links]: Places[number]): HTMLElement[] {
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
