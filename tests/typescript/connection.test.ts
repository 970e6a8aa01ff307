// What a page must have to be whole after its connection was cut.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isWhole } from "../../explorer/browser/page_watch/connection";

const at = (address: string) => new URL(address, "http://here.test");
const page = (...parts: string[]) => (selector: string) => selector.split(", ").some((each) => parts.includes(each));
const SOUND = ["h1", ".st-key-pages a", ".st-key-bar", ".st-key-bar .st-key-sentence_bar"];

test("a page is whole with its title, its links, and what is in its bar", () => {
  assert.ok(isWhole(page(...SOUND), at("/masks")));
  for (const missing of SOUND.filter((each) => each !== ".st-key-bar"))
    assert.ok(!isWhole(page(...SOUND.filter((each) => each !== missing)), at("/masks")), missing);
});

test("who follows a lesson is not left without its column", () => {
  assert.ok(!isWhole(page(...SOUND), at("/masks?lesson=heads&stop=2")));
  assert.ok(isWhole(page(...SOUND, ".st-key-lesson a"), at("/masks?lesson=heads&stop=2")));
  assert.ok(isWhole(page(...SOUND), at("/lessons?lesson=heads&stop=2")), "the list of lessons has no column");
});

test("before an audience there is the stop and nothing else", () => {
  assert.ok(isWhole(page(".st-key-lesson .present-strip", ".st-key-lesson a"), at("/masks?lesson=heads&demo=1")));
});
