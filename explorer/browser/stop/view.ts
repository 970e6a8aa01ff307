// A stop: one block of the model in one picture, on the rail of all of them.

import { Moments, onTold, shareToken, tell } from "../shared/bus";
import type { Command, Light, Token } from "../shared/bus";
import { goOut } from "../shared/camera";
import { button, el, explainButton, layOver, setText, words } from "../shared/elements";
import { focusBeside } from "../shared/focus";
import { actOn, comesFrom, isFromPage } from "../shared/keys";
import { prepareCanvas, readLook } from "../shared/look";
import type { Look } from "../shared/look";
import { readPayload } from "../shared/message";
import { mounted } from "../shared/mount";
import type { Component, View } from "../shared/mount";
import type { CellPlace } from "../shared/planes";
import { onResize, topOf } from "../shared/resize";
import { Tabs } from "../shared/tabs";
import { Teller } from "../shared/teller";
import { choiceOf, isPossible, textOf } from "../shared/tensors";
import type { Reading } from "../shared/tensors";
import type { Board, Frame, Part, Picture, Spot } from "./board";
import { extent, isMissing, partOf, planeOf, shownIn, spotAt, spotBelow, spotBeside } from "./board";
import type { Entry, Header } from "./data";
import { Drawing } from "./draw";
import { Entries } from "./entries";
import type { Cell } from "./entries";
import { Heads } from "./heads";
import { Model } from "./model";
import type { Chosen } from "./model";
import { PICTURES } from "./pictures";
import { Player } from "./player";
import { Rail } from "./rail";
import { tableOf } from "./table";
import { Spotlight } from "./spotlight";
import { Tokens } from "./tokens";
import { foundIn, read, shownOf, summary } from "./words";
import viewCss from "../shared/view.css";
import css from "./view.css";
import { styled } from "../shared/styles";

const PHONE = 641,
  LEAST_HEIGHT = 360;

