// One frame: the still picture of the step, and on it what moves. A function of the scene alone.

import { cable, crossings, findings, highlights, lightWires, litPath, mixing } from "./attention";
import { chip, chipAt, otherwiseFrame } from "./chips";
import { keyColumn, lane } from "./lanes";
import { attentions, laneMiddle, loopAt, restsOf } from "./layout";
import type { Stop } from "./layout";
import type { Scene } from "./scene";
import { ENCODER, easeMove, mix, stagesAt, within } from "./timeline";

const SWELL_MS = 450;

/** Draw what moves; the still picture is there already. */
export function drawMoving(scene: Scene): void {
  if (scene.at.step === ENCODER) encoderRun(scene);
  else stepRun(scene);
  highlights(scene);
}

function encoderRun(scene: Scene): void {
  const {
    layout: { encoder, decoder, out },
    run,
    pen,
    at: { ms },
    encoder: schedule,
  } = scene;
  const seen = within(ms, schedule.chip),
    laid = within(ms, schedule.memory);
  for (const token of encoder.shown) {
    pen.faint(seen, () =>
      chip(scene, run.header.source[token], encoder.chip, chipAt(scene, encoder, token)!, "source"),
    );
    lane(scene, encoder, token, schedule, ms);
  }
  for (const stop of attentions(encoder)) {
    if (stagesAt(stop.sub, schedule.sublayers[run.encoder.sublayers.indexOf(stop.sub)], ms).project < 1)
      continue;
    for (const what of ["v", "k"] as const)
      encoder.stack.tokens.forEach((_, key) => keyColumn(scene, encoder, stop, key, what));
  }
  if (laid > 0) {
    cable(scene, laid);
    for (const stop of crossings(scene))
      for (const what of ["v", "k"] as const)
        encoder.stack.tokens.forEach((_, key) => keyColumn(scene, decoder, stop, key, what, laid));
  }
  for (const u of [decoder.chip, out]) chip(scene, "", u, chipAt(scene, decoder, decoder.shown[0])!, "later");
}

function stepRun(scene: Scene): void {
  const {
    layout: { decoder },
    run,
    at: { step, ms },
    step: schedule,
  } = scene;
  const spanOf = ({ sub }: Stop) => schedule.sublayers[run.decoder.sublayers.indexOf(sub)];
  cable(scene, 1);
  if (!scene.isAsking)
    lightWires(scene, step, (stop) => within(ms, [spanOf(stop)[0], spanOf(stop)[0] + SWELL_MS]));
  litPath(scene, step, litTo(scene));
  lane(scene, decoder, step, schedule, ms);
  for (const stop of attentions(decoder)) {
    const stages = stagesAt(stop.sub, spanOf(stop), ms);
    if (!stop.sub.crosses && stages.project >= 1)
      for (const what of ["v", "k"] as const) keyColumn(scene, decoder, stop, step, what);
    if (stages.mix > 0 && stages.add < 1) mixing(scene, decoder, stop, step);
  }
  if (!scene.isAsking) findings(scene, (stop) => stagesAt(stop.sub, spanOf(stop), ms).mix);
  ends(scene);
}

/** How far the lit path has come: from rest to rest as the step goes. */
function litTo({ layout, run, at: { ms }, step: { tokens, positions, sublayers, output } }: Scene): number {
  const rests = restsOf(layout);
  const ends = layout.decoder.stops.map(({ sub }) => sublayers[run.decoder.sublayers.indexOf(sub)][1]);
  const times = [tokens[0], positions[1], ...ends, output[1]];
  let place = rests[0];
  for (let i = 1; i < rests.length; i++) {
    const share = within(ms, [times[i - 1], times[i]]);
    place = mix(rests[i - 1], rests[i], share);
    if (share < 1) break;
  }
  return place;
}

/** How far along the computation the run has come, of the encoder's too. */
export function movingAt(scene: Scene): number {
  const {
    at: { step, ms },
    encoder: schedule,
    layout: { encoder },
  } = scene;
  return step === ENCODER ? mix(encoder.chip, encoder.end, ms / schedule.length) : litTo(scene);
}

/** Both ends of the step's lane: what it reads comes round the loop, and what it writes drops from the logits. */
function ends(scene: Scene): void {
  const {
      layout,
      run: { header },
      pen,
      at: { step, ms },
      step: schedule,
    } = scene,
    { decoder } = layout;
  const v = chipAt(scene, decoder, step);
  if (v === null) return;
  const come = within(ms, schedule.chip),
    rises = within(ms, schedule.output),
    dropped = within(ms, schedule.drop);
  if (come >= 1 || step === 0 || layout.isPhone)
    pen.faint(Math.max(0.05, come), () => chip(scene, header.inputs[step], decoder.chip, v, "target"));
  else {
    const [u, across] = along(loopAt(layout, step - 1), easeMove(come));
    chip(scene, header.inputs[step], u - layout.chip / 2, across - (layout.pitch - 4) / 2, "now");
  }
  if (!layout.isPhone && rises > 0) rise(scene, laneMiddle(layout, decoder, step), Math.min(1, rises * 2));
  if (dropped <= 0) return chip(scene, "", layout.out, v, "later");
  const from = layout.isPhone ? v : mix(layout.corner.height - 30, v, easeMove(dropped));
  chip(scene, header.outputs[step], layout.out, from, header.forced[step] ? "forced" : "now");
  if (scene.run.otherwise(step)) otherwiseFrame(scene, layout.out, from);
}

/** The last vector rises to the corner, where it meets the vocabulary. */
function rise({ layout, pen }: Scene, from: number, share: number): void {
  const u = layout.decoder.end + 3,
    top = mix(from, layout.corner.height + 2, share),
    { target } = pen.look;
  pen.line(
    [
      [u - 6, from],
      [u, from],
      [u, top],
    ],
    target,
    2.5,
    4,
  );
  if (share >= 1)
    pen.area(
      [
        [u - 5, top + 5],
        [u + 5, top + 5],
        [u, top - 3],
      ],
      target,
    );
}

/** The point that lies a share of the way along a path. */
function along(points: [number, number][], share: number): [number, number] {
  const lengths = points.slice(1).map(([u, v], i) => Math.hypot(u - points[i][0], v - points[i][1]));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (const [i, length] of lengths.entries()) {
    if (left <= length || i === lengths.length - 1) {
      return [
        mix(points[i][0], points[i + 1][0], left / length),
        mix(points[i][1], points[i + 1][1], left / length),
      ];
    }
    left -= length;
  }
  return points[0];
}
