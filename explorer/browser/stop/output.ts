// The output in one picture: the logits of the lit row as a skyline, then the ten tokens that matter as rows whose sums close.

import { WEIGHTS, signedScale } from "../shared/cells";
import { fixed, formatCount, formatProbability, formatSigned } from "../shared/numbers";
import type { Point } from "../shared/pen";
import { extremes, range, shownPlace, wholePlace } from "../shared/planes";
import type { Area, Board, Frame, Note, Part, Picture, Room, Saying, Spot, Version } from "./board";
import { SPREAD } from "./board";
import type { Model } from "./model";

const TEN = 10,
  HEAD = 20,
  HEADS = 26,
  FOOT = 26,
  ROW_MOST = 33,
  ROW_LEAST = 22,
  SKY_LEAST = 84;
const SKY = SPREAD("position", "vocab"),
  DOWN = SPREAD("vocab", "position"),
  TERMS = SPREAD("vocab", "d_model"),
  NARROW = SPREAD("position", "d_model");
type Column = "terms" | "logits" | "exp" | "softmax" | "probs" | "log";
const HEADINGS: Record<Exclude<Column, "terms">, string> = {
  logits: "logit",
  exp: "e^logit",
  softmax: "softmax",
  probs: "P",
  log: "log P",
};

/** The tokens that have rows, as places in the window of tokens; where the lit row and the token that it writes stand. */
interface Shown {
  ten: number[];
  written: number;
  sky: { row: number; written: number };
}

function shown(model: Model): Shown {
  const row = model.chosen.row,
    plane = model.plane("logits", SKY),
    count = plane.columns.count,
    written = model.writes[row];
  const order = range(count).sort((a, b) => plane.value(row, b) - plane.value(row, a)),
    own = range(count).findIndex((token) => plane.columns.label(token) === written);
  // The token that was written has a row of its own, even if it was forced against all odds.
  const ten = order.slice(0, TEN),
    sky = model.tensors.skyline,
    place = own < 0 ? -1 : shownPlace(sky.axis("vocab")!, idOf(model, own));
  if (own >= 0 && !ten.includes(own)) ten.splice(-1, 1, own);
  return { ten, written: own, sky: { row: shownPlace(sky.axis("position")!, row), written: place } };
}

function idOf(model: Model, place: number): number {
  return wholePlace(model.tensors.logits.axis("vocab")!, place);
}
/** Sum of e^logit over the whole vocabulary, by what the softmax made of one of them. */
function total(model: Model, token: number): number {
  const row = model.chosen.row;
  return Math.exp(
    model.plane("logits", SKY).value(row, token) - model.plane("log_probs", SKY).value(row, token),
  );
}
function power(value: number): string {
  return value >= 100 && value < 1e7
    ? fixed(value, 0)
    : value >= 0.01
      ? fixed(value, 2)
      : formatSigned(value);
}

// ---- places --------------------------------------------------------------------------------------------------------
interface Sizes {
  width: number;
  sky: Point;
  row: number;
  top: number;
  columns: Partial<Record<Column, Point>> & Record<Exclude<Column, "log">, Point>;
}

function sizes(room: Room, count: number): Sizes {
  const { width, isPhone } = room,
    free = (isPhone ? 520 : room.height) - HEAD - HEADS - FOOT,
    row = Math.max(ROW_LEAST, Math.min(ROW_MOST, Math.floor((free - SKY_LEAST) / (count + 1.5))));
  const sky: Point = [HEAD, Math.max(SKY_LEAST, Math.min(isPhone ? 110 : 230, free - count * row))];
  const columns: Sizes["columns"] = isPhone
    ? { terms: [62, 86], logits: [150, 52], exp: [202, 54], softmax: [262, 36], probs: [width - 60, 60] }
    : share(width, {
        terms: [0.12, 0.31],
        logits: [0.43, 0.09],
        exp: [0.52, 0.1],
        softmax: [0.64, 0.17],
        probs: [0.81, 0.095],
        log: [0.905, 0.095],
      });
  return { width, sky, row, top: sky[0] + sky[1] + HEADS, columns };
}

