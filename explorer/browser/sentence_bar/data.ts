// What Python sends to the bar of the sentence.

import { readPayload } from "../shared/message";

export type Mode = "word" | "cased_word" | "character" | "morpheme" | "bpe";
/** A source to begin with: what it is called, and what it is there for. */
export interface Example {
  title: string;
  source: string;
  why: string;
}
/** Whether an output is right. should: tokens of the right answer, where the output is another one; missing: which of these
 *  it lacks in their place; wrong: which of its own are not those of the answer. */
export interface Judged {
  verdict: "right" | "wrong" | "unknown";
  label: string;
  should: string[];
  missing: boolean[];
  wrong: boolean[];
}
/** What the model wrote, and the step that the visitor is at. `greedy` is what it writes by itself. */
export interface Output {
  tokens: string[];
  probs: number[];
  forced: boolean[];
  greedy: string[];
  step: number;
  judged: Judged | null;
}

/** What is changed in the model; is_compared: whether the open page compares it with the trained one. */
export interface Changed {
  words: string;
  n_changes: number;
  is_compared: boolean;
}

/** What is sent as it is. */
interface Header {
  key: string;
  label: string;
  placeholder: string;
  value: string;
  value_id: string;
  mode: Mode;
  exact_spaces: boolean;
  reads_unknown: boolean;
  unit: string;
  max_tokens: number;
  max_characters: number;
  message: string;
  reference: string;
  examples: Example[];
  output: Output | null;
  changed: Changed | null;
  submitted: number;
  report: number;
}
/** What the model's tokenizer knows; it travels by itself where it is large. */
export interface Vocabulary {
  words: string[];
  replacements: Record<string, string>;
  merges: [string, string][];
}
export type BarData = Header & Vocabulary;

/** The whole message. */
export function readBar(bytes: Uint8Array): BarData {
  const {
    header,
    arrays: { vocabulary: packed },
  } = readPayload<Header>(bytes);
  const text = new TextDecoder().decode(new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength));
  return { ...header, ...(JSON.parse(text) as Vocabulary) };
}
