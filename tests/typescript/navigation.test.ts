// The links to pages: where they lead, and which clicks are for the page that is open.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hrefOf, isPlain } from "../../explorer/browser/navigation/address";

test("a link leads from every page to its own, with what was chosen", () => {
  const from = (path: string, address: string, query: string) =>
    new URL(hrefOf(address, query), `http://localhost${path}`).href;
  assert.equal(
    from("/output?step=4", "masks", "step=5&sentence=a+b"),
    "http://localhost/masks?step=5&sentence=a+b",
  );
  assert.equal(from("/output?step=4", "", "step=5"), "http://localhost/?step=5");
  assert.equal(from("/?step=4", "masks", ""), "http://localhost/masks");
  assert.equal(from("/output?step=4", "", ""), "http://localhost/");
  assert.equal(
    from("/under/a/path/output", "masks", ""),
    "http://localhost/under/a/path/masks",
    "also where the server has a base path",
  );
});

test("a click for another tab or window is the browser's own", () => {
  const click = (more: Partial<MouseEvent>) =>
    ({ button: 0, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...more }) as MouseEvent;
  assert.ok(isPlain(click({})));
  for (const key of ["altKey", "ctrlKey", "metaKey", "shiftKey"])
    assert.ok(!isPlain(click({ [key]: true })), key);
  assert.ok(!isPlain(click({ button: 1 })));
});
