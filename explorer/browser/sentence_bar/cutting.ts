// How a text is cut into tokens as the model's tokenizer cuts it. No page, no state.

import { CHUNK, cutCasedWords, SPACES } from "./cased_words";
import type { BarData, Mode } from "./data";

/** What is needed to cut; hasExactSpaces: whether every blank counts. known: all tokens. longest: letters of the longest. ranks: of the merges, by left and right half. */
export interface Cutter {
  mode: Mode;
  hasExactSpaces: boolean;
  maxCharacters: number;
  replacements: Record<string, string>;
  known: Set<string>;
  longest: number;
  ranks: Map<string, Map<string, number>>;
}
/** A token, and the place in the text that it stands for. */
export interface Cut {
  text: string;
  start: number;
  end: number;
}
interface Found {
  written: string;
  start: number;
  end: number;
}

// The rules are those of core/data/tokenizers; a test compares the two.
const EMOJI = String.raw`\p{RI}{2}|\p{Extended_Pictographic}(?:[\uFE0F\u200D]|\p{EMod}|\p{Extended_Pictographic})*`;
export const LETTER = String.raw`[\p{L}\p{N}_]`;
const ELISION = String.raw`(?:[cdjlmnst]|${LETTER}*qu)['’](?=${LETTER})`; // l'homme is l' and homme
export const WORD = new RegExp(String.raw`${ELISION}|${LETTER}+(?:['’]${LETTER}+)*|${EMOJI}|[^\s]`, "giu");
const WORD_OR_MARK = new RegExp(String.raw`${LETTER}+|${EMOJI}|[^\s]`, "gu");
const CHARACTER = new RegExp(String.raw`${EMOJI}|[^\s]`, "gu");
const CHARACTER_OR_SPACE = new RegExp(String.raw`${EMOJI}|(?<=\S)\s+(?=\S)|[^\s]`, "gu"); // blanks between, as one
const EVERY_CHARACTER = new RegExp(String.raw`${EMOJI}|[^]`, "gu");
const MARK_OR_NONE = /[\p{P}\p{S}]|[^\p{P}\p{S}]+/gu; // in byte-pair encoding a mark is never merged with a letter
const WORD_BEGIN = "▁";
// Marks in a row but for the last one, a word with its mark, or another blank.
const EXACT_PART = new RegExp(`▁+(?=▁)|▁?(?:(?!${SPACES})[^▁])+|▁|${SPACES}`, "gu");
const GLUE = "·"; // begins a piece that is written right after the one before

const lowered = (text: string) => text.normalize("NFD").toLowerCase().normalize("NFC");

/** One spelling for every way to write a word. */
export function fold(text: string): string {
  return lowered(text.replaceAll("’", "'"));
}

/** What a model's message says of its tokenizer, ready to cut. */
export function cutterOf(data: BarData): Cutter {
  const { mode, replacements, max_characters: maxCharacters, exact_spaces: hasExactSpaces, words } = data;
  const longest = words.reduce((most, word) => Math.max(most, word.length), 0);
  return {
    mode,
    hasExactSpaces,
    maxCharacters,
    replacements,
    known: new Set(words),
    longest,
    ranks: ranksOf(data.merges),
  };
}

const CUTS: Record<Mode, (text: string, cutter: Cutter) => Cut[]> = {
  word: cutWords,
  cased_word: (text, { hasExactSpaces }) => cutCasedWords(text, hasExactSpaces),
  character: cutCharacters,
  morpheme: cutMorphemes,
  bpe: cutPieces,
};

/** Tokens with their place in the text, which must be in NFC. */
export function tokenize(text: string, cutter: Cutter): Cut[] {
  return CUTS[cutter.mode](text, cutter);
}

function cutWords(text: string, { replacements, known }: Cutter): Cut[] {
  return found(text.replace(/[\s.!?…]+$/u, ""), WORD, known).flatMap(({ written, start, end }) => {
    const token = fold(written);
    const read = Object.hasOwn(replacements, token) ? replacements[token].split(" ") : [token];
    return read.map((one) => ({ text: one, start, end }));
  });
}

