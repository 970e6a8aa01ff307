// Small ways to write to the page.

type Attributes = Record<string, string | number | boolean>;

/** An element with attributes and contents; the attribute `text` is its text. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = String(value);
    else node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/** An element with nothing but text, and perhaps a class. */
export function words<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string | number,
  name?: string,
): HTMLElementTagNameMap[Tag] {
  return el(tag, name ? { class: name, text } : { text });
}

/** A button that does something when it is pressed. */
export function button(
  attributes: Attributes,
  press: () => void,
  ...children: (Node | string)[]
): HTMLButtonElement {
  const node = el("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", press);
  return node;
}

/** The button that asks for the explanation of the number that is looked at. The focus stays where it is, since it may mark that number. */
export function explainButton(ask: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const node = button({ class: "link", text: "Explain this number", ...attributes }, ask);
  node.addEventListener("pointerdown", (event) => event.preventDefault());
  return node;
}

/** The heading of a table's column, and of a row. */
export function columnHead(text: string, name?: string): HTMLElement {
  return el("th", { scope: "col", ...(name && { class: name }), text });
}
export function rowHead(text: string | number, name?: string): HTMLElement {
  return el("th", { scope: "row", ...(name && { class: name }), text });
}

/** A table with its headings and rows; the caption is for those who do not see it. */
export function table(
  caption: string,
  heads: Node[],
  rows: Node[],
  attributes: Attributes = {},
): HTMLTableElement {
  return el(
    "table",
    attributes,
    words("caption", caption, "unseen"),
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...rows),
  );
}

/** A rectangle in a picture, in pixels from its left upper corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** Lays an element over a place of the picture that it stands in. */
export function layOver(node: HTMLElement, { x, y, width, height }: Box): void {
  Object.assign(node.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}

/** An element of a picture. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Node[]
): SVGElementTagNameMap[Tag] {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

const shown = new WeakMap<Node, string>();
/** Gives an element its text. Writing the same text again would still cost the browser a layout. */
export function setText(node: Node, text: string): void {
  if (shown.get(node) === text) return;
  shown.set(node, text);
  node.textContent = text;
}

/** How far the boxes of a view are scrolled; gives the way to have them so again in what is built in their place. */
export function keepScroll(root: HTMLElement, kinds = ".numbers"): () => void {
  const boxes = () =>
    [...root.querySelectorAll(kinds)].map(
      (box) => [box, `${box.className} ${box.closest("section")?.ariaLabel}`] as const,
    );
  const before = new Map(boxes().map(([box, name]) => [name, [box.scrollLeft, box.scrollTop] as const]));
  return () => {
    for (const [box, name] of boxes()) {
      const place = before.get(name);
      if (place?.some(Boolean)) box.scrollTo(...place);
    }
  };
}
