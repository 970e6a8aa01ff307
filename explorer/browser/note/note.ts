// The note beside a picture: the choice of its depth, and the words at that depth.

import { copyButton } from "../explain_panel/parts";
import { showLead } from "../page_head/words";
import type { Head } from "../page_head/words";
import { pieceOf } from "../sentence_view/view";
import { el, words } from "../shared/elements";
import { comesFrom, isShortcut } from "../shared/keys";
import { formula } from "../shared/mathml";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import type { Component, View } from "../shared/mount";
import { Reports } from "../shared/reports";
import { themeOf } from "../shared/theme";
import { python } from "./python";
import sentenceCss from "../sentence_view/view.css";
import css from "./note.css";
import { styled } from "../shared/styles";

// Fields and lists take numbers themselves.
const TAKES_NUMBERS =
  "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]," +
  '[role="combobox"], [role="listbox"], [role="textbox"], [role="spinbutton"], [role="menu"]';

/** Formulas are MathML; a line has pieces between which it may go on in the next line. */
interface FormulaWords {
  kind: "formula";
  reference: string;
  sized_by: string;
  letters: string[][];
  sizes: string[][];
  symbols: [symbol: string, meaning: string][];
}
interface CodeWords {
  kind: "code";
  sources: { name: string; path: string; first: number; last: number; text: string }[];
  printed: string;
  snippet: string;
}
interface Sentences {
  kind: "sentences";
  pieces: [kind: string, text: string][];
}
interface Message {
  depth: string;
  depths: string[];
  lead: Head["lead"];
  said: Sentences | FormulaWords | CodeWords;
}

class Note implements View {
  private readonly tabs = el("div", {
    class: "depths",
    role: "radiogroup",
    "aria-label": "Depth of the words",
  });
  private readonly lead = el("p", { class: "lead" });
  private readonly said = el("div", { class: "said" });
  private readonly keys = el("p", { class: "keys" });
  private readonly reports = new Reports();
  private depths: string[] = [];
  private written = "";

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    root.replaceChildren(this.tabs, this.lead, this.said, this.keys);
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    this.tabs.addEventListener("keydown", (event) => this.onArrow(event), { signal });
  }

  update({ data, setStateValue }: Component): void {
    const { depth, depths, lead, said } = readJson<Message>(data);
    this.reports.through(setStateValue);
    this.root.dataset.look = themeOf(this.root);
    this.offer(depths, depth);
    showLead(this.lead, lead);
    // The same words stay, and with them the focus on one of their links.
    const written = JSON.stringify(said);
    if (written === this.written) return;
    this.written = written;
    this.said.replaceChildren(...buildWords(said));
  }

  private offer(depths: string[], chosen: string): void {
    if (depths.join() !== this.depths.join()) {
      this.depths = depths;
      this.tabs.replaceChildren(...depths.map((depth) => this.buildTab(depth)));
      this.keys.textContent = `Press 1 to ${depths.length}`;
    }
    for (const tab of this.tabs.children) {
      const isChosen = (tab as HTMLElement).dataset.depth === chosen;
      tab.setAttribute("aria-checked", String(isChosen));
      (tab as HTMLElement).tabIndex = isChosen ? 0 : -1;
    }
  }

  private buildTab(depth: string): HTMLElement {
    const text = depth[0].toUpperCase() + depth.slice(1),
      tab = el("button", { type: "button", role: "radio", "data-depth": depth, text });
    tab.addEventListener("click", () => this.choose(depth));
    return tab;
  }

  private choose(depth: string): void {
    this.reports.tell("depth", { depth });
  }

  private onArrow(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const tabs = [...this.tabs.children] as HTMLElement[],
      here = tabs.indexOf(event.target as HTMLElement);
    if (!step || here < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(here + step + tabs.length) % tabs.length];
    next.focus();
    this.choose(next.dataset.depth!);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.repeat || isShortcut(event) || event.shiftKey) return;
    if (!/^[1-9]$/.test(event.key) || comesFrom(event, TAKES_NUMBERS)) return;
    const depth = this.depths[Number(event.key) - 1];
    if (depth) this.choose(depth);
  }
}

function buildWords(said: Message["said"]): Node[] {
  if (said.kind === "sentences")
    return [el("p", { class: "sentence-view" }, ...said.pieces.map(([kind, text]) => pieceOf(kind, text)))];
  return said.kind === "formula" ? buildFormula(said) : buildCode(said);
}

function buildFormula(said: FormulaWords): Node[] {
  const symbols = said.symbols.map(([symbol, meaning]) => el("li", {}, formula(symbol), `: ${meaning}`));
  return [
    words("p", said.reference, "caption"),
    ...said.letters.map(buildLine),
    words("p", said.sized_by, "caption"),
    ...said.sizes.map(buildLine),
    el("ul", {}, ...symbols),
  ];
}

function buildLine(pieces: string[]): HTMLElement {
  return el("div", { class: "formula" }, ...pieces.map((piece) => formula(piece)));
}

function buildCode({ sources, printed, snippet }: CodeWords): Node[] {
  const functions = sources.flatMap(({ name, path, first, last, text }) => [
    el("p", { class: "caption" }, words("code", name), ` in ${path}, lines ${first} to ${last}`),
    buildLines(text),
  ]);
  return [
    ...functions,
    words("p", `Pasted into Python in the project’s folder, this prints ${printed}:`, "caption"),
    buildLines(snippet),
    copyButton(snippet),
  ];
}

function buildLines(text: string): HTMLElement {
  return el("pre", {}, el("code", {}, ...python(text)));
}

export default styled(
  mounted(".note", (root, signal) => new Note(root, signal)),
  sentenceCss,
  css,
);
