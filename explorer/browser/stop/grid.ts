// Rows of bars on one grid, for the lit token: each number stands in one column all the way down.

import { signedScale } from "../shared/cells";
import { fixed, formatSigned } from "../shared/numbers";
import { extremes } from "../shared/planes";
import type { Board, Frame, Note, Part, Room, Spot, Tone, Version } from "./board";
import { SPREAD, planeOf, versionAt } from "./board";
import { valueOf } from "./draw";
import type { Model } from "./model";

const GAP = 10,
  LEAST_ROW = 44,
  SMALL_SHARE = 0.36,
  PHONE_ROW = 64,
  TITLE = 20;
const HALF_LINE = 8,
  LEAST_LIMIT = 36,
  LEFT = 156,
  RIGHT = 66,
  CHIP = 30,
  CHIP_OF_TWO = 44;

/**
 * A row of the grid.
 *
 * sign: what is done with it, such as + or =. below: a second line of its title, smaller.
 * rows: the axis of its tokens; empty where it is one row for all. scale: the tensors whose height it shares.
 * space: how much is left free above it.
 */
export interface GridRow {
  name: string;
  tensor: string;
  title: string;
  below?: string;
  sign?: string;
  rows: string;
  scale: string[];
  from: string;
  tone?: Tone;
  isMade?: boolean;
  isSmall?: boolean;
  space?: number;
}

/** Where a row stands, for what a picture adds beside it. */
export interface Laid {
  board: Board;
  top: number;
  rowAt: (name: string) => { y: number; height: number };
}

/** above: how much is left free under the tokens. least: how high a row is at least. */
export function layGrid(
  model: Model,
  room: Room,
  rows: GridRow[],
  under: string[],
  { above = 0, least = LEAST_ROW } = {},
): Laid {
  const left = room.isPhone ? 0 : LEFT,
    chips = under.length ? CHIP_OF_TWO : CHIP,
    top = chips + 8 + above,
    spaces = rows.reduce((sum, { space = 0 }) => sum + space, 0);
  const wide = room.width - left - (room.isPhone ? 2 : RIGHT),
    share = (row: GridRow) => (row.isSmall ? SMALL_SHARE : 1);
  const free = room.height - top - spaces - rows.length * GAP,
    height = room.isPhone
      ? PHONE_ROW
      : Math.max(least, Math.floor(free / rows.reduce((sum, row) => sum + share(row), 0)));
  const parts: Part[] = [],
    notes: Note[] = [],
    places = new Map<string, { y: number; height: number }>();
  let y = top;
  for (const row of rows) {
    y += (row.space ?? 0) + (room.isPhone ? TITLE : 0);
    const own = Math.floor(height * share(row)),
      place = { y, height: own };
    places.set(row.name, place);
    parts.push(partOf(model, row, place, left, wide, room.isPhone));
    notes.push(...notesOf(model, row, place, left, room.isPhone));
    y += own + GAP;
  }
  const board: Board = {
    width: room.width,
    height: y,
    parts,
    notes,
    ways: [],
    tokens: { x: 0, y: 0, width: room.width, height: chips, under },
  };
  return { board, top, rowAt: (name) => places.get(name)! };
}

function partOf(
  model: Model,
  row: GridRow,
  { y, height }: { y: number; height: number },
  left: number,
  wide: number,
  isPhone: boolean,
): Part {
  const version: Version = {
    from: row.from,
    tensor: row.tensor,
    title: row.title,
    spread: SPREAD(row.rows, "d_model"),
    scale: signedScale(limitIn(model, row)),
  };
  const plane = model.plane(row.tensor, version.spread),
    cell = wide / plane.columns.count,
    title = isPhone ? y - 9 : row.below ? y + height / 2 - HALF_LINE : y + height / 2;
  return {
    name: row.name,
    versions: [version],
    form: "bars",
    x: left,
    y,
    cell: [cell >= 7 ? Math.floor(cell) : cell, height],
    tone: row.tone ?? "",
    follows: row.isMade ? "rows" : "",
    rows: [litRow(model, row.tensor, row.rows)],
    title: { x: isPhone && row.sign ? 14 : 0, y: title },
  };
}

function notesOf(
  model: Model,
  row: GridRow,
  { y, height }: { y: number; height: number },
  left: number,
  isPhone: boolean,
): Note[] {
  const notes: Note[] = [],
    limit = limitIn(model, row);
  if (row.below && !isPhone)
    notes.push({
      text: row.below,
      x: 0,
      y: y + height / 2 + HALF_LINE,
      tone: "mute",
      size: 12,
      most: left - 20,
    });
  if (row.sign)
    notes.push(
      isPhone
        ? { text: row.sign, x: 0, y: y - 9, weight: 600 }
        : { text: row.sign, x: left - 14, y: y + height / 2, weight: 600, size: 15, align: "center" },
    );
  if (limit && !isPhone && !row.isSmall && height >= LEAST_LIMIT)
    notes.push({
      text: fixed(limit, limit >= 1 ? 1 : 2),
      x: left - 6,
      y: y + 6,
      tone: "mute",
      size: 11,
      align: "right",
    });
  return notes;
}

/** The column that a number stands in, through all rows, with what stands there in each. */
export function column(model: Model, spot: Spot, board: Board): Frame[] {
  const isThere = (part: Part) =>
    part.form === "bars" &&
    versionAt(model, part, model.held) &&
    spot.column < planeOf(model, part.versions[0]).columns.count;
  return board.parts.filter(isThere).map((part) => {
    const [width, height] = part.cell,
      row = part.rows![0],
      { columns } = planeOf(model, part.versions[0]),
      isPhone = !part.x;
    const end = part.x + columns.count * width,
      at = isPhone
        ? { x: end, y: part.y - 9, align: "right" as const }
        : { x: end + 8, y: part.y + height / 2 };
    const note: Note = {
      ...at,
      text: formatSigned(valueOf(part.versions[0], planeOf(model, part.versions[0]), row, spot.column)),
      weight: part.name === spot.part ? 650 : 400,
      size: 13,
    };
    return { part: part.name, row, column: spot.column, tone: "", soft: true, note };
  });
}

/** The largest size in the lit row, among all tensors that share the height of a row. */
function limitIn(model: Model, { scale }: GridRow): number {
  return Math.max(
    0,
    ...scale
      .filter((tensor) => model.has(tensor))
      .map((tensor) => {
        const rows =
          model.tensors[tensor].axes.map(({ name }) => name).find((name) => name !== "d_model") ?? "";
        const { low, high } = extremes(model.plane(tensor, SPREAD(rows, "d_model")), [
          litRow(model, tensor, rows),
        ]) ?? { low: 0, high: 0 };
        return Math.max(-low, high);
      }),
  );
}

/** The lit row of a tensor, or the one that it has for all tokens. */
export function litRow(model: Model, tensor: string, rows: string): number {
  return rows ? Math.min(model.chosen.row, model.tensors[tensor].axis(rows)!.shown - 1) : 0;
}

/** The value of a row in the column of a number. */
export function valueAt(model: Model, tensor: string, rows: string, at: number): number {
  const plane = model.plane(
    tensor,
    SPREAD(rows, rows === "position" && !model.tensors[tensor].axis("d_model") ? "" : "d_model"),
  );
  return plane.value(litRow(model, tensor, rows), at);
}

/** A number that is added or taken away: " + 0.300", " − 0.300". */
export function plus(value: number): string {
  return `${value < 0 ? " − " : " + "}${formatSigned(Math.abs(value))}`;
}
