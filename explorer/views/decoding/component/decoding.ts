// What the parts of the view know of one another: the decode, what is looked at, and what a visitor can do.

import type { Look } from "../../../browser/shared/look";
import type { Spot } from "../../../browser/shared/planes";
import type { AttentionName, Choice, Plane, Trace } from "./data";

/** A row, a column, or with both a cell under the pointer. */
export interface Pointed {
  row?: number;
  column?: number;
  cell?: boolean;
}
/** phone, dashboard, low: which of the sizes of the page it is. plot: height of the lens's curve. */
export interface Size {
  phone: boolean;
  dashboard: boolean;
  low: boolean;
  plot: number;
}
/** Something that a visitor does beyond looking, as Python reads it. */
export type Action =
  | { kind: "force"; step: number; token_id: number }
  | { kind: "open"; prefix: number[]; step: number }
  | { kind: "name"; prefix: number[]; name: string }
  | { kind: "remove"; prefix: number[] }
  | {
      kind: "explain";
      what: "weight";
      attention: AttentionName;
      layer: number;
      head: number;
      row: number;
      column: number;
    }
  | { kind: "explain"; what: "prob"; step: number; token_id: number }
  | { kind: "explain"; what: "log_prob" };

/** The view as its parts see it. */
export interface Decoding {
  readonly root: HTMLElement;
  readonly trace: Trace;
  readonly look: Look;
  readonly size: Size;
  readonly plane: Plane;
  /** cursor: the pinned cell. hover: what is pointed at, here or elsewhere on the page. */
  readonly state: Choice & { isPlaying: boolean; speed: number; cursor: Spot | null; hover: Pointed | null };
  /** Weights of the chosen layer and head. */
  readonly weights: Float32Array;
  /** Names of the tables that are open. */
  readonly opened: Set<string>;
  /** What stands in the field for any other token. */
  typed: string;
  weight(row: number, column: number): number;
  /** Column of the largest weight in a row; −1 when the row holds no number. */
  peak(row: number): number;
  /** The row that the step is about. */
  row(): number;
  /** How many rows there are by the step. */
  rowsSeen(): number;
  picked(): Spot | null;
  go(step: number): void;
  toggle(): void;
  setSpeed(speed: number): void;
  choose(layer: number, head: number | null): void;
  setAttention(name: AttentionName): void;
  setOverlay(on: boolean): void;
  hover(next: Pointed | null): void;
  pick(cell: Spot | null): void;
  act(action: Action): void;
  explainWeight(cell: Spot): void;
}

/** What a part of the view does when the size, the step, the shown weights, what is pointed at or the playing is another one. */
export interface Part {
  layout?(): void;
  step?(): void;
  matrix?(): void;
  hover?(): void;
  playing?(): void;
}
