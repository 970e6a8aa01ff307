// The arms of an experiment on one time.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Moment } from "../../explorer/browser/theatre/data";
import { DASHES, SIGNS } from "../../explorer/views/experiments/component/shapes";
import { momentAt, timesOf } from "../../explorer/views/experiments/component/times";

const at = (...updates: number[]): Moment[] =>
  updates.map((each) => ({ updates: each, kept: true, words: [], probabilities: [], heads: [] }));
const arm = (moments: Moment[], awaited = true) => ({ moments, awaited });

void test("one time reaches the newest moment of the slower arm", () => {
  assert.deepEqual(timesOf([arm(at(0, 5, 10, 15)), arm(at(0, 5, 10))]), [0, 5, 10]);
  assert.deepEqual(timesOf([arm(at(0, 10)), arm(at(0, 5, 10))]), [0, 5, 10]);
});

void test("an arm that waits in the queue, has failed or was stopped keeps no other one waiting; one that begins does", () => {
  assert.deepEqual(timesOf([arm(at(0, 5, 10)), arm([], false)]), [0, 5, 10]);
  assert.deepEqual(timesOf([arm(at(0, 5, 10)), arm(at(0), false)]), [0, 5, 10]);
  assert.deepEqual(timesOf([arm(at(0, 5), false), arm(at(0, 5, 10), false)]), [0, 5, 10]);
  assert.deepEqual(timesOf([arm(at(0, 5, 10)), arm([])]), []);
});

void test("an arm shows its newest moment up to a time", () => {
  assert.equal(momentAt(at(0, 5, 10), 9)?.updates, 5);
  assert.equal(momentAt(at(5), 4), null);
});

void test("arms differ in dash and sign", () => {
  for (const looks of [DASHES, SIGNS]) assert.equal(new Set(Object.values(looks)).size, 4);
});
