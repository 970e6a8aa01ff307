// Made from numbers.ts by "make browser".
// explorer/browser/kept/names.ts
var NAME_BYTES = 16;
function nameAt(bytes, start) {
  return [...bytes.subarray(start, start + NAME_BYTES)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// explorer/browser/kept/slots.ts
function slotOf(name) {
  const slots = globalThis.explorerSlots ??= /* @__PURE__ */ new Map();
  if (!slots.has(name)) slots.set(name, makeSlot());
  return slots.get(name);
}
function makeSlot() {
  let done = () => void 0;
  const slot = {
    taken: new Promise((resolve) => {
      done = resolve;
    }),
    give(value) {
      slot.value = value;
      done(value);
    }
  };
  return slot;
}
function dropSlot(name) {
  globalThis.explorerSlots?.delete(name);
}

// explorer/browser/kept/numbers.ts
var MOST_KEPT = 40;
var kept = [];
function numbers_default({ data }) {
  const name = nameAt(data, 0);
  slotOf(name).give(data.slice(NAME_BYTES));
  kept.push(name);
  while (kept.length > MOST_KEPT) {
    const oldest = kept.shift();
    if (!kept.includes(oldest)) dropSlot(oldest);
  }
}
export default numbers_default;
