// The large matrix: cells and numbers on a canvas, labels and frames as elements over it.
//
// The whole matrix is drawn once per layer and head. A step only moves the edge of a clip and the frames.

import { cellPainter, shownLabels, WEIGHTS } from "../../../browser/shared/cells";
import { el, setText } from "../../../browser/shared/elements";
import { prepareCanvas } from "../../../browser/shared/look";
import { fixed, plural } from "../../../browser/shared/numbers";
import type { Spot } from "../../../browser/shared/planes";
import { clip } from "../../../browser/shared/text";
import { headName } from "./data";
import type { Plane } from "./data";
import type { Decoding, Part } from "./decoding";
import type { Heads } from "./heads";
import { cellRoom, labelSize, leastWidth, leftRoom } from "./room";
import type { CellRoom, LabelWidths } from "./room";

const LEAST_READ = 17;   // px: of a cell that is more than a spot of colour
const FRAMES = ["row", "cell", "hover", "link-row", "link-column"] as const;
type Frame = (typeof FRAMES)[number];

export class Matrix implements Part {
  readonly node: HTMLElement;
  readonly cells = el("canvas", { class: "cells", role: "img", tabindex: "0", "aria-roledescription": "matrix" });
  private readonly empty = el("canvas", { class: "empty", "aria-hidden": "true" });
  private readonly notYet = el("span");
  private readonly future = el("div", { class: "future", "aria-hidden": "true" }, this.notYet);
  private readonly frames = Object.fromEntries(FRAMES.map((name) => [name, el("i", { class: `frame ${name}` })])) as Record<Frame, HTMLElement>;
  private readonly sheet = el("div", { class: "plane" }, this.empty, this.cells, this.future, ...Object.values(this.frames), el("i", { class: "ring" }));
  private readonly columnLabels: HTMLElement[];
  private readonly rowLabels: HTMLElement[];
  private readonly endLabels: HTMLElement[];
  private readonly endBox: HTMLElement;
  private readonly scroller: HTMLElement;
  private left = 0;   // px for the names of rows
  private room: CellRoom = { wide: 34, high: 34, top: 0, column: 0, ends: 0, overhang: 0, isTurned: false };

  constructor(private readonly view: Decoding, private readonly plane: Plane, private readonly heads: Heads) {
    const label = (text: string) => el("span", { class: "label", title: text, text: clip(text, 40) });
    const box = (name: string, labels: HTMLElement[]) => el("div", { class: name, "aria-hidden": "true" }, ...labels);
    this.columnLabels = plane.columns.map(label);
    this.rowLabels = plane.rows.map(label);
    this.endLabels = plane.writes.map((text) => label(`→ ${text}`));
    this.endBox = box("ends", this.endLabels);
    this.scroller = el("div", { class: "scroller" }, el("div", { class: "matrix" }, el("div", { class: "corner" }),
      box("columns", this.columnLabels), box("rows", this.rowLabels), this.sheet, this.endBox));
    this.node = el("div", { class: "picture", "data-rows": plane.rowSide, "data-columns": plane.columnSide }, this.scroller, heads.node);
    this.cells.addEventListener("pointermove", (event) => view.hover(this.cellAt(event)));
    this.cells.addEventListener("pointerleave", () => view.hover(null));
    this.cells.addEventListener("click", (event) => view.pick(this.cellAt(event)));
    this.cells.addEventListener("blur", () => view.pick(null));
  }

  // ---- size --------------------------------------------------------------------------------------------------
  private labelWidths(): LabelWidths {
    const context = document.createElement("canvas").getContext("2d")!, { plane, view } = this;
    context.font = `650 ${labelSize(plane, view.size)}px ${view.look.family}`;
    const widest = (texts: string[]) => Math.max(0, ...texts.map((text) => context.measureText(clip(text, 40)).width));
    return { row: widest(plane.rows), column: widest(plane.columns), end: widest(this.endLabels.map((node) => node.textContent)) };
  }

  layout(): void {
    const { plane, heads, node, view: { size } } = this, widths = this.labelWidths();
    const across = node.clientWidth, tall = node.clientHeight;
    this.left = leftRoom(widths, size);
    const isBeside = heads.fit(across, tall, this.left + leastWidth(plane, size));
    this.room = cellRoom(plane, widths, size, across - this.left - 8 - (isBeside ? heads.width + 20 : 0), tall);
    node.classList.toggle("wide", isBeside);
    this.place();
    this.drawEmpty();
    this.matrix();
  }

