// An experiment's arms side by side on one time: half a theatre each, and two curves with all of them.

import { el, setText, words } from "../../../browser/shared/elements";
import { actOn, comesFrom, isFromPage } from "../../../browser/shared/keys";
import { readLook } from "../../../browser/shared/look";
import { readPayload } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { fixed, formatCount, formatShare } from "../../../browser/shared/numbers";
import { Reports } from "../../../browser/shared/reports";
import { onResize } from "../../../browser/shared/resize";
import { atRest } from "../../../browser/shared/rest";
import { Curve, topOf, valueAt } from "../../../browser/theatre/curve";
import type { Line, Point } from "../../../browser/theatre/curve";
import { layersOf, longest, readMoments } from "../../../browser/theatre/data";
import { Playback } from "../../../browser/theatre/playback";
import { ArmPane } from "./arm";
import type { ArmHeader } from "./arm";
import { DASHES, SIGNS } from "./shapes";
import { timesOf } from "./times";
import { Transport } from "./transport";
import type { Act } from "./transport";
import viewCss from "../../../browser/shared/view.css";
import stageCss from "../../../browser/theatre/stage.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const PHONE = 641,
  LOW = 820,
  NARROW = 1340,
  OVERLAP = 6;
const TYPED = "input, textarea, select, button, [role=slider]";

interface Header {
  key: string;
  arms: ArmHeader[];
  span: number;
  held_out: string;
  follows: boolean;
  ended: boolean;
  begun: boolean;
  layer: number;
  n_layers: number;
}

