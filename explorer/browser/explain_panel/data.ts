// An explanation as its message tells it. Numbers are text already: nothing is computed here.

export interface Cell { site: string; index: number[] }
/** role: whose colour it has; of a token that of its side, empty for words. */
export interface Words { text: string; role: string }
/** exact: with all digits. cell: where it is explained; null for a constant. */
export interface Operand { symbol: string; text: string; exact: string; role: string; cell: Cell | null }
/**
 * One term of a sum, or part of a formula.
 *
 * place: what tells it from the others. share: the length of its bar, -1 to 1. rank: by size, from 0.
 * own: whether the explained number belongs to this very term.
 */
export interface Term {
  place: string; token: Words; numbers: Operand[]; value: string; exact: string; share: number; rank: number;
  sumByPlace: string; sumBySize: string; own: boolean;
}
interface Crumb { text: string; place: number | null }
interface Use { text: string; cell: Cell | null; site: string; block: string }
interface Column { text: string; under: string; role: string }

/** What a term and an operand are on their way: lists, since hundreds of terms would be three times as long with names. */
type PackedOperand = [symbol: string, text: string, exact: string, role: string, cell: [site: string, ...index: number[]] | null];
type PackedTerm = [place: string, token: [text: string, role: string], numbers: PackedOperand[], value: string, exact: string,
  share: number, rank: number, sumByPlace: string, sumBySize: string, own: boolean];

/** What travels as it is; explorer/browser/explain_panel says what each part means. */
interface Plain {
  key: string; crumbs: Crumb[]; problem: string; words: Words[]; value: string; exact: string;
  site: string; index: string; shape: string; formula: boolean; numbers: boolean; note: string;
  layout: "terms" | "parts" | "none"; letter: string; columns: Column[]; value_name: string;
  n_terms: number; rest: string; n_rest: number; total: string; factor: string; result: string;
  recorded: string; difference: string; agrees: boolean; used_by: Use[]; page: string; page_title: string; code: string;
  many: number; largest: number;
}
export interface Packed extends Plain { terms: PackedTerm[]; selected_by: PackedOperand | null }
export interface Explanation extends Plain { terms: Term[]; selected_by: Operand | null }

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

function readTerm([place, [text, role], numbers, value, exact, share, rank, sumByPlace, sumBySize, own]: PackedTerm): Term {
  return { place, token: { text, role }, numbers: numbers.map(readOperand), value, exact, share, rank, sumByPlace, sumBySize, own };
}

function readOperand([symbol, text, exact, role, cell]: PackedOperand): Operand {
  if (!cell) return { symbol, text, exact, role, cell };
  const [site, ...index] = cell;
  return { symbol, text, exact, role, cell: { site, index } };
}
