// The step among all, and what folds a card's details away.

import { el, setText } from "../../../browser/shared/elements";
import { plural } from "../../../browser/shared/numbers";
import type { Decoding, Part } from "./decoding";

/** Words of the button that shows the details of a card. */
export const DETAILS = { closed: "More", open: "Less" };

export function buildWhere(view: Decoding): Part & { node: HTMLElement; step(): void } {
  const stepText = el("b"), ofText = el("span");
  const node = el("p", { class: "where" }, el("span", { class: "place" }, stepText, ofText));
  function step(): void {
    const t = view.state.step;
    setText(stepText, `Step ${t}`);
    setText(ofText, `, ${t + 1} of ${plural(view.trace.steps, "token")}`);
  }
  return { node, step };
}
