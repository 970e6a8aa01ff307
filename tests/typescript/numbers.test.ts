// Numbers are written digit for digit as Python writes them on charts, in tables and on paper.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fixed,
  formatCount,
  formatPercent,
  formatProbability,
  formatShare,
  formatSigned,
  ordinal,
  plural,
} from "../../explorer/browser/shared/numbers";
import fixture from "./numbers.json";

// JSON has no name for these.
const read = (value: number | string) => (typeof value === "string" ? Number(value) : value);

function written(form: (value: number) => string, cases: (number | string)[][]): void {
  assert.ok(cases.length > 20);
  for (const [value, text] of cases) assert.equal(form(read(value)), text, `of ${value}`);
}

test("probabilities", () => written(formatProbability, fixture.probabilities));
test("shares of counted things", () => written(formatShare, fixture.shares));
test("a percent that is neither nothing nor all reads as neither", () => {
  const texts = [0, 0.0004, 0.0201, 0.9996, 1].map(formatPercent);
  assert.deepEqual(texts, ["0", "<0.1", "2.0", ">99.9", "100"]);
});
test("signed values, small and large ones as powers of ten", () => written(formatSigned, fixture.signed));
test("two decimals", () => written((value) => fixed(value, 2), fixture.two_decimals));
test("three decimals", () => written((value) => fixed(value, 3), fixture.three_decimals));
test("counts", () => written(formatCount, fixture.counts));

test("what is one has no s", () => {
  assert.deepEqual(
    [0, 1, 2, 1000].map((count) => plural(count, "token")),
    ["0 tokens", "1 token", "2 tokens", "1,000 tokens"],
  );
});

test("places in an order, teens among them", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 112].map(ordinal), [
    "1st",
    "2nd",
    "3rd",
    "4th",
    "11th",
    "12th",
    "13th",
    "21st",
    "22nd",
    "101st",
    "111th",
    "112th",
  ]);
});
