// What Python tells a stop: tensors and stages of one block, and the rail on which it stands.

import type { AxisSide, CellPlace, TensorEntry } from "../shared/planes";

export interface PanelEntry { tensor: string; title: string; rows: string[]; columns: string[]; group: string }
export interface StageEntry {
  key: string; title: string; kind: "one" | "product" | "sum" | "difference" | "map"; panels: PanelEntry[]; formula: string; note: string;
  arrows: string[]; scaling: { words: string; factor: number } | null;
}
export interface ChooserEntry { axis: string; label: string; options: string[]; value: number; local: boolean }
/** A block of the model on the rail, in the order of the computation. */
export interface RailBlock { id: string; title: string; short: string; side: "source" | "target"; layer: number | null; weight: number; crosses: boolean }
/** A cell in which something can be written; column −1 is the name of its row. */
export interface Entry { kind: "name" | "number" | "answer"; tensor: string; row: number; column: number; label: string; text: string; state: "" | "right" | "wrong" }
export type PictureName = "attention" | "by-hand" | "feed-forward" | "norm" | "embedding" | "output" | "masks" | "positions";

/** Without a rail it is a picture below a stop: all of it stands there, and its stage is pointed out. */
export interface Header {
  key: string; tensors: Record<string, TensorEntry>; stages: StageEntry[]; choosers: ChooserEntry[]; stage: string;
  cell: CellPlace | null; row: number; row_side: AxisSide; report: number;
  picture: PictureName; rail: RailBlock[]; here: string; grows: boolean; reads: string[]; writes: string[]; entries: Entry[];
}
