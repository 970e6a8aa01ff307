// Rows of numbers cut out of their picture, as large as their place, or a small matrix with a row framed.

import { WEIGHTS, cellPainter, shadeOf, signedScale } from "../shared/cells";
import type { Scale } from "../shared/cells";
import { el, words } from "../shared/elements";
import type { Box } from "../shared/elements";
import { prepareCanvas, readLook } from "../shared/look";
import type { Look } from "../shared/look";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import type { Component, View } from "../shared/mount";
import { penOn } from "../shared/pen";
import type { Pen } from "../shared/pen";
import { onResize } from "../shared/resize";
import { twinPlace, visible } from "../shared/text";
import viewCss from "../shared/view.css";
import css from "./view.css";
import { styled } from "../shared/styles";

type Side = "" | "source" | "target" | "number";
interface Row {
  title: string;
  name: string;
  side: Side;
  labels: string[];
  label_side: Side;
  values: (number | null)[];
  texts: string[];
  framed: number[];
  scale: "weight" | "signed";
}
interface Small {
  values: number[][];
  row: number;
  scale: "weight" | "signed";
}
/** What is sent: what is not finite stands there as a word, since JSON has no number for it. */
type Sent<Shown, Values> = Omit<Shown, "values"> & { values: Values };
type Value = number | string | null;
interface Message {
  rows?: Sent<Row, Value[]>[];
  small?: Sent<Small, (number | string)[][]>;
  said: string;
}

const LEFT = 190,
  WIDEST = 150,
  HEIGHT = 84,
  NAMES = 40,
  BETWEEN = 28,
  MOST_CELLS = 14,
  BARS = 190,
  SMALL = 9;
const WORDS = 24,
  NUMBERS = 26;
const PHONE = 640,
  LINE = 46,
  TITLE = 72,
  LABELS = 104; // narrower than that, rows stand on end, beside one another

class Cut implements View {
  private readonly canvas = el("canvas", { role: "img" });
  private readonly table = el("table");
  private rows: Row[] = [];
  private small: Small | null = null;

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    root.append(this.canvas, el("div", { class: "unseen" }, this.table));
    onResize(root, () => this.draw(), signal);
  }

  update({ data }: Component): void {
    const { rows = [], small, said } = readJson<Message>(data);
    this.rows = rows.map((row) => ({ ...row, values: row.values.map(numberOf) }));
    this.small = small ? { ...small, values: small.values.map((line) => line.map(Number)) } : null;
    this.canvas.setAttribute("aria-label", said);
    this.table.replaceChildren(...this.rows.map(lineOf), ...(this.small?.values ?? []).map(lineOfNumbers));
    this.draw();
  }

  private draw(): void {
    const { rows, small, root } = this,
      look = readLook(root);
    if (small) drawSmall(this.canvas, look, small);
    else if (rows.length && root.clientWidth) drawRows(this.canvas, look, rows, root.clientWidth);
  }
}

/** A row in words, for whoever does not see it. */
function lineOf({ title, name, labels, values, texts }: Row): HTMLElement {
  const cells = values.map((value, i) =>
    words("td", `${visible(labels[i])}${twinPlace(labels, i)} ${value === null ? "covered" : texts[i]}`),
  );
  return el("tr", {}, words("th", `${title} ${visible(name)}`), ...cells);
}
function lineOfNumbers(values: number[]): HTMLElement {
  return el("tr", {}, ...values.map((value) => words("td", String(value))));
}

function numberOf(value: Value): number | null {
  return value === null ? null : Number(value);
}

/** The largest of the finite numbers in size. */
function limitOf(values: (number | null)[]): number {
  return Math.max(1e-9, ...values.map((value) => (Number.isFinite(value) ? Math.abs(value!) : 0)));
}

function scaleOf(kind: Row["scale"], values: (number | null)[]): Scale {
  return kind === "weight" ? WEIGHTS : signedScale(limitOf(values));
}

/** A pen for a canvas that is as large on the page. */
function penFor(canvas: HTMLCanvasElement, width: number, height: number, look: Look): Pen {
  prepareCanvas(canvas, width, height);
  return penOn(canvas, width, height, look);
}

