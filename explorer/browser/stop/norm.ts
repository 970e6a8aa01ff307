// A sum and its norm in one picture: what is added, the mean and spread of the sum, and what the norm makes of it.

import { formatSigned } from "../shared/numbers";
import { limitOf, sortedSizes } from "../shared/planes";
import type { Board, Frame, Part, Picture, Room, Spot } from "./board";
import { SPREAD, partOf } from "./board";
import { column, layGrid, litRow, plus, valueAt } from "./grid";
import type { GridRow, Laid } from "./grid";
import type { Model } from "./model";

/** A cell with one number. */
const ONE = [44, 20] as const;

/** Whether the norm comes after the sum; before its sub-layer it reads the stream, as a final norm does. */
function isPost(model: Model): boolean {
  return model.stageIndex("sum") === 0;
}
/** The row whose mean and variance the norm takes. */
function read(model: Model): "summed" | "stream" {
  return isPost(model) ? "summed" : "stream";
}

/** Where the bars of a parameter end. */
function endOf(model: Model, name: string): string {
  return `±${formatSigned(limitOf(sortedSizes(model.tensors[name], model.placeOf("layer")), 1))}`;
}

function rowsOf(model: Model, room: Room): GridRow[] {
  const post = isPost(model),
    sum = model.stage("sum"),
    stream = sum ? ["stream", "added", "summed"] : ["x"],
    side = model.header.row_side || "";
  const first: GridRow = {
    name: "stream",
    tensor: sum ? "stream" : "x",
    title: post ? "the stream" : "the stream, x",
    below: post ? "what went past" : "",
    rows: "position",
    scale: stream,
    from: post ? "sum" : "statistics",
    tone: side,
  };
  const added = sum ? addedRows(model, sum.panels[1].title, stream) : [],
    norm = normRows(model, room, sum?.panels[1].title);
  return post ? [first, ...added, ...norm] : [first, ...norm, ...added];
}

/** What the sub-layer adds to the stream, and the sum. */
function addedRows(model: Model, sublayer: string, scale: string[]): GridRow[] {
  const post = isPost(model);
  return [
    {
      name: "added",
      tensor: "added",
      title: sublayer,
      below: "what it adds",
      sign: "+",
      rows: "position",
      scale,
      from: "sum",
    },
    {
      name: "summed",
      tensor: "summed",
      title: "sum",
      below: post ? "" : `stream + ${sublayer}`,
      sign: "=",
      rows: "position",
      scale,
      from: "sum",
      isMade: true,
      tone: post ? "" : model.header.row_side || "",
    },
  ];
}

/** The normalised row, γ, β and the output. A final norm has no sub-layer. */
function normRows(model: Model, { isPhone }: Room, sublayer?: string): GridRow[] {
  const post = isPost(model),
    hasSum = sublayer !== undefined,
    letter = post ? "sum" : "x",
    normed = ["normalized", "output"];
  // γ stays near 1 and β near 0: each has a height of its own, which is said.
  const learned = (name: "gamma" | "beta", title: string, sign: string): GridRow => ({
    name,
    tensor: name,
    title: isPhone ? `${title}, learned, to ${endOf(model, name)}` : `${title}, learned`,
    below: `its bars end at ${endOf(model, name)}`,
    sign,
    rows: "",
    scale: [name],
    from: "output",
    isSmall: true,
  });
  return [
    {
      name: "normalized",
      tensor: "normalized",
      title: "normalised",
      below: `(${letter} − μ) ÷ √(σ² + ε)`,
      rows: "position",
      scale: normed,
      from: "normalized",
      isMade: true,
    },
    learned("gamma", "γ", "×"),
    learned("beta", "β", "+"),
    {
      name: "output",
      tensor: "output",
      title: "output",
      below: hasSum && !post ? `what ${sublayer} reads` : "normalised × γ + β",
      sign: "=",
      rows: "position",
      scale: normed,
      from: "output",
      isMade: true,
      tone: post || !hasSum ? model.header.row_side || "" : "",
    },
  ];
}

function lay(model: Model, room: Room): Board {
  const { writes } = model,
    laid = layGrid(
      model,
      room,
      rowsOf(model, room),
      writes.map((token) => `→ ${token}`),
    );
  statistics(model, room, laid);
  return laid.board;
}

/** Mean and variance as cells beside the row that they are of, and behind its bars as a line and a band. */
function statistics(model: Model, room: Room, { board, rowAt }: Laid): void {
  const name = read(model),
    { y, height } = rowAt(name),
    [width, high] = ONE,
    isPhone = room.isPhone,
    at = isPhone ? y - high : y + height / 2 + 1;
  const start = isPhone ? Math.max(90, room.width - 2 * (width + 20) - 62) : 0,
    row = partOf(board, name)!;
  if (!isPhone) row.title = { x: 0, y: y + height / 2 - 12 };
  const cell = (tensor: "mean" | "variance", x: number): Part => ({
    name: tensor,
    versions: [
      {
        from: "statistics",
        tensor,
        title: tensor === "mean" ? "μ" : "σ²",
        spread: SPREAD("position", ""),
        scale: model.scale(tensor),
      },
    ],
    form: "cells",
    x: x + 18,
    y: at,
    cell: [width, high],
    tone: "",
    follows: "rows",
    rows: [litRow(model, tensor, "position")],
    title: { x: x + 14, y: at + high / 2, align: "right" },
  });
  board.parts.splice(
    board.parts.indexOf(row) + 1,
    0,
    cell("mean", start),
    cell("variance", start + width + 20),
  );
  const mean = valueAt(model, "mean", "position", 0),
    spread = Math.sqrt(valueAt(model, "variance", "position", 0));
  board.ranges = [{ part: name, from: "statistics", low: mean - spread, middle: mean, high: mean + spread }];
}

function feeds(model: Model, spot: Spot, board: Board): Frame[] {
  if (spot.part === "mean" || spot.part === "variance") return [{ part: read(model), tone: "" }];
  return column(model, spot, board);
}

function story(model: Model, { part, column: at }: Spot): string {
  const value = (tensor: string, rows = "position") => valueAt(model, tensor, rows, at),
    one = (tensor: string) => valueAt(model, tensor, "position", 0);
  const letter = isPost(model) ? "the sum" : "the stream",
    count = model.tensors.x.axis("d_model")!.size;
  const stories: Record<string, () => string> = {
    summed: () => `${formatSigned(value("stream"))}${plus(value("added"))} = `,
    mean: () => `the mean of the ${count} numbers of ${letter} is `,
    variance: () => `the mean of the squared distances from μ of the ${count} numbers of ${letter} is `,
    normalized: () =>
      `(${formatSigned(value("x"))}${plus(-one("mean"))}) ÷ √(${formatSigned(one("variance"))} + ε) = `,
    gamma: () => "learned, and the same for all tokens: ",
    beta: () => "learned, and the same for all tokens: ",
    output: () =>
      `${formatSigned(value("normalized"))} × ${formatSigned(value("gamma", ""))}${plus(value("beta", ""))} = `,
  };
  return stories[part]?.() ?? "";
}

export const norm: Picture = { lay, feeds, says: (model, spot) => ({ after: `: ${story(model, spot)}` }) };
