// The step that the bar shows: its own, or that of the view of the page that plays.

import { makeChoices } from "../shared/choices";
import type { Choices } from "../shared/choices";
import type { Command, Moment } from "../shared/bus";
import { Resting } from "../shared/resting";
import type { Output } from "./data";

const STEP_MS = 1200,
  REST_MS = 400;

/** What the bar does about its step; report: tells Python where it rests, with a number; lead: asks the view that plays for one. */
export interface Acts {
  show(moment: Moment): void;
  report(step: number, number: number): void;
  lead(step: number): void;
}

/** Moves the bar's own step, for as long as no view of the page plays. */
export class Steps {
  private own: Moment = { step: 0, isPlaying: false, speed: 1 };
  private followed: Moment | null = null;
  private last = 0;
  private clock = 0;
  private readonly resting = new Resting(() => this.tell());
  private readonly choices: Choices<number> = makeChoices((one, other) => one === other);

  constructor(private readonly acts: Acts) {}

  get now(): Moment {
    return this.followed ?? this.own;
  }
  get isFollowing(): boolean {
    return this.followed !== null;
  }

  /** A view of the page plays from now on; null where none does any more, and the bar goes on from there. */
  follow(moment: Moment | null): void {
    // Somebody may have gone on while the view was on its way, which comes with the step that Python knew of.
    const isUntold = this.resting.isWaiting && !this.choices.isKnown(this.own.step),
      wished = !this.followed && moment && isUntold ? this.own.step : null;
    this.stop();
    this.resting.end();
    if (this.followed && !moment) {
      this.own = { ...this.followed, step: Math.max(0, this.followed.step), isPlaying: false };
      // What the view had not told yet when its page was left.
      this.resting.begin(REST_MS);
    }
    this.followed = moment;
    this.acts.show(this.now);
    if (wished !== null && wished !== moment?.step) this.acts.lead(wished);
  }

  /** Another message of Python: isOther where it is about another output than the one before. */
  hear({ tokens, step }: Output, named: number, isOther: boolean): void {
    this.last = tokens.length - 1;
    const verdict = this.choices.hear(step, named, {
      fresh: isOther,
      possible: false,
      pending: this.resting.isWaiting,
    });
    if (verdict !== "follow") return;
    this.stop();
    this.resting.end();
    this.own = { ...this.own, step };
  }

  /** What a view that plays would be asked for. */
  obey(command: Command): void {
    if (command.do === "speed") this.own = { ...this.own, speed: command.speed };
    else if (command.do === "toggle" && !this.own.isPlaying) this.play();
    else {
      this.stop();
      if (command.do === "go")
        this.own = { ...this.own, step: Math.min(this.last, Math.max(0, command.step)) };
      this.resting.begin(REST_MS);
    }
    if (this.own.isPlaying) this.tick();
    this.acts.show(this.now);
  }

  /** Nothing is waited for any more. */
  leave(): void {
    clearTimeout(this.clock);
    this.resting.end();
  }

  private play(): void {
    this.resting.end();
    const step = this.own.step >= this.last ? 0 : this.own.step;
    this.own = { ...this.own, step, isPlaying: this.last > 0 };
  }

  private tick(): void {
    clearTimeout(this.clock);
    this.clock = window.setTimeout(() => {
      this.own = { ...this.own, step: this.own.step + 1 };
      if (this.own.step < this.last) this.tick();
      else {
        this.stop();
        this.resting.begin(REST_MS);
      }
      this.acts.show(this.now);
    }, STEP_MS / this.own.speed);
  }

  private stop(): void {
    clearTimeout(this.clock);
    this.own = { ...this.own, isPlaying: false };
  }

  private tell(): void {
    const { step } = this.own;
    if (!this.choices.isKnown(step)) this.acts.report(step, this.choices.tell(step));
  }
}
