// The heads of one attention as small pictures, their mean first; a click chooses one.

import { el } from "../shared/elements";
import { drawSheet, pixelSheet, WEIGHTS } from "../shared/cells";
import type { Look } from "../shared/look";
import type { Grid } from "./data";
import { ofHead } from "./data";

const MOST_SIDE = 63,
  LEAST_CELL = 2;

export class HeadPictures {
  readonly node = el("div", { class: "heads", role: "group", "aria-label": "Heads" });
  private buttons: { button: HTMLButtonElement; canvas: HTMLCanvasElement }[] = [];
  private count = 0;

  /** choose: called with a head, -1 for the mean. */
  constructor(private readonly choose: (head: number) => void) {}

  lay(nHeads: number): void {
    if (this.count === nHeads) return;
    this.count = nHeads;
    this.buttons = Array.from({ length: nHeads + 1 }, (_, place) => {
      const canvas = el("canvas", { "aria-hidden": "true" }),
        name = place ? `head ${place - 1}` : "mean";
      const button = el(
        "button",
        { type: "button", "aria-pressed": "false" },
        el("span", { class: "frame" }, canvas),
        name,
      );
      button.addEventListener("click", () => this.choose(place - 1));
      return { button, canvas };
    });
    this.node.replaceChildren(...this.buttons.map(({ button }) => button));
  }

  /** heads: null before there are any, which keep their room. room: pixels that one picture may be tall. */
  show(
    heads: Grid[] | null,
    { rows, columns }: { rows: number; columns: number },
    chosen: number,
    look: Look,
    room: number,
  ): void {
    this.buttons.forEach(({ button, canvas }, place) => {
      button.setAttribute("aria-pressed", String(place - 1 === chosen));
      button.disabled = !heads;
      paint(
        canvas,
        heads ? ofHead(heads, place - 1) : { rows, columns, values: new Float32Array(rows * columns) },
        look,
        room,
      );
    });
    this.node.style.visibility = heads ? "" : "hidden";
  }
}

function paint(canvas: HTMLCanvasElement, grid: Grid, look: Look, room: number): void {
  const { rows, columns } = grid;
  paintSmall(
    canvas,
    grid,
    look,
    Math.max(
      LEAST_CELL,
      Math.min(Math.floor(MOST_SIDE / columns), Math.floor(Math.min(MOST_SIDE, room) / rows)),
    ),
  );
}

/** Draw weights with so many pixels for each. */
export function paintSmall(
  canvas: HTMLCanvasElement,
  { rows, columns, values }: Grid,
  look: Look,
  cell: number,
): void {
  const sheet = pixelSheet(
    look,
    WEIGHTS,
    rows,
    columns,
    (row, column) => values[row * columns + column],
    () => false,
  );
  drawSheet(canvas, sheet, { width: columns * cell, height: rows * cell });
}
