// Pictures that say nothing to those who do not see them or have buttons lie over them, and parts that move although the
// visitor asked for rest.
// Shadow roots are looked into as well. Evaluates to a function.
() => {
  const found = [];
  const parentOf = (node) => node.parentElement ?? node.getRootNode().host ?? null;
  const NAMED = "[aria-label]:not([aria-label='']), [aria-labelledby], [title]:not([title=''])";
  const described = (element) =>
    `<${element.tagName.toLowerCase()} ${element.getAttribute("class") ?? ""}> in ${element.getRootNode().host?.parentElement?.className ?? parentOf(element)?.className}`;

  function* everything(root) {
    for (const element of root.querySelectorAll("*")) {
      yield element;
      if (element.shadowRoot) yield* everything(element.shadowRoot);
    }
  }
  function holder(element, test) {
    for (let node = element; node; node = parentOf(node)) if (test(node)) return node;
    return null;
  }
  const isHidden = (element) =>
    holder(element, (node) => node.getAttribute("aria-hidden") === "true") !== null;
  const isNamed = (element) =>
    element.matches(NAMED) ||
    [...element.children].some((child) => child.tagName === "title" && child.textContent);

  function checkPicture(element) {
    const view = element.getRootNode();
    if (view === document)
      return checkChart(element.closest("[data-testid=stPlotlyChart], [data-testid=stVegaLiteChart]"));
    if (isHidden(element)) return;
    // A picture that consists of controls is a group of these, each with its own name.
    const isGroup = element.querySelector("[tabindex], [role=button]") !== null;
    if (!/img|group|slider/.test(element.getAttribute("role") ?? "") && !isGroup)
      found.push(`a picture without a role: ${described(element)}`);
    if (!isNamed(element) && !isGroup) found.push(`a picture without a name: ${described(element)}`);
    // What opens the picture in full opens its table as well.
    const hasNumbers =
      holder(element, (node) => node.matches("button")) ||
      view.querySelector("table") ||
      [...view.querySelectorAll("button")].some((button) => /table/i.test(button.textContent));
    if (element.tagName === "CANVAS" && !hasNumbers)
      found.push(`a picture without a table: ${described(element)}`);
  }
  function checkChart(chart) {
    if (chart && !chart.matches(NAMED)) found.push(`a chart without a name: ${described(chart)}`);
    if (chart?.querySelector(".modebar-btn")) found.push(`a chart with buttons over it: ${described(chart)}`);
  }
  function checkRest(element) {
    for (const part of [null, "::before", "::after"]) {
      const style = getComputedStyle(element, part);
      const seconds = (times) => Math.max(...times.split(",").map(parseFloat));
      if (seconds(style.transitionDuration) > 0)
        found.push(`a transition: ${described(element)} ${part ?? ""}`);
      if (style.animationName !== "none" && seconds(style.animationDuration) > 0.001)
        found.push(`an animation: ${described(element)} ${part ?? ""}`);
    }
  }

  const atRest = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const element of everything(document.body)) {
    if (/^(canvas|svg)$/i.test(element.tagName) && element.checkVisibility()) checkPicture(element);
    if (atRest && !(element instanceof SVGElement && element.tagName !== "svg")) checkRest(element);
  }
  return [...new Set(found)];
};
