// The large matrix: cells and numbers on a canvas, labels and frames as elements over it.
//
// The whole matrix is drawn once per layer and head. A step only moves the edge of a clip and the frames.

import { shownLabels, WEIGHTS } from "../../../browser/shared/cells";
import { el, setText } from "../../../browser/shared/elements";
import { prepareCanvas } from "../../../browser/shared/look";
import { fixed, plural } from "../../../browser/shared/numbers";
import type { Spot } from "../../../browser/shared/planes";
import { drawCells, Sheet } from "../../../browser/shared/sheet";
import type { CellSize } from "../../../browser/shared/sheet";
import { clip } from "../../../browser/shared/text";
import { headName } from "./data";
import type { Plane } from "./data";
import type { Decoding, Part } from "./decoding";
import type { Heads } from "./heads";
import { cellRoom, labelSize, leastWidth, leftRoom } from "./room";
import type { CellRoom, LabelWidths } from "./room";

const LEAST_READ = 17; // px: of a cell that is more than a spot of colour
const FRAMES = ["row", "cell", "hover", "link-row", "link-column"] as const;

export class Matrix implements Part {
  readonly node: HTMLElement;
  readonly cells = el("canvas", {
    class: "cells",
    role: "img",
    tabindex: "0",
    "aria-roledescription": "matrix",
  });
  private readonly empty = el("canvas", { class: "empty", "aria-hidden": "true" });
  private readonly notYet = el("span");
  private readonly future = el("div", { class: "future", "aria-hidden": "true" }, this.notYet);
  private readonly sheet = new Sheet(this.cells, FRAMES);
  private readonly box = el(
    "div",
    { class: "plane" },
    this.empty,
    this.cells,
    this.future,
    ...this.sheet.nodes,
  );
  private readonly columnLabels: HTMLElement[];
  private readonly rowLabels: HTMLElement[];
  private readonly endLabels: HTMLElement[];
  private readonly endBox: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly labels = { left: 0, top: 0 }; // px for the names of rows and of columns
  private tall = 0; // px: the room for which it was laid out

  constructor(
    private readonly view: Decoding,
    private readonly plane: Plane,
    private readonly heads: Heads,
  ) {
    const label = (text: string) => el("span", { class: "label", title: text, text: clip(text, 40) });
    const box = (name: string, labels: HTMLElement[]) =>
      el("div", { class: name, "aria-hidden": "true" }, ...labels);
    this.columnLabels = plane.columns.map(label);
    this.rowLabels = plane.rows.map(label);
    this.endLabels = plane.writes.map((text) => label(`→ ${text}`));
    this.endBox = box("ends", this.endLabels);
    this.scroller = el(
      "div",
      { class: "scroller" },
      el(
        "div",
        { class: "matrix" },
        el("div", { class: "corner" }),
        box("columns", this.columnLabels),
        box("rows", this.rowLabels),
        this.box,
        this.endBox,
      ),
    );
    this.node = el(
      "div",
      { class: "picture", "data-rows": plane.rowSide, "data-columns": plane.columnSide },
      this.scroller,
      heads.node,
    );
    this.cells.addEventListener("pointermove", (event) => view.hover(this.cellAt(event)));
    this.cells.addEventListener("pointerleave", () => view.hover(null));
    this.cells.addEventListener("click", (event) => view.pick(this.cellAt(event)));
    this.cells.addEventListener("blur", () => view.pick(null));
    // On a dashboard the parts below, which are laid out later, decide how much room is left.
    new ResizeObserver(() => {
      const { clientHeight: tall } = this.node;
      if (view.size.dashboard && tall && tall !== this.tall) this.layout();
    }).observe(this.node);
  }

  // ---- size --------------------------------------------------------------------------------------------------
  private labelWidths(): LabelWidths {
    const context = document.createElement("canvas").getContext("2d")!,
      { plane, view } = this;
    context.font = `650 ${labelSize(plane, view.size)}px ${view.look.family}`;
    const widest = (texts: string[]) =>
      Math.max(0, ...texts.map((text) => context.measureText(clip(text, 40)).width));
    return {
      row: widest(plane.rows),
      column: widest(plane.columns),
      end: widest(this.endLabels.map((node) => node.textContent)),
    };
  }

