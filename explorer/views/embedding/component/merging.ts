// The merges of byte-pair encoding, one after the other.

import { button, el, svg, words } from "../../../browser/shared/elements";
import { actOn } from "../../../browser/shared/keys";
import { formatCount, plural } from "../../../browser/shared/numbers";
import { visible } from "../../../browser/shared/text";
import { mergedTokens } from "./data";
import type { Merge, MergingData } from "./data";

const ARROWS = {
  first: "M4 3v10M13 3L6 8l7 5z",
  back: "M12 3L4 8l8 5z",
  forward: "M4 3l8 5-8 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
};

export class Merging {
  readonly node: HTMLElement;
  private readonly last: number;
  private step = 0;
  private readonly pieces = el("ol", { class: "pieces merging", "aria-label": "Tokens at this step" });
  private readonly said = el("p", { class: "said", "aria-live": "polite" });
  private readonly slider: HTMLInputElement;
  private readonly buttons: HTMLElement[];
  private readonly list = el("ol", { class: "merges", "aria-label": "Merges of this text, in their order" });
  private readonly lines: HTMLElement[];

  constructor(private readonly merging: MergingData) {
    this.last = merging.steps.length;
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: this.last,
      step: 1,
      "aria-label": "Merges made so far",
    });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.buttons = [
      this.button("first", "Single characters", () => 0),
      this.button("back", "One merge back", () => this.step - 1),
      this.button("forward", "Next merge", () => this.step + 1),
      this.button("last", "All merges", () => this.last),
    ];
    this.lines = merging.steps.map((merge, index) => this.line(merge, index + 1));
    this.list.append(...this.lines.map((line) => el("li", {}, line)));
    this.node = this.card();
    this.node.addEventListener("keydown", (event) => this.onKey(event));
    this.draw();
  }

  private card(): HTMLElement {
    const { merging, pieces, said, last, list } = this,
      learned = plural(merging.n_merges, "merge");
    return el(
      "section",
      { class: "card", "aria-label": "Byte-pair merges" },
      el(
        "header",
        {},
        el(
          "div",
          {},
          words("h2", "How byte-pair encoding gets there"),
          words(
            "p",
            merging.own
              ? `the model's own tokenizer, which has learned ${learned}`
              : `learned for comparison from sources of this task: ${learned}; ▁ begins a word`,
          ),
        ),
      ),
      el(
        "div",
        { class: "stepper", role: "group", "aria-label": "Step through the merges" },
        ...this.buttons,
        this.slider,
      ),
      said,
      pieces,
      last
        ? el(
            "div",
            { class: "list" },
            words("p", "All merges of this text, each with its rank among the learned ones", "hint"),
            list,
          )
        : words("p", "No learned pair fits: every character stays a token.", "hint"),
    );
  }

  private button(name: keyof typeof ARROWS, label: string, move: () => number): HTMLElement {
    return button(
      { class: "move", "aria-label": label, title: label },
      () => this.go(move()),
      svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ARROWS[name] })),
    );
  }

  private line({ pair, rank, places }: Merge, step: number): HTMLElement {
    return button(
      {},
      () => this.go(step),
      words("span", rank, "rank"),
      pairText(pair),
      words("span", places.length > 1 ? `${places.length} times` : "", "times"),
    );
  }

  private go(to: number): void {
    this.step = Math.min(this.last, Math.max(0, to));
    this.draw();
  }

  private onKey(event: KeyboardEvent): void {
    const { step, last } = this,
      to = (place: number) => () => this.go(place);
    actOn(event, { ArrowLeft: to(step - 1), ArrowRight: to(step + 1), Home: to(0), End: to(last) });
  }

  private draw(): void {
    const { step, last, slider } = this,
      { tokens, made } = mergedTokens(this.merging, step);
    this.pieces.replaceChildren(
      ...tokens.map((token, place) =>
        el(
          "li",
          { class: token.startsWith("▁") ? "begins" : "" },
          words("span", visible(token), made.has(place) ? "box made" : "box"),
        ),
      ),
    );
    this.said.replaceChildren(...this.sentence(tokens.length));
    slider.value = String(step);
    slider.style.setProperty("--played", `${last ? (100 * step) / last : 0}%`);
    slider.setAttribute("aria-valuetext", `${step} of ${last} merges`);
    // aria-disabled, not disabled: a button that loses its focus would take the keyboard away with it.
    this.buttons.forEach((each, index) =>
      each.setAttribute("aria-disabled", String(step === (index < 2 ? 0 : last))),
    );
    this.mark();
  }

  private sentence(nTokens: number): (Node | string)[] {
    const { step, last, merging } = this,
      count = formatCount(merging.n_merges);
    if (!step) return [`${plural(nTokens, "single character")}, before any of the ${plural(last, "merge")}.`];
    const { pair, rank } = merging.steps[step - 1];
    return [
      `Merge ${step} of ${last}: `,
      pairText(pair),
      `, rank ${rank} of ${count}, leaves ${plural(nTokens, "token")}. The lowest rank that fits always goes first.`,
    ];
  }

  /** Shows in the list which merges are done. */
  private mark(): void {
    const { step, list, lines } = this,
      current = lines.at(step - 1);
    lines.forEach((line, index) => {
      line.classList.toggle("done", index < step);
      if (index === step - 1) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    // Only the list scrolls, never the page.
    if (step && current)
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2 + current.offsetHeight / 2;
  }
}

function pairText([left, right]: Merge["pair"]): HTMLElement {
  return el(
    "span",
    { class: "pair" },
    words("b", visible(left)),
    " + ",
    words("b", visible(right)),
    " → ",
    words("b", visible(left + right)),
  );
}
