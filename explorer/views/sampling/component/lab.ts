// What the parts of the view know of one another: the output, the settings, and the step that is looked at.

import type { Columns, Filters } from "./pipeline";

/** What a visitor sets: the settings of the sampling, and the step that is looked at. */
export interface Settings extends Filters {
  step: number;
  seed: number;
}

/** One output as Python tells it, with the settings that it was drawn with. */
export interface Header extends Settings {
  key: string;
  vocabulary: string[];
  /** Ids that are never produced. */
  never: number[];
  token_ids: number[];
  n_forced: number;
  ended: boolean;
  /** The number that drew each token. */
  uniform: number[];
  text: string;
  greedy_text: string;
  unit: string;
  max_seed: number;
  /** Number of the last report that this message knows of. */
  report: number;
}
/** The output with its logits, row after row, and the vocabulary as it is shown. */
export interface Trace extends Header {
  logits: Float32Array;
  steps: number;
  shown: string[];
}

/** The view as its parts see it. */
export interface Lab {
  readonly trace: Trace;
  readonly state: Settings & { hover: number | null };
  /** The step that is looked at, from its logits to the token that its number draws. */
  readonly columns: Columns;
  readonly logits: Float32Array;
  readonly uniform: number;
  set(changes: Partial<Settings>): void;
  /** A hand that lets go of a slider has decided. */
  settle(): void;
  go(step: number): void;
  hover(id: number | null): void;
}

/** A part of the view that follows its state. */
export interface Part {
  readonly node: HTMLElement;
  /** Shows the step and its columns. */
  step(): void;
  /** Shows which token is pointed at. */
  hover?(): void;
}

/** The logits of one step. */
export function logitsAt({ logits, vocabulary: { length } }: Trace, step: number): Float32Array {
  return logits.subarray(step * length, (step + 1) * length);
}

/** How many tokens can be produced at all. */
export function nProducible({ vocabulary, never }: Trace): number {
  return vocabulary.length - never.length;
}
