// Made from shelve.ts by "make browser".
"use strict";
(() => {
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

  // explorer/browser/kept/shelve.ts
  var sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  slotOf("NAME").give({ view, sheet });
})();