function drawSmall(canvas: HTMLCanvasElement, look: Look, { values, row, scale: kind }: Small): void {
  const width = values[0].length * SMALL,
    scale = scaleOf(kind, values.flat()),
    pen = penFor(canvas, width + 4, values.length * SMALL + 4, look);
  const painter = cellPainter(pen.context, look, 1, scale);
  values.forEach((line, i) =>
    line.forEach((value, k) => painter.cell(value, 2 + k * SMALL, 2 + i * SMALL, SMALL - 0.5, SMALL - 0.5)),
  );
  pen.frame(1, 1 + row * SMALL, width + 2, SMALL + 1, look.target, 2);
}

function drawRows(canvas: HTMLCanvasElement, look: Look, rows: Row[], width: number): void {
  if (
    width < PHONE &&
    rows.every(isShort) &&
    rows.every((row) => row.values.length === rows[0].values.length)
  ) {
    drawOnEnd(canvas, look, rows, width);
    return;
  }
  const left = width < PHONE ? 0 : LEFT,
    above = width < PHONE ? TITLE : 0;
  const heights = rows.map((row) => above + NAMES + (isShort(row) ? HEIGHT : BARS + NAMES) + BETWEEN);
  const pen = penFor(
    canvas,
    width,
    heights.reduce((sum, each) => sum + each, 0),
    look,
  );
  let y = 0;
  rows.forEach((row, i) => {
    new RowPainter(pen, row, { left, above, width, top: y }).draw();
    y += heights[i];
  });
}

function isShort(row: Row): boolean {
  return row.values.length <= MOST_CELLS;
}

/** Rows of the same tokens as columns beside one another: on a phone a cell beside the next would have no room for its number. */
function drawOnEnd(canvas: HTMLCanvasElement, look: Look, rows: Row[], width: number): void {
  const pen = penFor(canvas, width, TITLE + rows[0].values.length * LINE + 4, look),
    cell = Math.min(WIDEST, (width - LABELS) / rows.length);
  rows[0].labels.forEach((label, place) => {
    const weight = rows[0].framed.includes(place) ? 700 : 400;
    pen.text(visible(label), LABELS - 10, TITLE + (place + 0.5) * LINE, colourOf(look, rows[0].label_side), {
      size: WORDS,
      weight,
      align: "right",
      most: LABELS - 12,
    });
  });
  rows.forEach((row, i) => {
    const x = LABELS + i * cell,
      scale = scaleOf(row.scale, row.values);
    pen.text(row.title, x + cell / 2, TITLE - 52, look.ink, {
      size: WORDS,
      weight: 650,
      align: "center",
      most: cell - 6,
    });
    pen.text(visible(row.name), x + cell / 2, TITLE - 22, colourOf(look, row.side), {
      size: WORDS,
      weight: 600,
      align: "center",
      most: cell - 6,
    });
    row.values.forEach((_, place) =>
      drawNumber(pen, row, place, scale, {
        x: x + 2,
        y: TITLE + place * LINE + 2,
        width: cell - 4,
        height: LINE - 4,
      }),
    );
    for (const place of row.framed)
      drawFrame(pen, { x: x + 2, y: TITLE + place * LINE + 2, width: cell - 4, height: LINE - 4 });
  });
}

function colourOf(look: Look, side: Side): string {
  return look[side === "source" || side === "target" ? side : "ink2"];
}

/** A number in its cell, or that it is to be guessed. */
function drawNumber(pen: Pen, row: Row, place: number, scale: Scale, { x, y, width, height }: Box): void {
  const { context, look } = pen,
    value = row.values[place],
    middle = [x + width / 2, y + height / 2] as const;
  if (value === null) {
    pen.frame(x + 2, y + 2, width - 4, height - 4, look.line2, 1.5, [5, 5]);
    pen.text("?", ...middle, look.mute, { size: NUMBERS, weight: 650, align: "center", most: width });
    return;
  }
  const { fill, text } = shadeOf(look, scale, value);
  // The cell of an infinite number would be given its sign, which stands there as the row's own text.
  if (Number.isFinite(value)) cellPainter(context, look, 1, scale).cell(value, x, y, width, height);
  else pen.fill(x, y, width, height, fill);
  pen.text(row.texts[place], ...middle, text, {
    size: NUMBERS,
    weight: row.framed.includes(place) ? 700 : 400,
    align: "center",
    most: width - 6,
  });
}

