// Made from focus.ts by "make browser".
function focusBeside(node) {
  return node.getRootNode().activeElement;
}
function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}
function setHidden(node, hidden, heir) {
  const isHeld = hidden && focusBeside(node) === node;
  node.hidden = hidden;
  if (isHeld) heir.focus({ preventScroll: true });
}
