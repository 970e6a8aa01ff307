// The tree of tensors as rows: which groups and tensors are in sight while some groups are folded or a text is sought.

const MOST_FOUND = 300;   // a search that finds more is not finished yet

/** Groups by their paths, each with what is in it, in the order of the message. */
function makeTree({ groups, entries }) {
  const root = { key: "", title: "", level: 0, children: [], parent: null }, byKey = new Map([["", root]]);
  function groupOf(path) {
    const key = path.join("/");
    if (!byKey.has(key)) {
      const parent = groupOf(path.slice(0, -1));
      const group = { key, title: path.at(-1), level: path.length, children: [], parent, isGroup: true };
      parent.children.push(group);
      byKey.set(key, group);
    }
    return byKey.get(key);
  }
  const leaves = entries.map(([name, label, kind, shape, at]) => {
    const parent = groupOf(groups[at]);
    const leaf = { key: name, name, label, kind, shape, parent, level: parent.level + 1, text: `${name} ${groups[at].join(" ")} ${kind} ${shape}`.toLowerCase() };
    parent.children.push(leaf);
    return leaf;
  });
  return { root, leaves, byName: new Map(leaves.map((leaf) => [leaf.name, leaf])) };
}

/** The rows in sight: of a search what has all its words, with the groups above; else what stands in open groups. */
function rowsOf(tree, open, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return { rows: unfolded(tree.root, open), found: tree.leaves.length };
  const found = tree.leaves.filter((leaf) => words.every((word) => leaf.text.includes(word)));
  const kept = new Set(found.slice(0, MOST_FOUND));
  for (const leaf of [...kept]) for (let group = leaf.parent; group; group = group.parent) kept.add(group);
  const walk = (node) => node.children.filter((child) => kept.has(child)).flatMap((child) => [child, ...(child.isGroup ? walk(child) : [])]);
  return { rows: walk(tree.root), found: found.length };
}
function unfolded(node, open) {
  return node.children.flatMap((child) => [child, ...(child.isGroup && open.has(child.key) ? unfolded(child, open) : [])]);
}
/** Keys of the groups that a tensor is in. */
function groupsAbove(leaf) {
  const keys = [];
  for (let group = leaf?.parent; group?.key; group = group.parent) keys.push(group.key);
  return keys;
}
