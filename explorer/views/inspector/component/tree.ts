// The tree of tensors as rows: which groups and tensors are in sight while some groups are folded or a text is sought.

import { finder } from "../../../browser/shared/search";

export const MOST_FOUND = 300; // a search that finds more is not finished yet

type Kind = "id" | "learned" | "recorded";
/** What can be chosen: groups by their paths, and tensors with the place of their group. */
export interface Sites {
  groups: string[][];
  entries: [name: string, label: string, kind: Kind, shape: string, group: number][];
}
export interface Group {
  isGroup: true;
  key: string;
  title: string;
  level: number;
  parent: Group | null;
  children: Row[];
}
export interface Leaf {
  isGroup: false;
  key: string;
  level: number;
  parent: Group;
  name: string;
  label: string;
  kind: Kind;
  shape: string;
  /** By which a search finds it. */
  text: string;
}
export type Row = Group | Leaf;
export interface Tree {
  root: Group;
  leaves: Leaf[];
  byName: Map<string, Leaf>;
}

/** Groups by their paths, each with what is in it, in the order of the message. */
export function makeTree({ groups, entries }: Sites): Tree {
  const root: Group = { isGroup: true, key: "", title: "", level: 0, parent: null, children: [] };
  const byKey = new Map([["", root]]);
  function groupOf(path: string[]): Group {
    const key = path.join("/"),
      known = byKey.get(key);
    if (known) return known;
    const parent = groupOf(path.slice(0, -1));
    const group: Group = {
      isGroup: true,
      key,
      title: path[path.length - 1],
      level: path.length,
      parent,
      children: [],
    };
    parent.children.push(group);
    byKey.set(key, group);
    return group;
  }
  const leaves = entries.map(([name, label, kind, shape, at]) => {
    const parent = groupOf(groups[at]),
      text = `${name} ${groups[at].join(" ")} ${kind} ${shape}`;
    const leaf: Leaf = {
      isGroup: false,
      key: name,
      level: parent.level + 1,
      parent,
      name,
      label,
      kind,
      shape,
      text,
    };
    parent.children.push(leaf);
    return leaf;
  });
  return { root, leaves, byName: new Map(leaves.map((leaf) => [leaf.name, leaf])) };
}

/** The rows in sight: of a search what has all its words, with the groups above; else what stands in open groups. */
export function rowsOf(tree: Tree, open: Set<string>, query: string): { rows: Row[]; found: number } {
  const has = finder(query);
  if (!has)
    return {
      rows: rowsIn(
        tree.root,
        () => true,
        (group) => open.has(group.key),
      ),
      found: tree.leaves.length,
    };
  const found = tree.leaves.filter((leaf) => has(leaf.text));
  const kept = new Set<Row>(found.slice(0, MOST_FOUND));
  for (const leaf of [...kept]) for (let group = leaf.parent; group; group = group.parent) kept.add(group);
  return {
    rows: rowsIn(
      tree.root,
      (row) => kept.has(row),
      () => true,
    ),
    found: found.length,
  };
}

/** What is kept of a group, each row followed by what stands in it where it is open. */
function rowsIn(group: Group, isKept: (row: Row) => boolean, isOpen: (group: Group) => boolean): Row[] {
  return group.children
    .filter(isKept)
    .flatMap((row) => (row.isGroup && isOpen(row) ? [row, ...rowsIn(row, isKept, isOpen)] : [row]));
}

/** Keys of the groups that a tensor is in. */
export function groupsAbove(leaf: Leaf | undefined): string[] {
  const keys: string[] = [];
  for (let group: Group | null | undefined = leaf?.parent; group?.key; group = group.parent)
    keys.push(group.key);
  return keys;
}
