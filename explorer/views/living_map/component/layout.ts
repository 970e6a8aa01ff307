// Where everything stands. u runs with the computation and v across the lanes: on a wide screen u is x, on a phone it is y,
// so that one code draws both.

import type { Box } from "../../../browser/shared/elements";
import type { Run, Side, Stack, Sublayer } from "./run";

/** A sub-layer's place along u: where its parts begin. `keys` is for attention, `hidden` for the feed-forward network. */
export interface Stop {
  sublayers: Sublayer[];
  sub: Sublayer;
  isFolded: boolean;
  from: number;
  inside: number;
  q: number;
  keys: number;
  context: number;
  hidden: number;
  output: number;
  plus: number;
  stream: number;
  to: number;
}
/** A stack's lanes. */
export interface Band {
  side: Side;
  stack: Stack;
  top: number;
  keysTop: number;
  lanes: number;
  bottom: number;
  chip: number;
  begin: number;
  end: number;
  stops: Stop[];
  /** The tokens that have a lane, in their order, and the place of each. */
  shown: number[];
  place: Map<number, number>;
}
export interface Layout {
  isPhone: boolean;
  isLarge: boolean;
  width: number;
  height: number;
  pitch: number;
  rows: number;
  row: number;
  tile: number;
  hidden: number;
  side: number;
  chip: number;
  keyWidth: number;
  keyGroup: number;
  keyHeight: number;
  header: number;
  encoder: Band;
  decoder: Band;
  out: number;
  memory: { u: number; v: number; gap: number };
  corner: Box;
}
/** What decides a layout besides the run: the room, which layers are open, and which lanes are looked at. */
export interface Wish {
  width: number;
  height: number;
  isPhone: boolean;
  openTo: number;
  step: number;
  pinned: number[];
}

const OPEN_LAYERS = 2,
  LEAST_PITCH = 8,
  MOST_PITCH = 56,
  MEAN_PITCH = 14,
  LEAST_KEY = 3,
  LEAST_CORNER = 300;

interface Measures {
  pixel: number;
  tile: number;
  hidden: number;
  side: number;
  chip: number;
  gap: number;
  keyMost: number;
  keyLeast: number;
  header: number;
  keyHeight: number;
  between: number;
  loop: number;
}

/** How many columns the keys of a side have, where neighbours share one. */
export function columnsOf(layout: Pick<Layout, "keyGroup">, keys: number): number {
  return Math.ceil(keys / layout.keyGroup);
}

/** Lay a run out in the room that there is. */
export function layOut(run: Run, wish: Wish): Layout {
  const sizes = measures(run, wish),
    lanes = laneSizes(run, wish, sizes);
  const plan = planColumns(run, wish, sizes);
  const common = { sizes, lanes, plan };
  const bandHeight = sizes.header + 2 * sizes.keyHeight + 8;
  const encoder = band(run.encoder, common, wish, wish.isPhone ? 4 : 8, 0, lanes.source);
  const top = wish.isPhone ? 0 : bandHeight + lanes.pitch * lanes.source.length + sizes.between;
  const decoder = band(run.decoder, common, wish, wish.isPhone ? encoder.end + 58 : 8, top, lanes.target);
  if (!wish.isPhone)
    spread(
      encoder,
      decoder,
      wish.width - (decoder.end + 6 + sizes.chip + 8),
      wish.width - 52 - LEAST_CORNER - encoder.end,
    );
  const memoryV = encoder.bottom;
  const corner = {
    x: encoder.end + 50,
    y: 0,
    width: wish.width - encoder.end - 52,
    height: memoryV - (wish.height > 660 ? 26 : 22),
  };
  const out = decoder.end + 6;
  return {
    isPhone: wish.isPhone,
    isLarge: wish.height > 660,
    width: wish.width,
    height: wish.isPhone ? Math.ceil(out + sizes.chip + 8) : wish.height,
    pitch: lanes.pitch,
    rows: lanes.rows,
    row: lanes.row,
    tile: sizes.tile,
    hidden: sizes.hidden,
    side: sizes.side,
    chip: sizes.chip,
    keyWidth: plan.keyWidth,
    keyGroup: plan.keyGroup,
    keyHeight: sizes.keyHeight,
    header: sizes.header,
    encoder,
    decoder,
    out,
    memory: { u: encoder.end, v: memoryV, gap: wireGap(run, sizes) },
    corner,
  };
}

