// The cells of a plane on a canvas.

import { cellPainter, pixelSheet } from "../shared/cells";
import type { Scale } from "../shared/cells";
import { prepareCanvas } from "../shared/look";
import type { Look } from "../shared/look";
import type { Plane } from "../shared/planes";

/** Below it a cell is a pixel of a picture that is drawn larger; from the other on it has room for its number. */
const SMALL = 10, NUMBERED = 34;

export function paintCells(canvas: HTMLCanvasElement, plane: Plane, cell: { width: number; height: number }, scale: Scale, look: Look): void {
  const { width, height } = cell, { rows, columns } = plane;
  if (Math.min(width, height) < SMALL) return paintStrips(canvas, plane, cell, scale, look);
  const { context, ratio } = prepareCanvas(canvas, columns.count * width, rows.count * height), isSmall = Math.max(rows.count, columns.count) > 8;
  const painter = cellPainter(context, look, ratio, scale, Math.min(width, height) >= NUMBERED ? (isSmall ? 12 : 13) * ratio : 0);
  const gap = Math.max(1, Math.round(ratio)), across = Math.round(width * ratio) - gap, down = Math.round(height * ratio) - gap;
  for (let row = 0; row < rows.count; row++) for (let column = 0; column < columns.count; column++) {
    const x = Math.round(column * width * ratio), y = Math.round(row * height * ratio);
    if (plane.masked(row, column)) painter.masked(x, y, across, down);
    else painter.cell(plane.value(row, column), x, y, across, down);
  }
}

function paintStrips(canvas: HTMLCanvasElement, plane: Plane, { width, height }: { width: number; height: number }, scale: Scale, look: Look): void {
  const { context, ratio } = paintPixels(canvas, plane, plane.columns.count * width, plane.rows.count * height, scale, look);
  // Rows of a strip are told apart by a line.
  context.fillStyle = look.bg;
  if (height >= SMALL) for (let row = 1; row < plane.rows.count; row++) context.fillRect(0, Math.round(row * height * ratio) - 1, canvas.width, 1);
}

/** A whole plane in a room of a few pixels a cell, or less. */
export function paintPixels(canvas: HTMLCanvasElement, plane: Plane, width: number, height: number, scale: Scale, look: Look): ReturnType<typeof prepareCanvas> {
  const prepared = prepareCanvas(canvas, width, height), { context, ratio } = prepared;
  if (plane.tensor.hidden || scale.kind === "mask") cellPainter(context, look, ratio, scale).masked(0, 0, canvas.width, canvas.height);
  context.imageSmoothingEnabled = false;
  context.drawImage(pixelSheet(look, scale, plane.rows.count, plane.columns.count, plane.value, plane.masked), 0, 0, canvas.width, canvas.height);
  return prepared;
}
