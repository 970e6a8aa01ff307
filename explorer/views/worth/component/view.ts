// What parts are worth: the picture of all, the table of their figures, and the sentences that need the chosen one most.

import { el, words } from "../../../browser/shared/elements";
import { readPayload } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { fixed, formatCount } from "../../../browser/shared/numbers";
import { Reports } from "../../../browser/shared/reports";
import { onResize, topOf } from "../../../browser/shared/resize";
import { themeOf } from "../../../browser/shared/theme";
import { chosenOf, partsOf } from "./data";
import type { Header, Looked, Part } from "./data";
import { Picture } from "./picture";
import { Sentences } from "./sentences";
import { Table } from "./table";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const PHONE = 640,
  BESIDE = 900,
  LEAST_TABLE = 420,
  BELOW = 16; // pixels

class WorthView implements View {
  private readonly reports = new Reports();
  private shown: Shown | null = null;

  constructor(
    readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    onResize(root, () => this.layout(), signal);
  }

  tell(name: string, what: object): void {
    if (this.shown) this.reports.tell(name, { key: this.shown.header.key, ...what });
  }

  private layout(): void {
    if (!this.root.clientWidth) return;
    const size = window.innerWidth < PHONE ? "phone" : this.root.clientWidth < BESIDE ? "narrow" : "wide";
    this.root.dataset.look = themeOf(this.root);
    this.root.dataset.size = size;
    // Beside the picture the table scrolls by itself, so that all of the picture stays where it is.
    const height = Math.max(LEAST_TABLE, window.innerHeight - topOf(this.root) - BELOW);
    this.root.style.setProperty("--height", size === "wide" ? `${height}px` : "none");
    this.shown?.layout();
  }

  update({ data, setStateValue }: Component): void {
    this.reports.through(setStateValue);
    const payload = readPayload<Header>(data);
    const { key, n_pairs } = payload.header;
    if (this.shown?.header.key !== key || this.shown.header.n_pairs !== n_pairs) {
      this.shown = new Shown(payload.header, partsOf(payload), this);
    } else if (payload.header.report >= this.reports.last) this.shown.take(payload.header.looked);
    this.layout();
  }
}

/** One measurement. */
class Shown {
  private looked: Looked;
  private readonly picture: Picture;
  private readonly table: Table;
  private readonly sentences: Sentences;

  constructor(
    readonly header: Header,
    private readonly parts: Part[],
    private readonly view: WorthView,
  ) {
    this.looked = header.looked;
    const choose = (part: Part) => this.choose({ chosen: part.index });
    this.picture = new Picture(header, parts, choose);
    this.table = new Table(header, parts, (order) => this.choose({ order }), choose);
    this.sentences = new Sentences(header, (part, { row }, without) =>
      view.tell("opened", { part: part.index, row, without }),
    );
    view.root.replaceChildren(
      this.figures(),
      el(
        "div",
        { class: "beside" },
        el("div", { class: "left" }, this.picture.node, this.sentences.node),
        el("div", { class: "right" }, this.table.node, ...this.notes()),
      ),
    );
    this.draw();
  }

  layout(): void {
    this.picture.layout(this.picture.node.clientWidth);
  }

  /** What Python says is looked at, as after a step back in the browser's history. */
  take(looked: Looked): void {
    if (JSON.stringify(looked) === JSON.stringify(this.looked)) return;
    this.looked = looked;
    this.draw();
  }

  private choose(part: Partial<Looked>): void {
    this.looked = { ...this.looked, ...part };
    this.draw();
    this.view.tell("looked", this.looked);
  }

  private draw(): void {
    const chosen = chosenOf(this.parts, this.looked);
    this.table.show(this.looked.order);
    this.table.light(chosen.index);
    this.picture.light(chosen.index);
    this.sentences.show(chosen);
  }

  private figures(): HTMLElement {
    const { n_pairs, n_planned, n_available, n_exact, loss, split, target_unit, changed } = this.header;
    const first =
      n_pairs < n_planned
        ? `${formatCount(n_pairs)} of ${formatCount(n_planned)}`
        : n_pairs < n_available
          ? `the first ${formatCount(n_pairs)} of ${formatCount(n_available)}`
          : formatCount(n_pairs);
    return el(
      "p",
      { class: "figures" },
      `Over ${first} ${split} pairs${n_pairs < n_planned ? " so far" : ""}; with all parts: `,
      words("b", `${formatCount(n_exact)} exact`),
      ", loss ",
      words("b", fixed(loss, 3)),
      ` nats a ${target_unit}. Intervals: 95 %, over sentences.`,
      ...(changed ? [" Measured as the model was trained, without your changes."] : []),
    );
  }

  private notes(): HTMLElement[] {
    const { rule, no_gold, python } = this.header;
    const python_ = el(
      "details",
      { class: "python" },
      words("summary", "The same in Python"),
      el("pre", {}, words("code", python)),
    );
    return [...[rule, no_gold].filter(Boolean).map((text) => words("p", text, "rule")), python_];
  }
}

export default styled(
  mounted(".worth", (root, signal) => new WorthView(root, signal)),
  viewCss,
  css,
);
