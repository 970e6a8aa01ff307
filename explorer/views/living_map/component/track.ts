// The run as a line: the encoder and each step, which can be scrubbed.

import { el } from "../../../browser/shared/elements";
import { plainText, caption } from "./saying";
import type { Scene } from "./scene";
import { ENCODER, ENCODER_MS, STEP_MS, lengthOf, momentAt, timeOf } from "./timeline";
import type { Moment } from "./timeline";

const HEIGHT = 24, ENCODER_SHARE = 0.6;   // of a step's width

/** A slider over all moments of the run. */
export class Track {
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  readonly node = el("div", { class: "track", role: "slider", tabindex: 0, "aria-label": "Moment of the run" }, this.canvas);
  private steps = 1;

  constructor(scrub: (to: Moment) => void, signal: AbortSignal) {
    let isHeld = false;
    const move = (event: PointerEvent) => {
      const { left, width } = this.node.getBoundingClientRect();
      scrub(this.momentAt((event.clientX - left) / width));
    };
    this.node.addEventListener("pointerdown", (event) => {
      isHeld = true;
      this.node.setPointerCapture(event.pointerId);
      move(event);
    }, { signal });
    this.node.addEventListener("pointermove", (event) => { if (isHeld) move(event); }, { signal });
    for (const name of ["pointerup", "pointercancel"] as const) this.node.addEventListener(name, () => { isHeld = false; }, { signal });
  }

  private get unit(): number { return 1 / (this.steps + ENCODER_SHARE); }

  private momentAt(share: number): Moment {
    const place = Math.min(1, Math.max(0, share)) / this.unit;
    if (place < ENCODER_SHARE) return { step: ENCODER, ms: (place / ENCODER_SHARE) * ENCODER_MS };
    return momentAt(ENCODER_MS + (place - ENCODER_SHARE) * STEP_MS, this.steps);
  }

  /** Where a step begins and ends, as shares of the line. */
  private span(step: number): [from: number, to: number] {
    return step === ENCODER ? [0, ENCODER_SHARE * this.unit] : [(ENCODER_SHARE + step) * this.unit, (ENCODER_SHARE + step + 1) * this.unit];
  }

  draw(scene: Scene): void {
    const { canvas } = this, width = this.node.clientWidth, ratio = window.devicePixelRatio || 1, { run, at, pen: { look } } = scene;
    this.steps = run.steps;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== HEIGHT * ratio) [canvas.width, canvas.height] = [Math.round(width * ratio), HEIGHT * ratio];
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, HEIGHT);
    const [from, to] = this.span(at.step), place = (from + (to - from) * (at.ms / lengthOf(at.step))) * width;
    for (let step = ENCODER; step < run.steps; step++) this.segment(context, scene, step, width, place);
    context.fillStyle = look.ink;
    context.beginPath();
    context.roundRect(Math.min(width - 3, Math.max(0, place - 1.5)), 3, 3, 21, 1.5);
    context.fill();
  }

  private segment(context: CanvasRenderingContext2D, scene: Scene, step: number, width: number, place: number): void {
    const { run: { header }, at, pen, step: schedule } = scene, { look } = pen, isNow = step === at.step, isLater = step > at.step;
    const [from, to] = this.span(step).map((share) => share * width), x = from + 1, end = to - 1, side = step === ENCODER ? "source" : "target";
    context.globalAlpha = isLater ? 0.45 : 1;
    context.fillStyle = look[`${side}-tint`];
    context.beginPath();
    context.roundRect(x, 6, Math.max(1, end - x), 15, 4);
    context.fill();
    if (!isLater) {
      context.save();
      context.clip();
      context.fillStyle = look[`${side}-line`];
      context.fillRect(x, 6, (isNow ? place : end) - x, 15);
      context.fillStyle = look.bg;
      if (isNow && step !== ENCODER) for (const [, at_] of schedule.sublayers) context.fillRect(x + ((end - x) * at_) / STEP_MS - 0.5, 6, 1, 15);
      context.restore();
    }
    context.globalAlpha = 1;
    const name = step === ENCODER ? (width < 700 ? "enc" : "encoder") : header.outputs[step];
    context.font = pen.font({ size: 12, weight: isNow ? 650 : 400 });
    context.fillStyle = isLater ? look.mute : isNow ? look.ink : look[side];
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (end - x > 14) context.fillText(name, (x + end) / 2, 14, end - x - 4);
  }

  /** Say where the run stands; once it rests, for a screen reader would not keep up with frames. */
  tell(scene: Scene): void {
    const { run, at } = scene, { node } = this;
    node.ariaValueMin = "0";
    node.ariaValueMax = String(ENCODER_MS + run.steps * STEP_MS);
    node.ariaValueNow = String(Math.round(timeOf(at)));
    node.ariaValueText = plainText(caption({ ...scene, pointed: null }));
  }
}
