// How far a page is scrolled for what a stop speaks of.

import assert from "node:assert/strict";
import { test } from "node:test";

import { scrollFor } from "../../explorer/browser/lesson/follow";

const ROOM: [number, number] = [73, 888];
const part = (top: number, height: number) => [{ top, bottom: top + height }];

test("a whole part of which most is seen leaves the page at its beginning, with its title", () => {
  assert.equal(scrollFor(part(100, 830), ROOM, true, false), 0);
  assert.equal(scrollFor(part(100, 2000), ROOM, true, false), 0);
});

test("a whole part that begins below is brought up", () => {
  assert.equal(scrollFor(part(700, 2000), ROOM, true, false), 700 - 73);
  assert.ok(scrollFor(part(700, 400), ROOM, true, false) > 0);
});

test("a row is brought into view entirely", () => {
  assert.equal(scrollFor(part(800, 88), ROOM, false, false), 0);
  assert.ok(scrollFor(part(800, 89), ROOM, false, false) > 0);
});

test("what does not fit at once is seen from its end, and no row of that is cut", () => {
  const low: [number, number] = [60, 440],
    rows = [...part(200, 40), ...part(500, 40), ...part(700, 40)];
  const away = scrollFor(rows, low, false, false);
  assert.ok(500 - away >= low[0] && 740 - away <= low[1]);
});

test("what somebody asks for comes into the middle", () => {
  assert.equal(scrollFor(part(400, 40), ROOM, false, true), 420 - (73 + 888) / 2);
});