function measures(run: Run, { width, height, isPhone }: Wish): Measures {
  const { header } = run,
    [, , columns] = run.codes(run.encoder.embedding.output).shape;
  const large = height > 660 && !isPhone,
    wide = width > 1500,
    roomy = width > 1120;
  const pixel = wide ? 3 : 2,
    wider = Math.min(4, Math.max(1, header.d_ff / header.d_model));
  if (isPhone) {
    return {
      pixel: 2,
      tile: 2 * columns,
      hidden: 1.5 * 2 * columns,
      side: 20,
      chip: 30,
      gap: 32,
      keyMost: 9,
      keyLeast: LEAST_KEY,
      header: 0,
      keyHeight: 16,
      between: 0,
      loop: 0,
    };
  }
  return {
    pixel,
    tile: pixel * columns,
    hidden: Math.round((wide ? 2 : 1) * columns * wider),
    side: wide ? 32 : 16,
    chip: roomy ? 60 : 54,
    gap: roomy ? 10 : 7,
    keyMost: wide ? 24 : 22,
    keyLeast: 7,
    header: large ? 38 : 34,
    keyHeight: large ? 32 : 16,
    between: large ? 54 : 42,
    loop: 20,
  };
}

function wireGap(run: Run, sizes: Measures): number {
  return Math.min(4, (sizes.between - 26) / Math.max(1, run.encoder.tokens.length - 1));
}

/** How high a lane is, how many rows its tiles have, and which tokens have one. */
function laneSizes(run: Run, wish: Wish, sizes: Measures) {
  const nSource = run.encoder.tokens.length,
    nTarget = run.decoder.tokens.length;
  const room = wish.isPhone
    ? wish.width - 24 - 2 * sizes.keyHeight - 12
    : wish.height - 2 * (sizes.header + 2 * sizes.keyHeight + 8) - sizes.between - sizes.loop - 6;
  const across = wish.isPhone ? Math.max(nSource, nTarget) : nSource + nTarget;
  const pitch = Math.max(LEAST_PITCH, Math.min(MOST_PITCH, Math.floor(room / across)));
  const fits = Math.max(2, Math.floor(room / pitch));
  const most = wish.isPhone ? [fits, fits] : halves(nSource, nTarget, fits);
  const gap = wish.isPhone ? 6 : pitch < MEAN_PITCH ? 2 : 5,
    heads = run.header.n_heads;
  const rows = pitch < MEAN_PITCH || Math.floor((pitch - gap) / heads) < 2 ? 1 : heads;
  return {
    pitch,
    rows,
    row: Math.floor((pitch - gap) / rows),
    source: lanesShown(nSource, most[0], wish.pinned[0] ?? 0, wish.pinned),
    target: lanesShown(nTarget, most[1], Math.max(0, wish.step), []),
  };
}

function halves(one: number, other: number, most: number): [number, number] {
  if (one + other <= most) return [one, other];
  const half = Math.floor(most / 2);
  if (one <= half) return [one, most - one];
  return other <= half ? [most - other, other] : [half, most - half];
}

/** The tokens that have a lane: all, or as many as fit around the one that is looked at, with those that are pinned. */
function lanesShown(length: number, most: number, around: number, pinned: number[]): number[] {
  if (length <= most) return Array.from({ length }, (_, i) => i);
  const from = Math.max(0, Math.min(length - most, around - Math.floor(most * 0.7)));
  const shown = Array.from({ length: most }, (_, i) => from + i);
  const outside = pinned.filter((token) => token < from || token >= from + most).slice(0, 3);
  return [...shown.slice(outside.length), ...outside].sort((a, b) => a - b);
}

/** Which layers are open and how wide a key is, so that both stacks and the corner fit. */
function planColumns(run: Run, wish: Wish, sizes: Measures) {
  const keys = Math.max(run.encoder.tokens.length, run.decoder.tokens.length);
  const layers = (stack: Stack) => 1 + Math.max(...stack.sublayers.map(({ layer }) => layer));
  for (let open = Math.min(OPEN_LAYERS, Math.max(layers(run.encoder), layers(run.decoder))); ; open--) {
    const isOpen = (stack: Stack, layer: number) => {
      const last = Math.min(layers(stack) - 1, Math.max(open - 1, wish.openTo));
      return layer <= last && layer > last - open;
    };
    if (wish.isPhone) return { isOpen, keyWidth: sizes.keyMost, keyGroup: 1, keys };
    const width = (keyWidth: number) => widthOf(run.decoder, isOpen, sizes, keyWidth * keys);
    const room = wish.width - (wish.width > 1120 ? 24 : 6);
    let keyWidth = sizes.keyMost;
    while (keyWidth > sizes.keyLeast && width(keyWidth) > room) keyWidth--;
    const encoder = widthOf(run.encoder, isOpen, sizes, keyWidth * keys) - (6 + sizes.chip + 8);
    const corner = wish.width - 52 - encoder >= LEAST_CORNER;
    if ((width(keyWidth) <= room && corner) || open === 1)
      return { isOpen, ...narrowed(keyWidth, keys, room, width), keys };
  }
}

