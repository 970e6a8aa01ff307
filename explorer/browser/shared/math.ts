// Plain text as formulas are read: the letters Q, K and V in their colours, what stands after _ lower.

import { el, words } from "./elements";

export function mathWords<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  name?: string,
): HTMLElementTagNameMap[Tag] {
  const node = el(tag, name ? { class: name } : {});
  for (const part of text.split(/(_[A-Za-z0-9]+|(?<![A-Za-z_])[QKV]+(?![A-Za-z]))/)) {
    if (/^_./.test(part)) node.append(words("sub", part.slice(1)));
    else if (/^[QKV]+$/.test(part))
      node.append(...Array.from(part, (letter) => words("b", letter, `tone-${letter.toLowerCase()}`)));
    else if (part) node.append(part);
  }
  return node;
}
