// The bar of the sentence: what it makes of a text, and which chip is what.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { BarData } from "../../explorer/browser/sentence_bar/data";
import { chipsAt } from "../../explorer/browser/sentence_bar/output";
import { cleaned, judge, marked, mended, readerOf, seen } from "../../explorer/browser/sentence_bar/reading";
import { Steps } from "../../explorer/browser/sentence_bar/steps";
import { visible } from "../../explorer/browser/shared/text";

const WORDS = ["cat", "cats", "do", "horse", "house", "l'", "not", "sleep", "sleeps", "small", "the"];
const DATA: BarData = {
  key: "",
  label: "",
  placeholder: "",
  value: "",
  value_id: "",
  mode: "word",
  exact_spaces: false,
  reads_unknown: false,
  unit: "word",
  max_tokens: 6,
  max_characters: 60,
  message: "",
  reference: "",
  examples: [],
  output: null,
  changed: null,
  submitted: 0,
  report: 0,
  words: WORDS,
  replacements: { "don't": "do not" },
  merges: [],
};

function read(
  text: string,
  changes: Partial<BarData> = {},
  typing: { isFocused?: boolean; isInsisted?: boolean; answer?: string } = {},
) {
  const { isFocused = true, isInsisted = false, answer = "" } = typing;
  return judge(
    { text, caret: text.length, isFocused, isInsisted, answer },
    readerOf({ ...DATA, ...changes }),
  );
}

test("a word that is begun is completed in the order of the alphabet, and a whole one no more", () => {
  assert.deepEqual(read("the ho").matches, ["horse", "house"]);
  assert.deepEqual(read("the house").matches, []);
  assert.deepEqual(read("ho", { mode: "character" }).matches, []);
});

test("the field removes what cleaning removes from sources, and keeps joiners", () => {
  assert.equal(cleaned("東京\u200b駅 soft\u00adly a\u200eb\ufeff"), "東京駅 softly ab");
  assert.equal(cleaned("می\u200cخواهم 👩\u200d🔬"), "می\u200cخواهم 👩\u200d🔬");
});

test("half a word is no error until somebody leaves it or asks to run it", () => {
  assert.equal(read("the ho").kind, "wait");
  assert.equal(read("the ho", {}, { isFocused: false }).kind, "error");
  assert.equal(read("the ho", {}, { isInsisted: true }).kind, "error");
});

test("a character without a piece is read as <unk>, which is said, and can be replaced", () => {
  const pieces = { mode: "bpe", unit: "piece", words: ["▁", "a", "b", "o"], reads_unknown: true } as const;
  const reading = read("aßb", { ...pieces, words: [...pieces.words] });
  assert.equal(reading.kind, "message");
  assert.equal(reading.sentence, 'The model has no piece for "ß" and reads <unk> instead.');
  assert.equal(reading.unknown?.text, "ß");
  const several = read("öxb", { ...pieces, words: [...pieces.words] });
  assert.equal(
    several.sentence,
    'The model has no piece for "ö" and 1 more and reads <unk> instead. Nearest to "ö":',
  );
  assert.equal(read("aßb", { mode: "character", words: ["a", "b"] }).kind, "error");
});

test("an unknown word of own pairs is read as <unk>, which is said, and can be replaced", () => {
  const reading = read("the hause sleeps", { reads_unknown: true });
  assert.equal(reading.kind, "message");
  assert.equal(
    reading.sentence,
    'The model does not know "hause" and reads <unk> instead. Its nearest word:',
  );
  assert.deepEqual(reading.near, ["house"]);
});

test("an unknown word is named with those near it, and marked in the text", () => {
  const reading = read("the hause sleeps");
  assert.equal(reading.sentence, 'The model does not know "hause". Its nearest word:');
  assert.deepEqual(reading.near, ["house"]);
  assert.deepEqual(
    marked(reading)
      .filter(({ isUnknown }) => isUnknown)
      .map(({ text }) => text),
    ["hause"],
  );
  assert.equal(
    marked(reading)
      .map(({ text }) => text)
      .join(""),
    "the hause sleeps",
  );
});

test("a replacement stands for the word that was written, and is marked once where it is unknown", () => {
  assert.deepEqual(
    read("the cats don't sleep").tokens.map(({ text }) => text),
    ["the", "cats", "do", "not", "sleep"],
  );
  assert.equal(
    marked(read("don't", { words: ["cat"] }, { isFocused: false })).filter(({ isUnknown }) => isUnknown)
      .length,
    1,
  );
});

