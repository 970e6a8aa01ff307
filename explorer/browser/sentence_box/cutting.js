// How a text is cut into tokens as the model's tokenizer cuts it. No page, no state.
// This file stands in front of reading.js and box.js; the three become one module.

// The rules are those of core/data/tokenizers; a test compares the two.
const EMOJI = String.raw`\p{RI}{2}|\p{Extended_Pictographic}(?:[\uFE0F\u200D]|\p{EMod}|\p{Extended_Pictographic})*`;
const LETTER = String.raw`[\p{L}\p{N}_]`;
const ELISION = String.raw`(?:[cdjlmnst]|${LETTER}*qu)['’](?=${LETTER})`; // l'homme is l' and homme
const WORD = new RegExp(String.raw`${ELISION}|${LETTER}+(?:['’]${LETTER}+)*|${EMOJI}|[^\s]`, "giu");
const WORD_OR_MARK = new RegExp(String.raw`${LETTER}+|${EMOJI}|[^\s]`, "gu");
const CHARACTER = new RegExp(String.raw`${EMOJI}|[^\s]`, "gu");
const CHARACTER_OR_SPACE = new RegExp(String.raw`${EMOJI}|(?<=\S)\s+(?=\S)|[^\s]`, "gu"); // blanks between, as one
const MARK_OR_NONE = /[\p{P}\p{S}]|[^\p{P}\p{S}]+/gu; // in byte-pair encoding a mark is never merged with a letter
const WORD_BEGIN = "▁";
const GLUE = "·"; // begins a piece that is written right after the one before

const lowered = (text) => text.normalize("NFD").toLowerCase().normalize("NFC");

/** One spelling for every way to write a word. */
const fold = (text) => lowered(text.replaceAll("’", "'"));

const CUTS = { word: cutWords, character: cutCharacters, morpheme: cutMorphemes, bpe: cutPieces };

/** Tokens with their place in the text, which must be in NFC. */
function tokenize(text, box) {
  return CUTS[box.data.mode](text, box);
}

function cutWords(text, { data: { replacements }, known }) {
  return found(text.replace(/[\s.!?…]+$/u, ""), WORD, known).flatMap(({ written, start, end }) => {
    const token = fold(written);
    const read = Object.hasOwn(replacements, token) ? replacements[token].split(" ") : [token];
    return read.map((one) => ({ text: one, start, end }));
  });
}

function cutCharacters(text, { known }) {
  const pattern = known.has(" ") ? CHARACTER_OR_SPACE : CHARACTER;
  const blank = /^\s+$/u;
  return found(text, pattern, known).map(({ written, start, end }) => ({ text: written.replace(blank, " "), start, end }));
}

/** Words, and of those that the model lacks the longest pieces that fit; a word that cannot be cut stays whole. */
function cutMorphemes(text, { known, longest }) {
  return found(text, WORD_OR_MARK, known).flatMap(({ written, start, end }) => {
    const word = lowered(written);
    const pieces = [];
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
function cutPieces(text, { data: { max_characters }, ranks }) {
  // No longer text is taken, and merging takes the square of a word's length.
  const written = text.slice(0, max_characters).replaceAll(WORD_BEGIN, " ").replace(/\p{Cs}/gu, "\uFFFD");
  return Array.from(written.matchAll(/\S+/gu)).flatMap(({ 0: word, index }) => {
    const [first, ...others] = word.match(MARK_OR_NONE);
    let end = index;
    return [WORD_BEGIN + first, ...others].flatMap((part) => merged(Array.from(part), ranks)).map((piece) => {
      const start = end;
      end += piece.replace(WORD_BEGIN, "").length;
      return { text: piece, start, end };
    });
  });
}

/** Joins the leftmost two of lowest rank, again and again, until no merge fits. */
function merged(pieces, ranks) {
  while (true) {
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
function ranksOf(merges) {
  const ranks = new Map();
  merges.forEach(([left, right], rank) => {
    if (!ranks.has(left)) ranks.set(left, new Map());
    ranks.get(left).set(right, rank);
  });
  return ranks;
}

/** What a pattern finds. An emoji of several code points is one thing to a person, unless the model knows one of them. */
function found(text, pattern, known) {
  return Array.from(text.matchAll(pattern)).flatMap(({ 0: written, index }) => {
    const points = Array.from(written);
    const whole = !/^[\p{RI}\p{Extended_Pictographic}]/u.test(written) || !points.some((point) => known.has(point));
    let end = index;
    return (whole ? [written] : points).map((each) => ({ written: each, start: end, end: (end += each.length) }));
  });
}
