// The tree as the message tells it, and the place of every node that is shown.

import type { Payload } from "../../../browser/shared/message";
import { ordinal } from "../../../browser/shared/numbers";
import { clip, safe, visible } from "../../../browser/shared/text";

const FATES = ["kept", "pruned", "finished", "outside"] as const;
const SHOWN_PRUNED = { none: 0, best: 2, all: Infinity };

export type Fate = (typeof FATES)[number];
/** How many of the pruned nodes of a step are shown. */
export type Pruned = keyof typeof SHOWN_PRUNED;

/** A column for each plain fact of the nodes, with -1 where there is none; a text is what it adds to its parent's. */
export interface Header {
  key: string;
  width: number;
  length_penalty: number;
  end: "settled" | "nothing kept" | "limit";
  n_best: number[];
  greedy: number[];
  tokens: string[];
  token: number[];
  step: number[];
  parent: number[];
  fate: number[];
  rank: number[];
  ended: boolean[];
  text: [same: number, rest: string][];
}
/** A hypothesis, named by its last token. place: in the n-best list, -1 outside of it. best, greedy: on that path. */
export interface TreeNode {
  index: number;
  token: string;
  step: number;
  parent: number | null;
  rank: number | null;
  fate: Fate;
  ended: boolean;
  text: string;
  children: TreeNode[];
  place: number;
  tokenLogProb: number;
  logProb: number;
  score: number;
  greedy: boolean;
  best: boolean;
}
type Search = Pick<Header, "key" | "width" | "length_penalty" | "end" | "n_best" | "greedy">;
/** steps: of all nodes; searched: of those that the search has seen. best, last: where its and greedy's paths end. */
export interface Tree extends Search {
  nodes: TreeNode[];
  steps: number;
  searched: number;
  best: TreeNode;
  last: TreeNode;
}

/** Nodes with parents, children, texts and places; the root is not a node. */
export function readTree({ header, arrays }: Payload<Header>): Tree {
  const { key, width, length_penalty, end, n_best, greedy } = header;
  const nodes = readNodes(header, arrays);
  const seen = nodes.filter((node) => node.fate !== "outside");
  const tree: Tree = {
    key,
    width,
    length_penalty,
    end,
    n_best,
    greedy,
    nodes,
    steps: nSteps(nodes),
    searched: nSteps(seen),
    best: nodes[n_best[0]],
    last: nodes[greedy[greedy.length - 1]],
  };
  for (const i of greedy) nodes[i].greedy = true;
  for (const node of pathTo(tree, tree.best)) node.best = true;
  return tree;
}

function readNodes(header: Header, arrays: Record<string, Float32Array>): TreeNode[] {
  const known = (value: number) => (value < 0 ? null : value);
  const shown = header.tokens.map(visible),
    texts = textsOf(header);
  const nodes = header.token.map((token, i): TreeNode => ({
    index: i,
    token: shown[token],
    step: header.step[i],
    parent: known(header.parent[i]),
    rank: known(header.rank[i]),
    fate: FATES[header.fate[i]],
    ended: header.ended[i],
    text: shownText(texts[i]),
    children: [],
    place: header.n_best.indexOf(i),
    tokenLogProb: arrays.token_log_prob[i],
    logProb: arrays.log_prob[i],
    score: arrays.score[i],
    greedy: false,
    best: false,
  }));
  for (const node of nodes) if (node.parent !== null) nodes[node.parent].children.push(node);
  return nodes;
}

/** The texts so far; a parent stands before its children. */
function textsOf({ text, parent }: Header): string[] {
  const texts: string[] = [];
  text.forEach(([same, rest], i) => {
    const before = parent[i] < 0 ? "" : texts[parent[i]];
    texts.push(Array.from(before).slice(0, same).join("") + rest);
  });
  return texts;
}

function nSteps(nodes: TreeNode[]): number {
  return 1 + nodes.reduce((last, node) => Math.max(last, node.step), 0);
}

/** The nodes from the first step to this one. */
export function pathTo(tree: Tree, node: TreeNode): TreeNode[] {
  const path = [node];
  for (let at = node.parent; at !== null; at = tree.nodes[at].parent) path.unshift(tree.nodes[at]);
  return path;
}

/** A text in one line, its spaces as they are and everything invisible as marks. */
function shownText(text: string): string {
  return clip(safe(text), 300);
}

/** A place in the picture. gap: how many gaps between groups of rows are above it. */
export interface Place {
  row: number;
  gap: number;
}
export type Places = Map<TreeNode, Place>;

/**
 * The nodes of each step that are shown, with their rows: what goes on or has ended, by rank; below it the best of
 * what was pruned; and in the last row of the whole picture what greedy alone has seen.
 */
export function placeNodes(tree: Tree, pruned: Pruned): { places: Places; rows: number; gaps: number } {
  const steps = Array.from({ length: tree.steps }, (): TreeNode[] => []);
  for (const node of tree.nodes) steps[node.step].push(node);
  const places: Places = new Map();
  let rows = 0;
  for (const nodes of steps) {
    const going = nodes.filter((node) => node.fate === "kept" || node.fate === "finished");
    const dropped = nodes.filter((node) => node.fate === "pruned");
    const seen = dropped.filter((node, i) => i < SHOWN_PRUNED[pruned] || node.greedy);
    going.forEach((node, row) => places.set(node, { row, gap: 0 }));
    seen.forEach((node, i) => places.set(node, { row: going.length + i, gap: 1 }));
    rows = Math.max(rows, going.length + seen.length);
  }
  const outside = tree.nodes.filter((node) => node.fate === "outside");
  for (const node of outside) places.set(node, { row: rows, gap: 2 });
  return { places, rows: rows + (outside.length ? 1 : 0), gaps: outside.length ? 2 : 1 };
}

/** What became of a node, and why, as a sentence's end. */
export function fateOf(node: TreeNode, tree: Tree): string {
  const rank = `rank ${node.rank} of its step`,
    width = tree.width;
  if (node.fate === "outside") return `greedy alone: ${whyOutside(tree)}`;
  if (node.fate === "finished") {
    const place =
      node.place < 0
        ? `not among the ${tree.n_best.length} best`
        : `${ordinal(node.place + 1)} of the n-best list`;
    return `ended here with ${rank}; ${place}`;
  }
  if (node.fate === "pruned") {
    return node.ended
      ? `pruned: ${rank}, and it ends only if it is among the best ${width}`
      : `pruned: ${rank}, and the beam keeps the best ${width} that go on`;
  }
  return `kept: ${rank}${node.children.length ? "" : `; ${whyLeft(node, tree)}`}`;
}

/** Why nothing goes on from a kept node: the search ended with its step, or others went on in the next one. */
function whyLeft(node: TreeNode, tree: Tree): string {
  if (node.step < tree.searched - 1) return "at the next step the beam kept other texts";
  return tree.end === "limit" ? "the length limit stopped it" : "the search was over";
}

function whyOutside(tree: Tree): string {
  const left = tree.greedy.map((i) => tree.nodes[i]).find((node) => node.fate !== "kept");
  return left && left.step < tree.searched
    ? `the beam dropped it at step ${left.step}`
    : "the search was over before";
}
