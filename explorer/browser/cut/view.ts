// Rows of numbers cut out of their picture, as large as their place, or a small matrix with a row framed.

import { WEIGHTS, cellPainter, signedScale } from "../shared/cells";
import type { Scale } from "../shared/cells";
import { el, words } from "../shared/elements";
import { prepareCanvas, readLook } from "../shared/look";
import type { Look } from "../shared/look";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import type { Component, View } from "../shared/mount";
import { onResize } from "../shared/resize";
import { visible } from "../shared/text";

type Side = "" | "source" | "target" | "number";
interface Row {
  title: string; name: string; side: Side; labels: string[]; label_side: Side; values: (number | null)[]; texts: string[];
  framed: number[]; scale: "weight" | "signed";
}
interface Small { values: number[][]; row: number; scale: "weight" | "signed" }
interface Message { rows?: Row[]; small?: Small; said: string }

const LEFT = 190, WIDEST = 150, HEIGHT = 84, NAMES = 40, BETWEEN = 28, MOST_CELLS = 14, BARS = 190, SMALL = 9;
const WORDS = 24, NUMBERS = 26;
const PHONE = 640, LINE = 46, TITLE = 72, LABELS = 104;   // narrower than that, rows stand on end, beside one another

class Cut implements View {
  private readonly ends = new AbortController();
  private readonly canvas = el("canvas", { role: "img" });
  private readonly table = el("table");
  private message: Message | null = null;

  constructor(private readonly root: HTMLElement) {
    root.append(this.canvas, el("div", { class: "unseen" }, this.table));
    onResize(root, () => this.draw(), this.ends.signal);
  }

  update({ data }: Component): void {
    this.message = readJson<Message>(data);
    this.canvas.setAttribute("aria-label", this.message.said);
    this.table.replaceChildren(...(this.message.rows ?? []).map(lineOf), ...(this.message.small?.values ?? []).map(lineOfNumbers));
    this.draw();
  }

  private draw(): void {
    const { message, root } = this, look = readLook(root);
    if (message?.small) drawSmall(this.canvas, look, message.small);
    else if (message?.rows && root.clientWidth) drawRows(this.canvas, look, message.rows, root.clientWidth);
  }

  dispose(): void { this.ends.abort(); }
}

/** A row in words, for whoever does not see it. */
function lineOf({ title, name, labels, values, texts }: Row): HTMLElement {
  const cells = values.map((value, i) => words("td", `${visible(labels[i])} ${value === null ? "covered" : texts[i]}`));
  return el("tr", {}, words("th", `${title} ${visible(name)}`), ...cells);
}
function lineOfNumbers(values: number[]): HTMLElement { return el("tr", {}, ...values.map((value) => words("td", String(value)))); }

function scaleOf(kind: Row["scale"], values: (number | null)[]): Scale {
  return kind === "weight" ? WEIGHTS : signedScale(Math.max(1e-9, ...values.map((value) => Math.abs(value ?? 0))));
}

