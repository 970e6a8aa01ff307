// An attention in one picture: every product is a crossing, its left factor at the left and its right one above.

import type { Board, Frame, Note, Part, Picture, Room, Spot, Version, Way } from "./board";
import { SPREAD, partOf } from "./board";
import type { Model } from "./model";

const HEAD = 18,
  LABELS = 22,
  GAP = 8;
const MOST_CELL = 48,
  LEAST_PAIR = 34,
  LEAST_ROW = 12,
  LEAST_LONG = 4,
  KEYS_LEAST = 40,
  KEYS_MOST = 136;
/** Widths of a tile of one head and of the way from scores to weights, as roomy as there is room for. */
const ROOMS = [
  [64, 44],
  [32, 20],
] as const;

/** Widths of a matrix beside whose title there is room for the name of its keys or values, and for what makes them. */
const LEAST_NAMED = 150,
  LEAST_MADE = 250;

const PAIRS = SPREAD("query", "key"),
  VECTORS = SPREAD("query", "d_head"),
  TURNED = SPREAD("d_head", "key");

/** The sizes that all of it is laid out by. */
interface Sizes {
  n: number;
  m: number;
  label: number;
  tile: number;
  arrow: number;
  left: number;
  cell: readonly [number, number];
  keys: number;
  isPair: boolean;
  joined: number;
  heads: number;
}

function sizes(model: Model, room: Room): Sizes {
  const { rows, columns } = model.plane("weights", PAIRS),
    n = rows.count,
    m = columns.count;
  const label = Math.min(96, Math.ceil(Math.max(...model.reads.map((text) => room.measure(text, 650)))) + 10);
  const write = model.writes.length
    ? Math.min(96, Math.ceil(Math.max(...model.writes.map((text) => room.measure(text, 650)))) + 10)
    : 0;
  const pairWith = ([tile, arrow]: readonly [number, number]) =>
    Math.floor((room.width - label - 2 * tile - 3 * GAP - write - arrow) / (2 * m));
  const [most, tight] = ROOMS,
    [tile, arrow] = room.isPhone
      ? [0, 0]
      : pairWith(most) >= 40 || pairWith(tight) < LEAST_PAIR
        ? most
        : tight;
  const left = label + (tile ? tile + GAP : 0),
    wide = room.width - left - (room.isPhone ? 4 : GAP + tile + GAP + write),
    pair = pairWith([tile, arrow]);
  const isPair = !room.isPhone && pair >= LEAST_PAIR;
  const width = Math.min(MOST_CELL, isPair ? pair : Math.max(6, Math.floor(wide / m)));
  const row = Math.max(2, Math.min(8, Math.floor(72 / n))),
    heads = model.header.choosers.some(({ axis, options }) => axis === "head" && options.length > 1) ? 46 : 0;
  const below = 34 + heads + n * row + 26;
  const free = room.height - HEAD - LABELS - below,
    least = n > 12 ? LEAST_LONG : LEAST_ROW;
  const height = room.isPhone
    ? Math.max(26, width)
    : Math.max(least, Math.min(width, MOST_CELL, Math.floor((free - KEYS_LEAST) / n)));
  const keys = room.isPhone ? 32 : Math.max(KEYS_LEAST, Math.min(KEYS_MOST, free - n * height));
  return { n, m, label, tile, arrow, left, cell: [width, height], keys, isPair, joined: row, heads };
}

/** What the large matrix shows at each stage; alone it becomes the weights, beside them it stays the scores. */
function scoreVersions(model: Model): Version[] {
  const shown = (from: string, tensor: string, title: string): Version => ({
    from,
    tensor,
    title,
    spread: PAIRS,
    scale: model.scale(tensor),
  });
  const scaled = model.stage("scores")?.scaling?.words;
  return [
    ...(model.stage("products") ? [shown("products", "products", "QKᵀ: q · k")] : []),
    shown("scores", "scores", `scores = q · k ${scaled ?? ""}`),
    {
      ...shown(
        "masked",
        "masked_scores",
        model.chosen.stage === "masked" ? "scores, masked" : `scores = q · k ${scaled ?? ""}`,
      ),
      hides: true,
    },
  ];
}

