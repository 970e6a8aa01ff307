// Whether the output is right, in a few words beside it.

import { el, words } from "../shared/elements";
import type { BarData } from "./data";

const SIGNS = { right: "✓", wrong: "≠", unknown: "?" } as const;

export class VerdictLabel {
  readonly node = el("div", { class: "judged" });

  /** Another message of Python; without an output there is nothing to judge. */
  take({ output, reference }: BarData): void {
    const judged = output?.judged;
    this.node.hidden = !judged;
    if (!judged) return;
    this.node.dataset.verdict = judged.verdict;
    this.node.title = reference;
    const sign = words("b", SIGNS[judged.verdict]);
    sign.ariaHidden = "true";
    this.node.replaceChildren(sign, words("span", judged.label));
  }
}
