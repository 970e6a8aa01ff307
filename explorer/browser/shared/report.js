// Made from report.ts by "make browser".
function reportAfter(last) {
  return Math.max(last + 1, Date.now());
}
