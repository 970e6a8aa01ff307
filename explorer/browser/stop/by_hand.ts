// An attention by hand: every matrix of it in one picture, from what is written down to the weighted values.

import type { Scale } from "../shared/cells";
import { fixed, formatSigned, raised } from "../shared/numbers";
import type { Board, Frame, Note, Part, Picture, Room, Saying, Spot, Version, Way } from "./board";
import { SPREAD, extent } from "./board";
import type { Model } from "./model";

const TITLE = 20,
  NAMES = 20,
  GAP = 26,
  LEAST = 33,
  MOST = 52,
  TOTAL = 62;
/** Widths of the way from one stage to the next, as roomy as there is room for. */
const ARROWS = [52, 36] as const;
const LETTERS = ["q", "k", "v"] as const;
const PAIRS = SPREAD("query", "key");

interface Item {
  tensor: string;
  from: string;
  title: string;
  spread: Version["spread"];
  sign: string;
  scale?: Scale;
  write?: (value: number) => string;
  wide?: number;
  above?: boolean;
  tone?: Part["tone"];
}
interface Sizes {
  label: number;
  cell: number;
  high: number;
  n: number;
}
type Laid = Pick<Board, "parts" | "notes" | "ways">;

/** A number as the sentence writes it: whole numbers as such. */
function full(value: number): string {
  return Number.isInteger(value) ? fixed(value, 0) : formatSigned(value);
}

/** Whole numbers as such, others with two decimals, and what has too many digits for a cell by its power of ten. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size < 99999.5)
    return fixed(value, Number.isInteger(value) ? 0 : size >= 1000 ? 0 : 2);
  const [mantissa, exponent] = size.toExponential(0).split("e");
  return `${value < 0 ? "−" : ""}${mantissa}·10${raised(Number(exponent))}`;
}

function scaleOf(model: Model, ...tensors: string[]): Scale {
  return { ...model.scale(...tensors), write: short };
}

/** From the dot products to the output, each with what leads to it. */
function stagesOf(model: Model): Item[] {
  const pair = (tensor: string, from: string, title: string, sign: string): Item => ({
    tensor,
    from,
    title,
    sign,
    spread: PAIRS,
    scale: scaleOf(model, tensor),
    write: full,
    above: true,
  });
  const isScaled = model.stage("scores") !== undefined,
    isMasked = model.stage("masked") !== undefined;
  return [
    pair("products", "products", "QKᵀ", ""),
    ...(isScaled
      ? [pair("scores", "scores", model.stage("scores")!.formula, model.stage("scores")!.arrows[0])]
      : []),
    ...(isMasked ? [pair("masked_scores", "masked", "masked", "mask")] : []),
    pair("exps", "softmax", model.stage("softmax")!.panels[1].title, "exp"),
    {
      tensor: "total",
      from: "softmax",
      title: "Σ of the row",
      sign: "Σ",
      spread: SPREAD("query", ""),
      scale: scaleOf(model, "total"),
      write: full,
      wide: TOTAL,
    },
    {
      ...pair("weights", "softmax", "weights", "÷ Σ"),
      scale: { ...model.scale("weights"), write: (value) => fixed(value, 3) },
      write: undefined,
    },
    {
      tensor: "context",
      from: "context",
      title: "output = weights · V",
      sign: "· V",
      spread: SPREAD("query", "d_head"),
      scale: scaleOf(model, "v", "context"),
      write: full,
      tone: "v",
    },
  ];
}

function sizesOf(model: Model, room: Room): Sizes {
  const { rows, columns } = model.plane("q", SPREAD("query", "d_head")),
    d = model.plane("x", SPREAD("position", "d_model")).columns.count,
    n = rows.count;
  const label = Math.min(
    room.isPhone ? 106 : 124,
    Math.max(56, Math.ceil(Math.max(...model.reads.map((text) => room.measure(text, 650)))) + 22),
  );
  const across = room.isPhone ? Math.max(d, columns.count) : d + 3 * columns.count,
    gaps = room.isPhone ? 0 : 3 * GAP;
  const cell = Math.min(MOST, Math.floor((room.width - label - gaps - 4) / across)),
    down = d + 2 * n;
  const high = room.isPhone
    ? 30
    : Math.max(22, Math.min(32, Math.floor((room.height - 2 * TITLE - NAMES - 2 * GAP - 60) / down)));
  return { label, cell, high, n };
}

function lay(model: Model, room: Room): Board {
  const laid: Laid = { parts: [], notes: [], ways: [] },
    sizes = sizesOf(model, room);
  const below = room.isPhone ? stacked(model, sizes, laid) : crossing(model, sizes, laid);
  const bottom = chain(model, room, sizes, below, laid);
  return { width: room.width, height: bottom, ...laid };
}

