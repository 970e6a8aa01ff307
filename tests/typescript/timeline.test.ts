// When what moves: every moment of a run belongs to one part of it, and each can be named and found again.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ENCODER,
  ENCODER_MS,
  STEP_MS,
  easeAppear,
  easeMove,
  encoderSchedule,
  lengthOf,
  momentAt,
  stagesAt,
  stepSchedule,
  stillFrames,
  timeOf,
  within,
} from "../../explorer/views/living_map/component/timeline";
import type { Schedule, Span } from "../../explorer/views/living_map/component/timeline";
import { runOf } from "./living_run";

/** A stack with so many layers. */
const lanes = (stack: "encoder" | "decoder", layers: number) =>
  runOf({ source: 3, target: 3, encoderLayers: layers, decoderLayers: layers, heads: 2 })[stack];

const LAYERS = [1, 2, 3, 6];
const near = (one: number, other: number) =>
  assert.ok(Math.abs(one - other) < 1e-6, `${one} is not ${other}`);
/** The parts of a schedule that last a time, in their order. */
const parts = (schedule: Schedule): Span[] =>
  [
    schedule.chip,
    schedule.tokens,
    schedule.positions,
    ...schedule.sublayers,
    schedule.memory,
    schedule.output,
    schedule.drop,
  ].filter(([from]) => from !== Infinity);

for (const layers of LAYERS) {
  test(`parts of a run of ${layers} layers follow one another without a gap, from its beginning to its end`, () => {
    for (const schedule of [
      encoderSchedule(lanes("encoder", layers)),
      stepSchedule(lanes("decoder", layers)),
    ]) {
      const spans = parts(schedule);
      near(spans[0][0], 0);
      near(spans.at(-1)![1], schedule.length);
      spans.forEach(([from, to], i) => {
        assert.ok(to > from);
        if (i) near(from, spans[i - 1][1]);
      });
    }
  });
}

test("an encoder takes 4 s, a step 6 s, whatever the number of layers", () => {
  assert.equal(encoderSchedule(lanes("encoder", 6)).length, 4000);
  assert.equal(stepSchedule(lanes("decoder", 1)).length, 6000);
  assert.deepEqual([lengthOf(ENCODER), lengthOf(0)], [ENCODER_MS, STEP_MS]);
});

test("self-attention, cross-attention and feed-forward last as 5 to 6 to 3.5", () => {
  const [self, cross, forward] = stepSchedule(lanes("decoder", 2)).sublayers.map(([from, to]) => to - from);
  near(cross / self, 6 / 5);
  near(forward / self, 3.5 / 5);
});

test("stages of a sub-layer begin and end with it, one after the other", () => {
  const decoder = lanes("decoder", 1),
    { sublayers } = stepSchedule(decoder),
    [, cross, forward] = decoder.sublayers;
  const at = (sub: typeof cross, span: Span, share: number) =>
    stagesAt(sub, span, span[0] + share * (span[1] - span[0]));
  assert.deepEqual(at(cross, sublayers[1], 0), { project: 0, fill: 0, mix: 0, open: 0, add: 0 });
  assert.deepEqual(at(cross, sublayers[1], 1), { project: 1, fill: 1, mix: 1, open: 0, add: 1 });
  assert.deepEqual(at(forward, sublayers[2], 1), { project: 0, fill: 0, mix: 0, open: 1, add: 1 });
  const filling = at(cross, sublayers[1], 0.42);
  assert.equal(filling.project, 1);
  near(filling.fill, 0.5);
  assert.deepEqual([filling.mix, filling.add], [0, 0]);
});

test("a moment is found again from its time, also at the seams", () => {
  const steps = 7;
  for (let step = ENCODER; step < steps; step++) {
    for (const share of [0.001, 0.25, 0.5, 0.999, 1]) {
      const moment = { step, ms: Math.round(share * lengthOf(step)) };
      assert.deepEqual(momentAt(timeOf(moment), steps), moment);
    }
  }
  assert.deepEqual(momentAt(0, steps), { step: ENCODER, ms: 0 });
  assert.deepEqual(
    momentAt(ENCODER_MS, steps),
    { step: ENCODER, ms: ENCODER_MS },
    "the end of a step is its own",
  );
});

test("a time outside of the run is its first or its last moment", () => {
  assert.deepEqual(momentAt(-5, 3), { step: ENCODER, ms: 0 });
  assert.deepEqual(momentAt(1e9, 3), { step: 2, ms: STEP_MS });
});

test("still frames stand at the end of each stage: 25 in a model of two and two layers", () => {
  const encoder = lanes("encoder", 2),
    decoder = lanes("decoder", 2);
  const frames = stillFrames(stepSchedule(decoder), decoder);
  assert.equal(frames.length, 25);
  assert.deepEqual(
    frames,
    [...new Set(frames)].sort((a, b) => a - b),
  );
  assert.deepEqual([frames[0], frames.at(-1)], [0, STEP_MS]);
  const early = stillFrames(encoderSchedule(encoder), encoder);
  assert.deepEqual(
    early,
    [...new Set(early)].sort((a, b) => a - b),
  );
  assert.deepEqual([early[0], early.at(-1)], [0, ENCODER_MS]);
});

test("what moves begins and ends where it should, and never goes back", () => {
  for (const ease of [easeMove, easeAppear]) {
    near(ease(0), 0);
    near(ease(1), 1);
    for (let i = 0; i < 100; i++) assert.ok(ease((i + 1) / 100) > ease(i / 100));
  }
  near(easeMove(0.5), 0.5);
});

test("a part that a run does not have never begins", () => {
  const { output, drop } = encoderSchedule(lanes("encoder", 2));
  assert.deepEqual([within(1e9, output), within(1e9, drop)], [0, 0]);
});
