// A training as one watches it: what is said of an output, which moment is nearest, how moments are played and read.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Codes, Numbers } from "../../explorer/browser/shared/message";
import { nearest, spread, ticks, valueAt } from "../../explorer/browser/theatre/curve";
import { alignment, fits, mean, readMoments, readPicked } from "../../explorer/browser/theatre/data";
import type { Moment, Probe, ProbesHeader, Written } from "../../explorer/browser/theatre/data";
import {
  isAnagram,
  isRight,
  lettersOf,
  oddity,
  spokenOutput,
  standing,
} from "../../explorer/browser/theatre/marks";
import { MOMENT_MS, Playback } from "../../explorer/browser/theatre/playback";
import { within } from "../../explorer/browser/theatre/stage";
import { arrange, scaleOf } from "../../explorer/browser/theatre/tensor";
import type { Clock } from "../../explorer/browser/theatre/playback";

const TAP: Probe = {
  text: "tap",
  source: ["t", "a", "p", "</s>"],
  right: ["p", "a", "t", "</s>"],
  n_right: 3,
  gold: [[2], [1], [0]],
  is_reference: true,
};
const wrote = (text: string, stopped = true, n = text.length): Written => ({ tokens: [...text], n, stopped });
const marks = (written: Written) =>
  lettersOf(TAP, written)
    .map(({ mark }) => mark)
    .join(" ");

void test("each letter of an output is right, wrong, missing or too many, in its place", () => {
  assert.equal(marks(wrote("pat")), "right right right");
  assert.equal(marks(wrote("pot")), "right wrong right");
  assert.equal(marks(wrote("p")), "right missing missing");
  assert.equal(marks(wrote("patsy")), "right right right extra extra");
  assert.equal(marks(wrote("pppppppp", false, 50)), "right wrong wrong extra extra more");
  assert.deepEqual(
    lettersOf(TAP, wrote("pot")).map(({ right }) => right),
    ["", "a", ""],
  );
});

void test("a word is right only with its length and its end", () => {
  assert.ok(isRight(TAP, wrote("pat")));
  assert.ok(!isRight(TAP, wrote("pat", false)));
  assert.ok(!isRight(TAP, wrote("pats")));
  assert.ok(!isRight(TAP, wrote("pa")));
});

void test("what is said of an output", () => {
  assert.equal(standing(TAP, wrote("pat")), "right");
  assert.equal(standing(TAP, wrote("potsy")), "2 of 3 in place, 2 too many");
  assert.equal(standing(TAP, wrote("pppp", false, 50)), "1 of 3 in place");
  assert.equal(oddity(TAP, wrote("ppp", false, 50)), "does not stop");
  assert.equal(oddity(TAP, wrote("")), "writes nothing");
  assert.ok(isAnagram(TAP, wrote("tap")));
  assert.ok(!isAnagram(TAP, wrote("pat")));
  assert.equal(spokenOutput(TAP, wrote("pot"), "letter"), "tap: writes pot, should be pat, 2 of 3 in place");
});

void test("the nearest moment, the value there, and round numbers on the axis", () => {
  assert.equal(nearest([0, 10, 50], 28), 1);
  assert.equal(nearest([], 5), -1);
  assert.equal(
    valueAt(
      [
        [1, 4],
        [5, 2],
      ],
      4,
    ),
    4,
  );
  assert.equal(valueAt([[1, 4]], 0), null);
  assert.deepEqual(ticks(325), [0, 100, 200, 300]);
  assert.deepEqual(ticks(4.5), [0, 1, 2, 3, 4]);
  assert.deepEqual(ticks(0), [0]);
});

void test("texts at the playhead do not lie on each other, and stay in the picture", () => {
  assert.deepEqual(spread([50, 52], 10, 100), [50, 66]);
  assert.deepEqual(spread([98, 99], 10, 100), [84, 100]);
  assert.deepEqual(spread([], 10, 100), []);
});

