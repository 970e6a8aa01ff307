// log P as the sum of its steps, what it means as perplexity, and why the output stops.

import { button, el, setText, words } from "../../../browser/shared/elements";
import { fixed, formatCount, formatSigned, plural } from "../../../browser/shared/numbers";
import { tableButton } from "../../../browser/shared/table_button";
import type { Trace } from "./data";
import type { Decoding, Part } from "./decoding";
import { DETAILS } from "./table";

const TERMS = 4;

export class Totals implements Part {
  readonly node: HTMLElement;
  readonly open: HTMLElement;
  private readonly sum = el("span");
  private readonly total = button({ class: "explain", title: "Explain log P of the whole output" }, () =>
    this.view.act({ kind: "explain", what: "log_prob" }),
  );
  private readonly over = el("span");
  private readonly perplexity = el("b");

  constructor(private readonly view: Decoding) {
    const row = (name: string, ...value: (Node | string)[]) => [words("dt", name), el("dd", {}, ...value)];
    const node = el(
      "dl",
      { class: "totals", "aria-label": "Running totals" },
      ...row("log P so far", this.total),
      el("dd", { class: "terms" }, this.sum),
      ...row("perplexity", this.over, this.perplexity),
      ...row("stops", whyStopped(view.trace)),
    );
    const show = () => {
      node.hidden = !view.opened.has("totals");
    };
    this.node = node;
    this.open = tableButton(view.opened, "totals", show, DETAILS);
    show();
  }

  step(): void {
    const {
        trace,
        state: { step: t },
      } = this.view,
      { total } = this;
    setText(this.sum, sumText(trace, t));
    setText(total, fixed(trace.totals[t], 3));
    total.setAttribute("aria-label", `${total.textContent}, explain log P of the whole output`);
    setText(this.over, `exp(${fixed(-trace.totals[t], 3)} / ${t + 1}) = `);
    setText(this.perplexity, formatPerplexity(trace.perplexity(t)));
  }
}

/** The last steps of the sum up to a step, those before them as one number, named; nothing at the first step. */
export function sumText({ logProbs, totals }: Pick<Trace, "logProbs" | "totals">, t: number): string {
  if (!t) return "";
  const first = Math.max(0, t + 1 - TERMS),
    steps = first > 1 ? `steps 0 to ${first - 1}` : "step 0",
    before = first ? `${fixed(totals[first - 1], 3)} (${steps}) ` : "";
  const terms = logProbs(first, t + 1)
    .map((value) => fixed(value, 3).replace("−", "− "))
    .join(" ");
  return `= ${before}${terms.replace(/^− /, before ? "− " : "−")}`;
}

function whyStopped(trace: Trace): string {
  const end = trace.steps - 1,
    stopped = trace.isForced(end) ? "EOS was forced" : "the model chose EOS";
  return `at step ${end}: ${trace.ended ? stopped : `the limit of ${plural(trace.steps, "token")}`}`;
}

/** Three decimals; from 1000 on four significant digits, with commas as long as they can be read. */
export function formatPerplexity(value: number): string {
  if (value < 999.9995) return fixed(value, 3);
  return value < 1e9 ? formatCount(Number(value.toPrecision(4))) : formatSigned(value);
}
