// The decoding view: what it reads of a decode, and what it says of its sums, its cache and the room of its matrix.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Numbers } from "../../explorer/browser/shared/message";
import { formatBytes, formatPower, squareNotice } from "../../explorer/views/decoding/component/cache";
import { makeTrace, peakOf } from "../../explorer/views/decoding/component/data";
import type { Header, Plane } from "../../explorer/views/decoding/component/data";
import { cellRoom } from "../../explorer/views/decoding/component/room";
import { isAlike } from "../../explorer/views/decoding/component/telling";
import { formatPerplexity, sumText } from "../../explorer/views/decoding/component/totals";

const numbers = (shape: number[], values: number[]): Numbers =>
  Object.assign(Float32Array.from(values), { shape });
const counted = (...shape: number[]) =>
  numbers(
    shape,
    Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i / 64),
  );

// Three steps of a source of two tokens, two heads; one layer in the encoder, two in the decoder.
const ARRAYS = {
  weights: counted(2, 2, 3, 2),
  self_weights: counted(2, 2, 3, 3),
  encoder_weights: counted(1, 2, 2, 2),
  candidate_probs: numbers([3, 2], [0.5, 0.25, 0.75, 0.125, 0.5, 0.25]),
  log_probs: numbers([3], [-1, -2, -3]),
  entropy_bits: numbers([3], [1, 2, 3]),
};
const LENS = {
  "lens.top": numbers([3, 2, 2], [0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0]),
  "lens.top_probs": counted(3, 2, 2),
  "lens.probs": counted(3, 2),
  "lens.ranks": numbers([3, 2], [1, 2, 3, 4, 5, 6]),
};

function trace(changes: Partial<Header> = {}) {
  const header: Header = {
    key: "k",
    source_tokens: ["the", " "],
    output_tokens: ["le", "chat", "</s>"],
    output_ids: [5, 6, 2],
    bos: "<s>",
    causal: true,
    dtype: "float32",
    sites: { encoder: "e.{layer}", self: "s.{layer}", cross: "c.{layer}" },
    candidate_tokens: [
      ["le", "la"],
      ["chien", "chat"],
      ["</s>", "et"],
    ],
    candidate_ids: [
      [5, 7],
      [8, 6],
      [2, 9],
    ],
    chosen: [0, 1, 0],
    vocabulary_size: 20,
    gold: null,
    gold_note: "",
    forced: [false, true, false],
    what_if: null,
    lens: {
      sites: ["a", "b"],
      names: ["a", "b"],
      labels: [
        ["a", ""],
        ["b", ""],
      ],
      final_norm: true,
      tokens: [" ", "x"],
      decided: [0, null, 1],
    },
    cache: null,
    ended: true,
    report: 0,
    step: 0,
    attention: "cross",
    layer: 0,
    head: null,
    overlay: false,
    ...changes,
  };
  return makeTrace({ header, arrays: { ...ARRAYS, ...LENS }, codes: {} });
}

test("of each attention a head's weights are those that were fed, and the mean is over the heads of one layer", () => {
  const { cross, self, encoder } = trace().planes;
  for (const [plane, weights] of [
    [cross, ARRAYS.weights],
    [self, ARRAYS.self_weights],
    [encoder, ARRAYS.encoder_weights],
  ] as const) {
    const size = plane.height * plane.width,
      layer = plane.layers - 1,
      start = layer * plane.heads * size;
    assert.deepEqual([...plane.matrix(layer, 1)], [...weights.subarray(start + size, start + 2 * size)]);
    assert.deepEqual(
      [...plane.matrix(layer, null)],
      Array.from({ length: size }, (_, i) => (weights[start + i] + weights[start + size + i]) / 2),
    );
  }
});

test("a token that stands twice is named with its place beside a number, and numbered in a table", () => {
  const { cross, encoder } = trace({ source_tokens: ["a", "a"], output_tokens: ["b", "b", "</s>"] }).planes;
  assert.equal(cross.columnName(1), "a at position 1");
  assert.equal(encoder.rowName(0), "a at position 0");
  assert.deepEqual(cross.columnHeadings, ["0 a", "1 a"]);
  assert.equal(new Set(cross.rowHeadings).size, 3);
  assert.equal(trace().planes.cross.columnName(0), "the");
});

test("a row of the decoder reads the token before and writes its own; its column of a token is the step after it", () => {
  const { self, cross, encoder } = trace().planes;
  assert.deepEqual(self.rows, ["<s>", "le", "chat"]);
  assert.equal(self.rowHeadings[1], "reads le → writes chat");
  assert.equal(encoder.rowHeadings[1], "␣");
  assert.deepEqual(
    [self.chipOf(0), self.chipOf(2), self.columnOf(0), self.columnOf(2)],
    [-1, 1, 1, undefined],
  );
  assert.deepEqual([cross.chipOf(0), cross.columnOf(1)], [0, 1]);
  assert.deepEqual([self.masked(1, 1), self.masked(1, 2), cross.masked(0, 1)], [false, true, false]);
  assert.equal(trace({ causal: false }).planes.self.masked(0, 1), false);
});

