// Made from elements.ts by "make browser".
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = String(value);
    else node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}
function words(tag, text, name) {
  return el(tag, name ? { class: name, text } : { text });
}
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
const shown = /* @__PURE__ */ new WeakMap();
function setText(node, text) {
  if (shown.get(node) === text) return;
  shown.set(node, text);
  node.textContent = text;
}
function keepScroll(root, kinds = ".numbers") {
  const boxes = () => [...root.querySelectorAll(kinds)].map((box) => [box, `${box.className} ${box.closest("section")?.ariaLabel}`]);
  const before = new Map(boxes().map(([box, name]) => [name, [box.scrollLeft, box.scrollTop]]));
  return () => {
    for (const [box, name] of boxes()) {
      const place = before.get(name);
      if (place?.some(Boolean)) box.scrollTo(...place);
    }
  };
}
