// Tokens as chips at both ends of their lanes.

import { laneAt } from "./layout";
import type { Band } from "./layout";
import type { Scene } from "./scene";

export type ChipKind = "source" | "target" | "now" | "later" | "most" | "forced";
const WORDS_FROM = 14,
  EVERY_OTHER = 13;

/** A chip between two ends; where lanes are too low for a frame its word stands alone. */
export function chip({ pen, layout }: Scene, token: string, u: number, v: number, kind: ChipKind): void {
  const { look } = pen,
    height = layout.pitch - (layout.pitch < WORDS_FROM ? 0 : 4);
  const forms: Record<
    ChipKind,
    { fill?: string; stroke: string; text: string; weight: number; width?: number; dash?: number[] }
  > = {
    source: { fill: look["source-tint"], stroke: look["source-line"], text: look.source, weight: 500 },
    most: { fill: look["source-tint"], stroke: look.source, text: look.source, weight: 650, width: 1.8 },
    target: { fill: look["target-tint"], stroke: look["target-line"], text: look.target, weight: 500 },
    now: { fill: look.target, stroke: look.target, text: look["on-target"], weight: 650 },
    later: { stroke: look.line, text: look.mute, weight: 400, dash: [3, 3] },
    forced: { fill: look.bg, stroke: look.ink, text: look.ink, weight: 650, width: 1.5, dash: [4, 3] },
  };
  const { text, weight, ...paint } = forms[kind];
  if (layout.pitch >= WORDS_FROM) pen.box(u + 0.5, v + 0.5, layout.chip - 1, height - 1, 6, paint);
  else if (kind === "now" || kind === "most")
    pen.box(u, v + (height - WORDS_FROM) / 2, layout.chip, WORDS_FROM, 4, paint);
  const size = layout.isPhone
    ? Math.min(12, layout.pitch * 0.34)
    : Math.min(13.5, Math.max(9.5, layout.pitch - 3));
  if (layout.isPhone && layout.pitch < 20) return;
  pen.text(token, u + layout.chip / 2, v + height / 2 + 0.5, text, {
    size,
    weight,
    align: "center",
    most: (layout.isPhone ? layout.pitch : layout.chip) - 4,
  });
}

/** The frame of an output that the model as it was trained does not write there, as *What if* frames it. */
export function otherwiseFrame({ pen, layout }: Scene, u: number, v: number): void {
  const isLow = layout.pitch < WORDS_FROM;
  pen.box(u + 1, v + 1, layout.chip - 2, layout.pitch - (isLow ? 2 : 6), 6, {
    stroke: pen.look.ink,
    width: 2,
  });
}

/** Where a chip of a lane stands across; null for a lane that is not there. */
export function chipAt({ layout }: Scene, band: Band, token: number): number | null {
  const v = laneAt(layout, band, token);
  return v === null ? null : v + (layout.pitch < WORDS_FROM ? 0 : 2);
}

/** Whether a lane's word is written where lanes are low: every second one, and those that are looked at. */
export function hasWord({ layout }: Scene, band: Band, token: number, isLooked: boolean): boolean {
  return isLooked || layout.pitch > EVERY_OTHER || (band.place.get(token) ?? 0) % 2 === 0;
}
