// One recorded run, as Python sent it: names, tiles as bytes, and weights and logits as they are.

import type { Codes, Numbers, Payload } from "../../../browser/shared/message";
import { fixed } from "../../../browser/shared/numbers";
import { meanOf, range } from "../../../browser/shared/planes";
import { safe, twinPlace, visible } from "../../../browser/shared/text";

export type Side = "source" | "target";
/** How a lane begins; values by the names of their sites, empty where a model has none. */
export interface Embedding {
  id: string;
  tokens: string;
  positions: string;
  output: string;
}
/** A stop of all lanes of a stack, as Python tells it: joins adds its output to the lane. */
interface Told {
  id: string;
  kind: "attention" | "feed-forward";
  title: string;
  layer: number;
  crosses: boolean;
  joins: string;
  norm: string;
}
/** The same with its values by their names; stream is what a lane holds behind it. */
export interface Sublayer extends Told, Record<(typeof VALUES)[number], string> {
  stream: string;
}
export interface Lanes {
  embedding: Embedding;
  sublayers: Sublayer[];
}
interface ToldLanes {
  embedding: Embedding;
  sublayers: Told[];
}
export type Tensor = [name: string, shape: number[], isLearned: boolean];
/** What is said of a module. */
export interface Block {
  id: string;
  title: string;
  note: string;
  text: string;
  n_parameters: number;
  tensors: Tensor[];
  page: string;
}
/** Of a changed model: its own values, those that it has as it was trained, or the first less the second. */
export type Compared = "changed" | "trained" | "difference";
export interface Header {
  key: string;
  source: string[];
  inputs: string[];
  outputs: string[];
  output_ids: number[];
  forced: boolean[];
  greedy: string[];
  ended: boolean;
  encoder: ToldLanes;
  decoder: ToldLanes;
  n_heads: number;
  d_model: number;
  d_ff: number;
  causal: boolean;
  n_vocabulary: number;
  first_id: number;
  blocks: [id: string, kind: number][];
  kinds: Block[];
  candidates: { ids: number[][]; tokens: string[][]; chosen: number[] };
  limit: number;
  weight_limit: number;
  every: number;
  trained: string[];
  compared: Compared;
  source_unit: string;
  text: string;
  step: number;
  moment: number | null;
  is_first: boolean;
  report: number;
}
/** A half of the model with its tokens: what its lanes read. */
export interface Stack extends Lanes {
  side: Side;
  tokens: string[];
}
const TEXTS = ["source", "inputs", "outputs", "greedy", "trained"] as const;
const VALUES = ["q", "k", "v", "weights", "context", "hidden", "output"] as const;
/** What a row of weights reads most. */
export interface Reading {
  place: number;
  weight: number;
}

export class Run {
  readonly encoder: Stack;
  readonly decoder: Stack;
  private readonly means = new Map<string, Float32Array>();

  constructor(
    readonly header: Header,
    private readonly arrays: Record<string, Numbers>,
    private readonly bytes: Record<string, Codes>,
  ) {
    this.encoder = { ...named(header.encoder), side: "source", tokens: header.source };
    this.decoder = { ...named(header.decoder), side: "target", tokens: header.inputs };
  }

  /** A run from its message; its tokens are written as they can be seen. */
  static of({ header, arrays, codes }: Payload<Header>): Run {
    const seen = Object.fromEntries(TEXTS.map((name) => [name, header[name].map(visible)]));
    const candidates = {
      ...header.candidates,
      tokens: header.candidates.tokens.map((each) => each.map(visible)),
    };
    return new Run({ ...header, ...seen, candidates, text: safe(header.text) }, arrays, codes);
  }

  get steps(): number {
    return this.header.outputs.length;
  }
  get crossing(): Sublayer[] {
    return this.decoder.sublayers.filter((sub) => sub.crosses);
  }
  stack(side: Side): Stack {
    return side === "source" ? this.encoder : this.decoder;
  }
  stackOf(sub: Sublayer): Stack {
    return this.encoder.sublayers.includes(sub) ? this.encoder : this.decoder;
  }
  sublayer(id: string): Sublayer | undefined {
    return [...this.encoder.sublayers, ...this.decoder.sublayers].find((sub) => sub.id === id);
  }
  block(id: string): Block | undefined {
    const [, kind] = this.header.blocks.find(([each]) => each === id) ?? [];
    return kind === undefined ? undefined : { ...this.header.kinds[kind], id };
  }

  /** What a block is called, with its layer. */
  titleOf(id: string): string {
    const title = this.block(id)?.title ?? id,
      sub = this.sublayer(id);
    return sub
      ? `${title}, ${this.stackOf(sub) === this.encoder ? "encoder" : "decoder"} layer ${sub.layer}`
      : title;
  }

  /** Where a token of a side stands, in words, where its text stands twice; else empty. */
  where(side: Side, place: number): string {
    return twinPlace(this.stack(side).tokens, place);
  }
  /** The same of a token that is written. */
  whereWritten(step: number): string {
    return twinPlace(this.header.outputs, step);
  }

