// Small ways to write to the page.

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}
/** An element with nothing but text, and perhaps a class. */
function words(tag, text, name) { return el(tag, name ? { class: name, text } : { text }); }
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
const calls = new WeakMap();   // root -> its newest call
/** What the call of a view returns: while the script loads, Streamlit ends an earlier call only after the next one. */
function endedByLastCall(root, end) {
  const call = {};
  calls.set(root, call);
  return () => { if (calls.get(root) === call) end(); };
}
/** Hides a control or shows it again; one that has the focus hands it on, or the keys of its view would go with it. */
function setHidden(node, hidden, heir) {
  const held = hidden && node.getRootNode().activeElement === node;
  node.hidden = hidden;
  if (held) heir.focus({ preventScroll: true });
}
/** How far the boxes of a view are scrolled; gives the way to have them so again in what is built in their place. */
function keepScroll(root, kinds = ".numbers") {
  const boxes = () => [...root.querySelectorAll(kinds)].map((box) => [box, `${box.className} ${box.closest("section").ariaLabel}`]);
  const before = new Map(boxes().map(([box, name]) => [name, [box.scrollLeft, box.scrollTop]]));
  return () => {
    for (const [box, name] of boxes()) if (before.get(name)?.some(Boolean)) box.scrollTo(...before.get(name));
  };
}
// Writing the same text again would still cost the browser a layout.
function setText(node, text) {
  if (node.shown !== text) node.textContent = node.shown = text;
}
