// The recorded values as tiny pictures of one pixel a number; drawing enlarges them without smoothing.

import type { Look, Ramp } from "../../../browser/shared/look";
import { rampIndex } from "../../../browser/shared/look";
import type { Run } from "./run";

const MIDDLE = 127, NOT_A_NUMBER = 255;

/** A picture of every row of a site, and where each lies in it. */
interface Sheet { canvas: HTMLCanvasElement; width: number; height: number; isAcross: boolean }
export type Part = readonly [x: number, y: number, width: number, height: number];

export class Tiles {
  private readonly sheets = new Map<string, Sheet>();
  private readonly pixels: Uint32Array;

  /** isFlat: whether a tile is one row of numbers, where lanes are too low for more. */
  constructor(private readonly run: Run, readonly look: Look, readonly isFlat: boolean) {
    this.pixels = new Uint32Array(256);
    for (let code = 0; code <= 2 * MIDDLE; code++) {
      const ramp = code < MIDDLE ? look.ramps.minus : look.ramps.plus;
      this.pixels[code] = ramp.pixels[rampIndex(Math.abs(code - MIDDLE) / MIDDLE)];
    }
    this.pixels[NOT_A_NUMBER] = look.errorPixel;
  }

  /** The tile of a token; turned, its rows run across. */
  of(site: string, token: number, isTurned: boolean): { canvas: HTMLCanvasElement; part: Part } {
    const sheet = this.sheet(site, isTurned);
    const part: Part = sheet.isAcross ? [token * sheet.width, 0, sheet.width, sheet.height] : [0, token * sheet.height, sheet.width, sheet.height];
    return { canvas: sheet.canvas, part };
  }

  /** The weights of every query, one row of pixels a head: of the mean alone where lanes have one row. */
  weights(site: string, group: number, isTurned: boolean): Sheet {
    return this.kept(`${site}/${group}/${isTurned}`, () => this.drawWeights(site, group, isTurned));
  }

  weight(value: number): string {
    const { ramp, place } = this.weightColour(value);
    return ramp.fill[place];
  }

  /** The colour of a weight in its ramp; a difference has a sign, and a scale of its own. */
  weightColour(value: number): { ramp: Ramp; place: number } {
    const { ramps } = this.look, { compared, weight_limit: limit } = this.run.header;
    return { ramp: compared !== "difference" ? ramps.weight : value < 0 ? ramps.minus : ramps.plus, place: rampIndex(Math.abs(value) / limit) };
  }

  private sheet(site: string, isTurned: boolean): Sheet {
    return this.kept(`${site}/${isTurned}`, () => this.drawSheet(site, isTurned));
  }

  private kept(key: string, draw: () => Sheet): Sheet {
    let sheet = this.sheets.get(key);
    if (!sheet) this.sheets.set(key, (sheet = draw()));
    return sheet;
  }

  private drawSheet(site: string, isTurned: boolean): Sheet {
    const codes = this.run.codes(site), [tokens, allRows, columns] = codes.shape, step = this.isFlat ? allRows : 1;
    const rows = this.isFlat ? 1 : allRows;
    const value = (token: number, row: number, column: number) => codes[token * allRows * columns + (row * columns + column) * step];
    const [width, height] = isTurned ? [rows, columns] : [columns, rows];
    const canvas = paint(isTurned ? width * tokens : width, isTurned ? height : height * tokens, (x, y) => {
      const token = Math.floor(isTurned ? x / width : y / height), [across, down] = isTurned ? [x % width, y] : [x, y % height];
      return this.pixels[isTurned ? value(token, across, down) : value(token, down, across)];
    });
    return { canvas, width, height, isAcross: isTurned };
  }

  private drawWeights(site: string, group: number, isTurned: boolean): Sheet {
    const { shape: [heads, queries, keys] } = this.run.weights(site), columns = Math.ceil(keys / group), rows = this.isFlat ? 1 : heads;
    const one = (row: number, query: number, key: number) => (this.isFlat ? this.run.mean(site, query, key) : this.run.weight(site, row, query, key));
    const value = (row: number, query: number, column: number) => {
      const last = Math.min(keys, (column + 1) * group);
      let sum = 0;
      for (let key = column * group; key < last; key++) sum += one(row, query, key);
      return sum / (last - column * group);
    };
    const pixel = (weight: number) => {
      const { ramp, place } = this.weightColour(weight);
      return ramp.pixels[place];
    };
    const canvas = isTurned
      ? paint(rows * queries, columns, (x, y) => pixel(value(x % rows, Math.floor(x / rows), y)))
      : paint(columns, rows * queries, (x, y) => pixel(value(y % rows, Math.floor(y / rows), x)));
    return isTurned ? { canvas, width: rows, height: columns, isAcross: true } : { canvas, width: columns, height: rows, isAcross: false };
  }
}

function paint(width: number, height: number, pixel: (x: number, y: number) => number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d")!, image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = pixel(x, y);
  context.putImageData(image, 0, 0);
  return canvas;
}