  /** Gives the sheet and its labels their places. */
  private place(): void {
    const { node, sheet, left, room: { wide, high, top, column, ends, overhang, isTurned } } = this;
    this.endBox.hidden = !ends;
    node.classList.toggle("turned", isTurned);
    const lengths = { left, top, label: labelSize(this.plane, this.view.size), "label-width": isTurned ? column : Math.max(wide, column + 6), ends, overhang };
    for (const [name, length] of Object.entries(lengths)) node.style.setProperty(`--${name}`, `${length}px`);
    sheet.style.width = `${this.plane.width * wide}px`;
    sheet.style.height = `${this.plane.height * high}px`;
    this.columnLabels.forEach((label, j) => { label.style.left = `${(j + 0.5) * wide}px`; });
    for (const side of [this.rowLabels, this.endLabels]) side.forEach((label, t) => { label.style.top = `${(t + 0.5) * high}px`; });
    sheet.classList.toggle("tiny", this.least < LEAST_READ);
    node.toggleAttribute("data-numbers", this.hasNumbers);
  }

  private get least(): number { return Math.min(this.room.wide, this.room.high); }
  private get hasNumbers(): boolean { return this.room.wide >= 27 && this.room.high >= LEAST_READ; }

  // ---- drawing -----------------------------------------------------------------------------------------------
  private drawEmpty(): void {
    const { plane: { width: columns, height: rows }, room: { wide, high }, view: { look } } = this;
    const { context, ratio } = prepareCanvas(this.empty, columns * wide, rows * high);
    if (this.least < LEAST_READ) return;
    context.strokeStyle = look.line2;
    context.globalAlpha = 0.7;
    context.lineWidth = ratio;
    context.setLineDash([2 * ratio, 3 * ratio]);
    context.beginPath();
    // One lattice, not one box per cell: neighbouring dashes would double into a grey smear.
    const line = (i: number, size: number) => Math.max(0, Math.round(i * size * ratio) - ratio) + ratio / 2;
    for (let t = 0; t <= rows; t++) { context.moveTo(0, line(t, high)); context.lineTo(columns * wide * ratio, line(t, high)); }
    for (let j = 0; j <= columns; j++) { context.moveTo(line(j, wide), 0); context.lineTo(line(j, wide), rows * high * ratio); }
    context.stroke();
  }

  private draw(): void {
    const { plane, view, room: { wide, high } } = this, { trace, look, state } = view;
    const { context, ratio } = prepareCanvas(this.cells, plane.width * wide, plane.height * high);
    const gap = this.least >= 10 ? Math.max(1, Math.round(ratio)) : 0, size = wide >= 34 ? 13 : 12;
    const painter = cellPainter(context, look, ratio, WEIGHTS, this.hasNumbers ? size * ratio : 0);
    const width = Math.round(wide * ratio) - gap, height = Math.round(high * ratio) - gap;
    for (let t = 0; t < plane.height; t++) for (let j = 0; j < plane.width; j++) {
      const x = Math.round(j * wide * ratio), y = Math.round(t * high * ratio);
      if (plane.masked(t, j)) painter.masked(x, y, width, height);
      else painter.cell(view.weight(t, j), x, y, width, height);
    }
    if (state.overlay && plane === trace.planes.cross) trace.gold?.forEach((row, t) => row.forEach((j) => this.drawRing(context, ratio, t, j)));
  }

  // A ring, not a square: gold is told apart from the selected cell by its shape as well.
  private drawRing(context: CanvasRenderingContext2D, ratio: number, t: number, j: number): void {
    const { least, hasNumbers, room: { wide, high }, view: { look } } = this, isLarge = least >= LEAST_READ;
    // A cell with a number in it gets its ring as a rounded frame: a circle would run through the digits.
    const inset = hasNumbers ? 3.5 : least * 0.2, width = wide - 1 - 2 * inset, height = high - 1 - 2 * inset;
    const round = hasNumbers ? Math.min(8, height / 2) : Math.min(width, height) / 2;
    for (const [colour, line] of [[look.bg, isLarge ? 4 : 3], [look.ink, isLarge ? 1.75 : 1.25]] as const) {
      context.strokeStyle = colour;
      context.lineWidth = line * ratio;
      context.beginPath();
      context.roundRect((j * wide + inset) * ratio, (t * high + inset) * ratio, width * ratio, height * ratio, round * ratio);
      context.stroke();
    }
  }

  matrix(): void {
    this.draw();
    this.step();
  }

