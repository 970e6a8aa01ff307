// The canvas: what stands still is kept as a picture of its own, drawn anew only when the step, the room or what is pointed at
// changes; a frame is that picture and what moves on it.

import { el } from "../../../browser/shared/elements";
import { prepareCanvas, readLook } from "../../../browser/shared/look";
import type { Look } from "../../../browser/shared/look";
import { Pen } from "../../../browser/shared/pen";
import { drawMoving } from "./frame";
import { layOut } from "./layout";
import type { Layout, Wish } from "./layout";
import { pointedAt } from "./pointing";
import type { Run } from "./run";
import { mostRead, schedulesOf } from "./scene";
import type { Cell, Pointed, Scene } from "./scene";
import { drawStill } from "./still";
import { Tiles } from "./tiles";
import type { Moment } from "./timeline";

const PINNED = 3;

/** What a frame depends on besides run and room. */
export interface Looked {
  at: Moment;
  pointed: Pointed | null;
  chosen: Cell | null;
  isAsking: boolean;
}

export class Picture {
  readonly node = el("canvas", { role: "img", tabindex: 0 });
  private readonly still = document.createElement("canvas");
  private readonly schedules: ReturnType<typeof schedulesOf>;
  private look!: Look;
  private layout!: Layout;
  private tiles!: Tiles;
  private hatch!: CanvasPattern;
  private key = "";
  private laidFor: number | null = null;
  private ratio = 1;

  constructor(
    readonly run: Run,
    private readonly root: HTMLElement,
    private room: Omit<Wish, "step" | "pinned">,
  ) {
    this.schedules = schedulesOf(run);
    this.resize(room);
  }

  /** Lay out anew for another room or another theme. */
  resize(room: Omit<Wish, "step" | "pinned">): void {
    this.room = room;
    this.look = readLook(this.root);
    this.lay(this.laidFor ?? 0);
    this.ratio = prepareCanvas(this.node, this.layout.width, this.layout.height).ratio;
    [this.still.width, this.still.height] = [this.node.width, this.node.height];
    this.hatch = hatching(this.node.getContext("2d")!, this.look);
  }

  private lay(step: number): void {
    const before = this.tiles as Tiles | undefined;
    this.laidFor = step;
    this.layout = this.laidOut(step);
    const isFlat = this.layout.rows < this.run.header.n_heads;
    if (before?.isFlat !== isFlat || before.look !== this.look)
      this.tiles = new Tiles(this.run, this.look, isFlat);
    this.key = "";
  }

  private laidOut(step: number, width = this.room.width): Layout {
    const { run } = this,
      at = Math.max(0, step);
    return layOut(run, {
      ...this.room,
      width,
      step: at,
      pinned: run.byReading(run.crossing.at(-1)!, at).slice(0, PINNED),
    });
  }

  /** Everything that drawing needs at a moment. */
  scene({ at, pointed, chosen, isAsking }: Looked): Scene {
    // Where not all lanes fit, those that are shown follow the step.
    const { encoder, decoder } = this.layout,
      isWhole =
        encoder.shown.length === this.run.header.source.length && decoder.shown.length === this.run.steps;
    if (!isWhole && this.laidFor !== at.step) this.lay(at.step);
    return {
      run: this.run,
      layout: this.layout,
      tiles: this.tiles,
      hatch: this.hatch,
      pen: this.pen(this.node),
      ...this.schedules,
      at,
      pointed,
      chosen,
      isAsking,
    };
  }

  private pen(canvas: HTMLCanvasElement): Pen {
    const context = canvas.getContext("2d")!;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    return new Pen(context, this.look, this.layout.isPhone);
  }

  /** Draw one frame. */
  draw(scene: Scene): void {
    const { node, still } = this,
      context = node.getContext("2d")!,
      key = JSON.stringify([scene.at.step, mostRead(scene), said(scene.pointed)]);
    if (key !== this.key) {
      this.key = key;
      still.getContext("2d")!.clearRect(0, 0, still.width, still.height);
      drawStill({ ...scene, pen: this.pen(still) });
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, node.width, node.height);
    context.drawImage(still, 0, 0);
    drawMoving({ ...scene, pen: this.pen(node) });
  }

  under(scene: Scene, event: MouseEvent): Pointed | null {
    const { left, top } = this.node.getBoundingClientRect();
    return pointedAt(scene, event.clientX - left, event.clientY - top);
  }

  get corner(): Layout["corner"] {
    return this.layout.corner;
  }
  /** The corner that it would have, were it so wide. */
  cornerIn(width: number): Layout["corner"] {
    return this.laidOut(this.laidFor ?? 0, width).corner;
  }
  get height(): number {
    return this.layout.height;
  }
}

/** What is pointed at, in a form that can be compared. */
export function said(pointed: Pointed | null): unknown {
  const { cell, ...others } = pointed ?? {};
  return [others, cell && [cell.sub.id, cell.row, cell.column, cell.head]];
}

function hatching(context: CanvasRenderingContext2D, look: Look): CanvasPattern {
  const tile = document.createElement("canvas"),
    size = 10;
  tile.width = tile.height = size;
  const pen = tile.getContext("2d")!;
  pen.strokeStyle = look.hatch;
  pen.lineWidth = 1.3;
  pen.globalAlpha = 0.75;
  for (let x = -size; x <= 2 * size; x += size / 2) {
    pen.beginPath();
    pen.moveTo(x, size);
    pen.lineTo(x + size, 0);
    pen.stroke();
  }
  return context.createPattern(tile, "repeat")!;
}
