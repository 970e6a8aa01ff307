// One time for several trainings: the updates after which any of them can be looked at.

import type { Moment } from "../../../browser/theatre/data";

/**
 * After how many updates the arms can be compared, ascending: up to the newest moment of the slowest that is awaited,
 * or of any where none is.
 */
export function timesOf(arms: { moments: Moment[]; awaited: boolean }[]): number[] {
  const known = arms.map(({ moments, awaited }) => ({
    updates: moments.map(({ updates }) => updates),
    awaited,
  }));
  const end = Math.min(...known.filter(({ awaited }) => awaited).map(({ updates }) => updates.at(-1) ?? -1));
  return [...new Set(known.flatMap(({ updates }) => updates))]
    .filter((updates) => updates <= end)
    .sort((a, b) => a - b);
}

/** The newest moment of an arm up to so many updates; null before its first. */
export function momentAt(moments: Moment[], updates: number): Moment | null {
  return moments.filter((each) => each.updates <= updates).at(-1) ?? null;
}

/** The moments of an arm that there are now, ascending: those that were here, and those that a message brings. */
export function merged(here: Moment[], come: Moment[], all: number[]): Moment[] {
  const known = new Map([...here, ...come].map((moment) => [moment.updates, moment]));
  return all.flatMap((updates) => known.get(updates) ?? []);
}
