// What a visitor without a mouse would miss: every stop of the Tab key must look different while it has the focus.
// The last thing that was pressed must have been a key, else the browser shows no ring. Shadow roots are
// looked into as well. Evaluates to a function of the selector that is left out.
async (leftOut) => {
  const SHOWN = [
    "outlineStyle",
    "outlineWidth",
    "boxShadow",
    "borderTopColor",
    "borderBottomColor",
    "backgroundColor",
    "display",
    "stroke",
  ];
  const parentOf = (node) => node.parentElement ?? node.getRootNode().host ?? null;

  function* stops(root) {
    for (const element of root.children) {
      const isVisible = element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
      if (
        isVisible &&
        element.tabIndex >= 0 &&
        !element.disabled &&
        !element.closest("[inert]") &&
        !element.matches(leftOut)
      )
        yield element;
      if (element.shadowRoot) yield* stops(element.shadowRoot);
      yield* stops(element);
    }
  }
  /** How the element and what is around it look: a ring may be drawn by a field's frame, or by a part that lies over it. */
  function look(element) {
    const holders = [
      element,
      ...(element.parentNode?.children ?? []),
      ...element.querySelectorAll("*"),
    ].slice(0, 80);
    for (let holder = parentOf(element), i = 0; holder && i < 3; holder = parentOf(holder), i++)
      holders.push(holder);
    return holders
      .flatMap((each) =>
        ["", "::before", "::after"].map((part) => {
          const style = getComputedStyle(each, part || null);
          return SHOWN.map((name) => style[name]).join();
        }),
      )
      .join(";");
  }
  const deepest = () => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node;
  };
  const nameOf = (element) =>
    `<${element.tagName.toLowerCase()} ${element.getAttribute("class") ?? ""}> “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}”`;

  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  async function isSeen(element, wait) {
    deepest()?.blur?.();
    if (wait) await drawn();
    const before = look(element);
    element.focus({ preventScroll: true });
    if (wait) await drawn();
    return deepest() !== element || look(element) !== before;
  }
  const unseen = [];
  for (const element of [...stops(document.body)]) {
    // Some rings are drawn by a script, a frame later; most are not, and need not be waited for.
    if (!(await isSeen(element, false)) && !(await isSeen(element, true))) unseen.push(nameOf(element));
  }
  return unseen;
};
