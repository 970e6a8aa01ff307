// From logits to the drawn token, as core/decoding/sampling.py does it: the same columns in the same order.

/** temperature: 0 is greedy. top_k: null is off. */
export interface Filters {
  temperature: number;
  top_k: number | null;
  top_p: number;
}
/** Every column for one step; rows are tokens in order of id, but for `order`, which has ids. */
export interface Columns {
  order: number[];
  scaled: Float64Array;
  allowed: boolean[];
  keptByTopK: boolean[];
  keptByTopP: boolean[];
  probs: Float64Array;
  cumulative: Float64Array;
  drawn: number;
  greedy: boolean;
}

/** The columns of one step. uniform: the number of [0, 1) that draws. never: ids that are never produced. */
export function samplingPipeline(
  logits: Float32Array,
  settings: Filters,
  uniform: number,
  never: number[],
): Columns {
  const size = logits.length,
    greedy = settings.temperature === 0;
  const allowed = new Array<boolean>(size).fill(true);
  for (const id of never) allowed[id] = false;
  const scaled = Float64Array.from(logits, (logit) => (greedy ? logit : logit / settings.temperature));
  const order = mostProbableFirst(scaled, allowed);
  const keptByTopK = greedy
    ? only(order.slice(0, 1), size)
    : settings.top_k === null
      ? allowed
      : only(order.slice(0, settings.top_k), size);
  const keptByTopP =
    greedy || settings.top_p === 1
      ? keptByTopK
      : topP(
          scaled,
          keptByTopK,
          order.filter((id) => keptByTopK[id]),
          settings.top_p,
        );
  const probs = softmaxOver(scaled, keptByTopP);
  const cumulative = runningShare(probs);
  const drawn = greedy ? order[0] : cumulative.findIndex((end) => end > uniform);
  return { order, scaled, allowed, keptByTopK, keptByTopP, probs, cumulative, drawn, greedy };
}

/** Ids of the allowed tokens by falling logit, equal ones by rising id. */
function mostProbableFirst(scaled: Float64Array, allowed: boolean[]): number[] {
  const ids: number[] = [];
  for (let id = 0; id < scaled.length; id++) if (allowed[id]) ids.push(id);
  return ids.sort((a, b) => scaled[b] - scaled[a] || a - b);
}

function only(ids: number[], size: number): boolean[] {
  const kept = new Array<boolean>(size).fill(false);
  for (const id of ids) kept[id] = true;
  return kept;
}

/** The fewest most probable of the kept tokens that together have probability p or more. */
function topP(scaled: Float64Array, kept: boolean[], order: number[], p: number): boolean[] {
  const probs = softmaxOver(scaled, kept);
  let sum = 0;
  return only(
    order.filter((id, rank) => {
      sum += probs[id];
      return rank === 0 || sum - probs[id] < p;
    }),
    scaled.length,
  );
}

/** Softmax among the kept tokens, 0 elsewhere; among all where none are named. */
export function softmaxOver(scaled: Float64Array, kept?: boolean[]): Float64Array {
  const isKept = (id: number) => !kept || kept[id];
  let largest = -Infinity,
    sum = 0;
  scaled.forEach((value, id) => {
    if (isKept(id)) largest = Math.max(largest, value);
  });
  const probs = scaled.map((value, id) => (isKept(id) ? Math.exp(value - largest) : 0));
  for (const value of probs) sum += value;
  return probs.map((value) => value / sum);
}

/** Where the part of [0, 1) of each token ends; the last one's at 1 exactly. */
function runningShare(probs: Float64Array): Float64Array {
  let sum = 0;
  const ends = probs.map((value) => (sum += value));
  return ends.map((end) => end / sum);
}

export function entropyBits(probs: Float64Array): number {
  let sum = 0;
  for (const p of probs) if (p > 0) sum -= p * Math.log2(p);
  return sum;
}
