// Plays the stages of a stop for the lit row: a time from 0 to the end, at the speed of the bar.

import { stagesDone } from "./progress";
import type { Picture } from "./board";
import type { Model } from "./model";

const LENGTH = 4500,
  LONGEST_FRAME = 60;

export class Player {
  ms = LENGTH;
  isPlaying = false;
  speed = 1;
  private before = 0;
  private frame = 0;

  /** draw: called for each frame; ended: once the row is complete. */
  constructor(
    private readonly draw: () => void,
    private readonly ended: () => void,
  ) {}

  get isOver(): boolean {
    return this.ms >= LENGTH;
  }
  progress(model: Model, picture: Picture): number {
    const keys = model.header.stages.map(({ key }) => key),
      share = this.ms / LENGTH;
    return picture.spans ? stagesDone(keys, picture.spans, share) : keys.length * Math.min(1, share);
  }

  toggle(): void {
    if (this.isPlaying) return this.stop();
    this.ms = this.isOver ? 0 : this.ms;
    this.isPlaying = true;
    this.before = 0;
    return this.next();
  }

  stop(): void {
    this.isPlaying = false;
    cancelAnimationFrame(this.frame);
  }

  /** The row is complete. */
  finish(): void {
    this.stop();
    this.ms = LENGTH;
  }

  private next(): void {
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }
  private tick(now: number): void {
    if (!this.isPlaying) return;
    this.ms += (this.before ? Math.min(LONGEST_FRAME, now - this.before) : 16) * this.speed;
    this.before = now;
    const isOver = this.isOver;
    if (isOver) this.finish();
    this.draw();
    if (isOver) this.ended();
    else this.next();
  }
}
