// A lane at a moment: its tiles from the chip to the end, and those on their way. What moves shows recorded values from
// start to end; only place and opacity lie in between.

import { keyAt, keysAt, laneMiddle, tileAt, tileHeight } from "./layout";
import type { Band, Stop } from "./layout";
import type { Scene } from "./scene";
import { weightsRow } from "./attention";
import { clamp, easeAppear, easeMove, mix, stagesAt, within } from "./timeline";
import type { Schedule, Span, Stages } from "./timeline";

interface TileForm {
  turned?: boolean;
  width: number;
  height: number;
  opacity?: number;
  share?: number;
  frame?: string;
}

/** A tile of a token at a place; share: how much of it is there already, from its beginning. */
export function tile(
  { layout, pen, tiles }: Scene,
  site: string,
  token: number,
  u: number,
  v: number,
  form: TileForm,
): void {
  const { turned = false, width, height, opacity = 1, share = 1 } = form;
  if (opacity <= 0 || share <= 0) return;
  const {
    canvas,
    part: [x, y, w, h],
  } = tiles.of(site, token, turned !== layout.isPhone);
  pen.faint(opacity, () => {
    pen.image(
      canvas,
      layout.isPhone ? [x, y, w, h * share] : [x, y, w * share, h],
      u,
      v,
      width * share,
      height,
    );
    if (form.frame)
      pen.box(u - 1, v - 1, width * share + 2, height + 2, 2, { stroke: form.frame, width: 1.5 });
  });
}

/** Which site a lane holds before a stop, and where that stands. */
export function streamBefore(band: Band, stop: Stop): [site: string, u: number] {
  const before = band.stops.at(band.stops.indexOf(stop) - 1);
  return band.stops[0] === stop || !before
    ? [band.stack.embedding.output, band.begin]
    : [before.sub.stream, before.stream];
}

/** How far the stages of a stop have come: of a folded layer as one. */
function stagesOf(band: Band, stop: Stop, schedule: Schedule, ms: number): Stages {
  const all = band.stack.sublayers,
    [from, to] = [stop.sublayers[0], stop.sub].map((sub) => schedule.sublayers[all.indexOf(sub)]);
  const span: Span = [from[0], to[1]];
  return stop.isFolded
    ? { project: 0, fill: 0, mix: 0, open: 0, add: within(ms, span) }
    : stagesAt(stop.sub, span, ms);
}

/** All of one lane at a moment of its run; Infinity draws it complete. */
export function lane(scene: Scene, band: Band, token: number, schedule: Schedule, ms: number): void {
  if (!band.place.has(token)) return;
  embedding(scene, band, token, schedule, ms);
  for (const stop of band.stops) {
    const stages = stagesOf(band, stop, schedule, ms);
    if (!stop.isFolded && stop.sub.kind === "attention") attention(scene, band, stop, token, stages);
    else if (!stop.isFolded) hidden(scene, band, stop, token, stages.open);
    add(scene, band, stop, token, stages.add, ms < schedule.length);
  }
}

function embedding(scene: Scene, band: Band, token: number, schedule: Schedule, ms: number): void {
  const { layout } = scene,
    {
      embedding: { tokens, positions, output },
    } = band.stack,
    v = tileAt(layout, band, token);
  const form = { width: layout.tile, height: tileHeight(layout) };
  const looked = within(ms, schedule.tokens),
    added = within(ms, schedule.positions);
  if (added >= 1) return tile(scene, output, token, band.begin, v, form);
  tile(scene, tokens, token, mix(band.chip + layout.chip - layout.tile, band.begin, easeAppear(looked)), v, {
    ...form,
    opacity: looked,
  });
  if (added <= 0) return undefined;
  const fallen = easeAppear(Math.min(1, added / 0.7));
  if (positions)
    tile(scene, positions, token, band.begin, v - (1 - fallen) * (layout.pitch + 6), {
      ...form,
      opacity: 0.35 + 0.4 * fallen,
    });
  tile(scene, output, token, band.begin, v, { ...form, opacity: (added - 0.7) / 0.3 });
  return undefined;
}

