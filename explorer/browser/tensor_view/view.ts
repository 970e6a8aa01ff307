// One tensor, or two and their difference, or the operations of an update: what is open and chosen, the keys, and the report to Python.

import { el, setText } from "../shared/elements";
import { focusBeside } from "../shared/focus";
import { actOn, comesFrom } from "../shared/keys";
import { readLook } from "../shared/look";
import type { Look } from "../shared/look";
import { bodyStart, readPayload } from "../shared/message";
import { mounted } from "../shared/mount";
import type { Component, View } from "../shared/mount";
import { shapeWords } from "../shared/planes";
import type { CellPlace, Spot } from "../shared/planes";
import { onResize } from "../shared/resize";
import { Tabs } from "../shared/tabs";
import { Teller } from "../shared/teller";
import { choiceOf, isPossible } from "../shared/tensors";
import type { Chosen, TensorsHeader } from "../shared/tensors";
import { themeOf } from "../shared/theme";
import { Card } from "./card";
import type { Host } from "./host";
import { Model, optionWords, resultAt } from "./model";
import type { Panel } from "./panel";
import viewCss from "../shared/view.css";
import css from "./view.css";
import { styled } from "../shared/styles";

const PHONE = 640;

class TensorView implements View, Host {
  model!: Model;
  look!: Look;
  isPhone = false;
  isRobust = false;
  cell: CellPlace | null = null;
  private readonly heard = el("div", { class: "unseen", "aria-live": "polite" });
  private readonly tabs = new Tabs("stage", (stage) => this.open(stage));
  private readonly teller = new Teller<Chosen>(
    (a, b) =>
      a.stage === b.stage &&
      this.model.header.choosers.every(({ axis }) => a.choices[axis] === b.choices[axis]),
    () => ({ about: { key: this.model.header.key }, choice: this.model.chosen }),
  );
  private card: Card | null = null;
  private bytes = new Uint8Array();
  private structure = "";

  constructor(
    readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    root.tabIndex = -1;
    root.addEventListener("keydown", (event) => this.onKey(event), { signal });
    onResize(root, () => this.layout(), signal);
  }

  // ---- what the visitor can do -------------------------------------------------------------------------------
  open(stage: string): void {
    if (stage === this.model.chosen.stage) return;
    this.model.chosen = { ...this.model.chosen, stage };
    this.showStage();
    this.teller.changed();
  }

  choose(axis: string, place: number): void {
    const { model } = this,
      chooser = model.chooser(axis),
      { choices } = model.chosen;
    if (!chooser || place < 0 || place >= chooser.options.length || place === choices[axis]) return;
    model.chosen = { ...model.chosen, choices: { ...choices, [axis]: place } };
    this.card?.draw();
    this.say(optionWords(chooser, place));
    if (chooser.local) this.teller.changed();
    else this.teller.tellChoice();
  }

  ask({ tensor, plane }: Panel, { row, column }: Spot): void {
    if (!tensor.askable) return;
    this.teller.tellChoice();
    const index = plane.index(row, column);
    this.cell = { site: tensor.site, index: [...tensor.lead, ...index] };
    this.card?.marks();
    this.teller.tell("ask", { key: this.model.header.key, tensor: tensor.name, index });
  }

  say(text: string): void {
    setText(this.heard, text);
  }

  // ---- keys --------------------------------------------------------------------------------------------------
  private onKey(event: KeyboardEvent): void {
    if (!this.card || comesFrom(event, "input, textarea, select, [contenteditable]")) return;
    const head = this.model.chosen.choices.head ?? 0,
      step = (by: number) => () => this.choose("head", head + by);
    // A key must not change what the open stage does not show.
    actOn(event, {
      ...this.card.keysAt(event.target),
      ...(this.card.chooses("head") ? { ",": step(-1), ".": step(1) } : {}),
    });
  }

  // ---- size and colours --------------------------------------------------------------------------------------
  private layout(): void {
    if (!this.card || !this.root.clientWidth) return;
    this.isPhone = window.innerWidth < PHONE;
    this.root.dataset.size = this.isPhone ? "phone" : "wide";
    this.card.layout();
    this.tabs.show(this.model.chosen.stage);
  }

  private relook(): void {
    this.look = readLook(this.root);
    this.layout();
  }

