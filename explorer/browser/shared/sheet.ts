// A matrix as a canvas of its own, with frames over it as elements: a frame moves without a cell being drawn again.

import { cellPainter } from "./cells";
import type { Scale } from "./cells";
import { el } from "./elements";
import { prepareCanvas } from "./look";
import type { Look } from "./look";
import type { Spot } from "./planes";

export interface CellSize {
  width: number;
  height: number;
}
/** Numbers in rows and columns. */
export interface Cells {
  rows: number;
  columns: number;
  value(row: number, column: number): number;
  masked(row: number, column: number): boolean;
}

const GAPLESS = 10; // px: below it cells touch one another

/** The gap between cells of this size, on the screen. */
export function gapOf({ width, height }: CellSize): number {
  return Math.min(width, height) >= GAPLESS ? 1 : 0;
}

/** Draws every cell; fontSize 0 leaves the numbers out. */
export function drawCells(
  canvas: HTMLCanvasElement,
  cells: Cells,
  size: CellSize,
  scale: Scale,
  fontSize: number,
  look: Look,
): ReturnType<typeof prepareCanvas> {
  const { width, height } = size,
    prepared = prepareCanvas(canvas, cells.columns * width, cells.rows * height),
    { context, ratio } = prepared;
  const painter = cellPainter(context, look, ratio, scale, fontSize * ratio),
    gap = gapOf(size) && Math.max(1, Math.round(ratio));
  const across = Math.round(width * ratio) - gap,
    down = Math.round(height * ratio) - gap;
  for (let row = 0; row < cells.rows; row++)
    for (let column = 0; column < cells.columns; column++) {
      const x = Math.round(column * width * ratio),
        y = Math.round(row * height * ratio);
      if (cells.masked(row, column)) painter.masked(x, y, across, down);
      else painter.cell(cells.value(row, column), x, y, across, down);
    }
  return prepared;
}

/** What lies over the canvas of a matrix, all cells of which have one size. */
export class Sheet<Frame extends string> {
  /** The frames, and a ring around all that the focus shows. */
  readonly nodes: HTMLElement[];
  size: CellSize = { width: 0, height: 0 };
  private readonly frames: Map<Frame, HTMLElement>;

  constructor(
    readonly canvas: HTMLCanvasElement,
    frames: readonly Frame[],
  ) {
    this.frames = new Map(frames.map((name) => [name, el("i", { class: `frame ${name}` })]));
    this.nodes = [...this.frames.values(), el("i", { class: "ring" })];
  }

  /** Frames so many rows and columns from a cell on; null hides the frame. */
  frame(name: Frame, spot: Spot | null | undefined, rows = 1, columns = 1): void {
    const { style } = this.frames.get(name)!,
      { width, height } = this.size,
      gap = gapOf(this.size);
    // A frame glides from cell to cell, but does not come flying from where it was last seen.
    style.transition = style.visibility === "visible" ? "" : "none";
    style.visibility = spot ? "visible" : "hidden";
    if (!spot) return;
    style.transform = `translate(${spot.column * width}px,${spot.row * height}px)`;
    style.width = `${columns * width - gap}px`;
    style.height = `${rows * height - gap}px`;
  }

  /** The cell under the pointer, among so many rows and columns. */
  under(event: MouseEvent, rows: number, columns: number): Spot | null {
    const { left, top } = this.canvas.getBoundingClientRect(),
      { width, height } = this.size;
    const row = Math.floor((event.clientY - top) / height),
      column = Math.floor((event.clientX - left) / width);
    return row >= 0 && column >= 0 && row < rows && column < columns ? { row, column } : null;
  }

  /** Keeps a cell in sight when the matrix scrolls inside its card; left, top: what its labels take of the room. */
  reveal(scroller: HTMLElement, { row, column }: Spot, { left, top }: { left: number; top: number }): void {
    if (!scroller.clientWidth) return;
    const { width, height } = this.size;
    scroller.scrollLeft = scrolledTo(column * width, width, scroller.scrollLeft, scroller.clientWidth - left);
    scroller.scrollTop = scrolledTo(row * height, height, scroller.scrollTop, scroller.clientHeight - top);
  }
}

/** Scrolls a box, never the page, to a part of it. left, top, right: how much of it is covered by what is fixed there. */
export function revealIn(
  scroller: HTMLElement,
  node: HTMLElement,
  { left = 0, top = 0, right = 0 } = {},
): void {
  if (!scroller.clientWidth) return;
  const box = scroller.getBoundingClientRect(),
    place = node.getBoundingClientRect();
  const x = place.left - box.left - scroller.clientLeft + scroller.scrollLeft - left,
    y = place.top - box.top - scroller.clientTop + scroller.scrollTop - top;
  scroller.scrollLeft = scrolledTo(x, place.width, scroller.scrollLeft, scroller.clientWidth - left - right);
  scroller.scrollTop = scrolledTo(y, place.height, scroller.scrollTop, scroller.clientHeight - top);
}

/** How far a box has to be scrolled to show so much from a place on; as far as it is where it does. */
export function scrolledTo(at: number, length: number, scrolled: number, room: number): number {
  if (at < scrolled) return at;
  return at + length > scrolled + room ? at + length - room + 8 : scrolled;
}
