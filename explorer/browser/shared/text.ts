// Tokens as they are shown.

// Tokens are untrusted: spaces and invisible characters (a bidi override could turn its neighbours round) become
// marks. Joiners, selectors and fillers shape the characters beside them, so that only a token of nothing else needs a
// mark. Text reaches the page only through textContent, never as markup. `look/token_text.py` has the same rule.
const JOINER =
  "[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u180f\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";
const ONLY_JOINERS = new RegExp(`^${JOINER}+$`, "u");
const INVISIBLE = new RegExp(
  `(?!${JOINER})[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800\\u{1d159}]`,
  "gu",
);
const BEGINS_WITH_MARK = new RegExp(`^${JOINER}*(?!${JOINER})\\p{M}`, "u");

/** Mark what cannot be seen in a token, and cut an endless one. */
export function visible(token: string): string {
  if (token === "") return "∅";
  if (ONLY_JOINERS.test(token)) return clip(Array.from(token, numberOf).join(" "), 80);
  const marked = safe(token.replace(/\s/g, "␣"));
  return clip(BEGINS_WITH_MARK.test(token) ? `◌${marked}` : marked, 80);
}

function numberOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A text that may hold a token: invisible characters become marks, blanks stay. */
export function safe(text: string): string {
  return text.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

/** A token with blanks as they are. */
export function visibleText(text: string): string {
  return visible(text).replaceAll("␣", " ");
}

/** ` at position 3` for a token whose text stands twice or more among the tokens, for a sentence; else an empty text. */
export function twinPlace(tokens: readonly string[], place: number): string {
  return hasTwin(tokens.map(visible), place) ? ` at position ${place}` : "";
}

/** Names of rows or columns, each one that stands twice or more after its place: `3 a`. */
export function toldApart(names: readonly string[]): string[] {
  return names.map((name, place) => (hasTwin(names, place) ? `${place} ${name}` : name));
}

export function hasTwin(names: readonly string[], place: number): boolean {
  return names.indexOf(names[place]) !== place || names.includes(names[place], place + 1);
}

export function clip(text: string, length: number): string {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

export function tail(text: string, length: number): string {
  const letters = Array.from(text);
  return letters.length > length ? "…" + letters.slice(1 - length).join("") : text;
}

/** Tokens as one line of text. */
export function inOneLine(tokens: readonly string[], unit: string): string {
  return tokens.map(visible).join(areLetters(unit) ? "" : " ");
}

/** Whether tokens of a unit are written one after the other, without spaces. */
export function areLetters(unit: string): boolean {
  return ["letter", "character"].includes(unit);
}