test("too many words, too many letters, none at all and an answer of Python have each their sentence", () => {
  assert.equal(read("the ".repeat(7)).sentence, "6 words at most; this has 7.");
  assert.equal(read("the cats sleep", { max_characters: 5 }).sentence, "5 characters at most; this has 14.");
  assert.equal(read(" ").sentence, "Write a sentence first.");
  assert.deepEqual(
    [read("the cat", {}, { answer: "No." }).kind, read("the cat", {}, { answer: "No." }).sentence],
    ["message", "No."],
  );
  assert.equal(read("the cat").sentence, "The model knows all 2 words.");
});

const OUTPUT = {
  tokens: ["le", "chien", "</s>"],
  probs: [0.902, 0.00004, 1],
  forced: [false, true, false],
  greedy: ["le", "chat", "dort", "</s>"],
  step: 1,
  judged: null,
};

test("what is written, is being written and comes later is told apart at each step", () => {
  const kinds = (step: number) => chipsAt(OUTPUT, step).map(({ kind }) => kind);
  assert.deepEqual(kinds(1), ["written", "now", "later"]);
  assert.deepEqual(kinds(-1), ["later", "later", "later"]);
  assert.deepEqual(kinds(9), ["written", "written", "written"]);
});

test("a chip says its step and probability, and beside a forced one stands what the model writes by itself", () => {
  const [first, second, last] = chipsAt(OUTPUT, 1);
  assert.deepEqual([first.title, first.greedy, first.isForced], ["step 0, P 0.902", "", false]);
  assert.deepEqual(
    [second.title, second.greedy, second.isForced],
    ["step 1, P <0.0001, forced; by itself chat", "chat", true],
  );
  assert.equal(last.greedy, "dort");
});

test("a token that the right answer has not in its place is told by its chip", () => {
  const judged = {
    verdict: "wrong",
    label: "not right",
    should: ["le", "chat", "</s>"],
    missing: [false, true, false],
    wrong: [false, true, false],
  } as const;
  const chips = chipsAt(
    {
      ...OUTPUT,
      judged: {
        ...judged,
        should: [...judged.should],
        missing: [...judged.missing],
        wrong: [...judged.wrong],
      },
    },
    1,
  );
  assert.deepEqual(
    chips.map(({ isWrong }) => isWrong),
    [false, true, false],
  );
  assert.match(chips[1].title, /not as it should be/);
  assert.ok(chipsAt(OUTPUT, 1).every(({ isWrong }) => !isWrong));
});

function stepping(context: {
  mock: { timers: { enable(options: { apis: "setTimeout"[] }): void; tick(ms: number): void } };
}) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { window: globalThis });
  const reports: number[] = [],
    led: number[] = [];
  const steps = new Steps({
    show: () => undefined,
    report: (step) => reports.push(step),
    lead: (step) => led.push(step),
  });
  steps.hear(OUTPUT, 0, true);
  return { steps, reports, led, tick: (ms: number) => context.mock.timers.tick(ms) };
}

test("the bar's own step stays within the output, and is reported once where it rests", (context) => {
  const { steps, reports, tick } = stepping(context);
  steps.obey({ do: "go", step: 7 });
  steps.obey({ do: "go", step: -1 });
  assert.equal(steps.now.step, 0);
  tick(400);
  assert.deepEqual(reports, [0]);
  steps.obey({ do: "go", step: 0 });
  tick(400);
  assert.deepEqual(reports, [0], "Python knows it");
});

test("play walks on as fast as was chosen, from the end it begins anew, and what it comes to is reported", (context) => {
  const { steps, reports, tick } = stepping(context);
  steps.obey({ do: "speed", speed: 2 });
  steps.obey({ do: "toggle" });
  tick(599);
  assert.deepEqual(steps.now, { step: 1, isPlaying: true, speed: 2 });
  tick(1);
  assert.deepEqual(steps.now, { step: 2, isPlaying: false, speed: 2 });
  tick(400);
  assert.deepEqual(reports, [2]);
  steps.obey({ do: "toggle" });
  assert.equal(steps.now.step, 0);
});

test("a view that comes while somebody has gone on already is led to where they are", (context) => {
  const { steps, led } = stepping(context);
  steps.obey({ do: "go", step: 0 });
  steps.follow({ step: 1, isPlaying: false, speed: 1 });
  assert.deepEqual(led, [0]);
  steps.follow({ step: 0, isPlaying: false, speed: 1 });
  steps.follow({ step: 2, isPlaying: false, speed: 1 });
  assert.deepEqual(led, [0], "it leads from then on");
});

