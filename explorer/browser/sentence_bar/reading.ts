// What the field makes of a text: its tokens, completions, the words near a word, and the verdict. No page, no state.

import removed from "../../../core/data/cleaning.json";
import { formatCount, plural } from "../shared/numbers";
import { clip, visible } from "../shared/text";
import { bare, cutCasedWords, GLUED, SPACED } from "./cased_words";
import { cutterOf, fold, LETTER, tokenize, WORD } from "./cutting";
import type { Cut, Cutter } from "./cutting";
import type { BarData } from "./data";

/** What a text is read with; sorted: the known tokens in the order of the alphabet. most: tokens of a sentence. readsUnknown: as <unk>, instead of rejecting the text. */
export interface Reader extends Cutter {
  unit: string;
  most: number;
  readsUnknown: boolean;
  sorted: string[];
}
/** A text in NFC and how it is being written; answer: what Python said to this very text, or empty. */
export interface Typing {
  text: string;
  caret: number;
  isFocused: boolean;
  isInsisted: boolean;
  answer: string;
}
export interface Token extends Cut {
  state: "known" | "unfinished" | "unknown";
  isOver: boolean;
}
/** What is being written at the caret: all that hangs together there (l'ho), and its last word (ho). */
export interface Word {
  chunk: string;
  chunkStart: number;
  prefix: string;
  start: number;
  end: number;
}
/** Whether a text may run, and the sentence about it; unknown: the first unknown token, with the words near it. */
export interface Verdict {
  kind: "ready" | "message" | "empty" | "wait" | "error";
  sentence: string;
  unknown?: Token;
  near?: string[];
}
export interface Reading extends Verdict {
  text: string;
  word: Word | null;
  matches: string[];
  tokens: Token[];
}

