// A picture as it is laid out: the matrices with their places, the words and ways between them, and what feeds a cell.

import type { Scale } from "../shared/cells";
import type { Look } from "../shared/look";
import type { Point } from "../shared/pen";
import { range } from "../shared/planes";
import type { CellPlace, Plane, Spread } from "../shared/planes";
import type { Model } from "./model";

/** A colour of the theme by its name. */
export type Colour = { [Name in keyof Look]: Look[Name] extends string ? Name : never }[keyof Look];
export type Tone = "" | "q" | "k" | "v" | "source" | "target" | "mute";

/**
 * What a part shows from a stage on.
 *
 * as: what is drawn of a recorded value, where that is not the value itself.
 * behind: the tensor that stands grey behind the bars: what they were made of.
 * write: how the number is written.
 * hides: whether all that it does is to mask cells of the version before it.
 * isFormula: whether a letter after _ stands lower in its title; a title may also be a token.
 */
export interface Version {
  from: string;
  tensor: string;
  spread: Spread;
  scale: Scale;
  title: string;
  as?: (value: number, row: number, column: number) => number;
  behind?: string;
  write?: (value: number) => string;
  hides?: boolean;
  isFormula?: boolean;
}
/**
 * A matrix, or rows of bars, in the picture.
 *
 * form: bars stand on a line, meters run from the left to 1, numbers are written only.
 * rows, columns: which of its plane's there are, in this order; all of them where it is not said.
 * span: the values at the lower and at the upper edge of bars; without it they are symmetric around 0.
 * paint: the colour of a bar, where it is not that of its sign.
 * follows: the side whose places are the rows of the step: they appear one after the other, and the lit one stage by stage.
 *   Of a part that follows the lit row, everything is that one's.
 * above: whether its columns have their names over them; turned, where they are narrower than the names.
 * picks: the axis whose places its rows are: who clicks in one chooses it.
 * right: the words behind each row, where it has some.
 */
export interface Part {
  name: string;
  versions: Version[];
  form: "cells" | "bars" | "meters" | "numbers";
  x: number;
  y: number;
  cell: Point;
  tone: Tone;
  rows?: readonly number[];
  columns?: readonly number[];
  span?: Point;
  paint?: (row: number, column: number) => Colour | undefined;
  follows: "" | "rows" | "columns" | "lit";
  columnsGrow?: boolean;
  left?: boolean;
  above?: boolean | "turned";
  picks?: string;
  right?: string[];
  title?: { x: number; y: number; align?: CanvasTextAlign };
}
/** from: the stage that brings it; without one it always stands there. isFormula: whether a letter after _ stands lower. */
export interface Note {
  text: string;
  x: number;
  y: number;
  tone?: Tone;
  size?: number;
  weight?: number;
  align?: CanvasTextAlign;
  most?: number;
  from?: string;
  isFormula?: boolean;
}
export interface Way {
  points: Point[];
  tone?: Tone;
  arrow?: boolean;
}
/** A surface behind everything. */
export interface Area {
  points: Point[];
  colour: Colour;
}
/** Pieces of the sentence about a number: the tokens or places that it belongs to, and what makes it. */
export interface Saying {
  before?: string;
  first?: string;
  between?: string;
  second?: string;
  after?: string;
  place?: string;
}
/** How much one number takes from another, or gives it: −1 to 1. */
export interface Ray {
  from: Point;
  to: Point;
  strength: number;
}
/** Values of bars that are marked behind them from a stage on: a line at one of them, between two others. */
export interface Range {
  part: string;
  from: string;
  low: number;
  middle: number;
  high: number;
}
export interface Board {
  width: number;
  height: number;
  parts: Part[];
  notes: Note[];
  ways: Way[];
  areas?: Area[];
  ranges?: Range[];
  /** Where the tokens of the rows stand, of which one is chosen, each with the words under it. */
  tokens?: { x: number; y: number; width: number; height: number; under: string[] };
  /** Where a picture of each head stands, which chooses it. */
  heads?: {
    x: number;
    y: number;
    width: number;
    height: number;
    pitch: number;
    tensor: string;
    spread: Spread;
  };
}
export interface Room {
  width: number;
  height: number;
  isPhone: boolean;
  measure: (text: string, weight?: number) => number;
}

/** A cell of a part. */
export interface Spot {
  part: string;
  row: number;
  column: number;
}
/** What is framed in a part: a cell, a row, a column. A soft frame is a ground behind the numbers; a note stands with it. */
export interface Frame {
  part: string;
  row?: number;
  column?: number;
  tone: Tone;
  soft?: boolean;
  note?: Note;
}

