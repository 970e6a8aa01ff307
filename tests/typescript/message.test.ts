// The message from Python: what is read are the numbers that were written, wherever the message lies in memory.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readPayload } from "../../explorer/browser/shared/message";
import fixture from "./message.json";

interface Header {
  key: string;
  words: string[];
}

for (const start of [0, 1, 3]) {
  test(`numbers and header are those that Python packed, from byte ${start} of a buffer on`, () => {
    const memory = new Uint8Array(start + fixture.bytes.length + 5).fill(7);
    memory.set(fixture.bytes, start);
    const { header, arrays } = readPayload<Header>(memory.subarray(start, start + fixture.bytes.length));
    assert.equal(header.key, fixture.key);
    assert.deepEqual(header.words, fixture.words);
    for (const [name, { shape, values }] of Object.entries(fixture.arrays)) {
      assert.deepEqual(arrays[name].shape, shape);
      assert.deepEqual([...arrays[name]], values);
    }
  });
}