function part(model: Model, item: Item, x: number, y: number, { cell, high }: Sizes, left: boolean): Part {
  const version: Version = {
    from: item.from,
    tensor: item.tensor,
    title: item.title,
    isFormula: true,
    spread: item.spread,
    scale: item.scale ?? scaleOf(model, item.tensor),
    write: item.write,
  };
  return {
    name: item.tensor,
    versions: [version],
    form: "cells",
    x,
    y,
    cell: [item.wide ?? cell, high],
    tone: item.tone ?? "",
    follows: "",
    left,
    above: item.above,
    title: { x, y: y - (item.above ? NAMES : 0) - TITLE / 2 + 2 },
  };
}

function given(tensor: string): Item {
  return {
    tensor,
    from: "queries",
    title: tensor === "x" ? "X" : `W_${tensor.slice(2).toUpperCase()}`,
    sign: "",
    spread: tensor === "x" ? SPREAD("position", "d_model") : SPREAD("d_model", "d_head"),
    tone: tensor === "x" ? "" : (tensor.slice(2) as "q"),
  };
}
function made(model: Model, letter: "q" | "k" | "v"): Item {
  const from = { q: "queries", k: "keys", v: "values" }[letter];
  return {
    tensor: letter,
    from,
    title: model.stage(from)!.formula,
    sign: "",
    spread: SPREAD(letter === "q" ? "query" : "key", "d_head"),
    scale: scaleOf(model, letter),
    write: full,
    tone: letter,
  };
}

/** X at the left of what it makes, and each matrix above it: every product is a crossing. Where it ends. */
function crossing(model: Model, sizes: Sizes, { parts, ways }: Laid): number {
  const x = part(model, given("x"), sizes.label, 0, sizes, false),
    matrix = extent(model, part(model, given("w_q"), 0, 0, sizes, false)),
    top = TITLE,
    y = top + matrix.height + TITLE + 6;
  parts.push({ ...x, y, title: { x: sizes.label, y: y - TITLE / 2 + 2 } });
  let at = sizes.label + extent(model, x).width + GAP;
  for (const letter of LETTERS) {
    parts.push(
      part(model, given(`w_${letter}`), at, top, sizes, false),
      part(model, made(model, letter), at, y, sizes, false),
    );
    ways.push({
      points: [
        [at + matrix.width - 8, top + matrix.height + 3],
        [at + matrix.width - 8, y - 3],
      ],
      tone: letter,
      arrow: true,
    });
    at += matrix.width + GAP;
  }
  return y + sizes.n * sizes.high + 18;
}

/** The same where there is no room for it side by side: X, then each matrix above what it makes of X. */
function stacked(model: Model, sizes: Sizes, { parts, ways }: Laid): number {
  let y = TITLE;
  const add = (item: Item, isNamed: boolean) => {
    const added = part(model, item, sizes.label, y, sizes, isNamed),
      { width, height } = extent(model, added);
    parts.push(added);
    y += height + TITLE + 6;
    return width;
  };
  add(given("x"), false);
  for (const letter of LETTERS) {
    y += 8;
    const width = add(given(`w_${letter}`), false);
    ways.push({
      points: [
        [sizes.label + width - 8, y - TITLE - 3],
        [sizes.label + width - 8, y - 3],
      ],
      tone: letter,
      arrow: true,
    });
    add(made(model, letter), true);
  }
  return y - 4;
}

/** The stages from the scores on, side by side as far as there is room. */
function chain(model: Model, room: Room, sizes: Sizes, from: number, { parts, notes, ways }: Laid): number {
  const items = stagesOf(model),
    { gap, cell } = chainSizes(model, items, room, sizes),
    own = { ...sizes, cell };
  let x = own.label,
    y = from + TITLE + NAMES,
    isFirst = true;
  for (const item of items) {
    const { width } = extent(model, part(model, item, 0, 0, own, false)),
      needed = isFirst ? width : gap + width;
    if (!isFirst && x + needed > room.width) {
      y += own.n * own.high + TITLE + NAMES + 12;
      x = own.label;
      isFirst = true;
    }
    if (!isFirst) sign(item.sign, x + gap / 2, y + (own.n * own.high) / 2, gap, notes, ways);
    const start = isFirst ? x : x + gap;
    parts.push(part(model, item, start, y, own, isFirst));
    if (isFirst && item.sign)
      notes.push({ text: item.sign, x: 4, y: y - NAMES - TITLE / 2 + 2, tone: "mute", size: 12 });
    x = start + width;
    isFirst = false;
  }
  return y + own.n * own.high + 14;
}

