// The choice of what is drawn at each moment: the attention, or any recorded value or parameter by its name.

import { el } from "../../../browser/shared/elements";

export const ATTENTION = "Cross-attention";

export class Picker {
  readonly node = el("select", { class: "picker", "aria-label": "What is drawn at each moment" });
  private key = "";

  /** pick: called with the name of a tensor, empty for the attention. */
  constructor(pick: (name: string) => void) {
    this.node.addEventListener("change", () => pick(this.node.value));
  }

  /** Offer what a model has; nothing changes where it is the same. */
  lay({ values, parameters }: { values: string[]; parameters: string[] }): void {
    const key = [...values, ...parameters].join();
    if (key === this.key) return;
    this.key = key;
    const options = (names: string[]) => names.map((name) => el("option", { value: name, text: name }));
    this.node.replaceChildren(
      el("option", { value: "", text: ATTENTION }),
      el("optgroup", { label: "Values of this source" }, ...options(values)),
      el("optgroup", { label: "Parameters" }, ...options(parameters)),
    );
  }

  show(name: string): void {
    if (this.node.value !== name) this.node.value = name;
    this.node.hidden = !this.key;
  }
}
