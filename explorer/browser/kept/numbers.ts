// Numbers that travel by themselves, in a component of their own: a view's message finds them by their name.

import type { Component } from "../shared/mount";

export const NAME_BYTES = 16;
const MOST_KEPT = 40;

/** `taken` is a promise of the numbers, `value` the numbers themselves once they are there. */
interface Slot {
  give(value: Uint8Array): void;
  taken: Promise<Uint8Array>;
  value?: Uint8Array;
}
const slots = new Map<string, Slot>();
const kept: string[] = [];

/** The name of numbers that stands in a message, as text. */
export function nameAt(bytes: Uint8Array, start: number): string {
  return [...bytes.subarray(start, start + NAME_BYTES)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** The place of the numbers of this name, whether they are there already or not. */
export function numbersOf(name: string): Slot {
  const found = slots.get(name) ?? makeSlot();
  slots.set(name, found);
  return found;
}

function makeSlot(): Slot {
  let done: (value: Uint8Array) => void = () => undefined;
  const slot: Slot = {
    taken: new Promise((resolve) => {
      done = resolve;
    }),
    give(value) {
      slot.value = value;
      done(value);
    },
  };
  return slot;
}

/** The names of all numbers that are here. */
export function keptNames(): string[] {
  return [...new Set(kept)];
}

/** Take numbers, which follow their name. */
export function take(data: Uint8Array): void {
  const name = nameAt(data, 0);
  numbersOf(name).give(data.slice(NAME_BYTES));
  kept.push(name);
  // Far more than a page shows at once; the views themselves hold what they have been given.
  while (kept.length > MOST_KEPT) {
    const oldest = kept.shift()!;
    if (!kept.includes(oldest)) slots.delete(oldest);
  }
}

export default function ({ data }: Component): void {
  take(data);
}
