// Leaves a view's numbers, which come by themselves, where the view's message finds them by their name.

const MOST_KEPT = 40;
const kept = [];

export default function ({ data }) {
  const name = nameAt(data, 0);
  slotOf(name).give(data.slice(NAME_BYTES));
  kept.push(name);
  // Far more than a page shows at once; the views themselves hold what they have been given.
  while (kept.length > MOST_KEPT) {
    const oldest = kept.shift();
    if (!kept.includes(oldest)) globalThis.explorerSlots.delete(oldest);
  }
}