test("the largest weight of a row is found beside what is no number, and none where there is no number", () => {
  assert.equal(peakOf(Float32Array.of(NaN, 0.2, 0.7), 0, 3), 2);
  assert.equal(peakOf(Float32Array.of(9, 9, NaN, NaN), 1, 2), -1);
});

test("a candidate has its own log P, the produced one that of the decoding", () => {
  const { candidate, probability, isForced, perplexity, totals } = trace();
  assert.deepEqual(candidate(1, 0), {
    id: 8,
    token: "chien",
    prob: 0.75,
    logProb: Math.log(0.75),
    isChosen: false,
  });
  assert.deepEqual(candidate(1, 1), { id: 6, token: "chat", prob: 0.125, logProb: -2, isChosen: true });
  assert.deepEqual([probability(0), probability(1)], [0.5, 0.125]);
  assert.deepEqual([isForced(0), isForced(1), trace({ forced: [] }).isForced(1)], [false, true, false]);
  assert.deepEqual(totals, [-1, -3, -6]);
  assert.equal(perplexity(2), Math.exp(2));
});

test("the lens says of a point its tokens, the most probable first, and how the produced one stands", () => {
  const lens = trace().lens!;
  assert.deepEqual([lens.token(0, 0, 0), lens.token(0, 0, 1), lens.token(1, 1, 0)], ["␣", "x", "x"]);
  assert.deepEqual([lens.chance(1, 1, 0), lens.prob(2, 1), lens.rank(2, 1)], [6 / 64, 5 / 64, 6]);
});

test("a sum is written with its last four steps, those before them as one number", () => {
  const logs = [-0.5, -0.25, -1, -0.125, -2, 0],
    totals = [-0.5, -0.75, -1.75, -1.875, -3.875, -3.875];
  const said = (t: number) => sumText({ logProbs: (from, to) => logs.slice(from, to), totals }, t);
  assert.deepEqual([0, 1, 3, 5].map(said), [
    "",
    "= −0.500 − 0.250",
    "= −0.500 − 0.250 − 1.000 − 0.125",
    "= −0.750 (steps 0 to 1) − 1.000 − 0.125 − 2.000 0.000",
  ]);
  assert.equal(said(4), "= −0.500 (step 0) − 0.250 − 1.000 − 0.125 − 2.000");
});

test("a large perplexity has four digits", () => {
  assert.deepEqual([1.23456, 999.9994, 999.9995, 1234567, 3e12].map(formatPerplexity), [
    "1.235",
    "999.999",
    "1,000",
    "1,235,000",
    "3 · 10¹²",
  ]);
});

test("bytes, small differences and thinned rows are said in words", () => {
  assert.deepEqual([0, 10239, 10240, 1536000].map(formatBytes), [
    "0 B",
    "10,239 B",
    "10.0 KiB",
    "1500.0 KiB",
  ]);
  assert.deepEqual([0, 3.14e-7].map(formatPower), ["0", "3.1 · 10⁻⁷"]);
  assert.equal(squareNotice(24, 24), "");
  assert.equal(squareNotice(30, 48), "Each square stands for 2 rows.");
  assert.equal(
    squareNotice(4, 50),
    "Each square stands for 1 row of self-attention, 3 rows of cross-attention.",
  );
});

test("a choice is alike where another step is all that differs", () => {
  const choice = { step: 1, attention: "cross", layer: 0, head: null, overlay: false } as const;
  assert.ok(isAlike(choice, { ...choice, step: 3 }));
  assert.ok(!isAlike(choice, { ...choice, head: 0 }));
});

const WIDTHS = { row: 60, column: 40, end: 50 },
  DASHBOARD = { phone: false, dashboard: true, low: false, plot: 0 };
const room = (plane: Plane, free: number, tall: number, size = DASHBOARD) =>
  cellRoom(plane, WIDTHS, size, free, tall);

test("on a dashboard cells take the card in each direction, between the smallest and the largest; elsewhere they are squares", () => {
  const { cross } = trace().planes;
  assert.deepEqual(
    [room(cross, 76, 400).cell.width, room(cross, 900, 400).cell.width, room(cross, 1, 400).cell.width],
    [38, 48, 8],
  );
  assert.deepEqual([room(cross, 900, 126).cell.height, room(cross, 900, 10).cell.height], [30, 8]);
  assert.deepEqual(room(cross, 900, 0, { ...DASHBOARD, dashboard: false }).cell, { width: 48, height: 48 });
});

test("names of columns are turned where they have no room, and what the rows write stands where some is left", () => {
  const { cross, encoder } = trace().planes;
  const level = room(cross, 900, 400),
    turned = room(cross, 60, 400);
  assert.deepEqual([level.isTurned, level.overhang, level.ends], [false, 0, 62]);
  assert.ok(turned.isTurned && turned.top > level.top && turned.overhang > 0);
  assert.equal(turned.ends, 0);
  assert.equal(room(encoder, 900, 400).ends, 0);
  assert.equal(room(cross, 900, 400, { ...DASHBOARD, dashboard: false, phone: true }).ends, 0);
});
