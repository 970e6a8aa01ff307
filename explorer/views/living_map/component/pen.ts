// Draws in (u, v): along the computation and across the lanes, whichever of them is x.

import type { Look } from "../../../browser/shared/look";

export type Point = readonly [u: number, v: number];
export interface TextForm { size?: number; weight?: number; align?: CanvasTextAlign; most?: number }

export class Pen {
  private alpha = 1;
  constructor(readonly context: CanvasRenderingContext2D, readonly look: Look, readonly isPhone: boolean) {
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = false;
  }

  place(u: number, v: number): [x: number, y: number] { return this.isPhone ? [v, u] : [u, v]; }
  private size(du: number, dv: number): [width: number, height: number] { return this.isPhone ? [dv, du] : [du, dv]; }

  /** Draw something fainter than all around it is. */
  faint(share: number, draw: () => void): void {
    if (share <= 0) return;
    const before = this.alpha;
    this.context.globalAlpha = this.alpha = before * share;
    draw();
    this.context.globalAlpha = this.alpha = before;
  }

  fill(u: number, v: number, du: number, dv: number, colour: string | CanvasPattern): void {
    this.context.fillStyle = colour;
    this.context.fillRect(...this.place(u, v), ...this.size(du, dv));
  }

  box(u: number, v: number, du: number, dv: number, radius: number, paint: { fill?: string; stroke?: string; width?: number; dash?: number[] }): void {
    const { context } = this;
    context.beginPath();
    context.roundRect(...this.place(u, v), ...this.size(du, dv), radius);
    if (paint.fill) { context.fillStyle = paint.fill; context.fill(); }
    if (paint.stroke) this.stroke(paint.stroke, paint.width ?? 1, paint.dash);
  }

  line(points: readonly Point[], colour: string, width: number, radius = 0, dash?: number[]): void {
    const { context } = this, [first, ...others] = points.map(([u, v]) => this.place(u, v));
    context.beginPath();
    context.moveTo(...first);
    others.forEach((point, i) => {
      const next = others.at(i + 1), before = i ? others[i - 1] : first;
      if (!next || !radius) context.lineTo(...point);
      else context.arcTo(...point, ...next, Math.min(radius, Math.hypot(point[0] - before[0], point[1] - before[1]) / 2, Math.hypot(next[0] - point[0], next[1] - point[1]) / 2));
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

  /** Part of a picture, as it lies in its canvas, into a place. */
  image(source: CanvasImageSource, part: readonly [x: number, y: number, width: number, height: number], u: number, v: number, du: number, dv: number): void {
    this.context.drawImage(source, ...part, ...this.place(u, v), ...this.size(du, dv));
  }

  font({ size = 12.5, weight = 400 }: TextForm): string { return `${weight} ${size}px ${this.look.family}`; }

  measure(text: string, form: TextForm): number {
    this.context.font = this.font(form);
    return this.context.measureText(text).width;
  }

  text(text: string, u: number, v: number, colour: string, form: TextForm = {}): void {
    const { context } = this;
    context.font = this.font(form);
    context.fillStyle = colour;
    context.textAlign = form.align ?? "left";
    context.textBaseline = "middle";
    context.fillText(text, ...this.place(u, v), form.most);
  }
}
