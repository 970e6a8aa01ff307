// Answers of the route, and addresses.

import assert from "node:assert/strict";
import { test } from "node:test";

import { keptNames, nameAt, numbersOf } from "../../explorer/browser/kept/numbers";
import { fetchAnswer, readAnswer } from "../../explorer/browser/screen/answer";
import { naming } from "../../explorer/browser/screen/naming";
import { baseOf, sameAddress } from "../../explorer/browser/screen/place";
import { readPayload } from "../../explorer/browser/shared/message";

function packed(header: object, ...messages: string[]): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(header)),
    bodies = messages.map((each) => new TextEncoder().encode(each));
  const whole = new Uint8Array(4 + text.length + bodies.reduce((sum, each) => sum + each.length, 0));
  new DataView(whole.buffer).setUint32(0, text.length, true);
  whole.set(text, 4);
  bodies.reduce((start, each) => (whole.set(each, start), start + each.length), 4 + text.length);
  return whole.buffer;
}

const ANSWER = packed(
  {
    address: "step=3",
    opens: "",
    is_whole: false,
    parts: [
      ["map", 3],
      ["bar", 5],
    ],
  },
  "abc",
  "defgh",
);
const QUESTION = {
  address: "",
  part: "",
  event: "",
  report: {},
  links: {},
  last: { views: 0, box: 0 },
};

test("an answer has its address, and each message whole and where numbers may begin", () => {
  const { address, isWhole, messages } = readAnswer(ANSWER);
  assert.deepEqual([address, isWhole], ["step=3", false]);
  assert.deepEqual(
    [...messages].map(([path, bytes]) => [path, new TextDecoder().decode(bytes), bytes.byteOffset]),
    [
      ["map", "abc", 0],
      ["bar", "defgh", 0],
    ],
  );
});

test("addresses are the same whatever their order and their way to write a space", () => {
  assert(sameAddress("a=1&b=x+y", "b=x%20y&a=1"));
  assert(sameAddress("", ""));
  assert(!sameAddress("a=1", "a=2"));
});

test("pages stand beside the route", () => {
  assert.equal(baseOf("/query"), "/");
  assert.equal(baseOf("/lab/query"), "/lab/");
});

/** What is asked of a server that answers so, one status after the other; 0 is a connection that is cut. */
async function asked(statuses: number[], isLeft: () => boolean = () => false, signal?: AbortSignal) {
  const before = { fetch: globalThis.fetch, setTimeout: globalThis.setTimeout };
  let tries = 0,
    fails = 0;
  Object.assign(globalThis, {
    location: { pathname: "/" },
    setTimeout: (done: () => void) => before.setTimeout(done, 0),
    fetch: () => {
      const status = statuses[Math.min(tries++, statuses.length - 1)];
      return status
        ? Promise.resolve(new Response(status === 200 ? ANSWER : "", { status }))
        : Promise.reject(new Error("cut"));
    },
  });
  try {
    const answer = await fetchAnswer("/query", QUESTION, { fails: () => fails++, isLeft, signal });
    return { answer: answer?.address, tries, fails };
  } finally {
    Object.assign(globalThis, before);
  }
}

test("a cut, a start and a full server are tried again until there is an answer", async () => {
  assert.deepEqual(await asked([0, 503, 429, 200]), { answer: "step=3", tries: 4, fails: 3 });
});

test("what will not be answered is asked once", async () => {
  for (const status of [400, 403, 413, 500])
    assert.deepEqual(await asked([status]), { answer: undefined, tries: 1, fails: 0 });
});

test("who has left the page asks no more", async () => {
  let looks = 0;
  assert.deepEqual(await asked([0], () => ++looks > 2), { answer: undefined, tries: 2, fails: 2 });
});

test("a request that is stopped is asked no more", async () => {
  const stop = new AbortController(),
    isLeft = () => (stop.abort(), false);
  assert.deepEqual(await asked([0], isLeft, stop.signal), { answer: undefined, tries: 1, fails: 0 });
});

test("numbers that come with an answer are there for its messages, and named in the next request", async () => {
  const numbers = "0123456789abcdef" + "12345678",
    answer = packed(
      {
        address: "",
        parts: [
          ["", 24],
          ["map", 20],
        ],
      },
      numbers,
      "head0123456789abcdef",
    ),
    { messages } = readAnswer(answer),
    name = nameAt(messages.get("map")!, 4);
  assert.deepEqual([...messages.keys()], ["map"]);
  assert.equal(new TextDecoder().decode(await numbersOf(name).taken), "12345678");
  assert(keptNames().includes(name));
});

test("a message of Streamlit's names the reports that have led to its address", () => {
  const last = { views: 7, box: 3 },
    json = (text: string) => new TextEncoder().encode(text),
    said = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert.equal(said(naming(json('{"report":0,"submitted":0}'), last)), '{"report":7,"submitted":3}');
  for (const text of ['{"report":9}', '{"step":1}', '[["","report"]]'])
    assert.equal(said(naming(json(text), last)), text);
  const whole = naming(new Uint8Array(packed({ report: 0, arrays: [["abcd", [1]]] }, "1234")), last),
    { header, arrays } = readPayload<{ report: number }>(whole);
  assert.equal(header.report, 7);
  assert.equal(arrays.abcd.length, 1);
  assert.equal(said(whole.subarray(-4)), "1234");
});
