// The pieces one after the other; nothing in them is markup.

import { el, words } from "../shared/elements";
import { readJson } from "../shared/message";
import type { Component } from "../shared/mount";
import { visible } from "../shared/text";
import { themeOf } from "../shared/theme";
import css from "./view.css";
import { styled } from "../shared/styles";

const shown = new WeakMap<Element, string>(); // pieces by their root

export default styled(({ parentElement, data }: Component): void => {
  const root = parentElement.querySelector<HTMLElement>(".sentence-view")!,
    pieces = readJson<[kind: string, text: string][]>(data),
    said = JSON.stringify(pieces);
  root.dataset.look = themeOf(root);
  // The same words stay, and with them the focus on one of their links.
  if (shown.get(root) === said) return;
  shown.set(root, said);
  root.replaceChildren(...pieces.map(([kind, text]) => pieceOf(kind, text)));
}, css);

/** A piece of a sentence: words, a number, a token, or a term with its link. */
export function pieceOf(kind: string, text: string): Node | string {
  if (!kind) return text;
  if (kind.startsWith("term ")) return el("a", { href: kind.slice(5), text });
  if (kind === "number") return words("b", text);
  // A direction of its own, so that a token cannot turn the words after it round.
  return words("bdi", visible(text), kind);
}
