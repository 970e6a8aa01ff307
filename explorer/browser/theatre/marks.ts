// How an output stands to the right answer, token by token, in place.

import { inOneLine, visible } from "../shared/text";
import type { Probe, Written } from "./data";

/** `more` stands for what no longer has room. */
export type Mark = "right" | "wrong" | "missing" | "extra" | "more";
export interface Letter {
  mark: Mark;
  text: string;
  right: string;
}

/** What is said of tokens that are wrong in number only to two; of more there is a sign. */
export const MOST_EXTRA = 2;

/** The tokens of an output as they are drawn, with the right one where one is not in place. */
export function lettersOf(probe: Probe, { tokens, n }: Written): Letter[] {
  const right = probe.right.slice(0, probe.n_right),
    most = right.length + MOST_EXTRA;
  const letters: Letter[] = Array.from(
    { length: Math.max(right.length, Math.min(tokens.length, most)) },
    (_, i) => {
      const wrote = i < tokens.length ? tokens[i] : null,
        should = i < right.length ? right[i] : null;
      if (wrote === null) return { mark: "missing", text: "", right: visible(should!) };
      if (should === null) return { mark: "extra", text: visible(wrote), right: "" };
      return {
        mark: wrote === should ? "right" : "wrong",
        text: visible(wrote),
        right: wrote === should ? "" : visible(should),
      };
    },
  );
  if (n > most) letters.push({ mark: "more", text: "…", right: "" });
  return letters;
}

/** How many of its tokens stand in their place; those beyond what is shown of the right answer do not count. */
export function inPlace(probe: Probe, { tokens }: Written): number {
  return probe.right.slice(0, probe.n_right).filter((token, i) => tokens[i] === token).length;
}

/** Right from the first token to the end, which is written as well. */
export function isRight(probe: Probe, written: Written): boolean {
  return (
    written.stopped &&
    written.n === probe.n_right &&
    inPlace(probe, written) === Math.min(probe.n_right, probe.right.length)
  );
}

/** Whether the right tokens are there, only in another order. */
export function isAnagram(probe: Probe, { tokens, n }: Written): boolean {
  const right = probe.right.slice(0, probe.n_right);
  return (
    n === right.length &&
    [...tokens].sort().join("\n") === [...right].sort().join("\n") &&
    tokens.some((token, i) => token !== right[i])
  );
}

/** How it stands, in a few words. */
export function standing(probe: Probe, written: Written): string {
  if (isRight(probe, written)) return "right";
  const { n, stopped } = written,
    extra = n - probe.n_right;
  return `${inPlace(probe, written)} of ${probe.n_right} in place${stopped && extra > 0 ? `, ${extra} too many` : ""}`;
}

/** What is odd about it as a whole; empty for nothing. */
export function oddity(probe: Probe, written: Written): string {
  if (!written.stopped) return "does not stop";
  if (written.n === 0) return "writes nothing";
  return isAnagram(probe, written) ? "an anagram" : "";
}

/** For whoever hears the page. */
export function spokenOutput(probe: Probe, written: Written, unit: string): string {
  const right = inOneLine(probe.right.slice(0, probe.n_right), unit);
  const wrote = inOneLine(written.tokens, unit) || "nothing";
  if (isRight(probe, written)) return `${probe.text}: writes ${wrote}, which is right`;
  const odd = oddity(probe, written);
  return `${probe.text}: writes ${wrote}, should be ${right}, ${standing(probe, written)}${odd ? `, ${odd}` : ""}`;
}
