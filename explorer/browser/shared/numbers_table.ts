// The numbers of a plane as a table, built when it is asked for.

import { columnHead, el, rowHead, setText, table, words } from "./elements";
import { plural } from "./numbers";
import type { Plane } from "./planes";
import { clip } from "./text";

const ROWS = 100,
  COLUMNS = 64;

/** write: gives every cell its text anew; neither scroll nor focus is lost by it. */
export interface NumbersTable {
  node: HTMLElement;
  box: HTMLElement;
  write(): void;
}

/**
 * The table of some rows and columns of a plane, as many as can be read.
 *
 * caption: what stands above it. text: what stands in a cell.
 */
export function numbersTable(
  title: string,
  caption: HTMLElement,
  { rows, columns }: Plane,
  shown: { rows: readonly number[]; columns: readonly number[] },
  text: (row: number, column: number) => string,
): NumbersTable {
  const down = shown.rows.slice(0, ROWS),
    across = shown.columns.slice(0, COLUMNS);
  const cut = [
    [down, shown.rows, "row"],
    [across, shown.columns, "column"],
  ] as const;
  const left = cut
    .filter(([some, all]) => some.length < all.length)
    .map(([some, all, word]) => `the first ${some.length} of ${plural(all.length, word)}`);
  const cells = down.map(() => across.map(() => el("td")));
  const body = down.map((row, i) =>
    el("tr", {}, rowHead(rows.names.length ? rows.heading(row) : "", rows.side), ...cells[i]),
  );
  const head = across.map((column) => columnHead(clip(columns.label(column), 24), columns.side));
  const box = el(
    "div",
    {
      class: "numbers",
      tabindex: "0",
      role: "region",
      "aria-label": `Table of ${title}`,
      "data-focus": "numbers",
    },
    table(title, [el("td"), ...head], body),
  );
  const node = el(
    "div",
    { class: "as-table" },
    caption,
    ...(left.length ? [words("p", `The table shows ${left.join(" and ")}.`, "thinned")] : []),
    box,
  );
  const write = () =>
    down.forEach((row, i) => across.forEach((column, j) => setText(cells[i][j], text(row, column))));
  write();
  return { node, box, write };
}
