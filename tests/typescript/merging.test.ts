// The merges of byte-pair encoding, made again in the browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mergedTokens } from "../../explorer/views/embedding/component/data";
import type { Merge } from "../../explorer/views/embedding/component/data";

// The places of a merge count the tokens as they stand when each one's turn comes.
const STEPS: Merge[] = [
  { pair: ["a", "b"], rank: 1, places: [0, 1] },
  { pair: ["ab", "ab"], rank: 4, places: [0] },
  { pair: ["abab", "c"], rank: 9, places: [0] },
];
const merging = { start: ["a", "b", "a", "b", "c"], steps: STEPS };

test("each step has the tokens that its merge leaves, and says which it has made", () => {
  const after = (step: number) => {
    const { tokens, made } = mergedTokens(merging, step);
    return [tokens, [...made]];
  };
  assert.deepEqual(after(0), [["a", "b", "a", "b", "c"], []]);
  assert.deepEqual(after(1), [
    ["ab", "ab", "c"],
    [0, 1],
  ]);
  assert.deepEqual(after(2), [["abab", "c"], [0]]);
  assert.deepEqual(after(3), [["ababc"], [0]]);
  assert.deepEqual(merging.start, ["a", "b", "a", "b", "c"], "what was fed stays");
});
