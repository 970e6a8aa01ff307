// The whole view: one state, the parts that follow it, the keys, the player's clock and what comes from Python.

import { el, keepScroll, setText } from "../../../browser/shared/elements";
import { focusBeside } from "../../../browser/shared/focus";
import { isFromPage, isShortcut } from "../../../browser/shared/keys";
import { readLook } from "../../../browser/shared/look";
import type { Look } from "../../../browser/shared/look";
import { readPayload } from "../../../browser/shared/message";
import type { Payload } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { fixed, formatProbability } from "../../../browser/shared/numbers";
import type { Spot } from "../../../browser/shared/planes";
import { onResize, topOf } from "../../../browser/shared/resize";
import { clip } from "../../../browser/shared/text";
import { themeOf } from "../../../browser/shared/theme";
import { Attention, MEAN_IS_DERIVED } from "./attention";
import { Branches } from "./branches";
import { CacheCard } from "./cache";
import { Candidates } from "./candidates";
import { makeTrace, peakOf, within } from "./data";
import type { AttentionName, Choice, Header, Plane, Trace } from "./data";
import type { Action, Decoding, Part, Pointed, Size } from "./decoding";
import { LensCard } from "./lens";
import { joinPage } from "./page";
import { choiceOf, InsistingTeller, isAlike } from "./telling";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const STEP_MS = 900;
// px: from which width on all parts of a step stand in one screen; how high that is, where it is low, and what stays free
// below it; how high the lens's plot is in the lowest.
const PHONE = 640,
  DASHBOARD = 640,
  LOWEST = 600,
  LOW = 700,
  HIGHEST = 900,
  BELOW = 6,
  PLOT = 34,
  USUAL_PLOT = 220;
const CONTROLS = "button, input, [tabindex]",
  SCROLLED = ".numbers, .scroller",
  TYPED = "input, textarea, select, [contenteditable]";

type Keys = Record<string, (() => void) | undefined>;

class DecodeView implements Decoding, View {
  readonly state: Decoding["state"] = {
    step: 0,
    attention: "cross",
    layer: 0,
    head: null,
    overlay: false,
    isPlaying: false,
    speed: 1,
    cursor: null,
    hover: null,
  };
  readonly opened = new Set<string>();
  typed = "";
  size: Size = { phone: false, dashboard: false, low: false, plot: USUAL_PLOT };
  plane!: Plane;
  look!: Look;
  weights: Float32Array = new Float32Array();
  private peaks: number[] = [];
  private decode: Trace | null = null;
  private structure = ""; // all of a message but what is looked at
  private parts: Part[] = [];
  private attention!: Attention;
  private candidates!: Candidates;
  private branches: Branches | null = null;
  private acted: Action | null = null; // what was done last
  private isLaidOut = false; // a part is whole once it was laid out, for which the view must have a width
  private clock = 0;
  private readonly live = el("div", { class: "unseen", "aria-live": "polite" });
  private readonly page: Part;
  private readonly teller = new InsistingTeller(() =>
    this.state.isPlaying ? null : { about: { trace: this.trace.key }, choice: choiceOf(this.state) },
  );

  constructor(
    readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    this.page = joinPage(this, signal);
    root.tabIndex = -1;
    document.addEventListener("keydown", (event) => this.onPageKey(event), { signal });
    root.addEventListener("keydown", (event) => this.onKey(event), { signal });
    onResize(root, () => this.layout(), signal);
  }

  get trace(): Trace {
    return this.decode!;
  }
  weight(row: number, column: number): number {
    return this.weights[row * this.plane.width + column];
  }
  peak(row: number): number {
    return this.peaks[row];
  }
  row(): number {
    return this.plane.byStep ? this.state.step : this.trace.reads[this.state.step];
  }
  rowsSeen(): number {
    return this.plane.byStep ? this.state.step + 1 : this.plane.height;
  }
  picked(): Spot | null {
    const row = this.row(),
      column = this.peak(row);
    return this.state.cursor ?? (column < 0 ? null : { row, column });
  }

  private redraw(what: "layout" | "step" | "matrix" | "hover" | "playing"): void {
    if (this.isLaidOut) for (const part of this.parts) part[what]?.();
  }