/** A canvas on which one draws in pixels of the page. */
function scaled(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const { context, ratio } = prepareCanvas(canvas, width, height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function drawSmall(canvas: HTMLCanvasElement, look: Look, { values, row, scale: kind }: Small): void {
  const width = values[0].length * SMALL, scale = scaleOf(kind, values.flat()), context = scaled(canvas, width + 4, values.length * SMALL + 4);
  const painter = cellPainter(context, look, 1, scale);
  values.forEach((line, i) => line.forEach((value, k) => painter.cell(value, 2 + k * SMALL, 2 + i * SMALL, SMALL - 0.5, SMALL - 0.5)));
  context.strokeStyle = look.target;
  context.lineWidth = 2;
  context.strokeRect(1, 1 + row * SMALL, width + 2, SMALL + 1);
}

function drawRows(canvas: HTMLCanvasElement, look: Look, rows: Row[], width: number): void {
  if (width < PHONE && rows.every(isShort) && rows.every((row) => row.values.length === rows[0].values.length)) {
    drawOnEnd(canvas, look, rows, width);
    return;
  }
  const left = width < PHONE ? 0 : LEFT, above = width < PHONE ? TITLE : 0;
  const heights = rows.map((row) => above + NAMES + (isShort(row) ? HEIGHT : BARS + NAMES) + BETWEEN);
  const context = scaled(canvas, width, heights.reduce((sum, each) => sum + each, 0));
  let y = 0;
  rows.forEach((row, i) => {
    new RowPainter(context, look, row, { left, above, width, top: y }).draw();
    y += heights[i];
  });
}

function isShort(row: Row): boolean { return row.values.length <= MOST_CELLS; }

/** Rows of the same tokens as columns beside one another: on a phone a cell beside the next would have no room for its number. */
function drawOnEnd(canvas: HTMLCanvasElement, look: Look, rows: Row[], width: number): void {
  const pen = new Pen(scaled(canvas, width, TITLE + rows[0].values.length * LINE + 4), look), cell = Math.min(WIDEST, (width - LABELS) / rows.length);
  rows[0].labels.forEach((label, place) => {
    const weight = rows[0].framed.includes(place) ? 700 : 400;
    pen.text(visible(label), LABELS - 10, TITLE + (place + 0.5) * LINE, pen.colour(rows[0].label_side), WORDS, weight, "right", LABELS - 12);
  });
  rows.forEach((row, i) => {
    const x = LABELS + i * cell, scale = scaleOf(row.scale, row.values);
    pen.text(row.title, x + cell / 2, TITLE - 52, look.ink, WORDS, 650, "center", cell - 6);
    pen.text(visible(row.name), x + cell / 2, TITLE - 22, pen.colour(row.side), WORDS, 600, "center", cell - 6);
    row.values.forEach((_, place) => pen.number(row, place, scale, { x: x + 2, y: TITLE + place * LINE + 2, width: cell - 4, height: LINE - 4 }));
    for (const place of row.framed) pen.frame({ x: x + 2, y: TITLE + place * LINE + 2, width: cell - 4, height: LINE - 4 });
  });
}

interface Box { x: number; y: number; width: number; height: number }

/** Draws words, numbers in cells, and frames. */
class Pen {
  constructor(readonly context: CanvasRenderingContext2D, readonly look: Look) {}

  colour(side: Side): string { return this.look[side === "source" || side === "target" ? side : "ink2"]; }

  text(text: string, x: number, y: number, colour: string, size: number, weight: number, align: CanvasTextAlign, most: number): void {
    const { context } = this;
    context.font = `${weight} ${size}px ${this.look.family}`;
    context.fillStyle = colour;
    context.textAlign = align;
    context.textBaseline = "middle";
    context.fillText(text, x, y, most);
  }

  /** A number in its cell, or that it is to be guessed. */
  number(row: Row, place: number, scale: Scale, { x, y, width, height }: Box): void {
    const { context, look } = this, value = row.values[place];
    if (value === null) {
      context.setLineDash([5, 5]);
      context.strokeStyle = look.line2;
      context.lineWidth = 1.5;
      context.strokeRect(x + 2, y + 2, width - 4, height - 4);
      context.setLineDash([]);
      this.text("?", x + width / 2, y + height / 2, look.mute, NUMBERS, 650, "center", width);
      return;
    }
    cellPainter(context, look, 1, scale).cell(value, x, y, width, height);
    const ramp = look.ramps[scale.ramp(value)], colour = ramp.text[Math.round(Math.max(0, Math.min(1, scale.place(value))) * (ramp.text.length - 1))];
    this.text(row.texts[place], x + width / 2, y + height / 2, colour, NUMBERS, row.framed.includes(place) ? 700 : 400, "center", width - 6);
  }

  frame({ x, y, width, height }: Box): void {
    this.context.strokeStyle = this.look.ink;
    this.context.lineWidth = 4;
    this.context.strokeRect(x, y, width, height);
  }
}

/** Where a row is drawn: what stands at its left and above it. */
interface Room { left: number; above: number; width: number; top: number }

class RowPainter {
  private readonly scale: Scale;
  private readonly cell: number;
  private readonly pen: Pen;
  private readonly top: number;
  constructor(private readonly context: CanvasRenderingContext2D, private readonly look: Look, private readonly row: Row, private readonly room: Room) {
    this.scale = scaleOf(row.scale, row.values);
    this.cell = Math.min(WIDEST, (room.width - room.left - 4) / row.values.length);
    this.pen = new Pen(context, look);
    this.top = room.top + room.above;
  }

  draw(): void {
    const { row, top, room } = this, isWide = !isShort(row), middle = room.above ? room.top + TITLE / 2 : top + NAMES + (isWide ? BARS : HEIGHT) / 2;
    const most = room.above ? room.width : LEFT - 12;
    this.pen.text(row.title, 0, middle - (row.name ? 15 : 0), this.look.ink, WORDS, 650, "left", most);
    if (row.name) this.pen.text(visible(row.name), 0, middle + 17, this.pen.colour(row.side), WORDS, 600, "left", most);
    if (isWide) this.bars();
    else row.values.forEach((_, place) => this.one(place));
    for (const place of row.framed) this.frame(place, isWide);
  }

  private one(place: number): void {
    const { row, cell, pen, room } = this, x = room.left + place * cell, y = this.top + NAMES;
    pen.text(visible(row.labels[place]), x + cell / 2, y - 18, pen.colour(row.label_side), WORDS, row.framed.includes(place) ? 700 : 400, "center", cell - 6);
    pen.number(row, place, this.scale, { x, y, width: cell - 2, height: HEIGHT });
  }

  /** More numbers than cells could be read: their lengths, and those that are framed in words. */
  private bars(): void {
    const { context, look, row, cell, room } = this, zero = this.top + NAMES + BARS / 2, limit = Math.max(1e-9, ...row.values.map((value) => Math.abs(value ?? 0)));
    context.fillStyle = look.line2;
    context.fillRect(room.left, zero - 0.5, cell * row.values.length, 1);
    row.values.forEach((value, place) => {
      if (value === null) return;
      const size = (value / limit) * (BARS / 2);
      context.fillStyle = value < 0 ? look.negative : look.positive;
      context.fillRect(room.left + place * cell, Math.min(zero, zero - size), Math.max(1, cell - (cell > 4 ? 1.5 : 0)), Math.max(1, Math.abs(size)));
    });
    if (row.values.every((value) => value === null)) this.pen.text("?", room.left + (cell * row.values.length) / 2, zero, look.mute, 40, 650, "center", 100);
  }

  private frame(place: number, isWide: boolean): void {
    const { look, row, cell, room, pen } = this, x = room.left + place * cell, y = this.top + NAMES;
    pen.frame({ x: x - (isWide ? 2 : 0), y, width: Math.max(6, cell - 2), height: isWide ? BARS : HEIGHT });
    if (!isWide || row.values[place] === null) return;
    const at = Math.min(Math.max(room.left, x), Math.max(room.left, room.width - 260));
    pen.text(`${visible(row.labels[place])}: ${row.texts[place]}`, at, y + BARS + 22, look.ink, WORDS, 650, "left", 400);
  }
}

export default mounted(".cut", (root) => new Cut(root));
