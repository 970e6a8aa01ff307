// The bar of the sentence: the source as a field, the output as chips that choose the step, and the player.

import { onTold, tell } from "../shared/bus";
import type { Command, Moment } from "../shared/bus";
import { words } from "../shared/elements";
import { mounted } from "../shared/mount";
import type { Component, Report, View } from "../shared/mount";
import { reportAfter } from "../shared/report";
import { Reports } from "../shared/reports";
import { onResize } from "../shared/resize";
import { themeOf } from "../shared/theme";
import { Changes } from "./changes";
import { readBar } from "./data";
import type { BarData } from "./data";
import { Field } from "./field";
import { OutputRow } from "./output";
import { Player } from "./player";
import { Steps } from "./steps";
import { VerdictLabel } from "./verdict";
import viewCss from "../shared/view.css";
import css from "./view.css";
import { styled } from "../shared/styles";

class SentenceBar implements View {
  private readonly field = new Field((text) => this.submit(text));
  private readonly row = new OutputRow({
    choose: (step) => this.ask({ do: "go", step }),
    point: (token) => tell("token", token),
  });
  private readonly verdict = new VerdictLabel();
  private readonly player = new Player((command) => this.ask(command));
  private readonly steps = new Steps({
    show: (moment) => this.show(moment),
    // After the view has said all that it says as it comes.
    lead: (step) => {
      queueMicrotask(() => tell("command", { do: "go", step }));
    },
    report: (step, report) => this.send("view", { key: this.data?.key, step, report }),
  });
  private readonly reports = new Reports();
  private readonly changes: Changes;
  private data: BarData | null = null;
  private send: Report = () => undefined;
  private submitted = 0;

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    const { field, row, verdict, player, reports } = this;
    this.changes = new Changes(root, (act) => reports.tell("changes", { act }), signal);
    root.role = "group";
    root.ariaLabel = "Sentence and steps";
    const arrow = words("span", "→", "arrow");
    arrow.ariaHidden = "true";
    root.replaceChildren(field.node, arrow, row.node, verdict.node, player.node, this.changes.node);
    onTold("moment", (moment) => this.steps.follow(moment), signal);
    onTold("token", (token) => row.ring(token), signal);
    onTold(
      "command",
      (command) => {
        if (command.do === "type") field.focus();
      },
      signal,
    );
    onResize(root, () => row.reveal(), signal);
  }

  update({ data: bytes, setStateValue }: Component): void {
    this.send = setStateValue;
    this.reports.through(setStateValue);
    this.root.dataset.look = themeOf(this.root);
    const data = readBar(bytes),
      isOther = this.data?.key !== data.key;
    this.data = data;
    // What was asked for is on its way until a message says that it was heard.
    if (data.submitted >= this.submitted) this.root.classList.remove("awaiting");
    this.field.take(data);
    this.verdict.take(data);
    this.changes.take(data.changed);
    if (data.output) {
      this.row.take(data.output);
      this.steps.hear(data.output, data.report, isOther);
    } else if (isOther) this.row.take(null);
    this.show(this.steps.now);
  }

  dispose(): void {
    this.field.leave();
    this.steps.leave();
  }

  private submit(text: string): void {
    this.submitted = reportAfter(Math.max(this.submitted, this.data?.submitted ?? 0));
    this.root.classList.add("awaiting");
    this.send("submission", { text, report: this.submitted });
  }

  private ask(command: Command): void {
    if (this.steps.isFollowing) tell("command", command);
    else this.steps.obey(command);
  }

  private show(moment: Moment): void {
    this.row.show(moment.step);
    this.row.node.classList.toggle("running", moment.isRunning === true);
    this.player.show(moment, (this.data?.output?.tokens.length ?? 0) - 1);
  }
}

export default styled(
  mounted(".sentence-bar", (root, signal) => new SentenceBar(root, signal)),
  viewCss,
  css,
);
