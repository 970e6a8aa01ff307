// What the parts of the view know of one another: the tree, and the node that is looked at.

import type { Pruned, Tree, TreeNode } from "./tree";

/** The view as its parts see it. */
export interface Beam {
  readonly tree: Tree;
  /** cursor: where the keys are. hover: what is pointed at. */
  readonly state: { cursor: TreeNode; hover: TreeNode | null; pruned: Pruned };
  /** Names of the tables that are open. */
  readonly opened: Set<string>;
  readonly size: { isPhone: boolean; width: number };
  looked(): TreeNode;
  hover(node: TreeNode | null): void;
  move(node: TreeNode): void;
  open(node: TreeNode): void;
  /** The width of the widest token of some nodes, in pixels. */
  widestToken(nodes: TreeNode[]): number;
}