test("a view that comes where nobody has moved leads at once", (context) => {
  const { steps, led, tick } = stepping(context);
  steps.obey({ do: "go", step: 0 });
  tick(400);
  steps.follow({ step: 1, isPlaying: false, speed: 1 });
  assert.deepEqual([led, steps.now.step], [[], 1]);
});

test("a view is led to the step that the view before it did not report", (context) => {
  const { steps, led } = stepping(context);
  steps.follow({ step: 1, isPlaying: false, speed: 1 });
  steps.follow({ step: 2, isPlaying: false, speed: 1 });
  steps.follow(null);
  steps.follow({ step: 1, isPlaying: false, speed: 1 });
  assert.deepEqual(led, [2]);
});

test("a view begins at its own step after one whose step is known", (context) => {
  const { steps, led } = stepping(context);
  steps.follow({ step: OUTPUT.step, isPlaying: false, speed: 1 });
  steps.follow(null);
  steps.follow({ step: 2, isPlaying: false, speed: 1 });
  assert.deepEqual([led, steps.now.step], [[], 2]);
});

test("a view that plays is followed, and where it leaves the bar goes on", (context) => {
  const { steps, reports, tick } = stepping(context);
  steps.follow({ step: -1, isPlaying: true, speed: 0.5 });
  assert.deepEqual([steps.isFollowing, steps.now.step], [true, -1]);
  steps.follow({ step: 2, isPlaying: true, speed: 0.5 });
  steps.follow(null);
  assert.deepEqual(steps.now, { step: 2, isPlaying: false, speed: 0.5 });
  tick(1000);
  assert.deepEqual(reports, [2], "the view had not told it");
  steps.follow({ step: 0, isPlaying: false, speed: 1 });
  steps.hear({ ...OUTPUT, step: 0 }, Number.MAX_SAFE_INTEGER, false);
  steps.follow(null);
  tick(1000);
  assert.deepEqual(reports, [2], "the view had told it");
});

test("a step that Python says is followed, but no older one than what was told", (context) => {
  const { steps, tick } = stepping(context);
  steps.obey({ do: "go", step: 2 });
  tick(400);
  steps.hear(OUTPUT, 0, false);
  assert.equal(steps.now.step, 2, "the message was written before");
  steps.hear({ ...OUTPUT, step: 0 }, Number.MAX_SAFE_INTEGER, false);
  assert.equal(steps.now.step, 0);
});

const CASED = { mode: "cased_word" as const, words: ["The", "cat", "किताब", "l'", ".", "▁!", '"', '·"'] };

test("words keep their case, marks and spacing", () => {
  assert.deepEqual(
    read('The किताब, "cat" l\'cat.', { ...CASED, max_tokens: 20 }).tokens.map(({ text }) => text),
    ["The", "किताब", ",", '"', "cat", '·"', "l'", "cat", "."],
  );
  assert.deepEqual(read("The कि", CASED).matches, ["किताब"]);
  assert.deepEqual(read("l'ca", CASED).matches, ["cat"]);
});

test("a mark with other spaces than the known one is mended by its spaces", () => {
  const mend = (text: string) => {
    const reading = read(text, CASED);
    return mended(text, reading.unknown!, reading.near![0], readerOf({ ...DATA, ...CASED })).text;
  };
  assert.equal(mend("The cat ."), "The cat.");
  assert.equal(mend("The cat! The"), "The cat ! The");
  assert.equal(mend("the cat"), "The cat");
});

test("a text whose spaces are exact is run as it is written", () => {
  const tokens = (mode: "cased_word" | "character" | "bpe") =>
    read(" a  b\tc", { mode, exact_spaces: true, max_tokens: 20 }).tokens.map(({ text }) => text);
  assert.deepEqual(tokens("cased_word"), [" ", "a", " ", " ", "b", "\t", "c"]);
  assert.deepEqual(tokens("character"), [" ", "a", " ", " ", "b", "\t", "c"]);
  assert.deepEqual(tokens("bpe"), ["▁", "a", "▁", "▁", "b", "\t", "c"]);
});

test("a token in the words of the bar has the mark that it has elsewhere", () => {
  for (const token of ["\u200d", "\ufe0f", "\u0301", "\u3164", "cat"])
    assert.equal(seen(token), visible(token));
});
