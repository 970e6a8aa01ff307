// What the picture is fed: rows of values, steps of the decoding, and what a step says of a row.

import { readPayload } from "../../../browser/shared/message";
import type { Numbers } from "../../../browser/shared/message";

/** A stretch of an output, beside the one that is shown. */
export interface Part {
  text: string;
  mark: "same" | "other" | "missing";
}
export interface Rivals {
  own: number;
  other: number;
  origin: string;
}
interface Header {
  key: string;
  source_tokens: string[];
  position: number;
  values: string[];
  own: number;
  sentences: string[];
  kind: "digits" | "letters" | "neighbours" | "vocabulary";
  n_between: number;
  n_sources: number;
  own_pairs: boolean;
  unit: string;
  outputs: { parts: Part[]; ended: boolean }[];
  rivals: Rivals[];
  written: string[];
  tokens: Record<number, string>;
  best_ids: number[][];
  n_forced: number;
  step: number;
  report: number;
}
/** Which of the two rivals is the most probable next token; "else" where another one is. */
export type Winner = "own" | "other" | "else";
export type Order = "listed" | "probability";
/** A row at a step. best: the most probable next token with its P. */
export interface Standing {
  own: number;
  other: number;
  winner: Winner;
  best: string;
  bestProb: number;
}

export class Sweep {
  private constructor(
    readonly header: Header,
    private readonly arrays: Record<"log_prob" | "rival_probs" | "best_probs", Numbers>,
  ) {}

  static read(bytes: Uint8Array): Sweep {
    const { header, arrays } = readPayload<Header>(bytes);
    return new Sweep(header, arrays as Record<"log_prob" | "rival_probs" | "best_probs", Numbers>);
  }

  get nSteps(): number {
    return this.header.rivals.length;
  }
  token(id: number): string {
    return this.header.tokens[id];
  }
  logProb(row: number): number {
    return this.arrays.log_prob[row];
  }

  at(row: number, step: number): Standing {
    const place = row * this.nSteps + step,
      { rivals, best_ids: best } = this.header,
      id = best[row][step];
    const [own, other] = this.arrays.rival_probs.subarray(2 * place, 2 * place + 2);
    const winner = id === rivals[step].own ? "own" : id === rivals[step].other ? "other" : "else";
    return { own, other, winner, best: this.token(id), bestProb: this.arrays.best_probs[place] };
  }

  /** The rows from top to bottom. */
  order(step: number, by: Order): number[] {
    const rows = this.header.values.map((_, row) => row);
    if (by === "listed") return rows;
    const lead = rows.map((row) => {
      const { own, other } = this.at(row, step);
      return own - other;
    });
    return rows.sort((one, two) => lead[two] - lead[one]);
  }
}

/** Where the picture breaks: places of rows, from top to bottom, at which another token wins than in the row above. */
export function breaks(winners: Winner[]): number[] {
  return winners.flatMap((winner, place) => (place > 0 && winner !== winners[place - 1] ? [place] : []));
}
