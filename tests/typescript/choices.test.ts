// Reports and the messages that name them: numbers that only grow, and what Python knew when it wrote a message.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeChoices } from "../../explorer/browser/shared/choices";
import { reportAfter } from "../../explorer/browser/shared/report";

const same = (one: number, other: number) => one === other;
const FIRST = { fresh: true, possible: true, pending: false };

test("a report's number grows, also after a page that was loaded in the future", () => {
  assert.equal(reportAfter(2 ** 52), 2 ** 52 + 1);
  const now = reportAfter(0);
  assert.ok(now > 1.7e12 && reportAfter(now) > now);
});

test("two choices of the same moment have two numbers", () => {
  const choices = makeChoices(same), first = choices.tell(1), second = choices.tell(2);
  assert.ok(second > first);
  assert.equal(choices.report, second);
});

test("what a report does not say of the choice leaves it as it is known", () => {
  const choices = makeChoices(same);
  choices.hear(1, 0, FIRST);
  const report = choices.tell();
  assert.equal(choices.knownAt(report), 1);
  assert.ok(choices.isKnown(1));
});

test("what Python knew is forgotten once it has named a later report", () => {
  const choices = makeChoices(same);
  choices.hear(1, 0, FIRST);
  const first = choices.tell(2), second = choices.tell(3);
  assert.equal(choices.knownAt(first), 2);
  choices.hear(3, second, { ...FIRST, fresh: false });
  assert.equal(choices.knownAt(first), 3, "the message's own choice is what is left");
});
