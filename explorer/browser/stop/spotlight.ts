// The light of a lesson in a stop: what of the board it falls on, and elements over its frames for whoever leads there.

import type { Light } from "../shared/bus";
import type { Box } from "../shared/elements";
import { LitFrames } from "../shared/lit";
import type { Board, Frame, Spot } from "./board";
import { endBeside, framesOf, litIn } from "./light";
import type { LitPart } from "./light";
import type { Model } from "./model";

export class Spotlight {
  private readonly over = new LitFrames();
  readonly node = this.over.node;
  lit: LitPart[] = [];
  private light: Light | null = null;
  private frames: Frame[] = [];

  /** Another light, or none. */
  turn(light: Light | null): void {
    this.light = light;
  }

  /** The frames of what is lit on a board at a stage. */
  shine(model: Model, board: Board, held: number): Frame[] {
    this.lit = this.light ? litIn(model, board, held, this.light.rows) : [];
    return (this.frames = framesOf(model, this.lit));
  }

  /** Whether a spot that somebody clicks is none of what is lit. */
  isElsewhere(spot: Spot | null): boolean {
    if (!this.lit.length) return false;
    return !this.lit.some(
      ({ part, row, column }) =>
        spot?.part === part.name &&
        (row === undefined || spot.row === row) &&
        (column === undefined || spot.column === column),
    );
  }

  /** Put an element over every frame. */
  place(model: Model, board: Board, boxOf: (frame: Frame) => Box | null): void {
    const boxes = this.frames.flatMap((frame) => boxOf(frame) ?? []),
      last = this.lit.at(-1),
      row = last && boxOf(framesOf(model, [last])[0]);
    if (!row) return this.over.show([], () => ({ x: 0, y: 0 }));
    const y = row.y + row.height / 2;
    return this.over.show(boxes, () => ({ x: Math.max(row.x + row.width, endBeside(model, board, y)), y }));
  }

  end(): void {
    this.over.end();
  }
}
