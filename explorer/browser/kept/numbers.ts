// Leaves a view's numbers, which come by themselves, where the view's message finds them by their name.

import type { Component } from "../shared/mount";
import { NAME_BYTES, nameAt } from "./names";
import { dropSlot, slotOf } from "./slots";

const MOST_KEPT = 40;
const kept: string[] = [];

export default function ({ data }: Component): void {
  const name = nameAt(data, 0);
  slotOf<Uint8Array>(name).give(data.slice(NAME_BYTES));
  kept.push(name);
  // Far more than a page shows at once; the views themselves hold what they have been given.
  while (kept.length > MOST_KEPT) {
    const oldest = kept.shift()!;
    if (!kept.includes(oldest)) dropSlot(oldest);
  }
}
