// Made from take.ts by "make browser".
// explorer/browser/shared/message.ts
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
function bodyStart(length) {
  return 4 + Math.ceil(length / 4) * 4;
}
function bodyBytes({ arrays, codes = [] }) {
  const sizes = (layout) => layout.reduce((sum, [, shape]) => sum + sizeOf(shape), 0);
  return 4 * sizes(arrays) + sizes(codes);
}
function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

// explorer/browser/shared/mount.ts
var calls = /* @__PURE__ */ new WeakMap();
function endedByLastCall(root, show, end) {
  const before = calls.get(root), call = { show };
  calls.set(root, call);
  show();
  return () => {
    if (calls.get(root) !== call) return;
    if (!root.isConnected) {
      calls.delete(root);
      end();
    } else if (before) {
      calls.set(root, before);
      before.show();
    }
  };
}

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

// explorer/browser/kept/take.ts
var { view, sheet } = await slotOf("NAME").taken;
var LEAVING_MS = 600;
if (globalThis.explorerLeft === void 0) {
  globalThis.explorerLeft = -Infinity;
  document.addEventListener(
    "click",
    (event) => {
      if (event.target instanceof Element && event.target.closest("a[href]"))
        globalThis.explorerLeft = performance.now();
    },
    true
  );
}
var latest = /* @__PURE__ */ new WeakMap();
var ends = /* @__PURE__ */ new WeakMap();
var held = /* @__PURE__ */ new WeakMap();
function missingNumbers(message) {
  if (message.length < 4) return null;
  const length = new DataView(message.buffer, message.byteOffset).getUint32(0, true), body = bodyStart(length);
  if (message.length !== body + NAME_BYTES) return null;
  const layouts = readJson(message.subarray(4, 4 + length));
  return bodyBytes(layouts) === NAME_BYTES ? null : nameAt(message, body);
}
function joined(message, numbers) {
  const whole = new Uint8Array(message.length - NAME_BYTES + numbers.length);
  whole.set(message.subarray(0, message.length - NAME_BYTES));
  whole.set(numbers, message.length - NAME_BYTES);
  return whole;
}
function patient(component) {
  const mounted = {
    ...component,
    setStateValue(name, value) {
      const wait = (globalThis.explorerLeft ?? -Infinity) + LEAVING_MS - performance.now();
      if (name !== "view" || wait <= 0) return component.setStateValue(name, value);
      setTimeout(() => {
        const isThere = component.parentElement.isConnected && latest.get(component.parentElement) === mounted;
        if (isThere) component.setStateValue(name, value);
      }, wait);
    }
  };
  return mounted;
}
function take_default(component) {
  const { data } = component, root = component.parentElement, mounted = patient(component);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  const draw = (whole) => ends.set(root, view({ ...mounted, data: whole }));
  const name = missingNumbers(data);
  const drawWith = (numbers) => {
    held.set(root, { name, numbers });
    draw(joined(data, numbers));
  };
  const show = () => {
    latest.set(root, mounted);
    const last = held.get(root), known = name && (last?.name === name ? last.numbers : slotOf(name).value);
    if (!name) draw(data);
    else if (known) drawWith(known);
    else
      void slotOf(name).taken.then((numbers) => {
        if (latest.get(root) === mounted) drawWith(numbers);
      });
  };
  return endedByLastCall(root, show, () => {
    latest.delete(root);
    ends.get(root)?.();
    ends.delete(root);
  });
}
export default take_default;