function cutCharacters(text: string, { hasExactSpaces, known }: Cutter): Cut[] {
  if (hasExactSpaces)
    return found(text, EVERY_CHARACTER, known).map(({ written, ...place }) => ({ text: written, ...place }));
  const pattern = known.has(" ") ? CHARACTER_OR_SPACE : CHARACTER;
  const blank = /^\s+$/u;
  return found(text, pattern, known).map(({ written, start, end }) => ({
    text: written.replace(blank, " "),
    start,
    end,
  }));
}

/** Words, and of those that the model lacks the longest pieces that fit; a word that cannot be cut stays whole. */
function cutMorphemes(text: string, { known, longest }: Cutter): Cut[] {
  return found(text, WORD_OR_MARK, known).flatMap(({ written, start, end }) => {
    const word = lowered(written);
    const pieces: Cut[] = [];
    for (let from = 0; from < word.length;) {
      const glue = from ? GLUE : "";
      let to = Math.min(word.length, from + longest);
      while (to > from && !known.has(glue + word.slice(from, to))) to--;
      if (to === from) return [{ text: word, start, end }];
      pieces.push({ text: glue + word.slice(from, to), start, end });
      from = to;
    }
    return pieces;
  });
}

/** Byte-pair encoding: a word's characters, its neighbours joined by the first merge of the list that fits. */
function cutPieces(text: string, { hasExactSpaces, maxCharacters, ranks }: Cutter): Cut[] {
  // No longer text is taken, and merging takes the square of a word's length.
  const written = text.slice(0, maxCharacters).replace(/\p{Cs}/gu, "\uFFFD");
  const cuts: Cut[] = [];
  const cut = (parts: string[], at: number, nAdded: number) => {
    let end = at - nAdded;
    for (const piece of parts.flatMap((part) => merged(Array.from(part), ranks))) {
      const start = Math.max(at, end);
      end += piece.length;
      cuts.push({ text: piece, start, end });
    }
  };
  if (hasExactSpaces) {
    const exchanged = written.replace(/[ ▁]/gu, (sign) => (sign === " " ? WORD_BEGIN : " "));
    for (const { 0: part, index } of exchanged.matchAll(EXACT_PART)) {
      const begins = part.match(/^▁*/u)![0];
      const [first = "", ...others] = part.slice(begins.length).match(MARK_OR_NONE) ?? [];
      cut([begins + first, ...others], index, 0);
    }
  } else
    for (const { 0: word, index } of written.replaceAll(WORD_BEGIN, " ").matchAll(CHUNK)) {
      const [first, ...others] = word.match(MARK_OR_NONE)!;
      cut([WORD_BEGIN + first, ...others], index, WORD_BEGIN.length);
    }
  return cuts;
}

/** Joins the leftmost two of lowest rank, again and again, until no merge fits. */
function merged(pieces: string[], ranks: Cutter["ranks"]): string[] {
  for (;;) {
    let [best, place] = [Infinity, -1];
    for (let at = 1; at < pieces.length; at++) {
      const rank = ranks.get(pieces[at - 1])?.get(pieces[at]) ?? Infinity;
      if (rank < best) [best, place] = [rank, at];
    }
    if (place < 0) return pieces;
    pieces.splice(place - 1, 2, pieces[place - 1] + pieces[place]);
  }
}

/** The place of each merge in the list, by its left and then its right half. */
function ranksOf(merges: [string, string][]): Cutter["ranks"] {
  const ranks: Cutter["ranks"] = new Map();
  merges.forEach(([left, right], rank) => {
    const halves = ranks.get(left) ?? new Map<string, number>();
    ranks.set(left, halves.set(right, rank));
  });
  return ranks;
}

/** What a pattern finds. An emoji of several code points is one thing to a person, unless the model knows one of them. */
function found(text: string, pattern: RegExp, known: Set<string>): Found[] {
  return Array.from(text.matchAll(pattern)).flatMap(({ 0: written, index }) => {
    const points = Array.from(written);
    const isWhole =
      !/^[\p{RI}\p{Extended_Pictographic}]/u.test(written) || !points.some((point) => known.has(point));
    let end = index;
    return (isWhole ? [written] : points).map((each) => ({
      written: each,
      start: end,
      end: (end += each.length),
    }));
  });
}
