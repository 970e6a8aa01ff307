// Cells of a picture in which something can be written: names of rows, small numbers, answers.

import { el, layOver } from "../shared/elements";
import { isShortcut } from "../shared/keys";
import { shownIn } from "./board";
import type { Board, Part } from "./board";
import type { Entry } from "./data";
import type { Model } from "./model";

const REST_MS = 250;
const FORMS = { name: /\S/, number: /^\s*[-−+]?\d\s*$/, answer: /^\s*([-−+]?(\d+([.,]\d*)?|[.,]\d+))?\s*$/ };
/** What is on its way to a number. */
const BEGUN = /^\s*[-−+]?\s*$/;

export type Cell = [tensor: string, row: number, column: number, text: string];

export class Entries {
  readonly node = el("div", { class: "entries" });
  /** What is wrong with the text that cannot be used, in a sentence; empty for nothing. */
  problem = "";
  private readonly inputs = new Map<string, HTMLInputElement>();
  private readonly held = new Map<string, Entry>();
  private readonly waiting = new Map<string, { cell: Cell; report: number }>();
  private rest: ReturnType<typeof setTimeout> | undefined;

  /** tell: reports all that Python does not know of and gives the number of the report; changed: a problem came or went; at: a cell that is written in, or none. */
  constructor(
    private readonly tell: (cells: Cell[]) => number,
    private readonly changed: () => void,
    private readonly at: (entry: Entry | null) => void,
  ) {
    this.node.addEventListener("keydown", (event) => this.onKey(event));
    this.node.addEventListener("input", (event) => this.onInput(event.target as HTMLInputElement));
    this.node.addEventListener("change", (event) => this.onChange(event.target as HTMLInputElement));
    this.node.addEventListener("focusin", (event) => this.onFocus(event.target as HTMLInputElement));
    this.node.addEventListener("focusout", () => this.at(null));
  }

  /** heard: the number of the last report that the message knows of. */
  draw(model: Model, board: Board, heard: number): void {
    const { entries } = model.header,
      there = new Set(entries.map(keyOf));
    for (const [key, { report }] of this.waiting) if (report && report <= heard) this.waiting.delete(key);
    for (const [key, input] of this.inputs) if (!there.has(key)) this.forget(key, input);
    for (const entry of entries) {
      const part = board.parts.find(({ versions }) => versions[0].tensor === entry.tensor);
      if (part) this.place(entry, part, model);
    }
    this.node.hidden = !entries.length;
  }

  dispose(): void {
    clearTimeout(this.rest);
  }

  private forget(key: string, input: HTMLInputElement): void {
    input.remove();
    this.inputs.delete(key);
    this.held.delete(key);
  }

  private place(entry: Entry, part: Part, model: Model): void {
    const key = keyOf(entry),
      input = this.inputs.get(key) ?? this.build(key, entry),
      { rows, columns } = shownIn(model, part),
      [width, height] = part.cell;
    const y = part.y + rows.indexOf(entry.row) * height,
      isName = entry.column < 0,
      wide = Math.min(part.x - 8, 116),
      x = isName ? part.x - wide - 6 : part.x + columns.indexOf(entry.column) * width;
    layOver(input, { x, y, width: (isName ? wide : width) - 1, height: height - 1 });
    input.setAttribute("aria-label", entry.label + (entry.state ? `, ${entry.state}` : ""));
    input.dataset.state = entry.state;
    const before = this.held.get(key);
    this.held.set(key, entry);
    // What somebody is writing, or what cannot be used, stays until Python says something else.
    if (before?.text !== entry.text && !this.waiting.has(key)) this.write(input, entry.text);
  }

  private build(key: string, { kind }: Entry): HTMLInputElement {
    const input = el("input", {
      type: "text",
      class: kind,
      "data-cell": key,
      autocomplete: "off",
      spellcheck: "false",
      maxlength: kind === "name" ? 16 : 12,
    });
    this.inputs.set(key, input);
    this.node.append(input);
    return input;
  }

  private onFocus(input: HTMLInputElement): void {
    input.select();
    this.at(this.held.get(input.dataset.cell!) ?? null);
  }

  private write(input: HTMLInputElement, text: string): void {
    input.value = text;
    this.judge(input, false);
  }

  /** Says whether a text can be used; what is still on its way is not refused before it is left. */
  private judge(input: HTMLInputElement, isLeft: boolean): boolean {
    const entry = this.held.get(input.dataset.cell!),
      isUsable = entry !== undefined && FORMS[entry.kind].test(input.value),
      isRefused = !isUsable && (isLeft || !BEGUN.test(input.value));
    const problem = isRefused && entry ? problemOf(entry, input.value) : "";
    if (isRefused) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    const others = [...this.inputs.values()].find(
        (each) => each !== input && each.hasAttribute("aria-invalid"),
      ),
      other = others && this.held.get(others.dataset.cell!);
    this.problem = problem || (other ? problemOf(other, others.value) : "");
    this.changed();
    return isUsable;
  }

  private onInput(input: HTMLInputElement): void {
    const isUsable = this.judge(input, false),
      { kind } = this.held.get(input.dataset.cell!)!;
    // An answer is judged when it is whole, not after each of its digits.
    if (isUsable && kind !== "answer") this.keep(input, REST_MS);
  }

  private onChange(input: HTMLInputElement): void {
    if (this.judge(input, true)) this.keep(input, 0);
  }

  private keep(input: HTMLInputElement, wait: number): void {
    const key = input.dataset.cell!,
      entry = this.held.get(key)!,
      text = input.value.trim(),
      before = this.waiting.get(key)?.cell[3] ?? entry.text;
    if (text === before) return;
    this.waiting.set(key, { cell: [entry.tensor, entry.row, entry.column, text], report: 0 });
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.send(), wait);
  }

  private send(): void {
    const waiting = [...this.waiting.values()],
      report = this.tell(waiting.map(({ cell }) => cell));
    for (const each of waiting) each.report = report;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Tab" || isShortcut(event) || event.isComposing) return;
    // Letters that are keys of the page are letters here.
    event.stopPropagation();
    const input = event.target as HTMLInputElement,
      { selectionStart: from, selectionEnd: to, value } = input,
      isAll = from === 0 && to === value.length;
    const steps: Record<string, [number, number] | false> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      Enter: [1, 0],
      ArrowLeft: (isAll || to === 0) && [0, -1],
      ArrowRight: (isAll || from === value.length) && [0, 1],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    this.go(input, step);
  }

  /** To the cell beside, of the same matrix. */
  private go(input: HTMLInputElement, [down, across]: [number, number]): void {
    const { tensor, row, column } = this.held.get(input.dataset.cell!)!,
      beside = this.inputs.get(keyOf({ tensor, row: row + down, column: column + across }));
    // At the edge an answer is given nevertheless.
    input.blur();
    (beside ?? input).focus();
  }
}

function keyOf({ tensor, row, column }: Pick<Entry, "tensor" | "row" | "column">): string {
  return `${tensor}-${row}-${column}`;
}

function problemOf({ kind, label, text }: Entry, typed: string): string {
  if (kind === "name") return `${label}: a token needs a name; “${text}” still stands.`;
  if (kind === "answer") return `${label}: “${typed}” is not a number; write it like 0.67.`;
  return `${label}: ${typed.trim() ? `“${typed.trim()}” is` : "an empty cell is"} no whole number from −9 to 9; ${text.replace("-", "−")} still counts.`;
}
