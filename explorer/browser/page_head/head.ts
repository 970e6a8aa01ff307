// The line at the top of a page: its title, its lead, and the pages of its place. Where the lead does not fit, its tip has
// all of it.

import { follow, linkTo, onLinks, placeOf } from "../navigation/links";
import { el } from "../shared/elements";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import { showLead } from "./words";
import type { Head } from "./words";

const MOST_BESIDE = 4; // pages of a place, for which there is room beside the title

export default mounted("nav", (beside, signal) => {
  let page = "";
  const drawBeside = () => {
    const [name, there] = placeOf(page) ?? ["", []],
      links = there.length > MOST_BESIDE ? [] : there;
    beside.hidden = links.length < 2;
    beside.setAttribute("aria-label", name);
    const anchors = [...beside.querySelectorAll("a")];
    // Keep the links, and the focus on one of them, while the place is the same.
    if (anchors.map((anchor) => anchor.text).join() !== links.map(([title]) => title).join())
      beside.replaceChildren(...links.map(([text]) => el("a", { text })));
    beside.querySelectorAll("a").forEach((anchor, i) => {
      const address = links[i][1];
      anchor.href = linkTo(address);
      if (address === page) anchor.setAttribute("aria-current", "page");
      else anchor.removeAttribute("aria-current");
    });
  };
  beside.addEventListener("click", follow, { signal });
  onLinks(drawBeside, signal);
  return {
    update({ parentElement, data }): void {
      const { title, lead, tab, ...head } = readJson<Head>(data),
        heading = parentElement.querySelector("h1")!,
        line = parentElement.querySelector("p")!;
      page = head.page;
      if (heading.textContent !== title) heading.textContent = title;
      line.hidden = !lead.length;
      line.title = lead.map(([, text]) => text).join("");
      showLead(line, lead);
      drawBeside();
      document.title = tab;
    },
  };
});
