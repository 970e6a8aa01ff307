// The numbers of what is reported back, by which both sides know the newer of two.

/** The number after another report's: it grows also when the page is mounted anew, and both sides write it exactly. */
export function reportAfter(last: number): number {
  return Math.max(last + 1, Date.now());
}
