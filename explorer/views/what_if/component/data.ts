// What the view is fed.

export interface Token {
  text: string;
  prob: number;
  differs: boolean;
  moved: boolean;
}
export interface Output {
  name: string;
  note: string;
  tokens: Token[];
}
export interface Candidate {
  text: string;
  before: number;
  after: number;
}
/** The next token of one step, the decoder reading what the trained model writes; and what the changed one writes by itself. */
export interface Led {
  after: string;
  candidates: Candidate[];
  writes: string;
}
export interface MapRow {
  name: string;
  site: string;
  shares: (number | null)[];
  number: number;
}
export interface Panel {
  key: "encoder" | "cross" | "decoder";
  columns: string[];
  marked: boolean[];
  rows: MapRow[];
}
export interface Borrow {
  donor: string;
  pairs: { kind: string; text: string }[];
  problem: string;
  own: string;
  other: string;
  deciding?: number;
  panels: Panel[];
  lit: [row: number, position: number][];
}
export type PartKind = "head" | "whole" | "unit" | "position" | "mask";
export interface Part {
  label: string;
  kind: PartKind;
  fall: number;
  off: boolean;
  part: number;
}
export interface Off {
  rows: { name: string; cells: Part[] }[];
  computed: boolean;
}
export type Attention = "cross" | "self" | "encoder";
export type Side = "source" | "target";
export interface Row {
  attention: Attention;
  layer: number;
  n_layers: number;
  head: number | null;
  n_heads: number;
  query: number;
  queries: string[];
  side: Side;
  key_side: Side;
  keys: string[];
  trained: number[];
  now: number[];
  is_set: boolean;
}
export interface Bars {
  name: string;
  values: number[];
}
export interface Sum {
  value: number;
  bars: Bars[];
  used: number[];
}
/** What wrote a token; where: its place in words, if its text stands twice in the output. */
export interface Wrote {
  token: string;
  where: string;
  rival: string;
  alone: Sum;
  against: Sum;
  keys: string[];
  read: number[];
  layer: number;
  gold: number[] | null;
  errors: { read: number | null; used: number | null } | null;
}
export type Way = "borrow" | "off" | "row";
export interface Data {
  key: string;
  report: number;
  refusal: string;
  way: Way;
  step: number;
  rows: Output[];
  n_changes: number;
  can_explain: boolean;
  led: Led;
  wrote: Wrote;
  borrow?: Borrow;
  off?: Off;
  row?: Row;
}

/** Tells Python what was done. */
export type Tell = (name: string, what: object) => void;

/**
 * A row of weights of which one has another value: the others keep their ratios and give way, so that the sum stays 1.
 * Where they were all 0 they share what is left.
 */
export function movedRow(weights: number[], place: number, value: number): number[] {
  const to = Math.min(1, Math.max(0, value)),
    rest = weights.reduce((sum, each, k) => (k === place ? sum : sum + each), 0);
  const others = weights.length - 1;
  if (!others) return [1];
  return weights.map((each, k) =>
    k === place ? to : rest > 1e-9 ? (each * (1 - to)) / rest : (1 - to) / others,
  );
}
