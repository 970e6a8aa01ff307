// What a visitor would call badly laid out: text that is cut off and texts that lie on each other, in words.
// Shadow roots are looked into as well. Evaluates to a function of the selector that is left out.
(leftOut) => {
  const SLACK = 2;
  const found = [];
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };

  /** Every text node that is drawn, with the elements around it from inside to outside. */
  function* texts(root) {
    for (const child of root.childNodes) {
      if (child.nodeType === Node.TEXT_NODE && child.data.trim() && root.nodeType === Node.ELEMENT_NODE)
        yield child;
      if (
        child.nodeType !== Node.ELEMENT_NODE ||
        /^(style|script|noscript|title|option)$/i.test(child.tagName)
      )
        continue;
      if (styleOf(child).display === "none" || child.matches(leftOut)) continue;
      if (child.shadowRoot) yield* texts(child.shadowRoot);
      yield* texts(child);
    }
  }

  function around(element) {
    const chain = [];
    for (let node = element; node; node = parentOf(node)) chain.push(node);
    return chain;
  }

  function isTurned(element) {
    if (element instanceof SVGGraphicsElement) return Math.abs(element.getScreenCTM()?.b ?? 0) > 0.01;
    const { transform, writingMode } = styleOf(element);
    return (
      writingMode !== "horizontal-tb" ||
      (transform.startsWith("matrix(") && Math.abs(new DOMMatrix(transform).b) > 0.01)
    );
  }

  const cut = (a, b) => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = (box) => box.right - box.left <= 0 || box.bottom - box.top <= 0;

  /** The elements that an element is cut off by: those between a positioned one and its containing block are not. */
  function* clippers(chain) {
    let escapes = "";
    for (const element of chain) {
      const style = styleOf(element);
      const holds =
        style.position !== "static" || style.transform !== "none" || style.contain.includes("paint");
      if (
        element !== chain[0] &&
        !(escapes === "absolute" && !holds) &&
        /hidden|clip|auto|scroll/.test(style.overflow)
      )
        yield [element, style];
      else if (
        element === chain[0] &&
        /hidden|clip|auto|scroll/.test(style.overflow) &&
        style.display !== "inline"
      )
        yield [element, style];
      if (style.position === "fixed") return;
      if (escapes !== "absolute" || holds) escapes = style.position;
    }
  }

  function piecesOf(text) {
    const element = text.parentElement;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
    const chain = around(element);
    if (chain.some((each) => each.classList.contains("katex"))) return [];
    const range = document.createRange();
    range.selectNodeContents(text);
    const size = parseFloat(styleOf(element).fontSize);
    const turned = chain.some(isTurned);
    const layer =
      chain.find(
        (each) => /fixed|sticky/.test(styleOf(each).position) || each.getAttribute("role") === "dialog",
      ) ?? null;
    const pieces = [];
    for (const rect of range.getClientRects()) {
      // A line's box is higher than its letters; of a turned line it is wider, too.
      const [across, down] = [turned ? 0.2 * size : 0, 0.2 * size];
      let box = {
        left: rect.left + across,
        right: rect.right - across,
        top: rect.top + down,
        bottom: rect.bottom - down,
      };
      if (isEmpty(box) || rect.right <= 0) continue;
      for (const [holder, style] of clippers(chain)) {
        if (
          holder.dataset.testid === "stMain" ||
          holder === document.body ||
          holder === document.documentElement
        )
          break;
        const inner = holder.getBoundingClientRect();
        if (inner.width <= 1 || inner.height <= 1) {
          box = { left: 0, right: 0, top: 0, bottom: 0 };
          break;
        }
        const sideways =
          /hidden|clip/.test(style.overflowX) &&
          (box.left < inner.left - SLACK || box.right > inner.right + SLACK);
        const upright =
          /hidden|clip/.test(style.overflowY) &&
          (box.top < inner.top - SLACK || box.bottom > inner.bottom + SLACK);
        const told =
          style.textOverflow === "ellipsis" &&
          chain.some((each) => each.title || each.getAttribute("aria-label"));
        if ((sideways && !told) || upright)
          found.push(`cut off: “${text.data.trim().slice(0, 60)}” by ${nameOf(holder)}`);
        box = cut(box, inner);
        if (isEmpty(box)) break;
      }
      if (!isEmpty(box)) pieces.push({ ...box, text, turned, layer });
    }
    return pieces;
  }

  function nameOf(element) {
    const said = element.dataset?.testid ?? element.getAttribute("class") ?? "";
    return `<${element.tagName.toLowerCase()} ${said}>`;
  }

  const pieces = [...texts(document.body)]
    .flatMap(piecesOf)
    .filter((piece) => !piece.turned)
    .sort((a, b) => a.top - b.top);
  pieces.forEach((above, i) => {
    for (let k = i + 1; k < pieces.length && pieces[k].top < above.bottom - SLACK; k++) {
      const below = pieces[k];
      if (below.text === above.text || below.layer !== above.layer) continue;
      const shared = cut(above, below);
      if (shared.right - shared.left > SLACK && shared.bottom - shared.top > SLACK) {
        const [one, other] = [above, below].map(
          (each) => `“${each.text.data.trim().slice(0, 40)}” ${nameOf(each.text.parentElement)}`,
        );
        found.push(`on each other: ${one} and ${other}`);
      }
    }
  });
  return [...new Set(found)];
};
