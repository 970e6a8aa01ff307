// Somebody's first minute: a guess about the step that is shown, what was really read, a rival forced, and then they go on
// by themselves. It stands in the title's line, and once it is dismissed or done it stays away.

import { button, el, words } from "../../../browser/shared/elements";
import { fixed } from "../../../browser/shared/numbers";
import { clip, hasTwin } from "../../../browser/shared/text";
import { isBeside } from "./compare";
import type { Scene } from "./scene";
import { isAtRest } from "./saying";
import { ENCODER } from "./timeline";

const KEPT = "explorer-first-minute",
  MOST_ANSWERS = 6,
  LONGEST_ANSWER = 16;

type Stage = "wait" | "ask" | "read" | "played" | "forced" | "over";
export interface GuideActs {
  play(): void;
  force(token: number): void;
  type(): void;
  light(token: number): void;
}

export class Guide {
  readonly node = el("div", { class: "guide", role: "group", "aria-label": "Your first minute" });
  private stage: Stage = isOver() ? "over" : "wait";
  private guess = 0;
  private written = "";

  constructor(private readonly acts: GuideActs) {
    this.node.hidden = true;
  }

  /** Who has moved on by themselves is not asked any more. */
  leave(): void {
    if (this.stage === "ask") this.stage = "over";
  }

  /** Whether it asks what was read, and the picture must not tell. */
  get isAsking(): boolean {
    return this.stage === "ask" && this.written !== "";
  }

  /** Whether it has something to say beside the title; the lead then waits. */
  show(scene: Scene): boolean {
    const isThere = this.stage !== "over" && this.follow(scene) && !document.querySelector(".st-key-lesson");
    const key = isThere ? `${this.stage}/${scene.run.header.key}/${scene.at.step}/${this.guess}` : "";
    if (key !== this.written) {
      this.written = key;
      this.node.hidden = !isThere;
      this.node.replaceChildren(...(isThere ? this.contents(scene) : []));
    }
    return isThere;
  }

  /** Goes on with what has happened since; false where there is nothing to ask about. */
  private follow(scene: Scene): boolean {
    const { run, at } = scene;
    if (isBeside(run)) return false;
    if (this.stage === "wait") this.stage = run.header.is_first ? "ask" : "over";
    if (run.header.forced.includes(true)) this.stage = "forced";
    else if (this.stage === "forced") return this.end();
    if ((this.stage as Stage) === "over") return false;
    if (this.stage === "forced") return true;
    return at.step !== ENCODER && isAtRest(scene) && run.header.source.length > 2;
  }

  private contents(scene: Scene): (Node | string)[] {
    const { run, at } = scene,
      { header } = run,
      { place, weight } = run.reading(at.step);
    const read = words("b", header.source[place], "source"),
      where = (token: number) => run.where("source", token),
      close = button({ class: "quiet", text: "×", "aria-label": "Dismiss" }, () => {
        this.end();
      });
    const act = (text: string, press: () => void) => button({ class: "primary", text }, press);
    const rival = run.candidates(at.step).find(({ id, isWritten }) => !isWritten && id > header.first_id);
    if (this.stage === "ask")
      return [`Which ${header.source_unit} did it read most? `, ...this.answers(scene, place), close];
    if (this.stage === "read") {
      const said =
        this.guess === place
          ? ["Yes: it reads ", read, where(place)]
          : ["It reads ", read, where(place), `, not ${header.source[this.guess]}${where(this.guess)}`];
      return [
        el("span", {}, ...said, `, weight ${fixed(weight, 2)}. What it reads is not yet why it writes.`),
        act("Play the step", () => this.go("played", () => this.acts.play())),
        close,
      ];
    }
    if (this.stage === "forced") {
      return [
        el("span", {}, "Now it goes on to ", words("b", header.text, "target"), "."),
        act(`Now you: type a ${header.source_unit === "letter" ? "word" : "sentence"}`, () => {
          this.end();
          this.acts.type();
        }),
        close,
      ];
    }
    if (!rival) return [close];
    return [
      el("span", {}, "What if it had to write ", words("b", rival.token, "target"), " here?"),
      act(`Force ${rival.token}`, () => this.acts.force(rival.id)),
      close,
    ];
  }

  private answers({ run: { header }, at, run }: Scene, right: number): HTMLElement[] {
    const shown = new Set([
      right,
      ...run
        .byReading(run.crossing.at(-1)!, at.step)
        .filter((token) => token < header.source.length - 1)
        .slice(0, MOST_ANSWERS),
    ]);
    return [...shown]
      .sort((a, b) => a - b)
      .map((token) =>
        button(
          { class: "answer", title: header.source[token] },
          () => {
            this.guess = token;
            this.go("read", () => this.acts.light(right));
          },
          words("span", clip(header.source[token], LONGEST_ANSWER)),
          ...(hasTwin(header.source, token) ? [words("sub", String(token))] : []),
        ),
      );
  }

  private go(stage: Stage, act: () => void): void {
    this.stage = stage;
    act();
  }

  private end(): false {
    this.stage = "over";
    this.written = "?";
    try {
      window.localStorage.setItem(KEPT, "over");
    } catch {
      /* A browser that keeps nothing asks again. */
    }
    this.acts.light(-1);
    return false;
  }
}

function isOver(): boolean {
  try {
    return window.localStorage.getItem(KEPT) !== null;
  } catch {
    return false;
  }
}
