// What Python tells a stop: tensors and stages of one block, and the rail on which it stands.

import type { TensorsHeader } from "../shared/tensors";

/** A block of the model on the rail, in the order of the computation. */
export interface RailBlock {
  id: string;
  title: string;
  short: string;
  side: "source" | "target";
  layer: number | null;
  weight: number;
  crosses: boolean;
}
/** A cell in which something can be written; column −1 is the name of its row. */
export interface Entry {
  kind: "name" | "number" | "answer";
  tensor: string;
  row: number;
  column: number;
  label: string;
  text: string;
  state: "" | "right" | "wrong";
}
export type PictureName =
  "attention" | "by-hand" | "feed-forward" | "norm" | "embedding" | "output" | "masks" | "positions";

/** Without a rail it is a picture below a stop: all of it stands there, and its stage is pointed out. */
export interface Header extends TensorsHeader {
  row: number;
  picture: PictureName;
  rail: RailBlock[];
  here: string;
  grows: boolean;
  reads: string[];
  writes: string[];
  entries: Entry[];
}
