// What the theatre of a run is fed with every message, and what it keeps of them.

import type { Numbers } from "../../../browser/shared/message";
import type { Moment, MomentsHeader, PickedHeader, ProbesHeader } from "../../../browser/theatre/data";
import type { Line, Point } from "../../../browser/theatre/curve";
import { fixed, formatShare } from "../../../browser/shared/numbers";

export type Wish = "pause" | "go_on" | "step" | "stop" | "resume";
export interface Header extends ProbesHeader {
  /** Of the run and the layer: what was kept under another key is another run's. */
  key: string;
  /** Moments of this message, and how many came before them. */
  run: MomentsHeader;
  since: number;
  /** After how many updates all moments are that there are now. */
  all: number[];
  /** Updates that are planned, or were made; and those made so far. */
  span: number;
  made: number;
  state: string;
  /** What somebody may ask of the training now. */
  wishes: Wish[];
  /** Whether it begins to play by itself. */
  plays: boolean;
  opens: boolean;
  report: number;
  /** The tensor that is drawn in place of the attention. */
  picked: PickedHeader | null;
  /** What can be; null where it was said before. */
  pickable: { values: string[]; parameters: string[] } | null;
}
type Live = "none" | "follows" | "paused";

/** Whether updates are being made, or could be by a click. */
export function liveOf({ state }: Header): Live {
  if (state === "training" || state === "starting") return "follows";
  return state === "paused" ? "paused" : "none";
}

/** Moments that have arrived, in their order; `have` of them lie without a gap. */
export class Arrived {
  key = "";
  moments: Moment[] = [];

  /** Take the moments of a message; whether some between are missing, which Python is to send again. */
  take(key: string, since: number, all: number[], moments: Moment[]): boolean {
    if (key !== this.key) this.moments = [];
    this.key = key;
    if (since > this.moments.length) return true;
    this.moments = [...this.moments.slice(0, since), ...moments];
    // A training that was resumed has made some of them again.
    const kept = this.moments.findIndex(({ updates }, i) => updates !== all[i]);
    if (kept >= 0) this.moments = this.moments.slice(0, kept);
    return kept >= 0;
  }
}

/** The lines of the curve: the loss of the batches, smoothed, and the share of exact answers. */
export function linesOf(loss: Numbers, exact: Numbers): Line[] {
  const column = (numbers: Numbers, at: number): Point[] =>
    Array.from(
      { length: numbers.shape[0] },
      (_, i) => [numbers[i * numbers.shape[1]], numbers[i * numbers.shape[1] + at]] as const,
    );
  const lines: Line[] = [
    { points: column(loss, 1), axis: "left", tone: "line2", width: 1 },
    {
      points: column(loss, 2),
      axis: "left",
      tone: "ink",
      width: 2.2,
      name: "loss",
      write: (value) => fixed(value, 3),
    },
  ];
  if (exact.shape[0])
    lines.push({
      points: column(exact, 1),
      axis: "right",
      tone: "link",
      width: 2,
      dash: "5 3",
      marks: "ring",
      name: "exact",
      write: formatShare,
    });
  return lines;
}
