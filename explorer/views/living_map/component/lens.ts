// The present row of a running step, large enough to be read, in the free corner.

import { fixed, formatCount } from "../../../browser/shared/numbers";
import type { Pen } from "../../../browser/shared/pen";
import type { Stack, Sublayer } from "./run";
import { scheduleNow } from "./scene";
import type { Scene } from "./scene";
import { ENCODER, clamp, easeAppear, stagesAt, within } from "./timeline";

const MIDDLE = 127,
  MOST_KEYS = 8,
  MOST_HEADS = 8,
  BAND = 72;

/** What the lens shows: a heading, what stands at its right, and how the rest is drawn. */
interface Content {
  title: string;
  beside: string;
  draw: (pen: Pen, width: number, height: number) => void;
}

/** What is at work at a moment, for the lane that it is at work on. */
export function lensContent(scene: Scene): Content {
  const { run, at } = scene,
    schedule = scheduleNow(scene),
    stack = at.step === ENCODER ? run.encoder : run.decoder;
  const token = at.step === ENCODER ? run.reading(run.steps - 1).place : at.step,
    word = stack.tokens[token] + run.where(stack.side, token);
  const now = at.ms < schedule.positions[1] ? -1 : schedule.sublayers.findIndex(([, to]) => at.ms < to),
    sub = stack.sublayers[now] as Sublayer | undefined;
  if (at.ms < schedule.positions[1]) return embedding(scene, stack, token);
  if (!sub) return last(scene, stack, token);
  const stages = stagesAt(sub, schedule.sublayers[now], at.ms),
    title = `${sub.title}, layer ${sub.layer}`;
  if (stages.add > 0) return adding(scene, stack, sub, token);
  if (sub.kind === "feed-forward") {
    const rows = [{ name: "hidden", site: sub.hidden }];
    return {
      title,
      beside: `the row of ${word}`,
      draw: (pen, width, height) =>
        bars(scene, pen, rows, token, width, height, 0.25 + 0.75 * easeAppear(stages.open)),
    };
  }
  return {
    title,
    beside: `the row of ${word}`,
    draw: (pen, width, height) => weights(scene, pen, sub, token, width, height, stages.fill),
  };
}

function embedding(
  scene: Scene,
  { embedding: { tokens, positions, output }, tokens: words, side }: Stack,
  token: number,
): Content {
  const schedule = scheduleNow(scene),
    added = within(scene.at.ms, schedule.positions);
  const rows = [
    { name: `row × √${scene.run.header.d_model}`, site: tokens },
    ...(positions && added > 0 ? [{ name: "position", site: positions }] : []),
    ...(added >= 0.7 ? [{ name: "sum", site: output }] : []),
  ];
  return {
    title: "Embedding",
    beside: `the row of ${words[token]}${scene.run.where(side, token)}`,
    draw: (pen, width, height) => bars(scene, pen, rows, token, width, height, 1, 3),
  };
}

function adding(scene: Scene, stack: Stack, sub: Sublayer, token: number): Content {
  const place = stack.sublayers.indexOf(sub),
    before = place ? stack.sublayers[place - 1].stream : stack.embedding.output;
  const rows = [
    { name: "the lane", site: before },
    { name: "added", site: sub.output },
    { name: "the lane after it", site: sub.stream },
  ];
  const title = scene.run.block(sub.joins)?.title ?? "Add";
  return {
    title: `${title}, layer ${sub.layer}`,
    beside: `the row of ${stack.tokens[token]}${scene.run.where(stack.side, token)}`,
    draw: (pen, width, height) => bars(scene, pen, rows, token, width, height, 1, 3),
  };
}

function last(scene: Scene, stack: Stack, token: number): Content {
  const rows = [{ name: "the end of the lane", site: stack.sublayers.at(-1)!.stream }];
  return {
    title: "End of the lane",
    beside: `the row of ${stack.tokens[token]}${scene.run.where(stack.side, token)}`,
    draw: (pen, width, height) => bars(scene, pen, rows, token, width, height, 1),
  };
}

/** Rows of bars, one bar a number of the tile, up for more than 0 and down for less. */
function bars(
  { run }: Scene,
  pen: Pen,
  rows: { name: string; site: string }[],
  token: number,
  width: number,
  height: number,
  open = 1,
  room = rows.length,
): void {
  const { look } = pen,
    each = Math.min(96, height / Math.max(room, rows.length));
  rows.forEach(({ name, site }, i) => {
    const codes = run.codes(site),
      size = codes.length / codes.shape[0],
      top = i * each,
      middle = top + 18 + (each - 24) / 2;
    pen.text(name, 0, top + 8, look.ink2);
    pen.fill(0, middle - 0.5, width, 1, look.line);
    const step = (width * open) / size,
      from = (width * (1 - open)) / 2;
    for (let k = 0; k < size; k++) {
      const value = (codes[token * size + k] - MIDDLE) / MIDDLE,
        tall = Math.max(0.6, Math.abs(value) * (each - 24) * 0.5);
      pen.fill(
        from + k * step,
        value < 0 ? middle : middle - tall,
        Math.max(0.7, step - (step > 3 ? 1 : 0)),
        tall,
        value < 0 ? look.negative : look.positive,
      );
    }
  });
}

