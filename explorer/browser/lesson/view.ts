// A lesson's own part of its column: the keys, the light on what a stop speaks of, and the line that leads there.

import { onTold, tell } from "../shared/bus";
import type { Light, Lit, LitRow } from "../shared/bus";
import { el, setText, words } from "../shared/elements";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import type { Component, View } from "../shared/mount";
import { themeOf } from "../shared/theme";
import { follow, isInRoom } from "./follow";
import type { Following } from "./follow";
import { Line } from "./line";
import { Sheet } from "./sheet";
import viewCss from "../shared/view.css";
import css from "./view.css";
import { styled } from "../shared/styles";

interface Message {
  stop: string;
  lesson: string;
  part: string;
  rows: LitRow[];
  said: string;
  line: string;
}

const VIEW_MS = 1500; // for a view that is there to draw the light
const COLUMN = ".st-key-lesson",
  TITLE = `${COLUMN} h3`,
  CARD = ".st-key-lesson_card",
  KEYS = ".st-key-lesson_keys";

// A stop on another page has a column of its own, which must know what was shown before it.
declare global {
  var explorerLessonStop: string | undefined;
}

class Lesson implements View {
  private readonly keys = words("span", "", "keys");
  private readonly heard = el("p", { class: "unseen", role: "status" });
  private readonly show = el("button", { type: "button", class: "link", text: "Show it" });
  private readonly lamp = el("button", { type: "button", class: "link" });
  private readonly line = new Line();
  private readonly sheet = new Sheet(() => {
    if (this.isOn) this.bring(false);
  });
  private message: Message | null = null;
  private isOn = true;
  private lit: Lit | null = null;
  private following: Following | null = null;
  private isUnlit = false; // the view of the page has had its time, and draws no light: the whole of it is framed
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    root.append(
      el("p", { class: "row" }, this.show, this.lamp, this.keys),
      this.heard,
      this.line.node,
      this.sheet.node,
    );
    this.show.addEventListener("click", () => this.bring(true), { signal });
    this.lamp.addEventListener("click", () => tell("lamp", null), { signal });
    onTold("lamp", () => this.turn(!this.isOn), signal);
    onTold(
      "light",
      (light) => {
        if (!light && this.isOn && this.message?.rows.length) this.turn(false);
      },
      signal,
    );
    onTold(
      "lit",
      (lit) => {
        this.lit = lit;
        this.place();
        this.following?.align();
      },
      signal,
    );
    this.sheet.follow(signal);
    for (const event of ["scroll", "resize"])
      window.addEventListener(event, () => this.place(), { signal, capture: true, passive: true });
    const moved = new ResizeObserver(() => {
      this.place();
      this.following?.align();
    });
    moved.observe(document.body);
    for (const box of document.querySelectorAll(`${COLUMN}, [data-testid=stMainBlockContainer]`))
      moved.observe(box);
    // A part that is drawn anew has lost its mark, and need not have another size.
    const drawn = new MutationObserver(() => {
      if (this.box?.hasAttribute("data-lit") === !(this.isOn && this.isPart)) this.place();
    });
    drawn.observe(document.body, { childList: true, subtree: true });
    signal.addEventListener("abort", () => {
      moved.disconnect();
      drawn.disconnect();
    });
  }

  // ---- the light ---------------------------------------------------------------------------------------------------
  private get box(): HTMLElement | null {
    const part = this.message?.part;
    return part ? document.querySelector<HTMLElement>(`.st-key-${part}`) : null;
  }

  private turn(isOn: boolean): void {
    this.isOn = isOn;
    const rows = this.message?.rows ?? [];
    tell("light", isOn && rows.length ? ({ rows } satisfies Light) : null);
    this.place();
  }

  /** Whether the whole part is in the light, and no row of it. */
  private get isPart(): boolean {
    return !this.message?.rows.length || (this.lit === null && this.isUnlit);
  }

  /** What is to be seen: the frames of a view, or the part itself. */
  private get targets(): HTMLElement[] {
    if (!this.isPart) return this.lit?.frames ?? [];
    return this.box ? [this.box] : [];
  }

  private place(): void {
    const { message, box } = this;
    if (!message || !this.root.isConnected) return;
    if (box)
      this.waiting ??= setTimeout(() => {
        this.isUnlit = true;
        this.place();
      }, VIEW_MS);
    const { isPart, targets } = this;
    for (const part of document.querySelectorAll("[data-lit]"))
      if (part !== box) part.removeAttribute("data-lit");
    box?.toggleAttribute("data-lit", this.isOn && isPart);
    const has = isPart ? box !== null : this.lit !== null;
    this.sheet.place();
    this.lamp.hidden = !has && this.isOn;
    setText(this.lamp, this.isOn ? "Light off" : "Light on");
    this.show.hidden = !targets.length || targets.every(isInRoom);
    const end = isPart ? box : (this.lit?.end ?? null);
    this.line.draw(this.isOn && has ? document.querySelector(CARD) : null, end, isPart);
  }

  private bring(isAsked: boolean): void {
    this.following?.end();
    this.following = follow(
      () => this.targets,
      () => this.isPart,
      isAsked,
    );
  }

  // ---- new messages --------------------------------------------------------------------------------------------
  update({ data }: Component): void {
    this.root.dataset.look = themeOf(this.root);
    const message = readJson<Message>(data),
      before = globalThis.explorerLessonStop,
      isNew = this.message?.stop !== message.stop;
    const isTold = this.message?.said !== message.said;
    const isMoved = JSON.stringify(this.message?.rows) !== JSON.stringify(message.rows); // an answer may show another run
    this.message = message;
    setText(this.keys, message.line);
    setText(this.heard, message.said);
    const column = document.querySelector(COLUMN);
    column?.setAttribute("role", "complementary");
    column?.setAttribute("aria-label", message.lesson);
    if (isNew) this.begin(before);
    else if (isMoved) this.turn(this.isOn);
    // A longer sheet may lie over what it speaks of, and another row stand elsewhere.
    if (!isNew && this.isOn && (isMoved || (isTold && this.sheet.isThere))) this.bring(false);
    this.place();
  }

  private begin(before: string | undefined): void {
    globalThis.explorerLessonStop = this.message!.stop;
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.isUnlit = false;
    this.turn(true);
    this.sheet.open();
    this.bring(false);
    const title = document.querySelector<HTMLElement>(TITLE);
    document.querySelector(COLUMN)?.scrollTo(0, 0);
    if (!title || before === undefined || before === this.message!.stop) return;
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.following?.end();
    this.line.node.remove();
    // Another stop's, or this one's drawn anew, is there by then, and has told of its own light.
    setTimeout(() => {
      if (document.querySelector(KEYS)) return;
      tell("light", null);
      for (const part of document.querySelectorAll("[data-lit]")) part.removeAttribute("data-lit");
    });
  }
}

export default styled(
  mounted(".lesson", (root, signal) => new Lesson(root, signal)),
  viewCss,
  css,
);
