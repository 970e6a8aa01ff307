// What if: outputs beside one another, a way of changing the model with its picture, and what wrote a word.

import { Chips } from "../../../browser/shared/chips";
import { el, words } from "../../../browser/shared/elements";
import { focusBeside } from "../../../browser/shared/focus";
import { comesFrom, isShortcut } from "../../../browser/shared/keys";
import { readLook } from "../../../browser/shared/look";
import type { Look } from "../../../browser/shared/look";
import { readJson } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { Reports } from "../../../browser/shared/reports";
import { onResize } from "../../../browser/shared/resize";
import { revealIn } from "../../../browser/shared/sheet";
import { boardCard } from "./board";
import { compareCard } from "./compare";
import type { Data, Way } from "./data";
import { borrowCard, secondPicker } from "./map";
import { noteOf } from "./note";
import { WeightsCard } from "./weights";
import { wroteCard } from "./wrote";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const WAYS: [Way, string, string][] = [
  ["borrow", "Borrow from another sentence", ""],
  ["off", "Switch a part off", "Its output is set to 0 in every step."],
  ["row", "Edit attention", "One row of weights, of the chosen step; computed anew while you drag."],
];
const PHONE = 640,
  NARROW = 900; // pixels

class WhatIfView implements View {
  private readonly reports = new Reports();
  private data: Data | null = null;
  private weights: WeightsCard | null = null;
  private against = false;

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    onResize(root, () => this.layout(), signal);
    document.addEventListener(
      "keydown",
      (event) => {
        if (
          event.key !== "z" ||
          isShortcut(event) ||
          !root.isConnected ||
          comesFrom(event, "input, textarea, select, [contenteditable], [role=combobox]")
        )
          return;
        if (this.data?.n_changes) this.tell("undone", {});
      },
      { signal },
    );
  }

  update({ data: bytes, setStateValue }: Component): void {
    this.reports.through(setStateValue);
    const data = readJson<Data>(bytes);
    // What was written before Python heard of the last report would take back what is being done.
    if (data.report < this.reports.last && this.data) return;
    this.root.classList.remove("awaiting");
    if (this.weights?.isHeld && data.way === "row") {
      this.data = data;
      this.drawAround(data);
      return;
    }
    this.data = data;
    this.draw();
  }

  private tell(name: string, what: object): void {
    this.root.classList.add("awaiting");
    this.reports.tell(name, { key: this.data?.key, ...what });
  }

  private layout(): void {
    const { root } = this;
    if (!root.clientWidth) return;
    const before = root.dataset.size;
    root.dataset.size = root.clientWidth < PHONE ? "phone" : root.clientWidth < NARROW ? "narrow" : "wide";
    if (this.data && (before !== root.dataset.size || root.dataset.drawn !== String(root.clientWidth)))
      this.draw();
  }

  private draw(): void {
    const { root, data } = this;
    if (!data || !root.clientWidth) return;
    root.dataset.drawn = String(root.clientWidth);
    root.dataset.size ??= "wide";
    const look = readLook(root),
      held = this.heldName(),
      tell = (name: string, what: object) => this.tell(name, what);
    this.weights = data.row ? new WeightsCard(data.row, tell) : null;
    const work = data.borrow
      ? borrowCard(data.borrow, look, tell)
      : data.off
        ? boardCard(data.off, tell)
        : this.weights!.node;
    root.replaceChildren(
      compareCard(data),
      this.ways(data),
      el("div", { class: "both" }, work, noteOf(data, tell)),
      this.wrote(data, look),
    );
    this.revealStep();
    if (held) this.named(held)?.focus({ preventScroll: true });
  }

  /** Scrolls the outputs to the step that is asked about, and the table of its keys to what it reads most. */
  private revealStep(): void {
    for (const node of this.root.querySelectorAll<HTMLElement>(".outputs .chosen, .used .most")) {
      const scroller = node.closest<HTMLElement>(".outputs, .beside")!,
        name = scroller.querySelector<HTMLElement>(".who, th[scope=row]");
      revealIn(scroller, node, { left: name?.offsetWidth ?? 0 });
    }
  }

  /** Everything but the bars that are being dragged. */
  private drawAround(data: Data): void {
    const { root } = this,
      tell = (name: string, what: object) => this.tell(name, what);
    root.querySelector(".outputs")?.replaceWith(compareCard(data));
    root.querySelector(".note")?.replaceWith(noteOf(data, tell));
    this.revealStep();
  }

  private ways(data: Data): HTMLElement {
    const nodes = WAYS.map(([, text]) => el("button", { type: "button", role: "radio", text }));
    const picker = new Chips("Way of changing the model", nodes, (place) => {
      const [way] = WAYS[Math.min(WAYS.length - 1, Math.max(0, place))];
      if (way !== data.way) this.tell("way", { way });
    });
    const at = WAYS.findIndex(([way]) => way === data.way);
    picker.check(at);
    picker.node.classList.add("segments");
    const beside = data.borrow
      ? secondPicker(data.borrow, (name, what) => this.tell(name, what))
      : words("p", WAYS[at][2], "sub");
    return el("div", { class: "how" }, picker.node, beside);
  }

  private wrote(data: Data, look: Look): HTMLElement {
    const card = wroteCard(data.wrote, look, this.root.clientWidth - 40, this.against, (against) => {
      this.against = against;
      card.replaceWith(this.wrote(data, look));
      this.revealStep();
      this.root.querySelector<HTMLElement>(".wrote [aria-pressed=true]")?.focus({ preventScroll: true });
    });
    return card;
  }

  /** What has the focus goes on having it in what is built in its place. */
  private heldName(): string {
    return focusBeside(this.root)?.getAttribute("aria-label")?.replace(/: .*$/, "") ?? "";
  }

  private named(name: string): HTMLElement | undefined {
    return [...this.root.querySelectorAll<HTMLElement>("[aria-label]")].find(
      (node) =>
        node.ariaLabel?.replace(/: .*$/, "") === name && node.matches("button, input, select, [tabindex]"),
    );
  }
}

export default styled(
  mounted(".what-if", (root, signal) => new WhatIfView(root, signal)),
  viewCss,
  css,
);
