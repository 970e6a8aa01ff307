// The sentence on the cell that is looked at, and what can be asked of it.

import { button, el, explainButton, setText, words } from "../shared/elements";
import { setHidden } from "../shared/focus";
import { mathWords } from "../shared/math";
import type { Reading } from "../shared/tensors";

export class Readout {
  readonly node: HTMLElement;
  private readonly sentence = el("p", { class: "sentence" });
  private said = "";
  private readonly explain: HTMLButtonElement;
  private readonly open: HTMLButtonElement;

  /** heir: what has the focus next where this loses it. */
  constructor(
    private readonly heir: HTMLElement,
    ask: () => void,
    toggleTable: () => void,
  ) {
    this.explain = explainButton(ask, { "data-focus": "explain" });
    this.open = button({ class: "link", "data-focus": "table" }, toggleTable);
    this.node = el(
      "div",
      { class: "readout" },
      this.sentence,
      el("p", { class: "actions" }, this.explain, this.open),
    );
  }

  /** reading: null where there is no number at all. */
  show(reading: Reading | null, isAskable: boolean): void {
    this.sentence.classList.toggle("blank", !reading);
    this.explain.disabled = !reading;
    setHidden(this.explain, reading !== null && !isAskable, this.heir);
    const said = JSON.stringify(reading);
    if (!reading || said === this.said) return;
    this.said = said;
    this.sentence.replaceChildren(...piecesOf(reading));
  }

  showTabled(isTabled: boolean): void {
    setText(this.open, isTabled ? "Hide table" : "Table");
    this.open.setAttribute("aria-expanded", String(isTabled));
  }
}

function piecesOf({
  before,
  first,
  between,
  second,
  after,
  value,
  place,
  tones,
}: Reading): (Node | string)[] {
  return [
    mathWords("span", before),
    words("b", first, tones[0]),
    mathWords("span", between),
    words("b", second, tones[1]),
    mathWords("span", after),
    words("b", value),
    " ",
    words("code", place),
  ];
}
