// All heads at a glance: one small picture per layer and head, which is also the way to choose one.

import { drawSheet, pixelSheet, WEIGHTS } from "../../../browser/shared/cells";
import { button, el } from "../../../browser/shared/elements";
import { range } from "../../../browser/shared/planes";
import { headName } from "./data";
import type { Plane } from "./data";
import type { Decoding, Part } from "./decoding";

const FRAME = 9,
  NAMES = 46,
  WIDEST = 0.42; // px around a picture, and for the names; of the card, at most
// px of the longer side: on a dashboard, and elsewhere.
const LARGEST = 62,
  SIDES = { dashboard: [62, 56, 50, 44, 36, 28, 24], usual: [62, 56, 50, 44] };

interface Thumb {
  node: HTMLElement;
  canvas: HTMLCanvasElement;
  layer: number;
  head: number | null;
}

export class Heads implements Part {
  readonly node = el("div", { class: "heads", role: "group", "aria-label": "Layers and heads" });
  private readonly rows: (number | null)[];
  private readonly gap: number;
  private readonly thumbs: Thumb[];
  private readonly layerNames: HTMLElement[];
  private readonly headNames: HTMLElement[];
  private size = { width: 0, height: 0 }; // of one picture
  private most = Infinity; // what all together may be wide, and scroll beyond

  constructor(
    private readonly view: Decoding,
    private readonly plane: Plane,
  ) {
    this.rows = [null, ...range(plane.heads)];
    this.gap = plane.layers > 3 ? 3 : 8;
    for (const [name, value] of [
      ["layers", plane.layers],
      ["heads", this.rows.length],
      ["gap", `${this.gap}px`],
    ])
      this.node.style.setProperty(`--${name}`, String(value));
    const label = (name: string, text: string, style: string) =>
      el("span", { class: name, text, style, "aria-hidden": "true" });
    this.layerNames = range(plane.layers).map((layer) =>
      label("layer-name", `layer ${layer}`, `--l:${layer}`),
    );
    this.headNames = this.rows.map((head, row) => label("head-name", shortName(head), `--h:${row}`));
    this.thumbs = range(plane.layers).flatMap((layer) =>
      this.rows.map((head, row) => this.thumb(layer, head, row)),
    );
    const ofLayer = (layer: number) =>
      this.thumbs.filter((thumb) => thumb.layer === layer).map((thumb) => thumb.node);
    this.node.append(
      ...this.layerNames.flatMap((name, layer) => [name, ...ofLayer(layer)]),
      ...this.headNames,
    );
  }

  private thumb(layer: number, head: number | null, row: number): Thumb {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const attributes = {
      class: "thumb",
      style: `--l:${layer};--h:${row}`,
      "aria-label": `Layer ${layer}, ${headName(head, this.plane.heads)}`,
    };
    const node = button(
      attributes,
      () => this.view.choose(layer, head),
      el("span", { class: "paper" }, canvas),
      el("span", { class: "short", text: shortName(head), "aria-hidden": "true" }),
    );
    return { node, canvas, layer, head };
  }

  private measure(side: number): void {
    const { longest, width, height } = this.plane;
    // Whole pixels where a cell is large enough to be looked at; never so small that the picture is a dot.
    const even = side / longest,
      cell = longest <= 8 ? Math.floor(Math.max(24 / longest, Math.min(9, even))) : even;
    this.size = {
      width: Math.max(10, Math.round(width * cell)),
      height: Math.max(10, Math.round(height * cell)),
    };
  }

  /** Chooses the size, 62 px for the longer side where there is room; says whether the pictures stand beside the matrix. */
  fit(room: number, tall: number, matrixWidth: number): boolean {
    const { phone, dashboard } = this.view.size,
      count = this.rows.length;
    if (phone) {
      this.measure(
        Math.max(42, Math.min(LARGEST, Math.floor(this.node.parentElement!.clientWidth / count) - FRAME)),
      );
      return false;
    }
    const left = room - matrixWidth - 24;
    const fits = () =>
      this.ownWidth() <= left &&
      (!dashboard || (this.ownWidth() <= WIDEST * room && this.ownHeight() <= tall));
    const found = SIDES[dashboard ? "dashboard" : "usual"].some((side) => {
      this.measure(side);
      return fits();
    });
    const isBeside = found || dashboard;
    if (!isBeside) this.measure(LARGEST);
    this.most = dashboard ? Math.floor(WIDEST * room) : Infinity;
    // Under the matrix a row per layer is the flatter picture.
    this.node.classList.toggle("across", !isBeside && count > this.plane.layers);
    return isBeside;
  }

  get width(): number {
    return Math.min(this.most, this.ownWidth());
  }
  private ownWidth(): number {
    return NAMES + this.plane.layers * (Math.max(24, this.size.width + FRAME) + this.gap);
  }
  private ownHeight(): number {
    return 22 + this.rows.length * (Math.max(24, this.size.height + FRAME) + 2);
  }

  private draw(): void {
    const { plane, size, view } = this;
    for (const { canvas, layer, head } of this.thumbs) {
      const matrix = plane.matrix(layer, head);
      drawSheet(
        canvas,
        pixelSheet(
          view.look,
          WEIGHTS,
          plane.height,
          plane.width,
          (t, j) => matrix[t * plane.width + j],
          plane.masked,
        ),
        size,
      );
    }
  }

  // One write for all pictures: the style sheet clips this much off the foot of every canvas, and half a pixel more,
  // because a picture that starts between two pixels is drawn on the nearest one, but clipped where it is.
  step(): void {
    const {
        plane,
        view,
        size: { height },
      } = this,
      shown = Math.floor(((view.state.step + 1) * height) / plane.height);
    this.node.style.setProperty("--cut", plane.byStep ? `${height - shown + 0.5}px` : "0px");
  }

  matrix(): void {
    const { layer, head } = this.view.state;
    for (const thumb of this.thumbs)
      thumb.node.setAttribute("aria-pressed", String(thumb.layer === layer && thumb.head === head));
    this.layerNames.forEach((name, l) => name.classList.toggle("now", l === layer));
    this.headNames.forEach((name, row) => name.classList.toggle("now", this.rows[row] === head));
  }

  layout(): void {
    this.draw();
    this.matrix();
    this.step();
  }
}

function shortName(head: number | null): string {
  return head === null ? "mean" : `head ${head}`;
}
