// The links to pages: where they lead, and which clicks are for the page that is open.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hrefOf, isPlain } from "../../explorer/browser/navigation/address";
import { readable, whyNone } from "../../explorer/browser/navigation/share";

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

test("an address has a code if another computer can open it and a camera can read it", () => {
  const why = (address: string) => whyNone(new URL(address));
  assert.equal(why("http://192.168.0.7:8501/output?step=4"), "");
  assert.equal(why("https://explorer.example/school/?model=copy"), "");
  assert.equal(why("http://127.example/"), "");
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"])
    assert.match(why(`http://${host}:8501/output`), /make serve/, host);
  assert.match(why(`http://192.168.0.7/?sentence=${"a".repeat(1200)}`), /too many choices/);
});

test("an address is shown with its letters, and as it is where it has none", () => {
  assert.equal(readable("http://a.example/?sentence=%E7%8C%AB+ja"), "http://a.example/?sentence=猫+ja");
  assert.equal(readable("http://a.example/?sentence=%ff%"), "http://a.example/?sentence=%ff%");
});
