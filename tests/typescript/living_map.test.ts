// The sentences of the living map: equal tokens are told apart by their places.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stepBeside } from "../../explorer/views/living_map/component/compare";
import { caption, plainText, question, spoken } from "../../explorer/views/living_map/component/saying";
import type { Scene } from "../../explorer/views/living_map/component/scene";
import { encoderSchedule, stepSchedule } from "../../explorer/views/living_map/component/timeline";
import { runOf } from "./living_run";

/** A scene at step 1 that reads most from the second of two equal tokens, without numbers of a model. */
function sceneOf(isBeside: boolean): Scene {
  const run = runOf({ source: 3, target: 3, encoderLayers: 1, decoderLayers: 1, heads: 2 });
  for (const [name, tokens] of Object.entries({
    source: ["a", "b", "a"],
    inputs: ["<s>", "a", "a"],
    outputs: ["a", "a", "</s>"],
  }))
    run.header[name as "source"].splice(0, 3, ...tokens);
  Object.assign(run.header, { trained: isBeside ? ["a", "b", "</s>"] : [] });
  const given = {
    compared: isBeside ? "trained" : "changed",
    reading: () => ({ place: 2, weight: 0.99 }),
    probability: () => 0.5,
    trainedProbability: () => 0.5,
  };
  for (const [name, value] of Object.entries(given)) Object.defineProperty(run, name, { value });
  return { run, at: { step: 1, ms: 0 } } as unknown as Scene;
}

test("the step of a model beside another names twins with their places", () => {
  const said = stepBeside(sceneOf(true))
    .map((piece) => (typeof piece === "string" ? piece : piece.text))
    .join("");
  assert.match(said, /the lane of a at position 1 reads a at position 2 with 0\.99/);
});

test("what is heard of a step names the token that is read with its place", () => {
  assert.match(spoken(sceneOf(false)), /it reads a at position 2 most, weight 0\.99/);
});

test("every moment of a step names the token of its lane with its place", () => {
  const still = sceneOf(false),
    step = stepSchedule(still.run.decoder),
    spans = [step.chip, step.positions, ...step.sublayers];
  let named = 0;
  for (const [from, to] of spans) {
    for (const ms of [from + 1, (from + to) / 2]) {
      const scene: Scene = {
        ...still,
        at: { step: 1, ms },
        step,
        encoder: encoderSchedule(still.run.encoder),
        pointed: null,
      };
      for (const pieces of [caption(scene), question(scene)]) {
        pieces.forEach((piece, i) => {
          if (typeof piece === "string" || piece.kind !== "target" || piece.text !== "a") return;
          assert.match(plainText(pieces.slice(i + 1)), /^ at position \d/);
          named++;
        });
      }
    }
  }
  assert.ok(named > spans.length);
});

test("the token at which two models differ most is named with its place", () => {
  const run = runOf({ source: 3, target: 3, encoderLayers: 1, decoderLayers: 1, heads: 2 });
  run.header.source.splice(0, 3, "a", "b", "a");
  const given = {
    compared: "difference",
    reading: () => ({ place: 2, weight: 0.25 }),
    written: () => 0.5,
  };
  for (const [name, value] of Object.entries(given)) Object.defineProperty(run, name, { value });
  const said = plainText(stepBeside({ run, at: { step: 1, ms: 0 } } as unknown as Scene));
  assert.match(said, /differs most at a at position 2, by/);
});
