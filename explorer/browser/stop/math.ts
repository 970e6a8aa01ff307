// Letters of a formula in plain text: Q, K and V in their colours, what stands after _ lower.

import { el, words } from "../shared/elements";

export function mathWords(text: string): HTMLElement {
  const node = el("span");
  for (const part of text.split(/(_[A-Za-z0-9]+|(?<![A-Za-z_])[QKV]+(?![A-Za-z]))/)) {
    if (/^_./.test(part)) node.append(words("sub", part.slice(1)));
    else if (/^[QKV]+$/.test(part)) node.append(...Array.from(part, (letter) => words("b", letter, letter.toLowerCase())));
    else if (part) node.append(part);
  }
  return node;
}
