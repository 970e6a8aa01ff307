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

test("two views that report in the same millisecond have two numbers", () => {
  const [one, other] = [reportAfter(0), reportAfter(0)];
  assert.ok(other > one);
});

test("two choices of the same moment have two numbers", () => {
  const choices = makeChoices(same),
    first = choices.tell(1),
    second = choices.tell(2);
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
  const first = choices.tell(2),
    second = choices.tell(3);
  assert.equal(choices.knownAt(first), 2);
  choices.hear(3, second, { ...FIRST, fresh: false });
  assert.equal(choices.knownAt(first), 3, "the message's own choice is what is left");
});

// What happens one after the other: a choice is told, or a message is heard that names the report told as the so-manyth, 0 for none.
type Told = { tell: number };
type Message = { choice: number; named?: number; fresh?: boolean; pending?: boolean; possible?: boolean };
const told = (choice: number): Told => ({ tell: choice }),
  fresh = { fresh: true },
  pending = { fresh: true, pending: true };
const begun: Message = { choice: 1, fresh: true };
const STORIES: [name: string, story: (Told | Message)[], verdicts: string[]][] = [
  ["the first message of all", [begun], ["follow"]],
  ["the same once more", [begun, { choice: 1 }], ["follow", ""]],
  ["Python's own choice", [begun, { choice: 2 }], ["follow", "follow"]],
  ["its own report comes back", [begun, told(2), { choice: 2, named: 1 }], ["follow", ""]],
  ["written before the report was heard", [begun, told(2), { choice: 1 }], ["follow", ""]],
  ["Back, after the report", [begun, told(2), { choice: 1, named: 1 }], ["follow", "follow"]],
  ["other numbers", [begun, { choice: 1, ...fresh }], ["follow", "follow"]],
  ["chosen, but not told yet", [begun, { choice: 1, ...pending }], ["follow", "keep"]],
  ["told, but not heard yet", [begun, told(2), { choice: 1, ...fresh }], ["follow", "keep"]],
  ["one heard", [begun, told(2), told(3), { choice: 2, named: 1, ...fresh }], ["follow", "keep"]],
  ["all heard", [begun, told(2), { choice: 2, named: 1, ...fresh }], ["follow", "follow"]],
  ["a link to other numbers", [begun, { choice: 5, ...pending }], ["follow", "follow"]],
  ["no longer possible", [begun, { choice: 1, ...pending, possible: false }], ["follow", "follow"]],
  ["kept since", [begun, told(2), { choice: 1, ...fresh }, { choice: 1 }], ["follow", "keep", ""]],
];
for (const [name, story, verdicts] of STORIES) {
  test(`the newer choice counts: ${name}`, () => {
    const choices = makeChoices(same),
      reports = [0],
      found: string[] = [];
    for (const each of story) {
      if ("tell" in each) reports.push(choices.tell(each.tell));
      else
        found.push(
          choices.hear(each.choice, reports[each.named ?? 0], {
            fresh: false,
            pending: false,
            possible: true,
            ...each,
          }),
        );
    }
    assert.deepEqual(found, verdicts);
  });
}