const MAX_ROWS = 8; // completions at once
const CHUNK_BEFORE_CARET = new RegExp(`(?:${LETTER}|['’])+$`, "u");
const CASED_CHUNK_BEFORE_CARET = /[\p{L}\p{M}\p{N}_\u200C\u200D'’]+$/u;
const STARTS_WITH_LETTER = new RegExp(`^${LETTER}`, "u");

const REMOVED = new RegExp(`[${removed.control}${removed.invisible}]`, "gu");

/** A text without characters that cleaning removes from every source. */
export function cleaned(text: string): string {
  return text.replace(REMOVED, "");
}

/** A text as it is run: with single spaces, unless each of them counts. */
export function collapse(text: string, { hasExactSpaces }: Pick<Cutter, "hasExactSpaces">): string {
  return hasExactSpaces ? text : text.trim().replace(/\s+/gu, " ");
}
export function hasWords({ mode }: Cutter): boolean {
  return mode === "word" || mode === "cased_word" || mode === "morpheme";
}
export function isRunnable({ kind }: Verdict): boolean {
  return kind === "ready" || kind === "message";
}

export function readerOf(data: BarData): Reader {
  const cutter = cutterOf(data);
  const { unit, max_tokens: most, reads_unknown: readsUnknown } = data;
  return { ...cutter, unit, most, readsUnknown, sorted: [...cutter.known].sort() };
}

// --- Words near a word --------------------------------------------------------------------------------

/** Edit distance in which two swapped neighbours count once. */
function distance(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}

/** How unlike two words are: their edits, less the letters they share in any order. */
function unlikeness(a: string, b: string): number {
  const spare = [...b];
  const shared = [...a].filter((letter) => {
    const at = spare.indexOf(letter);
    if (at >= 0) spare.splice(at, 1);
    return at >= 0;
  }).length;
  return distance(a, b) / Math.max(a.length, b.length) - shared / (a.length + b.length);
}

/** At most three known words that the person may have meant, nearest first. */
function nearest(written: string, reader: Reader): string[] {
  let token = written;
  if (reader.mode === "cased_word") {
    token = bare(written);
    // The same word with other spaces is nearest.
    const respaced = [token, GLUED + token, SPACED + token].filter((word) => reader.known.has(word));
    if (respaced.length) return respaced.slice(0, 1);
  }
  if (!hasWords(reader)) {
    const base = token.normalize("NFD")[0]; // É is near é, E and e
    const near = [token.toLowerCase(), base, base.toLowerCase()];
    return near.filter((letter, index) => reader.known.has(letter) && near.indexOf(letter) === index);
  }
  if (token.length > 24 || !STARTS_WITH_LETTER.test(token)) return [];
  const limit = Math.min(4, Math.ceil(token.length * 0.6));
  const isNear = (word: string) =>
    (Math.abs(word.length - token.length) <= limit && distance(token, word) <= limit) ||
    (token.length > 2 && word.startsWith(token)) ||
    (word.length > 2 && token.startsWith(word));
  const scored = reader.sorted.filter(isNear).map((word) => ({ word, far: unlikeness(token, word) }));
  scored.sort((a, b) => a.far - b.far); // stable: equally near words stay in alphabetical order
  // From 0.45 on a word has next to nothing in common; far behind the best one it would only distract.
  return scored
    .filter(({ far }) => far < 0.45 && far <= scored[0].far + 0.1)
    .slice(0, 3)
    .map(({ word }) => word);
}

// --- Judging the text ---------------------------------------------------------------------------------

function wordAtCaret(text: string, caret: number, reader: Reader): Word | null {
  const isCased = reader.mode === "cased_word";
  const chunk = text.slice(0, caret).match(isCased ? CASED_CHUNK_BEFORE_CARET : CHUNK_BEFORE_CARET)?.[0];
  if (!hasWords(reader) || !chunk || STARTS_WITH_LETTER.test(text.slice(caret))) return null;
  const chunkStart = caret - chunk.length;
  if (isCased) {
    const last = cutCasedWords(chunk, false).at(-1)!;
    return { chunk, chunkStart, prefix: bare(last.text), start: chunkStart + last.start, end: caret };
  }
  const last = Array.from(chunk.matchAll(WORD)).at(-1)!;
  return {
    chunk: fold(chunk),
    chunkStart,
    prefix: fold(last[0]),
    start: chunkStart + last.index,
    end: caret,
  };
}

function completions({ prefix }: Word, { sorted }: Reader): string[] {
  if (!STARTS_WITH_LETTER.test(prefix)) return [];
  return sorted.filter((known) => known.startsWith(prefix) && known !== prefix).slice(0, MAX_ROWS);
}

/** Everything that follows from the text and the caret. */
export function judge(typing: Typing, reader: Reader): Reading {
  const { text, caret, isFocused, isInsisted } = typing;
  const word = wordAtCaret(text, caret, reader);
  const matches = word ? completions(word, reader) : [];
  const begins = (known: string) => word !== null && known.startsWith(word.chunk); // l' of l'homme, or a part of doesn't
  // Half a word is not an error: it is called unknown once the person has left it or asked to run it.
  const isGrowing =
    word !== null &&
    isFocused &&
    !isInsisted &&
    (matches.length > 0 || reader.sorted.some(begins) || Object.keys(reader.replacements).some(begins));
  const tokens = tokenize(text, reader).map((token, index): Token => {
    const isKnown = reader.known.has(token.text);
    const isUnfinished = !isKnown && isGrowing && token.start >= word.chunkStart && token.end <= word.end;
    const state = isKnown ? "known" : isUnfinished ? "unfinished" : "unknown";
    return { ...token, state, isOver: index >= reader.most };
  });
  return { text, word, matches, tokens, ...verdict(typing, tokens, reader) };
}

/** Whether the text may run and, when it may not, the sentence that says why. */
function verdict({ text, answer }: Typing, tokens: Token[], reader: Reader): Verdict {
  const { mode, unit, most, maxCharacters, readsUnknown } = reader,
    { length } = collapse(text, reader);
  const unknown = tokens.filter(({ state }) => state === "unknown");
  const unfinished = tokens.find(({ state }) => state === "unfinished");
  const error = (sentence: string): Verdict => ({ kind: "error", sentence });
  const tooLong = `${formatCount(maxCharacters)} characters at most; this has ${formatCount(length)}.`;
  if (length > maxCharacters && mode === "bpe") return error(tooLong); // what comes after them was not cut
  if (!tokens.length) return { kind: "empty", sentence: answer || nothingYet(unit) };
  if (tokens.length > most)
    return error(`${plural(most, unit)} at most; this has ${formatCount(tokens.length)}.`);
  if (unknown.length && !readsUnknown) return { kind: "error", ...unknownVerdict(unknown, reader) };
  if (unfinished) return { kind: "wait", sentence: `The word ${quoted(unfinished.text)} is not finished.` };
  if (length > maxCharacters) return error(tooLong);
  if (answer) return { kind: "message", sentence: answer };
  if (unknown.length) return { kind: "message", ...unknownVerdict(unknown, reader) };
  return {
    kind: "ready",
    sentence: `The model knows ${tokens.length > 1 ? "all" : "the"} ${plural(tokens.length, unit)}.`,
  };
}

/** The sentence is about the first unknown token, so that it can be mended with one press. */
function unknownVerdict(unknown: Token[], reader: Reader): Omit<Verdict, "kind"> {
  const hasPieces = reader.mode === "bpe";
  const kind = hasPieces ? "character" : reader.unit;
  const [token] = unknown;
  const near = nearest(token.text, reader);
  const name = quoted(token.text);
  const more = new Set(unknown.map(({ text }) => text)).size - 1;
  const others = more ? ` and ${formatCount(more)} more` : "";
  const lead = more ? ` Nearest to ${name}:` : ` Its nearest ${kind}${near.length > 1 ? "s" : ""}:`;
  const lacks = hasPieces ? "has no piece for" : "does not know";
  const reads = reader.readsUnknown ? " and reads <unk> instead" : "";
  const sentence = `The model ${lacks} ${name}${others}${reads}.${near.length ? lead : ""}`;
  return { sentence, unknown: token, near };
}

/** The text in pieces, of which those that stand for unknown tokens are marked. */
export function marked({ text, tokens }: Reading): { text: string; isUnknown: boolean }[] {
  const pieces: { text: string; isUnknown: boolean }[] = [];
  let at = 0;
  for (const { start, end, state } of tokens) {
    if (state !== "unknown" || start < at) continue;
    pieces.push(
      { text: text.slice(at, start), isUnknown: false },
      { text: text.slice(start, end), isUnknown: true },
    );
    at = end;
  }
  return [...pieces, { text: text.slice(at), isUnknown: false }].filter((piece) => piece.text);
}

/** The text with another word in place of a token, or without the token, and where that ends. */
export function mended(text: string, { text: token, start, end }: Cut, word: string, { mode }: Cutter) {
  let before = text.slice(0, start);
  if (mode === "cased_word" && word) {
    // A token tells its spacing, so that the text before it may lose a space or get one.
    const isSpaced = /\s$/u.test(before);
    const isExpected = token.length > 1 && token[0] === SPACED ? false : bare(token) !== token || isSpaced;
    const isGlued = bare(word) !== word && word[0] === GLUED;
    const isWanted = before !== "" && !isGlued && (isExpected || bare(word) !== word);
    if (isSpaced !== isWanted) before = isWanted ? `${before} ` : before.trimEnd();
  }
  const lead = before + (mode === "cased_word" ? bare(word) : word);
  return { text: lead + (word ? text.slice(end) : text.slice(end).trimStart()), caret: lead.length };
}

// --- Words on the screen ------------------------------------------------------------------------------

const nothingYet = (unit: string) => `Write a ${["word", "piece"].includes(unit) ? "sentence" : unit} first.`;

/** A token that can be seen, with an end where it is long. */
export function seen(token: string): string {
  return clip(visible(token), 24);
}

/** A token inside an English sentence; isolated when right-to-left, or it would turn the words around it. */
function quoted(token: string): string {
  const shown = seen(token);
  return /[\u0590-\u08FF\uFB1D-\uFEFC]/.test(shown) ? `"\u2068${shown}\u2069"` : `"${shown}"`;
}

/** How many tokens there are, and how many there may be. */
export function countOf(tokens: Token[], { unit, most }: Reader): string {
  return tokens.length
    ? `${plural(tokens.length, unit)}, up to ${formatCount(most)}`
    : `up to ${plural(most, unit)}`;
}

/** What stands in place of tokens where there are none yet. */
export function hintOf(reader: Reader, words: string[]): string {
  if (hasWords(reader))
    return `The model knows ${formatCount(words.length)} words and completes them as you type.`;
  if (reader.mode === "bpe") return "The model reads pieces of words; they are shown here as you type.";
  const letters = words.slice(0, 60).map(seen).join(" ");
  return `The model knows ${letters}${words.length > 60 ? " …" : ""}`;
}
