// A picture as it is laid out: the matrices with their places, the words and ways between them, and what feeds a cell.

import type { Scale } from "../shared/cells";
import type { Plane, Spread } from "../shared/planes";
import type { Model } from "./model";

export type Point = readonly [x: number, y: number];
export type Tone = "" | "q" | "k" | "v" | "source" | "target" | "mute";

/** What a part shows from a stage on; `as` makes what is drawn of a recorded value, where that is not the value itself. */
export interface Version { from: string; tensor: string; spread: Spread; scale: Scale; title: string; as?: (value: number, row: number, column: number) => number }
/**
 * A matrix, or rows of bars, in the picture.
 *
 * follows: the side whose places are the rows of the step: they appear one after the other, and the lit one stage by stage.
 * right: the words behind each row, where it has some.
 */
export interface Part {
  name: string; versions: Version[]; form: "cells" | "bars"; x: number; y: number; cell: Point; tone: Tone;
  follows: "" | "rows" | "columns"; columnsGrow?: boolean; left?: boolean; above?: boolean; right?: string[]; title?: { x: number; y: number; align?: CanvasTextAlign };
}
export interface Note { text: string; x: number; y: number; tone?: Tone; size?: number; weight?: number; align?: CanvasTextAlign; most?: number }
export interface Way { points: Point[]; tone?: Tone; arrow?: boolean }
export interface Board {
  width: number; height: number; parts: Part[]; notes: Note[]; ways: Way[];
  /** Where a picture of each head stands, which chooses it. */
  heads?: { x: number; y: number; width: number; height: number; pitch: number; tensor: string; spread: Spread };
}
export interface Room { width: number; height: number; isPhone: boolean; measure: (text: string, weight?: number) => number }

/** A cell of a part. */
export interface Spot { part: string; row: number; column: number }
/** What is framed in a part: a cell, a row, a column. */
export interface Frame { part: string; row?: number; column?: number; tone: Tone }

/** One kind of block: how it is laid out, when each of its stages is played, and what feeds each of its numbers. */
export interface Picture {
  spans: Record<string, readonly [from: number, to: number]>;
  lay(model: Model, room: Room): Board;
  feeds(model: Model, spot: Spot, board: Board): Frame[];
}

export const SPREAD = (rows: string, columns: string): Spread => ({ rows: rows ? rows.split(" ") : [], columns: columns.split(" ") });

export function partOf(board: Board, name: string): Part | undefined { return board.parts.find((part) => part.name === name); }
export function planeOf(model: Model, { tensor, spread }: Version): Plane { return model.plane(tensor, spread); }

/** The version of a part at a stage; null before its first. */
export function versionAt(model: Model, part: Part, progress: number): { version: Version; share: number } | null {
  let found: { version: Version; share: number } | null = null;
  for (const version of part.versions) {
    const from = Math.max(0, model.stageIndex(version.from));
    if (from < progress || (from === 0 && progress >= 0)) found = { version, share: Math.min(1, progress - from) };
  }
  return found;
}

/** Size of a part with all its cells. */
export function extent(model: Model, part: Part): { width: number; height: number; rows: number; columns: number } {
  const { rows, columns } = planeOf(model, part.versions[0]);
  return { width: columns.count * part.cell[0], height: rows.count * part.cell[1], rows: rows.count, columns: columns.count };
}

/** The cell of a part at a place. */
export function spotAt(model: Model, board: Board, x: number, y: number): Spot | null {
  for (const part of board.parts) {
    const { width, height } = extent(model, part);
    if (x < part.x || y < part.y || x >= part.x + width || y >= part.y + height) continue;
    return { part: part.name, row: Math.floor((y - part.y) / part.cell[1]), column: Math.floor((x - part.x) / part.cell[0]) };
  }
  return null;
}
