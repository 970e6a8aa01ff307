// Feeds a view whole messages: it waits for the numbers that come by themselves.

import { bodyBytes, bodyStart, readJson } from "../shared/message";
import type { Layouts } from "../shared/message";
import type { Component, Draw } from "../shared/mount";
import { NAME_BYTES, nameAt, numbersOf } from "./numbers";

const LEAVING_MS = 600;
// Of a report and a link that meet on their way to the server, the report's address, the old one, would count.
let left = -Infinity;
document.addEventListener(
  "click",
  (event) => {
    // A view's own links are reports; the document sees only the view that they are in.
    if (event.target instanceof Element && event.target.closest("a[href]")) left = performance.now();
  },
  true,
);
const latest = new WeakMap<Component["parentElement"], Component>(); // its last message: an earlier one may still wait for its numbers
const ends = new WeakMap<Component["parentElement"], ReturnType<Draw>>(); // functions that end the views
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
      const wait = left + LEAVING_MS - performance.now();
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

/** Makes of a view the component that Streamlit mounts. */
export function kept(view: Draw): Draw {
  return (component) => {
    const { data } = component,
      root = component.parentElement,
      mounted = patient(component);
    const draw = (whole: Uint8Array) => ends.set(root, view({ ...mounted, data: whole }));
    const name = missingNumbers(data);
    const drawWith = (numbers: Uint8Array) => {
      held.set(root, { name: name!, numbers });
      draw(joined(data, numbers));
    };
    latest.set(root, mounted);
    const last = held.get(root),
      known = name && (last?.name === name ? last.numbers : numbersOf(name).value);
    if (!name) draw(data);
    else if (known) drawWith(known);
    else
      void numbersOf(name).taken.then((numbers) => {
        if (latest.get(root) === mounted) drawWith(numbers);
      });
    return () => {
      latest.delete(root);
      ends.get(root)?.();
      ends.delete(root);
    };
  };
}
