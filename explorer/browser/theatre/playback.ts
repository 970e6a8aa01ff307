// Plays kept moments, one after the other, in the browser alone; at the end it stops on the last one.

import type { Segment } from "../shared/segments";

/** Milliseconds that a moment stands at speed 1. */
export const MOMENT_MS = 340;
/** Speeds that are offered. */
export const SPEEDS: readonly Segment<number>[] = [
  [0.5, "½×"],
  [1, "1×"],
  [2, "2×"],
];

/** What runs out after some time, so that a test needs no clock. */
export interface Clock {
  after(ms: number, act: () => void): () => void;
}
const WINDOW: Clock = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

export class Playback {
  /** Place of the moment that is shown. */
  at = 0;
  speed = 1;
  isPlaying = false;
  /** Whether the newest moment is shown as soon as it is there. */
  follows = false;
  private count = 0;
  private expected = 0;
  private waits = false;
  private cancel: () => void = () => undefined;

  /** show: called whenever another moment is shown, or playing begins or ends. */
  constructor(
    private readonly show: () => void,
    private readonly clock: Clock = WINDOW,
  ) {}

  get last(): number {
    return Math.max(0, this.count - 1);
  }

  /**
   * So many moments are there now, of as many as are expected: playing waits for those that are missing. While the newest is
   * followed, what has come since is shown one by one, the first of it at once.
   */
  grow(count: number, expected = count): void {
    this.count = count;
    this.expected = expected;
    if (this.at > this.last) this.at = this.last;
    if (this.waits || (this.follows && this.at < this.last && !this.isPlaying)) this.next();
  }

  /** Show one moment, and play no further. */
  go(place: number): void {
    this.halt();
    this.at = Math.max(0, Math.min(this.last, place));
    this.show();
  }

  /** From here to the end; from the beginning where this is the end. */
  play(): void {
    if (this.at >= this.last) this.at = 0;
    this.run();
    this.show();
  }

  pause(): void {
    this.halt();
    this.show();
  }

  private run(): void {
    this.cancel();
    this.isPlaying = true;
    this.waits = false;
    this.cancel = this.clock.after(MOMENT_MS / this.speed, () => this.next());
  }

  private next(): void {
    if (this.at < this.last) this.at += 1;
    if (this.at < this.last) this.run();
    else if (this.isPlaying && this.count < this.expected) this.waits = true;
    else this.halt();
    this.show();
  }

  halt(): void {
    this.cancel();
    this.isPlaying = this.waits = false;
  }
}
