// An explanation as its message tells it. Numbers are text already: nothing is computed here.

export interface Cell {
  site: string;
  index: number[];
}
/** role: whose colour it has; of a token that of its side, empty for words. */
export interface Words {
  text: string;
  role: string;
}
/**
 * exact: with all digits. cell: what is explained when it is followed, where it stands or what that only passes on.
 * at: where it stands. Both are null for a constant.
 */
export interface Operand {
  symbol: string;
  text: string;
  exact: string;
  role: string;
  cell: Cell | null;
  at: Cell | null;
}
/**
 * One term of a sum, or part of a formula.
 *
 * place: what tells it from the others. share: the length of its bar, -1 to 1. rank: by size, from 0.
 * own: whether the explained number belongs to this very term.
 */
export interface Term {
  place: string;
  token: Words;
  numbers: Operand[];
  value: string;
  exact: string;
  share: number;
  rank: number;
  own: boolean;
}
interface Crumb {
  text: string;
  place: number | null;
}
interface Use {
  text: string;
  cell: Cell | null;
  site: string;
  block: string;
}
interface Column {
  text: string;
  under: string;
  role: string;
}

/** explorer/browser/explain_panel says what each part means. */
export interface Explanation {
  key: string;
  crumbs: Crumb[];
  problem: string;
  words: Words[];
  value: string;
  exact: string;
  site: string;
  index: string;
  shape: string;
  formula: string;
  numbers: string;
  note: string;
  layout: "terms" | "parts" | "none";
  letter: string;
  columns: Column[];
  value_name: string;
  terms: Term[];
  n_terms: number;
  rests: [count: number, sum: string][];
  total: string;
  factor: string;
  result: string;
  selected_by: Operand | null;
  recorded: string;
  difference: string;
  agrees: boolean;
  used_by: Use[];
  page: string;
  page_title: string;
  code: string;
  largest: number;
}

// Terms and operands travel as lists, since hundreds of terms would be three times as long with names.
type PackedCell = [site: string, ...index: number[]] | null;
type PackedOperand = [
  symbol: string,
  text: string,
  exact: string,
  role: string,
  cell: PackedCell,
  at: PackedCell,
];
type PackedTerm = [
  place: string,
  token: [text: string, role: string],
  numbers: PackedOperand[],
  value: string,
  exact: string,
  share: number,
  rank: number,
  own: boolean,
];
export type Packed = Omit<Explanation, "terms" | "selected_by"> & {
  terms: PackedTerm[];
  selected_by: PackedOperand | null;
};

/** What can be done from the parts of the panel. */
export interface Actions {
  follow(cell: Cell): void;
  back(place: number): void;
  open(site: string): void;
}

/** The explanation of a message. */
export function readExplanation(packed: Packed): Explanation {
  const { selected_by: chosen } = packed;
  return { ...packed, terms: packed.terms.map(readTerm), selected_by: chosen && readOperand(chosen) };
}

function readTerm([place, [text, role], numbers, value, exact, share, rank, own]: PackedTerm): Term {
  return { place, token: { text, role }, numbers: numbers.map(readOperand), value, exact, share, rank, own };
}

function readOperand([symbol, text, exact, role, cell, at]: PackedOperand): Operand {
  return { symbol, text, exact, role, cell: readCell(cell), at: readCell(at ?? cell) };
}

function readCell(packed: PackedCell): Cell | null {
  if (!packed) return null;
  const [site, ...index] = packed;
  return { site, index };
}
