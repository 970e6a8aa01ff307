// All the script that travels with a view's messages: it waits for the view's own, and for its numbers, which come once.

import { bodyBytes, bodyStart, readJson } from "../shared/message";
import type { Layouts } from "../shared/message";
import { endedByLastCall } from "../shared/mount";
import type { Component } from "../shared/mount";
import { NAME_BYTES, nameAt } from "./names";
import { slotOf } from "./slots";

declare global {
  var explorerLeft: number | undefined;
}

/** A view's script as it lies beside the view: its default export, and its style. */
export interface KeptScript {
  view: (component: Component) => (() => void) | undefined;
  sheet: CSSStyleSheet;
}

const { view, sheet } = await slotOf<KeptScript>("NAME").taken;
const LEAVING_MS = 600;
// Of a report and a link that meet on their way to the server, the report's address, the old one, would count.
if (globalThis.explorerLeft === undefined) {
  globalThis.explorerLeft = -Infinity;
  document.addEventListener(
    "click",
    (event) => {
      // Of a view's own links, which are reports, the document sees only the view.
      if (event.target instanceof Element && event.target.closest("a[href]"))
        globalThis.explorerLeft = performance.now();
    },
    true,
  );
}
const latest = new WeakMap<Component["parentElement"], Component>(); // its last message: an earlier one may still wait for its numbers
const ends = new WeakMap<Component["parentElement"], (() => void) | undefined>(); // what ends its view
// Its last numbers with their name: a change of theme comes without any.
const held = new WeakMap<Component["parentElement"], { name: string; numbers: Uint8Array }>();

/** The name of the numbers that a message goes without; null where it has them. */
function missingNumbers(message: Uint8Array): string | null {
  if (message.length < 4) return null;
  const length = new DataView(message.buffer, message.byteOffset).getUint32(0, true),
    body = bodyStart(length);
  if (message.length !== body + NAME_BYTES) return null;
  const layouts = readJson<Layouts>(message.subarray(4, 4 + length));
  return bodyBytes(layouts) === NAME_BYTES ? null : nameAt(message, body);
}

function joined(message: Uint8Array, numbers: Uint8Array): Uint8Array {
  const whole = new Uint8Array(message.length - NAME_BYTES + numbers.length);
  whole.set(message.subarray(0, message.length - NAME_BYTES));
  whole.set(numbers, message.length - NAME_BYTES);
  return whole;
}

/** A component that tells what is looked at later where a link is on its way, and not at all once that has led elsewhere. */
function patient(component: Component): Component {
  const mounted: Component = {
    ...component,
    setStateValue(name, value) {
      const wait = (globalThis.explorerLeft ?? -Infinity) + LEAVING_MS - performance.now();
      if (name !== "view" || wait <= 0) return component.setStateValue(name, value);
      setTimeout(() => {
        const isThere =
          component.parentElement.isConnected && latest.get(component.parentElement) === mounted;
        if (isThere) component.setStateValue(name, value);
      }, wait);
    },
  };
  return mounted;
}

export default function (component: Component): () => void {
  const { data } = component,
    root = component.parentElement as ShadowRoot,
    mounted = patient(component);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  const draw = (whole: Uint8Array) => ends.set(root, view({ ...mounted, data: whole }));
  const name = missingNumbers(data);
  const drawWith = (numbers: Uint8Array) => {
    held.set(root, { name: name!, numbers });
    draw(joined(data, numbers));
  };
  const show = () => {
    latest.set(root, mounted);
    const last = held.get(root),
      known = name && (last?.name === name ? last.numbers : slotOf<Uint8Array>(name).value);
    if (!name) draw(data);
    else if (known) drawWith(known);
    else
      void slotOf<Uint8Array>(name).taken.then((numbers) => {
        if (latest.get(root) === mounted) drawWith(numbers);
      });
  };
  return endedByLastCall(root, show, () => {
    latest.delete(root);
    ends.get(root)?.();
    ends.delete(root);
  });
}