  // ---- the step, and what is pointed at ----------------------------------------------------------------------
  private frame(name: Frame, at: Spot | null, rows: number, columns: number): void {
    const { style } = this.frames[name], { wide, high } = this.room;
    style.visibility = at ? "visible" : "hidden";
    if (!at) return;
    style.transform = `translate(${at.column * wide}px,${at.row * high}px)`;
    style.width = `${columns * wide - 1}px`;
    style.height = `${rows * high - 1}px`;
  }

  step(): void {
    const { view, plane, room: { wide, high } } = this, now = view.row(), seen = view.rowsSeen(), left = plane.height - seen;
    this.cells.style.clipPath = left ? `inset(0 0 ${left * high + 0.5}px 0)` : "";
    this.empty.style.clipPath = `inset(${seen * high}px 0 0 0)`;
    this.future.style.top = `${seen * high}px`;
    this.future.hidden = left === 0;
    const fits = left * high >= 18 && plane.width * wide >= 170;
    setText(this.notYet, fits ? `not there yet at step ${now}` : "");
    for (const side of [this.rowLabels, this.endLabels]) side.forEach((label, t) => {
      label.classList.toggle("now", t === now);
      label.classList.toggle("later", t >= seen);
    });
    if (plane.columnSide === "target") this.columnLabels.forEach((label, j) => label.classList.toggle("later", j > now));
    this.frame("row", { row: now, column: 0 }, 1, plane.width);
    this.hover();
    this.cells.setAttribute("aria-label", this.summary());
  }

  private summary(): string {
    const { view, plane } = this, { layer, head } = view.state, now = view.row(), peak = view.peak(now);
    const largest = peak < 0 ? ""
      : ` The largest weight of the row ${plane.rowHeading(now)} is on ${plane.columns[peak]}: ${fixed(view.weight(now, peak), 4)}.`;
    return `${plane.title} weights, ${plane.stack} layer ${layer}, ${headName(head, plane.heads)}: ` +
      `${plural(view.rowsSeen(), "row")}, ${plane.rowWords}, by ${plural(plane.width, "column")}, ${plane.columnWords}.` +
      `${largest} Arrow keys move a cell cursor, Escape leaves.`;
  }

  hover(): void {
    const { view, plane } = this, now = view.row(), picked = view.picked(), shown = view.rowsSeen();
    const { row, column, cell } = view.state.hover ?? {};
    this.frame("cell", picked, 1, 1);
    this.frame("hover", cell && row !== undefined && column !== undefined ? { row, column } : null, 1, 1);
    this.frame("link-row", !cell && row !== undefined && row !== now ? { row, column: 0 } : null, 1, plane.width);
    // What attends to a token: its column, from its own row on where earlier ones are masked.
    const top = plane.causal ? Math.min(column ?? 0, shown) : 0;
    this.frame("link-column", !cell && column !== undefined && top < shown ? { row: top, column } : null, shown - top, 1);
    this.light({ row, column }, picked, now);
  }

  /** Says which labels have room, and which are those of what is pointed at. */
  private light({ row, column }: Partial<Spot>, picked: Spot | null, now: number): void {
    const marked = (...places: (number | undefined)[]) => places.filter((i) => i !== undefined);
    const rowShown = shownLabels(this.room.high, marked(now, row, picked?.row));
    const columnShown = shownLabels(this.room.wide, marked(picked?.column, column));
    for (const side of [this.rowLabels, this.endLabels]) side.forEach((label, t) => {
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
    const box = this.cells.getBoundingClientRect(), { wide, high } = this.room;
    const column = Math.floor((event.clientX - box.left) / wide), row = Math.floor((event.clientY - box.top) / high);
    const isInside = column >= 0 && column < this.plane.width && row >= 0 && row < this.view.rowsSeen();
    return isInside ? { row, column, cell: true } : null;
  }

  /** Keeps the keyboard's cell in sight when the matrix scrolls inside its card. */
  reveal({ row, column }: Spot): void {
    const { scroller, left, room: { wide, high, top } } = this;
    scroller.scrollLeft = scrolledTo(column * wide, wide, scroller.scrollLeft, scroller.clientWidth - left);
    scroller.scrollTop = scrolledTo(row * high, high, scroller.scrollTop, scroller.clientHeight - top);
  }
}

/** How far a box has to be scrolled to show a cell of this length at this place; as far as it is where it does. */
function scrolledTo(at: number, length: number, scrolled: number, room: number): number {
  if (at < scrolled) return at;
  return at + length > scrolled + room ? at + length - room + 8 : scrolled;
}
