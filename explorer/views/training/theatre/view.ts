// A training before one's eyes: its attention and its words at one moment, and the curve on which one goes from moment to moment.

import { el, setText, words } from "../../../browser/shared/elements";
import { actOn, comesFrom, isFromPage } from "../../../browser/shared/keys";
import { readLook } from "../../../browser/shared/look";
import type { Look } from "../../../browser/shared/look";
import { readPayload } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { fixed, formatCount, formatShare } from "../../../browser/shared/numbers";
import { Reports } from "../../../browser/shared/reports";
import { onResize, topOf } from "../../../browser/shared/resize";
import { atRest } from "../../../browser/shared/rest";
import { Segments } from "../../../browser/shared/segments";
import { Curve, topOf as topOfLines, valueAt } from "../../../browser/theatre/curve";
import type { Line } from "../../../browser/theatre/curve";
import { layersOf, longest, readMoments, readPicked } from "../../../browser/theatre/data";
import type { Moment, Picked } from "../../../browser/theatre/data";
import { spokenOutput } from "../../../browser/theatre/marks";
import { Playback } from "../../../browser/theatre/playback";
import { headName, Stage } from "../../../browser/theatre/stage";
import type { StageChoice } from "../../../browser/theatre/stage";
import { Arrived, liveOf, linesOf } from "./data";
import type { Header, Wish } from "./data";
import { scaleOf } from "../../../browser/theatre/tensor";
import { Film } from "./film";
import { Picker } from "./picker";
import { Transport } from "./transport";
import type { Move, TransportState } from "./transport";
import viewCss from "../../../browser/shared/view.css";
import stageCss from "../../../browser/theatre/stage.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const PHONE = 641,
  HIGH = 820,
  LEAST_STAGE = 300,
  BELOW = 62,
  MARGIN = 14,
  CELL = 46,
  OVERLAP = 6,
  USUAL_TOP = 110;

