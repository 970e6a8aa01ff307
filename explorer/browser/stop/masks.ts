// A padded batch in one picture: which of its tokens are padding, who may look where, and what that does to the weights.

import type { Scale } from "../shared/cells";
import { fixed } from "../shared/numbers";
import { range } from "../shared/planes";
import type { Board, Frame, Note, Part, Picture, Room, Spot, Version, Way } from "./board";
import { SPREAD, partOf } from "./board";
import type { Model } from "./model";

const TITLE = 20,
  NAMES = 44,
  GAP = 14,
  ARROW = 76,
  CHANGE = 84,
  TURN = 26;
const MOST_CELL = 26,
  MOST_ID = 36,
  ROW = 20,
  LEAST_ROW = 4,
  BAND_MOST = 150,
  COLUMNS = 3;

/** A matrix of a band; sign: what leads to it from the one before; plain: without the names of its columns. */
interface Item {
  tensor: string;
  from: string;
  title: string;
  sign?: string;
  scale?: Scale;
  plain?: boolean;
}
/** What stands side by side; null where there is nothing. */
type Band = (Item | null)[];

function isBatch({ tensor }: Item): boolean {
  return tensor.startsWith("src") || tensor.startsWith("tgt_in");
}
function spreadOf(item: Item): Version["spread"] {
  return isBatch(item) ? SPREAD("sentence", "key") : SPREAD("query", "key");
}

/** From the ids down to the weights; what they were with all masks stands over and beside what they are. */
function bandsOf(model: Model): Band[] {
  const ids: Scale = { ...model.scale("src", "tgt_in"), write: (value) => fixed(value, 0) },
    scores = model.scale("scores", "masked_scores");
  const isOff = model.has("weights_before"),
    ran = isOff ? "weights, mask off" : "weights",
    before = (tensor: string, from: string): Item[] =>
      isOff ? [{ tensor, from, title: "weights, all masks on" }] : [];
  const acting = ["padding", "causal"].filter((name) =>
    model.stage("combined")!.panels.some(({ tensor }) => tensor === name),
  );
  const combined: Band = [
    ...acting.map((name, i): Item => ({
      tensor: name,
      from: name === "causal" ? "causal" : "combined",
      title: `${name} mask`,
      sign: i ? "and" : "",
    })),
    {
      tensor: "mask",
      from: "combined",
      title: "may look",
      sign: acting.length === 2 ? "both say yes" : "it alone",
    },
  ];
  while (combined.length < COLUMNS - 1) combined.push(null);
  return [
    [
      { tensor: "src", from: "batch", title: "source ids", scale: ids },
      { tensor: "tgt_in", from: "batch", title: "target ids", scale: ids },
    ],
    [
      { tensor: "src_padding", from: "padding", title: "padding mask of the sources", plain: true },
      { tensor: "tgt_in_padding", from: "padding", title: "of the targets", plain: true },
    ],
    [...combined, ...before("weights_before", "without")],
    [
      { tensor: "scores", from: "weights", title: "scores", scale: scores },
      {
        tensor: "masked_scores",
        from: "weights",
        title: "masked scores",
        sign: "−∞ where no",
        scale: scores,
      },
      { tensor: "weights", from: "weights", title: ran, sign: "softmax" },
    ],
    [
      { tensor: "cross_mask", from: "memory", title: "memory mask" },
      { tensor: "cross_weights", from: "memory", title: ran, sign: "softmax" },
      ...before("cross_weights_before", "memory-without"),
    ],
  ];
}

function widthOf(model: Model, item: Item): number {
  return model.plane(item.tensor, spreadOf(item)).columns.count;
}

/** What all of it is laid out by: the bands, and the room that names and a cell take. */
interface Sizes {
  bands: Band[];
  label: number;
  cell: number;
}

/** Of ids or of pairs the cell that is as wide as the room lets it be. */
function sizesOf(model: Model, room: Room, bands: Band[], rows: string[], gap: number, most: number): Sizes {
  const label = 10 + Math.min(90, Math.max(...rows.map((text) => room.measure(text, 650))));
  const widths = bands.map((band) => {
    const items = band.filter((item) => item !== null),
      beside = items.some(({ tensor }) => tensor === "weights") && model.has("change") ? CHANGE : 0;
    return (
      (room.width - label - TURN - (items.length - 1) * (gap || label) - beside) /
      items.reduce((sum, item) => sum + widthOf(model, item), 0)
    );
  });
  return { bands, label, cell: Math.max(3, Math.min(most, ...widths.map(Math.floor))) };
}