/** A clock that runs when it is told to. */
class Hand implements Clock {
  private acts: { ms: number; act: () => void }[] = [];
  after(ms: number, act: () => void): () => void {
    const entry = { ms, act };
    this.acts.push(entry);
    return () => {
      this.acts = this.acts.filter((each) => each !== entry);
    };
  }
  get waits(): number[] {
    return this.acts.map(({ ms }) => ms);
  }
  run(): boolean {
    const next = this.acts.shift();
    next?.act();
    return !!next;
  }
}

void test("it plays from moment to moment, stops on the last one, and begins again from there", () => {
  const clock = new Hand(),
    shown: number[] = [],
    play = new Playback(() => shown.push(play.at), clock);
  play.grow(3);
  play.speed = 2;
  play.play();
  assert.deepEqual(clock.waits, [MOMENT_MS / 2]);
  while (clock.run());
  assert.deepEqual(shown, [0, 1, 2]);
  assert.equal(play.isPlaying, false);
  play.play();
  assert.equal(play.at, 0);
  play.go(99);
  assert.deepEqual([play.at, play.isPlaying, clock.waits.length], [2, false, 0]);
});

void test("playing waits at its end for moments that are still to come", () => {
  const clock = new Hand(),
    play = new Playback(() => undefined, clock);
  play.grow(2, 4);
  play.play();
  while (clock.run());
  assert.deepEqual([play.at, play.isPlaying], [1, true]);
  play.grow(2, 4);
  assert.deepEqual([play.at, play.isPlaying], [1, true]);
  play.grow(4, 4);
  while (clock.run());
  assert.deepEqual([play.at, play.isPlaying], [3, false]);
});

void test("the newest moment of a training is shown at once, several one by one, and none while one looks back", () => {
  const clock = new Hand(),
    play = new Playback(() => undefined, clock);
  play.follows = true;
  play.grow(1);
  play.grow(2);
  assert.equal(play.at, 1);
  play.grow(4);
  assert.equal(play.at, 2);
  clock.run();
  assert.equal(play.at, 3);
  play.follows = false;
  play.go(1);
  play.grow(9);
  assert.deepEqual([play.at, play.isPlaying], [1, false]);
});

void test("a message gives each probe its own weights and probabilities, for each moment", () => {
  const header: ProbesHeader = {
    unit: "letter",
    n_layers: 1,
    n_heads: 2,
    probes: [
      { ...TAP, source: ["t", "a"], right: ["p"] },
      { ...TAP, source: ["t"], right: ["p", "a"] },
    ],
  };
  const weights = [0, 65_535, 13_107, 0, 1, 2, 3, 4, 65_535, 0, 0, 0, 9, 9, 9, 9],
    p = [0.5, 0.25, 0.125, 1, 0, 0.75];
  const bytes = new Uint8Array(new Uint16Array(weights).buffer);
  const [first, second] = readMoments(
    header,
    {
      layer: 0,
      moments: [0, 5].map((updates) => ({ updates, kept: true, words: [wrote("p"), wrote("pa")] })),
    },
    { "run.p": Object.assign(new Float32Array(p), { shape: [2, 3] }) as Numbers },
    { "run.w": Object.assign(bytes, { shape: [2, 16] }) as Codes },
    "run",
  );
  assert.deepEqual([...first.heads[0][0].values], [0, 1]);
  assert.deepEqual(
    [...first.heads[0][1].values].map((each) => each.toFixed(2)),
    ["0.20", "0.00"],
  );
  assert.deepEqual(
    first.heads[1].map(({ rows, columns }) => [rows, columns]),
    [
      [2, 1],
      [2, 1],
    ],
  );
  assert.deepEqual([...first.probabilities[1]], [0.25, 0.125]);
  assert.deepEqual([...second.heads[0][0].values], [1, 0]);
  assert.equal(second.updates, 5);
});