/** As wide as lets all of them stand in one line, where its numbers can still be read; else as wide as the others. */
function chainSizes(model: Model, items: Item[], room: Room, sizes: Sizes): { gap: number; cell: number } {
  const columns = items.reduce(
    (sum, item) => sum + (item.wide ? 0 : model.plane(item.tensor, item.spread).columns.count),
    0,
  );
  const alone = (gap: number) =>
    Math.floor((room.width - sizes.label - TOTAL - (items.length - 1) * gap - 4) / columns);
  const gap = ARROWS.find((each) => alone(each) >= LEAST);
  return gap
    ? { gap, cell: Math.min(MOST, alone(gap)) }
    : { gap: ARROWS[1], cell: Math.max(LEAST, Math.min(sizes.cell, 44)) };
}

function sign(text: string, x: number, y: number, gap: number, notes: Note[], ways: Way[]): void {
  notes.push({ text, x, y: y - 11, tone: "mute", size: 12, align: "center", most: gap - 6 });
  ways.push({
    points: [
      [x - gap / 2 + 6, y],
      [x + gap / 2 - 6, y],
    ],
    arrow: true,
  });
}

/** The rows, columns and cells that make a number. */
function feeds(model: Model, { part: name, row, column }: Spot): Frame[] {
  const of = (tensor: string): Frame => ({ part: tensor, row, column, tone: "" }),
    before = model.stage("masked") ? "masked_scores" : model.stage("scores") ? "scores" : "products";
  const ways: Record<string, Frame[]> = {
    ...Object.fromEntries(
      LETTERS.map((letter) => [
        letter,
        [
          { part: "x", row, tone: "" },
          { part: `w_${letter}`, column, tone: letter },
        ] satisfies Frame[],
      ]),
    ),
    products: [
      { part: "q", row, tone: "q" },
      { part: "k", row: column, tone: "k" },
    ],
    scores: [of("products")],
    masked_scores: [of(model.stage("scores") ? "scores" : "products")],
    exps: [of(before)],
    total: [{ part: "exps", row, tone: "" }],
    weights: [of("exps"), { part: "total", row, tone: "" }],
    context: [
      { part: "weights", row, tone: "" },
      { part: "v", column, tone: "v" },
    ],
  };
  return ways[name] ?? [];
}

/** The matrices whose row and column are multiplied; keys stand in rows, so that a column of Kᵀ is one of their rows. */
const FACTORS: Record<string, readonly [left: string, right: string]> = {
  q: ["x", "w_q"],
  k: ["x", "w_k"],
  v: ["x", "w_v"],
  products: ["q", "k"],
  context: ["weights", "v"],
};

function valuesOf(model: Model, tensor: string, at: (row: number, column: number) => boolean): number[] {
  const plane = model.plane(tensor, spreadOf(model, tensor)),
    found: number[] = [];
  for (let row = 0; row < plane.rows.count; row++)
    for (let column = 0; column < plane.columns.count; column++)
      if (at(row, column)) found.push(plane.value(row, column));
  return found;
}

function spreadOf(model: Model, tensor: string): Version["spread"] {
  const [rows, columns = ""] = model.tensors[tensor].axes.map(({ name }) => name);
  return SPREAD(rows, columns);
}

/** What a number is made of, written out; null where somebody is to find that out. */
function madeOf(model: Model, { part: name, row, column }: Spot): string | null {
  const one = (tensor: string, across = column) =>
      valuesOf(model, tensor, (r, c) => r === row && c === across)[0],
    whole = (tensor: string) => valuesOf(model, tensor, (r) => r === row);
  if (Number.isNaN(one(name))) return null;
  if (name in FACTORS) {
    const [left, right] = FACTORS[name],
      factors = valuesOf(model, right, name === "products" ? (r) => r === column : (_, c) => c === column);
    return whole(left)
      .map((value, i) => `${term(value)} · ${factor(factors[i])}`)
      .join(" + ");
  }
  if (name === "scores") return `${term(one("products"))} ${model.stage("scores")!.arrows[0]}`;
  if (name === "total") return whole("exps").map(term).join(" + ");
  return name === "weights" ? `${term(one("exps"))} ÷ ${term(one("total", 0))}` : null;
}

function term(value: number): string {
  return fixed(value, Number.isInteger(value) ? 0 : 3);
}
function factor(value: number): string {
  return value < 0 ? `(${term(value)})` : term(value);
}

function says(model: Model, spot: Spot): Saying | null {
  const terms = madeOf(model, spot);
  return terms === null ? null : { between: spot.part === "total" ? "" : " · ", after: `: ${terms} = ` };
}

export const byHand: Picture = {
  lay,
  feeds,
  says,
  rests: "Type into the framed cells. Point at a number to see what it is made of; click it to see how.",
};
