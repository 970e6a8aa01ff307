// Rows of one varied token: which token wins in each, their order, and where the picture breaks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Sweep, breaks } from "../../explorer/views/vary/component/data";

// Three values, two steps: P of the two rivals, and the most probable token with its P.
const RIVALS = [
  [
    [0.2, 0.7],
    [0.5, 0.1],
  ],
  [
    [0.9, 0.05],
    [0.1, 0.2],
  ],
  [
    [0.1, 0.2],
    [0.3, 0.6],
  ],
];
const BEST = [
    [5, 6],
    [4, 7],
    [8, 5],
  ],
  BEST_PROBS = [
    [0.7, 0.5],
    [0.9, 0.4],
    [0.6, 0.6],
  ];

function message(): Uint8Array {
  const header = {
    key: "k",
    values: ["a", "b", "c"],
    best_ids: BEST,
    rivals: [
      { own: 4, other: 5, origin: "" },
      { own: 6, other: 5, origin: "reference" },
    ],
    tokens: { 4: "le", 5: "la", 6: "dort", 7: "joue", 8: "un" },
    arrays: [
      ["log_prob", [3]],
      ["rival_probs", [3, 2, 2]],
      ["best_probs", [3, 2]],
    ],
  };
  const text = new TextEncoder().encode(JSON.stringify(header)),
    start = 4 + Math.ceil(text.length / 4) * 4;
  const numbers = Float32Array.from([-1, -2, -3, ...RIVALS.flat(2), ...BEST_PROBS.flat()]);
  const bytes = new Uint8Array(start + numbers.byteLength);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(new Uint8Array(numbers.buffer), start);
  return bytes;
}

const sweep = Sweep.read(message());

test("a row says of each step what its rivals have, and which token wins", () => {
  const rounded = ({ own, other, winner, best }: ReturnType<Sweep["at"]>) => [
    own.toFixed(2),
    other.toFixed(2),
    winner,
    best,
  ];
  assert.deepEqual(rounded(sweep.at(0, 0)), ["0.20", "0.70", "other", "la"]);
  assert.deepEqual(rounded(sweep.at(1, 0)), ["0.90", "0.05", "own", "le"]);
  assert.deepEqual(rounded(sweep.at(2, 0)), ["0.10", "0.20", "else", "un"]);
  assert.deepEqual(rounded(sweep.at(2, 1)), ["0.30", "0.60", "other", "la"]);
  assert.equal(sweep.logProb(2), -3);
});

test("rows stand as listed, or from the first rival's lead to the second's", () => {
  assert.deepEqual(sweep.order(0, "listed"), [0, 1, 2]);
  assert.deepEqual(sweep.order(0, "probability"), [1, 2, 0]);
  assert.deepEqual(sweep.order(1, "probability"), [0, 1, 2]);
});

test("the picture breaks where another token wins than in the row above", () => {
  assert.deepEqual(breaks(["own", "own", "other", "else", "else", "own"]), [2, 3, 5]);
  assert.deepEqual(breaks(["own"]), []);
});