  /** The side whose tokens are an attention's keys. */
  keySide(sub: Sublayer): Side {
    return sub.crosses ? "source" : this.stackOf(sub).side;
  }
  keys(sub: Sublayer): string[] {
    return this.stack(this.keySide(sub)).tokens;
  }
  /** Whether later keys are hidden from a query. */
  isCausal(sub: Sublayer): boolean {
    return this.header.causal && this.keySide(sub) === "target";
  }

  codes(site: string): Codes {
    return this.bytes[site];
  }
  weights(site: string): Numbers {
    return this.arrays[site];
  }
  weight(site: string, head: number, row: number, column: number): number {
    const array = this.arrays[site],
      [, rows, columns] = array.shape;
    return array[(head * rows + row) * columns + column];
  }

  /** Mean over the heads of a weight. */
  mean(site: string, row: number, column: number): number {
    const array = this.arrays[site],
      [heads, , columns] = array.shape;
    let means = this.means.get(site);
    if (!means) this.means.set(site, (means = meanOf(array, heads)));
    return means[row * columns + column];
  }

  /** How large the mean weight is; of a difference, whichever way it goes. */
  size(site: string, row: number, column: number): number {
    return Math.abs(this.mean(site, row, column));
  }

  /** The key that a row reads most, or most otherwise, in the mean of the heads; never one that is hidden behind the row. */
  strongest(sub: Sublayer, row: number): Reading {
    const most = this.isCausal(sub) ? row + 1 : this.keys(sub).length;
    let place = 0;
    for (let key = 1; key < most; key++)
      if (this.size(sub.weights, row, key) > this.size(sub.weights, row, place)) place = key;
    return { place, weight: this.mean(sub.weights, row, place) };
  }

  /** The first keys of an attention, those that a row reads most, or most otherwise, first. */
  byReading(sub: Sublayer, row: number, keys = this.keys(sub).length): number[] {
    return range(keys).sort((a, b) => this.size(sub.weights, row, b) - this.size(sub.weights, row, a));
  }

  /** What a step reads of the source, in the last layer that reads it at all. */
  reading(step: number): Reading {
    return this.strongest(this.crossing.at(-1)!, step);
  }

  /** A step's logits in the order of the vocabulary; of a large one the largest and smallest alone, the largest first. */
  logits(step: number): Float32Array {
    const {
      shape: [, size],
    } = this.arrays.logits;
    return this.arrays.logits.subarray(step * size, (step + 1) * size);
  }

  /** The recorded probabilities of a step's candidates, the most probable first. */
  candidates(
    step: number,
  ): { id: number; token: string; probability: number; isWritten: boolean; trained: number | null }[] {
    const { ids, tokens, chosen } = this.header.candidates,
      { "candidates.probs": probs } = this.arrays;
    const trained = this.isChanged ? this.arrays["candidates.trained"] : null;
    return ids[step].map((id, k) => ({
      id,
      token: tokens[step][k],
      probability: probs[step * ids[step].length + k],
      isWritten: chosen[step] === k,
      trained: trained && trained[step * ids[step].length + k],
    }));
  }

  /** Whose values are drawn, of a changed model. */
  get compared(): Compared {
    return this.header.compared;
  }
  /** What a token that the model as it was trained would write has there. */
  trainedProbability(step: number): number {
    return Math.exp(this.arrays.trained_log_probs[step]);
  }
  /** Whether the model that runs is a changed one. */
  get isChanged(): boolean {
    return this.header.trained.length > 0;
  }
  /** What the model as it was trained writes at a step after the same tokens, where that is another token; else empty. */
  otherwise(step: number): string {
    const { trained, outputs } = this.header;
    return this.isChanged && trained[step] !== outputs[step] ? trained[step] : "";
  }

  /** Probability of the token that a step wrote. */
  probability(step: number): number {
    return Math.exp(this.arrays.log_probs[step]);
  }

  /** Whether most of a step's logits lie between those that are here. */
  get isCut(): boolean {
    return this.header.n_vocabulary > this.logits(0).length;
  }
  /** The logit of the token that a step wrote. */
  written(step: number): number {
    return this.arrays.written_logits[step];
  }
}

/** A weight in two decimals; a difference with its sign. */
export function written({ compared }: Pick<Run, "compared">, weight: number): string {
  const text = fixed(weight, 2);
  if (compared !== "difference") return text;
  return Number(fixed(Math.abs(weight), 2)) === 0 ? "0.00" : weight > 0 ? `+${text}` : text;
}

function named({ embedding, sublayers }: ToldLanes): Lanes {
  const values = (id: string) =>
    Object.fromEntries(VALUES.map((value) => [value, `${id}.${value}`])) as Record<
      (typeof VALUES)[number],
      string
    >;
  return {
    embedding,
    sublayers: sublayers.map((sub) => ({ ...sub, ...values(sub.id), stream: `${sub.joins}.output` })),
  };
}
