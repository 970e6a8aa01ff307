// Which terms a text finds.

import { finder } from "../../../browser/shared/search";

/** Key, name, and the words by which the term is found besides: its other forms and its meaning. */
export type Term = [key: string, name: string, meaning: string];

/** Terms whose name has all words of a text first, then those whose name and meaning have them together. */
export function found(terms: Term[], text: string): Term[] {
  const has = finder(text);
  if (!has) return terms;
  const named = terms.filter(([, name]) => has(name));
  return [...named, ...terms.filter((term) => !named.includes(term) && has(`${term[1]} ${term[2]}`))];
}
