// Positions in one picture: the table with its products, the lit row added to its token, and the same row turned to a later place.

import { formatSigned } from "../shared/numbers";
import type { Board, Frame, Note, Part, Picture, Room, Spot, Version } from "./board";
import { SPREAD } from "./board";
import { column, layGrid, plus, valueAt } from "./grid";
import type { GridRow } from "./grid";
import type { Model } from "./model";

const ROWS = SPREAD("position", "d_model"),
  PRODUCTS = SPREAD("position", "other");
const TITLE = 20,
  GAP = 18,
  ROW_MOST = 20,
  SHARE = 0.24,
  CELL_MOST = 34,
  PHONE_TALL = 120,
  LEAST_BARS = 22;
const NUMBER = [50, 20] as const,
  SIGN = 26,
  TURN = TITLE + 2 * NUMBER[1] + 14;

/** The table, the one that it is compared with, and the products of its rows, side by side. */
function tables(model: Model, room: Room): { parts: Part[]; height: number } {
  const learned = model.stage("learned")!,
    shown: [string, string, string][] = model.has("table")
      ? [["table", "table", model.stage("table")!.panels[0].title]]
      : [];
  shown.push(
    ...learned.panels
      .filter(({ tensor }) => tensor !== "table")
      .map(({ tensor, title }): [string, string, string] => [tensor, "learned", title]),
  );
  const most = Math.max(...shown.map(([tensor]) => model.plane(tensor, ROWS).rows.count)),
    tall = room.isPhone ? PHONE_TALL : room.height * SHARE;
  const row = Math.min(ROW_MOST, tall / most),
    label = Math.min(90, Math.ceil(Math.max(...model.reads.map((text) => room.measure(text, 650)))) + 10),
    parts: Part[] = [];
  const products = model.has("similarity")
    ? Math.min(most * CELL_MOST, Math.round((room.isPhone ? 0.5 : 0.28) * room.width))
    : 0;
  const beside = room.isPhone ? 1 : shown.length,
    width =
      (room.width - label - (room.isPhone ? 2 : (beside - 1) * GAP + (products ? products + GAP : 0))) /
      beside;
  let x = label,
    y = TITLE;
  const next = (own: number): void => {
    if (room.isPhone) y += most * row + TITLE + 4;
    else x += own + GAP;
  };
  const part = (name: string, version: Omit<Version, "scale">, own: number): Part => {
    const { rows, columns } = model.plane(version.tensor, version.spread),
      isFirst = room.isPhone || !parts.length;
    return {
      name,
      versions: [{ ...version, scale: model.scale(version.tensor) }],
      form: "cells",
      x,
      y,
      cell: [own / columns.count, rows.count ? row : 0],
      tone: "",
      follows: "rows",
      left: isFirst,
      title: { x, y: y - TITLE / 2 },
    };
  };
  for (const [tensor, from, title] of shown) {
    parts.push(part(tensor, { from, tensor, title, spread: ROWS }, width));
    next(width);
  }
  if (products) {
    parts.push(
      part(
        "similarity",
        { from: "similarity", tensor: "similarity", title: "products PE PEᵀ", spread: PRODUCTS },
        products,
      ),
    );
    next(products);
  }
  return { parts, height: room.isPhone ? y - TITLE : y + most * row + 4 };
}

