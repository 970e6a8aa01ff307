// The browser's history: which new address takes the place of the one before.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isSameStop } from "../../explorer/browser/page_watch/address";

const at = (address: string) => new URL(address, "http://localhost");

test("a number that leads on from an explained one takes its place in the history", () => {
  assert.ok(isSameStop(at("/output?step=4&explain=a-0"), at("/output?step=4&explain=a-0;b-1")));
  assert.ok(isSameStop(at("/output?explain=a-0;b-1&step=4"), at("/output?step=4&explain=a-0")));
  assert.ok(
    isSameStop(at("/output?step=4&explain=a-0"), at("/output?step=4")),
    "and so does what is left when it closes",
  );
});

test("the first explained number, another step and another page have an entry of their own", () => {
  assert.ok(!isSameStop(at("/output?step=4"), at("/output?step=4&explain=a-0")));
  assert.ok(!isSameStop(at("/output?step=4&explain=a-0"), at("/output?step=5&explain=a-0;b-1")));
  assert.ok(!isSameStop(at("/output?explain=a-0"), at("/masks?explain=a-0")));
  assert.ok(!isSameStop(at("/output?step=4"), at("/output?step=5")));
});
