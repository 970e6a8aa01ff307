// The whole view: one state, the parts that follow it, and the report to Python when the settings rest.

import { makeChoices } from "../../../browser/shared/choices";
import { el, setText, words } from "../../../browser/shared/elements";
import { focusBeside } from "../../../browser/shared/focus";
import { readPayload } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, Report, View } from "../../../browser/shared/mount";
import { Resting } from "../../../browser/shared/resting";
import { fixed, formatCount, plural } from "../../../browser/shared/numbers";
import { visible } from "../../../browser/shared/text";
import { themeOf } from "../../../browser/shared/theme";
import { ColumnsTable } from "./columns";
import { Controls } from "./controls";
import type { Header, Lab, Part, Settings, Trace } from "./lab";
import { logitsAt } from "./lab";
import { Output } from "./output";
import { entropyBits, samplingPipeline, softmaxOver } from "./pipeline";
import type { Columns } from "./pipeline";
import { Strip } from "./strip";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const REST_MS = 400,
  SETTLE_MS = 20;

class SamplingLab implements Lab, View {
  readonly state: Lab["state"] = { step: 0, temperature: 1, top_k: null, top_p: 1, seed: 0, hover: null };
  private readonly choices = makeChoices<Settings>(
    (a, b) => JSON.stringify(settingsOf(a)) === JSON.stringify(settingsOf(b)),
  );
  private shown: { trace: Trace; columns: Columns } | null = null;
  private output: Output | null = null;
  private parts: Part[] = [];
  private send: Report = () => undefined;
  private readonly resting = new Resting(() => this.tell());
  private written = "";

  constructor(private readonly root: HTMLElement) {}

  get trace(): Trace {
    return this.shown!.trace;
  }
  get columns(): Columns {
    return this.shown!.columns;
  }
  get logits(): Float32Array {
    return logitsAt(this.trace, this.state.step);
  }
  get uniform(): number {
    return this.trace.uniform[this.state.step];
  }

  // ---- what the visitor can do -------------------------------------------------------------------------------
  set(changes: Partial<Settings>): void {
    Object.assign(this.state, changes);
    this.refresh();
    this.resting.begin(REST_MS);
  }

  settle(): void {
    this.resting.begin(SETTLE_MS);
  }

  go(step: number): void {
    this.set({ step: Math.min(this.trace.steps - 1, Math.max(0, step)) });
    this.output?.focus();
  }

  hover(id: number | null): void {
    if (id === this.state.hover) return;
    this.state.hover = id;
    for (const part of this.parts) part.hover?.();
  }

  private refresh(): void {
    this.show(this.trace);
    for (const part of this.parts) part.step();
  }

  private show(trace: Trace): void {
    const { state } = this,
      columns = samplingPipeline(logitsAt(trace, state.step), state, trace.uniform[state.step], trace.never);
    this.shown = { trace, columns };
  }

  // ---- the report to Python ----------------------------------------------------------------------------------
  private tell(): void {
    const chosen = settingsOf(this.state);
    if (this.choices.isKnown(chosen)) return;
    this.send("choice", { trace: this.trace.key, ...chosen, report: this.choices.tell(chosen) });
  }

  // ---- new messages ------------------------------------------------------------------------------------------
  update({ data, setStateValue }: Component): void {
    this.send = setStateValue;
    const before = this.shown?.trace,
      { header, arrays } = readPayload<Header>(data),
      isFresh = before?.key !== header.key;
    // Other weights or another sentence of the same model: the sliders stay under the hand that moves them.
    const isOther = isFresh && !isSameModel(before, header);
    this.hear(header, isFresh, isOther);
    const shown = isOther || !before ? header.vocabulary.map(visible) : before.shown;
    if (isOther) this.state.hover = null;
    this.state.step = Math.min(this.state.step, header.token_ids.length - 1);
    this.root.dataset.look = themeOf(this.root);
    this.show({ ...header, logits: arrays.logits, steps: header.token_ids.length, shown });
    const isFocused = this.place(isFresh, isOther);
    this.refresh();
    if (isFocused) this.output?.focus();
  }

