// What mistakes have in common, as bars. Each bar is a filter, and says how many of the pairs in the list are its own.

import { button, el, setText, words } from "../../../browser/shared/elements";
import { formatCount, formatPercent, plural } from "../../../browser/shared/numbers";
import { visible } from "../../../browser/shared/text";
import { belongs } from "./data";
import type { Header, Pair, Share } from "./data";

const MOST_ROWS = 8,
  /** Columns of one value each, and of several: these need room for both ends of their label. */
  MOST_VALUES = 11,
  MOST_RANGES = 8;

interface Bar {
  group: string;
  node: HTMLElement;
  fill: HTMLElement;
  label: string;
  listed: HTMLElement;
}

/** All bars of the pictures beside the list. */
export class Pictures {
  readonly node: HTMLElement;
  private readonly bars: Bar[] = [];

  constructor(
    private readonly header: Header,
    private readonly choose: (group: string) => void,
  ) {
    const { firsts, lengths, reference_lengths: written, target_unit: unit, source_unit: read } = header;
    if (!firsts.length) {
      this.node = el(
        "aside",
        {},
        words("p", "Every output is exactly its reference: there is no mistake to look at.", "none"),
      );
      return;
    }
    this.node = el(
      "aside",
      { "aria-label": "What the mistakes have in common" },
      picture(
        "Taken for",
        `at the first wrong ${unit}: what it should be, and what was written`,
        "rows",
        this.confusedRows(),
      ),
      picture(
        "First wrong at",
        `the place of the first wrong ${unit}, from 0`,
        "columns",
        this.columns("first", firsts, (of, n) => `${plural(n, "output")} first wrong at ${unit} ${of}`),
      ),
      picture(
        "Wrong, by length of the source",
        `percent of outputs that are wrong, by ${read}s in the source`,
        "columns",
        this.columns(
          "length",
          lengths,
          (of, n, all) => `${formatCount(n)} of ${plural(all, "source")} of ${of} ${read}s wrong`,
        ),
      ),
      picture(
        "Wrong, by length of the reference",
        `percent of outputs that are wrong, by ${unit}s in the reference`,
        "columns",
        this.columns(
          "reference",
          written,
          (of, n, all) => `${formatCount(n)} of ${plural(all, "reference")} of ${of} ${unit}s wrong`,
        ),
      ),
      picture(
        "Most often missed",
        `${unit}s that are not the most probable, though the decoder had read the reference up to there`,
        "rows",
        this.missedRows(),
      ),
    );
  }

  /** One bar for each of the most frequent confusions of two tokens. */
  private confusedRows(): HTMLElement[] {
    const { confusions } = this.header;
    return confusions
      .slice(0, MOST_ROWS)
      .map(([expected, written, count], i) =>
        this.row(
          `taken-${i}`,
          [
            words("span", this.tokenName(expected)),
            words("span", "→", "arrow"),
            words("span", this.tokenName(written), "taken"),
          ],
          `${this.tokenName(expected)} taken for ${this.tokenName(written)}`,
          count,
          confusions[0][2],
        ),
      );
  }

  /** One bar for each of the tokens that the model misses most often. */
  private missedRows(): HTMLElement[] {
    const { hardest, target_unit: unit } = this.header;
    return hardest
      .slice(0, MOST_ROWS)
      .map(([of, n, right]) =>
        this.row(
          `token-${of}`,
          [words("span", this.tokenName(of))],
          `${this.tokenName(of)} is not the most probable ${unit} in ${n - right} of ${n} places`,
          n - right,
          hardest[0][1] - hardest[0][2],
          `${formatCount(n - right)} of ${formatCount(n)}`,
        ),
      );
  }

  private tokenName(place: number): string {
    return place < 0 ? "nothing" : visible(this.header.tokens[place]);
  }

  private row(
    group: string,
    label: HTMLElement[],
    said: string,
    count: number,
    most: number,
    text = formatCount(count),
  ): HTMLElement {
    const fill = el("i", { class: "fill" }),
      number = words("span", text, "count");
    fill.style.setProperty("--part", String(count / most));
    return this.bar(
      group,
      said,
      fill,
      el("span", { class: "label" }, ...label),
      el("span", { class: "track" }, fill),
      number,
    );
  }

  private columns(
    name: string,
    shares: Header["firsts"],
    said: (of: string, wrong: number, all: number) => string,
  ): HTMLElement[] {
    const columns = columnsOf(shares),
      isCount = name === "first",
      height = ({ n, right }: Column) => (isCount ? n : (n - right) / n);
    const most = Math.max(...columns.map(height));
    return columns.map((column) => {
      const { from, to, n, right } = column,
        of = from === to ? String(from) : `${from}–${to}`,
        fill = el("i", { class: "fill" });
      fill.style.setProperty("--part", String(most ? height(column) / most : 0));
      return this.bar(
        from === to ? `${name}-${from}` : `${name}-${from}-${to}`,
        said(of, n - right, n),
        fill,
        words("small", isCount ? formatCount(n - right) : formatPercent(height(column))),
        el("span", { class: "track" }, fill),
        words("span", of, "of"),
      );
    });
  }

  private bar(group: string, label: string, fill: HTMLElement, ...children: Node[]): HTMLElement {
    const listed = el("span", { class: "unseen" });
    const node = button(
      { class: "bar", title: label },
      () => this.choose(node.getAttribute("aria-pressed") === "true" ? "" : group),
      words("span", label, "unseen"),
      listed,
    );
    for (const child of children) node.append(el("span", { class: "seen", "aria-hidden": "true" }, child));
    this.bars.push({ group, node, fill, label, listed });
    return node;
  }

  /** What a bar counts; empty for none. */
  nameOf(group: string): string {
    return this.bars.find((bar) => bar.group === group)?.label ?? "";
  }

  /** Light the chosen bar, and the part of each that stands in the list. */
  light(group: string, pairs: Pair[], all: Pair[]): void {
    for (const bar of this.bars) {
      const own = belongs(bar.group, this.header),
        isOwn = (pair: Pair) => pair.first !== null && own(pair);
      const total = all.filter(isOwn).length,
        listed = pairs.filter(isOwn).length;
      bar.node.setAttribute("aria-pressed", String(bar.group === group));
      bar.fill.style.setProperty("--listed", String(total ? listed / total : 0));
      setText(bar.listed, `, ${formatCount(listed)} of them in the list`);
    }
  }
}

/** A column of the values `from` to `to`: how many outputs there are, and how many of them are right. */
export interface Column {
  from: number;
  to: number;
  n: number;
  right: number;
}

/** One column for each value, or for equal ranges of them where there are too many for their labels. */
export function columnsOf(shares: readonly Share[]): Column[] {
  const values = shares.map(([of]) => of),
    first = Math.min(...values),
    last = Math.max(...values),
    width = shares.length <= MOST_VALUES ? 1 : Math.ceil((last - first + 1) / MOST_RANGES);
  const columns = new Map<number, Column>();
  for (const [of, n, right] of shares) {
    const from = of - ((of - first) % width),
      column = columns.get(from) ?? { from, to: Math.min(last, from + width - 1), n: 0, right: 0 };
    columns.set(from, { ...column, n: column.n + n, right: column.right + right });
  }
  return [...columns.values()];
}

function picture(title: string, what: string, kind: string, bars: HTMLElement[]): HTMLElement {
  const nothing = words("p", "None.", "none");
  return el(
    "section",
    { class: "picture", "aria-label": title },
    words("h2", title),
    words("p", what, "what"),
    bars.length ? el("div", { class: kind }, ...bars) : nothing,
  );
}
