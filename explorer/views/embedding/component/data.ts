// What the two views are fed: cuts of a text and its merges, and tokens by their cosine.

/** A text as one tokenizer cuts it; own: the one that the model reads with. */
export interface Cut {
  title: string;
  own: boolean;
  tokens: string[];
  ids: number[];
  vocabulary_size: number;
  n_unknown: number;
}
export interface Special {
  token: string;
  id: number;
  meaning: string;
}
type Pair = [left: string, right: string];
/** One merge: the pair, its rank among the learned ones, and where it fits, counted in the tokens as they stand when each one's turn comes. */
export interface Merge {
  pair: Pair;
  rank: number;
  places: number[];
}
export interface MergingData {
  start: string[];
  steps: Merge[];
  n_merges: number;
  own: boolean;
}
export interface TokenData {
  cuts: Cut[];
  specials: Special[];
  merging: MergingData | null;
}
/** Tokens, the nearest first. question: tokens, and signs between them. */
export interface RankingData {
  title: string;
  question: string[];
  rows: { token: string; id: number; cosine: number }[];
}

/** The tokens after so many steps, and the places of those that the last step has made. */
export function mergedTokens(
  { start, steps }: Pick<MergingData, "start" | "steps">,
  step: number,
): { tokens: string[]; made: Set<number> } {
  const tokens = [...start],
    done = steps.slice(0, step);
  for (const { places } of done)
    for (const place of places) tokens.splice(place, 2, tokens[place] + tokens[place + 1]);
  return { tokens, made: new Set(done.at(-1)?.places) };
}
