// What the theatre is fed: fixed sources with their right answers, and what the weights of each moment make of them.

import type { Codes, Numbers } from "../shared/message";
import type { Segment } from "../shared/segments";

/** Weights are whole numbers of two bytes: this one is a weight of 1. */
const ONE = 65_535;

/** A fixed source. Tokens end in EOS; `n_right` does not count it. `gold` names the source tokens behind each right one. */
export interface Probe {
  text: string;
  source: string[];
  right: string[];
  n_right: number;
  gold: number[][] | null;
  is_reference: boolean;
}
export interface ProbesHeader {
  unit: string;
  n_layers: number;
  n_heads: number;
  probes: Probe[];
}
/** What the weights of a moment write for a probe, without EOS; of a long output the beginning, `n` is its length. */
export interface Written {
  tokens: string[];
  n: number;
  stopped: boolean;
}
export interface MomentsHeader {
  layer: number;
  moments: { updates: number; kept: boolean; words: Written[] }[];
}

/** Weights from 0 to 1, row after row. */
export interface Grid {
  rows: number;
  columns: number;
  values: Float32Array;
}
/** One moment: of each probe what is written, P of each right token, and the weights of each head. */
export interface Moment {
  updates: number;
  kept: boolean;
  words: Written[];
  probabilities: Float32Array[];
  heads: Grid[][];
  picked?: Picked;
}

/** The moments of a message, by their path in it. */
export function readMoments(
  { probes, n_heads }: ProbesHeader,
  header: MomentsHeader,
  arrays: Record<string, Numbers>,
  codes: Record<string, Codes>,
  path: string,
): Moment[] {
  const all = arrays[`${path}.p`],
    bytes = codes[`${path}.w`];
  // A copy, because numbers of two bytes must start at an even place.
  const weights = new Uint16Array(bytes.slice().buffer),
    nRows = all.shape[1],
    nWeights = bytes.shape[1] / 2;
  return header.moments.map(({ updates, kept, words }, at) => {
    let row = at * nRows,
      cell = at * nWeights;
    const probabilities = probes.map(({ right }) => all.slice(row, (row += right.length)));
    const heads = probes.map(({ right, source }) =>
      Array.from({ length: n_heads }, () => ({
        rows: right.length,
        columns: source.length,
        values: Float32Array.from(
          weights.subarray(cell, (cell += right.length * source.length)),
          (each) => each / ONE,
        ),
      })),
    );
    return { updates, kept, words, probabilities, heads };
  });
}

/** Whether a moment is one of a run with these probes and heads; another run's cannot be drawn beside them. */
export function fits({ probes, n_heads }: ProbesHeader, { words, probabilities, heads }: Moment): boolean {
  const isOf = ({ source, right }: Probe, i: number): boolean =>
    probabilities[i].length === right.length &&
    heads[i].length === n_heads &&
    heads[i].every(({ rows, columns }) => rows === right.length && columns === source.length);
  return [words, probabilities, heads].every(({ length }) => length === probes.length) && probes.every(isOf);
}

/** The place of the first of the longest probes, which shows the most at first. */
export function longest(probes: readonly Probe[]): number {
  return probes.reduce((best, probe, i) => (probe.right.length > probes[best].right.length ? i : best), 0);
}

/** The layers of a decoder; with a single one there is nothing to choose. */
export function layersOf({ n_layers: count }: Pick<ProbesHeader, "n_layers">): Segment<number>[] {
  return count > 1 ? Array.from({ length: count }, (_, layer) => [layer, `layer ${layer}`] as const) : [];
}

/** The mean of some grids of one shape. */
export function mean(grids: Grid[]): Grid {
  const values = new Float32Array(grids[0].values.length);
  for (const grid of grids)
    grid.values.forEach((value, i) => {
      values[i] += value / grids.length;
    });
  return { ...grids[0], values };
}

/** One head's weights, or with -1 the mean over the heads. */
export function ofHead(heads: Grid[], head: number): Grid {
  return head < 0 ? mean(heads) : heads[head];
}

/** For each row its largest weight and where it is. */
export function largest({ rows, columns, values }: Grid): { column: number; value: number }[] {
  return Array.from({ length: rows }, (_, row) => {
    const of = values.subarray(row * columns, (row + 1) * columns);
    const value = Math.max(...of);
    return { column: of.indexOf(value), value };
  });
}

/** How many rows look most at a source token that the gold alignment names, of how many that it has; and the mean maximum. */
export function alignment(probe: Probe, grid: Grid): { on: number; of: number; maximum: number } {
  const tops = largest(grid),
    gold = (probe.gold ?? []).slice(0, grid.rows);
  const named = gold.map((places, row) => ({ places, row })).filter(({ places }) => places.length > 0);
  return {
    on: named.filter(({ places, row }) => places.includes(tops[row].column)).length,
    of: named.length,
    maximum: tops.reduce((sum, { value }) => sum + value, 0) / tops.length,
  };
}

/** A tensor in place of the attention: its name, the shape of the whole of it, and of what is sent [plane, row, column]. */
export interface PickedHeader {
  name: string;
  whole: number[];
  planes: [planes: number, rows: number, columns: number];
  updates: number[];
}
/** It at one moment. */
export interface Picked {
  name: string;
  whole: number[];
  planes: Grid[];
  lowest: number;
  highest: number;
}

/** The tensor at the moments of a message, by after how many updates they are. */
export function readPicked(
  header: PickedHeader,
  arrays: Record<string, Numbers>,
  codes: Record<string, Codes>,
  path: string,
): Map<number, Picked> {
  const {
      name,
      whole,
      planes: [nPlanes, rows, columns],
    } = header,
    limits = arrays[`${path}.limits`];
  const numbers = new Uint16Array(codes[`${path}.numbers`].slice().buffer),
    size = rows * columns;
  return new Map(
    header.updates.map((updates, at) => {
      const [lowest, highest] = limits.subarray(2 * at, 2 * at + 2);
      const planes = Array.from({ length: nPlanes }, (_, plane) => {
        const from = (at * nPlanes + plane) * size;
        return {
          rows,
          columns,
          values: Float32Array.from(
            numbers.subarray(from, from + size),
            (each) => lowest + (each / ONE) * (highest - lowest),
          ),
        };
      });
      return [updates, { name, whole, planes, lowest, highest }];
    }),
  );
}