function share(width: number, columns: Sizes["columns"]): Sizes["columns"] {
  return Object.fromEntries(
    Object.entries(columns).map(([name, [x, part]]) => [name, [x * width, part * width]]),
  ) as unknown as Sizes["columns"];
}

function lay(model: Model, room: Room): Board {
  const found = shown(model),
    size = sizes(room, found.ten.length),
    parts = [skyline(model, found, size, room), ...rows(model, found, size)];
  const bottom = size.top + found.ten.length * size.row;
  return {
    width: size.width,
    height: bottom + FOOT,
    parts,
    notes: [...skyNotes(model, found, parts[0]), ...rowNotes(model, found, size, room)],
    ways: [],
    areas: [...band(model, found, parts[0]), ...lines(found, size)],
  };
}

function skyline(model: Model, { sky }: Shown, { width, sky: [y, height] }: Sizes, room: Room): Part {
  const plane = model.plane("skyline", SKY),
    { low, high } = extremes(plane, sky.row < 0 ? [] : [sky.row]) ?? { low: 0, high: 1 },
    left = 16;
  const { count, size } = plane.columns,
    half = formatCount(Math.floor(count / 2)),
    rest = count < size ? `: the ${half} largest and the ${half} smallest, all others in the band` : "";
  const title =
    room.isPhone && rest
      ? `${formatCount(size)} logits: ${half} at each end, and a band`
      : `${formatCount(size)} logits${room.isPhone || rest ? "" : ", one for each token of the vocabulary,"} of the row that reads ${model.reads[model.chosen.row] ?? ""}${rest}`;
  return {
    name: "skyline",
    versions: [
      { from: "logits", tensor: "skyline", spread: SKY, scale: signedScale(Math.max(-low, high)), title },
    ],
    form: "bars",
    x: left,
    y,
    cell: [(width - left) / plane.columns.count, height],
    tone: "",
    follows: "lit",
    rows: sky.row < 0 ? [] : [sky.row],
    span: [Math.min(0, low), Math.max(0, high)],
    paint: (_, token) => (token === sky.written ? "target" : "hatch"),
    title: { x: 0, y: y - HEAD / 2 },
  };
}

/** Each token's terms, its logit, what the softmax makes of that, and its probability. */
function rows(model: Model, { ten, written }: Shown, { row: height, top, columns }: Sizes): Part[] {
  const lit = model.chosen.row,
    x = model.plane("x", NARROW),
    matrix = model.plane("matrix", TERMS),
    logits = model.plane("logits", DOWN),
    term = (value: number, _: number, d: number) => value * x.value(lit, d);
  const most = Math.max(
    ...ten.flatMap((token) =>
      range(x.columns.count).map((d) => Math.abs(term(matrix.value(token, d), token, d))),
    ),
  );
  const part = (
    name: Column,
    form: Part["form"],
    version: Omit<Version, "title">,
    columnCount = 1,
  ): Part => ({
    name,
    versions: [{ ...version, title: name === "terms" ? `${x.columns.count} terms x · e` : HEADINGS[name] }],
    form,
    x: columns[name]![0],
    y: top,
    cell: [columns[name]![1] / columnCount, height],
    tone: "",
    follows: "lit",
    rows: ten,
    ...(columnCount === 1
      ? { columns: [lit], paint: (token: number) => (token === written ? "target" : undefined) }
      : {}),
  });
  const probs = { from: "softmax", tensor: "probs", spread: DOWN, scale: WEIGHTS },
    exp = (_: number, token: number) => Math.exp(logits.value(token, lit));
  return [
    part(
      "terms",
      "bars",
      { from: "logits", tensor: "matrix", spread: TERMS, scale: signedScale(most), as: term },
      x.columns.count,
    ),
    part("logits", "numbers", {
      from: "logits",
      tensor: "logits",
      spread: DOWN,
      scale: model.scale("logits"),
      write: formatSigned,
    }),
    part("exp", "numbers", { ...probs, as: exp, write: power }),
    part("softmax", "meters", { ...probs, write: formatProbability }),
    part("probs", "numbers", { ...probs, write: formatProbability }),
    ...(columns.log ? [part("log", "numbers", { ...probs, tensor: "log_probs", write: formatSigned })] : []),
  ];
}

