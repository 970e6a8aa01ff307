// When what moves: a step as it is played, in ms at its own speed. Every frame is a function of (step, ms), and nothing is
// kept between two frames, so that scrubbing, going back and pictures are exact.

import type { Lanes, Sublayer } from "./run";

export const ENCODER_MS = 4000,
  STEP_MS = 6000;
/** The step before the first one: the encoder's only run. */
export const ENCODER = -1;

export type Span = readonly [from: number, to: number];
/** A moment of the run; at the end of its step it is at rest. */
export interface Moment {
  step: number;
  ms: number;
}
/** When each part of a run moves. What a run does not have lasts no time, and lies behind its end. */
export interface Schedule {
  length: number;
  chip: Span;
  tokens: Span;
  positions: Span;
  sublayers: Span[];
  memory: Span;
  output: Span;
  drop: Span;
}
/** How far each stage of a sub-layer has come, from 0 to 1. */
export interface Stages {
  project: number;
  fill: number;
  mix: number;
  open: number;
  add: number;
}

const NEVER: Span = [Infinity, Infinity];
const ATTENTION: Record<string, Span> = {
  project: [0, 0.24],
  fill: [0.24, 0.6],
  mix: [0.6, 0.76],
  add: [0.76, 1],
};
const FEED_FORWARD: Record<string, Span> = { open: [0, 0.5], add: [0.5, 1] };

export function clamp(share: number): number {
  return share < 0 ? 0 : share > 1 ? 1 : share;
}
/** How far a time lies within a span, from 0 to 1. */
export function within(ms: number, [from, to]: Span): number {
  return from === Infinity ? 0 : clamp((ms - from) / (to - from));
}
export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}
/** For what moves from place to place. */
export function easeMove(share: number): number {
  return share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) ** 2;
}
/** For what appears. */
export function easeAppear(share: number): number {
  return 1 - (1 - share) ** 3;
}

export function lengthOf(step: number): number {
  return step === ENCODER ? ENCODER_MS : STEP_MS;
}
/** ms from the beginning of the whole run. */
export function timeOf({ step, ms }: Moment): number {
  return step === ENCODER ? ms : ENCODER_MS + step * STEP_MS + ms;
}
/** The moment at a time of the whole run; the end of a step is its own, not the next one's beginning. */
export function momentAt(time: number, steps: number): Moment {
  if (time <= ENCODER_MS) return { step: ENCODER, ms: Math.max(0, time) };
  const step = Math.min(steps - 1, Math.ceil((time - ENCODER_MS) / STEP_MS) - 1);
  return { step, ms: Math.min(STEP_MS, time - ENCODER_MS - step * STEP_MS) };
}

/** The encoder's run, all lanes at once. */
export function encoderSchedule(encoder: Lanes): Schedule {
  return {
    length: ENCODER_MS,
    chip: [0, 300],
    tokens: [300, 600],
    positions: [600, 900],
    sublayers: shares(encoder.sublayers, [900, 3600]),
    memory: [3600, 4000],
    output: NEVER,
    drop: NEVER,
  };
}

/** A step of the decoder, its newest lane alone. */
export function stepSchedule(decoder: Lanes): Schedule {
  return {
    length: STEP_MS,
    chip: [0, 400],
    tokens: [400, 650],
    positions: [650, 950],
    sublayers: shares(decoder.sublayers, [950, 5250]),
    memory: NEVER,
    output: [5250, 5750],
    drop: [5750, 6000],
  };
}

/** Divide a span: self-attention, cross-attention and feed-forward last as 5 to 6 to 3.5. */
function shares(sublayers: Sublayer[], [from, to]: Span): Span[] {
  const weights = sublayers.map(({ kind, crosses }) => (kind === "feed-forward" ? 3.5 : crosses ? 6 : 5));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let at = from;
  return weights.map((weight) => [at, (at += (weight / total) * (to - from))] as const);
}

const spansOf = ({ kind }: Sublayer): Record<string, Span> =>
  kind === "attention" ? ATTENTION : FEED_FORWARD;

/** How far the stages of a sub-layer have come. */
export function stagesAt(sub: Sublayer, span: Span, ms: number): Stages {
  const share = within(ms, span),
    stages = { project: 0, fill: 0, mix: 0, open: 0, add: 0 };
  return {
    ...stages,
    ...Object.fromEntries(Object.entries(spansOf(sub)).map(([name, each]) => [name, within(share, each)])),
  };
}

/** The moments of a run at which a stage is done: what Shift and an arrow go through. */
export function stillFrames(schedule: Schedule, { sublayers }: Lanes): number[] {
  const done = sublayers.flatMap((sub, i) => {
    const [from, to] = schedule.sublayers[i];
    return Object.values(spansOf(sub)).map(([, end]) => mix(from, to, end));
  });
  const output = schedule.output === NEVER ? [] : [schedule.output[1]];
  return [0, schedule.tokens[1], schedule.positions[1], ...done, ...output, schedule.length].map(Math.round);
}
