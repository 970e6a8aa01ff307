// All the script that travels with a view's messages: it waits for the view's own, and for its numbers, which come once.

const { view, sheet } = await slotOf("NAME").taken;
const LEAVING_MS = 600;
// Of a report and a link that meet on their way to the server, the report's address, the old one, would count.
if (globalThis.explorerLeft === undefined) {
  globalThis.explorerLeft = -Infinity;
  document.addEventListener("click", (event) => {
    // Of a view's own links, which are reports, the document sees only the view.
    if (event.target.closest?.("a[href]")) globalThis.explorerLeft = performance.now();
  }, true);
}
const latest = new WeakMap();   // root -> its last message: an earlier one may still wait for its numbers
const ends = new WeakMap();   // root -> what ends its view
const held = new WeakMap();   // root -> its last numbers with their name: a change of theme comes without any

/** The name of the numbers that a message goes without; nothing where it has them. */
function missingNumbers(message) {
  if (message.length < 4) return null;
  const length = new DataView(message.buffer, message.byteOffset).getUint32(0, true), body = 4 + Math.ceil(length / 4) * 4;
  if (message.length !== body + NAME_BYTES) return null;
  const { arrays } = JSON.parse(new TextDecoder().decode(message.subarray(4, 4 + length)));
  const count = arrays.reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0);
  return 4 * count === NAME_BYTES ? null : nameAt(message, body);
}
function joined(message, numbers) {
  const whole = new Uint8Array(message.length - NAME_BYTES + numbers.length);
  whole.set(message.subarray(0, message.length - NAME_BYTES));
  whole.set(numbers, message.length - NAME_BYTES);
  return whole;
}

export default function (component) {
  const { parentElement: root, data } = component;
  /** What is looked at is told later where a link is on its way, and not at all once the link has led elsewhere. */
  function setStateValue(name, value) {
    const wait = globalThis.explorerLeft + LEAVING_MS - performance.now();
    if (name !== "view" || wait <= 0) return component.setStateValue(name, value);
    setTimeout(() => { if (root.isConnected && latest.get(root) === mounted) component.setStateValue(name, value); }, wait);
  }
  const mounted = { ...component, setStateValue };
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  latest.set(root, mounted);
  const draw = (whole) => ends.set(root, view({ ...mounted, data: whole }));
  const name = missingNumbers(data);
  const drawWith = (numbers) => {
    held.set(root, { name, numbers });
    draw(joined(data, numbers));
  };
  const known = name && (held.get(root)?.name === name ? held.get(root).numbers : slotOf(name).value);
  if (!name) draw(data);
  else if (known) drawWith(known);
  else slotOf(name).taken.then((numbers) => { if (latest.get(root) === mounted) drawWith(numbers); });
  return () => {
    // While the script loads, Streamlit ends an earlier call only after it has made the next one: the view stays.
    if (latest.get(root) !== mounted) return;
    latest.delete(root);
    ends.get(root)?.();
    ends.delete(root);
  };
}
