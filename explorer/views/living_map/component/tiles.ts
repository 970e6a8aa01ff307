// The recorded values as tiny pictures of one pixel a number; drawing enlarges them without smoothing.

import { WEIGHTS, pixelCanvas, pixelOf, shadeOf, signedScale } from "../../../browser/shared/cells";
import type { Scale } from "../../../browser/shared/cells";
import type { Look } from "../../../browser/shared/look";
import { range } from "../../../browser/shared/planes";
import type { Run } from "./run";

const MIDDLE = 127,
  NOT_A_NUMBER = 255;

/** A picture of every row of a site, and where each lies in it. */
interface Sheet {
  canvas: HTMLCanvasElement;
  width: number;
  height: number;
  isAcross: boolean;
}
export type Part = readonly [x: number, y: number, width: number, height: number];

export class Tiles {
  private readonly sheets = new Map<string, Sheet>();
  private readonly pixels: number[];
  /** Of weights; a difference has a sign, and a scale of its own. */
  private readonly scale: Scale;

  /** isFlat: whether a tile is one row of numbers, where lanes are too low for more. */
  constructor(
    private readonly run: Run,
    readonly look: Look,
    readonly isFlat: boolean,
  ) {
    const { compared, weight_limit: limit } = run.header,
      codes = signedScale(MIDDLE);
    this.pixels = range(NOT_A_NUMBER + 1).map((code) =>
      pixelOf(look, codes, code === NOT_A_NUMBER ? NaN : code - MIDDLE),
    );
    this.scale = compared === "difference" ? signedScale(limit) : WEIGHTS;
  }

  /** The tile of a token; turned, its rows run across. */
  of(site: string, token: number, isTurned: boolean): { canvas: HTMLCanvasElement; part: Part } {
    const sheet = this.sheet(site, isTurned);
    const part: Part = sheet.isAcross
      ? [token * sheet.width, 0, sheet.width, sheet.height]
      : [0, token * sheet.height, sheet.width, sheet.height];
    return { canvas: sheet.canvas, part };
  }

  /** The weights of every query, one row of pixels a head: of the mean alone where lanes have one row. */
  weights(site: string, group: number, isTurned: boolean): Sheet {
    return this.kept(`${site}/${group}/${isTurned}`, () => this.drawWeights(site, group, isTurned));
  }

  /** The colours of a weight. */
  weight(value: number): ReturnType<typeof shadeOf> {
    return shadeOf(this.look, this.scale, value);
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
    const codes = this.run.codes(site),
      [tokens, allRows, columns] = codes.shape,
      step = this.isFlat ? allRows : 1;
    const rows = this.isFlat ? 1 : allRows;
    const value = (token: number, row: number, column: number) =>
      codes[token * allRows * columns + (row * columns + column) * step];
    const [width, height] = isTurned ? [rows, columns] : [columns, rows];
    const canvas = pixelCanvas(
      isTurned ? width * tokens : width,
      isTurned ? height : height * tokens,
      (x, y) => {
        const token = Math.floor(isTurned ? x / width : y / height),
          [across, down] = isTurned ? [x % width, y] : [x, y % height];
        return this.pixels[isTurned ? value(token, across, down) : value(token, down, across)];
      },
    );
    return { canvas, width, height, isAcross: isTurned };
  }

  private drawWeights(site: string, group: number, isTurned: boolean): Sheet {
    const {
        shape: [heads, queries, keys],
      } = this.run.weights(site),
      columns = Math.ceil(keys / group),
      rows = this.isFlat ? 1 : heads;
    const one = (row: number, query: number, key: number) =>
      this.isFlat ? this.run.mean(site, query, key) : this.run.weight(site, row, query, key);
    const value = (row: number, query: number, column: number) => {
      const last = Math.min(keys, (column + 1) * group);
      let sum = 0;
      for (let key = column * group; key < last; key++) sum += one(row, query, key);
      return sum / (last - column * group);
    };
    const pixel = (weight: number) => pixelOf(this.look, this.scale, weight);
    const canvas = isTurned
      ? pixelCanvas(rows * queries, columns, (x, y) => pixel(value(x % rows, Math.floor(x / rows), y)))
      : pixelCanvas(columns, rows * queries, (x, y) => pixel(value(y % rows, Math.floor(y / rows), x)));
    return isTurned
      ? { canvas, width: rows, height: columns, isAcross: true }
      : { canvas, width: columns, height: rows, isAcross: false };
  }
}
