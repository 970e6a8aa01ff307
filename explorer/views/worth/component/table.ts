// The table of all parts: a click on a column's name orders it, a click on a part shows its sentences.

import { button, el, words } from "../../../browser/shared/elements";
import { actOn } from "../../../browser/shared/keys";
import { fixed, formatCount } from "../../../browser/shared/numbers";
import { decimalsOf, ordered, roleText, whole } from "./data";
import type { Estimate, Header, Order, Part, Place } from "./data";

const AT_ONCE = 60;
const TITLES: Record<Place, [name: string, tip: string]> = {
  gold: ["gold", "share of the rows with a gold link whose largest weight is on a gold link"],
  previous: ["−1", "share of rows whose largest weight is one position before"],
  next: ["+1", "share of rows whose largest weight is one position after"],
  rest: [
    "EOS/BOS",
    "share of rows whose largest weight is on EOS of the source, or on BOS where the decoder reads itself",
  ],
};

export class Table {
  readonly node = el("div", { class: "table" });
  private readonly body = el("tbody");
  private readonly heads = new Map<Order, HTMLElement>();
  private readonly more = button({ class: "more" }, () => this.add());
  private listed: Part[] = [];
  private nShown = 0;
  private chosen = -1;
  private readonly decimals: number;

  constructor(
    private readonly header: Header,
    private readonly parts: Part[],
    order: (order: Order) => void,
    private readonly choose: (part: Part) => void,
  ) {
    this.decimals = decimalsOf(parts);
    const columns: [Order, string, string][] = [
      ["place", header.roles.length ? "Head" : "Neuron", "in the order of the model"],
      ["loss", "Loss", "rise of the loss without it, in nats, and its interval"],
      ["exact", "Exact", "fall of the share of exact answers without it, and its interval"],
      ...header.places.map((place): [Order, string, string] => [place, ...TITLES[place]]),
    ];
    const cells = columns.map(([key, name, tip]) => {
      const cell = el(
        "th",
        { scope: "col" },
        button({ title: tip, text: name }, () => order(key)),
      );
      this.heads.set(key, cell);
      return cell;
    });
    this.node.append(
      el(
        "table",
        {},
        words("caption", "What each part is worth", "unseen"),
        el("thead", {}, el("tr", {}, ...cells)),
        this.body,
      ),
      this.more,
    );
    this.body.addEventListener("keydown", (event) => {
      const all = this.buttons(),
        at = all.indexOf(event.target as HTMLElement),
        to = (place: number) => () => all.at(place)?.focus();
      if (at >= 0)
        actOn(event, {
          ArrowDown: to(Math.min(at + 1, all.length - 1)),
          ArrowUp: to(Math.max(at - 1, 0)),
          Home: to(0),
          End: to(-1),
        });
    });
  }

  show(order: Order): void {
    for (const [key, cell] of this.heads) {
      if (key === order) cell.setAttribute("aria-sort", key === "place" ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    }
    const before = this.nShown;
    this.listed = ordered(this.parts, order);
    this.nShown = 0;
    this.body.replaceChildren();
    this.add(Math.max(before, AT_ONCE));
    this.light(this.chosen);
  }

  /** Mark the chosen part. */
  light(index: number): void {
    this.chosen = index;
    this.buttons().forEach((button, i) => {
      const isChosen = this.listed[i].index === index;
      button.setAttribute("aria-pressed", String(isChosen));
      button.setAttribute(
        "tabindex",
        isChosen || (i === 0 && !this.listed.slice(0, this.nShown).some((part) => part.index === index))
          ? "0"
          : "-1",
      );
      button.closest("tr")?.classList.toggle("chosen", isChosen);
    });
  }

  private buttons(): HTMLElement[] {
    return [...this.body.querySelectorAll<HTMLElement>("button")];
  }

  private add(count = AT_ONCE): void {
    const next = this.listed.slice(this.nShown, this.nShown + count);
    this.body.append(...next.map((part) => this.row(part)));
    this.nShown += next.length;
    const left = this.listed.length - this.nShown;
    this.more.hidden = !left;
    this.more.textContent = `${formatCount(Math.min(AT_ONCE, left))} more of ${formatCount(left)}`;
    this.light(this.chosen);
  }

  private row(part: Part): HTMLElement {
    const role = roleText(part);
    const button = el(
      "button",
      {
        type: "button",
        "aria-label": `${whole(part)}${role ? `, ${role}` : ""}: show the sentences that need it most`,
      },
      words("b", part.row ? `${part.layer}.${part.number}` : part.name),
      ...(part.row ? [` ${part.row}`] : []),
      ...(role ? [words("small", role, "role")] : []),
    );
    const row = el(
      "tr",
      {},
      el("th", { scope: "row" }, button),
      estimate(part.loss, this.decimals),
      estimate(part.exact, 3),
      ...this.header.places.map((place) => share(part.shares[place], part.role === place)),
    );
    row.addEventListener("click", () => this.choose(part));
    return row;
  }
}

function estimate({ value, low, high }: Estimate, decimals: number): HTMLElement {
  return el(
    "td",
    {},
    words("span", fixed(value, decimals)),
    words("small", `${fixed(low, decimals)} to ${fixed(high, decimals)}`),
  );
}

function share(value: number | null, isName: boolean): HTMLElement {
  const cell = el("td", { class: isName ? "share named" : "share" }, value === null ? "" : fixed(value, 2));
  if (value !== null) cell.style.setProperty("--part", String(value));
  return cell;
}
