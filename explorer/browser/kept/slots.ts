// Places where one component of the page leaves something for another, whichever of the two is there first.

/** `give` fills it, `taken` is a promise of what was given, `value` that itself once it is. */
export interface Slot<Value> {
  give(value: Value): void;
  taken: Promise<Value>;
  value?: Value;
}

declare global {
  var explorerSlots: Map<string, Slot<unknown>> | undefined;
}

/** The place of this name. */
export function slotOf<Value>(name: string): Slot<Value> {
  const slots = (globalThis.explorerSlots ??= new Map<string, Slot<unknown>>());
  if (!slots.has(name)) slots.set(name, makeSlot());
  return slots.get(name) as Slot<Value>;
}

function makeSlot(): Slot<unknown> {
  let done: (value: unknown) => void = () => undefined;
  const slot: Slot<unknown> = {
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

/** Leaves no place of this name. */
export function dropSlot(name: string): void {
  globalThis.explorerSlots?.delete(name);
}
