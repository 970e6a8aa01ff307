// The sentence on the cell that is looked at, and what can be asked of it.

import { button, el, explainButton, setText } from "../shared/elements";
import { setHidden } from "../shared/focus";
import { mathWords } from "../shared/math";
import type { Reading } from "./words";

export class Readout {
  readonly node: HTMLElement;
  private readonly before = new Formula();
  private readonly first = el("b");
  private readonly between = new Formula();
  private readonly second = el("b");
  private readonly after = new Formula();
  private readonly value = el("b");
  private readonly index = el("code");
  private readonly explain: HTMLButtonElement;
  private readonly open: HTMLButtonElement;
  private readonly sentence: HTMLElement;

  /** heir: what has the focus next where this loses it. */
  constructor(private readonly heir: HTMLElement, ask: () => void, toggleTable: () => void) {
    this.explain = explainButton(ask, { "data-focus": "explain" });
    this.open = button({ class: "link", "data-focus": "table" }, toggleTable);
    this.sentence = el("p", { class: "sentence" }, this.before.node, this.first, this.between.node, this.second, this.after.node, this.value, " ", this.index);
    this.node = el("div", { class: "readout" }, this.sentence, el("p", { class: "actions" }, this.explain, this.open));
  }

  /** reading: null where there is no number at all. */
  show(reading: Reading | null, isAskable: boolean): void {
    this.sentence.classList.toggle("blank", !reading);
    this.explain.disabled = !reading;
    setHidden(this.explain, reading !== null && !isAskable, this.heir);
    if (!reading) return;
    this.before.show(reading.before);
    this.between.show(reading.between);
    this.after.show(reading.after);
    setText(this.first, reading.first);
    setText(this.second, reading.second);
    setText(this.value, reading.value);
    setText(this.index, reading.index);
    [this.first.className, this.second.className] = reading.tones;
  }

  showTabled(isTabled: boolean): void {
    setText(this.open, isTabled ? "Hide table" : "Table");
    this.open.setAttribute("aria-expanded", String(isTabled));
  }
}

/** Plain text as formulas are read, in an element that stays. */
class Formula {
  readonly node = el("span");
  private shown = "";

  show(text: string): void {
    if (this.shown === text) return;
    this.shown = text;
    this.node.replaceChildren(...mathWords("span", text).childNodes);
  }
}
