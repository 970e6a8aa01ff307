import assert from "node:assert/strict";
import { test } from "node:test";

import { Moments, onTold } from "../../explorer/browser/shared/bus";

test("of two views the newer one tells where the decoding is", () => {
  Object.assign(globalThis, { window: new EventTarget() });
  const heard: (number | null)[] = [],
    [older, newer] = [new Moments(), new Moments()],
    at = (step: number) => ({ step, isPlaying: false, speed: 1 });
  onTold("moment", (moment) => heard.push(moment && moment.step), new AbortController().signal);
  older.tell(at(0));
  newer.tell(at(3));
  older.tell(at(1));
  older.end();
  newer.tell(at(4));
  newer.end();
  assert.deepEqual(heard, [0, null, 3, 4, null]);
});