// ---- words ---------------------------------------------------------------------------------------------------------
function skyNotes(model: Model, { sky, written }: Shown, { x, y, cell, span }: Part): Note[] {
  const [low, high] = span!,
    at = (value: number) => y + ((high - value) * cell[1]) / (high - low || 1),
    notes: Note[] = [{ text: "0", x: 0, y: at(0), size: 12, tone: "mute" }];
  if (sky.row < 0 || sky.written < 0) return notes;
  const value = model.plane("logits", SKY).value(model.chosen.row, written),
    left = x + (sky.written + 0.5) * cell[0],
    isRight = left > model.plane("skyline", SKY).columns.count * cell[0] - 120;
  return [
    ...notes,
    {
      text: `${model.writes[model.chosen.row]} ${formatSigned(value)}`,
      x: left + (isRight ? -8 : 8),
      y: at(value) + (value < 0 ? -8 : 8),
      tone: "target",
      weight: 650,
      align: isRight ? "right" : "left",
      from: "logits",
    },
  ];
}

/** Where the logits lie that the skyline leaves out of a long vocabulary. */
function band(model: Model, { sky }: Shown, { x, y, cell, span }: Part): Area[] {
  const plane = model.plane("skyline", SKY),
    [low, high] = span!,
    { count, size } = plane.columns;
  if (count >= size || sky.row < 0) return [];
  const sorted = range(count)
      .map((token) => plane.value(sky.row, token))
      .sort((a, b) => b - a),
    half = Math.floor(count / 2),
    at = (value: number) => y + ((high - value) * cell[1]) / (high - low || 1);
  const [top, bottom] = [at(sorted[half - 1]), at(sorted[half])],
    right = x + count * cell[0];
  return [
    {
      colour: "line",
      points: [
        [x, top],
        [right, top],
        [right, bottom],
        [x, bottom],
      ],
    },
  ];
}

function rowNotes(
  model: Model,
  { ten, written }: Shown,
  { row: height, top, columns, width }: Sizes,
  room: Room,
): Note[] {
  const logits = model.plane("logits", DOWN),
    probs = model.plane("probs", DOWN),
    lit = model.chosen.row,
    d = model.plane("x", NARROW).columns.count,
    left = columns.terms[0];
  const heading = { y: top - HEADS / 2 + 1, size: 12.5, tone: "mute" as const },
    over = (name: Exclude<Column, "terms">): Note => ({
      text: HEADINGS[name],
      ...heading,
      x: name === "softmax" ? columns.softmax[0] : columns[name]![0] + columns[name]![1] - 4,
      align: name === "softmax" ? "left" : "right",
      from: name === "logits" ? "logits" : "softmax",
    });
  const names = ten.map((token, i): Note => ({
    text: logits.rows.label(token),
    x: 6,
    y: top + (i + 0.5) * height,
    tone: token === written ? "target" : "",
    weight: token === written ? 650 : 400,
    most: left - 12,
    size: 14,
    from: "logits",
  }));
  const others = model.tensors.logits.axis("vocab")!.size - ten.length,
    rest = 1 - ten.reduce((sum, token) => sum + probs.value(token, lit), 0),
    sum = power(total(model, ten[0]));
  const left_out =
    others > 0
      ? `the other ${formatCount(others)} together ${formatProbability(Math.max(0, rest))}  ·  `
      : "";
  return [
    { text: "token", ...heading, x: 6 },
    { text: room.isPhone ? "x · e" : `${formatCount(d)} terms x · e, summed`, ...heading, x: left },
    over("logits"),
    over("exp"),
    ...(room.isPhone ? [] : [over("softmax")]),
    over("probs"),
    ...(columns.log ? [over("log")] : []),
    ...names,
    {
      text: `${left_out}sum of all e^logit ${sum}`,
      x: 6,
      y: top + ten.length * height + FOOT / 2,
      tone: "mute",
      size: 13,
      most: width - 8,
      from: "softmax",
    },
  ];
}

