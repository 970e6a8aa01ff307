// The whole view: one moment, what follows it, and what Python hears of it when it rests.

import { Moments, onTold, shareToken, tell } from "../../../browser/shared/bus";
import type { Command, Token } from "../../../browser/shared/bus";
import { goInto } from "../../../browser/shared/camera";
import type { Box } from "../../../browser/shared/camera";
import { button, el, setText, words } from "../../../browser/shared/elements";
import { focusBeside } from "../../../browser/shared/focus";
import { actOn, comesFrom, isFromPage } from "../../../browser/shared/keys";
import { readPayload } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { onResize, topOf } from "../../../browser/shared/resize";
import { offerCorner } from "../../../browser/shared/spare_corner";
import { Teller } from "../../../browser/shared/teller";
import { CompareSwitch, isBeside } from "./compare";
import { Corner } from "./corner";
import { Guide } from "./guide";
import { Spotlight } from "./light";
import { movingAt } from "./frame";
import { Picture, said } from "./picture";
import { blockBox, blockPlace } from "./pointing";
import { Run } from "./run";
import type { Block, Header } from "./run";
import { caption, lead, plainText, question, spoken } from "./saying";
import type { Piece } from "./saying";
import { schedulesOf } from "./scene";
import type { Cell, Pointed, Scene } from "./scene";
import { stepsTable } from "./steps_table";
import { ENCODER, lengthOf, momentAt, stillFrames, timeOf } from "./timeline";
import type { Moment } from "./timeline";
import { Track } from "./track";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const PHONE = 641,
  REST_MS = 400,
  CARD_MS = 350,
  LEAST_HEIGHT = 480,
  LONGEST_FRAME = 60;

/** What Python keeps: the step, and the time of the run where it is held in the middle of one. */
interface Choice {
  step: number;
  moment: number | null;
}

