// Streamlit's calls of a component and the ends that they return, in the orders in which they come.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hosted } from "../../explorer/browser/screen/screen";
import { mounted } from "../../explorer/browser/shared/mount";
import type { Component } from "../../explorer/browser/shared/mount";

/** A component on pages whose root is what they are asked for; the log says what happens to its views. */
function component(hasPlace = true) {
  const log: string[] = [];
  let made = 0;
  const view = mounted(".root", () => {
    const name = ++made;
    return hasPlace
      ? { update: ({ data }) => log.push(`${name} gets ${data[0]}`), dispose: () => log.push(`${name} ends`) }
      : null;
  });
  const draw = hosted(view, "part");
  const page = () => {
    const root = {};
    return { isConnected: true, querySelector: () => root };
  };
  const call = (parentElement: unknown, message: number) =>
    draw({ parentElement, data: Uint8Array.of(message) } as unknown as Component);
  return { log, page, call };
}

test("one view gets all messages of its page, and another page has its own", () => {
  const { log, page, call } = component(),
    one = page(),
    other = page();
  call(one, 1);
  call(one, 2);
  call(other, 3);
  assert.deepEqual(log, ["1 gets 1", "1 gets 2", "2 gets 3"]);
});

test("the end of a call that was overtaken ends nothing, and that of the last one the view, once it has left the page", () => {
  const { log, page, call } = component(),
    here = page();
  const first = call(here, 1),
    second = call(here, 2);
  first?.();
  assert.deepEqual(log, ["1 gets 1", "1 gets 2"]);
  here.isConnected = false;
  second?.();
  assert.equal(log.at(-1), "1 ends");
  call(here, 3);
  assert.equal(log.at(-1), "2 gets 3", "what has ended begins anew");
});

test("a call that was given up, and is made after the one that took its place, ends nothing and leaves nothing", () => {
  const { log, page, call } = component(),
    here = page();
  const newer = call(here, 2),
    late = call(here, 1);
  late?.();
  assert.deepEqual(log, ["1 gets 2", "1 gets 1", "1 gets 2"]);
  here.isConnected = false;
  newer?.();
  assert.equal(log.at(-1), "1 ends");
});

test("a page without a place for the view is left alone", () => {
  const { log, page, call } = component(false);
  call(page(), 1)?.();
  assert.deepEqual(log, []);
});
