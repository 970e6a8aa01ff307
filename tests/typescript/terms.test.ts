// Which terms a search of the glossary finds, and in which order.

import assert from "node:assert/strict";
import { test } from "node:test";

import { found } from "../../explorer/views/glossary/component/terms";
import type { Term } from "../../explorer/views/glossary/component/terms";

const TERMS: Term[] = [
  ["beam", "Beam search", "decoding that keeps several hypotheses"],
  ["greedy", "Greedy decoding", "takes the most probable token"],
  ["softmax", "Softmax", "turns scores into weights"],
];
const keys = (text: string) => found(TERMS, text).map(([key]) => key);

test("nothing sought finds all, in their order", () =>
  assert.deepEqual(keys("  "), ["beam", "greedy", "softmax"]));
test("names come before meanings", () => assert.deepEqual(keys("DECODING"), ["greedy", "beam"]));
test("words may stand in name and meaning", () => assert.deepEqual(keys("search keeps"), ["beam"]));
test("every word counts", () => assert.deepEqual(keys("softmax hypotheses"), []));