function lay(model: Model, room: Room): Board {
  const [ids, padding, combined, weights, memory] = bandsOf(model),
    stacked = (bands: Band[]) =>
      room.isPhone
        ? bands.flatMap((band) => band.filter((item) => item !== null).map((item) => [item]))
        : bands;
  const { rows } = model.plane("src", SPREAD("sentence", "key")),
    names = range(rows.count).map(rows.label),
    parts: Part[] = [],
    notes: Note[] = [],
    ways: Way[] = [];
  let y = 0;
  const pairs = (bands: Band[]) => sizesOf(model, room, stacked(bands), model.reads, ARROW, MOST_CELL);
  const sizes = [
    sizesOf(model, room, stacked([ids, padding]), names, 0, MOST_ID),
    pairs([combined, weights]),
    pairs([memory]),
  ];
  for (const size of sizes)
    for (const band of size.bands) y = layBand(model, room, band, size, y, { parts, notes, ways });
  if (model.has("change")) parts.push(changes(model, partOf({ parts } as Board, "weights")!, room));
  return { width: room.width, height: y, parts, notes, ways };
}

/** Adds a band to a board; where it ends. */
function layBand(
  model: Model,
  room: Room,
  band: Band,
  { label, cell }: Sizes,
  y: number,
  { parts, notes, ways }: Pick<Board, "parts" | "notes" | "ways">,
): number {
  const first = band[0]!,
    isIds = isBatch(first),
    isNamed = !first.plain || room.isPhone,
    count = model.plane(first.tensor, spreadOf(first)).rows.count;
  const height = isIds ? ROW : Math.max(LEAST_ROW, Math.min(ROW, cell, Math.floor(BAND_MOST / count))),
    top = y + TITLE + (isNamed ? NAMES : 0);
  let x = label;
  for (const item of band) {
    if (item) parts.push(matrix(model, item, x, top, [cell, height], isIds || item === first, isNamed));
    if (item?.sign && item !== first) sign(item.sign, x, top + (count * height) / 2, notes, ways);
    else if (item?.sign && room.isPhone)
      notes.push({
        text: item.sign,
        x: room.width - 4,
        y: y + TITLE / 2,
        tone: "mute",
        size: 12,
        align: "right",
      });
    x += widthOf(model, item ?? first) * cell + (isIds ? label : ARROW);
  }
  return top + count * height + GAP;
}

function matrix(
  model: Model,
  item: Item,
  x: number,
  y: number,
  cell: [number, number],
  left: boolean,
  isNamed: boolean,
): Part {
  const version: Version = {
    from: item.from,
    tensor: item.tensor,
    title: item.title,
    spread: spreadOf(item),
    scale: item.scale ?? model.scale(item.tensor),
  };
  return {
    name: item.tensor,
    versions: [version],
    form: "cells",
    x,
    y,
    cell,
    tone: "",
    ...(isBatch(item) ? { follows: "", picks: "sentence" } : { follows: "rows" }),
    left,
    above: isNamed && "turned",
    title: { x, y: y - (isNamed ? NAMES : 0) - TITLE / 2 },
  };
}

/** The arrow from one matrix to the next, with what happens on the way. */
function sign(text: string, x: number, y: number, notes: Note[], ways: Way[]): void {
  notes.push({ text, x: x - ARROW / 2, y: y - 10, tone: "mute", size: 12, align: "center", most: ARROW - 4 });
  ways.push({
    points: [
      [x - ARROW + 6, y],
      [x - 6, y],
    ],
    arrow: true,
  });
}

/** How far the next token of each row moves, beside the weights that move it. */
function changes(model: Model, beside: Part, { isPhone }: Room): Part {
  const {
      x,
      y,
      cell: [width, height],
    } = beside,
    start = x + model.plane("weights", SPREAD("query", "key")).columns.count * width + 8;
  return {
    name: "change",
    versions: [
      {
        from: "change",
        tensor: "change",
        title: "max |Δ log P|",
        spread: SPREAD("query", ""),
        scale: model.scale("change"),
      },
    ],
    form: height >= 14 ? "numbers" : "cells",
    x: start,
    y,
    cell: [CHANGE - 8, height],
    tone: "",
    follows: "rows",
    title: { x: start, y: y - TITLE / 2 - (isPhone ? 0 : NAMES) },
  };
}

/** The cells that make one, or the row of them. */
function feeds(model: Model, { part, row, column }: Spot): Frame[] {
  const cell = (name: string): Frame => ({ part: name, row, column, tone: "" }),
    whole = (name: string): Frame => ({ part: name, row, tone: "" });
  const ways: Record<string, Frame[]> = {
    src_padding: [cell("src")],
    tgt_in_padding: [cell("tgt_in")],
    mask: [cell("padding"), cell("causal")],
    padding: [{ part: "tgt_in_padding", row: model.placeOf("sentence"), column, tone: "" }],
    masked_scores: [cell("scores"), cell("mask")],
    weights: [whole("masked_scores")],
    cross_mask: [{ part: "src_padding", row: model.placeOf("sentence"), column, tone: "" }],
    cross_weights: [whole("cross_mask")],
  };
  return ways[part] ?? [];
}

export const masks: Picture = {
  lay,
  feeds,
  rests: "Point at a cell to read it. Click a sentence of the batch to see its masks and weights.",
};