  // ---- new messages ------------------------------------------------------------------------------------------
  private showStage(): void {
    const next = new Card(this);
    // The page must not become shorter for a moment, or it would scroll.
    this.card?.node.replaceWith(next.node);
    this.card = next;
    this.layout();
  }

  /** Builds everything; what is read in the open stage stays as it is, what had the focus has it again. */
  private build(): void {
    const { root, model, tabs, heard, card } = this,
      { stages } = model.header;
    const focused = focusBeside(root) as HTMLElement | null,
      hadFocus = root.contains(focused),
      name = focused?.dataset.focus;
    const kept = card?.stage.key === model.open.key ? card.kept : null;
    tabs.build(
      stages.map((stage) => ({
        key: stage.key,
        title: stage.title,
        tip: shapeWords(model.plane(stage.panels[resultAt(stage)])),
      })),
    );
    const next = (this.card = new Card(this));
    // Before it is on the page: that must not become shorter for a moment.
    if (kept) next.openTable(kept);
    root.replaceChildren(...(stages.length > 1 ? [tabs.node] : []), next.node, heard);
    this.relook();
    if (kept) next.readOn(kept);
    if (!hadFocus) return;
    const again = [...root.querySelectorAll<HTMLElement>("[data-focus]")].find(
      (each) => each.dataset.focus === name && !each.hidden,
    );
    (again ?? root).focus({ preventScroll: true });
  }

  update({ data, setStateValue }: Component): void {
    this.teller.through(setStateValue);
    if (isSame(data, this.bytes)) return this.followTheme();
    const payload = readPayload<TensorsHeader>(data),
      { header } = payload,
      before = this.card ? this.model : null,
      fresh = before?.header.key !== header.key;
    const structure = structureOf(header),
      isRebuilt = structure !== this.structure || !isSame(bodyOf(data), bodyOf(this.bytes));
    this.structure = structure;
    this.bytes = data.slice();
    // A message from before the last question does not know what was asked.
    if (fresh || header.report >= this.teller.choices.report) this.cell = header.cell;
    const chosen = before?.chosen ?? { stage: "", choices: {} },
      choice = choiceOf(header);
    this.model = isRebuilt ? new Model(payload, chosen) : this.model;
    Object.assign(this.model.header, { row: header.row, row_side: header.row_side });
    this.model.chosen = { ...chosen, stage: this.model.stage(chosen.stage) ? chosen.stage : header.stage };
    return this.hear(choice, header, fresh, isRebuilt);
  }

  /** Follows the choice of a message, or keeps the visitor's own. */
  private hear(choice: Chosen, header: TensorsHeader, fresh: boolean, isRebuilt: boolean): void {
    const {
        model,
        teller: { choices },
      } = this,
      stage = model.chosen.stage,
      possible = isPossible(header, model.chosen);
    const verdict = choices.hear(choice, header.report, {
      fresh,
      possible,
      pending: !choices.isKnown(model.chosen),
    });
    if (verdict === "follow") {
      this.teller.hold();
      model.chosen = choice;
    } else if (verdict === "keep") this.teller.changed();
    if (isRebuilt) return this.build();
    if (model.chosen.stage !== stage) this.showStage();
    else if (verdict === "follow") this.card?.draw();
    else this.card?.marks();
    this.tabs.show(model.chosen.stage);
    return this.followTheme();
  }

  private followTheme(): void {
    if (this.root.dataset.look !== themeOf(this.root)) this.relook();
  }

  dispose(): void {
    this.teller.hold();
  }
}

/** What everything has to be built anew for: all of a header but what is chosen, and what is marked. */
function structureOf(header: TensorsHeader): string {
  const choosers = header.choosers.map((each) => (each.local ? { ...each, value: 0 } : each));
  return JSON.stringify({ ...header, stage: 0, cell: 0, row: 0, row_side: 0, report: 0, choosers });
}

/** What follows the header of a message. */
function bodyOf(message: Uint8Array): Uint8Array {
  return message.length
    ? message.subarray(bodyStart(new DataView(message.buffer, message.byteOffset).getUint32(0, true)))
    : message;
}
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export default styled(
  mounted(".tensor-view", (root, signal) => new TensorView(root, signal)),
  viewCss,
  css,
);