class Theatre implements View {
  private readonly arrived = new Arrived();
  private readonly gold = el(
    "button",
    { type: "button", class: "switch", role: "switch", "aria-checked": "false" },
    el("i"),
    "Gold alignment",
  );
  private readonly layers = new Segments<number>("layers", "Layer", (layer) => this.toLayer(layer));
  private readonly picker = new Picker((name) => this.pick(name));
  private readonly stage = new Stage(
    { compact: false, cell: CELL },
    { word: (word) => this.toWord(word), head: (head) => this.choose({ head }) },
    { title: [this.picker.node], foot: [this.layers.node, this.gold] },
  );
  private readonly curve = new Curve((place) => this.go(place));
  private readonly film = new Film(
    (place) => this.go(place),
    () => this.show(),
  );
  private readonly playback = new Playback(() => this.moved());
  private readonly transport: Transport;
  private readonly heard = words("p", "", "unseen");
  private readonly reports = new Reports();
  private readonly reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
  private header: Header | null = null;
  private lines: Line[] = [];
  private choice: StageChoice = { word: 0, head: -1, gold: false };
  private look!: Look;
  private asked = -1;
  private meant: number | null = null; // after how many updates the moment is that was shown before another tensor was chosen
  private stood = 0;
  private settles = false; // whether the last moment is meant, also while earlier ones arrive

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    this.transport = new Transport({
      main: () => this.toggle(),
      move: (to) => this.move(to),
      speed: (speed) => this.setSpeed(speed),
      wish: (wish) => this.wish(wish),
      open: () => this.open("open"),
      walk: () => this.open("walk"),
    });
    this.heard.setAttribute("aria-live", "polite");
    this.gold.addEventListener("click", () => this.choose({ gold: !this.choice.gold }), { signal });
    root.append(
      this.stage.node,
      el("section", { class: "time", "aria-label": "The training" }, this.curve.node, this.transport.node),
      this.film.node,
      this.heard,
    );
    root.addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener(
      "keydown",
      (event) => {
        if (isFromPage(event)) this.onKey(event);
      },
      { signal },
    );
    onResize(root, () => this.layout(), signal);
  }

  // ---- messages ------------------------------------------------------------------------------------------------
  update({ data, setStateValue }: Component): void {
    const { header, arrays, codes } = readPayload<Header>(data),
      isOther = header.key.split("/")[0] !== this.header?.key.split("/")[0];
    this.reports.through(setStateValue);
    const picked = header.picked
      ? readPicked(header.picked, arrays, codes, "picked")
      : new Map<number, Picked>();
    const moments = readMoments(header, header.run, arrays, codes, "run").map((moment) => ({
      ...moment,
      picked: picked.get(moment.updates),
    }));
    const isAnother = header.key !== this.header?.key,
      lacks = this.arrived.take(header.key, header.since, header.all, moments);
    if (header.pickable) this.picker.lay(header.pickable);
    this.header = header;
    this.lines = linesOf(arrays.loss, arrays.exact);
    this.look = readLook(this.root);
    if (isOther) this.begin(header);
    else if (isAnother) this.meant = this.stood;
    const live = liveOf(header);
    if (live === "none") this.playback.follows = false;
    this.tellHave(lacks);
    this.settle(this.arrived.moments.length);
    this.layout();
  }

  /** Show what has come: at once where the last moment is meant and not all that there were have come. */
  private settle(count: number): void {
    const { meant } = this,
      found = meant === null ? -1 : this.arrived.moments.findIndex(({ updates }) => updates >= meant);
    if (found >= 0) {
      // What is drawn is another tensor, or another layer, of the same moment.
      [this.playback.at, this.meant] = [found, null];
      this.settles = false;
    }
    if (!this.settles) return this.playback.grow(count, this.header!.all.length);
    this.playback.at = Math.max(0, count - 1);
    this.playback.grow(count);
    this.settles = count < this.header!.all.length;
  }

  /** Another run: what was chosen of the one before says nothing. */
  private begin(header: Header): void {
    this.choice = { word: longest(header.probes), head: -1, gold: false };
    this.playback.halt();
    this.asked = -1;
    const live = liveOf(header),
      count = this.arrived.moments.length,
      plays = header.plays && live === "none" && !this.reduced.matches;
    this.playback.follows = live !== "none";
    this.settles = !plays;
    this.playback.at = 0;
    this.playback.grow(count, header.all.length);
    if (plays && count > 1) this.playback.play();
  }

  /** Python sends what comes after so many moments; it hears of them when some are missing, or when much would be sent again. */
  private tellHave(lacks: boolean): void {
    const {
        header,
        arrived: { moments },
      } = this,
      count = moments.length;
    if (!header || count === this.asked) return;
    // Of a training that goes on each look brings all that came since; nobody looks again at one that has ended.
    if (
      lacks ||
      count < header.all.length ||
      (liveOf(header) !== "none" && count - header.since >= OVERLAP)
    ) {
      this.asked = count;
      atRest(this.root, () => this.reports.tell("have", { key: header.key, have: count }));
    }
  }

  // ---- what is shown -------------------------------------------------------------------------------------------
  private get moment(): Moment | null {
    return this.arrived.moments[this.playback.at] ?? null;
  }

  private layout(): void {
    if (!this.header || !this.look) return;
    const width = this.root.clientWidth,
      isPhone = window.innerWidth < PHONE,
      high = window.innerHeight >= HIGH ? 150 : 100;
    if (!width) return; // It is not on the page yet, or no longer.
    this.root.dataset.size = isPhone ? "phone" : "wide";
    const height = Math.max(
      LEAST_STAGE,
      window.innerHeight - Math.min(USUAL_TOP, topOf(this.root)) - high - BELOW - MARGIN,
    );
    this.stage.lay(this.header, { width: isPhone ? width - 24 : width, height, isPhone });
    this.curve.lay(width - (isPhone ? 26 : 38), high);
    this.layers.offer(layersOf(this.header));
    this.layers.show(this.header.run.layer);
    this.show();
  }

  private show(): void {
    const { header, moment } = this;
    if (!header) return;
    const {
      n_heads,
      picked,
      run: { layer },
    } = header;
    if (moment && this.meant === null) this.stood = moment.updates;
    setText(
      this.stage.about,
      picked
        ? picked.whole.join(" × ")
        : `cross-attention, decoder layer ${layer}, ${headName(this.choice.head, n_heads)}`,
    );
    this.picker.show(picked?.name ?? "");
    this.gold.setAttribute("aria-checked", String(this.choice.gold));
    this.gold.hidden = !!picked || !header.probes[this.choice.word]?.gold;
    const pictures = this.arrived.moments.flatMap((each) => each.picked ?? []);
    this.stage.show(moment, this.choice, this.look, picked ? scaleOf(pictures) : null);
    this.film.node.hidden = !!picked || !moment;
    this.film.show(
      this.arrived.moments,
      this.playback.at,
      header.probes[this.choice.word],
      this.choice,
      this.look,
    );
    this.curve.show(this.curveData());
    this.transport.show(this.transportState());
  }

  private curveData() {
    const { span, made, state } = this.header!,
      updates = this.moment?.updates ?? null,
      live = liveOf({ state } as Header) !== "none";
    return {
      lines: this.lines,
      span,
      top: this.lines[1].points.length ? topOfLines(this.lines) : null,
      right: true,
      moments: this.arrived.moments.map((each) => each.updates),
      at: updates,
      played: live ? made : (updates ?? 0),
      spoken: this.spoken(),
      ...(this.loose ? { loose: made } : {}),
    };
  }

  /** Whether a paused training has made updates since its last kept moment. */
  private get loose(): boolean {
    const { made, state } = this.header!;
    return state === "paused" && made > (this.arrived.moments.at(-1)?.updates ?? made);
  }

  private transportState(): TransportState {
    const { wishes, opens, span } = this.header!,
      { at, last, isPlaying, speed } = this.playback,
      count = this.arrived.moments.length,
      { moment } = this;
    const of = this.loose
      ? `; ${formatCount(this.header!.made)} is not kept`
      : window.innerWidth > 1500
        ? `  ·  moment ${at + 1} of ${count}`
        : "";
    return {
      main: this.main(at >= last, isPlaying),
      count,
      at,
      speed,
      wishes,
      opens,
      kept: !!moment?.kept,
      place: moment
        ? `after ${formatCount(moment.updates)} of ${formatCount(span)}${window.innerWidth > 1380 ? " updates" : ""}${of}`
        : "",
    };
  }

  /** What the large button does: it plays moments, but of a training that goes on, at its newest moment, it is for the training. */
  private main(isAtEnd: boolean, isPlaying: boolean): TransportState["main"] {
    const { wishes } = this.header!;
    if (this.playback.follows || isAtEnd) {
      if (wishes.includes("pause")) return "pause_training";
      if (wishes.includes("go_on")) return "go_on";
    }
    return isPlaying ? "pause" : "play";
  }

  private spoken(): string {
    const { moment, lines, header } = this;
    if (!moment) return "no moment yet";
    const loss = lines[1] && valueAt(lines[1].points, moment.updates),
      exact = lines[2] && valueAt(lines[2].points, moment.updates);
    return `after ${formatCount(moment.updates)} of ${formatCount(header!.span)} updates${typeof loss === "number" ? `: loss ${fixed(loss, 3)}` : ""}${typeof exact === "number" ? `, exact match ${formatShare(exact)}` : ""}`;
  }

  // ---- what somebody does --------------------------------------------------------------------------------------
  private choose(change: Partial<StageChoice>): void {
    this.choice = { ...this.choice, ...change };
    this.show();
  }

  private pick(name: string): void {
    if (this.header) this.reports.tell("pick", { key: this.header.key, name, probe: this.choice.word });
  }

  /** Another probe; a value that is drawn is recorded for it then. */
  private toWord(word: number): void {
    this.choose({ word });
    if (this.header?.picked) this.pick(this.header.picked.name);
  }

  private moved(): void {
    this.show();
    if (!this.playback.isPlaying && !this.playback.follows) this.say();
  }

  private say(): void {
    const { moment, header } = this,
      probe = header?.probes[this.choice.word];
    if (moment && header && probe)
      setText(
        this.heard,
        `${this.spoken()}. ${spokenOutput(probe, moment.words[this.choice.word], header.unit)}`,
      );
  }

  private go(place: number): void {
    const isLast = place >= this.playback.last,
      { header } = this;
    this.playback.follows = isLast && !!header && liveOf(header) !== "none";
    this.settles = isLast && !!header && this.arrived.moments.length < header.all.length;
    this.playback.go(place);
  }

  private move(to: Move): void {
    const { at, last } = this.playback;
    this.go({ first: 0, back: at - 1, forward: at + 1, last }[to]);
  }

  private setSpeed(speed: number): void {
    this.playback.speed = speed;
    this.show();
  }

  private toggle(): void {
    const main = this.main(this.playback.at >= this.playback.last, this.playback.isPlaying);
    if (main === "go_on") this.wish("go_on");
    else if (main === "pause_training") this.wish("pause");
    else if (main === "pause") this.playback.pause();
    else {
      this.settles = false;
      this.playback.play();
      this.playback.follows = liveOf(this.header!) !== "none";
    }
  }

  private wish(wish: Wish): void {
    if (this.header?.wishes.includes(wish)) this.reports.tell("wish", { key: this.header.key, do: wish });
  }

  private toLayer(layer: number): void {
    if (this.header && layer >= 0 && layer < this.header.n_layers && layer !== this.header.run.layer)
      this.reports.tell("layer", { key: this.header.key, layer });
  }

  private open(how: "open" | "walk"): void {
    if (this.moment && this.header)
      this.reports.tell(how, { key: this.header.key, updates: this.moment.updates, probe: this.choice.word });
  }

  private onKey(event: KeyboardEvent): void {
    const { header } = this;
    if (!header || event.defaultPrevented) return;
    if (comesFrom(event, "button, a, input, select, summary") && [" ", "Enter"].includes(event.key)) return;
    const { word, head } = this.choice,
      to = (by: number) => () => this.toWord(Math.max(0, Math.min(header.probes.length - 1, word + by)));
    const toHead = (by: number) => () =>
      this.choose({ head: Math.max(-1, Math.min(header.n_heads - 1, head + by)) });
    actOn(event, {
      ArrowLeft: () => this.move("back"),
      ArrowRight: () => this.move("forward"),
      Home: () => this.move("first"),
      End: () => this.move("last"),
      " ": () => this.toggle(),
      ArrowUp: to(-1),
      ArrowDown: to(1),
      ",": toHead(-1),
      ".": toHead(1),
      "[": () => this.toLayer(header.run.layer - 1),
      "]": () => this.toLayer(header.run.layer + 1),
      g: () => this.choose({ gold: !this.choice.gold }),
      u: () => this.wish("step"),
    });
  }

  dispose(): void {
    this.playback.halt();
  }
}

export default styled(
  mounted(".theatre", (root, signal) => new Theatre(root, signal)),
  viewCss,
  stageCss,
  css,
);
