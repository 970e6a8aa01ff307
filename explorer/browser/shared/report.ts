// The numbers of what is reported back, by which both sides know the newer of two.

let newest = 0; // the last number given on this page

/**
 * The number of a new report.
 *
 * It is greater than those of all earlier reports of the page, also where two views report in the same millisecond, and
 * than `last`, which may be a report of the page before it was loaded anew. Both sides write it exactly.
 */
export function reportAfter(last: number): number {
  return (newest = Math.max(Math.max(last, newest) + 1, Date.now()));
}
