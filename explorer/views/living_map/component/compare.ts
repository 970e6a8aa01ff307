// Of a changed model: whose values the picture draws, and what it then says in place of its usual words.

import { button, el } from "../../../browser/shared/elements";
import { fixed, formatProbability, plural } from "../../../browser/shared/numbers";
import { written } from "./run";
import type { Compared, Run } from "./run";
import type { Piece } from "./saying";
import type { Scene } from "./scene";

const NAMES: Record<Compared, { text: string; title: string }> = {
  changed: { text: "A: changed", title: "The values of the changed model" },
  trained: {
    text: "B: as trained",
    title: "The values that the model has as it was trained, when it reads the same tokens",
  },
  difference: {
    text: "A − B",
    title: "The values of the changed model, less those that it has as it was trained",
  },
};

/** Three buttons, of which one is pressed; not there while the model is as it was trained. */
export class CompareSwitch {
  readonly node = el("div", { class: "compare", role: "group", "aria-label": "Whose values are drawn" });
  private readonly buttons = new Map<Compared, HTMLElement>();

  constructor(choose: (compared: Compared) => void) {
    for (const [name, said] of Object.entries(NAMES) as [Compared, { text: string; title: string }][]) {
      this.buttons.set(
        name,
        button({ class: "plain", ...said }, () => choose(name)),
      );
    }
    this.node.append(...this.buttons.values());
  }

  show(run: Run): void {
    this.node.hidden = !run.isChanged;
    for (const [name, node] of this.buttons) node.setAttribute("aria-pressed", String(name === run.compared));
  }
}

/** Whether the values that are drawn are not those of the model that runs. */
export function isBeside(run: Run): boolean {
  return run.compared !== "changed";
}

export function titleBeside({ run }: Scene): string {
  return run.compared === "trained" ? "As it was trained" : "What the change has changed";
}

export function leadBeside({ run }: Scene): string {
  return run.compared === "trained"
    ? "The model without its changes reads the same tokens."
    : "Changed values less trained ones.";
}

/** What stands before a value's words. */
export function whose(run: Run): string {
  return { changed: "", trained: "as trained, ", difference: "changed − trained, " }[run.compared];
}

/** A step at its end. */
export function stepBeside({ run, at: { step } }: Scene): Piece[] {
  const { header } = run,
    { place, weight } = run.reading(step),
    read: Piece = { text: header.source[place], kind: "source" };
  const where = `cross-attention, layer ${run.crossing.at(-1)!.layer}`,
    heads = `(mean of ${plural(header.n_heads, "head")})`;
  const lane: Piece = { text: header.inputs[step], kind: "target" },
    output = (text: string): Piece => ({ text, kind: "target" });
  if (run.compared === "trained") {
    return [
      `Step ${step}, as trained: the lane of `,
      lane,
      `${run.where("target", step)} reads `,
      read,
      `${run.where("source", place)} with ${written(run, weight)} in ${where} ${heads}, and writes `,
      output(header.trained[step]),
      `, P ${formatProbability(run.trainedProbability(step))}`,
    ];
  }
  const logit = run.written(step),
    by = written(run, weight);
  const reading =
    by === "0.00"
      ? [" agrees to two decimals"]
      : [" differs most at ", read, `${run.where("source", place)}, by ${by} ${heads}`];
  return [
    `Step ${step}, A − B: ${where}`,
    ...reading,
    "; the logit of ",
    output(header.outputs[step]),
    ` by ${logit > 0 ? "+" : ""}${fixed(logit, 3)}`,
  ];
}
