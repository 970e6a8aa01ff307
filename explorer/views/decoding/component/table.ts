// What a card shows when it is asked for; a table of its numbers is built then, and followed as long as it is shown.

import { el, table } from "../../../browser/shared/elements";

/** Words of the button that shows the details of a card. */
export const DETAILS = { closed: "More", open: "Less" };

export interface Row {
  node: HTMLElement;
  cells: HTMLElement[];
}
/** heads: cells above the columns. names: cells before the rows, of which each has so many numbers. */
interface Contents {
  caption: string;
  heads: HTMLElement[];
  names: HTMLElement[];
  width: number;
}

export class FoldedTable {
  readonly node: HTMLElement;
  private built: Row[] | null = null;

  constructor(
    label: string,
    private readonly contents: () => Contents,
  ) {
    this.node = el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": label });
    this.node.hidden = true;
  }

  /** The rows that are to follow: none while they are hidden. */
  get rows(): Row[] {
    return this.node.hidden ? [] : this.built!;
  }

  show(isShown: boolean): void {
    this.node.hidden = !isShown;
    if (isShown) this.built ??= this.build();
  }

  private build(): Row[] {
    const { caption, heads, names, width } = this.contents();
    const rows = names.map((name) => {
      const cells = Array.from({ length: width }, () => el("td"));
      return { cells, node: el("tr", {}, name, ...cells) };
    });
    this.node.append(
      table(
        caption,
        heads,
        rows.map(({ node }) => node),
      ),
    );
    return rows;
  }
}
