// One decode as the view needs it: sizes, shown tokens, the three attentions, and sums along the steps.

import type { Numbers, Payload } from "../../../browser/shared/message";
import { plural } from "../../../browser/shared/numbers";
import { meanOf } from "../../../browser/shared/planes";
import { clip, toldApart, twinPlace, visible } from "../../../browser/shared/text";

export type AttentionName = "encoder" | "self" | "cross";
type Side = "source" | "target";
/** What is looked at: the part of the view that a link holds; head null is the mean over the heads. */
export interface Choice {
  step: number;
  attention: AttentionName;
  layer: number;
  head: number | null;
  overlay: boolean;
}
/** Greedy decoding, or what followed on a forced token. differs: first step that is another one than greedy's. */
export interface BranchRow {
  prefix: number[];
  name: string;
  label: string;
  tokens: string[];
  forced: boolean[];
  probs: number[];
  log_prob: number;
  differs: number | null;
  ended: boolean;
  shown: boolean;
}
/** Which tokens can be forced: words, whose ids follow one another from first_id on. */
export interface WhatIf {
  first_id: number;
  n_words: number;
  branches: BranchRow[];
  words: string[];
}
/** P points of the residual stream; decided: the point from which on the produced token has rank 1, for each step. */
interface LensHeader {
  sites: string[];
  names: string[];
  labels: [string, string][];
  final_norm: boolean;
  tokens: string[];
  decided: (number | null)[];
}
export interface CacheFacts {
  n_layers: number;
  n_heads: number;
  d_head: number;
  source_length: number;
  dtype: string;
  row_bytes: number;
  n_bytes: number[];
  cached: number[];
  uncached: number[];
  encoder: number;
  same_tokens: boolean;
  largest_difference: number;
}
/** What is fed besides the numbers; explorer/views/decoding/component/__init__.py says of each what it is. */
export interface Header extends Choice {
  key: string;
  source_tokens: string[];
  output_tokens: string[];
  output_ids: number[];
  sites: Record<AttentionName, string>;
  bos: string;
  causal: boolean;
  dtype: string;
  candidate_tokens: string[][];
  candidate_ids: number[][];
  chosen: number[];
  vocabulary_size: number;
  gold: number[][] | null;
  gold_note: string;
  forced: boolean[];
  what_if: WhatIf | null;
  lens: LensHeader | null;
  cache: CacheFacts | null;
  ended: boolean;
  report: number;
}
type Arrays = Record<
  "weights" | "self_weights" | "encoder_weights" | "candidate_probs" | "log_probs" | "entropy_bits",
  Numbers
>;

/** A number of steps, or of other places, in its bounds. */
export function within(index: number, last: number): number {
  return Math.min(last, Math.max(0, index));
}

export type Trace = ReturnType<typeof makeTrace>;
export function makeTrace({ header, arrays: given }: Payload<Header>) {
  const arrays = given as Arrays,
    { log_probs: logProbs, candidate_probs: probs } = arrays,
    [steps, width] = probs.shape;
  const source = header.source_tokens.map(visible),
    output = header.output_tokens.map(visible);
  const totals: number[] = [];
  logProbs.reduce((sum, value, t) => (totals[t] = sum + value), 0);
  const planes = makePlanes(header, arrays, source, output),
    lastCross = planes.cross.matrix(planes.cross.layers - 1, null);
  const candidate = (t: number, i: number) => {
    const isChosen = i === header.chosen[t],
      prob = probs[t * width + i];
    return {
      id: header.candidate_ids[t][i],
      token: header.candidate_tokens[t][i],
      prob,
      logProb: isChosen ? logProbs[t] : Math.log(prob),
      isChosen,
    };
  };
  return {
    ...header,
    steps,
    output,
    totals,
    planes,
    nCandidates: width,
    candidate,
    lens: header.lens && makeLens(header.lens, given),
    // The source token that each step reads most: the row of the encoder that a step is about.
    reads: output.map((_, t) => Math.max(0, peakOf(lastCross, t, source.length))),
    logProbs: (from: number, to: number) => Array.from(logProbs.subarray(from, to)),
    entropyBits: (t: number) => arrays.entropy_bits[t],
    probability: (t: number) => candidate(t, header.chosen[t]).prob,
    perplexity: (t: number) => Math.exp(-totals[t] / (t + 1)),
    isForced: (t: number) => header.forced[t] === true,
  };
}

/**
 * The three attentions as planes of one kind: who reads (rows), who is read (columns), and which chips those are.
 * A row of the decoder reads the input of its step and writes the output. In its self-attention column j is the input
 * of step j, so it stands for the output chip before.
 */