/** Keys as narrow as they must be; from some point on neighbours share a column. */
function narrowed(
  keyWidth: number,
  keys: number,
  room: number,
  width: (keyWidth: number) => number,
): { keyWidth: number; keyGroup: number } {
  let narrow = keyWidth;
  while (narrow > LEAST_KEY && width(narrow) > room) narrow--;
  let keyGroup = 1;
  while (keyGroup < keys && width((narrow * Math.ceil(keys / keyGroup)) / keys) > room) keyGroup++;
  return { keyWidth: narrow, keyGroup };
}

function widthOf(
  stack: Stack,
  isOpen: (stack: Stack, layer: number) => boolean,
  sizes: Measures,
  keys: number,
): number {
  const beside = 8 + sizes.chip + 8 + sizes.tile + 6 + sizes.chip + 8,
    around = sizes.gap + 20 + sizes.tile + 4;
  const folded = new Set(
    stack.sublayers.filter(({ layer }) => !isOpen(stack, layer)).map(({ layer }) => layer),
  ).size;
  return (
    beside +
    folded * (sizes.tile + 4) +
    stack.sublayers
      .filter(({ layer }) => isOpen(stack, layer))
      .reduce(
        (sum, { kind }) => sum + around + (kind === "attention" ? 2 * sizes.side + 5 + keys : sizes.hidden),
        0,
      )
  );
}

interface Common {
  sizes: Measures;
  lanes: ReturnType<typeof laneSizes>;
  plan: ReturnType<typeof planColumns>;
}

function band(
  stack: Stack,
  { sizes, lanes, plan }: Common,
  wish: Wish,
  from: number,
  top: number,
  shown: number[],
): Band {
  const keysTop = wish.isPhone ? 24 : top + (stack.side === "source" ? sizes.header : 0);
  const first = wish.isPhone ? 24 + 2 * sizes.keyHeight + 10 : keysTop + 2 * sizes.keyHeight + 8;
  const chip = from,
    begin = from + sizes.chip + 8,
    stops: Stop[] = [];
  const keys = Math.ceil(plan.keys / plan.keyGroup) * plan.keyWidth;
  let u = begin + sizes.tile;
  for (const sublayers of grouped(stack, plan.isOpen)) {
    const isFolded = sublayers.length > 1,
      place = isFolded ? foldedStop(u, sizes) : openStop(u, sublayers[0], sizes, keys);
    stops.push({ sublayers, sub: sublayers.at(-1)!, isFolded, ...place });
    u = place.to;
  }
  return {
    side: stack.side,
    stack,
    top,
    keysTop,
    lanes: first,
    bottom: first + shown.length * lanes.pitch,
    chip,
    begin,
    end: u,
    stops,
    shown,
    place: new Map(shown.map((token, i) => [token, i])),
  };
}

/** Open sub-layers by themselves, those of a folded layer together. */
function grouped(stack: Stack, isOpen: (stack: Stack, layer: number) => boolean): Sublayer[][] {
  const groups: Sublayer[][] = [];
  for (const sub of stack.sublayers) {
    const last = groups.at(-1);
    if (!isOpen(stack, sub.layer) && last?.[0].layer === sub.layer) last.push(sub);
    else groups.push([sub]);
  }
  return groups;
}

function openStop(
  from: number,
  { kind }: Sublayer,
  sizes: Measures,
  keys: number,
): Omit<Stop, "sub" | "sublayers" | "isFolded"> {
  const inside = from + sizes.gap,
    isAttention = kind === "attention";
  const context = inside + sizes.side + 3 + keys + 2,
    output = isAttention ? context + sizes.side : inside + sizes.hidden;
  return {
    from,
    inside,
    q: inside,
    keys: inside + sizes.side + 3,
    context,
    hidden: inside,
    output,
    plus: output + 10,
    stream: output + 20,
    to: output + 20 + sizes.tile + 4,
  };
}

