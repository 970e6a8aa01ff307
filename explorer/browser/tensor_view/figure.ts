// Where the panels of a stage stand: a product around its corner, or in a row, or one under the other.

import { el, words } from "../shared/elements";
import { mathWords } from "../shared/math";
import type { StageEntry } from "../shared/tensors";
import type { Panel } from "./panel";
import { beyondEdge, cornerOf, ownSize, panelWidth, rowHeight, rowSizes } from "./sizes";
import type { Corner } from "./sizes";

const TALLEST = 600,
  LEAST_TALL = 320,
  AROUND = 290;
/** From these on there is room for the words beside the second factor: for some of them, and for all. */
const ROOMY = 300,
  HIGH = 380;

/** How tall a picture may be, so that it is whole in the window under what stands above it. */
function tallest(): number {
  return Math.max(LEAST_TALL, Math.min(TALLEST, window.innerHeight - AROUND));
}

export class Figure {
  readonly node: HTMLElement;

  constructor(
    private readonly stage: StageEntry,
    private readonly panels: readonly Panel[],
  ) {
    this.node = el("div", { class: `figure ${stage.kind}` });
    panels.forEach((panel, k) => {
      if (k) this.node.append(operatorOf(stage, k - 1));
      this.node.append(panel.node);
      panel.node.style.gridArea = stage.kind === "product" ? "abc"[k] : "";
    });
  }

  /** Gives every panel its size; the card gets to know how they stand: corner, row, wrap or stack. */
  layout(room: number, card: HTMLElement, isPhone: boolean): void {
    const {
        stage: { kind },
        panels,
      } = this,
      corner = kind === "product" && !isPhone ? cornerOf(panels, room, tallest()) : null;
    const row = corner || isPhone ? null : rowSizes(kind, panels, room),
      arrangement = corner ? "corner" : row ? "row" : kind === "one" ? "wrap" : "stack";
    this.node.dataset.arrangement = card.dataset.arrangement = arrangement;
    card.classList.toggle("roomy", corner !== null && corner.side >= ROOMY);
    card.classList.toggle("high", corner !== null && corner.cell * panels[1].plane.rows.count >= HIGH);
    if (corner) this.placeAroundCorner(corner, card, room);
    else if (row) panels.forEach((panel, k) => panel.layout(row[k]));
    else this.placeByThemselves(room, arrangement === "stack", isPhone);
  }

  private placeAroundCorner(
    { cell, side, other, left, second, top }: Corner,
    card: HTMLElement,
    room: number,
  ): void {
    const [a, b, c] = this.panels,
      height = rowHeight(a, cell),
      beyond = beyondEdge(c, cell),
      ends = side + other + beyond <= room ? c.endsRoom() : 0;
    card.style.setProperty("--first", `${side}px`);
    card.style.setProperty("--second", `${other + (ends && beyond)}px`);
    a.layout({ width: cell, height, left, top });
    b.layout({ width: cell, height: cell, left: second, hidesColumns: true });
    c.layout({ width: cell, height, left: second, top, ends, hidesRows: true });
  }

  private placeByThemselves(room: number, isStack: boolean, isPhone: boolean): void {
    const left = isStack ? Math.max(...this.panels.map((panel) => panel.labelRoom(20).left)) : undefined;
    for (const panel of this.panels) {
      const { width, height } = ownSize(
        panel,
        room - (left === undefined ? 0 : left - panel.labelRoom(20).left) - 4,
        isPhone,
        tallest(),
      );
      panel.layout({
        width,
        height,
        left,
        ends: panelWidth(panel, width, left) + beyondEdge(panel, width) <= room ? panel.endsRoom() : 0,
      });
    }
  }
}

/** What stands between a panel and the next. */
function operatorOf({ kind, arrows, panels }: StageEntry, k: number): HTMLElement {
  if (kind === "one") return el("span", { hidden: "" });
  if (kind === "map")
    return el(
      "div",
      { class: "operator arrow" },
      mathWords("span", arrows[k]),
      el("i", { "aria-hidden": "true" }),
    );
  const sign =
    kind === "sum" ? (k === panels.length - 2 ? "=" : "+") : [kind === "product" ? "×" : "−", "="][k];
  return words("div", sign, "operator");
}