function weightVersion(model: Model): Version {
  return {
    from: "softmax",
    tensor: "weights",
    title: "weights = softmax",
    spread: PAIRS,
    scale: model.scale("weights"),
  };
}

/** Values, and at the stage that mixes them each times the weight that the lit row gives it. */
function valueVersions(model: Model): Version[] {
  const values: Version = {
    from: "values",
    tensor: "v",
    title: "Vᵀ",
    spread: TURNED,
    scale: model.scale("v", "context"),
  };
  const weights = model.plane("weights", PAIRS);
  if (model.chosen.stage !== "context") return [values];
  return [
    values,
    {
      ...values,
      from: "context",
      title: "a · v",
      as: (value, _, key) => value * weights.value(model.chosen.row, key),
    },
  ];
}

function single(
  name: string,
  version: Version,
  place: Pick<Part, "x" | "y" | "cell" | "tone" | "follows">,
): Part {
  return { name, versions: [version], form: "cells", ...place };
}

function lay(model: Model, room: Room): Board {
  const size = sizes(model, room),
    { n, m, left, keys, isPair } = size,
    [cellWidth, cellHeight] = size.cell;
  const top = HEAD + keys + LABELS,
    width = m * cellWidth,
    second = isPair ? left + width + size.arrow : left,
    parts: Part[] = [],
    notes: Note[] = [],
    ways: Way[] = [];
  const memory = model.header.picture === "attention" && crosses(model) ? "memory" : "X",
    own = !crosses(model) && model.header.row_side === "target";
  const keyTile = (name: string, x: number, y: number, versions: Version[], tone: "k" | "v"): Part => ({
    name,
    versions,
    form: "cells",
    x,
    y,
    cell: [cellWidth, keys / model.plane("k", TURNED).rows.count],
    tone,
    follows: own ? "columns" : "",
  });
  const matrix = (name: string, x: number, y: number, versions: Version[], isLeft: boolean): Part => ({
    name,
    versions,
    form: "cells",
    x,
    y,
    cell: size.cell,
    tone: "",
    follows: "rows",
    columnsGrow: own,
    left: isLeft,
    above: true,
    title: { x, y: y - LABELS - keys - HEAD / 2 },
  });
  const kt: Version[] = [
    { from: "keys", tensor: "k", title: "Kᵀ", spread: TURNED, scale: model.scale("q", "k") },
  ];
  if (isPair) {
    parts.push(keyTile("k", left, HEAD, kt, "k"), matrix("scores", left, top, scoreVersions(model), false));
    parts.push(
      keyTile("v", second, HEAD, valueVersions(model), "v"),
      matrix("weights", second, top, [weightVersion(model)], false),
    );
    notes.push(...product("K", memory, left, width), ...product("V", memory, second, width));
    ways.push({
      points: [
        [left + width + 8, top + cellHeight * (model.chosen.row + 0.5)],
        [second - 8, top + cellHeight * (model.chosen.row + 0.5)],
      ],
      arrow: true,
    });
  } else {
    const isEarly = model.chosen.stage && model.stageIndex(model.chosen.stage) < model.stageIndex("softmax");
    parts.push(
      isEarly ? keyTile("k", left, HEAD, kt, "k") : keyTile("v", left, HEAD, valueVersions(model), "v"),
    );
    parts.push(
      matrix("scores", left, top, isEarly ? scoreVersions(model) : [weightVersion(model)], !size.tile),
    );
    notes.push(...product(isEarly ? "K" : "V", memory, left, width));
  }
  if (size.tile) projections(model, size, top, parts, notes, ways);
  const after = second + width + GAP;
  if (!room.isPhone) parts.push(contextPart(model, size, after, top));
  const end = top + n * cellHeight,
    bottom = joinedRow(model, size, room, end, after + size.tile / 2, parts, notes, ways);
  return { width: room.width, height: bottom, parts, notes, ways, heads: headsAt(model, size, end, parts) };
}

/** The weighted means of the values, after the weights. */
function contextPart(model: Model, { tile, cell: [, height] }: Sizes, x: number, y: number): Part {
  const { columns } = model.plane("context", VECTORS);
  return {
    ...single(
      "context",
      {
        from: "context",
        tensor: "context",
        title: "context",
        spread: VECTORS,
        scale: model.scale("v", "context"),
      },
      { x, y, cell: [tile / columns.count, height], tone: "v", follows: "rows" },
    ),
    right: model.writes,
    title: { x, y: y - LABELS / 2 },
  };
}

