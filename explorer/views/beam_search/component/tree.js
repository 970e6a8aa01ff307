// The tree as the message tells it, and the place of every node that is shown.

const FATES = ["kept", "pruned", "finished", "outside"];
const SHOWN_PRUNED = { none: 0, best: 2, all: Infinity };

/** Nodes with parents, children, texts and places; the root is not a node. */
function readTree({ header, arrays }) {
  const column = (name, i) => (header[name][i] < 0 ? null : header[name][i]);
  const shown = header.tokens.map(visible);
  const texts = [];
  const nodes = header.token.map((token, i) => {
    const parent = column("parent", i), [same, rest] = header.text[i];
    texts.push(Array.from(parent === null ? "" : texts[parent]).slice(0, same).join("") + rest);
    return {
      index: i, token: shown[token], step: header.step[i], parent, rank: column("rank", i), fate: FATES[header.fate[i]],
      ended: header.ended[i], text: shownText(texts[i]), children: [], place: header.n_best.indexOf(i),
      tokenLogProb: arrays.token_log_prob[i], logProb: arrays.log_prob[i], score: arrays.score[i], greedy: false, best: false,
    };
  });
  for (const node of nodes) if (node.parent !== null) nodes[node.parent].children.push(node);
  const tree = { ...header, nodes, steps: 1 + lastStep(nodes) };
  tree.searched = 1 + lastStep(nodes.filter((node) => node.fate !== "outside"));
  tree.path = (node) => {
    const path = [];
    for (let at = node; at; at = at.parent === null ? null : nodes[at.parent]) path.unshift(at);
    return path;
  };
  tree.best = nodes[header.n_best[0]];
  tree.last = nodes[header.greedy.at(-1)];
  for (const i of header.greedy) nodes[i].greedy = true;
  for (const node of tree.path(tree.best)) node.best = true;
  return tree;
}

function lastStep(nodes) { return nodes.reduce((last, node) => Math.max(last, node.step), 0); }

/** A text in one line, its spaces as they are and everything invisible as marks. */
function shownText(text) { return clip(Array.from(text, visible).join("").replaceAll("␣", " "), 300); }

/**
 * The nodes of each step that are shown, with their rows: what goes on or has ended, by rank; below it the best of
 * what was pruned; and in the last row of the whole picture what greedy alone has seen.
 */
function placeNodes(tree, pruned) {
  const steps = Array.from({ length: tree.steps }, () => []);
  for (const node of tree.nodes) steps[node.step].push(node);
  const places = new Map();
  const alive = (node) => node.fate === "kept" || node.fate === "finished";
  let rows = 0;
  for (const nodes of steps) {
    const going = nodes.filter(alive);
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
function fateOf(node, tree) {
  const rank = `rank ${node.rank} of its step`, width = tree.width;
  if (node.fate === "outside") {
    const left = tree.greedy.map((i) => tree.nodes[i]).find((before) => before.fate !== "kept");
    const why = left.step < tree.searched ? `the beam dropped it at step ${left.step}` : "the search was over before";
    return `greedy alone: ${why}`;
  }
  if (node.fate === "finished") {
    const place = node.place < 0 ? `not among the ${tree.n_best.length} best` : `${ordinal(node.place + 1)} of the n-best list`;
    return `ended here with ${rank}; ${place}`;
  }
  if (node.fate === "pruned") {
    return node.ended
      ? `pruned: ${rank}, and it ends only if it is among the best ${width}`
      : `pruned: ${rank}, and the beam keeps the best ${width} that go on`;
  }
  const over = node.children.length === 0 ? (tree.end === "limit" ? "; the length limit stopped it" : "; the search was over") : "";
  return `kept: ${rank}${over}`;
}

const END = {
  settled: "it was over when nothing kept could still get into the list",
  "nothing kept": "it was over when nothing was left to extend",
  limit: "the length limit stopped it",
};
