// The light of a lesson in a stop: what of the board it falls on, and elements over its frames for whoever leads there.

import { tell } from "../shared/bus";
import type { Light } from "../shared/bus";
import { el } from "../shared/elements";
import type { Board, Frame, Spot } from "./board";
import { endBeside, framesOf, litIn } from "./light";
import type { LitPart } from "./light";
import type { Model } from "./model";

interface Box { x: number; y: number; width: number; height: number }

export class Spotlight {
  readonly node = el("div", { class: "light", "aria-hidden": "true" });
  lit: LitPart[] = [];
  private light: Light | null = null;
  private frames: Frame[] = [];
  private told = "";

  /** Another light, or none. */
  turn(light: Light | null): void { this.light = light; }

  /** The frames of what is lit on a board at a stage. */
  shine(model: Model, board: Board, held: number): Frame[] {
    this.lit = this.light ? litIn(model, board, held, this.light.rows) : [];
    return (this.frames = framesOf(model, this.lit));
  }

  /** Whether a spot that somebody clicks is none of what is lit. */
  isElsewhere(spot: Spot | null): boolean {
    if (!this.lit.length) return false;
    return !this.lit.some(({ part, row, column }) => spot?.part === part.name && (row === undefined || spot.row === row) && (column === undefined || spot.column === column));
  }

  /** Put an element over every frame, and tell where they are if they have moved. */
  place(model: Model, board: Board, boxOf: (frame: Frame) => Box | null): void {
    const boxes = this.frames.flatMap((frame) => boxOf(frame) ?? []), last = this.lit.at(-1), row = last && boxOf(framesOf(model, [last])[0]);
    const said = JSON.stringify(boxes);
    if (said === this.told) return;
    this.told = said;
    if (!boxes.length || !row) {
      this.node.replaceChildren();
      tell("lit", null);
      return;
    }
    const frames = boxes.map((box) => over(box, "frame")), y = row.y + row.height / 2;
    const end = over({ x: Math.max(row.x + row.width, endBeside(model, board, y)), y, width: 0, height: 0 }, "end");
    this.node.replaceChildren(...frames, end);
    tell("lit", { frames, end });
  }

  end(): void { if (this.lit.length) tell("lit", null); }
}

function over({ x, y, width, height }: Box, name: string): HTMLElement {
  const node = el("i", { "data-light": name });
  Object.assign(node.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  return node;
}
