// The cells of a matrix on a canvas: how large they are, which colour a number has, and what else is drawn in one.

import { prepareCanvas, rampIndex } from "./look";
import type { Look, RampName } from "./look";
import { fixed } from "./numbers";

/** Cell size by the longer side, shrunk for few and for very many columns until the picture fits the room. */
export function cellSize(longest: number, columns: number, room: number): number {
  if (longest <= 8) return Math.max(34, Math.min(48, Math.floor(room / columns)));
  if (longest <= 16) return 34;
  if (longest <= 32) return 20;
  if (longest <= 64) return 10;
  return Math.max(2, Math.min(10, Math.floor(room / columns)));
}

/** As many labels as have room where cells are smaller than a line of text, with the marked ones always there. */
export function shownLabels(cell: number, marked: number[]): (i: number) => boolean {
  const every = Math.ceil(14 / cell);
  const crowd = Math.ceil(15 / cell);
  return (i) =>
    marked.includes(i) || (i % every === 0 && (every === 1 || marked.every((m) => Math.abs(m - i) >= crowd)));
}

/** Says of a value which ramp it is on and how far along, whether it lies beyond, and what a cell writes. */
export interface Scale {
  kind: "weight" | "signed" | "size" | "mask";
  limit?: number;
  ramp(value: number): RampName;
  place(value: number): number;
  beyond(value: number): boolean;
  faint(value: number): boolean;
  bold(value: number): boolean;
  write(value: number): string;
}

export const WEIGHTS: Scale = {
  kind: "weight",
  ramp: () => "weight",
  place: (value) => value,
  beyond: (value) => value > 1.00001 || value < 0,
  faint: (value) => value < 0.1,
  bold: (value) => value >= 0.3,
  write: (value) => fixed(value, 2),
};
/** Symmetric around 0, up to a limit on both sides. */
export function signedScale(limit: number): Scale {
  const place = (value: number) => (limit > 0 ? Math.abs(value) / limit : Number(value !== 0));
  return {
    kind: "signed",
    limit,
    place,
    ramp: (value) => (value < 0 ? "minus" : "plus"),
    // The limit itself is a float32 that has been through a division.
    beyond: (value) => Math.abs(value) > limit * 1.000001,
    faint: (value) => place(value) < 0.1,
    bold: () => false,
    write: shortNumber,
  };
}
/** In one colour from 0 to the largest, for what is never below 0. */
export function sizeScale(limit: number): Scale {
  const place = (value: number) => (limit > 0 ? value / limit : 0);
  return {
    kind: "size",
    limit,
    place,
    ramp: () => "weight",
    beyond: (value) => value > limit * 1.000001 || value < 0,
    faint: (value) => place(value) < 0.1,
    bold: () => false,
    write: shortNumber,
  };
}
/** Yes or no. */
export const MASK: Scale = {
  kind: "mask",
  ramp: () => "weight",
  place: (value) => (value ? 0.6 : 0),
  beyond: () => false,
  faint: (value) => !value,
  bold: () => false,
  write: (value) => (value ? "yes" : "no"),
};
/** Two decimals, or as many as five letters have room for. */
function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 9999.5 && Number.isFinite(value))
    return `${value < 0 ? "−" : ""}1e${Math.floor(Math.log10(size))}`;
  return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

/** The colour of a number on a scale, and that of text on it. */
export function shadeOf({ ramps }: Look, scale: Scale, value: number): { fill: string; text: string } {
  const ramp = ramps[scale.ramp(value)],
    index = rampIndex(scale.place(value));
  return { fill: ramp.fill[index], text: ramp.text[index] };
}
/** The colour of a number on a scale as a pixel. */
export function pixelOf({ ramps, errorPixel }: Look, scale: Scale, value: number): number {
  return Number.isNaN(value) ? errorPixel : ramps[scale.ramp(value)].pixels[rampIndex(scale.place(value))];
}

/** A tile of the hatch for what is masked: lines at 45°, 5 px apart. */
export function hatch(look: Look, ratio: number): HTMLCanvasElement {
  const tile = document.createElement("canvas"),
    size = Math.round(7 * ratio);
  tile.width = tile.height = size;
  const context = tile.getContext("2d")!;
  context.strokeStyle = look.hatch;
  context.lineWidth = 1.1 * ratio;
  context.beginPath();
  for (const start of [-size, 0, size]) {
    context.moveTo(start, size);
    context.lineTo(start + size, 0);
  }
  context.stroke();
  return tile;
}

/** A rectangle in device pixels. */
type Box = readonly [x: number, y: number, width: number, height: number];

/** Paints cells one by one, in device pixels. fontSize 0 leaves the numbers out; family is the page's. */
export function cellPainter(
  context: CanvasRenderingContext2D,
  look: Look,
  ratio: number,
  scale: Scale,
  fontSize = 0,
): CellPainter {
  return new CellPainter(context, look, ratio, scale, fontSize);
}