/** A header of so many probes, heads and tokens, and a moment of a run with it. */
function headerOf(nProbes: number, nHeads: number, nTokens: number): ProbesHeader {
  const tokens = Array.from({ length: nTokens }, (_, i) => String(i));
  const probe: Probe = { ...TAP, source: tokens, right: [...tokens, "</s>"], n_right: nTokens };
  return {
    unit: "letter",
    n_layers: 1,
    n_heads: nHeads,
    probes: Array.from({ length: nProbes }, () => probe),
  };
}
function momentOf({ probes, n_heads }: ProbesHeader): Moment {
  const heads = probes.map(({ source, right }) =>
    Array.from({ length: n_heads }, () => ({
      rows: right.length,
      columns: source.length,
      values: new Float32Array(right.length * source.length),
    })),
  );
  const probabilities = probes.map(({ right }) => new Float32Array(right.length));
  return { updates: 0, kept: true, words: probes.map(() => wrote("a")), probabilities, heads };
}

void test("a moment fits its own header alone, whatever two runs differ in", () => {
  const headers = [
    headerOf(1, 4, 3),
    headerOf(3, 4, 3),
    headerOf(4, 4, 3),
    headerOf(4, 2, 3),
    headerOf(4, 4, 9),
    headerOf(0, 4, 3),
  ];
  headers.forEach((header, i) => {
    headers.forEach((other, j) => {
      assert.equal(fits(header, momentOf(other)), i === j, `header ${i}, moment of header ${j}`);
    });
  });
});

void test("a choice of another run is moved to the last probe or head there is", () => {
  const choice = { word: 3, head: 3, gold: true };
  assert.deepEqual(within(choice, headerOf(4, 4, 3)), choice);
  assert.deepEqual(within(choice, headerOf(1, 2, 3)), { word: 0, head: 1, gold: true });
  assert.deepEqual(within({ ...choice, head: -1 }, headerOf(0, 1, 3)), { word: 0, head: -1, gold: true });
});

void test("the mean over the heads, and how many rows look where the gold alignment is", () => {
  const one = {
      rows: 4,
      columns: 4,
      values: Float32Array.from([0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]),
    },
    none = { ...one, values: new Float32Array(16) };
  assert.deepEqual([...mean([one, none]).values].slice(0, 4), [0, 0, 0.5, 0]);
  assert.deepEqual(alignment(TAP, one), { on: 2, of: 3, maximum: 1 });
  assert.deepEqual(alignment({ ...TAP, gold: null }, one), { on: 0, of: 0, maximum: 1 });
});

void test("a tensor has its numbers between its lowest and its highest of each moment", () => {
  const bytes = new Uint8Array(new Uint16Array([0, 65_535, 0, 13_107]).buffer);
  const found = readPicked(
    { name: "x", whole: [1, 2], planes: [1, 1, 2], updates: [5, 10] },
    { "t.limits": Object.assign(new Float32Array([-1, 1, 2, 7]), { shape: [2, 2] }) as Numbers },
    { "t.numbers": Object.assign(bytes, { shape: [2, 4] }) as Codes },
    "t",
  );
  assert.deepEqual([...found.get(5)!.planes[0].values], [-1, 1]);
  assert.deepEqual([...found.get(10)!.planes[0].values], [2, 3]);
});

void test("one scale serves all moments: around 0 where something is below it, else from 0", () => {
  const at = (lowest: number, highest: number) => ({ name: "x", whole: [1], planes: [], lowest, highest });
  assert.deepEqual(
    [scaleOf([at(-1, 1), at(-3, 2)])].map(({ kind, limit }) => [kind, limit]),
    [["signed", 3]],
  );
  assert.deepEqual(
    [scaleOf([at(0, 1), at(0.5, 4)])].map(({ kind, limit }) => [kind, limit]),
    [["size", 4]],
  );
});

void test("planes stand beside each other so that their cells are as large as the room lets them", () => {
  assert.deepEqual(arrange(4, 9, 16, { width: 640, height: 440 }), { across: 2, cell: 19 });
  assert.deepEqual(arrange(1, 64, 64, { width: 640, height: 440 }), { across: 1, cell: 6 });
  assert.deepEqual(arrange(1, 1, 64, { width: 640, height: 440 }), { across: 1, cell: 10 });
});