function foldedStop(from: number, sizes: Measures): Omit<Stop, "sub" | "sublayers" | "isFolded"> {
  const stream = from + 2,
    inside = from + 2;
  return {
    from,
    inside,
    q: inside,
    keys: inside,
    context: inside,
    hidden: inside,
    output: inside,
    plus: inside,
    stream,
    to: stream + sizes.tile + 2,
  };
}

/** What room is left goes evenly between the sub-layers, and those of both stacks keep the same columns. */
function spread(encoder: Band, decoder: Band, free: number, freeAbove: number): void {
  const each = Math.max(0, Math.min(free / decoder.stops.length, freeAbove / encoder.stops.length));
  for (const { stops } of [encoder, decoder]) {
    stops.forEach((stop, i) => {
      const moved = each * (i + 1);
      stop.from = Math.round(stop.from + each * i);
      for (const part of [
        "inside",
        "q",
        "keys",
        "context",
        "hidden",
        "output",
        "plus",
        "stream",
        "to",
      ] as const)
        stop[part] = Math.round(stop[part] + moved);
    });
  }
  for (const each_ of [encoder, decoder]) each_.end = each_.stops.at(-1)?.to ?? each_.end;
}

/** The attentions of a stack that are open. */
export function attentions({ stops }: Band): Stop[] {
  return stops.filter(({ sub, isFolded }) => sub.kind === "attention" && !isFolded);
}

// ---- places within a layout --------------------------------------------------------------------------------------
/** Where the lane of a token begins across; null where it has none. */
export function laneAt(layout: Layout, band: Band, token: number): number | null {
  const place = band.place.get(token);
  return place === undefined ? null : band.lanes + place * layout.pitch;
}
export function laneMiddle(layout: Layout, band: Band, token: number): number {
  return (laneAt(layout, band, token) ?? band.bottom) + layout.pitch / 2;
}
/** Where the tiles of a lane begin across. */
export function tileAt(layout: Layout, band: Band, token: number): number {
  return (laneAt(layout, band, token) ?? band.bottom) + Math.floor((layout.pitch - tileHeight(layout)) / 2);
}
export function tileHeight(layout: Layout): number {
  return layout.rows * layout.row;
}
/** Where the column of a key begins. */
export function keyAt(layout: Layout, stop: Stop, key: number): number {
  return stop.keys + Math.floor(key / layout.keyGroup) * layout.keyWidth;
}
/** Where the keys or the values of an attention begin across: values above keys. */
export function keysAt(layout: Layout, band: Band, what: "k" | "v"): number {
  return band.keysTop + (what === "v" ? 0 : layout.keyHeight + 3);
}

/** The way of the memory from a source token's lane to its column in a cross-attention, as points (u, v). */
export function wireAt(layout: Layout, stop: Stop, token: number): [number, number][] {
  const { encoder, decoder, memory, isPhone } = layout,
    v = laneMiddle(layout, encoder, token);
  const u = keyAt(layout, stop, token) + (layout.keyWidth - 1) / 2,
    last = encoder.stack.tokens.length - 1;
  if (isPhone) {
    const gap = Math.min(3, 18 / (last + 1)),
      bus = 3 + token * gap,
      y = encoder.end + 8 + (last - token) * Math.min(5, 36 / (last + 1));
    return [
      [encoder.end, v],
      [y, v],
      [y, bus],
      [u, bus],
      [u, decoder.keysTop - 1],
    ];
  }
  const x = memory.u + 12 + token * memory.gap,
    isLeft = u < x;
  const y = memory.v + (layout.isLarge ? 14 : 9) + (isLeft ? token : last - token) * memory.gap;
  return [
    [encoder.end, v],
    [x, v],
    [x, y],
    [u, y],
    [u, decoder.keysTop - 2],
  ];
}

/** The way round from what a step wrote to what the next one reads. */
export function loopAt(layout: Layout, step: number): [number, number][] {
  const { decoder } = layout,
    right = layout.width - 2,
    below = decoder.bottom + layout.header + 10;
  const from = laneMiddle(layout, decoder, step),
    to = laneMiddle(layout, decoder, step + 1);
  return [
    [layout.out + layout.chip, from],
    [right, from],
    [right, below],
    [2, below],
    [2, to],
    [decoder.chip, to],
  ];
}

/** Where the lit path of a lane stands at each place where it rests. */
export function restsOf(layout: Layout): number[] {
  const { decoder } = layout;
  return [
    decoder.chip + layout.chip,
    decoder.begin,
    ...decoder.stops.map(({ stream }) => stream),
    layout.out,
  ];
}
