import assert from "node:assert/strict";
import { test } from "node:test";

import { movedRow } from "../../explorer/views/what_if/component/data";

const sum = (row: number[]) => row.reduce((all, each) => all + each, 0);

test("a weight that is moved has the value, and the row still sums to 1", () => {
  for (const value of [0, 0.2, 0.75, 1]) {
    const moved = movedRow([0.1, 0.3, 0.6], 1, value);
    assert.ok(Math.abs(moved[1] - value) < 1e-12);
    assert.ok(Math.abs(sum(moved) - 1) < 1e-12);
  }
});

test("the other weights keep their ratios", () => {
  const [first, , last] = movedRow([0.1, 0.3, 0.6], 1, 0.5);
  assert.ok(Math.abs(last / first - 6) < 1e-9);
});

test("where all others were 0 they share what is left", () => {
  assert.deepEqual(movedRow([1, 0, 0], 0, 0.5), [0.5, 0.25, 0.25]);
});

test("values beyond a weight are cut, and a row of one key is 1", () => {
  assert.deepEqual(movedRow([0.5, 0.5], 0, 7), [1, 0]);
  assert.deepEqual(movedRow([0.5, 0.5], 0, -1), [0, 1]);
  assert.deepEqual(movedRow([0.4], 0, 0.2), [1]);
});

test("what was trained stays as it is when it is set to itself", () => {
  const row = [0.12, 0.5, 0.38];
  movedRow(row, 1, 0.5).forEach((each, place) => assert.ok(Math.abs(each - row[place]) < 1e-12));
});
