// The terms of a number: in columns with bars, or as the parts of a formula, one a line.

import { tell } from "../shared/bus";
import { el, setText, words } from "../shared/elements";
import { clip, safe, visible } from "../shared/text";
import type { Actions, Explanation, Operand, Term, Words } from "./data";

/** Words in the colour of their role; a token is marked and cut. */
export function shownWords({ text, role }: Words): HTMLElement {
  const isToken = role === "source" || role === "target";
  return el(
    "span",
    role ? { class: role, text: isToken ? clip(visible(text), 24) : safe(text) } : { text: safe(text) },
  );
}

/** An operand: a link where its own explanation can be followed; the page hears when it is pointed at. */
export function operand(actions: Actions, number: Operand): HTMLElement {
  const { cell, at } = number;
  if (!cell || !at) return el("span", { text: number.text, title: number.exact });
  const places = [...new Set([at, cell].map(({ site, index }) => `${site}[${index.join(", ")}]`))];
  const node = el("button", {
    type: "button",
    class: `number ${number.role}`,
    text: number.text,
    title: [number.exact, ...places].join("\n"),
    "aria-label": `${number.symbol} ${number.text}, explain`,
  });
  node.addEventListener("click", () => actions.follow(cell));
  for (const begins of ["pointerenter", "focus"]) node.addEventListener(begins, () => tell("term", at));
  for (const ends of ["pointerleave", "blur"]) node.addEventListener(ends, () => tell("term", null));
  return node;
}

export function buildParts(actions: Actions, data: Explanation): HTMLElement {
  const rows = data.terms.map((term) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", text: safe(term.place) }),
      el(
        "td",
        { class: "of" },
        ...term.numbers.map((number) =>
          el("span", { class: "operand" }, words("i", number.symbol), " ", operand(actions, number)),
        ),
      ),
      el("td", { class: "number", text: term.value, title: term.exact }),
    ),
  );
  return el(
    "table",
    { class: "parts" },
    words("caption", "Parts of the formula", "unseen"),
    el("tbody", {}, ...rows),
  );
}

const LEAST = 3; // terms that are shown even if the sum is then out of sight

/** How the visitor has the terms of a number: by size or by place, all of them or the largest. */
export interface Order {
  about: string;
  bySize: boolean;
  all: boolean;
}
interface Row {
  node: HTMLElement;
  term: Term;
}

/** The terms in columns, the largest first; they can be sorted, and where they are many the largest stand alone. */
export class TermsTable {
  readonly node: HTMLElement;
  readonly order: Order;
  private readonly rows: Row[];
  private readonly body = el("tbody");
  private readonly place = el("button", { type: "button", "aria-label": "Sort by place" });
  private readonly size = el("button", { type: "button", "aria-label": "Sort by size" });
  private readonly more = el("button", { type: "button", class: "link", text: "Show all" });
  private readonly less = el("button", { type: "button", class: "link" });
  private readonly smaller = el("span");
  private readonly restSum = el("td", { class: "number" });
  private readonly rest: HTMLElement;
  private readonly fewer: HTMLElement;
  private readonly sums: HTMLElement;
  private shownLargest: number;
  /** Whether the message has but the largest of the terms. */
  private readonly isCut: boolean;
  private readonly hasValues: boolean;
  private readonly width: number;

  /** before: how the terms were put that stood here. */
  constructor(
    private readonly actions: Actions,
    private readonly data: Explanation,
    before: Order | null,
  ) {
    this.shownLargest = data.largest;
    this.isCut = data.terms.length < data.n_terms;
    this.hasValues = data.value_name !== "";
    this.width = data.columns.length + (this.hasValues ? 3 : 2);
    const about = `${data.site}${data.index}`;
    // The same number of other weights has its terms as they were put.
    const isSame = before?.about === about && !this.isCut;
    this.order = isSame ? before : { about, bySize: true, all: false };
    const isSigned = data.terms.some((term) => term.share < 0);
    this.rows = data.terms.map((term) => this.row(term, isSigned));
    this.rest = el(
      "tr",
      { class: "rest" },
      el("td", { colspan: this.width - 1 }, this.smaller, ...(this.isCut ? [] : [" ", this.more])),
      this.restSum,
    );
    this.sums = this.foot();
    this.fewer = el("tr", { class: "rest" }, el("td", { colspan: this.width }, this.less));
    this.node = el(
      "table",
      { class: "terms" },
      words("caption", "Terms of the sum", "unseen"),
      el("thead", {}, this.head()),
      this.body,
      this.sums,
    );
    this.listen();
    this.draw();
  }

