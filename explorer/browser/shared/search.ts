// What a search finds, wherever a text is sought.

/** Whether a text has all words of a query, in whatever order and case; null where nothing is sought. */
export function finder(query: string): ((text: string) => boolean) | null {
  const sought = query.toLowerCase().split(/\s+/).filter(Boolean);
  return sought.length ? (text) => sought.every((word) => text.toLowerCase().includes(word)) : null;
}
