// The search of the navigation bar. The server answers with links, which the bar follows like those of its menus.

import { fetchAnswer } from "../screen/answer";
import { button, el, svg } from "../shared/elements";
import { onSlash } from "../shared/keys";
import { readJson } from "../shared/message";
import { hrefOf } from "./address";
import { line, moveAmong, opens } from "./popover";

type Hit = [title: string, note: string, address: string, query: string];

const PART = "search",
  PAUSE_MS = 120, // between the last letter and the request
  NOTHING = "Nothing has these words. Terms, blocks, lessons, examples, values and pages can be found.",
  WAITS = "The server does not answer. Trying again …",
  REFUSED = "Nothing can be found here, because the model of this page cannot be opened.";

export class Search {
  private readonly field = el("input", {
    type: "search",
    maxlength: "100",
    placeholder: "Terms, blocks, lessons, examples, values",
    "aria-label": "Search",
    autocomplete: "off",
    spellcheck: "false",
  });
  private readonly hits = el("div", { class: "hits" });
  private readonly status = el("p", { role: "status" });
  private readonly box = el("div", { class: "search" }, this.field, this.status, this.hits);
  private readonly opener = button(
    { class: "search", "aria-label": "Search, key /" },
    () => undefined,
    svg(
      "svg",
      { viewBox: "0 0 16 16", "aria-hidden": "true" },
      svg("circle", { cx: 7, cy: 7, r: 4.5 }),
      svg("path", { d: "M10.5 10.5 14 14" }),
    ),
    el("span", { text: "Search" }),
    el("kbd", { text: "/" }),
  );
  readonly nodes = [this.opener, this.box];
  private turn = 0; // newest text that was sought
  private pause: ReturnType<typeof setTimeout> | undefined;

  /** route: address of the route. links: returns the choices in the links to pages. */
  constructor(
    private readonly route: () => string,
    private readonly links: () => Record<string, string>,
    signal: AbortSignal,
  ) {
    opens(this.opener, this.box, "search", () => {
      this.field.select();
      this.field.focus();
      void this.ask();
    });
    this.field.addEventListener("input", () => {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => void this.ask(), PAUSE_MS);
    });
    this.box.addEventListener("keydown", (event) => this.walk(event));
    onSlash(this.opener, () => this.box.showPopover(), signal, window);
  }

  private walk(event: KeyboardEvent): void {
    const links = [...this.hits.querySelectorAll("a")];
    if (event.key === "Escape") {
      // In a field for a search the key would first take the text away.
      event.preventDefault();
      event.stopPropagation();
      this.box.hidePopover();
      this.opener.focus();
      return;
    }
    if (event.key === "Enter" && event.target === this.field) {
      event.preventDefault();
      void this.ask().then(() => this.hits.querySelector("a")?.click());
    } else if (["ArrowDown", "ArrowUp"].includes(event.key) && !moveAmong(links, event)) this.field.focus();
  }

  /** Show what the text in the field finds; a newer text replaces one that is still being sought. */
  private async ask(): Promise<void> {
    clearTimeout(this.pause);
    const turn = ++this.turn,
      isLeft = () => turn !== this.turn || !this.box.matches(":popover-open"),
      answer = await fetchAnswer(
        this.route(),
        {
          address: location.search.slice(1),
          part: PART,
          event: "typed",
          report: { text: this.field.value },
          links: this.links(),
          last: { views: 0, box: 0 },
        },
        { fails: () => this.show([], WAITS), isLeft },
      );
    if (isLeft()) return;
    const hits = answer?.messages.get(PART);
    if (hits) this.show(readJson<[string, Hit[]][]>(hits), NOTHING);
    else this.show([], REFUSED);
  }

  // Addresses begin with "./", because links to the glossary without it are marked as terms of a text.
  private show(groups: [string, Hit[]][], otherwise: string): void {
    this.status.textContent = groups.length ? "" : otherwise;
    this.hits.replaceChildren(
      ...groups.map(([name, hits]) =>
        el(
          "section",
          { "aria-label": name },
          el("h2", { text: name }),
          ...hits.map(([title, note, address, query]) => line(title, note, `./${hrefOf(address, query)}`)),
        ),
      ),
    );
  }
}