  layout(): void {
    const {
        plane,
        heads,
        node,
        view: { size },
      } = this,
      widths = this.labelWidths();
    const across = node.clientWidth,
      tall = (this.tall = node.clientHeight);
    this.labels.left = leftRoom(widths, size);
    const isBeside = heads.fit(across, tall, this.labels.left + leastWidth(plane, size));
    node.classList.toggle("wide", isBeside);
    this.place(
      cellRoom(plane, widths, size, across - this.labels.left - 8 - (isBeside ? heads.width + 20 : 0), tall),
    );
    this.drawEmpty();
    this.matrix();
  }

  /** Gives the sheet and its labels their places. */
  private place({ cell, top, column, ends, overhang, isTurned }: CellRoom): void {
    const {
        node,
        box,
        plane,
        labels: { left },
      } = this,
      { width, height } = cell;
    this.sheet.size = cell;
    this.labels.top = top;
    this.endBox.hidden = !ends;
    node.classList.toggle("turned", isTurned);
    const lengths = {
      left,
      top,
      label: labelSize(plane, this.view.size),
      "label-width": isTurned ? column : Math.max(width, column + 6),
      ends,
      overhang,
    };
    for (const [name, length] of Object.entries(lengths)) node.style.setProperty(`--${name}`, `${length}px`);
    Object.assign(box.style, { width: `${plane.width * width}px`, height: `${plane.height * height}px` });
    this.columnLabels.forEach((label, j) => {
      label.style.left = `${(j + 0.5) * width}px`;
    });
    for (const side of [this.rowLabels, this.endLabels])
      side.forEach((label, t) => {
        label.style.top = `${(t + 0.5) * height}px`;
      });
    box.classList.toggle("tiny", this.least < LEAST_READ);
    node.toggleAttribute("data-numbers", this.hasNumbers);
  }

  private get cell(): CellSize {
    return this.sheet.size;
  }
  private get least(): number {
    return Math.min(this.cell.width, this.cell.height);
  }
  private get hasNumbers(): boolean {
    return this.cell.width >= 27 && this.cell.height >= LEAST_READ;
  }

  // ---- drawing -----------------------------------------------------------------------------------------------
  private drawEmpty(): void {
    const {
      plane: { width: columns, height: rows },
      cell: { width, height },
      view: { look },
    } = this;
    const { context, ratio } = prepareCanvas(this.empty, columns * width, rows * height);
    if (this.least < LEAST_READ) return;
    context.strokeStyle = look.line2;
    context.globalAlpha = 0.7;
    context.lineWidth = ratio;
    context.setLineDash([2 * ratio, 3 * ratio]);
    context.beginPath();
    // One lattice, not one box per cell: neighbouring dashes would double into a grey smear.
    const line = (i: number, size: number) => Math.max(0, Math.round(i * size * ratio) - ratio) + ratio / 2;
    for (let t = 0; t <= rows; t++) {
      context.moveTo(0, line(t, height));
      context.lineTo(columns * width * ratio, line(t, height));
    }
    for (let j = 0; j <= columns; j++) {
      context.moveTo(line(j, width), 0);
      context.lineTo(line(j, width), rows * height * ratio);
    }
    context.stroke();
  }

  private draw(): void {
    const { plane, view, cell } = this,
      { trace, look, state } = view,
      fontSize = cell.width >= 34 ? 13 : 12;
    const cells = {
      rows: plane.height,
      columns: plane.width,
      value: (t: number, j: number) => view.weight(t, j),
      masked: plane.masked,
    };
    const { context, ratio } = drawCells(
      this.cells,
      cells,
      cell,
      WEIGHTS,
      this.hasNumbers ? fontSize : 0,
      look,
    );
    if (state.overlay && plane === trace.planes.cross)
      trace.gold?.forEach((row, t) => row.forEach((j) => this.drawRing(context, ratio, t, j)));
  }

