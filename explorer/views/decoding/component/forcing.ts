// Which tokens can be forced, what happens when one is, and the field for any that is not among the candidates.

import { el, setText } from "../../../browser/shared/elements";
import { clip, visible } from "../../../browser/shared/text";
import type { WhatIf } from "./data";
import type { Decoding, Part } from "./decoding";

const OFFERED = 40;

export interface Forcing {
  can(id: number): boolean;
  take(id: number): void;
}

export function makeForcing(view: Decoding, { first_id: first, n_words: count }: WhatIf): Forcing {
  return {
    can: (id) => id >= first && id < first + count,
    take(id) {
      view.typed = "";
      view.act({ kind: "force", step: view.state.step, token_id: id });
    },
  };
}

/** The field for any other token, which offers the vocabulary's. */
export class AnyToken implements Part {
  readonly node: HTMLElement;
  private readonly offers = el("datalist", { id: "offers" });
  private readonly field = el("input", {
    type: "text",
    list: "offers",
    placeholder: "Any other token…",
    "aria-label": "Any other token",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    "aria-describedby": "force-problem",
  });
  private readonly problem = el("p", { class: "problem", role: "alert", id: "force-problem" });
  private readonly shown: string[];
  private offered: string | null = null;

  constructor(
    private readonly view: Decoding,
    private readonly whatIf: WhatIf,
    private readonly forcing: Forcing,
  ) {
    const { field } = this;
    this.shown = whatIf.words.map(visible);
    field.value = view.typed;
    field.addEventListener("focus", () => this.offer());
    field.addEventListener("input", () => {
      view.typed = field.value;
      setText(this.problem, "");
      this.offer();
    });
    this.node = el(
      "form",
      { class: "any-token" },
      field,
      this.offers,
      el("button", { type: "submit", class: "plain", text: "Force" }),
      this.problem,
    );
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit(field.value);
    });
  }

  // Few at a time: a vocabulary may have ten thousand.
  private offer(): void {
    const start = this.field.value.trim().toLowerCase();
    if (start === this.offered) return;
    this.offered = start;
    const fitting = this.shown.filter((token) => token.toLowerCase().startsWith(start)).slice(0, OFFERED);
    this.offers.replaceChildren(...fitting.map((token) => el("option", { value: token })));
  }

  private idOf(text: string): number {
    const exact = this.whatIf.words.indexOf(text);
    return this.whatIf.first_id + (exact >= 0 ? exact : this.shown.indexOf(text.trim()));
  }

  private submit(text: string): void {
    const {
        trace,
        state: { step: t },
      } = this.view,
      id = this.idOf(text);
    let said = "";
    if (!text) said = "Type a token of the model's vocabulary.";
    else if (!this.forcing.can(id))
      said = `The model has no token “${clip(visible(text), 24)}”; choose one of the offered tokens.`;
    else if (id === trace.output_ids[t]) said = `${clip(trace.output[t], 24)} already stands at step ${t}.`;
    setText(this.problem, said);
    if (!said) this.forcing.take(id);
  }

  step(): void {
    setText(this.problem, "");
  }
}
