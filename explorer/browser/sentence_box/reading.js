// What the box makes of a text: the words near a word, the verdict and its sentence. No page, no state.

const MAX_ROWS = 8; // completions at once
const nothingYet = (unit) => `Write a ${["word", "piece"].includes(unit) ? "sentence" : unit} first.`;

const CHUNK_BEFORE_CARET = new RegExp(`(?:${LETTER}|['’])+$`, "u");
const STARTS_WITH_LETTER = new RegExp(`^${LETTER}`, "u");

const collapse = (text) => text.trim().replace(/\s+/gu, " ");
const hasWords = ({ mode }) => mode === "word" || mode === "morpheme";

// --- Words near a word --------------------------------------------------------------------------------

/** Edit distance in which two swapped neighbours count once. */
function distance(a, b) {
  let [before, last] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}

/** How unlike two words are: their edits, less the letters they share in any order. */
function unlikeness(a, b) {
  const spare = [...b];
  const shared = [...a].filter((letter) => {
    const at = spare.indexOf(letter);
    if (at >= 0) spare.splice(at, 1);
    return at >= 0;
  }).length;
  return distance(a, b) / Math.max(a.length, b.length) - shared / (a.length + b.length);
}

/** At most three known words that the person may have meant, nearest first. */
function nearest(token, { data, words, known }) {
  if (!hasWords(data)) {
    const base = token.normalize("NFD")[0]; // É is near é, E and e
    const near = [token.toLowerCase(), base, base.toLowerCase()];
    return near.filter((letter, index) => known.has(letter) && near.indexOf(letter) === index);
  }
  if (token.length > 24 || !STARTS_WITH_LETTER.test(token)) return [];
  const limit = Math.min(4, Math.ceil(token.length * 0.6));
  const near = (word) =>
    (Math.abs(word.length - token.length) <= limit && distance(token, word) <= limit) ||
    (token.length > 2 && word.startsWith(token)) ||
    (word.length > 2 && token.startsWith(word));
  const scored = words.filter(near).map((word) => ({ word, far: unlikeness(token, word) }));
  scored.sort((a, b) => a.far - b.far); // stable: equally near words stay in alphabetical order
  // From 0.45 on a word has next to nothing in common; far behind the best one it would only distract.
  return scored.filter(({ far }) => far < 0.45 && far <= scored[0].far + 0.1).slice(0, 3).map(({ word }) => word);
}

// --- Judging the text ---------------------------------------------------------------------------------

/** What is being written at the caret: all that hangs together there (l'ho), and its last word (ho). */
function wordAtCaret(text, caret, box) {
  const chunk = text.slice(0, caret).match(CHUNK_BEFORE_CARET)?.[0];
  if (!hasWords(box.data) || !chunk || STARTS_WITH_LETTER.test(text.slice(caret))) return null;
  const last = Array.from(chunk.matchAll(WORD)).at(-1);
  const chunkStart = caret - chunk.length;
  return { chunk: fold(chunk), chunkStart, prefix: fold(last[0]), start: chunkStart + last.index, end: caret };
}

function completions({ prefix }, { words }) {
  if (!STARTS_WITH_LETTER.test(prefix)) return [];
  return words.filter((known) => known.startsWith(prefix) && known !== prefix).slice(0, MAX_ROWS);
}

/** Everything that follows from the text and the caret; draws nothing. */
function judge(box) {
  const { input } = box.parts;
  const text = input.value.normalize("NFC");
  const caret = input.value.slice(0, input.selectionEnd ?? input.value.length).normalize("NFC").length;
  const word = wordAtCaret(text, caret, box);
  const matches = word ? completions(word, box) : [];
  const begins = (known) => known.startsWith(word.chunk); // l' of l'homme, doesn' of doesn't
  // Half a word is not an error: it is called unknown once the person has left it or asked to run it.
  const growing =
    word && box.focused && !box.insisted &&
    (matches.length > 0 || box.words.some(begins) || Object.keys(box.data.replacements).some(begins));
  const tokens = tokenize(text, box).map((token, index) => {
    const known = box.known.has(token.text);
    const unfinished = !known && growing && token.start >= word.chunkStart && token.end <= word.end;
    const state = known ? "known" : unfinished ? "unfinished" : "unknown";
    return { ...token, state, over: index >= box.data.max_tokens };
  });
  return { text, word, matches, tokens, ...verdict(text, tokens, box) };
}

/** Whether the text may run and, when it may not, the sentence that says why. */
function verdict(text, tokens, box) {
  const { mode, unit, max_tokens: most, max_characters: longest, message } = box.data;
  const answer = text === box.answered ? message : "";
  const length = collapse(text).length;
  const unknown = tokens.filter(({ state }) => state === "unknown");
  const unfinished = tokens.find(({ state }) => state === "unfinished");
  const error = (sentence) => ({ kind: "error", sentence });
  const tooLong = `${number(longest)} characters at most; this has ${number(length)}.`;
  if (length > longest && mode === "bpe") return error(tooLong); // what comes after them was not cut
  if (!tokens.length) return { kind: "empty", sentence: answer || nothingYet(unit) };
  if (tokens.length > most) return error(`${quantity(most, unit)} at most; this has ${number(tokens.length)}.`);
  if (unknown.length) return { kind: "error", ...unknownVerdict(unknown, box) };
  if (unfinished) return { kind: "wait", sentence: `The word ${quoted(unfinished.text)} is not finished.` };
  if (length > longest) return error(tooLong);
  if (answer) return { kind: "message", sentence: answer };
  const all = tokens.length > 1 ? "all" : "the";
  return { kind: "ready", sentence: `The model knows ${all} ${quantity(tokens.length, unit)}.` };
}

/** The sentence is about the first unknown token, so that it can be mended with one press. */
function unknownVerdict(unknown, box) {
  const kind = box.data.mode === "bpe" ? "character" : box.data.unit;
  const [token] = unknown;
  const near = nearest(token.text, box);
  const name = quoted(token.text);
  const more = new Set(unknown.map(({ text }) => text)).size - 1;
  const others = more ? ` and ${number(more)} more` : "";
  const lead = more ? ` Nearest to ${name}:` : ` Its nearest ${kind}${near.length > 1 ? "s" : ""}:`;
  const lacks = box.data.mode === "bpe" ? "has no piece for" : "does not know";
  return { sentence: `The model ${lacks} ${name}${others}.${near.length ? lead : ""}`, token, near };
}

// --- Words on the screen ------------------------------------------------------------------------------

const number = (value) => value.toLocaleString("en");

/** A token that can be seen: blanks, lone accents and invisible characters get a sign, long ones an end. */
function visible(token) {
  if (/^\s$/u.test(token)) return "␣";
  if (/^\p{M}/u.test(token)) token = `◌${token}`;
  if (/^[\p{C}\p{Z}]$/u.test(token)) return `U+${token.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  const letters = Array.from(token);
  return letters.length > 24 ? `${letters.slice(0, 23).join("")}…` : token;
}

/** A token inside an English sentence; isolated when right-to-left, or it would turn the words around it. */
function quoted(token) {
  const shown = visible(token);
  return /[\u0590-\u08FF\uFB1D-\uFEFC]/.test(shown) ? `"\u2068${shown}\u2069"` : `"${shown}"`;
}

function quantity(amount, unit) {
  return `${number(amount)} ${unit}${amount === 1 ? "" : "s"}`;
}

function count(tokens, { unit, max_tokens: most }) {
  return tokens.length ? `${quantity(tokens.length, unit)}, up to ${number(most)}` : `up to ${quantity(most, unit)}`;
}
