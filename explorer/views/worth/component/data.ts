// What the view is fed: figures of every part, and the sentences that need each most.

import { fixed } from "../../../browser/shared/numbers";
import type { Payload } from "../../../browser/shared/message";

export type Place = "gold" | "previous" | "next" | "rest";
export const PLACES: Place[] = ["gold", "previous", "next", "rest"];
export type Order = "place" | "loss" | "exact" | Place;
export interface Looked {
  order: Order;
  chosen: number | null;
}
interface Named {
  row: string;
  layer: number;
  number: number;
  name: string;
}
export interface Header {
  key: string;
  parts: Named[];
  roles: (Place | "")[];
  places: Place[];
  titles: string[];
  rule: string;
  no_gold: string;
  split: string;
  n_pairs: number;
  n_planned: number;
  n_available: number;
  n_exact: number;
  loss: number;
  source_unit: string;
  target_unit: string;
  changed: boolean;
  python: string;
  tokens: string[];
  looked: Looked;
  report: number;
}
/** A figure with its 95 % confidence interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}
/** What a part costs one sentence: rises of the losses of its reference's tokens, and what is most probable without it. */
export interface Strongest {
  /** Its place among the pairs that were measured. */
  row: number;
  source: string[];
  reference: string[];
  best: string[];
  losses: number[];
  cost: number;
  exact: boolean;
}
export interface Part extends Named {
  index: number;
  loss: Estimate;
  exact: Estimate;
  /** Shares of its rows by place; null where it cannot look there. Of a neuron there are none. */
  shares: Record<Place, number | null>;
  role: Place | "";
  /** What it is called after its role; of a neuron nothing. */
  title: string;
  strongest: Strongest[];
}

/** The parts of a message, in the order of the model. */
export function partsOf({ header, arrays }: Payload<Header>): Part[] {
  const { estimates, shares } = arrays;
  const parts = header.parts.map((named, index): Part => {
    const [loss, lossLow, lossHigh, exact, exactLow, exactHigh] = estimates.subarray(
      6 * index,
      6 * index + 6,
    );
    const own = PLACES.map((place, i): [Place, number | null] => {
      const share = index < shares.shape[0] ? shares[PLACES.length * index + i] : -1;
      return [place, share < 0 ? null : share];
    });
    return {
      ...named,
      index,
      loss: { value: loss, low: lossLow, high: lossHigh },
      exact: { value: exact, low: exactLow, high: exactHigh },
      shares: Object.fromEntries(own) as Part["shares"],
      role: header.roles.at(index) ?? "",
      title: header.titles.at(index) ?? "",
      strongest: [],
    };
  });
  fill(parts, { header, arrays });
  return parts;
}

function fill(
  parts: Part[],
  { header: { tokens }, arrays: { rows, sizes, texts, losses } }: Pick<Payload<Header>, "header" | "arrays">,
): void {
  let text = 0,
    loss = 0;
  const take = (count: number) => Array.from(texts.subarray(text, (text += count)), (place) => tokens[place]);
  for (let i = 0; i < rows.shape[0]; i++) {
    const [nSource, nReference] = sizes.subarray(2 * i, 2 * i + 2);
    const rises = [...losses.subarray(loss, (loss += nReference))];
    parts[rows[3 * i]].strongest.push({
      row: rows[3 * i + 1],
      source: take(nSource),
      reference: take(nReference),
      best: take(nReference),
      losses: rises,
      cost: rises.reduce((sum, each) => sum + each, 0),
      exact: rises.length > 0 && rows[3 * i + 2] === 1,
    });
  }
}

/** The parts by a column, the largest first; those alike, and those that lack it, as they stand in the model. */
export function ordered(parts: Part[], order: Order): Part[] {
  const value = (part: Part) =>
    order === "place"
      ? 0
      : order === "loss"
        ? part.loss.value
        : order === "exact"
          ? part.exact.value
          : (part.shares[order] ?? -Infinity);
  const difference = (a: number, b: number) => (a === b ? 0 : b - a); // Also of two that are infinite.
  return [...parts].sort((a, b) => difference(value(a), value(b)) || a.index - b.index);
}

/** The part that is chosen, or else the one that is worth most. */
export function chosenOf(parts: Part[], { chosen }: Looked): Part {
  return (chosen === null ? undefined : parts.at(chosen)) ?? ordered(parts, "loss")[0];
}

/** What a part is called with the block that it stands in. */
export function whole({ name, row, layer }: Part): string {
  return row ? `${row}, layer ${layer}, ${name}` : name;
}

/** Decimals with which the largest loss of some parts has three digits. */
export function decimalsOf(parts: Part[]): number {
  const most = Math.max(...parts.map(({ loss }) => Math.abs(loss.value)));
  return most > 0 ? Math.min(8, Math.max(3, 2 - Math.floor(Math.log10(most)))) : 3;
}

/** By how much the loss rises without a part, with its interval. */
export function costText(part: Part, decimals: number, unit: string): string {
  const { value, low, high } = part.loss,
    rise = `${fixed(Math.abs(value), decimals)} nats a ${unit} ${value < 0 ? "lower" : "higher"}`,
    interval = `95 % confidence interval ${fixed(low, decimals)} to ${fixed(high, decimals)}`;
  return `${whole(part)}: without it the loss is ${rise}, ${interval}.`;
}

/** What a head's name says, with the share of rows by which it has it. */
export function roleText({ role, title, shares }: Part): string {
  if (!role) return "";
  const of = role === "gold" ? "gold rows" : "rows";
  return `${title}: ${fixed(shares[role] ?? 0, 2)} of ${of}`;
}
