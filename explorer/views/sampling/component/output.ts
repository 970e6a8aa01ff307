// The output as chips, each with the probability that the model itself gives it; they choose the step.

import { Chips } from "../../../browser/shared/chips";
import { el, words } from "../../../browser/shared/elements";
import { formatProbability, plural } from "../../../browser/shared/numbers";
import { clip, visibleText } from "../../../browser/shared/text";
import type { Lab, Part, Trace } from "./lab";
import { logitsAt } from "./lab";
import { softmaxOver } from "./pipeline";

export class Output implements Part {
  readonly node: HTMLElement;
  private readonly chips: Chips;

  constructor(private readonly lab: Lab) {
    const { trace } = lab;
    this.chips = new Chips(
      "Step of the output",
      trace.token_ids.map((id, t) => chip(trace, id, t)),
      (t) => lab.go(t),
    );
    this.node = el(
      "section",
      { class: "card output", "aria-label": "Output" },
      lead(trace),
      this.chips.node,
      words(
        "p",
        `Choose the ${trace.unit} to look at; below each is the probability that the model itself gives it.`,
        "hint",
      ),
    );
  }

  step(): void {
    this.chips.check(this.lab.state.step);
  }
  focus(): void {
    this.chips.focus(this.lab.state.step);
  }
}

function chip(trace: Trace, id: number, step: number): HTMLButtonElement {
  const p = formatProbability(softmaxOver(Float64Array.from(logitsAt(trace, step)))[id]);
  const token = trace.shown[id],
    name = clip(token, 40),
    isForced = step < trace.n_forced;
  return el(
    "button",
    {
      type: "button",
      role: "radio",
      class: isForced ? "chip forced" : "chip",
      "aria-label": `Step ${step}, ${name}, probability ${p}${isForced ? ", forced" : ""}`,
    },
    el("span", { class: "box", title: token }, words("span", name, "word")),
    words("em", p),
  );
}

function lead(trace: Trace): HTMLElement {
  const end = trace.ended ? "" : ` … (stopped after ${plural(trace.steps, "token")})`,
    isGreedy = trace.temperature === 0;
  const how = isGreedy
    ? "Greedily the model writes "
    : `With these settings and seed ${trace.seed} the model writes `;
  const greedily =
    trace.text === trace.greedy_text
      ? [". Greedily it writes the same."]
      : ["; greedily it writes ", words("b", shown(trace.greedy_text)), "."];
  return el(
    "p",
    { class: "lead" },
    words("span", how),
    words("b", shown(trace.text) + end),
    ...(isGreedy ? ["."] : greedily),
  );
}

function shown(text: string): string {
  return text === "" ? "nothing" : visibleText(text);
}
