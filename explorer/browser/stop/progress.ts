// How many stages are done at a share of the play, the last one in part.

/** Spans without length are done as soon as they begin; all are done at the end. */
export function stagesDone(
  stages: string[],
  spans: Record<string, readonly [from: number, to: number]>,
  share: number,
): number {
  if (share >= 1) return stages.length;
  let done = 0;
  for (const [i, key] of stages.entries()) {
    const [from, to] = spans[key] ?? [0, 0];
    if (share < from) break;
    done = i + (to > from ? Math.min(1, (share - from) / (to - from)) : 1);
  }
  return done;
}
