// The pictures of the model's parts: which of their columns are named.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Look } from "../../explorer/browser/shared/look";
import { fitted, NARROWEST, Pen } from "../../explorer/browser/shared/pen";
import { namedEvery, runsOf } from "../../explorer/browser/stop/draw";

void test("all columns are named where their names have room, of wide names as many as can be cut to", () => {
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

void test("a token is one run of text, and a letter of a formula stands lower", () => {
  for (const token of ["x_1", "a_b", "_u_", "user_id", "W_Q"])
    assert.deepEqual(runsOf(token, false), [{ text: token, isLow: false }]);
  assert.deepEqual(runsOf("W_Q", true), [
    { text: "W", isLow: false },
    { text: "Q", isLow: true },
  ]);
});

void test("a text is squeezed to 70 % of its width at most, and then cut", () => {
  const measure = (text: string) => 7 * Array.from(text).length;
  for (const text of ["donaudampfschifffahrtsgesellschaft", "a", "chat", "🙂🙂🙂🙂🙂🙂🙂🙂"])
    for (const most of [1, 6, 20, 48, 54, 200]) {
      const fit = fitted(text, most, measure);
      assert.ok(fit.share >= NARROWEST && fit.share <= 1, `${text} in ${most}`);
      assert.ok(fit.text === text || fit.text.endsWith("…"));
      if (fit.text !== "…") assert.ok(measure(fit.text) * fit.share <= most + 1e-9);
    }
  assert.deepEqual(fitted("donaudampfschiff", 42, measure), { text: "donauda…", share: 0.75 });
  assert.deepEqual(fitted("chat", undefined, measure), { text: "chat", share: 1 });
});

test("a pen cuts a long text and does not squeeze it", () => {
  const drawn: [string, number][] = [],
    widthOf = (text: string) => 7 * Array.from(text).length;
  const context = {
    measureText: (text: string) => ({ width: widthOf(text) }),
    fillText: (text: string, _x: number, _y: number, most = Infinity) => drawn.push([text, most]),
  };
  const pen = new Pen(context as unknown as CanvasRenderingContext2D, {} as Look);
  pen.text("donaudampfschifffahrtsgesellschaft", 0, 0, "", { most: 48 });
  const [[text, most]] = drawn;
  assert.ok(text.startsWith("don") && text.endsWith("…"));
  assert.ok(most >= NARROWEST * widthOf(text));
});