function crosses(model: Model): boolean {
  return (
    model.header.row_side === "target" &&
    model.has("memory") &&
    model.tensors.memory.axes.some(({ side }) => side === "source")
  );
}

/** What keys or values are made of, above them, as far as there is room beside the title of the matrix. */
function product(letter: "K" | "V", memory: string, left: number, width: number): Note[] {
  if (width < LEAST_NAMED) return [];
  return [
    {
      text: `${letter}ᵀ` + (width < LEAST_MADE ? "" : `, ${letter} = ${memory} W_${letter}`),
      isFormula: true,
      x: left + width,
      y: HEAD / 2,
      tone: letter === "K" ? "k" : "v",
      align: "right",
      size: 12.5,
    },
  ];
}

/** X and the matrix that makes Q of it, above Q; at the stages of keys and values theirs. */
function projections(
  model: Model,
  { label, tile, keys, cell: [, height] }: Sizes,
  top: number,
  parts: Part[],
  notes: Note[],
  ways: Way[],
): void {
  const letter = { keys: "k", values: "v" }[model.chosen.stage] ?? "q",
    input = letter !== "q" && model.has("memory") ? "memory" : "x";
  const rows = SPREAD("position", "d_model"),
    source = model.plane(input, rows),
    down = Math.min(8, (keys - 30) / source.rows.count);
  const weight = SPREAD("d_model", "d_head"),
    w = model.plane(`w_${letter}`, weight),
    q = model.plane("q", VECTORS);
  parts.push({
    ...single(
      "x",
      {
        from: "input",
        tensor: input,
        title: input === "memory" && crosses(model) ? "memory" : "X",
        spread: rows,
        scale: model.scale(input),
      },
      {
        x: 0,
        y: HEAD,
        cell: [(label - 12) / source.columns.count, down],
        tone: input === "memory" && crosses(model) ? "source" : model.header.row_side || "",
        follows: letter === "q" ? "rows" : "",
      },
    ),
    title: { x: 0, y: HEAD / 2 },
  });
  parts.push({
    ...single(
      "w",
      {
        from: "queries",
        tensor: `w_${letter}`,
        title: `W_${letter.toUpperCase()}`,
        isFormula: true,
        spread: weight,
        scale: model.scale(`w_${letter}`),
      },
      {
        x: label,
        y: HEAD,
        cell: [tile / w.columns.count, (keys - 4) / w.rows.count],
        tone: letter as "q",
        follows: "",
      },
    ),
    title: { x: label, y: HEAD / 2 },
  });
  parts.push({
    ...single(
      "q",
      { from: "queries", tensor: "q", title: "Q", spread: VECTORS, scale: model.scale("q", "k") },
      { x: label, y: top, cell: [tile / q.columns.count, height], tone: "q", follows: "rows" },
    ),
    left: true,
    title: { x: label, y: top - LABELS / 2 },
  });
  ways.push({
    points: [
      [label + tile - 6, top - LABELS + 2],
      [label + tile - 6, top - 4],
    ],
    tone: "q",
    arrow: true,
  });
  notes.push({ text: "×", x: label - 8, y: HEAD + 10, tone: "mute", align: "center", from: "queries" });
}

