// The tree of a beam search: what its message tells of the nodes, and in which row each of them stands.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fateOf, pathTo, placeNodes, readTree } from "../../explorer/views/beam_search/component/tree";
import type { Fate, Header, Pruned, Tree } from "../../explorer/views/beam_search/component/tree";

const FATES: Fate[] = ["kept", "pruned", "finished", "outside"];
type Given = [token: string, step: number, parent: number, fate: Fate, rank: number, text: [number, string]];
// Width 2. Greedy leaves the beam at step 1 and ends outside of it.
const NODES: Given[] = [
  ["a", 0, -1, "kept", 1, [0, "a"]],
  ["b", 0, -1, "kept", 2, [0, "b"]],
  ["c", 0, -1, "pruned", 3, [0, "c"]],
  ["d", 0, -1, "pruned", 4, [0, "d"]],
  ["e", 0, -1, "pruned", 5, [0, "e"]],
  ["x", 1, 1, "kept", 1, [1, "\u202ex"]],
  ["</s>", 1, 1, "finished", 2, [1, ""]],
  ["y", 1, 0, "pruned", 3, [1, " y"]],
  ["z", 2, 7, "outside", -1, [3, " z"]],
];

function tree(changes: Partial<Header> = {}): Tree {
  const tokens = NODES.map(([token]) => token),
    numbers = Float32Array.from(tokens, (_, i) => -i);
  const header: Header = {
    key: "k",
    width: 2,
    length_penalty: 0.6,
    end: "settled",
    n_best: [5, 6],
    greedy: [0, 7, 8],
    tokens,
    token: tokens.map((_, i) => i),
    step: NODES.map((node) => node[1]),
    parent: NODES.map((node) => node[2]),
    fate: NODES.map((node) => FATES.indexOf(node[3])),
    rank: NODES.map((node) => node[4]),
    ended: tokens.map((token) => token === "</s>"),
    text: NODES.map((node) => node[5]),
    ...changes,
  };
  const array = () => Object.assign(numbers.slice(), { shape: [NODES.length] });
  return readTree({
    header,
    arrays: { token_log_prob: array(), log_prob: array(), score: array() },
    codes: {},
  });
}

/** Of each step the nodes that are shown, as token, row and gaps above it. */
function rows(pruned: Pruned): string[][] {
  const found: string[][] = [[], [], []];
  for (const [node, { row, gap }] of placeNodes(tree(), pruned).places)
    found[node.step].push(`${node.token} ${row} ${gap}`);
  return found;
}

test("texts are put together from what each adds to its parent's, and nothing in them is invisible", () => {
  assert.deepEqual(
    tree().nodes.map((node) => node.text),
    ["a", "b", "c", "d", "e", "b\\u{202e}x", "b", "a y", "a y z"],
  );
});

test("the best path and greedy's are marked, and a path begins at the first step", () => {
  const { nodes, best, last, ...rest } = tree();
  assert.deepEqual(
    nodes.filter((node) => node.best).map((node) => node.token),
    ["b", "x"],
  );
  assert.deepEqual(
    nodes.filter((node) => node.greedy).map((node) => node.token),
    ["a", "y", "z"],
  );
  assert.deepEqual(
    pathTo({ nodes, best, last, ...rest }, last).map((node) => node.index),
    [0, 7, 8],
  );
  assert.deepEqual([rest.steps, rest.searched], [3, 2], "what greedy alone has seen was not searched");
});

test("what goes on stands above what was pruned, and what greedy alone has seen in the last row of all", () => {
  assert.deepEqual(rows("best"), [
    ["a 0 0", "b 1 0", "c 2 1", "d 3 1"],
    ["x 0 0", "</s> 1 0", "y 2 1"],
    ["z 4 2"],
  ]);
});

test("of the pruned nodes none, some or all are shown, and greedy's in any case", () => {
  assert.deepEqual(rows("none"), [["a 0 0", "b 1 0"], ["x 0 0", "</s> 1 0", "y 2 1"], ["z 3 2"]]);
  assert.deepEqual(rows("all")[0], ["a 0 0", "b 1 0", "c 2 1", "d 3 1", "e 4 1"]);
});

test("of each node it is said what became of it, and why", () => {
  const said = (at: number, changes?: Partial<Header>) => fateOf(tree(changes).nodes[at], tree(changes));
  assert.equal(said(0), "kept: rank 1 of its step");
  assert.equal(said(5), "kept: rank 1 of its step; the search was over");
  assert.equal(said(5, { end: "limit" }), "kept: rank 1 of its step; the length limit stopped it");
  const left = { parent: [-1, -1, -1, -1, -1, 0, 0, 0, 7] };
  assert.equal(said(1, left), "kept: rank 2 of its step; at the next step the beam kept other texts");
  assert.equal(said(1, { ...left, end: "limit" }), said(1, left), "what the search's end has not touched");
  assert.equal(said(2), "pruned: rank 3 of its step, and the beam keeps the best 2 that go on");
  assert.equal(said(6), "ended here with rank 2 of its step; 2nd of the n-best list");
  assert.equal(said(6, { n_best: [5] }), "ended here with rank 2 of its step; not among the 1 best");
  assert.equal(said(8), "greedy alone: the beam dropped it at step 1");
});
