// The pictures of the model's parts: which of their columns are named.

import assert from "node:assert/strict";
import { test } from "node:test";
import { namedEvery } from "../../explorer/browser/stop/draw";

void test("all columns are named where their names have room, of wide names as many as can be squeezed", () => {
  assert.equal(
    namedEvery(
      Array.from({ length: 17 }, () => 8),
      18,
    ),
    1,
  );
  assert.equal(namedEvery([8, 8, 14], 18), 1);
  assert.equal(namedEvery([8, 8, 16], 18), 2);
  assert.equal(namedEvery([80, 8], 30), 1);
  assert.equal(namedEvery([80, 8], 13), 2);
  assert.equal(namedEvery([], 18), 1);
});
