// The labels at one side of a matrix: as many as there is room for, and always that of the lit place.

import { el, setText, words } from "../shared/elements";
import type { PlaneSide } from "../shared/planes";
import { clip } from "../shared/text";

/** Letters of labels are bold where they are lit, and measured so. */
export interface Font {
  size: number;
  family: string;
}
interface Label {
  i: number;
  node: HTMLElement;
  at: number;
}

const MOST_LETTERS = 40,
  LINE = 15,
  CROWDED = 14;
let measure: CanvasRenderingContext2D | undefined;

export class Labels {
  readonly node: HTMLElement;
  private readonly floating = words("span", "", "label floating");
  private found: Label[] = [];
  private cell = 0;
  private crowd = 0;

  /** side: whose places are called by `label`. */
  constructor(
    private readonly kind: "rows" | "columns" | "ends",
    private readonly side: PlaneSide,
    private readonly label = side.label,
  ) {
    this.node = el("div", { class: kind, "aria-hidden": "true" });
  }

  /** How wide the widest label is. */
  width({ size, family }: Font): number {
    const { count, numeric } = this.side,
      context = (measure ??= document.createElement("canvas").getContext("2d")!);
    context.font = `650 ${size}px ${family}`;
    const texts = numeric
      ? [this.label(count - 1)]
      : Array.from({ length: count }, (_, i) => clip(this.label(i), MOST_LETTERS));
    return Math.max(...texts.map((text) => context.measureText(text).width));
  }

  clear(): void {
    this.found = [];
    this.node.replaceChildren();
  }

  /** longest: the longer side of the matrix. cell: size of a cell along this side. */
  draw(cell: number, longest: number, isTurned: boolean, font: Font): void {
    if (!this.side.names.length) return this.clear();
    const isAcross = this.kind === "columns",
      width = isAcross ? this.width(font) : 0;
    const every = labelStep(
      cell,
      longest,
      this.side.numeric,
      isAcross && !isTurned ? width + 4 : LINE,
      isAcross ? (isTurned ? "turned" : "across") : "down",
    );
    this.cell = cell;
    this.crowd = isAcross ? width + 6 : CROWDED;
    this.found = [];
    for (let i = 0; i < this.side.count; i += every) this.found.push(this.make(i));
    return this.node.replaceChildren(...this.found.map(({ node }) => node), this.floating);
  }

  private make(i: number): Label {
    const text = clip(this.label(i), MOST_LETTERS),
      node = words("span", text, "label"),
      at = (i + 0.5) * this.cell;
    node.title = text;
    this.put(node, at);
    return { i, node, at };
  }
  private put(node: HTMLElement, at: number): void {
    node.style[this.kind === "columns" ? "left" : "top"] = `${at}px`;
  }

  /** Lights the label of a place; one that has no room of its own stands over its neighbours. */
  light(place: number | undefined): void {
    if (!this.found.length) return;
    const isSeen = place === undefined || this.found.some(({ i }) => i === place),
      at = ((place ?? 0) + 0.5) * this.cell;
    for (const each of this.found) {
      each.node.classList.toggle("lit", each.i === place);
      each.node.classList.toggle("off", !isSeen && Math.abs(each.at - at) < this.crowd);
    }
    this.floating.hidden = isSeen;
    if (isSeen) return;
    setText(this.floating, clip(this.label(place), MOST_LETTERS));
    this.put(this.floating, at);
  }

  get shown(): HTMLElement[] {
    return ([...this.node.children] as HTMLElement[]).filter((label) => !label.hidden && label.textContent);
  }
}

/** How many places further the next label stands. A few rows that are as high as their labels have all of them, however many columns there are. */
export function labelStep(
  cell: number,
  longest: number,
  isNumeric: boolean,
  room: number,
  along: "across" | "turned" | "down",
): number {
  const least = Math.ceil(room / cell),
    usual = longest <= 32 ? 1 : longest <= 64 ? 4 : 10,
    isRoomy = cell >= LINE;
  if ((!isNumeric && along === "down") || (along === "turned" && isRoomy)) return niceStep(least);
  return niceStep(Math.max(least, isRoomy && !isNumeric ? 1 : usual));
}

/** 1, 2, 4, 5, 10, 20, …: the smallest round step that is not below. */
export function niceStep(least: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [1, 2, 4, 5]) if (step * power >= least) return step * power;
}
