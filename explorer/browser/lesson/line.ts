// The line from the card of a lesson to what it speaks of, in the gutter beside the picture.

import { svg } from "../shared/elements";

const GUTTER = 12,
  ARROW = 5,
  ROOM = 14,
  SHEET = 40;

export class Line {
  private readonly path = svg("path", { class: "line" });
  private readonly head = svg("path", { class: "head" });
  readonly node = svg("svg", { class: "lead", "aria-hidden": "true" }, this.path, this.head);

  /**
   * From a card to an element, or to the right edge of one; nothing where either is missing or out of sight.
   *
   * isEdge: whether it ends at the element's edge, near its top.
   */
  draw(card: Element | null, end: Element | null, isEdge: boolean): void {
    const way = card && end ? wayOf(card.getBoundingClientRect(), end.getBoundingClientRect(), isEdge) : null;
    this.node.style.display = way ? "" : "none";
    if (!way) return;
    const [, , , [x, y]] = way;
    this.path.setAttribute("d", `M${way.map((point) => point.join(" ")).join("L")}`);
    this.head.setAttribute("d", `M${x} ${y}l${ARROW + 3} ${-ARROW}v${2 * ARROW}z`);
  }
}

function wayOf(card: DOMRect, end: DOMRect, isEdge: boolean): [number, number][] | null {
  const column = document.querySelector(".st-key-lesson")!.getBoundingClientRect(),
    x = Math.min(end.right + 3, column.left - GUTTER - ROOM);
  if (column.left < SHEET) return null;
  const from = Math.max(
    column.top + GUTTER,
    Math.min(column.bottom - GUTTER, card.top + Math.min(24, card.height / 2)),
  );
  const to = isEdge
    ? Math.max(column.top + GUTTER, end.top + Math.min(24, end.height / 2))
    : (end.top + end.bottom) / 2;
  const gutter = column.left - GUTTER;
  if (to < column.top || to > window.innerHeight) return null;
  return [
    [Math.max(gutter, card.left), from],
    [gutter, from],
    [gutter, to],
    [x, to],
  ];
}
