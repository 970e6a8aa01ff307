// What parts are worth: the parts of a message, their order, and the names of heads.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Numbers } from "../../explorer/browser/shared/message";
import {
  chosenOf,
  costText,
  decimalsOf,
  ordered,
  partsOf,
  roleText,
} from "../../explorer/views/worth/component/data";
import type { Header } from "../../explorer/views/worth/component/data";

const numbers = (shape: number[], values: number[]): Numbers =>
  Object.assign(new Float32Array(values), { shape });
const header = {
  key: "k",
  titles: ["", "aligns", ""],
  roles: ["", "gold", ""],
  places: ["gold", "rest"],
  tokens: ["a", "b", "c", "</s>"],
  parts: [0, 1, 2].map((number) => ({ row: "cross-attention", layer: 0, number, name: `head ${number}` })),
} as unknown as Header;
const arrays = {
  estimates: numbers([3, 6], [1, 0, 2, 0.25, 0, 0.5, 4, 3, 5, 0, 0, 0, 1, 0, 2, 0.5, 0, 1]),
  shares: numbers([3, 4], [-1, -1, -1, 0.5, 0.875, -1, -1, 0, 0.25, -1, -1, 0.75]),
  rows: numbers([2, 3], [1, 7, 0, 2, 8, 1]),
  sizes: numbers(
    [2, 2],
    [
      [1, 2],
      [2, 1],
    ].flat(),
  ),
  texts: numbers([9], [0, 1, 3, 2, 3, 0, 1, 3, 3]),
  losses: numbers([3], [1, 0.5, 2]),
};
const parts = partsOf({ header, arrays, codes: {} });

void test("every part has its figures, its shares and its sentences", () => {
  assert.deepEqual(parts[1].loss, { value: 4, low: 3, high: 5 });
  assert.deepEqual(parts[0].shares, { gold: null, previous: null, next: null, rest: 0.5 });
  assert.deepEqual(
    parts.map(({ strongest }) => strongest.length),
    [0, 1, 1],
  );
  assert.deepEqual(parts[1].strongest[0], {
    row: 7,
    source: ["a"],
    reference: ["b", "</s>"],
    best: ["c", "</s>"],
    losses: [1, 0.5],
    cost: 1.5,
    exact: false,
  });
  assert.deepEqual(parts[2].strongest[0], {
    row: 8,
    source: ["a", "b"],
    reference: ["</s>"],
    best: ["</s>"],
    losses: [2],
    cost: 2,
    exact: true,
  });
});

void test("a column orders the largest first; those alike and those without stand as in the model", () => {
  const order = (by: Parameters<typeof ordered>[1]) => ordered(parts, by).map(({ number }) => number);
  assert.deepEqual(order("loss"), [1, 0, 2]);
  assert.deepEqual(order("exact"), [2, 0, 1]);
  assert.deepEqual(order("gold"), [1, 2, 0]);
  assert.deepEqual(order("previous"), [0, 1, 2]);
  assert.deepEqual(order("place"), [0, 1, 2]);
});

void test("the part that is worth most is shown until somebody chooses another, or one that is not there", () => {
  assert.equal(chosenOf(parts, { order: "gold", chosen: null }).number, 1);
  assert.equal(chosenOf(parts, { order: "gold", chosen: 0 }).number, 0);
  assert.equal(chosenOf(parts, { order: "gold", chosen: 30 }).number, 1);
});

void test("a name says by what it was given, and a head without one has none", () => {
  assert.equal(roleText(parts[1]), "aligns: 0.88 of gold rows");
  assert.equal(roleText(parts[0]), "");
});

void test("what a part costs is said with its confidence interval", () => {
  assert.equal(
    costText(parts[1], 2, "word"),
    "cross-attention, layer 0, head 1: without it the loss is 4.00 nats a word higher, " +
      "95 % confidence interval 3.00 to 5.00.",
  );
  const lower = { ...parts[0], loss: { value: -0.5, low: -1, high: 0.25 } };
  assert.match(costText(lower, 2, "letter"), /is 0\.50 nats a letter lower, .* −1\.00 to 0\.25\.$/);
});

void test("small figures have as many digits as large ones", () => {
  assert.equal(decimalsOf(parts), 3);
  assert.equal(
    decimalsOf(parts.map((part) => ({ ...part, loss: { value: part.loss.value / 1000, low: 0, high: 0 } }))),
    5,
  );
});
