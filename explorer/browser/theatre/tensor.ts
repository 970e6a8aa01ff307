// Any tensor at one moment of a training: its planes side by side, in one colour scale for all moments that are there.

import { el } from "../shared/elements";
import { pixelSheet, signedScale, sizeScale } from "../shared/cells";
import type { Scale } from "../shared/cells";
import { prepareCanvas } from "../shared/look";
import type { Look } from "../shared/look";
import { formatSigned } from "../shared/numbers";
import type { Grid, Picked } from "./data";

const GAP = 14,
  MOST_CELL = 26;

/** Where a number of it is. */
interface Place {
  plane: number;
  row: number;
  column: number;
}

/** The scale of a tensor over some moments: from 0 where nothing is below it, else symmetric around 0. */
export function scaleOf(pictures: readonly Picked[]): Scale {
  const lowest = Math.min(0, ...pictures.map((each) => each.lowest)),
    highest = Math.max(0, ...pictures.map((each) => each.highest));
  return lowest < 0 ? signedScale(Math.max(-lowest, highest)) : sizeScale(highest);
}

/** How many planes stand beside each other, and how large a cell is, in a room. */
export function arrange(
  planes: number,
  rows: number,
  columns: number,
  room: { width: number; height: number },
): { across: number; cell: number } {
  const options = Array.from({ length: planes }, (_, i) => {
    const across = i + 1,
      down = Math.ceil(planes / across);
    const cell = Math.min(
      (room.width - GAP * (across - 1)) / (across * columns),
      (room.height - GAP * (down - 1)) / (down * rows),
      MOST_CELL,
    );
    return { across, cell: cell >= 2 ? Math.floor(cell) : Math.max(1, Math.floor(cell * 2) / 2) };
  });
  return options.reduce(
    (best, each) => (each.cell > best.cell ? each : best),
    options[0] ?? { across: 1, cell: 1 },
  );
}

export class TensorPicture {
  readonly node = el("canvas", { class: "tensor", role: "img", tabindex: "0" });
  private place: Place | null = null;
  private layout = { across: 1, cell: 1 };
  private shown: Picked | null = null;

  /** changed: called when another number is pointed at. */
  constructor(private readonly changed: () => void) {
    this.node.addEventListener("pointermove", (event) => this.point(this.under(event)));
    this.node.addEventListener("pointerleave", () => this.point(null));
  }

  show(picked: Picked, scale: Scale, look: Look, room: { width: number; height: number }): void {
    const [first] = picked.planes,
      { across, cell } = arrange(picked.planes.length, first.rows, first.columns, room),
      down = Math.ceil(picked.planes.length / across);
    this.layout = { across, cell };
    this.shown = picked;
    const { context, ratio } = prepareCanvas(
      this.node,
      across * (first.columns * cell + GAP) - GAP,
      down * (first.rows * cell + GAP) - GAP,
    );
    context.imageSmoothingEnabled = false;
    picked.planes.forEach((grid, plane) => {
      const { x, y } = this.corner(grid, plane),
        { rows, columns, values } = grid;
      const sheet = pixelSheet(
        look,
        scale,
        rows,
        columns,
        (row, column) => values[row * columns + column],
        () => false,
      );
      context.drawImage(sheet, x * ratio, y * ratio, columns * cell * ratio, rows * cell * ratio);
    });
    this.node.setAttribute(
      "aria-label",
      `${picked.name}, ${picked.whole.join(" × ")}, from ${formatSigned(picked.lowest)} to ${formatSigned(picked.highest)}`,
    );
  }

  /** The number that is pointed at, in words; or how large the whole of it is. */
  get sentence(): string {
    const { shown, place } = this;
    if (!shown) return "";
    const cut =
      shown.planes[0].rows * shown.planes[0].columns * shown.planes.length <
      shown.whole.reduce((product, each) => product * each, 1)
        ? ", its first part"
        : "";
    if (!place)
      return `${shown.whole.join(" × ")}${cut}: from ${formatSigned(shown.lowest)} to ${formatSigned(shown.highest)}`;
    const { planes } = shown,
      index = [
        ...(planes.length > 1 ? [place.plane] : []),
        ...(shown.whole.length > 1 ? [place.row] : []),
        place.column,
      ];
    return `[${index.join(", ")}] is ${formatSigned(planes[place.plane].values[place.row * planes[0].columns + place.column])}`;
  }

  private corner({ rows, columns }: Grid, plane: number): { x: number; y: number } {
    const { across, cell } = this.layout;
    return {
      x: (plane % across) * (columns * cell + GAP),
      y: Math.floor(plane / across) * (rows * cell + GAP),
    };
  }

  private under(event: PointerEvent): Place | null {
    const { left, top } = this.node.getBoundingClientRect(),
      { cell } = this.layout,
      planes = this.shown?.planes ?? [];
    for (const [plane, grid] of planes.entries()) {
      const { x, y } = this.corner(grid, plane),
        column = Math.floor((event.clientX - left - x) / cell),
        row = Math.floor((event.clientY - top - y) / cell);
      if (row >= 0 && column >= 0 && row < grid.rows && column < grid.columns) return { plane, row, column };
    }
    return null;
  }

  private point(place: Place | null): void {
    this.place = place;
    this.changed();
  }
}
