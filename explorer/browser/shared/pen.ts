// Draws on a canvas, in pixels of the page.

import type { Look } from "./look";

export type Point = readonly [x: number, y: number];
interface TextForm {
  size?: number;
  weight?: number;
  align?: CanvasTextAlign;
  most?: number;
}

/** The least share of its own width that a text is drawn in; narrower letters cannot be read. */
export const NARROWEST = 0.7;

/**
 * Fit a text into so many pixels: squeezed no further than NARROWEST, and cut with … where that is too wide.
 * share: the share of its own width that it is drawn in.
 */
export function fitted(
  text: string,
  most: number | undefined,
  measure: (text: string) => number,
): { text: string; share: number } {
  const share = (part: string) => (most === undefined ? 1 : Math.min(1, most / (measure(part) || 1)));
  if (share(text) >= NARROWEST) return { text, share: share(text) };
  const letters = Array.from(text),
    cut = (length: number) => `${letters.slice(0, length).join("")}…`;
  let [fits, fails] = [0, letters.length];
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1;
    if (share(cut(middle)) >= NARROWEST) fits = middle;
    else fails = middle;
  }
  return { text: cut(fits), share: Math.max(NARROWEST, share(cut(fits))) };
}

/** A pen for a canvas with room for so many pixels of the page, all of it clear. The canvas gets another size only where it must, which costs. */
export function penOn(canvas: HTMLCanvasElement, width: number, height: number, look: Look): Pen {
  const ratio = window.devicePixelRatio || 1,
    size = [Math.round(width * ratio), Math.round(height * ratio)],
    context = canvas.getContext("2d")!;
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return new Pen(context, look);
}

export class Pen {
  private alpha = 1;

  /** isTurned: whether x and y change places, so that one code draws a picture across a screen and down a phone. */
  constructor(
    readonly context: CanvasRenderingContext2D,
    readonly look: Look,
    private readonly isTurned = false,
  ) {
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = false;
  }

  /** Where a point stands on the canvas. */
  place(x: number, y: number): [x: number, y: number] {
    return this.isTurned ? [y, x] : [x, y];
  }

  /** Draw something fainter than all around it is. */
  faint(share: number, draw: () => void): void {
    if (share <= 0) return;
    const before = this.alpha;
    this.context.globalAlpha = this.alpha = before * share;
    try {
      draw();
    } finally {
      this.context.globalAlpha = this.alpha = before;
    }
  }

  fill(x: number, y: number, width: number, height: number, colour: string | CanvasPattern): void {
    this.context.fillStyle = colour;
    this.context.fillRect(...this.place(x, y), ...this.place(width, height));
  }

  box(
    x: number,
    y: number,
    width: number,
    height: number,
    radius: number,
    paint: { fill?: string; stroke?: string; width?: number; dash?: number[] },
  ): void {
    const { context } = this;
    context.beginPath();
    context.roundRect(...this.place(x, y), ...this.place(width, height), radius);
    if (paint.fill) {
      context.fillStyle = paint.fill;
      context.fill();
    }
    if (paint.stroke) this.stroke(paint.stroke, paint.width ?? 1, paint.dash);
  }

  /** A frame along the edges of a rectangle. */
  frame(
    x: number,
    y: number,
    width: number,
    height: number,
    colour: string,
    line: number,
    dash: number[] = [],
  ): void {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.setLineDash(dash);
    context.strokeRect(...this.place(x, y), ...this.place(width, height));
    context.setLineDash([]);
  }

  line(points: readonly Point[], colour: string, width: number, radius = 0, dash?: number[]): void {
    const { context } = this,
      [first, ...others] = points.map(([x, y]) => this.place(x, y));
    context.beginPath();
    context.moveTo(...first);
    others.forEach((point, i) => {
      const next = others.at(i + 1),
        before = i ? others[i - 1] : first;
      if (!next || !radius) context.lineTo(...point);
      else
        context.arcTo(
          ...point,
          ...next,
          Math.min(
            radius,
            Math.hypot(point[0] - before[0], point[1] - before[1]) / 2,
            Math.hypot(next[0] - point[0], next[1] - point[1]) / 2,
          ),
        );
    });
    this.stroke(colour, width, dash);
  }

  private stroke(colour: string, width: number, dash?: number[]): void {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    if (dash) context.setLineDash(dash);
    context.stroke();
    if (dash) context.setLineDash([]);
  }

  /** A surface between corners. */
  area(corners: readonly Point[], colour: string): void {
    const { context } = this;
    context.fillStyle = colour;
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(...this.place(x, y));
    context.fill();
  }

  /** Part of a picture, as it lies in its canvas, into a place. */
  image(
    source: CanvasImageSource,
    part: readonly [x: number, y: number, width: number, height: number],
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    this.context.drawImage(source, ...part, ...this.place(x, y), ...this.place(width, height));
  }

  private setFont(form: TextForm): void {
    this.context.font = `${form.weight ?? 400} ${form.size ?? 12.5}px ${this.look.family}`;
  }

  measure(text: string, form: TextForm): number {
    this.setFont(form);
    return this.context.measureText(text).width;
  }

  text(text: string, x: number, y: number, colour: string, form: TextForm = {}): void {
    const { context } = this;
    this.setFont(form);
    context.fillStyle = colour;
    context.textAlign = form.align ?? "left";
    context.textBaseline = "middle";
    const fit = fitted(text, form.most, (part) => context.measureText(part).width);
    context.fillText(fit.text, ...this.place(x, y), context.measureText(fit.text).width * fit.share + 0.5);
  }
}
