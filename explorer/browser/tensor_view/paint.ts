// The cells of a plane on a canvas.

import { cellPainter, drawSheet, pixelSheet } from "../shared/cells";
import type { Scale } from "../shared/cells";
import type { Look } from "../shared/look";
import type { Plane } from "../shared/planes";
import { drawCells } from "../shared/sheet";
import type { CellSize } from "../shared/sheet";

/** Below it a cell is a pixel of a picture that is drawn larger; from the other on it has room for its number. */
const SMALL = 10,
  NUMBERED = 34;

export function paintCells(
  canvas: HTMLCanvasElement,
  plane: Plane,
  cell: CellSize,
  scale: Scale,
  look: Look,
): void {
  const {
      rows: { count: rows },
      columns: { count: columns },
      value,
      masked,
    } = plane,
    least = Math.min(cell.width, cell.height);
  if (least < SMALL) return paintStrips(canvas, plane, cell, scale, look);
  drawCells(
    canvas,
    { rows, columns, value, masked },
    cell,
    scale,
    least < NUMBERED ? 0 : Math.max(rows, columns) > 8 ? 12 : 13,
    look,
  );
}

function paintStrips(
  canvas: HTMLCanvasElement,
  plane: Plane,
  { width, height }: CellSize,
  scale: Scale,
  look: Look,
): void {
  const { context, ratio } = paintPixels(
    canvas,
    plane,
    plane.columns.count * width,
    plane.rows.count * height,
    scale,
    look,
  );
  // Rows of a strip are told apart by a line.
  context.fillStyle = look.bg;
  if (height >= SMALL)
    for (let row = 1; row < plane.rows.count; row++)
      context.fillRect(0, Math.round(row * height * ratio) - 1, canvas.width, 1);
}

/** A whole plane in a room of a few pixels a cell, or less. */
export function paintPixels(
  canvas: HTMLCanvasElement,
  plane: Plane,
  width: number,
  height: number,
  scale: Scale,
  look: Look,
): ReturnType<typeof drawSheet> {
  const sheet = pixelSheet(look, scale, plane.rows.count, plane.columns.count, plane.value, plane.masked);
  return drawSheet(canvas, sheet, { width, height }, ({ context, ratio }) => {
    if (plane.tensor.hidden || scale.kind === "mask")
      cellPainter(context, look, ratio, scale).masked(0, 0, canvas.width, canvas.height);
  });
}
