// Tokens as they are shown: nothing in them is invisible, and nothing endless.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  clip,
  inOneLine,
  safe,
  tail,
  toldApart,
  twinPlace,
  visible,
  visibleText,
} from "../../explorer/browser/shared/text";
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

test("a token whose text stands twice has its place, as in Python", () => {
  const tokens = Array.from("abca");
  assert.deepEqual(
    tokens.map((_, place) => twinPlace(tokens, place)),
    [" at position 0", "", "", " at position 3"],
  );
  assert.equal(twinPlace([" ", "\u00a0"], 1), " at position 1", "both are shown as one mark");
  assert.deepEqual(toldApart(tokens), ["0 a", "b", "c", "3 a"]);
});

test("letters stand in one line without spaces, words with them", () => {
  assert.equal(inOneLine(["a", "b"], "letter"), "ab");
  assert.equal(inOneLine(["a", "b"], "word"), "a b");
});
