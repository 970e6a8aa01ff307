// How large the cells of the matrix are, and what its labels need.

import { cellSize } from "../../../browser/shared/cells";
import type { CellSize } from "../../../browser/shared/sheet";
import type { Plane } from "./data";
import type { Size } from "./decoding";

const LARGEST = 48,
  SMALLEST = 8; // px: a cell of a matrix on a dashboard
const TURN = (48 * Math.PI) / 180; // of names of columns that have no room to stand level

/** Widths of the widest labels: the reserved room must hold them in bold. */
export interface LabelWidths {
  row: number;
  column: number;
  end: number;
}
/**
 * Pixels: a cell, the room above, that of a column's name, that of what the rows write behind them (0 where there is
 * none), and how far turned names reach beyond the cells and that.
 */
export interface CellRoom {
  cell: CellSize;
  top: number;
  column: number;
  ends: number;
  overhang: number;
  isTurned: boolean;
}

export function labelSize({ longest }: Plane, { phone, low }: Size): number {
  return longest <= 8 && !phone && !low ? 14 : 12;
}

/** Room for the names of rows. */
export function leftRoom({ row }: LabelWidths, { phone, dashboard }: Size): number {
  return Math.ceil(Math.min(row, phone ? 78 : dashboard ? 96 : 132)) + 12;
}

/** How wide the matrix is at least. */
export function leastWidth({ longest, width }: Plane, { dashboard }: Size): number {
  return width * (dashboard ? SMALLEST : cellSize(longest, width, 0));
}

/** free: width for the cells. tall: height for all. On a dashboard a cell takes what the card has in each direction; elsewhere it is a square of the usual size. */
export function cellRoom(
  plane: Plane,
  widths: LabelWidths,
  size: Size,
  free: number,
  tall: number,
): CellRoom {
  const { phone, dashboard } = size,
    { width: columns, height: rows, longest, writes } = plane;
  const fitting = (room: number, count: number) =>
    Math.max(SMALLEST, Math.min(LARGEST, Math.floor(room / count)));
  const cellWidth = (room: number) => (dashboard ? fitting(room, columns) : cellSize(longest, columns, room));
  const column = Math.min(widths.column, phone ? 90 : dashboard ? 72 : 120);
  const beyond = (cell: number) => Math.max(0, Math.ceil(column * Math.cos(TURN) - cell / 2 + 16));
  const usual = cellWidth(free),
    isTurned = column > usual + (dashboard ? 3 : -6);
  const across = isTurned && dashboard ? cellWidth(free - beyond(usual)) : usual;
  const top = isTurned ? Math.ceil(column * Math.sin(TURN) + 18) : labelSize(plane, size) + 12;
  const cell = { width: across, height: dashboard ? fitting(tall - top - 10, rows) : across };
  // What the rows write stands beside them, under turned names of columns, and takes nothing from the cells.
  const end = Math.ceil(Math.min(widths.end, 96)) + 12,
    hasEnds = writes.length > 0 && !phone && end <= free - columns * across;
  const ends = hasEnds ? end : 0;
  return { cell, top, column, ends, isTurned, overhang: Math.max(0, (isTurned ? beyond(across) : 0) - ends) };
}
