// The held-out pairs: what the view makes of the message, which pairs a bar stands for, and their order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { belongs, firstDifference, pairsOf, sorted } from "../../explorer/views/mistakes/component/data";
import type { Header, Pair } from "../../explorer/views/mistakes/component/data";
import { columnsOf } from "../../explorer/views/mistakes/component/pictures";
import type { Numbers, Payload } from "../../explorer/browser/shared/message";

const END = "</s>";
const TOKENS = ["a", "b", "c", END];

/** A message of pairs: source, reference, output, what is most probable, losses. */
function message(...pairs: [string, string, string, string, number[]][]): Payload<Header> {
  const numbers = (values: number[], ...shape: number[]): Numbers =>
    Object.assign(new Float32Array(values), { shape: shape.length ? shape : [values.length] });
  const tokens = (text: string) => [...text].map((letter) => TOKENS.indexOf(letter === "." ? END : letter));
  const side = (i: 0 | 1 | 2 | 3) => numbers(pairs.flatMap((pair) => tokens(pair[i])));
  const header = {
    tokens: TOKENS,
    confusions: [
      [1, 2, 1],
      [3, -1, 1],
    ],
  } as Partial<Header> as Header;
  return {
    header,
    codes: {},
    arrays: {
      source: side(0),
      reference: side(1),
      output: side(2),
      best: side(3),
      losses: numbers(pairs.flatMap((pair) => pair[4])),
      log_probs: numbers(pairs.map(() => -1)),
      numbers: numbers(pairs.map((_, i) => 7 - i)),
      right: numbers(pairs.map(([, reference, output]) => Number(reference === output))),
      sizes: numbers(
        pairs.flatMap(([source, reference, output]) => [source.length, reference.length, output.length]),
        pairs.length,
        3,
      ),
    },
  };
}

const FED = message(
  ["ab", "ab.", "ac.", "ac.", [0.5, 2, 0.5]],
  ["c", "c.", "c.", "c.", [0.25, 0.25]],
  ["abc", "a.", "a", "a.", [0, 4]],
);

void test("an output that equals another reference has no first difference", () => {
  const accepted = message(["ab", "ab.", "ac.", "ac.", [0.5, 2, 0.5]]);
  accepted.arrays.right[0] = 1;
  assert.equal(pairsOf(accepted)[0].first, null);
});

void test("each pair has its own tokens and losses", () => {
  const [wrong, exact, endless] = pairsOf(FED);
  assert.deepEqual(
    [wrong.source, wrong.reference, wrong.output, wrong.best],
    [
      ["a", "b"],
      ["a", "b", END],
      ["a", "c", END],
      ["a", "c", END],
    ],
  );
  assert.deepEqual([wrong.losses, wrong.loss, wrong.first, wrong.number], [[0.5, 2, 0.5], 1, 1, 7]);
  assert.deepEqual([exact.reference, exact.losses, exact.first], [["c", END], [0.25, 0.25], null]);
  assert.deepEqual([endless.output, endless.losses, endless.first], [["a"], [0, 4], 1]);
});

void test("two lists differ at the first other element, or where one of them has ended", () => {
  assert.equal(firstDifference(["a"], ["a"]), null);
  assert.equal(firstDifference(["a", "b"], ["a", "c"]), 1);
  assert.equal(firstDifference(["a"], ["a", "b"]), 1);
  assert.equal(firstDifference(["a", "b"], ["a"]), 1);
});

void test("a bar stands for the pairs that it counts", () => {
  const pairs = pairsOf(FED),
    of = (group: string) => pairs.filter(belongs(group, FED.header)).map(({ place }) => place);
  assert.deepEqual(of("first-1"), [0, 2]);
  assert.deepEqual(of("length-1"), [1]);
  assert.deepEqual(of("reference-1"), [1, 2]);
  assert.deepEqual(of("length-1-2"), [0, 1]);
  assert.deepEqual(of("first-0-1"), [0, 2], "what is right is first wrong nowhere");
  assert.deepEqual(of("taken-0"), [0], "b was taken for c");
  assert.deepEqual(of("taken-1"), [2], "nothing was written in place of the end");
  assert.deepEqual(of("token-1"), [0], "b was not the most probable token");
  assert.deepEqual(of("token-0"), []);
  assert.deepEqual(of("taken-9"), []);
  assert.deepEqual(of(""), [0, 1, 2]);
  assert.deepEqual(of("nonsense"), [0, 1, 2]);
});

void test("pairs that are alike in an order stand as they do in the split", () => {
  const pairs = pairsOf(FED),
    places = (found: Pair[]) => found.map(({ place }) => place);
  assert.deepEqual(places(sorted(pairs, "loss")), [2, 0, 1]);
  assert.deepEqual(places(sorted(pairs, "first")), [2, 0, 1], "both go wrong at 1");
  assert.deepEqual(places(sorted(pairs, "length")), [1, 0, 2]);
  assert.deepEqual(places(sorted(pairs, "number")), [2, 1, 0]);
});

void test("columns that are too many are ranges, and lose no output", () => {
  const shares = (count: number) =>
    Array.from({ length: count }, (_, i): [number, number, number] => [4 + i, i, 1]);
  assert.deepEqual(
    columnsOf(shares(11)).map(({ from, to }) => [from, to]),
    shares(11).map(([of]) => [of, of]),
  );
  const ranges = columnsOf(shares(15));
  assert.deepEqual(
    ranges.map(({ from, to }) => [from, to]),
    [
      [4, 5],
      [6, 7],
      [8, 9],
      [10, 11],
      [12, 13],
      [14, 15],
      [16, 17],
      [18, 18],
    ],
  );
  assert.deepEqual([ranges[1].n, ranges[1].right], [5, 2]);
  for (const count of [12, 24, 61, 200]) {
    const found = columnsOf(shares(count));
    assert.ok(found.length <= 8);
    assert.equal(
      found.reduce((sum, { n }) => sum + n, 0),
      (count * (count - 1)) / 2,
    );
  }
  assert.deepEqual(columnsOf([]), []);
});
