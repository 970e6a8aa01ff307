// How large the cells of the panels of a stage are, and whether they stand around a corner, in a row, or each by itself.

import { cellSize } from "../shared/cells";
import type { Plane } from "../shared/planes";
import type { StageEntry } from "../shared/tensors";

/** What the labels of a panel need: room at the left, room above, and how far turned ones reach beyond the right edge. */
export interface LabelRoom {
  left: number;
  top: number;
  right: number;
  column: number;
  isTurned: boolean;
}
/** A panel as far as its size depends on it: endsRoom is how wide what its rows write is. */
export interface Sized {
  plane: Plane;
  longest: number;
  labelRoom(cell: number): LabelRoom;
  endsRoom(): number;
}
/** What a panel is laid out with; it has the room at its left and above that its own labels need, unless others are beside it. */
export interface Size {
  width: number;
  height: number;
  left?: number;
  top?: number;
  ends?: number;
  hidesRows?: boolean;
  hidesColumns?: boolean;
}
export interface Corner {
  cell: number;
  side: number;
  other: number;
  left: number;
  second: number;
  top: number;
}

/** A few rows of very many columns are as high as their labels. */
const STRIP = 16;
const OPERATOR = 40,
  ARROW = 72,
  BESIDE = 24,
  EDGE = 4,
  LEAST_OTHER = 150,
  LARGEST = 48;

/** Below it a matrix does not shrink for others beside it, or for a narrow card. */
function leastCell(longest: number): number {
  return longest <= 8 ? 20 : longest <= 32 ? 14 : longest <= 64 ? 7 : 2;
}

/** Cell width and height of a panel by itself: square, but for a few rows of very many columns. */
export function ownSize(
  panel: Sized,
  room: number,
  isPhone: boolean,
  tallest: number,
): { width: number; height: number } {
  const { rows, columns } = panel.plane;
  const at = ({ left, right }: LabelRoom) => {
    const space = room - left - right,
      usual = cellSize(panel.longest, columns.count, space);
    // On a phone numbers stay readable and the matrix scrolls; elsewhere it rather shrinks a little.
    return isPhone
      ? usual
      : Math.min(usual, Math.max(leastCell(panel.longest), Math.floor(space / columns.count)));
  };
  let width = at(panel.labelRoom(at(panel.labelRoom(34))));
  if (panel.longest > 64 && rows.count > 24)
    width = Math.min(width, Math.max(2, Math.floor(tallest / rows.count)));
  return { width, height: rowHeight(panel, width) };
}

export function rowHeight({ plane: { rows } }: Sized, cell: number): number {
  return rows.count <= 24 ? Math.max(STRIP, cell) : cell;
}

export function panelWidth(panel: Sized, cell: number, left?: number): number {
  const labels = panel.labelRoom(cell);
  return (left ?? labels.left) + EDGE + panel.plane.columns.count * cell + labels.right;
}

/** How far what the rows write reaches beyond the turned labels of the columns, which stand above it. */
export function beyondEdge(panel: Sized, cell: number): number {
  return Math.max(0, panel.endsRoom() - panel.labelRoom(cell).right);
}

/** The size at which a product fits around its corner; null when it does not, or when its sides do not match. */
export function cornerOf([a, b, c]: readonly Sized[], room: number, tallest: number): Corner | null {
  const rows = a.plane.rows.count,
    inner = a.plane.columns.count,
    columns = b.plane.columns.count;
  if (b.plane.rows.count !== inner || c.plane.rows.count !== rows || c.plane.columns.count !== columns)
    return null;
  const first = cellSize(Math.max(rows, inner, columns), 1, LARGEST),
    least = Math.max(first > 20 ? 16 : 6, Math.floor(tallest / (inner + rows)));
  for (let cell = Math.min(first, least); cell >= 6; cell--) {
    const [own, result] = [a.labelRoom(cell), c.labelRoom(cell)],
      { left } = own,
      second = Math.max(b.labelRoom(cell).left, 18);
    const side = left + EDGE + inner * cell,
      other = Math.max(LEAST_OTHER, second + EDGE + columns * cell + result.right);
    if (side + other <= room) return { cell, side, other, left, second, top: Math.max(own.top, result.top) };
  }
  return null;
}

/** The sizes of panels in one row: as large as each would be by itself, or smaller together as long as they can be read; null where they cannot. */
export function rowSizes(kind: StageEntry["kind"], panels: readonly Sized[], room: number): Size[] | null {
  if (panels.length === 1 && panels[0].longest > 64) return null;
  const between = kind === "sum" || kind === "difference" ? OPERATOR : kind === "map" ? ARROW : BESIDE;
  const space = room - between * (panels.length - 1),
    longest = Math.max(...panels.map((panel) => panel.longest)),
    largest = cellSize(longest, 1, LARGEST);
  const least =
    kind === "difference" ? 4 : longest > 8 && longest <= 16 ? 10 : Math.max(6, leastCell(longest) - 2);
  for (let width = largest; width >= Math.min(least, largest); width--) {
    const taken = panels.reduce((sum, panel) => sum + panelWidth(panel, width), 0);
    if (taken > space) continue;
    const top = Math.max(...panels.map((panel) => panel.labelRoom(width).top));
    const ends = (panel: Sized) =>
      panel === panels.at(-1) && taken + beyondEdge(panel, width) <= space ? panel.endsRoom() : 0;
    return panels.map((panel) => ({ width, height: rowHeight(panel, width), top, ends: ends(panel) }));
  }
  return null;
}
