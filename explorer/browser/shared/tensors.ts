// What Python tells of tensors: the stages that show them, what can be chosen, and which of their numbers is explained.

import type { Payload } from "./message";
import { fixed, formatSigned } from "./numbers";
import { makeTensor } from "./planes";
import type { AxisSide, CellPlace, Tensor, TensorEntry } from "./planes";

export interface PanelEntry {
  tensor: string;
  title: string;
  rows: string[];
  columns: string[];
  group: string;
}
export interface StageEntry {
  key: string;
  title: string;
  kind: "one" | "product" | "sum" | "difference" | "map";
  panels: PanelEntry[];
  formula: string;
  note: string;
  arrows: string[];
  scaling: { words: string; factor: number } | null;
}
export interface ChooserEntry {
  axis: string;
  label: string;
  options: string[];
  value: number;
  local: boolean;
}
export interface TensorsHeader {
  key: string;
  tensors: Record<string, TensorEntry>;
  stages: StageEntry[];
  choosers: ChooserEntry[];
  stage: string;
  cell: CellPlace | null;
  row: number | null;
  row_side: AxisSide;
  report: number;
}
/** What a visitor has chosen: a stage, and the places of axes. */
export interface Chosen {
  stage: string;
  choices: Record<string, number>;
}

/** The tensors of a message, and what is chosen of them. */
export class Tensors<Header extends TensorsHeader, Choice extends Chosen> {
  readonly header: Header;
  readonly tensors: Record<string, Tensor>;

  constructor(
    { header, arrays }: Payload<Header>,
    public chosen: Choice,
  ) {
    this.header = header;
    this.tensors = Object.fromEntries(
      Object.entries(header.tensors).map(([name, entry]) => [name, makeTensor(name, entry, arrays)]),
    );
  }

  chooser(axis: string): ChooserEntry | undefined {
    return this.header.choosers.find((each) => each.axis === axis);
  }
  /** The place of an axis that is drawn: of what the message does not hold, the place that it does hold. */
  placeOf = (axis: string): number => {
    const chooser = this.chooser(axis);
    if (!chooser) return 0;
    return chooser.local ? (this.chosen.choices[axis] ?? chooser.value) : chooser.value;
  };
  stage(key: string): StageEntry | undefined {
    return this.header.stages.find((each) => each.key === key);
  }
}

/** What a header chooses. */
export function choiceOf({ stage, choosers }: TensorsHeader): Chosen {
  return { stage, choices: Object.fromEntries(choosers.map(({ axis, value }) => [axis, value])) };
}
/** Whether every chooser has the place that is chosen on its axis. */
export function isPossible({ choosers }: TensorsHeader, { choices }: Chosen): boolean {
  return choosers.every(({ axis, options }) => choices[axis] < options.length);
}

/** A sentence on a number in pieces: words, the two places that are lit with their tones, the number, and its place in the tensor. */
export interface Reading {
  before: string;
  first: string;
  between: string;
  second: string;
  after: string;
  value: string;
  place: string;
  tones: [string, string];
}
export function textOf({ before, first, between, second, after, value }: Reading): string {
  return before + first + between + second + after + value;
}

/** A number of a tensor, as a sentence has it. */
export function numberText({ dtype, scale }: Pick<Tensor, "dtype" | "scale">, value: number): string {
  if (scale === "mask") return value ? "yes" : "no";
  if (dtype === "int64") return fixed(value, 0);
  return scale === "weight" ? fixed(value, 4) : formatSigned(value);
}
