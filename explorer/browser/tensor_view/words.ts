// What is said of a cell and of a panel.

import { formatCount, plural } from "../shared/numbers";
import { extremes } from "../shared/planes";
import type { Plane, Spot } from "../shared/planes";
import { numberText } from "../shared/tensors";
import type { Reading, StageEntry } from "../shared/tensors";
import type { PanelSpot } from "./host";

export function cellText(plane: Plane, { row, column }: Spot): string {
  return plane.masked(row, column) ? "masked" : numberText(plane.tensor, plane.value(row, column));
}

export function read(
  { kind, panels }: StageEntry,
  planes: readonly Plane[],
  { panel, row, column }: PanelSpot,
): Reading {
  const plane = planes[panel],
    { tensor, rows, columns } = plane,
    index = [...tensor.lead, ...plane.index(row, column)].join(", ");
  const first = rowWords(plane, row),
    base = {
      first,
      second: columns.words(column),
      value: cellText(plane, { row, column }),
      place: `${tensor.site.split(".").at(-1)}[${index}]`,
    };
  if (kind !== "product" || panel !== 2) {
    return {
      ...base,
      before: "",
      between: first && " · ",
      after: ": ",
      tones: [rows.side, tensor.letter ? `tone-${tensor.letter}` : columns.side],
    };
  }
  const [a, b] = planes,
    { total, size } = a.columns;
  // What is shown of the factors is perhaps a window; their product never is.
  const whole = total < size ? `, summed over all ${formatCount(size)},` : "";
  const tones: [string, string] = [
    a.tensor.letter ? `tone-${a.tensor.letter}` : a.rows.side,
    b.tensor.letter ? `tone-${b.tensor.letter}` : b.columns.side,
  ];
  return {
    ...base,
    before: first ? "Row " : "The row",
    between: ` of ${panels[0].title} times column `,
    after: ` of ${panels[1].title}${whole} gives `,
    tones,
  };
}

function rowWords({ rows }: Plane, row: number): string {
  return rows.names.length ? rows.words(row) : "";
}

/** What a screen reader is told of a whole panel. */
export function summary(title: string, plane: Plane): string {
  const { tensor, rows, columns } = plane,
    found = extremes(plane),
    shape = `${plural(rows.count, "row")} by ${plural(columns.count, "column")}`;
  if (!found) return `${title}: ${shape}, no numbers. Arrow keys move a cell cursor, Escape leaves.`;
  const place = [rowWords(plane, found.row), columns.words(found.column)].filter(Boolean).join(" · ");
  const range = `, from ${numberText(tensor, found.low)} to ${numberText(tensor, found.high)}. Largest in size at ${place}: ${cellText(plane, found)}.`;
  return `${title}: ${shape}, ${tensor.dtype}${tensor.scale === "mask" ? "." : range} Arrow keys move a cell cursor, ${tensor.askable ? "Enter explains, " : ""}Escape leaves.`;
}