function drawFrame(pen: Pen, { x, y, width, height }: Box): void {
  pen.frame(x, y, width, height, pen.look.ink, 4);
}

/** Where a row is drawn: what stands at its left and above it. */
interface Room {
  left: number;
  above: number;
  width: number;
  top: number;
}

class RowPainter {
  private readonly scale: Scale;
  private readonly cell: number;
  private readonly top: number;
  constructor(
    private readonly pen: Pen,
    private readonly row: Row,
    private readonly room: Room,
  ) {
    this.scale = scaleOf(row.scale, row.values);
    this.cell = Math.min(WIDEST, (room.width - room.left - 4) / row.values.length);
    this.top = room.top + room.above;
  }

  draw(): void {
    const {
        row,
        top,
        room,
        pen,
        pen: { look },
      } = this,
      isWide = !isShort(row),
      middle = room.above ? room.top + TITLE / 2 : top + NAMES + (isWide ? BARS : HEIGHT) / 2;
    const most = room.above ? room.width : LEFT - 12;
    pen.text(row.title, 0, middle - (row.name ? 15 : 0), look.ink, { size: WORDS, weight: 650, most });
    if (row.name)
      pen.text(visible(row.name), 0, middle + 17, colourOf(look, row.side), {
        size: WORDS,
        weight: 600,
        most,
      });
    if (isWide) this.bars();
    else row.values.forEach((_, place) => this.one(place));
    for (const place of row.framed) this.frame(place, isWide);
  }

  private one(place: number): void {
    const {
        row,
        cell,
        pen,
        pen: { look },
        room,
      } = this,
      x = room.left + place * cell,
      y = this.top + NAMES;
    pen.text(visible(row.labels[place]), x + cell / 2, y - 18, colourOf(look, row.label_side), {
      size: WORDS,
      weight: row.framed.includes(place) ? 700 : 400,
      align: "center",
      most: cell - 6,
    });
    drawNumber(pen, row, place, this.scale, { x, y, width: cell - 2, height: HEIGHT });
  }

  /** More numbers than cells could be read: their lengths, and those that are framed in words. */
  private bars(): void {
    const {
        pen,
        pen: { look },
        row,
        cell,
        room,
      } = this,
      zero = this.top + NAMES + BARS / 2,
      limit = limitOf(row.values);
    pen.fill(room.left, zero - 0.5, cell * row.values.length, 1, look.line2);
    row.values.forEach((value, place) => {
      if (value === null) return;
      const size = Math.max(-1, Math.min(1, value / limit)) * (BARS / 2);
      pen.fill(
        room.left + place * cell,
        Math.min(zero, zero - size),
        Math.max(1, cell - (cell > 4 ? 1.5 : 0)),
        Math.max(1, Math.abs(size)),
        value < 0 ? look.negative : look.positive,
      );
    });
    if (row.values.every((value) => value === null))
      pen.text("?", room.left + (cell * row.values.length) / 2, zero, look.mute, {
        size: 40,
        weight: 650,
        align: "center",
        most: 100,
      });
  }

  private frame(place: number, isWide: boolean): void {
    const { pen, row, cell, room } = this,
      x = room.left + place * cell,
      y = this.top + NAMES;
    drawFrame(pen, {
      x: x - (isWide ? 2 : 0),
      y,
      width: Math.max(6, cell - 2),
      height: isWide ? BARS : HEIGHT,
    });
    if (!isWide || row.values[place] === null) return;
    const at = Math.min(Math.max(room.left, x), Math.max(room.left, room.width - 260));
    pen.text(
      `${visible(row.labels[place])}${twinPlace(row.labels, place)}: ${row.texts[place]}`,
      at,
      y + BARS + 22,
      pen.look.ink,
      {
        size: WORDS,
        weight: 650,
        most: 400,
      },
    );
  }
}

export default styled(
  mounted(".cut", (root, signal) => new Cut(root, signal)),
  viewCss,
  css,
);