class ExperimentView implements View {
  private readonly reports = new Reports();
  private readonly arms = el("div", { class: "arms" });
  private readonly playback = new Playback(() => this.draw());
  private readonly transport = new Transport(
    (what) => this.act(what),
    (speed) => this.setSpeed(speed),
    (layer) => this.toLayer(layer),
  );
  private readonly titles = [
    words("p", "loss of a batch, smoothed", "curve-title"),
    words("p", "", "curve-title"),
  ];
  private readonly curves = [0, 1].map(() => new Curve((place) => this.playback.go(place)));
  private readonly heard = el("p", { class: "unseen", "aria-live": "polite" });
  private panes: ArmPane[] = [];
  private times: number[] = [];
  private choice = { word: 0, head: -1, gold: false };
  private header: Header | null = null;
  private told = 0; // how many moments Python was told of
  private meant: number | null = null; // after how many updates the time was before another layer was chosen
  private ended = ""; // of which runs Python was told that the end was reached

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    const cells = this.curves.map((curve, i) =>
      el("div", { class: "curve-cell" }, this.titles[i], curve.node),
    );
    root.append(
      this.arms,
      el(
        "section",
        { class: "time", "aria-label": "Time of all models" },
        el("div", { class: "curves" }, ...cells),
      ),
      this.transport.node,
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

  update({ data, setStateValue }: Component): void {
    this.reports.through(setStateValue);
    const { header, arrays, codes } = readPayload<Header>(data),
      isOther = runsOf(header) !== runsOf(this.header);
    const { playback } = this,
      wasLast = playback.at >= playback.last && !playback.isPlaying;
    const isAnother = header.key !== this.header?.key;
    this.header = header;
    if (isOther) this.begin(header);
    else if (isAnother) this.forget();
    const lacks = header.arms
      .map((arm, i) =>
        this.panes[i].feed(arm, readMoments(arm.probes, arm.moments, arrays, codes, `arms.${i}.moments`)),
      )
      .some(Boolean);
    this.times = timesOf(this.panes.map(({ moments, header: { awaited } }) => ({ moments, awaited })));
    if (header.follows) playback.follows ||= isOther || (wasLast && !isAnother);
    playback.grow(this.times.length);
    // What has ended already is shown as it ended, and moments that are computed only now come before it; nothing plays by itself.
    if (!header.follows && !playback.follows && (isOther || wasLast)) playback.go(playback.last);
    this.goBack();
    setText(this.titles[1], header.held_out);
    this.tellHave(lacks);
    this.layout();
  }

  /** Another layer of the same runs: the time stays, and its moments come anew. */
  private forget(): void {
    this.meant ??= this.times[this.playback.at] ?? null;
    this.told = 0;
    for (const pane of this.panes) pane.forget();
  }

  private goBack(): void {
    const { meant } = this,
      found = meant === null ? -1 : this.times.findIndex((updates) => updates >= meant);
    if (found < 0) return;
    this.meant = null;
    this.playback.go(found);
  }

  /** Python sends what is not here; it hears of what is when some is missing, or when much would be sent again. */
  private tellHave(lacks: boolean): void {
    const { header, panes } = this,
      count = panes.reduce((sum, { moments }) => sum + moments.length, 0);
    if (
      !header ||
      (!lacks &&
        (header.ended ||
          count -
            Math.max(
              this.told,
              header.arms.reduce((sum, { had }) => sum + had.length, 0),
            ) <
            OVERLAP))
    )
      return;
    this.told = count;
    atRest(this.root, () =>
      this.reports.tell("have", {
        key: header.key,
        have: panes.map(({ moments }) => moments.map(({ updates }) => updates)),
      }),
    );
  }

  private toLayer(layer: number): void {
    if (this.header && layer >= 0 && layer < this.header.n_layers && layer !== this.header.layer)
      this.reports.tell("layer", { key: this.header.key, layer });
  }

  dispose(): void {
    this.playback.halt();
  }

  private begin({ arms }: Header): void {
    this.playback.go(0);
    this.ended = "";
    this.told = 0;
    this.meant = null;
    this.choice = { word: longest(arms[0].probes.probes), head: -1, gold: false };
    const choose = {
      word: (word: number) => this.choose({ word }),
      head: (head: number) => this.choose({ head }),
    };
    this.panes = arms.map(({ shape, label }) => new ArmPane(shape, label, this.cell, choose));
    this.arms.replaceChildren(...this.panes.map(({ node }) => node));
  }

  // ---- what is chosen -------------------------------------------------------------------------------------------
  private choose(change: Partial<typeof this.choice>): void {
    this.choice = { ...this.choice, ...change };
    this.draw();
  }

  private setSpeed(speed: number): void {
    this.playback.speed = speed;
    this.draw();
  }

  private act(what: Act): void {
    const { playback } = this,
      { at, last } = playback;
    if (!this.times.length) return;
    playback.follows = what === "last" && this.header!.follows;
    if (what === "play") return playback.isPlaying ? this.pause() : playback.play();
    playback.go({ first: 0, back: at - 1, forward: at + 1, last }[what]);
  }

  private pause(): void {
    this.playback.pause();
    setText(this.heard, this.spoken());
  }

  private onKey(event: KeyboardEvent): void {
    const isOnControl = comesFrom(event, TYPED),
      { word, head } = this.choice,
      { probes, n_heads } = this.header!.arms[0].probes;
    const to = (what: Act) => !isOnControl && (() => this.act(what));
    const toWord = (place: number) =>
      !isOnControl && place >= 0 && place < probes.length && (() => this.choose({ word: place }));
    const toHead = (place: number) => place >= -1 && place < n_heads && (() => this.choose({ head: place }));
    actOn(event, {
      ArrowLeft: to("back"),
      ArrowRight: to("forward"),
      Home: to("first"),
      End: to("last"),
      " ": to("play"),
      ArrowUp: toWord(word - 1),
      ArrowDown: toWord(word + 1),
      ",": toHead(head - 1),
      ".": toHead(head + 1),
      "[": () => this.toLayer(this.header!.layer - 1),
      "]": () => this.toLayer(this.header!.layer + 1),
      g: () => this.choose({ gold: !this.choice.gold }),
    });
  }

  // ---- drawing --------------------------------------------------------------------------------------------------
  private get isPhone(): boolean {
    return window.innerWidth < PHONE;
  }
  private get cell(): number {
    return this.isPhone ? 28 : window.innerWidth < NARROW ? 22 : window.innerHeight >= LOW ? 31 : 28;
  }

  private layout(): void {
    if (!this.header || !this.root.clientWidth) return;
    const { isPhone, root } = this,
      columns = isPhone ? 1 : 2,
      width = root.clientWidth / columns;
    if (isPhone) root.dataset.size = "phone";
    else delete root.dataset.size;
    this.arms.style.setProperty("--columns", String(columns));
    for (const pane of this.panes) pane.lay({ width: width - 34, cell: this.cell, isPhone });
    const across = isPhone ? root.clientWidth - 22 : (root.clientWidth - 54) / 2;
    for (const curve of this.curves) curve.lay(across, window.innerHeight >= LOW ? 124 : 98);
    this.draw();
  }

  private draw(): void {
    const { header, playback, times } = this;
    if (!header) return;
    const at = times.length ? times[playback.at] : null,
      look = readLook(this.root);
    for (const pane of this.panes) pane.show(at, this.choice, look);
    this.drawCurve(
      0,
      at,
      (arm) => arm.loss,
      (value) => fixed(value, 2),
    );
    this.drawCurve(1, at, (arm) => arm.exact, formatShare);
    this.transport.show(
      playback.isPlaying,
      playback.speed,
      !times.length,
      playback.last ? playback.at / playback.last : 0,
    );
    this.transport.layers.offer(layersOf(header));
    this.transport.layers.show(header.layer);
    this.transport.at.replaceChildren(
      ...(at === null
        ? [header.begun ? "nothing yet" : "nothing trained yet"]
        : [
            `${this.panes.every(({ moments }) => moments.some(({ updates }) => updates === at)) ? (this.panes.length > 2 ? "all" : "both") : ""} after `,
            words("b", formatCount(at)),
            ` of ${formatCount(header.span)} updates`,
          ]),
    );
    this.tellEnd();
  }

  private drawCurve(
    which: 0 | 1,
    at: number | null,
    points: (arm: ArmHeader) => Point[],
    write: (value: number) => string,
  ): void {
    const { span, arms } = this.header!;
    const lines: Line[] = arms.map((arm) => ({
      points: points(arm),
      axis: which ? "right" : "left",
      tone: "ink",
      width: 2.2,
      dash: DASHES[arm.shape],
      name: SIGNS[arm.shape],
      write,
    }));
    this.curves[which].show({
      lines,
      span,
      top: which ? null : topOf(lines),
      right: which === 1,
      moments: this.times,
      at,
      played: at ?? 0,
      spoken: this.spoken(),
    });
  }

  private spoken(): string {
    const { times, playback, header } = this,
      at = times[playback.at];
    if (!times.length) return "nothing is trained yet";
    const arms = header!.arms.map(({ label, loss, exact }) => {
      const values = [
        ["loss", valueAt(loss, at), (value: number) => fixed(value, 3)],
        ["exact match", valueAt(exact, at), formatShare],
      ] as const;
      return `${label}: ${
        values
          .filter(([, value]) => value !== null)
          .map(([name, value, write]) => `${name} ${write(value!)}`)
          .join(", ") || "nothing yet"
      }`;
    });
    return `after ${formatCount(at)} of ${formatCount(header!.span)} updates. ${arms.join("; ")}`;
  }

  /** Python is told once that all have ended and the last moment was shown. */
  private tellEnd(): void {
    const { header, playback, times } = this;
    const hasAll = this.panes.every(({ moments, header: { all } }) => moments.length === all.length);
    if (
      !header?.ended ||
      !hasAll ||
      playback.isPlaying ||
      !times.length ||
      playback.at < playback.last ||
      this.ended === header.key
    )
      return;
    this.ended = header.key;
    atRest(this.root, () => this.reports.tell("end", { key: header.key }));
  }
}

/** Of which runs a message is, whatever layer it shows. */
function runsOf(header: Header | null): string | undefined {
  return header?.key.split("/")[0];
}

export default styled(
  mounted(".experiment-view", (root, signal) => new ExperimentView(root, signal)),
  viewCss,
  stageCss,
  css,
);