/** The lit row: added to its token, and turned beside the row that it turns into. */
function rowsOf(model: Model): GridRow[] {
  const { row } = model.chosen,
    side = model.header.row_side || "",
    sums = ["sum_tokens", "sum_positions", "sum_output"],
    isAdded = model.has("sum_positions"),
    shifted = model.stage("shifted");
  const table: GridRow[] = model.has("table")
    ? [
        {
          name: "position",
          tensor: "table",
          title: `PE(${row})`,
          below: isAdded ? "of the table" : "not added here",
          sign: isAdded ? "+" : "",
          rows: "position",
          scale: isAdded ? sums : ["table"],
          from: "table",
          isMade: true,
        },
      ]
    : [];
  const turned: GridRow[] = shifted
    ? shifted.panels.map(({ tensor, title }, i): GridRow => ({
        name: tensor,
        tensor,
        title,
        below: model.has("sinusoids") ? "of the sinusoids" : i ? "of the table" : "all pairs turned",
        sign: i ? "≈" : "",
        rows: "position",
        scale: ["predicted", "real"],
        from: "shifted",
        isMade: true,
        space: i ? 0 : TURN,
      }))
    : [];
  return [
    {
      name: "tokens",
      tensor: "sum_tokens",
      title: model.reads[row] ?? "",
      below: "its token vector",
      rows: "position",
      scale: sums,
      from: "sum",
      isMade: true,
      tone: side,
    },
    ...table,
    {
      name: "output",
      tensor: "sum_output",
      title: "into layer 0",
      below: isAdded ? "their sum" : "nothing is added",
      sign: "=",
      rows: "position",
      scale: sums,
      from: "sum",
      isMade: true,
      tone: side,
    },
    ...turned,
  ];
}

/** The matrix that turns a pair, the pair of the lit row, and what becomes of it, in numbers. */
function rotation(model: Model, x: number, y: number): { parts: Part[]; notes: Note[] } {
  const { row } = model.chosen,
    [matrix, before, after] = model.stage("rotation")!.panels,
    [width, height] = NUMBER,
    top = y + TITLE,
    parts: Part[] = [],
    notes: Note[] = [];
  let left = x;
  for (const [sign, panel] of [
    ["", matrix],
    ["×", before],
    ["=", after],
  ] as const) {
    const spread = SPREAD(panel.rows[0], panel.columns[0]),
      columns = sign ? [row] : undefined,
      count = columns?.length ?? 2;
    if (sign)
      notes.push({
        text: sign,
        x: left - SIGN / 2,
        y: top + height,
        align: "center",
        weight: 600,
        from: "rotation",
      });
    const version: Version = {
      from: "rotation",
      tensor: panel.tensor,
      title: panel.title,
      spread,
      scale: model.scale("rotation", "pair", "turned"),
    };
    parts.push({
      name: panel.tensor,
      versions: [version],
      form: "cells",
      x: left,
      y: top,
      cell: [width, height],
      tone: "",
      follows: sign ? "lit" : "",
      columns,
      left: !sign,
      title: { x: left, y: y + TITLE / 2 },
    });
    left += count * width + SIGN + (sign ? 40 : 0);
  }
  return { parts, notes };
}

function lay(model: Model, room: Room): Board {
  const above = tables(model, room),
    rows = rowsOf(model),
    under = model.reads.map((_, place) => `p = ${place}`);
  const { board, rowAt, top } = layGrid(model, room, rows, under, { above: above.height, least: LEAST_BARS });
  for (const part of above.parts)
    board.parts.splice(above.parts.indexOf(part), 0, {
      ...part,
      y: part.y + top - above.height,
      title: { ...part.title!, y: part.title!.y + top - above.height },
    });
  if (!model.stage("rotation")) return board;
  const first = board.parts.find(({ name }) => name === "predicted")!,
    turned = rotation(model, first.x || 34, rowAt("predicted").y - TURN - (room.isPhone ? TITLE : 0));
  board.parts.splice(board.parts.indexOf(first), 0, ...turned.parts);
  board.notes.push(...turned.notes);
  return board;
}

function feeds(model: Model, spot: Spot, board: Board): Frame[] {
  const { part, row, column: at } = spot;
  if (part === "similarity")
    return [
      { part: "table", row, tone: "" },
      { part: "table", row: at, tone: "" },
    ];
  if (part === "turned")
    return [
      { part: "rotation", row, tone: "" },
      { part: "pair", column: at, tone: "" },
    ];
  return board.parts.find(({ name }) => name === part)?.form === "bars" ? column(model, spot, board) : [];
}

function says(model: Model, { part, column: at }: Spot): { after: string } | null {
  const value = (tensor: string) => valueAt(model, tensor, "position", at);
  if (part !== "output" || !model.has("sum_positions")) return null;
  return { after: `: ${formatSigned(value("sum_tokens"))}${plus(value("sum_positions"))} = ` };
}

export const positions: Picture = { lay, feeds, says };