const STRIP = 256;
/** The heads side by side, the matrix that mixes them, and what the block hands on. */
function joinedRow(
  model: Model,
  { n, joined, heads, label }: Sizes,
  room: Room,
  end: number,
  from: number,
  parts: Part[],
  notes: Note[],
  ways: Way[],
): number {
  const tensor = model.has("joined") ? "joined" : "context",
    spread = SPREAD("query", "head d_head"),
    strip = model.plane(tensor, spread).columns.count;
  const y = end + 34 + heads,
    width = room.isPhone ? room.width - label - 4 : STRIP,
    out = SPREAD("query", "d_model"),
    columns = model.plane("output", out).columns.count;
  const perHead = width / (model.chooser("head")?.options.length ?? 1),
    mid = label + perHead * (model.placeOf("head") + 0.5);
  parts.push({
    ...single(
      "joined",
      { from: "joined", tensor, title: "heads joined", spread, scale: model.scale("context") },
      { x: label, y, cell: [width / strip, joined], tone: "", follows: "rows" },
    ),
    title: { x: label, y: y + n * joined + 12 },
  });
  if (!room.isPhone)
    ways.push({
      points: [
        [from, end + 3],
        [from, end + 16],
        [mid, end + 16],
        [mid, end + 28],
      ],
      arrow: true,
    });
  const next = room.isPhone
    ? { x: label, y: y + n * joined + 46 }
    : { x: label + width + 24 + n * joined + 24, y };
  const side = n * joined;
  if (!room.isPhone) mixingMatrix(model, [label + width, y], side, parts, notes);
  const size = room.isPhone ? width : Math.min(STRIP, room.width - next.x - 4);
  parts.push({
    ...single(
      "output",
      { from: "output", tensor: "output", title: "output", spread: out, scale: model.scale("output") },
      { ...next, cell: [size / columns, joined], tone: "", follows: "rows" },
    ),
    title: { x: next.x, y: next.y - 10 },
  });
  return next.y + side + 24;
}

/** W_O between the joined heads, which end at x, and the output. */
function mixingMatrix(
  model: Model,
  [x, y]: readonly [number, number],
  side: number,
  parts: Part[],
  notes: Note[],
): void {
  const spread = SPREAD("head d_head", "d_model"),
    { rows, columns } = model.plane("w_o", spread);
  parts.push({
    ...single(
      "w_o",
      { from: "output", tensor: "w_o", title: "W_O", isFormula: true, spread, scale: model.scale("w_o") },
      { x: x + 24, y, cell: [side / columns.count, side / rows.count], tone: "", follows: "" },
    ),
    title: { x: x + 24, y: y - 10 },
  });
  const signs = [
    ["×", 12],
    ["=", side + 36],
  ] as const;
  notes.push(
    ...signs.map(([text, right]): Note => ({
      text,
      x: x + right,
      y: y + side / 2,
      tone: "mute",
      align: "center",
      from: "output",
    })),
  );
}

function headsAt(model: Model, { heads, label }: Sizes, end: number, parts: Part[]): Board["heads"] {
  if (!heads) return undefined;
  const joined = parts.find((part) => part.name === "joined")!,
    count = model.chooser("head")!.options.length;
  const { columns } = model.plane(model.has("joined") ? "joined" : "context", SPREAD("query", "head d_head")),
    pitch = (columns.count * joined.cell[0]) / count;
  return {
    x: label,
    y: end + 30,
    width: Math.min(64, pitch - 4),
    height: heads - 4,
    pitch,
    tensor: "weights",
    spread: PAIRS,
  };
}

function feeds(model: Model, { part, row, column }: Spot, board: Board): Frame[] {
  const kt: Frame = { part: "k", column, tone: "k" },
    early = model.chosen.stage && model.stageIndex(model.chosen.stage) < model.stageIndex("softmax");
  const isWeights = part === "weights" || (part === "scores" && !partOf(board, "weights") && !early);
  if (isWeights) return partOf(board, "weights") ? [{ part: "scores", row, tone: "" }] : [];
  const ways: Record<string, Frame[]> = {
    scores: [{ part: "q", row, tone: "q" }, kt],
    context: [
      { part: partOf(board, "weights") ? "weights" : "scores", row, tone: "" },
      { part: "v", row: column, tone: "v" },
    ],
    q: [
      { part: "x", row, tone: "" },
      { part: "w", column, tone: "q" },
    ],
    joined: [{ part: "context", row, tone: "v" }],
    output: [
      { part: "joined", row, tone: "" },
      { part: "w_o", column, tone: "" },
    ],
  };
  return ways[part] ?? [];
}

export const attention: Picture = {
  spans: {
    input: [0, 0],
    queries: [0, 0.12],
    keys: [0.12, 0.12],
    values: [0.12, 0.12],
    products: [0.12, 0.42],
    scores: [0.42, 0.48],
    masked: [0.48, 0.54],
    softmax: [0.54, 0.7],
    context: [0.7, 0.86],
    joined: [0.86, 0.93],
    output: [0.93, 1],
  },
  lay,
  feeds,
};
