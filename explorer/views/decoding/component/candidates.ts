// The next token: the most probable candidates of the current step and all others together; where tokens can be
// forced, a way to force each, and where all can, a field for any other and the sums along the steps.

import { button, columnHead, el, setText, table, words } from "../../../browser/shared/elements";
import { focusBeside, setHidden } from "../../../browser/shared/focus";
import { fixed, formatCount, formatProbability, plural } from "../../../browser/shared/numbers";
import { range } from "../../../browser/shared/planes";
import { clip, visible } from "../../../browser/shared/text";
import { within } from "./data";
import type { Decoding, Part } from "./decoding";
import { AnyToken, makeForcing } from "./forcing";
import type { Forcing } from "./forcing";
import { Totals } from "./totals";

/** A candidate's place in the table. said: what it is among them, such as chosen. */
interface Row {
  node: HTMLElement;
  token: HTMLElement;
  bar: HTMLElement;
  p: HTMLElement;
  logP: HTMLElement;
  said: HTMLElement;
  force: HTMLElement;
}

export class Candidates implements Part {
  readonly node: HTMLElement;
  private readonly where = { step: el("b"), among: el("span") };
  private readonly remark = el("p", { class: "remark" });
  private readonly entropy = el("b");
  private readonly rest = el("td", { class: "number" });
  private readonly rows: Row[];
  private readonly forcing: Forcing | null;
  private readonly anyToken: AnyToken | null;
  private readonly totals: Totals | null;
  private readonly others: number;

  constructor(private readonly view: Decoding) {
    const {
      trace,
      trace: { what_if: whatIf, nCandidates },
    } = view;
    this.others = trace.vocabulary_size - nCandidates;
    this.forcing = whatIf && makeForcing(view, whatIf);
    this.anyToken = whatIf && this.forcing && new AnyToken(view, whatIf, this.forcing);
    this.totals = whatIf && new Totals(view);
    this.rows = range(nCandidates).map((i) => this.row(i));
    const where = el(
      "p",
      { class: "where" },
      el("span", { class: "place" }, this.where.step, this.where.among),
    );
    this.node = el(
      "section",
      { class: "card next", "aria-label": "Next token" },
      el("header", {}, el("h2", { text: "Next token" }), where, ...(this.totals ? [this.totals.open] : [])),
      this.remark,
      this.table(),
      ...[this.anyToken, this.totals].flatMap((part) => part?.node ?? []),
    );
    this.node.classList.toggle("forcing", Boolean(whatIf));
  }

  private row(i: number): Row {
    const { view, forcing } = this,
      id = () => view.trace.candidate(view.state.step, i).id;
    const token = el("span"),
      bar = words("i", "", "bar"),
      logP = words("td", "", "number"),
      said = el("span");
    const p = button({ class: "explain", title: "Explain this number" }, () =>
      view.act({ kind: "explain", what: "prob", step: view.state.step, token_id: id() }),
    );
    const force = button(
      { class: "force" },
      () => forcing?.take(id()),
      "Force",
      el("i", { "aria-hidden": "true", text: "↵" }),
    );
    const node = el(
      "tr",
      {},
      el("th", { scope: "row" }, token),
      el("td", { class: "share" }, bar),
      el("td", { class: "number" }, p),
      logP,
      el("td", { class: "tag" }, said, force),
    );
    return { node, token, bar, p, logP, said, force };
  }

  private table(): HTMLElement {
    const last = el(
      "tr",
      { class: "others" },
      el("th", {
        scope: "row",
        colspan: 2,
        text: this.others ? `${plural(this.others, "other")} together` : "",
      }),
      this.rest,
      el("td", { colspan: 2, class: "entropy" }, "entropy ", this.entropy),
    );
    const heads = [
      columnHead("token"),
      el("td"),
      columnHead("P", "number"),
      columnHead("log P", "number"),
      el("td"),
    ];
    return table("Candidates for the next token", heads, [...this.rows.map(({ node }) => node), last], {
      class: "candidates",
    });
  }

  private show({ node, token, bar, p, logP, said, force }: Row, i: number): void {
    const {
        view: {
          trace,
          root,
          state: { step: t },
        },
        forcing,
      } = this,
      candidate = trace.candidate(t, i),
      { prob, isChosen } = candidate;
    const canBe = forcing?.can(candidate.id) ?? false,
      isForced = isChosen && trace.isForced(t);
    setText(token, clip(visible(candidate.token), 24));
    token.title = candidate.token;
    bar.style.transform = `scaleX(${prob || 0})`;
    setText(p, formatProbability(prob));
    p.setAttribute("aria-label", `${p.textContent}, explain`);
    setText(logP, fixed(candidate.logProb, 2));
    const isNoWord = forcing !== null && !canBe && !isChosen;
    setText(said, isForced ? "forced" : isChosen ? "chosen" : isNoWord ? "no word" : "");
    said.title = isNoWord ? "Padding and BOS are never produced" : "";
    setHidden(force, isChosen || !canBe, root);
    force.setAttribute("aria-label", `Force ${clip(visible(candidate.token), 40)}`);
    node.classList.toggle("chosen", isChosen);
  }

  step(): void {
    const {
        trace,
        state: { step: t },
      } = this.view,
      best = trace.candidate(t, 0);
    this.rows.forEach((row, i) => this.show(row, i));
    const sum = this.rows.reduce((all, _, i) => all + trace.candidate(t, i).prob, 0);
    setText(this.rest, this.others ? formatProbability(Math.max(0, 1 - sum)) : "");
    setText(this.entropy, `${fixed(trace.entropyBits(t), 2)} bits`);
    setText(this.where.step, `Step ${t}`);
    setText(this.where.among, `, ${t + 1} of ${plural(trace.steps, "token")}`);
    this.totals?.step();
    this.anyToken?.step();
    const taken = best.isChosen
      ? ""
      : `not the most probable of ${formatCount(trace.vocabulary_size)} was taken`;
    setText(
      this.remark,
      trace.isForced(t) ? `forced here; greedy would take ${clip(visible(best.token), 24)}` : taken,
    );
  }

  /** Moves the focus along the Force buttons; nothing to do where there are none. */
  onto(direction: number): (() => void) | undefined {
    const open = this.rows.map(({ force }) => force).filter((button) => !button.hidden);
    if (!open.length) return undefined;
    const now = open.findIndex((button) => button === focusBeside(this.node));
    return () => open[now < 0 ? 0 : within(now + direction, open.length - 1)].focus();
  }
}
