// One time for several trainings: the updates after which any of them can be looked at.

import type { Moment } from "../../../browser/theatre/data";

/**
 * After how many updates the arms can be compared, ascending: up to the newest moment of the slowest. An arm that has
 * none yet, or that has failed, keeps no other one waiting.
 */
export function timesOf(arms: { moments: Moment[]; hasFailed: boolean }[]): number[] {
  const known = arms.filter(({ moments }) => moments.length > 0).map(({ moments, hasFailed }) => ({ updates: moments.map(({ updates }) => updates), hasFailed }));
  const going = known.filter(({ hasFailed }) => !hasFailed), slowest = Math.min(...(going.length ? going : known).map(({ updates }) => updates.at(-1)!));
  return [...new Set(known.flatMap(({ updates }) => updates))].filter((updates) => updates <= slowest).sort((a, b) => a - b);
}

/** The newest moment of an arm up to so many updates; null before its first. */
export function momentAt(moments: Moment[], updates: number): Moment | null {
  return moments.filter((each) => each.updates <= updates).at(-1) ?? null;
}
