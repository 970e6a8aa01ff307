// Places where one component of the page leaves something for another, whichever of the two is there first.

/** The place of this name: `give` fills it, `taken` is a promise of what was given, `value` that itself once it is. */
function slotOf(name) {
  const slots = (globalThis.explorerSlots ??= new Map());
  if (!slots.has(name)) {
    const slot = {};
    slot.taken = new Promise((done) => { slot.give = (value) => { slot.value = value; done(value); }; });
    slots.set(name, slot);
  }
  return slots.get(name);
}