/** Heads × keys with their weights in two decimals, as far as they are there. */
function weights(
  scene: Scene,
  pen: Pen,
  sub: Sublayer,
  token: number,
  width: number,
  height: number,
  filled: number,
): void {
  const { run, tiles } = scene,
    { look } = pen,
    keys = run.keys(sub),
    side = run.keySide(sub),
    heads = Math.min(MOST_HEADS, run.header.n_heads);
  const seen =
    side === "target" && scene.at.step !== ENCODER
      ? Math.min(keys.length, (run.isCausal(sub) ? token : scene.at.step) + 1)
      : keys.length;
  const shown = run
    .byReading(sub, token, seen)
    .slice(0, MOST_KEYS)
    .sort((a, b) => a - b);
  const left = 54,
    cell = Math.min(48, (width - left) / shown.length),
    tall = Math.min(32, (height - 24) / heads);
  shown.forEach((key, i) =>
    pen.text(keys[key], left + (i + 0.5) * cell, 9, look[side], { align: "center", most: cell - 2 }),
  );
  for (let head = 0; head < heads; head++) {
    pen.text(`head ${head}`, 0, 18 + (head + 0.5) * tall, look.mute);
    shown.forEach((key, i) => {
      if (key >= filled * keys.length) return;
      const weight = run.weight(sub.weights, head, token, key),
        shade = tiles.weight(weight),
        size = Math.abs(weight);
      pen.fill(left + i * cell + 1, 18 + head * tall + 1, cell - 2, tall - 2, shade.fill);
      const colour = size < 0.1 * run.header.weight_limit ? look.mute : shade.text;
      pen.text(fixed(weight, 2), left + (i + 0.5) * cell, 18 + (head + 0.5) * tall, colour, {
        align: "center",
        weight: size >= 0.3 ? 650 : 400,
      });
    });
  }
  const note = [
    seen > shown.length ? `the ${shown.length} keys with the largest weights of ${seen}` : "",
    run.header.n_heads > heads ? `${heads} of ${run.header.n_heads} heads` : "",
  ];
  pen.text(note.filter(Boolean).join(", "), left, 30 + heads * tall, look.mute);
}

/** The logits of a step as a skyline that rises; the written token stands out, and of many the middle is a band. */
export function skyline(scene: Scene, pen: Pen, width: number, height: number, risen: number): void {
  const { run, at } = scene,
    { look } = pen,
    logits = run.logits(at.step),
    written = run.written(at.step),
    half = logits.length / 2;
  const most = logits.reduce((a, b) => Math.max(a, b)),
    least = Math.min(
      0,
      logits.reduce((a, b) => Math.min(a, b)),
    );
  const unit = height / Math.max(1e-6, Math.max(0, most) - least),
    zero = height + least * unit,
    band = run.isCut ? BAND : 0;
  const step = (width - 14 - band) / logits.length,
    placeOf = (i: number) => 14 + i * step + (i >= half ? band : 0);
  pen.text("0", 0, zero, look.mute);
  pen.fill(14, zero - 0.5, width - 14, 1, look.line2);
  const draw = (x: number, logit: number, isWritten: boolean) => {
    const tall = Math.max(0.5, Math.abs(logit) * unit * clamp(risen));
    pen.fill(
      x,
      logit < 0 ? zero : zero - tall,
      isWritten ? Math.max(3, step) : Math.max(0.7, step * 0.72),
      tall,
      isWritten ? look.target : look.mute,
    );
  };
  pen.faint(0.5, () =>
    logits.forEach((logit, i) => {
      draw(placeOf(i), logit, false);
    }),
  );
  if (band)
    between(scene, pen, {
      x: placeOf(half - 1) + step,
      width: band,
      zero,
      unit: unit * clamp(risen),
      ends: [logits[half - 1], logits[half]],
    });
  const place = run.isCut ? logits.indexOf(written) : run.header.output_ids[at.step],
    x = place < 0 ? placeOf(half) - band / 2 : placeOf(place),
    isRight = x > width * 0.75;
  draw(x, written, true);
  if (risen >= 1)
    pen.text(fixed(written, 3), isRight ? x - 6 : x + Math.max(3, step) + 6, 7, look.target, {
      align: isRight ? "right" : "left",
      weight: 650,
    });
}

/** What lies between the largest and the smallest logits of a large vocabulary: so many, between these two. */
function between(
  { run, at }: Scene,
  pen: Pen,
  place: { x: number; width: number; zero: number; unit: number; ends: [number, number] },
): void {
  const {
      x,
      width,
      zero,
      unit,
      ends: [high, low],
    } = place,
    { mute } = pen.look;
  const corners = [
    [x, 0],
    [x, high],
    [x + width, low],
    [x + width, 0],
  ].map(([left, logit]) => [left, zero - logit * unit] as const);
  pen.faint(0.25, () => pen.area(corners, mute));
  pen.text(
    `${formatCount(run.header.n_vocabulary - run.logits(at.step).length)} between`,
    x + width / 2,
    zero + (zero > 20 ? -8 : 8),
    mute,
    { align: "center", most: width - 4 },
  );
}
