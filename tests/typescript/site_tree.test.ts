// The inspector's tree as rows: what is in sight while groups are folded, and what a search leaves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { groupsAbove, makeTree, MOST_FOUND, rowsOf } from "../../explorer/views/inspector/component/tree";
import type { Sites, Tree } from "../../explorer/views/inspector/component/tree";

const SITES: Sites = {
  groups: [["Encoder", "layer 0"], ["Encoder"], ["Decoder", "layer 0"]],
  entries: [
    ["encoder.layers.0.w_q", "w_q", "learned", "24×24", 0],
    ["encoder.layers.0.scores", "scores", "recorded", "4×5×5", 0],
    ["encoder.output", "output", "recorded", "5×24", 1],
    ["decoder.layers.0.scores", "scores", "recorded", "4×6×6", 2],
  ],
};
const shown = (tree: Tree, open: string[], query = "") =>
  rowsOf(tree, new Set(open), query).rows.map(
    (row) => `${" ".repeat(row.level)}${row.isGroup ? row.title : row.label}`,
  );

test("folded groups hide what is in them, also where inner ones are open", () => {
  const tree = makeTree(SITES);
  assert.deepEqual(shown(tree, []), [" Encoder", " Decoder"]);
  assert.deepEqual(shown(tree, ["Encoder/layer 0"]), [" Encoder", " Decoder"]);
  assert.deepEqual(shown(tree, ["Encoder", "Encoder/layer 0"]), [
    " Encoder",
    "  layer 0",
    "   w_q",
    "   scores",
    "  output",
    " Decoder",
  ]);
});

test("a search opens the way to what has all its words and to nothing else", () => {
  const tree = makeTree(SITES);
  assert.deepEqual(shown(tree, [], "Scores decoder"), [" Decoder", "  layer 0", "   scores"]);
  assert.deepEqual(rowsOf(tree, new Set(), "scores").found, 2);
  assert.deepEqual(shown(tree, ["Encoder"], "nothing"), []);
});

test("a search that finds too much shows its first ones and says how many there are", () => {
  const entries: Sites["entries"] = Array.from({ length: MOST_FOUND + 7 }, (_, i) => [
    `t${i}`,
    `t${i}`,
    "id",
    "1",
    1,
  ]);
  const { rows, found } = rowsOf(makeTree({ ...SITES, entries }), new Set(), "t");
  assert.equal(found, MOST_FOUND + 7);
  assert.equal(rows.filter((row) => !row.isGroup).length, MOST_FOUND);
});

test("the groups above a tensor are opened for it, the innermost first", () => {
  const tree = makeTree(SITES);
  assert.deepEqual(groupsAbove(tree.byName.get("decoder.layers.0.scores")), ["Decoder/layer 0", "Decoder"]);
  assert.deepEqual(groupsAbove(undefined), []);
});