class LivingMap implements View {
  private readonly teller = new Teller<Choice>(
    (a, b) => a.step === b.step && a.moment === b.moment,
    () => ({ about: { key: this.run.header.key }, choice: this.choice() }),
  );
  private readonly tellToken: (token: Token | null) => void;
  private readonly title = el("h1");
  private readonly lead = el("p");
  private readonly why = button(
    { class: "why", title: "Change a part in What if, and see", text: "why" },
    () => this.act({ kind: "what-if" }),
  );
  private readonly stage = el("div", { class: "stage" });
  private readonly blocks = el("div", { class: "blocks" });
  private readonly caption = el("span");
  private readonly heard = el("p", { class: "unseen", "aria-live": "polite" });
  private readonly spotlight = new Spotlight();
  private readonly moments = new Moments();
  private readonly corner: Corner;
  private readonly guide: Guide;
  private readonly track: Track;
  private readonly compare = new CompareSwitch((compared) =>
    this.act({ kind: "compare", compared, ...this.choice() }),
  );
  private picture: Picture | null = null;
  private table: HTMLElement | null = null;
  private at: Moment = { step: ENCODER, ms: 0 };
  private pointed: Pointed | null = null;
  private chosen: Cell | null = null;
  private block: Block | null = null;
  private isPlaying = false;
  private isReplay = false; // of one step alone, at whose end it rests
  private speed = 1;
  private openTo = Infinity;
  private before = 0;
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private lingering: ReturnType<typeof setTimeout> | undefined;
  private written = "";
  private readonly reduced = window.matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    this.corner = new Corner({
      force: (token) => this.act({ kind: "force", step: this.at.step, token_id: token }),
      explain: (token) => this.act({ kind: "probability", step: this.at.step, token_id: token }),
      open: (block) => this.zoom(block),
      inspect: (block, name) => this.act({ kind: "inspect", block, name }),
      close: () => this.about(null),
    });
    this.guide = new Guide({
      play: () => {
        this.point(null, true);
        this.replay();
      },
      force: (token) => this.act({ kind: "force", step: this.at.step, token_id: token }),
      type: () => tell("command", { do: "type" }),
      light: (token) => {
        this.point(token < 0 ? null : { side: "source", token }, true);
        this.kick(); // the question has changed, even if nothing else is pointed at
      },
    });
    this.track = new Track((to) => this.hold(to), signal);
    const replay = button({ class: "plain", text: "Replay this step" }, () => this.replay());
    root.append(
      el(
        "div",
        { class: "head" },
        this.title,
        this.guide.node,
        this.lead,
        this.compare.node,
        el("div", { class: "acts" }, replay),
      ),
      this.stage,
      el(
        "div",
        { class: "foot" },
        el("div", { class: "caption" }, this.caption, keyHints()),
        this.track.node,
      ),
      this.heard,
    );
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    this.corner.node.addEventListener("pointerenter", () => clearTimeout(this.lingering), { signal });
    onTold("command", (command) => this.obey(command), signal);
    onTold(
      "light",
      (light) => {
        this.spotlight.turn(light);
        if (this.picture) this.kick();
      },
      signal,
    );
    this.tellToken = shareToken(
      (token) => this.point(token && { side: token.side, token: token.place }, false),
      signal,
    );
    // It observes the stage, because a question on a second line takes height from it.
    onResize(this.stage, () => this.layout(), signal);
  }

  // ---- moments -----------------------------------------------------------------------------------------------
  private get run(): Run {
    return this.picture!.run;
  }
  private get last(): number {
    return this.run.steps - 1;
  }
  private get isOver(): boolean {
    return this.at.ms >= lengthOf(this.at.step);
  }

  /** Rest at the end of a step. */
  private go(step: number): void {
    const to = Math.max(ENCODER, Math.min(this.last, step));
    this.hold({ step: to, ms: lengthOf(to) });
  }

  /** Stop at a moment. */
  private hold(to: Moment): void {
    this.guide.leave();
    this.at = to;
    this.isPlaying = false;
    this.chosen = null;
    this.moved();
    this.rested();
  }

  private toggle(): void {
    if (this.reduced.matches) return this.nextStage(1);
    if (!this.isPlaying && this.isOver)
      this.at =
        this.at.step === this.last
          ? { step: ENCODER, ms: 0 }
          : this.hasPlayed()
            ? { step: this.at.step + 1, ms: 0 }
            : { ...this.at, ms: 0 };
    this.guide.leave();
    this.isPlaying = !this.isPlaying;
    this.isReplay = false;
    this.before = 0;
    this.moved();
    if (!this.isPlaying) this.rested();
    return undefined;
  }

  private plays = 0;
  /** The first press plays the step that is looked at; from the second one on it goes on. */
  private hasPlayed(): boolean {
    return this.at.step === ENCODER || this.plays++ > 0;
  }

  private replay(): void {
    this.at = { ...this.at, ms: 0 };
    this.isPlaying = this.isReplay = !this.reduced.matches;
    this.before = 0;
    this.moved();
  }

  /** The next still frame, or the one before. */
  private nextStage(by: 1 | -1): void {
    const { encoder, step } = schedulesOf(this.run),
      isEncoder = this.at.step === ENCODER;
    const frames = stillFrames(isEncoder ? encoder : step, isEncoder ? this.run.encoder : this.run.decoder),
      { ms } = this.at;
    const next = by > 0 ? frames.find((each) => each > ms + 1) : frames.findLast((each) => each < ms - 1);
    if (next !== undefined) return this.hold({ step: this.at.step, ms: next });
    const to = this.at.step + by;
    if (to < ENCODER || to > this.last) return undefined;
    return this.hold({ step: to, ms: by > 0 ? 0 : lengthOf(to) });
  }

  private moved(): void {
    this.moments.tell({
      step: this.at.step,
      isPlaying: this.isPlaying,
      speed: this.speed,
      isRunning: !this.isOver,
    });
    this.kick();
  }

  // ---- frames ------------------------------------------------------------------------------------------------
  private kick(): void {
    if (!this.frame) this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    this.frame = 0;
    if (!this.picture || !this.root.isConnected) return;
    if (this.isPlaying) this.advance(this.before ? Math.min(LONGEST_FRAME, now - this.before) : 16);
    this.before = now;
    this.draw();
    if (!this.isPlaying) return;
    this.keepInSight();
    this.kick();
  }

  /** On a phone the picture is longer than the screen, which follows what moves. */
  private keepInSight(): void {
    const page = (this.root.getRootNode() as ShadowRoot).host.closest("[data-testid=stMain]");
    if (this.root.dataset.size !== "phone" || !page) return;
    const { top } = this.picture!.node.getBoundingClientRect(),
      at = top + movingAt(this.scene());
    page.scrollBy(0, at - window.innerHeight * 0.55);
  }

  private advance(passed: number): void {
    const ms = this.at.ms + passed * this.speed,
      length = lengthOf(this.at.step);
    if (ms < length) this.at = { ...this.at, ms };
    else if (this.at.step < this.last && !this.isReplay) {
      this.at = { step: this.at.step + 1, ms: 0 };
      this.moved();
    } else {
      this.at = { ...this.at, ms: length };
      this.isPlaying = false;
      this.moved();
      this.rested();
    }
  }

  private scene(): Scene {
    return this.picture!.scene({
      at: this.at,
      pointed: this.pointed,
      chosen: this.chosen,
      isAsking: this.guide.isAsking,
    });
  }

  private draw(): void {
    this.lead.hidden = this.guide.show(this.scene());
    const scene = this.scene();
    this.table!.hidden = scene.isAsking;
    this.picture!.draw(scene);
    this.spotlight.place(scene);
    this.corner.draw(scene, this.block);
    this.track.draw(scene);
    const pieces = [question(scene), [lead(scene)], caption(scene)],
      text = JSON.stringify(pieces);
    if (text === this.written) return;
    this.written = text;
    this.title.replaceChildren(...nodes(pieces[0]));
    this.lead.replaceChildren(...this.linked(lead(scene)));
    this.lead.title = lead(scene);
    this.caption.replaceChildren(...nodes(pieces[2]));
    this.caption.title = plainText(pieces[2]);
  }

  /** A sentence in which the word "why" opens the page What if. */
  private linked(sentence: string): (Node | string)[] {
    const [before, after] = sentence.split(/\bwhy\b/);
    return after === undefined ? [before] : [before, this.why, after];
  }

  /** Tell Python and whoever listens, once it has been still for a moment. */
  private rested(): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      if (!this.picture || this.isPlaying) return;
      const scene = this.scene();
      this.track.tell(scene);
      setText(this.heard, scene.isAsking ? plainText(question(scene)) : spoken(scene));
      this.teller.tellChoice();
    }, REST_MS);
  }

  private choice(): Choice {
    const step = Math.max(0, this.at.step);
    return { step, moment: this.at.step !== ENCODER && this.isOver ? null : Math.round(timeOf(this.at)) };
  }

  // ---- what is done in it --------------------------------------------------------------------------------------
  private act(what: object): void {
    this.teller.tell("act", { key: this.run.header.key, ...what });
  }

  private obey(command: Command): void {
    if (!this.picture) return;
    if (command.do === "go") this.go(command.step);
    else if (command.do === "toggle") this.toggle();
    else if (command.do === "speed") {
      this.speed = command.speed;
      this.moved();
    }
  }

  private point(pointed: Pointed | null, isOwn: boolean): void {
    if (!this.picture || JSON.stringify(said(pointed)) === JSON.stringify(said(this.pointed))) return;
    this.pointed = pointed;
    this.kick();
    if (!isOwn) return;
    this.linger(pointed);
    this.tellToken(this.tokenOf(pointed));
  }

  /** The token that other views light for what is pointed at here. */
  private tokenOf(pointed: Pointed | null): Token | null {
    if (pointed?.cell) return { side: this.run.stackOf(pointed.cell.sub).side, place: pointed.cell.row };
    return pointed?.side && pointed.token !== undefined ? { side: pointed.side, place: pointed.token } : null;
  }

  /** What is said of a block comes once somebody stays on its name, and goes once they stay elsewhere; not on the way to it. */
  private linger(pointed: Pointed | null): void {
    clearTimeout(this.lingering);
    const isName = pointed?.block !== undefined && pointed.token === undefined && !pointed.cell;
    if (isName) this.lingering = setTimeout(() => this.about(pointed.block!), CARD_MS);
    else if (pointed) this.lingering = setTimeout(() => this.about(null), 2 * CARD_MS);
  }

  /** Into a block: it grows from its place, and its page opens. */
  private zoom(block: string): void {
    goInto(this.stage, block, this.run.titleOf(block), (id) => this.boxOf(id));
    this.act({ kind: "open", block });
  }

  /** The place of a block in the picture. */
  private boxOf(block: string): Box | null {
    const { pen } = this.scene(),
      place = blockBox(this.scene(), block);
    if (!place) return null;
    const [left, top] = pen.place(place[0], place[1]),
      [width, height] = pen.place(place[2], place[3]);
    return { left, top, width, height };
  }

  private about(block: string | null): void {
    this.block = (block && this.run.block(block)) || null;
    this.kick();
  }

  private onClick(event: MouseEvent): void {
    const pointed = this.picture!.under(this.scene(), event),
      { cell } = pointed ?? {};
    if (!cell) tell("light", null);
    if (cell && isBeside(this.run))
      this.chosen = cell; // Explained is the model that runs.
    else if (cell) {
      this.chosen = cell;
      const head = cell.head ?? 0;
      this.act({ kind: "weight", site: cell.sub.weights, head, row: cell.row, column: cell.column });
    } else if (pointed?.block) this.zoom(pointed.block);
    else if (pointed?.side === "target" && pointed.token !== undefined) this.go(pointed.token);
    this.kick();
  }

  private onKey(event: KeyboardEvent): void {
    const path = event.composedPath(),
      isOurs = path.includes(this.root),
      isFree = isFromPage(event);
    if (!this.picture || event.defaultPrevented || !(isOurs || isFree)) return;
    if (comesFrom(event, "button, a, input") && [" ", "Enter"].includes(event.key)) return;
    const stages = event.shiftKey;
    actOn(event, {
      ArrowRight: () => (stages ? this.nextStage(1) : this.go(this.at.step + 1)),
      ArrowLeft: () => (stages ? this.nextStage(-1) : this.go(this.at.step - 1)),
      " ": () => this.toggle(),
      Home: () => this.go(ENCODER),
      End: () => this.go(this.last),
      Escape: (this.block || this.chosen || this.pointed) !== null && (() => this.close()),
      "[": () => this.open(-1),
      "]": () => this.open(1),
    });
  }

  private close(): void {
    this.chosen = null;
    this.point(null, true);
    this.about(null);
  }

  /** Move which layers are open, where not all of them can be. */
  private open(by: 1 | -1): void {
    const last = this.run.decoder.sublayers.at(-1)!.layer;
    this.openTo = Math.max(0, Math.min(last, Math.min(last, this.openTo) + by));
    this.layout();
  }

  // ---- room ----------------------------------------------------------------------------------------------------
  private layout(): void {
    if (!this.picture || !this.root.clientWidth) return;
    const isPhone = window.innerWidth < PHONE;
    this.root.dataset.size = isPhone ? "phone" : "wide";
    this.root.style.height = isPhone
      ? ""
      : `${Math.max(LEAST_HEIGHT, window.innerHeight - topOf(this.root))}px`;
    this.picture.resize({
      width: this.root.clientWidth,
      height: isPhone ? 0 : this.stage.clientHeight,
      isPhone,
      openTo: this.openTo,
    });
    const { corner, height } = this.picture,
      { style } = this.corner.node;
    Object.assign(
      style,
      isPhone
        ? {}
        : { left: `${corner.x}px`, top: "0", width: `${corner.width}px`, height: `${corner.height}px` },
    );
    if (isPhone) this.picture.node.style.height = `${height}px`;
    offerCorner(this.stage, isPhone ? null : (width) => this.picture!.cornerIn(width));
    this.written = "";
    this.buttons();
    this.kick();
  }

  /** A button over each block, in the order of the computation, for whoever uses no pointer; one that is there stays. */
  private buttons(): void {
    const scene = this.scene(),
      before = new Map(
        [...this.blocks.children].map((button) => [
          (button as HTMLElement).dataset.block,
          button as HTMLElement,
        ]),
      );
    const buttons = this.run.header.blocks.flatMap(([id]) => {
      const place = blockPlace(scene, id),
        block = this.run.block(id);
      if (!place || !block) return [];
      const [x, y] = scene.pen.place(...place),
        button = before.get(id) ?? this.button(block);
      Object.assign(button.style, { left: `${x}px`, top: `${y}px` });
      return [button];
    });
    if (buttons.length !== before.size || buttons.some((button, i) => button !== this.blocks.children[i]))
      this.blocks.replaceChildren(...buttons);
  }

  private button({ id, title }: Block): HTMLElement {
    const node = button({ "aria-label": `${title}, ${id}`, "data-block": id, "aria-keyshortcuts": "i" }, () =>
      this.zoom(id),
    );
    node.addEventListener("focus", () => this.point({ block: id }, true));
    node.addEventListener("keydown", (event) => actOn(event, { i: () => this.about(id) }));
    node.addEventListener("blur", () => this.point(null, true));
    return node;
  }

  // ---- new messages --------------------------------------------------------------------------------------------
  update({ data, setStateValue }: Component): void {
    this.teller.through(setStateValue);
    const payload = readPayload<Header>(data),
      { header } = payload,
      fresh = this.picture?.run.header.key !== header.key;
    const choice = { step: header.step, moment: header.moment };
    const verdict = this.teller.choices.hear(choice, header.report, {
      fresh,
      possible: this.at.step < header.outputs.length,
      pending: this.picture !== null && !this.isPlaying && !this.teller.choices.isKnown(this.choice()),
    });
    if (fresh) this.begin(Run.of(payload));
    if (verdict === "follow") this.follow(choice);
    else if (verdict === "keep") this.rested();
    this.layout();
    if (fresh) this.moved();
  }

  private begin(run: Run): void {
    // Who is elsewhere on the page stays there: only the map's own focus would be lost with its picture.
    const isHeld = this.root.contains(focusBeside(this.root));
    this.compare.show(run);
    this.picture = new Picture(run, this.root, {
      width: this.root.clientWidth || 800,
      height: this.stage.clientHeight,
      isPhone: window.innerWidth < PHONE,
      openTo: this.openTo,
    });
    this.isPlaying = false;
    this.block = this.chosen = this.pointed = null;
    const { node } = this.picture;
    node.setAttribute("aria-label", "The whole network");
    node.addEventListener("mousemove", (event) => {
      this.point(this.picture!.under(this.scene(), event), true);
      node.style.cursor = this.pointed?.cell ? "pointer" : this.pointed?.block ? "zoom-in" : "";
    });
    node.addEventListener("mouseleave", () => this.point(null, true));
    node.addEventListener("click", (event) => this.onClick(event));
    this.stage.replaceChildren(
      node,
      this.blocks,
      this.spotlight.node,
      this.corner.node,
      (this.table = stepsTable(this.run)),
    );
    if (isHeld) node.focus({ preventScroll: true });
  }

  private follow({ step, moment }: Choice): void {
    const held = moment === null ? null : momentAt(moment, this.run.steps);
    const isOfStep = held !== null && Math.max(0, held.step) === step;
    this.at = isOfStep ? held : { step: Math.min(step, this.last), ms: lengthOf(0) };
    this.isPlaying = false;
    this.moved();
    this.rested();
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    clearTimeout(this.lingering);
    offerCorner(this.stage, null);
    this.spotlight.end();
    this.moments.end();
  }
}

function nodes(pieces: Piece[]): (Node | string)[] {
  return pieces.map((piece) => (typeof piece === "string" ? piece : words("b", piece.text, piece.kind)));
}

function keyHints(): HTMLElement {
  const keys: [string[], string][] = [
    [["←", "→"], "step"],
    [["Shift", "→"], "stage"],
    [["Space"], "play"],
    [["Esc"], "close"],
  ];
  return el(
    "span",
    { class: "keys", "aria-hidden": "true" },
    ...keys.flatMap(([names, does]) => [
      ...names.flatMap((name, i) => [
        ...(i && name === "→" && names[0] === "Shift" ? ["+"] : []),
        words("kbd", name),
        " ",
      ]),
      `${does}  `,
    ]),
  );
}

export default styled(
  mounted(".living-map", (root, signal) => new LivingMap(root, signal)),
  viewCss,
  css,
);
