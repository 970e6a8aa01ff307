// The run as a line: the encoder and each step, which can be scrubbed.

import { el } from "../../../browser/shared/elements";
import { penOn } from "../../../browser/shared/pen";
import type { Pen } from "../../../browser/shared/pen";
import { plainText, caption } from "./saying";
import type { Scene } from "./scene";
import { ENCODER, ENCODER_MS, STEP_MS, lengthOf, momentAt, timeOf } from "./timeline";
import type { Moment } from "./timeline";

const HEIGHT = 24,
  ENCODER_SHARE = 0.6; // of a step's width

/** A slider over all moments of the run. */
export class Track {
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  readonly node = el(
    "div",
    { class: "track", role: "slider", tabindex: 0, "aria-label": "Moment of the run" },
    this.canvas,
  );
  private steps = 1;

  constructor(scrub: (to: Moment) => void, signal: AbortSignal) {
    let isHeld = false;
    const move = (event: PointerEvent) => {
      const { left, width } = this.node.getBoundingClientRect();
      scrub(this.momentAt((event.clientX - left) / width));
    };
    this.node.addEventListener(
      "pointerdown",
      (event) => {
        isHeld = true;
        this.node.setPointerCapture(event.pointerId);
        move(event);
      },
      { signal },
    );
    this.node.addEventListener(
      "pointermove",
      (event) => {
        if (isHeld) move(event);
      },
      { signal },
    );
    for (const name of ["pointerup", "pointercancel"] as const)
      this.node.addEventListener(
        name,
        () => {
          isHeld = false;
        },
        { signal },
      );
  }

  private get unit(): number {
    return 1 / (this.steps + ENCODER_SHARE);
  }

  private momentAt(share: number): Moment {
    const place = Math.min(1, Math.max(0, share)) / this.unit;
    if (place < ENCODER_SHARE) return { step: ENCODER, ms: (place / ENCODER_SHARE) * ENCODER_MS };
    return momentAt(ENCODER_MS + (place - ENCODER_SHARE) * STEP_MS, this.steps);
  }

  /** Where a step begins and ends, as shares of the line. */
  private span(step: number): [from: number, to: number] {
    return step === ENCODER
      ? [0, ENCODER_SHARE * this.unit]
      : [(ENCODER_SHARE + step) * this.unit, (ENCODER_SHARE + step + 1) * this.unit];
  }

  draw(scene: Scene): void {
    const width = this.node.clientWidth,
      {
        run,
        at,
        pen: { look },
      } = scene,
      pen = penOn(this.canvas, width, HEIGHT, look);
    this.steps = run.steps;
    const [from, to] = this.span(at.step),
      place = (from + (to - from) * (at.ms / lengthOf(at.step))) * width;
    for (let step = ENCODER; step < run.steps; step++) this.segment(pen, scene, step, width, place);
    pen.box(Math.min(width - 3, Math.max(0, place - 1.5)), 3, 3, 21, 1.5, { fill: look.ink });
    if (!this.node.ariaValueNow) this.tell(scene); // a slider without a value is none
  }

  private segment(
    pen: Pen,
    { run: { header }, at, step: schedule }: Scene,
    step: number,
    width: number,
    place: number,
  ): void {
    const { look } = pen,
      isNow = step === at.step,
      isLater = step > at.step;
    const [from, to] = this.span(step).map((share) => share * width),
      x = from + 1,
      end = to - 1,
      side = step === ENCODER ? "source" : "target";
    pen.faint(isLater ? 0.45 : 1, () =>
      pen.box(x, 6, Math.max(1, end - x), 15, 4, { fill: look[`${side}-tint`] }),
    );
    if (!isLater) {
      pen.context.save();
      pen.context.clip();
      pen.fill(x, 6, (isNow ? place : end) - x, 15, look[`${side}-line`]);
      if (isNow && step !== ENCODER)
        for (const [, to] of schedule.sublayers)
          pen.fill(x + ((end - x) * to) / STEP_MS - 0.5, 6, 1, 15, look.bg);
      pen.context.restore();
    }
    const name = step === ENCODER ? (width < 700 ? "enc" : "encoder") : header.outputs[step];
    const colour = isLater ? look.mute : isNow ? look.ink : look[side];
    if (end - x > 14)
      pen.text(name, (x + end) / 2, 14, colour, {
        size: 12,
        weight: isNow ? 650 : 400,
        align: "center",
        most: end - x - 4,
      });
  }

  /** Say where the run stands; once it rests, for a screen reader would not keep up with frames. */
  tell(scene: Scene): void {
    const { run, at } = scene,
      { node } = this;
    node.ariaValueMin = "0";
    node.ariaValueMax = String(ENCODER_MS + run.steps * STEP_MS);
    node.ariaValueNow = String(Math.round(timeOf(at)));
    node.ariaValueText = plainText(caption({ ...scene, pointed: null }));
  }
}