/** One kind of block: how it is laid out, when each of its stages is played, and what feeds each of its numbers. */
export interface Picture {
  /** The share of the play of each stage; without them all have the same. */
  spans?: Record<string, readonly [from: number, to: number]>;
  lay(model: Model, room: Room): Board;
  feeds(model: Model, spot: Spot, board: Board): Frame[];
  /** The lines that lead to a number and from it at a stage; without a number, those of what matters most. */
  rays?(model: Model, spot: Spot | null, board: Board, held: number): Ray[];
  /** The number that is explained where a cell is clicked; without it the cell's own. */
  asks?(model: Model, spot: Spot): Spot;
  /** What the sentence says while nothing is pointed at. */
  rests?: string;
  /** What the sentence says of a number, where it says it better than in general. */
  says?(model: Model, spot: Spot, version: Version): Saying | null;
}

export const SPREAD = (rows: string, columns: string): Spread => ({
  rows: rows ? rows.split(" ") : [],
  columns: columns ? columns.split(" ") : [],
});

export function partOf(board: Board, name: string): Part | undefined {
  return board.parts.find((part) => part.name === name);
}
export function planeOf(model: Model, { tensor, spread }: Version): Plane {
  return model.plane(tensor, spread);
}

/** What a part shows, how much of it has come, and what it showed before. */
export interface Reached {
  version: Version;
  share: number;
  before: Version | null;
}
/** The version of a part at a stage; null before its first. */
export function versionAt(model: Model, part: Part, progress: number): Reached | null {
  let found: Reached | null = null as Reached | null;
  for (const version of part.versions) {
    const from = Math.max(0, model.stageIndex(version.from));
    if (from < progress || (from === 0 && progress >= 0))
      found = { version, share: Math.min(1, progress - from), before: found?.version ?? null };
  }
  return found;
}

/** The rows and the columns of its plane that a part shows, in their order. */
export function shownIn(model: Model, part: Part): { rows: readonly number[]; columns: readonly number[] } {
  const plane = planeOf(model, part.versions[0]);
  return { rows: part.rows ?? range(plane.rows.count), columns: part.columns ?? range(plane.columns.count) };
}

/** Whether nobody has computed a number yet, where somebody does so by hand. */
export function isMissing(model: Model, plane: Plane, row: number, column: number): boolean {
  return model.header.entries.length > 0 && Number.isNaN(plane.value(row, column));
}

/** Size of a part with all its cells. */
export function extent(
  model: Model,
  part: Part,
): { width: number; height: number; rows: number; columns: number } {
  const { rows, columns } = shownIn(model, part);
  return {
    width: columns.length * part.cell[0],
    height: rows.length * part.cell[1],
    rows: rows.length,
    columns: columns.length,
  };
}

/** The middle of a cell of a part; null for one that it does not show. */
export function middleOf(model: Model, part: Part, row: number, column: number): Point | null {
  const { rows, columns } = shownIn(model, part),
    [down, across] = [rows.indexOf(row), columns.indexOf(column)];
  return down < 0 || across < 0
    ? null
    : [part.x + (across + 0.5) * part.cell[0], part.y + (down + 0.5) * part.cell[1]];
}

/** A cell of a part by a number of the model; null where the part does not show it. */
export function spotOf(model: Model, part: Part, plane: Plane, cell: CellPlace | null): Spot | null {
  const found = plane.find(cell),
    { rows, columns } = shownIn(model, part);
  return found && rows.includes(found.row) && columns.includes(found.column)
    ? { part: part.name, ...found }
    : null;
}

/** The cell that is so many rows and columns away, as far as the part reaches. */
export function spotBeside(model: Model, part: Part, from: Spot, down: number, across: number): Spot {
  const { rows, columns } = shownIn(model, part);
  const go = (places: readonly number[], at: number, by: number) =>
    places[Math.max(0, Math.min(places.length - 1, Math.max(0, places.indexOf(at)) + by))];
  return { part: part.name, row: go(rows, from.row, down), column: go(columns, from.column, across) };
}

/** The same number of the part before or after one of a single row, among all whose row is as long; null at the end. */
export function spotBelow(
  model: Model,
  board: Board,
  part: Part,
  { row, column }: Spot,
  by: number,
): Spot | null {
  const { columns } = extent(model, part),
    alike = board.parts.filter((each) => each.rows?.length === 1 && extent(model, each).columns === columns);
  const next = alike[alike.indexOf(part) + by];
  return next
    ? { part: next.name, row: shownIn(model, next).rows.includes(row) ? row : next.rows![0], column }
    : null;
}

/** The cell of a part at a place. */
export function spotAt(model: Model, board: Board, x: number, y: number): Spot | null {
  for (const part of board.parts) {
    const { width, height } = extent(model, part);
    if (x < part.x || y < part.y || x >= part.x + width || y >= part.y + height) continue;
    const { rows, columns } = shownIn(model, part);
    return {
      part: part.name,
      row: rows[Math.floor((y - part.y) / part.cell[1])],
      column: columns[Math.floor((x - part.x) / part.cell[0])],
    };
  }
  return null;
}