function attention(scene: Scene, band: Band, stop: Stop, token: number, stages: Stages): void {
  const {
      layout,
      pen: { look },
    } = scene,
    { sub } = stop,
    v = tileAt(layout, band, token),
    height = tileHeight(layout);
  const [, u] = streamBefore(band, stop),
    from = u + layout.tile,
    moved = easeMove(stages.project);
  const side = { width: layout.side, height };
  if (stages.project >= 1) tile(scene, sub.q, token, stop.q, v, side);
  else if (stages.project > 0) {
    tile(scene, sub.q, token, mix(from - layout.side, stop.q, moved), v, {
      ...side,
      opacity: moved,
      frame: look.q,
    });
    if (!sub.crosses)
      for (const what of ["k", "v"] as const) keyOnItsWay(scene, band, stop, token, what, moved, from);
  }
  if (stages.fill > 0) weightsRow(scene, band, stop, token, stages.fill);
  if (stages.mix > 0) tile(scene, sub.context, token, stop.context, v, { ...side, share: stages.mix });
}

/** A key or a value leaves its lane and becomes a column. */
function keyOnItsWay(
  scene: Scene,
  band: Band,
  stop: Stop,
  token: number,
  what: "k" | "v",
  moved: number,
  from: number,
): void {
  const {
      layout,
      pen: { look },
    } = scene,
    width = Math.max(1, layout.keyWidth - 1);
  const place: [number, number] = [
    mix(from - width, keyAt(layout, stop, token), moved),
    mix(tileAt(layout, band, token), keysAt(layout, band, what), moved),
  ];
  tile(scene, stop.sub[what], token, ...place, {
    turned: true,
    width,
    height: layout.keyHeight,
    opacity: 0.3 + 0.7 * moved,
    frame: look[what],
  });
}

/** A key or a value in its column. */
export function keyColumn(
  scene: Scene,
  band: Band,
  stop: Stop,
  key: number,
  what: "k" | "v",
  opacity = 1,
): void {
  const { layout } = scene;
  if (layout.keyGroup > 1 && key % layout.keyGroup) return;
  const width = layout.keyWidth > 4 ? layout.keyWidth - 1 : layout.keyWidth;
  tile(scene, stop.sub[what], key, keyAt(layout, stop, key), keysAt(layout, band, what), {
    turned: true,
    width,
    height: layout.keyHeight,
    opacity,
  });
}

/** The hidden units open from a quarter to their whole width. */
function hidden(scene: Scene, band: Band, stop: Stop, token: number, open: number): void {
  if (open <= 0) return;
  const { layout } = scene,
    width = layout.hidden * mix(0.25, 1, easeAppear(open));
  const u = stop.hidden + (layout.hidden - width) / 2;
  tile(scene, stop.sub.hidden, token, u, tileAt(layout, band, token), {
    width,
    height: tileHeight(layout),
    opacity: Math.min(1, open * 3),
  });
}

/** The old vector moves along its lane, the sub-layer's output comes to it, and their sum, normalised or not, stays. */
function add(scene: Scene, band: Band, stop: Stop, token: number, share: number, isRunning: boolean): void {
  if (share <= 0) return;
  const { layout } = scene,
    v = tileAt(layout, band, token),
    height = tileHeight(layout),
    form = { width: layout.tile, height };
  if (share >= 1) tile(scene, stop.sub.stream, token, stop.stream, v, form);
  else {
    const [before, u] = streamBefore(band, stop),
      moved = easeMove(Math.min(1, share / 0.7)),
      gone = clamp((share - 0.7) / 0.3);
    tile(scene, before, token, mix(u, stop.stream, moved), v + (height / 2 + 3) * (1 - moved), {
      ...form,
      opacity: 0.75 * (1 - gone),
    });
    tile(scene, stop.sub.output, token, mix(stop.output - layout.tile * 0.6, stop.stream, moved), v, {
      ...form,
      opacity: 0.8 * moved * (1 - gone),
    });
    tile(scene, stop.sub.stream, token, stop.stream, v, { ...form, opacity: gone });
  }
  if (isRunning && !stop.isFolded) plus(scene, band, stop, token);
}

function plus({ pen, layout }: Scene, band: Band, stop: Stop, token: number): void {
  const colour = pen.look[band.side],
    [x, y] = pen.place(stop.plus, laneMiddle(layout, band, token)),
    { context } = pen;
  context.beginPath();
  context.arc(x, y, 5.5, 0, 7);
  context.fillStyle = pen.look.bg;
  context.fill();
  context.moveTo(x - 3, y);
  context.lineTo(x + 3, y);
  context.moveTo(x, y - 3);
  context.lineTo(x, y + 3);
  context.strokeStyle = colour;
  context.lineWidth = 1.4;
  context.stroke();
}
