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
  const heights = rows.map((row) => NAMES + (row.values.length > MOST_CELLS ? BARS + NAMES : HEIGHT) + BETWEEN);
  const context = scaled(canvas, width, heights.reduce((sum, each) => sum + each, 0));
  let y = 0;
  rows.forEach((row, i) => {
    new RowPainter(context, look, row, width, y).draw();
    y += heights[i];
  });
}

class RowPainter {
  private readonly scale: Scale;
  private readonly cell: number;
  constructor(private readonly context: CanvasRenderingContext2D, private readonly look: Look, private readonly row: Row, private readonly width: number, private readonly top: number) {
    this.scale = scaleOf(row.scale, row.values);
    this.cell = Math.min(WIDEST, (width - LEFT - 4) / row.values.length);
  }

  draw(): void {
    const { row, look, top } = this, isWide = row.values.length > MOST_CELLS, middle = top + NAMES + (isWide ? BARS : HEIGHT) / 2;
    this.text(row.title, 0, middle - (row.name ? 15 : 0), look.ink, WORDS, 650, "left", LEFT - 12);
    if (row.name) this.text(visible(row.name), 0, middle + 17, look[row.side === "source" || row.side === "target" ? row.side : "ink2"], WORDS, 600, "left", LEFT - 12);
    if (isWide) this.bars();
    else row.values.forEach((_, place) => this.one(place));
    for (const place of row.framed) this.frame(place, isWide);
  }

  private one(place: number): void {
    const { context, look, row, cell, scale } = this, value = row.values[place], x = LEFT + place * cell, y = this.top + NAMES, isFramed = row.framed.includes(place);
    this.text(visible(row.labels[place]), x + cell / 2, y - 18, this.colour(row.label_side), WORDS, isFramed ? 700 : 400, "center", cell - 6);
    if (value === null) {
      context.setLineDash([5, 5]);
      context.strokeStyle = look.line2;
      context.lineWidth = 1.5;
      context.strokeRect(x + 2, y + 2, cell - 6, HEIGHT - 4);
      context.setLineDash([]);
      this.text("?", x + cell / 2 - 1, y + HEIGHT / 2, look.mute, NUMBERS, 650, "center", cell);
      return;
    }
    cellPainter(context, look, 1, scale).cell(value, x, y, cell - 2, HEIGHT);
    const ramp = look.ramps[scale.ramp(value)], colour = ramp.text[Math.round(Math.max(0, Math.min(1, scale.place(value))) * (ramp.text.length - 1))];
    this.text(row.texts[place], x + cell / 2 - 1, y + HEIGHT / 2, colour, NUMBERS, isFramed ? 700 : 400, "center", cell - 8);
  }

  /** More numbers than cells could be read: their lengths, and those that are framed in words. */
  private bars(): void {
    const { context, look, row, cell } = this, zero = this.top + NAMES + BARS / 2, limit = Math.max(1e-9, ...row.values.map((value) => Math.abs(value ?? 0)));
    context.fillStyle = look.line2;
    context.fillRect(LEFT, zero - 0.5, cell * row.values.length, 1);
    row.values.forEach((value, place) => {
      if (value === null) return;
      const size = (value / limit) * (BARS / 2);
      context.fillStyle = value < 0 ? look.negative : look.positive;
      context.fillRect(LEFT + place * cell, Math.min(zero, zero - size), Math.max(1, cell - (cell > 4 ? 1.5 : 0)), Math.max(1, Math.abs(size)));
    });
    if (row.values.every((value) => value === null)) this.text("?", LEFT + (cell * row.values.length) / 2, zero, look.mute, 40, 650, "center", 100);
  }

  private frame(place: number, isWide: boolean): void {
    const { context, look, row, cell } = this, x = LEFT + place * cell, y = this.top + NAMES;
    context.strokeStyle = look.ink;
    context.lineWidth = 4;
    context.strokeRect(x - (isWide ? 2 : 0), y, Math.max(6, cell - 2), isWide ? BARS : HEIGHT);
    if (isWide && row.values[place] !== null) this.text(`${visible(row.labels[place])}: ${row.texts[place]}`, Math.min(Math.max(LEFT, x), this.width - 260), y + BARS + 22, look.ink, WORDS, 650, "left", 400);
  }

  private colour(side: Side): string { return this.look[side === "source" || side === "target" ? side : "ink2"]; }

  private text(text: string, x: number, y: number, colour: string, size: number, weight: number, align: CanvasTextAlign, most: number): void {
    const { context } = this;
    context.font = `${weight} ${size}px ${this.look.family}`;
    context.fillStyle = colour;
    context.textAlign = align;
    context.textBaseline = "middle";
    context.fillText(text, x, y, most);
  }
}

export default mounted(".cut", (root) => new Cut(root));