  /** Show as many of the largest terms as leave the sum in sight. */
  fit(isInSight: (sums: Element) => boolean): void {
    this.shownLargest = this.data.largest;
    for (this.draw(); this.shownLargest > LEAST && !this.order.all && !isInSight(this.sums); this.draw())
      this.shownLargest = Math.min(this.shownLargest, this.data.n_terms) - 1;
  }

  private listen(): void {
    this.more.addEventListener("click", () => {
      this.put({ all: true });
      this.rows
        .find((row) => row.node.isConnected)
        ?.node.querySelector("button")
        ?.focus();
    });
    this.less.addEventListener("click", () => {
      this.put({ all: false, bySize: true });
      this.more.focus();
    });
    // In the order of the places only all terms make sense of the sums between.
    this.place.addEventListener("click", () => this.put({ bySize: false, all: true }));
    this.size.addEventListener("click", () => this.put({ bySize: true }));
  }

  private head(): HTMLElement {
    const { columns, value_name: values } = this.data;
    return el(
      "tr",
      {},
      el("th", { scope: "col", class: "place" }, this.place),
      ...columns.map((column) =>
        el(
          "th",
          { scope: "col", class: column.role, title: safe(column.under) },
          column.text,
          ...(column.under ? [words("sub", clip(visible(column.under), 9))] : []),
        ),
      ),
      el("th", { scope: "col", class: "bar" }, this.size),
      ...(this.hasValues ? [words("th", values)] : []),
    );
  }

  private row(term: Term, isSigned: boolean): Row {
    // A term with fewer operands than columns, as a bias, has the last ones.
    const nEmpty = this.data.columns.length - term.numbers.length;
    const node = el(
      "tr",
      term.own ? { class: "own", "aria-current": "true" } : {},
      el(
        "th",
        { scope: "row" },
        words("span", safe(term.place), "where"),
        ...(term.token.text ? [" ", shownWords(term.token)] : []),
      ),
      ...Array.from({ length: nEmpty }, () => el("td")),
      ...term.numbers.map((number) => el("td", { class: "number" }, operand(this.actions, number))),
      el("td", { class: "bar" }, bar(term.share, isSigned)),
      ...(this.hasValues ? [el("td", { class: "number", text: term.value, title: term.exact })] : []),
    );
    return { node, term };
  }

  private foot(): HTMLElement {
    const { total, factor, result } = this.data;
    const line = (name: string, value: string, kind = "") =>
      el(
        "tr",
        kind ? { class: kind } : {},
        el("td", { colspan: this.width - 1, text: name }),
        el("td", { class: "number", text: value }),
      );
    return el(
      "tfoot",
      {},
      ...(total ? [line("sum", total)] : []),
      line(factor || (total ? "result" : "="), result, "result"),
    );
  }

  private put(changes: Partial<Order>): void {
    Object.assign(this.order, changes);
    this.draw();
  }

  private draw(): void {
    const {
      order: { bySize, all },
      data,
      isCut,
      shownLargest,
    } = this;
    const isLong = data.n_terms > shownLargest,
      isWhole = all && !isCut;
    const sorted = [...this.rows].sort((a, b) => (bySize ? a.term.rank - b.term.rank : 0));
    const shown = all ? sorted : sorted.filter((row) => row.term.rank < shownLargest || row.term.own);
    this.body.replaceChildren(
      ...shown.map((row) => row.node),
      ...(isLong ? [isWhole ? this.fewer : this.rest] : []),
    );
    const [count, sum] = data.rests[shownLargest];
    setText(this.smaller, `${count} smaller`);
    setText(this.restSum, sum);
    setText(this.less, `Show the ${shownLargest} largest`);
    setText(this.place, `${data.letter || "term"}${bySize ? "" : " ↑"}`);
    setText(this.size, `size${bySize ? " ↓" : ""}`);
    this.place.setAttribute("aria-pressed", String(!bySize));
    this.size.setAttribute("aria-pressed", String(bySize));
    this.place.disabled = isCut;
  }
}

/** A bar from the middle, to the right where positive, to the left where negative; from the left where none is. */
function bar(share: number, isSigned: boolean): HTMLElement {
  const node = el("i", { class: !isSigned ? "whole" : share < 0 ? "minus" : "plus", "aria-hidden": "true" });
  node.style.width = `${Math.max(Math.abs(share) * (isSigned ? 46 : 92), share ? 1.5 : 0)}%`;
  return node;
}
