// Words of which nothing is lost, cut as CasedWordTokenizer of core/data/tokenizers/cased_word.py cuts them; both read
// the table of characters beside that module, and a test compares what they make of the same texts.

import table from "../../../core/data/tokenizers/cased_word.json";
import type { Cut } from "./cutting";

/** How a token is spaced: whether a space is expected before it, and after it. */
interface Shape {
  before: boolean;
  after: "space" | "none" | "same" | "flip";
}

export const [GLUED, SPACED] = ["·", "▁"]; // begin a token whose spacing is not the expected one
export const SPACES = `[${table.spaces}]`;
export const CHUNK = new RegExp(`[^${table.spaces}]+`, "gu");
// Every blank of a text in which spaces are exact, but for the single spaces between two other characters.
const BLANKS = new RegExp(`^${SPACES}+|${SPACES}{2,}|(?! )${SPACES}|${SPACES}+$`, "gu");
const CORE = /w(?:[wjzx]|a(?=w))*|rr|e[xm]*(?:ze[xm]*)*|./g;
const SHAPES: Record<string, Shape> = {
  plain: { before: true, after: "space" },
  elided: { before: true, after: "none" },
  opening: { before: true, after: "none" },
  closing: { before: false, after: "space" },
  quote: { before: true, after: "flip" },
  closing_quote: { before: false, after: "flip" },
  operator: { before: true, after: "same" },
  joining: { before: false, after: "same" },
};
const MARKS = new Map(
  Object.entries(table.marks).flatMap(([shape, marks]) => Array.from(marks, (mark) => [mark, shape])),
);
const CATEGORIES = Object.entries(table.categories).map(
  ([category, shape]) => [new RegExp(`\\p{${category}}`, "u"), shape] as const,
);
const RANGES = (
  [
    ["pictures", "e"],
    ["flags", "r"],
    ["skin_tones", "m"],
    ["selectors", "x"],
  ] as const
).flatMap(([name, letter]) =>
  table[name].map(([first, last]) => [parseInt(first, 16), parseInt(last, 16), letter] as const),
);
const CLASSES = new Map<string, string>([
  ...Array.from(table.apostrophes, (mark) => [mark, "a"] as const),
  ["\u200C", "j"],
  ["\u200D", "z"],
  ["_", "w"],
]);

/** A token without what tells its spacing. */
export function bare(token: string): string {
  return token.length > 1 && (token[0] === GLUED || token[0] === SPACED) ? token.slice(1) : token;
}

/** Cuts a text in NFC; with exact spaces each blank beyond a single space is a token. */
export function cutCasedWords(text: string, hasExactSpaces: boolean): Cut[] {
  const cuts: Cut[] = [];
  let expected: boolean | null = null;
  const cutPart = (part: string, start: number) => {
    let isSpaced = false;
    for (const { 0: chunk, index } of part.matchAll(CHUNK)) {
      expected = cutChunk(chunk, start + index, expected, isSpaced, cuts);
      isSpaced = true;
    }
  };
  let end = 0;
  for (const { 0: blanks, index } of hasExactSpaces ? text.matchAll(BLANKS) : []) {
    cutPart(text.slice(end, index), end);
    end = index + blanks.length;
    for (let at = index; at < end; at++) cuts.push({ text: text[at], start: at, end: at + 1 });
    expected = false;
  }
  cutPart(text.slice(end), end);
  return cuts;
}

/** Cuts a part without spaces; returns whether its last token expects a space after it. */
function cutChunk(
  chunk: string,
  start: number,
  expected: boolean | null,
  isSpaced: boolean,
  cuts: Cut[],
): boolean | null {
  for (const core of coresOf(chunk)) {
    const shape = shapeOf(core);
    let [prefix, gap] = ["", isSpaced];
    if (expected === null) gap = shape.before;
    else if (isSpaced !== (expected && shape.before)) prefix = isSpaced ? SPACED : GLUED;
    cuts.push({ text: prefix + core, start, end: (start += core.length) });
    expected = isSpaceAfter(shape, prefix, gap);
    isSpaced = false;
  }
  return expected;
}

function coresOf(chunk: string): string[] {
  const points = Array.from(chunk);
  const classes = points.map(classOf).join("");
  return Array.from(classes.matchAll(CORE)).flatMap(({ 0: found, index }) => {
    const cores: string[] = [];
    let core = points.slice(index, index + found.length).join("");
    for (let end = elidedLength(core); end; end = elidedLength(core)) {
      cores.push(core.slice(0, end));
      core = core.slice(end);
    }
    return [...cores, core];
  });
}

/** The length of the elided word that a word begins with, such as l' of l'homme; 0 for none. */
function elidedLength(word: string): number {
  const end = word.search(/['’]/);
  const head = word.slice(0, Math.max(end, 0)).toLowerCase();
  const isElided =
    table.elided.includes(head) || table.elided_endings.some((ending) => head.endsWith(ending));
  return end > 0 && end < word.length - 1 && isElided ? end + 1 : 0;
}

function shapeOf(core: string): Shape {
  if (Array.from(core).length > 1) return SHAPES[/['’]$/.test(core) ? "elided" : "plain"];
  const mark = MARKS.get(core) ?? (/[we]/.test(classOf(core)) ? "plain" : undefined);
  return SHAPES[mark ?? CATEGORIES.find(([category]) => category.test(core))?.[1] ?? "joining"];
}

function isSpaceAfter({ before, after }: Shape, prefix: string, gap: boolean): boolean {
  if (after === "same") return gap;
  // An opening quotation mark touches what follows; a closing one touched what came before.
  if (after === "flip") return prefix === GLUED || (!prefix && !before);
  return after === "space";
}

/** The class of a character, as the letters that CORE is written in. */
function classOf(character: string): string {
  const known = CLASSES.get(character);
  if (known) return known;
  const code = character.codePointAt(0)!;
  const range = RANGES.find(([first, last]) => first <= code && code <= last);
  const found = range?.[2] ?? (/[\p{L}\p{M}\p{N}]/u.test(character) ? "w" : "p");
  CLASSES.set(character, found);
  return found;
}