/** The row of the token that is written, and a hairline under each. */
function lines({ ten, written }: Shown, { width, row, top }: Sizes): Area[] {
  const box = (y: number, height: number): Point[] => [
      [0, y],
      [width, y],
      [width, y + height],
      [0, y + height],
    ],
    at = ten.indexOf(written);
  return [
    ...(at < 0 ? [] : [{ colour: "target-tint" as const, points: box(top + at * row, row) }]),
    ...ten.map((_, i): Area => ({ colour: "line", points: box(top + (i + 1) * row - 1, 1) })),
  ];
}

// ---- what feeds a number -------------------------------------------------------------------------------------------
/** The token of a cell, as a place in the window of tokens; −1 where that does not hold it. */
function tokenOf(model: Model, { part, row, column }: Spot): number {
  return part === "skyline"
    ? shownPlace(
        model.tensors.logits.axis("vocab")!,
        wholePlace(model.tensors.skyline.axis("vocab")!, column),
      )
    : row;
}

function feeds(model: Model, spot: Spot): Frame[] {
  const token = tokenOf(model, spot),
    lit = model.chosen.row,
    cell = (part: string): Frame => ({ part, row: token, column: lit, tone: "" });
  if (token < 0) return [];
  const inSky: Frame = {
    part: "skyline",
    column: shownPlace(model.tensors.skyline.axis("vocab")!, idOf(model, token)),
    tone: "",
  };
  const ways: Record<string, Frame[]> = {
    skyline: [{ part: "terms", row: token, tone: "" }],
    logits: [{ part: "terms", row: token, tone: "" }, inSky],
    exp: [cell("logits"), inSky],
    softmax: [cell("exp")],
    probs: [cell("exp")],
    log: [cell("logits"), inSky],
  };
  return ways[spot.part] ?? [];
}

function says(model: Model, spot: Spot, version: Version): Saying {
  const lit = model.chosen.row,
    d = model.plane("x", NARROW).columns.count,
    token = tokenOf(model, spot),
    first =
      spot.part === "skyline"
        ? model.plane("skyline", SKY).columns.label(spot.column)
        : model.plane("logits", DOWN).rows.label(token);
  const name = { first, between: "", second: "" },
    logit = token < 0 ? 0 : model.plane("logits", DOWN).value(token, lit);
  if (spot.part === "skyline" || spot.part === "logits")
    return { ...name, after: `: ${formatCount(d)} products x · e, summed, give the logit ` };
  if (spot.part === "terms") {
    const x = model.plane("x", NARROW).value(lit, spot.column),
      e = model.plane(version.tensor, TERMS).value(token, spot.column);
    return {
      ...name,
      after: ` · d_model ${spot.column}: x · e = ${formatSigned(x)} · ${formatSigned(e)} = `,
      place: "",
    };
  }
  if (spot.part === "exp")
    return { ...name, after: `: e to the power of its logit ${formatSigned(logit)} = `, place: "" };
  if (spot.part === "log")
    return {
      ...name,
      after: `: its logit less the logarithm of the sum, ${formatSigned(logit)} − log ${power(total(model, token))} = `,
    };
  return {
    ...name,
    after: `: its share of the sum, ${power(Math.exp(logit))} ÷ ${power(total(model, token))} = `,
  };
}

/** A term belongs to its token's logit, which is explained with all of them. */
function asks(model: Model, spot: Spot): Spot {
  return spot.part === "terms" ? { part: "logits", row: spot.row, column: model.chosen.row } : spot;
}

export const output: Picture = { spans: { logits: [0, 0.6], softmax: [0.6, 1] }, lay, feeds, says, asks };