class CellPainter {
  // One pattern for the whole plane, so that the lines of the hatch run on from cell to cell.
  private pattern: CanvasPattern | null = null;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly look: Look,
    private readonly ratio: number,
    private readonly scale: Scale,
    private readonly fontSize: number,
  ) {
    context.textAlign = "center";
    context.textBaseline = "middle";
  }

  masked(...box: Box): void {
    this.context.fillStyle = this.pattern ??= this.context.createPattern(
      hatch(this.look, this.ratio),
      "repeat",
    )!;
    this.context.fillRect(...box);
  }

  cell(value: number, ...box: Box): void {
    if (Number.isNaN(value)) return this.cross(...box);
    const { look, scale, ratio } = this,
      [, , width, height] = box;
    const { fill, text } = shadeOf(look, scale, value),
      isFinite = Number.isFinite(value);
    const isNo = scale.kind === "mask" && !value;
    if (isNo) this.masked(...box);
    else {
      this.context.fillStyle = fill;
      this.context.fillRect(...box);
    }
    if (isFinite && scale.beyond(value)) this.cutCorner(...box);
    const size = this.fontSize || (!isFinite && Math.min(width, height) >= 14 * ratio ? 12 * ratio : 0);
    const colour = isNo || scale.faint(value) ? look.mute : text;
    if (size) this.write(value, size, colour, box, isNo);
    else if (!isFinite) this.dot(...box);
  }

  private write(
    value: number,
    size: number,
    colour: string,
    [x, y, width, height]: Box,
    isOnHatch: boolean,
  ): void {
    const { context, look, scale } = this,
      text = scale.write(value);
    context.font = `${scale.bold(value) ? 600 : 400} ${size}px ${look.family}`;
    if (isOnHatch) {
      const paper = context.measureText(text).width + 6 * this.ratio;
      context.fillStyle = look.bg;
      context.fillRect(x + (width - paper) / 2, y + (height - size * 1.2) / 2, paper, size * 1.2);
    }
    context.fillStyle = colour;
    context.fillText(text, x + width / 2, y + height / 2 + size * 0.06);
  }

  private cross(x: number, y: number, width: number, height: number): void {
    const { context } = this;
    context.strokeStyle = this.look.error;
    context.lineWidth = Math.max(1, height / 20);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + width, y + height);
    context.moveTo(x + width, y);
    context.lineTo(x, y + height);
    context.stroke();
  }

  // A value beyond the scale keeps the end colour and loses its top right corner.
  private cutCorner(x: number, y: number, width: number, height: number): void {
    const { context } = this;
    context.fillStyle = this.look.bg;
    context.beginPath();
    context.moveTo(x + width * 0.65, y);
    context.lineTo(x + width, y);
    context.lineTo(x + width, y + height * 0.35);
    context.fill();
  }

  private dot(x: number, y: number, width: number, height: number): void {
    const { context } = this;
    context.fillStyle = this.look.bg;
    context.beginPath();
    context.arc(x + width / 2, y + height / 2, Math.min(width, height) / 4, 0, 2 * Math.PI);
    context.fill();
  }
}

/** A matrix with one pixel a cell, for small pictures; what is masked stays clear. */
export function pixelSheet(
  look: Look,
  scale: Scale,
  rows: number,
  columns: number,
  value: (row: number, column: number) => number,
  masked: (row: number, column: number) => boolean,
): HTMLCanvasElement {
  return pixelCanvas(columns, rows, (column, row) => {
    const number = value(row, column);
    return masked(row, column) || (scale.kind === "mask" && !number) ? CLEAR : pixelOf(look, scale, number);
  });
}
const CLEAR = 0;

/** A canvas with so many pixels, each in the colour that is given for it. */
export function pixelCanvas(
  width: number,
  height: number,
  pixel: (x: number, y: number) => number,
): HTMLCanvasElement {
  // A whole colour in one write: every browser's machine is little endian.
  const image = new ImageData(width, height),
    pixels = new Uint32Array(image.data.buffer),
    canvas = document.createElement("canvas");
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++, at++) pixels[at] = pixel(x, y);
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")!.putImageData(image, 0, 0);
  return canvas;
}

/** Draws such a picture on a canvas of this size in pixels; edges between its cells stay sharp. under: draws what is seen where it is clear. */
export function drawSheet(
  canvas: HTMLCanvasElement,
  sheet: HTMLCanvasElement,
  { width, height }: { width: number; height: number },
  under?: (prepared: Prepared) => void,
): Prepared {
  const prepared = prepareCanvas(canvas, width, height),
    { context } = prepared;
  under?.(prepared);
  context.imageSmoothingEnabled = false;
  context.drawImage(sheet, 0, 0, canvas.width, canvas.height);
  return prepared;
}
type Prepared = ReturnType<typeof prepareCanvas>;
