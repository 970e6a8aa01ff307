// Python as the note shows it: comments, strings, numbers and keywords stand out.

import { words } from "../shared/elements";

const STRING = `[rfb]*(?:"""[^]*?"""|'''[^]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')`;
const KEYWORD =
  "\\b(?:and|as|assert|class|def|del|elif|else|except|False|for|from|if|import|in|is|lambda|None|not|or|pass|raise|" +
  "return|True|try|while|with|yield)\\b";
const TOKEN = new RegExp(
  `(?<comment>#.*)|(?<string>${STRING})|(?<keyword>${KEYWORD})|(?<number>\\b\\d[\\d_]*(?:\\.\\d+)?(?:e[-+]?\\d+)?\\b)`,
  "g",
);

/** The text as nodes; what stands out is in an element whose class says why. */
export function python(text: string): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let from = 0;
  for (const found of text.matchAll(TOKEN)) {
    const [kind] = Object.entries(found.groups!).find(([, part]) => part !== undefined)!;
    nodes.push(text.slice(from, found.index), words("span", found[0], kind));
    from = found.index + found[0].length;
  }
  return [...nodes, text.slice(from)];
}