class Stop implements View {
  private readonly teller = new Teller<Chosen>(
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
    () => this.model && { about: { key: this.header.key }, choice: this.chosen },
  );
  private readonly tellToken: (token: Token | null) => void;
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private readonly parts = el("div", { class: "parts", id: "picture", role: "tabpanel" });
  private readonly stage = el("div", { class: "stage" }, this.canvas, this.parts);
  private readonly sentence = el("p", { class: "sentence" });
  private readonly explain = explainButton(() => {
    const spot = this.active();
    if (spot) this.ask(spot);
  });
  private readonly tableButton = button({ class: "link", text: "Table" }, () => this.toggleTable());
  private readonly inspect = button(
    { class: "link", text: "All numbers", title: "Every tensor of this block, in the tensor inspector" },
    () => this.leaveFor(this.header.here, { inspects: true }),
  );
  private readonly heard = el("p", { class: "unseen", "aria-live": "polite" });
  private readonly tablePlace = el("div");
  private readonly rail = new Rail((block) => this.go(block));
  private readonly tabs = new Tabs("picture", (stage) => this.open(stage));
  private readonly heads = new Heads((head) => this.choose("head", head));
  private readonly tokens = new Tokens((row) => this.toRow(row));
  private readonly entries = new Entries(
    (cells) => this.type(cells),
    () => {
      if (this.model) this.write(this.active());
    },
    (entry) => this.writeIn(entry),
  );
  private readonly spotlight = new Spotlight();
  private readonly moments = new Moments();
  private readonly player = new Player(
    () => this.draw(),
    () => this.rested(),
  );
  private readonly reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
  private model: Model | null = null;
  private board!: Board;
  private look!: Look;
  private drawing!: Drawing;
  private cell: CellPlace | null = null;
  private pointed: Spot | null = null;
  private term: CellPlace | null = null; // what the explained number is made of, pointed at beside the picture
  private cursor: Spot | null = null;
  private tabled = "";
  private brought = ""; // the stage that is scrolled to until somebody scrolls or chooses

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    this.stage.append(this.tokens.node, this.heads.node, this.entries.node, this.spotlight.node);
    const foot = el(
      "div",
      { class: "foot" },
      el("div", { class: "caption" }, this.sentence, this.explain, this.tableButton, this.inspect),
      this.tabs.node,
    );
    root.append(this.rail.node, this.stage, foot, this.tablePlace, this.heard);
    root.tabIndex = -1;
    this.canvas.addEventListener("pointermove", (event) => this.point(this.under(event)), { signal });
    this.canvas.addEventListener("pointerleave", () => this.point(null), { signal });
    this.canvas.addEventListener("click", (event) => this.onClick(event), { signal });
    root.addEventListener("keydown", (event) => this.onPartKey(event), { signal });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    onTold("command", (command) => this.obey(command), signal);
    onTold(
      "term",
      (term) => {
        this.term = term;
        if (this.model) this.draw();
      },
      signal,
    );
    onTold("light", (light) => this.turn(light), signal);
    this.tellToken = shareToken((token) => this.hear(token), signal);
    onResize(
      root,
      () => {
        this.layout();
        this.bring(this.brought);
      },
      signal,
    );
    for (const event of ["wheel", "pointerdown", "touchstart", "keydown"])
      window.addEventListener(
        event,
        () => {
          this.brought = "";
        },
        { signal, passive: true, capture: true },
      );
  }

  // ---- what is chosen -----------------------------------------------------------------------------------------
  private get header(): Header {
    return this.model!.header;
  }
  private get picture(): Picture {
    return PICTURES[this.header.picture];
  }
  private get chosen(): Chosen {
    return this.model!.chosen;
  }
  /** Whether the bar of the sentence and it follow each other. */
  private get isLed(): boolean {
    return this.header.row_side === "target" && !this.model!.isBelow;
  }

  private change(change: Partial<Chosen>): void {
    this.player.finish();
    this.model!.chosen = { ...this.chosen, ...change };
    this.cursor = this.pointed = null;
    this.layout();
    this.moved();
    this.rested();
  }

  private open(stage: string): void {
    if (stage !== this.chosen.stage) this.change({ stage });
  }
  private choose(axis: string, place: number): void {
    const chooser = this.model!.chooser(axis);
    if (!chooser || place < 0 || place >= chooser.options.length || place === this.chosen.choices[axis])
      return;
    this.change({ choices: { ...this.chosen.choices, [axis]: place } });
    setText(this.heard, `${axis} ${place}`);
    if (!chooser.local) this.teller.tellChoice();
  }
  private toRow(row: number): void {
    const to = Math.max(0, Math.min(this.header.reads.length - 1, row));
    if (to !== this.chosen.row) this.change({ row: to });
  }

  /** Another block: of another layer of the same kind at once where its numbers are here. */
  private go(id: string): void {
    const there = this.header.rail.find((block) => block.id === id),
      here = this.header.rail.find((block) => block.id === this.header.here);
    const isAlike =
      there && here && there.title === here.title && there.side === here.side && there.layer !== null;
    if (isAlike && this.model!.chooser("layer")?.local) {
      this.model!.header.here = id;
      this.rail.draw(this.header);
      this.choose("layer", there.layer!);
    } else this.leaveFor(id);
  }

  /** To the page of a block, or with its numbers to the inspector; empty for the whole picture. */
  private leaveFor(block: string, where: { inspects?: true } = {}): void {
    this.teller.tell("open", { key: this.header.key, block, ...where });
  }

  // ---- reports -------------------------------------------------------------------------------------------------
  private moved(): void {
    if (this.isLed)
      this.moments.tell({
        step: this.chosen.row,
        isPlaying: this.player.isPlaying,
        speed: this.player.speed,
        isRunning: !this.player.isOver,
      });
  }

  private rested(): void {
    this.moved();
    this.teller.changed();
  }

  private ask(spot: Spot): void {
    spot = this.picture.asks?.(this.model!, spot) ?? spot;
    const part = partOf(this.board, spot.part)!,
      { version, plane } = shownOf(this.model!, part, this.held, spot);
    if (part.picks) this.choose(part.picks, spot.row);
    if (!this.isAskable(spot)) return;
    this.teller.tellChoice();
    this.cell = this.model!.cellAt(version.tensor, plane, spot.row, spot.column);
    this.draw();
    this.teller.tell("ask", {
      key: this.header.key,
      tensor: version.tensor,
      layer: plane.layer(spot.row, spot.column),
      index: plane.index(spot.row, spot.column),
    });
  }

  /** Somebody writes in a cell: what makes its number is framed, as of a cell that is pointed at. */
  private writeIn(entry: Entry | null): void {
    const part =
      entry &&
      entry.column >= 0 &&
      this.board.parts.find(({ versions }) => versions[0].tensor === entry.tensor);
    this.cursor = part ? { part: part.name, row: entry.row, column: entry.column } : null;
    this.draw();
  }

  /** Something was written into cells. */
  private type(cells: Cell[]): number {
    this.teller.tellChoice();
    return this.teller.tell("type", { key: this.header.key, cells });
  }

  private isAskable(spot: Spot): boolean {
    return shownOf(this.model!, partOf(this.board, spot.part)!, this.held, spot).plane.tensor.askable;
  }

  // ---- pointing ------------------------------------------------------------------------------------------------
  private under(event: MouseEvent): Spot | null {
    const { left, top } = this.canvas.getBoundingClientRect();
    return this.isThere(spotAt(this.model!, this.board, event.clientX - left, event.clientY - top));
  }

  /** A spot whose cell is drawn; a row or a key that is not there yet has none. */
  private isThere(spot: Spot | null): Spot | null {
    const part = spot && partOf(this.board, spot.part);
    if (!part || isMissing(this.model!, planeOf(this.model!, part.versions[0]), spot.row, spot.column))
      return null;
    if (!this.header.grows) return spot;
    const { row } = this.chosen;
    const isLater =
      (part.follows === "rows" && spot.row > row) ||
      ((part.columnsGrow || part.follows === "columns") && spot.column > row);
    return isLater ? null : spot;
  }

  private point(spot: Spot | null): void {
    if (JSON.stringify(spot) === JSON.stringify(this.pointed)) return;
    this.pointed = spot;
    this.canvas.style.cursor = spot ? "pointer" : "";
    if (!this.player.isPlaying) this.draw();
    this.tellToken(this.tokenOf(spot));
  }

  private tokenOf(spot: Spot | null): Token | null {
    const part = spot && partOf(this.board, spot.part);
    return part?.follows === "rows" && this.header.row_side
      ? { side: this.header.row_side, place: spot!.row }
      : null;
  }

  private hear(token: Token | null): void {
    if (!this.model || this.player.isPlaying) return;
    const part = this.board.parts.find((each) => each.follows === "rows" && each.above);
    this.draw(token && part ? this.litBy(token, part) : {});
  }
  private litBy(token: Token, part: Part): { row?: number; column?: number } {
    const { rows, columns } = shownOf(this.model!, part, this.held).plane;
    return {
      ...(rows.side === token.side ? { row: token.place } : {}),
      ...(columns.side === token.side ? { column: token.place } : {}),
    };
  }

  private turn(light: Light | null): void {
    this.spotlight.turn(light);
    if (this.model) this.draw();
  }

  private onClick(event: MouseEvent): void {
    const spot = this.under(event);
    if (this.spotlight.isElsewhere(spot)) tell("light", null);
    if (spot) return this.ask(spot);
    const { left, top } = this.canvas.getBoundingClientRect(),
      label = this.rowLabel(event.clientX - left, event.clientY - top);
    if (!label) return undefined;
    return label.picks ? this.choose(label.picks, label.row) : this.toRow(label.row);
  }

  /** The row whose label is at a place, and what is chosen by it. */
  private rowLabel(x: number, y: number): { row: number; picks?: string } | null {
    for (const part of this.board.parts) {
      const { width, height } = extent(this.model!, part),
        { rows } = shownIn(this.model!, part),
        isBeside = (part.left && x < part.x) || (part.right && x > part.x + width);
      if ((part.picks || part.follows === "rows") && isBeside && y >= part.y && y < part.y + height)
        return { row: rows[Math.floor((y - part.y) / part.cell[1])], picks: part.picks };
    }
    return null;
  }

  /** The cell that the sentence is about. */
  private active(): Spot | null {
    return this.pointed ?? this.cursor ?? this.spotOf(this.cell);
  }

  /** Where the picture has a number of the model; null for nowhere. */
  private spotOf(cell: CellPlace | null): Spot | null {
    for (const part of cell ? this.board.parts : []) {
      const found = foundIn(this.model!, part, this.held, cell);
      if (found) return found;
    }
    return null;
  }

  // ---- keys ----------------------------------------------------------------------------------------------------
  private onPartKey(event: KeyboardEvent): void {
    const name = (event.target as HTMLElement).dataset.part,
      part = name ? partOf(this.board, name) : undefined;
    if (!part || event.defaultPrevented) return;
    const from = this.cursor ?? { part: part.name, row: 0, column: 0 };
    const by = (down: number, across: number) => () =>
      this.moveCursor(spotBeside(this.model!, part, from, down, across));
    const down = (to: number) => (part.rows?.length === 1 ? () => this.goDown(part, from, to) : by(to, 0));
    actOn(event, {
      ArrowLeft: by(0, -1),
      ArrowRight: by(0, 1),
      ArrowUp: down(-1),
      ArrowDown: down(1),
      Home: by(0, -Infinity),
      End: by(0, Infinity),
      PageUp: by(-10, 0),
      PageDown: by(10, 0),
      Enter: () => this.ask(from),
      Escape: () => this.root.focus({ preventScroll: true }),
    });
  }

  /** The same number of the row above or below. */
  private goDown(part: Part, from: Spot, by: number): void {
    const spot = spotBelow(this.model!, this.board, part, from, by);
    if (!spot) return;
    this.overlay(spot.part).focus({ preventScroll: true });
    this.moveCursor(spot);
  }

  private moveCursor(spot: Spot): void {
    if (!this.isThere(spot)) return;
    this.cursor = spot;
    this.pointed = null;
    this.draw();
    setText(this.heard, textOf(read(this.model!, this.picture, this.board, spot, this.held)));
  }

  private onKey(event: KeyboardEvent): void {
    const path = event.composedPath(),
      isOurs = path.includes(this.root),
      isBelow = this.model?.isBelow ?? false,
      isFree = isFromPage(event) && !isBelow;
    if (!this.model || event.defaultPrevented || !(isOurs || isFree)) return;
    if (
      comesFrom(event, "button, a, input, [role=tab]") &&
      [" ", "Enter", "ArrowLeft", "ArrowRight"].includes(event.key)
    )
      return;
    const { row, choices } = this.chosen,
      layer = choices.layer ?? 0,
      head = choices.head ?? 0;
    actOn(event, {
      ArrowRight: () => (event.shiftKey && !isBelow ? this.nextStage(1) : this.toRow(row + 1)),
      ArrowLeft: () => (event.shiftKey && !isBelow ? this.nextStage(-1) : this.toRow(row - 1)),
      " ": !isBelow && (() => this.toggle()),
      Home: () => this.toRow(0),
      End: () => this.toRow(Infinity),
      "[": () => this.choose("layer", layer - 1),
      "]": () => this.choose("layer", layer + 1),
      ",": () => this.choose("head", head - 1),
      ".": () => this.choose("head", head + 1),
      Escape: !isBelow && (() => this.leave()),
    });
  }

  /** One level out: a stage becomes the whole picture of the block, and that the whole network. */
  private leave(): void {
    if (this.chosen.stage) this.open("");
    else {
      goOut(this.stage, this.header.here);
      this.leaveFor("");
    }
  }

  private nextStage(by: 1 | -1): void {
    const keys = ["", ...this.header.stages.map(({ key }) => key)],
      at = keys.indexOf(this.chosen.stage);
    this.open(keys[(at + by + keys.length) % keys.length]);
  }

  private toggle(): void {
    if (this.reduced.matches) return this.nextStage(1);
    if (this.chosen.stage) this.open("");
    this.player.toggle();
    return this.moved();
  }

  private obey(command: Command): void {
    if (!this.model || !this.isLed) return;
    if (command.do === "go") this.toRow(command.step);
    else if (command.do === "toggle") this.toggle();
    else if (command.do === "speed") {
      this.player.speed = command.speed;
      this.moved();
    }
  }

  // ---- drawing -------------------------------------------------------------------------------------------------
  private get held(): number {
    return this.model!.held;
  }

  private draw(lit: { row?: number; column?: number } = {}): void {
    const { model, board, held } = this,
      spot = this.active(),
      isPlaying = this.player.isPlaying || !this.player.isOver;
    const cell: Frame | null = spot && { ...spot, tone: "" },
      frames = [
        ...(spot ? this.picture.feeds(model!, spot, board) : []),
        ...this.terms(),
        ...this.pointedOut(),
        ...this.spotlight.shine(model!, board, held),
      ],
      rays = isPlaying ? [] : (this.picture.rays?.(model!, spot, board, held) ?? []);
    const progress = isPlaying ? this.player.progress(model!, this.picture) : held,
      own = spot ? { row: spot.row, column: spot.column } : lit;
    this.drawing.draw({
      board,
      progress,
      held,
      isPlaying,
      frames,
      rays,
      cell,
      lit: spot && partOf(board, spot.part)!.above ? own : lit,
      light: this.spotlight.lit,
    });
    this.spotlight.place(model!, board, (frame) => this.drawing.framed(frame, board));
    this.tabs.show(this.chosen.stage, isPlaying ? progress : null);
    this.write(spot);
  }

  /** Where the picture has the operand that is pointed at beside it. */
  private terms(): Frame[] {
    const found = this.spotOf(this.term);
    return found ? [{ ...found, tone: "" }] : [];
  }

  /** Of a picture below a stop what its stage makes. */
  private pointedOut(): Frame[] {
    const { stage } = this.chosen;
    return this.model!.isBelow && stage
      ? this.board.parts
          .filter(({ versions }) => versions[0].from === stage)
          .map(({ name }) => ({ part: name, tone: "" }))
      : [];
  }

  private write(spot: Spot | null): void {
    const { model, board, held } = this,
      stage = model!.stage(this.chosen.stage);
    const { problem } = this.entries;
    this.sentence.classList.toggle("problem", Boolean(problem));
    if (problem) return this.refuse(problem);
    this.explain.disabled = !spot || !this.isAskable(spot);
    if (!spot)
      return this.sentence.replaceChildren(
        ...(stage ? [words("b", stage.formula), " ", stage.note] : [this.resting()]),
      );
    const reading = read(model!, this.picture, board, spot, held);
    return this.sentence.replaceChildren(...piecesOf(reading));
  }

  /** What was written cannot be used. */
  private refuse(problem: string): void {
    this.explain.disabled = true;
    this.sentence.replaceChildren(problem);
    setText(this.heard, problem);
  }

  /** What is said where nothing is pointed at. */
  private resting(): string {
    return this.picture.rests ?? "Point at a number to see what it is made of; click it to see how.";
  }

  private layout(): void {
    if (!this.model || !this.root.clientWidth) return;
    const isPhone = window.innerWidth < PHONE,
      { root, stage } = this,
      { isBelow } = this.model,
      top = isBelow ? ABOVE : topOf(stage);
    root.dataset.size = isPhone ? "phone" : "wide";
    root.style.minHeight =
      isPhone || isBelow ? "" : `${Math.max(LEAST_HEIGHT, window.innerHeight - topOf(root))}px`;
    this.look = readLook(root);
    for (const node of [this.rail.node, this.tabs.node, this.inspect]) node.hidden = isBelow;
    if (!isBelow) {
      this.rail.draw(this.header);
      this.rail.lay(this.header);
    }
    const measure = document.createElement("canvas").getContext("2d")!;
    const room = {
      width: stage.clientWidth,
      height: Math.max(LEAST_HEIGHT, window.innerHeight - top - FOOT),
      isPhone,
      measure: (text: string, weight = 400) => {
        measure.font = `${weight} 13px ${this.look.family}`;
        return measure.measureText(text).width;
      },
    };
    this.board = this.picture.lay(this.model, room);
    stage.style.height = `${this.board.height}px`;
    const { context, ratio } = prepareCanvas(this.canvas, room.width, this.board.height);
    this.drawing = new Drawing(this.model, context, this.look, ratio);
    this.tokens.draw(this.model, this.board);
    this.entries.draw(this.model, this.board, this.header.report);
    this.heads.draw(this.model, this.board, this.look);
    this.overlays();
    this.draw();
  }

  /** An element over each part, for whoever uses no pointer. */
  private overlays(): void {
    const held = focusBeside(this.parts) as HTMLElement | null,
      name = held?.dataset.part;
    const nodes = this.board.parts.map((part) => {
      const { width, height } = extent(this.model!, part),
        node = this.overlay(part.name);
      node.setAttribute("aria-label", summary(this.model!, part, this.held));
      layOver(node, { x: part.x, y: part.y, width, height });
      return node;
    });
    const before = [...this.parts.children];
    if (before.length !== nodes.length || before.some((node, i) => node !== nodes[i]))
      this.parts.replaceChildren(...nodes);
    if (name) nodes.find((node) => node.dataset.part === name)?.focus({ preventScroll: true });
  }

  private readonly overlayNodes = new Map<string, HTMLElement>();
  private overlay(name: string): HTMLElement {
    let node = this.overlayNodes.get(name);
    if (node) return node;
    node = el("div", {
      class: "part",
      role: "img",
      tabindex: 0,
      "aria-roledescription": "matrix",
      "data-part": name,
    });
    node.addEventListener("focus", () => this.enter(name));
    node.addEventListener("blur", () => {
      this.cursor = null;
      this.draw();
    });
    this.overlayNodes.set(name, node);
    return node;
  }

  private enter(name: string): void {
    const part = partOf(this.board, name);
    if (!part) return;
    const found = foundIn(this.model!, part, this.held, this.cell),
      row = part.follows === "rows" ? this.chosen.row : 0;
    this.cursor = found ?? spotBeside(this.model!, part, { part: name, row, column: 0 }, 0, 0);
    this.draw();
  }

  private toggleTable(): void {
    const name =
      this.active()?.part ??
      this.board.parts.findLast(({ above }) => above)?.name ??
      this.board.parts[0].name;
    this.tabled = this.tabled ? "" : name;
    this.showTable();
  }
  private showTable(): void {
    const part = this.tabled ? partOf(this.board, this.tabled) : undefined;
    this.tablePlace.replaceChildren(...(part ? [tableOf(this.model!, part, this.held)] : []));
    this.tableButton.textContent = part ? "Hide table" : "Table";
    this.tableButton.setAttribute("aria-expanded", String(Boolean(part)));
  }

  // ---- new messages --------------------------------------------------------------------------------------------
  update({ data, setStateValue }: Component): void {
    this.teller.through(setStateValue);
    const { choices } = this.teller;
    const payload = readPayload<Header>(data),
      { header } = payload,
      fresh = this.model?.header.key !== header.key;
    const choice: Chosen = { ...choiceOf(header), row: header.row };
    if (this.model && pageOf(header) !== pageOf(this.header)) this.close();
    const before = this.model?.chosen ?? choice,
      possible = isPossible(header, before) && before.row < header.reads.length;
    const pending = this.model !== null && !choices.isKnown(before);
    // A message from before the last question does not know what was asked.
    if (fresh || header.report >= choices.report) this.cell = header.cell;
    const verdict = choices.hear(choice, header.report, { fresh, possible, pending });
    this.model = new Model(payload, verdict === "follow" || fresh ? choice : before);
    if (verdict === "follow") this.player.finish();
    else if (verdict === "keep") this.rested();
    this.tabs.build([WHOLE, ...header.stages.map(({ key, title, note }) => ({ key, title, tip: note }))]);
    this.layout();
    this.showTable();
    if (fresh || verdict === "follow") this.moved();
    if (this.model.isBelow) return this.bring(fresh || verdict === "follow" ? header.stage : this.brought);
    return undefined;
  }

  /** Scrolls to what a stage makes, below the fold, and again while the page around it still grows. */
  private bring(stage: string): void {
    this.brought = stage;
    if (!this.root.clientWidth) return; // it is laid out when it is shown
    const part = this.board.parts.find(({ versions }) => versions[0].from === stage);
    if (part) this.overlay(part.name).scrollIntoView({ block: "center" });
  }

  /** The picture makes room for that of another block. */
  private close(): void {
    this.player.finish();
    this.teller.hold();
    this.cursor = this.pointed = this.term = null;
    this.tabled = "";
    this.moments.end();
  }

  dispose(): void {
    this.entries.dispose();
    this.close();
    this.spotlight.end();
  }
}

const WHOLE = { key: "", title: "Whole", tip: "Every stage in one picture" };
/** Of what stands around a picture: below one, and above one that stands below a stop. */
const FOOT = 62,
  ABOVE = 130;

/** Return the page of a stop, with which its key ends. */
function pageOf({ key }: Header): string {
  return key.slice(key.lastIndexOf("/"));
}

function piecesOf({
  before,
  first,
  between,
  second,
  after,
  value,
  place,
  tones,
}: Reading): (Node | string)[] {
  return [
    before,
    words("b", first, tones[0]),
    between,
    words("b", second, tones[1]),
    after,
    words("b", value),
    " ",
    words("code", place),
  ];
}

export default styled(
  mounted(".stop", (root, signal) => new Stop(root, signal)),
  viewCss,
  css,
);