  // ---- what the visitor can do -------------------------------------------------------------------------------
  go(step: number): void {
    this.stop();
    this.show(step);
    this.teller.changed();
  }

  choose(layer: number, head: number | null): void {
    this.take(layer, head);
    this.redraw("matrix");
    this.teller.changed();
  }

  setAttention(name: AttentionName): void {
    Object.assign(this.state, { attention: name, cursor: null, hover: null });
    this.choose(this.state.layer, this.state.head);
  }

  setOverlay(on: boolean): void {
    if (!this.trace.gold) return;
    this.state.overlay = on;
    this.redraw("matrix");
    this.teller.changed();
  }

  hover(next: Pointed | null): void {
    const before = this.state.hover;
    if (before?.row === next?.row && before?.column === next?.column && before?.cell === next?.cell) return;
    this.state.hover = next;
    this.redraw("hover");
  }

  pick(cell: Spot | null): void {
    if (!cell && !this.state.cursor) return;
    this.state.cursor = cell;
    this.redraw("hover");
  }

  act(action: Action): void {
    this.stop();
    this.acted = action;
    this.teller.act(this.trace.key, action);
  }

  /** Asks how a weight came about; of the mean over the heads nothing was recorded. */
  explainWeight({ row, column }: Spot): void {
    const { attention, layer, head } = this.state;
    if (head === null) return setText(this.live, MEAN_IS_DERIVED);
    if (column >= 0) this.act({ kind: "explain", what: "weight", attention, layer, head, row, column });
  }

  private show(step: number): void {
    Object.assign(this.state, { step: within(step, this.trace.steps - 1), cursor: null, hover: null });
    this.redraw("step");
    this.announce();
  }

  /** Takes a layer and a head of the attention, in its bounds. */
  private take(layer: number, head: number | null): void {
    const { state, root } = this,
      plane = this.trace.planes[state.attention];
    this.plane = plane;
    root.dataset.attention = state.attention;
    state.layer = within(layer, plane.layers - 1);
    state.head = head === null || head < 0 ? null : within(head, plane.heads - 1);
    this.weights = plane.matrix(state.layer, state.head);
    this.peaks = plane.rows.map((_, row) => peakOf(this.weights, row, plane.width));
  }

  private announce(): void {
    const {
        trace,
        plane,
        state: { step: t },
      } = this,
      peak = plane.byStep ? this.peak(t) : -1;
    const reads = peak < 0 ? "" : `, reads mostly ${plane.columnName(peak)}`;
    const token = `${clip(trace.output[t], 32)}${trace.isForced(t) ? ", forced" : ""}`;
    setText(this.live, `Step ${t}, ${token}, probability ${formatProbability(trace.probability(t))}${reads}`);
  }

  // ---- playing -----------------------------------------------------------------------------------------------
  toggle(): void {
    if (!this.state.isPlaying) return this.play();
    this.stop();
    this.teller.changed();
  }

  setSpeed(speed: number): void {
    this.state.speed = speed;
    this.tick();
    this.redraw("playing");
  }

  private play(): void {
    if (this.state.step === this.trace.steps - 1) this.show(0);
    this.state.isPlaying = this.trace.steps > 1;
    this.teller.hold();
    this.redraw("playing");
    this.tick();
  }

  private stop(): void {
    clearTimeout(this.clock);
    if (!this.state.isPlaying) return;
    this.state.isPlaying = false;
    this.redraw("playing");
  }

  private tick(): void {
    clearTimeout(this.clock);
    if (!this.state.isPlaying) return;
    this.clock = window.setTimeout(() => {
      this.show(this.state.step + 1);
      if (this.state.step < this.trace.steps - 1) return this.tick();
      this.stop();
      this.teller.changed();
    }, STEP_MS / this.state.speed);
  }

