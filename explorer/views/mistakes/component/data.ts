// What the view is fed: the pairs as lists of tokens, and what the evaluation counted.

import type { Numbers, Payload } from "../../../browser/shared/message";

export type Order = "loss" | "first" | "length" | "number";
/** What is looked at: pairs of one kind, of one bar of the pictures, with some text, in some order. */
export interface Looked {
  kind: string;
  group: string;
  sort: Order;
  search: string;
}
/** What some pairs have in common: a length or a token, how many they are, and how many of them are right. */
export type Share = [of: number, n: number, right: number];
export interface Kind {
  key: string;
  title: string;
  meaning: string;
  pairs: number[];
}
export interface Header {
  key: string;
  split: string;
  splits: [key: string, title: string][];
  n_available: number;
  n_planned: number;
  n_evaluated: number;
  figures: {
    exact: number;
    /** How the exact ones are right: "exactly right, as written", or with the count by token and the reason. */
    right: string;
    n_pairs: number;
    loss: number;
    token_accuracy: number;
    chrf?: number;
    bleu?: number;
    /** Name of sacrebleu's tokenizer that BLEU was computed with. */
    bleu_tokenizer: string | null;
  };
  kinds: Kind[];
  tokens: string[];
  source_unit: string;
  target_unit: string;
  lengths: Share[];
  reference_lengths: Share[];
  firsts: Share[];
  hardest: Share[];
  confusions: [expected: number, written: number, count: number][];
  looked: Looked;
  report: number;
}

/** One held-out pair; tokens are texts, and the reference ends in EOS. */
export interface Pair {
  place: number;
  number: number;
  source: string[];
  reference: string[];
  output: string[];
  best: string[];
  losses: number[];
  loss: number;
  logProb: number;
  /** The first place at which output and reference differ; null where they are equal. */
  first: number | null;
  /** All of its text, for a search. */
  text: string;
}

/** The pairs of a message, in its order. */
export function pairsOf({ header, arrays }: Payload<Header>): Pair[] {
  const { sizes, numbers, log_probs, right } = arrays;
  const readers = {
    source: reader(arrays.source, header),
    reference: reader(arrays.reference, header),
    output: reader(arrays.output, header),
    best: reader(arrays.best, header),
  };
  let at = 0;
  return Array.from({ length: sizes.shape[0] }, (_, place) => {
    const [nSource, nReference, nOutput] = sizes.subarray(3 * place, 3 * place + 3);
    const losses = [...arrays.losses.subarray(at, (at += nReference))];
    const source = readers.source(nSource),
      reference = readers.reference(nReference),
      output = readers.output(nOutput);
    return {
      place,
      number: numbers[place],
      source,
      reference,
      output,
      best: readers.best(nReference),
      losses,
      loss: losses.reduce((sum, each) => sum + each, 0) / nReference,
      logProb: log_probs[place],
      first: right[place] ? null : firstDifference(reference, output),
      text: [source, reference, output].map((side) => `${side.join(" ")}\n${side.join("")}`).join("\n"),
    };
  });
}

/** Takes so many tokens after those that it took before. */
function reader(places: Numbers, { tokens }: Header): (count: number) => string[] {
  let at = 0;
  return (count) => Array.from(places.subarray(at, (at += count)), (place) => tokens[place]);
}

/** The first place at which two lists differ, which may be just after the end of one; null where they are equal. */
export function firstDifference(one: readonly string[], other: readonly string[]): number | null {
  const longest = Math.max(one.length, other.length);
  for (let i = 0; i < longest; i++) if (one[i] !== other[i]) return i;
  return null;
}

/** Whether a pair belongs to a bar of the pictures, which is named as the link names it, such as `first-3` or, for several values, `first-3-4`. */
export function belongs(group: string, header: Header): (pair: Pair) => boolean {
  const [name, text, last = text] = group.split("-"),
    of = Number(text),
    isOwn = (value: number | null) => value !== null && of <= value && value <= Number(last);
  switch (name) {
    case "first":
      return ({ first }) => isOwn(first);
    case "length":
      return ({ source }) => isOwn(source.length);
    // Without the end, as the source's.
    case "reference":
      return ({ reference }) => isOwn(reference.length - 1);
    case "token": {
      const token = header.tokens[of];
      return ({ reference, best }) => reference.some((each, i) => each === token && best[i] !== token);
    }
    case "taken": {
      // Where the output had ended already, nothing was written.
      const [expected, written] = (header.confusions.at(of) ?? [-1, -1]).map((place) =>
        place < 0 ? "" : header.tokens[place],
      );
      return ({ first, reference, output }) =>
        first !== null && reference[first] === expected && (output[first] ?? "") === written;
    }
    default:
      return () => true;
  }
}

const ORDERS: Record<Order, (a: Pair, b: Pair) => number> = {
  loss: (a, b) => b.loss - a.loss,
  first: (a, b) => (a.first ?? Infinity) - (b.first ?? Infinity),
  length: (a, b) => a.source.length - b.source.length,
  number: () => 0,
};

/** The pairs in an order; those alike in it stand as they do in the split. */
export function sorted(pairs: Pair[], order: Order): Pair[] {
  return [...pairs].sort((a, b) => ORDERS[order](a, b) || a.number - b.number);
}
