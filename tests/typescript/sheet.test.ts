// A matrix on a sheet of its own: what keeps one of its cells in sight, and the gap between them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { gapOf, scrolledTo } from "../../explorer/browser/shared/sheet";

test("a box is scrolled no further than it takes to show a cell, with some room behind it", () => {
  assert.equal(scrolledTo(40, 20, 30, 100), 30, "in sight");
  assert.equal(scrolledTo(10, 20, 30, 100), 10, "before what is in sight");
  assert.equal(scrolledTo(120, 20, 30, 100), 48, "behind it");
});

test("small cells touch one another", () => {
  assert.deepEqual([gapOf({ width: 48, height: 10 }), gapOf({ width: 48, height: 9 })], [1, 0]);
});