  // ---- keys --------------------------------------------------------------------------------------------------
  private onKey(event: KeyboardEvent): void {
    // Where brackets are typed with AltGr, it says that other keys are held as well.
    if (isShortcut(event) && !event.getModifierState("AltGraph")) return;
    const target = event.target as Element;
    if (target.closest(TYPED) || (event.key === " " && target.closest("button"))) return;
    const act = (this.attention.isCells(target) && this.cellKeys()[event.key]) || this.viewKeys()[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** With the focus nowhere at all, as after opening the page, the arrows still step: the screen says they do. */
  private onPageKey(event: KeyboardEvent): void {
    const ways: Record<string, number | undefined> = { ArrowLeft: -1, ArrowRight: 1 },
      by = ways[event.key];
    if (by && isFromPage(event) && !isShortcut(event)) this.go(this.state.step + by);
  }

  private viewKeys(): Keys {
    const {
        candidates,
        state: { step, layer, head },
      } = this,
      row = head ?? -1;
    return {
      ArrowLeft: () => this.go(step - 1),
      ArrowRight: () => this.go(step + 1),
      Home: () => this.go(0),
      End: () => this.go(this.trace.steps - 1),
      " ": () => this.toggle(),
      "[": () => this.choose(layer - 1, head),
      "]": () => this.choose(layer + 1, head),
      ",": () => this.choose(layer, row - 1),
      ".": () => this.choose(layer, row + 1),
      ArrowUp: candidates.onto(-1),
      ArrowDown: candidates.onto(1),
    };
  }

  private cellKeys(): Keys {
    const { row, column } = this.picked() ?? { row: this.row(), column: 0 },
      last = this.plane.width - 1;
    const to = (nextRow: number, nextColumn: number) => () =>
      this.moveTo({
        row: within(nextRow, this.rowsSeen() - 1),
        column: within(nextColumn, last),
      });
    return {
      ArrowLeft: to(row, column - 1),
      ArrowRight: to(row, column + 1),
      ArrowUp: to(row - 1, column),
      ArrowDown: to(row + 1, column),
      Home: to(row, 0),
      End: to(row, last),
      Enter: () => this.explainWeight({ row, column }),
      Escape: () => this.focusRoot(),
    };
  }

  private moveTo(cell: Spot): void {
    const { plane, state } = this;
    if (state.isPlaying) this.toggle();
    state.hover = null;
    this.pick(cell);
    this.attention.reveal(cell);
    const weight = plane.masked(cell.row, cell.column)
      ? "masked"
      : `weight ${fixed(this.weight(cell.row, cell.column), 4)}`;
    setText(
      this.live,
      `${clip(plane.rowName(cell.row), 40)} reads ${clip(plane.columns[cell.column], 32)}, ${weight}`,
    );
  }

  private focusRoot(): void {
    this.root.focus({ preventScroll: true });
  }

  // ---- size and colours --------------------------------------------------------------------------------------
  private layout(): void {
    const {
      root,
      root: { clientWidth: width },
    } = this;
    if (!this.decode || !width) return;
    const phone = window.innerWidth < PHONE,
      dashboard = !phone && width >= DASHBOARD;
    const tall = Math.max(LOWEST, Math.min(HIGHEST, window.innerHeight - topOf(root) - BELOW)),
      low = dashboard && tall < LOW;
    this.size = {
      phone,
      dashboard,
      low,
      plot: dashboard ? Math.round(PLOT + (tall - LOWEST) / 4) : USUAL_PLOT,
    };
    root.dataset.size = phone ? "phone" : dashboard ? "dashboard" : "stacked";
    root.toggleAttribute("data-low", low);
    root.style.setProperty("--tall", `${tall}px`);
    const isFirst = !this.isLaidOut;
    this.isLaidOut = true;
    this.redraw("layout");
    if (isFirst) this.redrawStep();
  }

  private redrawStep(): void {
    this.redraw("step");
    this.redraw("playing");
  }

  // ---- new messages ------------------------------------------------------------------------------------------
  update({ data, setStateValue }: Component): void {
    // Before anything is rebuilt: asked afterwards, it costs a layout.
    const { root, state, teller } = this,
      theme = themeOf(root);
    const payload = readPayload<Header>(data),
      { header } = payload,
      before = this.decode;
    const structure = JSON.stringify({
      ...header,
      step: 0,
      attention: 0,
      layer: 0,
      head: 0,
      overlay: 0,
      report: 0,
    });
    const isRebuilt = structure !== this.structure,
      isAgain = String(header.source_tokens) === String(before?.source_tokens);
    this.structure = structure;
    const choice = { ...choiceOf(header), overlay: header.overlay && header.gold !== null };
    teller.hear(setStateValue, header.report);
    const { choices, isPending: pending } = teller,
      earlier = choices.knownAt(header.report),
      fresh = before?.key !== header.key;
    const verdict = choices.hear(choice, header.report, {
        fresh,
        possible: isAgain,
        pending,
        alike: isAlike,
      }),
      follows = verdict === "follow";
    if (fresh) {
      this.stop();
      teller.stop();
    }
    const scrollBack = isRebuilt && isAgain ? keepScroll(root, SCROLLED) : null,
      focusBack = isRebuilt ? this.build(payload, isAgain) : null;
    if (follows) this.follow(choice);
    else if (verdict === "keep") this.keep(choice, earlier);
    // Our own report coming back changes nothing that is drawn.
    if (!follows && !isRebuilt && root.dataset.look === theme) return;
    state.step = Math.min(state.step, this.trace.steps - 1);
    this.take(state.layer, state.head);
    if (!before || root.dataset.look !== theme) this.look = readLook(root);
    this.layout();
    if (follows && !isRebuilt) this.redrawStep();
    scrollBack?.();
    // The restored scroll position may hide the step. A view without a width has no layout yet.
    if (scrollBack && this.isLaidOut) this.attention.revealStep();
    focusBack?.();
  }

  private follow(choice: Choice): void {
    this.stop();
    this.teller.hold();
    Object.assign(this.state, { ...choice, cursor: null });
  }

  private keep(choice: Choice, earlier: Choice | null): void {
    if (this.state.step === earlier?.step) this.state.step = choice.step;
    this.teller.changed();
  }

  /** Builds everything; gives the way to have the focus again where it was, if it was in the view. */
  private build(payload: Payload<Header>, isAgain: boolean): (() => void) | null {
    const { root, state } = this,
      before = this.controls(),
      { cursor } = state,
      had = focusBeside(root);
    const hasFocus = root.contains(had),
      held = before.findIndex((control) => control === had);
    if (!isAgain) this.typed = "";
    this.decode = makeTrace(payload);
    this.isLaidOut = false;
    state.hover = state.cursor = null;
    const { what_if: whatIf, lens, cache } = this.decode;
    this.attention = new Attention(this);
    this.candidates = new Candidates(this);
    this.branches = whatIf && new Branches(this, whatIf);
    const internals = [lens && new LensCard(this, lens), cache && new CacheCard(this, cache)].filter(
      (card) => card !== null,
    );
    const below = this.branches ? [this.branches] : [];
    this.parts = [this.page, this.attention, this.candidates, ...below, ...internals];
    const pair = el("div", { class: "pair" }, this.attention.node, this.candidates.node);
    const inside = el("div", { class: "internals" }, ...internals.map((part) => part.node));
    root.replaceChildren(
      pair,
      ...below.map((part) => part.node),
      ...(internals.length ? [inside] : []),
      this.live,
    );
    return hasFocus
      ? () => this.refocus(isAgain && before.length === this.controls().length ? held : -1, cursor)
      : null;
  }

  private controls(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>(CONTROLS)];
  }

  /** Takes the focus to what the visitor's last action made, or to the control that had it; else to the view. */
  private refocus(held: number, cursor: Spot | null): void {
    const { acted } = this,
      control = this.controls().at(held);
    this.acted = null;
    if (acted) {
      if (!this.branches?.focus(acted)) this.focusRoot();
    } else if (held < 0) this.focusRoot();
    else {
      control?.focus({ preventScroll: true });
      if (control && this.attention.isCells(control) && cursor && cursor.row < this.rowsSeen())
        this.pick(cursor);
    }
  }

  dispose(): void {
    clearTimeout(this.clock);
    this.teller.stop();
  }
}

export default styled(
  mounted(".decode-view", (root, signal) => new DecodeView(root, signal)),
  viewCss,
  css,
);