  private hear(header: Header, fresh: boolean, isOther: boolean): void {
    const pending = !this.choices.isKnown(this.state),
      choice = settingsOf(header);
    const heard = this.choices.hear(choice, header.report, { fresh, possible: !isOther, pending });
    if (heard === "follow") {
      this.resting.end();
      Object.assign(this.state, choice);
    } else if (heard === "keep") this.resting.begin(REST_MS);
  }

  /** Builds what the message changes; says whether the output that it replaces had the focus. */
  private place(isFresh: boolean, isOther: boolean): boolean {
    const { token_ids, text, greedy_text, n_forced, ended, seed, temperature } = this.trace;
    const written = JSON.stringify([token_ids, text, greedy_text, n_forced, ended, seed, temperature === 0]);
    const hasOutput = !isFresh && written === this.written;
    this.written = written;
    if (isOther) this.build();
    return !hasOutput && this.buildOutput();
  }

  private build(): void {
    const controls = new Controls(this),
      head = buildHead(this),
      entropy = buildEntropy(this);
    const columns = new ColumnsTable(this),
      strip = new Strip(this);
    this.output = null;
    this.parts = [controls, head, entropy, columns, strip];
    this.root.replaceChildren(
      el(
        "section",
        { class: "card pipeline", "aria-label": "From logits to the drawn token" },
        columns.node,
        controls.node,
        el("header", {}, head.node, entropy.node),
        strip.node,
      ),
    );
  }

  /** The output changes with every setting, while the sliders must stay under the hand that moves them. */
  private buildOutput(): boolean {
    const before = this.output,
      next = new Output(this);
    const isFocused = before !== null && before.node.contains(focusBeside(this.root));
    before?.node.remove();
    this.root.append(next.node);
    this.parts = [next, ...this.parts.filter((part) => part !== before)];
    this.output = next;
    return isFocused;
  }

  dispose(): void {
    this.resting.end();
  }
}

function settingsOf({ step, temperature, top_k, top_p, seed }: Settings): Settings {
  return { step, temperature, top_k, top_p, seed };
}

function isSameModel(before: Trace | undefined, { vocabulary, never, max_seed: most }: Header): boolean {
  return (
    before !== undefined &&
    before.max_seed === most &&
    String(before.vocabulary) === String(vocabulary) &&
    String(before.never) === String(never)
  );
}

function buildHead(lab: Lab): Part {
  const subtitle = el("p");
  function step(): void {
    const {
        trace,
        state,
        columns: { order, keptByTopP, greedy },
      } = lab,
      all = plural(trace.vocabulary.length, "token");
    const kept = order.filter((id) => keptByTopP[id]).length;
    const some = greedy
      ? `the most probable of ${all} is taken`
      : `${formatCount(kept)} of ${all} can be drawn, the most probable first`;
    setText(
      subtitle,
      `step ${state.step}, ${some}; ${trace.never.map((id) => trace.shown[id]).join(" and ")} never are`,
    );
  }
  return { node: el("div", {}, words("h2", "From logits to the drawn token"), subtitle), step };
}

function buildEntropy(lab: Lab): Part {
  const before = el("b"),
    after = el("b");
  const node = el(
    "p",
    { class: "entropy" },
    "entropy ",
    before,
    " as the model says, ",
    after,
    " with these settings",
  );
  function step(): void {
    setText(before, `${fixed(entropyBits(softmaxOver(Float64Array.from(lab.logits))), 2)} bits`);
    setText(after, `${fixed(entropyBits(lab.columns.probs), 2)} bits`);
  }
  return { node, step };
}

export default styled(
  mounted(".sampling-view", (root) => new SamplingLab(root)),
  viewCss,
  css,
);
