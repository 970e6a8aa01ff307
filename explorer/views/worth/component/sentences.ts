// The sentences that need a part most: each token of the reference with what it loses without the part.

import { button, el, words } from "../../../browser/shared/elements";
import { fixed } from "../../../browser/shared/numbers";
import { areLetters, visible } from "../../../browser/shared/text";
import { roleText, whole } from "./data";
import type { Header, Part, Strongest } from "./data";

export type Open = (part: Part, pair: Strongest, without: boolean) => void;

export class Sentences {
  readonly node = el("section", { class: "sentences", "aria-live": "polite" });

  constructor(
    private readonly header: Header,
    private readonly open: Open,
  ) {}

  show(part: Part): void {
    const role = roleText(part),
      full = Math.max(...part.strongest.flatMap(({ losses }) => losses.map(Math.abs)));
    this.node.setAttribute("aria-label", `Sentences that need ${whole(part)} most`);
    this.node.replaceChildren(
      el(
        "h2",
        {},
        `Sentences that need ${part.row ? `head ${part.layer}.${part.number}` : part.name} most `,
        ...(role ? [words("span", role, "role")] : []),
      ),
      words(
        "p",
        `Bar: how much less log P a ${this.header.target_unit} of the reference has without it, up to ${fixed(full, 2)}. Below: what is then more probable.`,
        "what",
      ),
      el("ol", {}, ...part.strongest.map((each) => this.row(part, each, full))),
    );
  }

  private row(part: Part, each: Strongest, full: number): HTMLElement {
    const text = each.source.map(visible).join(areLetters(this.header.source_unit) ? "" : " ");
    const way = (label: string, without: boolean, said: string) =>
      button({ class: "open", text: label, "aria-label": `${said}: ${text}` }, () =>
        this.open(part, each, without),
      );
    return el(
      "li",
      { class: areLetters(this.header.target_unit) ? "letters" : "" },
      el("div", { class: "texts" }, words("p", text, "source"), this.reference(each, full)),
      el("span", { class: "cost" }, words("small", "log P"), words("span", fixed(-each.cost, 2))),
      el(
        "div",
        { class: "ways" },
        way("Look", false, "Look at it where it stands"),
        way("Without it", true, "What if it were off"),
      ),
    );
  }

  private reference({ reference, best, losses }: Strongest, full: number): HTMLElement {
    const tokens = reference.map((token, i) => {
      const isOther = best[i] !== token,
        bar = el("span", { class: losses[i] < 0 ? "bar better" : "bar" }, words("span", visible(token)));
      bar.style.setProperty("--loss", String(full ? Math.abs(losses[i]) / full : 0));
      const place = el(
        "span",
        { class: isOther ? "place other" : "place", title: `log P ${fixed(-losses[i], 3)}` },
        bar,
      );
      if (isOther) place.append(words("span", visible(best[i]), "instead"));
      return place;
    });
    const said = reference
      .map((token, i) => (best[i] === token ? visible(token) : `${visible(token)}, then ${visible(best[i])}`))
      .join(" ");
    return el("div", { class: "places", role: "img", "aria-label": said }, ...tokens);
  }
}