function makePlanes(
  { bos, sites, causal }: Header,
  arrays: Arrays,
  source: string[],
  output: string[],
): Record<AttentionName, Plane> {
  const input = [visible(bos), ...output.slice(0, -1)];
  return {
    encoder: makePlane(arrays.encoder_weights, {
      title: "Encoder self-attention",
      stack: "encoder",
      site: sites.encoder,
      rows: source,
      writes: [],
      columns: source,
      rowSide: "source",
      columnSide: "source",
      rowWords: "the source tokens that read",
      columnWords: "those that are read",
      note: "The encoder reads the whole source at once, so every row is there from the first step on.",
    }),
    self: makePlane(arrays.self_weights, {
      title: "Decoder self-attention",
      stack: "decoder",
      site: sites.self,
      rows: input,
      writes: output,
      columns: input,
      rowSide: "target",
      columnSide: "target",
      shift: 1,
      causal,
      rowWords: "each step by what it reads",
      columnWords: "the same tokens as keys",
      note: causal ? "Hatched cells are masked: a step reads only what has been written before it." : "",
    }),
    cross: makePlane(arrays.weights, {
      title: "Cross-attention",
      stack: "decoder",
      site: sites.cross,
      rows: input,
      writes: output,
      columns: source,
      rowSide: "target",
      columnSide: "source",
      rowWords: "each step by what it reads",
      columnWords: "the source tokens",
    }),
  };
}

/** What an attention is: its tokens, and how it is spoken of. */
interface Attention {
  title: string;
  stack: "encoder" | "decoder";
  site: string;
  rows: string[];
  writes: string[];
  columns: string[];
  rowSide: Side;
  columnSide: Side;
  shift?: number;
  causal?: boolean;
  rowWords: string;
  columnWords: string;
  note?: string;
}

export type Plane = ReturnType<typeof makePlane>;
function makePlane(weights: Numbers, attention: Attention) {
  const { rows, writes, columns, rowSide, shift = 0, causal = false } = attention;
  const [layers, heads, height, width] = weights.shape,
    size = height * width,
    means: Float32Array[] = [];
  return {
    ...attention,
    causal,
    layers,
    heads,
    height,
    width,
    longest: Math.max(height, width),
    byStep: rowSide === "target", // its rows appear one after the other
    /** A row at the beginning of a sentence, and where there is room. */
    rowName: (row: number) =>
      writes.length ? `Step ${row} (→ ${clip(writes[row], 24)})` : clip(rows[row], 40) + twinPlace(rows, row),
    columnName: (column: number) => clip(columns[column], 24) + twinPlace(columns, column),
    rowHeadings: toldApart(
      rows.map((row, t) =>
        writes.length ? `reads ${clip(row, 24)} → writes ${clip(writes[t], 24)}` : clip(row, 24),
      ),
    ),
    columnHeadings: toldApart(columns.map((token) => clip(token, 24))),
    masked: (row: number, column: number) => causal && column > row,
    columnOf: (chip: number) => (chip + shift < width ? chip + shift : undefined),
    chipOf: (column: number) => column - shift, // −1 for BOS, which has no chip
    matrix(layer: number, head: number | null): Float32Array {
      if (head !== null)
        return weights.subarray((layer * heads + head) * size, (layer * heads + head + 1) * size);
      return (means[layer] ??= meanOf(
        weights.subarray(layer * heads * size, (layer + 1) * heads * size),
        heads,
      ));
    },
  };
}

/** Column of the largest weight in a row; −1 when the row holds no number. */
export function peakOf(matrix: Float32Array, row: number, columns: number): number {
  let best = -1;
  for (let j = 0; j < columns; j++) {
    const value = matrix[row * columns + j];
    if (!Number.isNaN(value) && (best < 0 || value > matrix[row * columns + best])) best = j;
  }
  return best;
}
export function headName(head: number | null, heads: number): string {
  return head === null ? `mean of ${plural(heads, "head")}` : `head ${head}`;
}

/** The logit lens: at each of some points of a step the most probable tokens, and how the produced one stands. */
export type Lens = ReturnType<typeof makeLens>;
function makeLens(
  header: LensHeader,
  {
    "lens.top": top,
    "lens.top_probs": chances,
    "lens.probs": probs,
    "lens.ranks": ranks,
  }: Record<string, Numbers>,
) {
  const count = header.names.length,
    width = top.shape[2],
    names = header.tokens.map(visible);
  const at = (t: number, i: number) => t * count + i;
  return {
    ...header,
    count,
    width,
    /** The k-th token after a point, most probable first, and its P. */
    token: (t: number, i: number, k: number) => clip(names[top[at(t, i) * width + k]], 24),
    chance: (t: number, i: number, k: number) => chances[at(t, i) * width + k],
    /** P and rank of the token that was produced. */
    prob: (t: number, i: number) => probs[at(t, i)],
    rank: (t: number, i: number) => ranks[at(t, i)],
  };
}
