// Tokens as they are shown.

// Tokens are untrusted: spaces and invisible characters (a bidi override could turn its neighbours round) become
// marks. Joiners stay, they shape letters. Text reaches the page only through textContent, never as markup.
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/** A token in one line, with everything that cannot be seen as marks. */
export function visible(token: string): string {
  if (token === "") return "∅";
  return clip(safe(token.replace(/\s/g, "␣")), 80);
}

/** A text that may hold a token: invisible characters become marks, blanks stay. */
export function safe(text: string): string {
  return text.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

/** A token with blanks as they are. */
export function visibleText(text: string): string {
  return visible(text).replaceAll("␣", " ");
}

export function clip(text: string, length: number): string {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

export function tail(text: string, length: number): string {
  const letters = Array.from(text);
  return letters.length > length ? "…" + letters.slice(1 - length).join("") : text;
}

/** Whether tokens of a unit are written one after the other, without spaces. */
export function areLetters(unit: string): boolean {
  return ["letter", "character"].includes(unit);
}
