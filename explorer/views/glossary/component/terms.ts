// Which terms a text finds.

/** Key, name, and the words by which the term is found besides: its other forms and its meaning. */
export type Term = [key: string, name: string, meaning: string];

/** Terms whose name has all words of a text first, then those whose name and meaning have them together. */
export function found(terms: Term[], text: string): Term[] {
  const sought = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (where: string) => sought.every((word) => where.toLowerCase().includes(word));
  const named = terms.filter(([, name]) => has(name));
  return [...named, ...terms.filter((term) => !named.includes(term) && has(`${term[1]} ${term[2]}`))];
}
