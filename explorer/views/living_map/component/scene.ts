// What all drawing looks at: the run, where things stand, the moment, and what somebody points at.

import type { Pen } from "../../../browser/shared/pen";
import type { Layout } from "./layout";
import type { Run, Side, Sublayer } from "./run";
import type { Tiles } from "./tiles";
import { ENCODER, encoderSchedule, stepSchedule } from "./timeline";
import type { Moment, Schedule } from "./timeline";

/** A weight of one query and one key, of one head or of all. */
export interface Cell {
  sub: Sublayer;
  row: number;
  column: number;
  head: number | null;
}
/** What is pointed at, or has the focus. */
export interface Pointed {
  side?: Side;
  token?: number;
  block?: string;
  cell?: Cell;
}

export interface Scene {
  run: Run;
  layout: Layout;
  tiles: Tiles;
  pen: Pen;
  hatch: CanvasPattern;
  encoder: Schedule;
  step: Schedule;
  at: Moment;
  pointed: Pointed | null;
  chosen: Cell | null;
  /** Whether somebody is asked what the step read: until they have answered the picture does not tell. */
  isAsking: boolean;
}

export function schedulesOf(run: Run): { encoder: Schedule; step: Schedule } {
  return { encoder: encoderSchedule(run.encoder), step: stepSchedule(run.decoder) };
}
export function scheduleNow(scene: Scene): Schedule {
  return scene.at.step === ENCODER ? scene.encoder : scene.step;
}
/** The lane that a side's run is at; none of the source's in particular. */
export function isNow(scene: Scene, side: Side, token: number): boolean {
  return side === "target" && token === scene.at.step;
}

/** The tokens that are lit by what is pointed at, on a side. */
export function isLit({ run, pointed }: Scene, side: Side, token: number): boolean {
  if (!pointed) return false;
  if (pointed.side === side && pointed.token === token) return true;
  const { cell } = pointed;
  if (!cell) return false;
  return (
    (run.stackOf(cell.sub).side === side && cell.row === token) ||
    (run.keySide(cell.sub) === side && cell.column === token)
  );
}

/** The source token that the step reads most, once its last cross-attention has answered; null before. */
export function mostRead({ run, at, step, isAsking }: Scene): number | null {
  if (at.step === ENCODER || isAsking) return null;
  const last = run.crossing.at(-1)!;
  return at.ms < step.sublayers[run.decoder.sublayers.indexOf(last)][1] ? null : run.reading(at.step).place;
}
