// Tokens as they are shown: nothing in them is invisible, and nothing endless.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clip, safe, tail, visible, visibleText } from "../../explorer/browser/shared/text";
import tokens from "./tokens.json";

test("a token is marked as Python marks it", () => {
  for (const [token, shown] of tokens) assert.equal(visible(token), shown);
});

test("blanks of a token are marks, those of a text blanks", () => {
  assert.equal(visible("a b\tc"), "a␣b␣c");
  assert.equal(visibleText("a b"), "a b");
  assert.equal(safe("a b"), "a b");
});

test("what could turn its neighbours round is written out, and what shapes letters stays", () => {
  for (const form of [visible, visibleText, safe]) assert.equal(form("\u202eab\u200d"), "\\u{202e}ab\u200d");
});

test("letters are counted as a reader counts them, and never halved", () => {
  assert.equal(clip("🙂🙂🙂", 3), "🙂🙂🙂");
  assert.equal(clip("🙂🙂🙂🙂", 3), "🙂🙂…");
  assert.equal(tail("🙂🙂🙂🙂", 3), "…🙂🙂");
});