  // A ring, not a square: gold is told apart from the selected cell by its shape as well.
  private drawRing(context: CanvasRenderingContext2D, ratio: number, t: number, j: number): void {
    const {
        least,
        hasNumbers,
        cell,
        view: { look },
      } = this,
      isLarge = least >= LEAST_READ;
    // A cell with a number in it gets its ring as a rounded frame: a circle would run through the digits.
    const inset = hasNumbers ? 3.5 : least * 0.2,
      width = cell.width - 1 - 2 * inset,
      height = cell.height - 1 - 2 * inset;
    const round = hasNumbers ? Math.min(8, height / 2) : Math.min(width, height) / 2;
    for (const [colour, line] of [
      [look.bg, isLarge ? 4 : 3],
      [look.ink, isLarge ? 1.75 : 1.25],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = line * ratio;
      context.beginPath();
      context.roundRect(
        (j * cell.width + inset) * ratio,
        (t * cell.height + inset) * ratio,
        width * ratio,
        height * ratio,
        round * ratio,
      );
      context.stroke();
    }
  }

  matrix(): void {
    this.draw();
    this.step();
  }

  // ---- the step, and what is pointed at ----------------------------------------------------------------------
  step(): void {
    const {
        view,
        plane,
        cell: { width, height },
      } = this,
      now = view.row(),
      seen = view.rowsSeen(),
      left = plane.height - seen;
    this.cells.style.clipPath = left ? `inset(0 0 ${left * height + 0.5}px 0)` : "";
    this.empty.style.clipPath = `inset(${seen * height}px 0 0 0)`;
    this.future.style.top = `${seen * height}px`;
    this.future.hidden = left === 0;
    const fits = left * height >= 18 && plane.width * width >= 170;
    setText(this.notYet, fits ? `not there yet at step ${now}` : "");
    for (const side of [this.rowLabels, this.endLabels])
      side.forEach((label, t) => {
        label.classList.toggle("now", t === now);
        label.classList.toggle("later", t >= seen);
      });
    if (plane.columnSide === "target")
      this.columnLabels.forEach((label, j) => label.classList.toggle("later", j > now));
    this.sheet.frame("row", { row: now, column: 0 }, 1, plane.width);
    this.hover();
    this.cells.setAttribute("aria-label", this.summary());
    this.revealStep();
  }

  /** Scrolls the card to the row of the step and to what that row reads most. */
  revealStep(): void {
    const row = this.view.row();
    this.reveal({ row, column: Math.max(0, this.view.peak(row)) });
  }

  private summary(): string {
    const { view, plane } = this,
      { layer, head } = view.state,
      now = view.row(),
      peak = view.peak(now);
    const largest =
      peak < 0
        ? ""
        : ` The largest weight of the row ${plane.rowHeadings[now]} is on ${plane.columnName(peak)}: ${fixed(view.weight(now, peak), 4)}.`;
    return (
      `${plane.title} weights, ${plane.stack} layer ${layer}, ${headName(head, plane.heads)}: ` +
      `${plural(view.rowsSeen(), "row")}, ${plane.rowWords}, by ${plural(plane.width, "column")}, ${plane.columnWords}.` +
      `${largest} Arrow keys move a cell cursor, Escape leaves.`
    );
  }

  hover(): void {
    const { view, plane, sheet } = this,
      now = view.row(),
      picked = view.picked(),
      shown = view.rowsSeen();
    const { row, column, cell } = view.state.hover ?? {};
    sheet.frame("cell", picked);
    sheet.frame("hover", cell && row !== undefined && column !== undefined ? { row, column } : null);
    sheet.frame(
      "link-row",
      !cell && row !== undefined && row !== now ? { row, column: 0 } : null,
      1,
      plane.width,
    );
    // What attends to a token: its column, from its own row on where earlier ones are masked.
    const top = plane.causal ? Math.min(column ?? 0, shown) : 0;
    sheet.frame(
      "link-column",
      !cell && column !== undefined && top < shown ? { row: top, column } : null,
      shown - top,
      1,
    );
    this.light({ row, column }, picked, now);
  }

  /** Says which labels have room, and which are those of what is pointed at. */
  private light({ row, column }: Partial<Spot>, picked: Spot | null, now: number): void {
    const marked = (...places: (number | undefined)[]) => places.filter((i) => i !== undefined);
    const rowShown = shownLabels(this.cell.height, marked(now, row, picked?.row));
    const columnShown = shownLabels(this.cell.width, marked(picked?.column, column));
    for (const side of [this.rowLabels, this.endLabels])
      side.forEach((label, t) => {
        label.classList.toggle("off", !rowShown(t));
        label.classList.toggle("lit", row === t);
      });
    this.columnLabels.forEach((label, j) => {
      label.classList.toggle("off", !columnShown(j));
      label.classList.toggle("lit", column === j);
      label.classList.toggle("now", picked?.column === j);
    });
  }

  private cellAt(event: MouseEvent): (Spot & { cell: true }) | null {
    const spot = this.sheet.under(event, this.view.rowsSeen(), this.plane.width);
    return spot && { ...spot, cell: true };
  }

  /** Keeps the keyboard's cell in sight when the matrix scrolls inside its card. */
  reveal(cell: Spot): void {
    this.sheet.reveal(this.scroller, cell, this.labels);
  }
}
