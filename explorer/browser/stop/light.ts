// What a lesson lights in a picture: the row that it speaks of, and the cells that it frames in there.

import type { LitRow } from "../shared/bus";
import type { CellPlace } from "../shared/planes";
import type { Board, Frame, Part, Spot } from "./board";
import { extent, shownIn } from "./board";
import type { Model } from "./model";
import { planesShown } from "./words";

/** A row of a part in the light, or a column where its matrix stands turned, with the cells that are framed in it. */
export interface LitPart {
  part: Part;
  row?: number;
  column?: number;
  cells: Spot[];
}

/** Where a picture shows rows of numbers that are lit. */
export function litIn(model: Model, board: Board, held: number, rows: LitRow[]): LitPart[] {
  return board.parts.flatMap((part) =>
    rows.flatMap((row) => litPart(model, part, held, row) ?? []).slice(0, 1),
  );
}

function litPart(
  model: Model,
  part: Part,
  held: number,
  { site, index, size, columns }: LitRow,
): LitPart | null {
  const ends = [
    find(model, part, held, cellOf(site, index, 0)),
    find(model, part, held, cellOf(site, index, size - 1)),
  ];
  const [first, last] = ends,
    shown = shownIn(model, part);
  if (!first || !last) return null;
  const cells = columns.flatMap((place) => find(model, part, held, cellOf(site, index, place)) ?? []);
  if (first.row === last.row)
    return shown.rows.includes(first.row)
      ? { part, row: first.row, cells: cells.filter(({ column }) => shown.columns.includes(column)) }
      : null;
  return first.column === last.column && shown.columns.includes(first.column)
    ? { part, column: first.column, cells }
    : null;
}

function find(model: Model, part: Part, held: number, cell: CellPlace): Spot | null {
  const found = planesShown(model, part, held)
    .map((plane) => plane.find(cell))
    .find((spot) => spot !== null);
  return found ? { part: part.name, ...found } : null;
}

/** A number of a row by its place in there; where an axis is averaged, that of the first place. */
function cellOf(site: string, index: (number | null)[], place: number): CellPlace {
  const whole = index.map((at) => at ?? 0);
  return { site, index: [...whole.slice(0, -1), whole.at(-1)! + place] };
}

/** The frames of what is lit: the row in the colour of its side, and the cells. */
export function framesOf(model: Model, lit: LitPart[]): Frame[] {
  const tone = model.header.row_side || "";
  return lit.flatMap(({ part, row, column, cells }): Frame[] => [
    { part: part.name, row, column, tone },
    ...cells.map((cell): Frame => ({ ...cell, tone: "" })),
  ]);
}

/** How far to the right a line to a row would cross something: the end of what stands beside it. */
export function endBeside(model: Model, board: Board, y: number): number {
  const beside = board.parts.filter(
    (part) => y >= part.y - 4 && y <= part.y + extent(model, part).height + 4,
  );
  return Math.max(
    0,
    ...beside.map((part) => part.x + extent(model, part).width + (part.right?.length ? RIGHT : 0)),
  );
}
const RIGHT = 98;
