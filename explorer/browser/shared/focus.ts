// What has the focus, in the trees of components too.

/** The element with the focus in the tree that a node stands in: the page, or a component's own. */
export function focusBeside(node: Node): Element | null {
  return (node.getRootNode() as Document | ShadowRoot).activeElement;
}

/** The element with the focus, inside of components too. */
export function focused(): HTMLElement | null {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node as HTMLElement | null;
}

/** Hides a control or shows it again; one that has the focus hands it on, or the keys of its view would go with it. */
export function setHidden(node: HTMLElement, hidden: boolean, heir: HTMLElement): void {
  const isHeld = hidden && focusBeside(node) === node;
  node.hidden = hidden;
  if (isHeld) heir.focus({ preventScroll: true });
}
