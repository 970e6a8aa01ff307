// What a view tells Python: what is looked at, once that has rested, and what somebody does, at once.

import { makeChoices } from "./choices";
import type { Choices } from "./choices";
import type { Report } from "./mount";
import { Resting, tellWhatRests } from "./resting";

const REST_MS = 400;

/** What is looked at, after what a report calls it, such as the key of the message that it is about. */
export interface Seen<Choice> {
  about: object;
  choice: Choice;
}

export class Teller<Choice> {
  readonly choices: Choices<Choice>;
  private report: Report = () => undefined;
  private readonly rest = new Resting(() => this.tellChoice());

  /** same: whether two choices are alike. seen: null while what is looked at is not to be told. */
  constructor(
    same: (one: Choice, other: Choice) => boolean,
    private readonly seen: () => Seen<Choice> | null,
  ) {
    this.choices = makeChoices(same);
  }

  /** From now on reports go this way: each message from Python brings its own. */
  through(report: Report): void {
    this.report = report;
  }

  /** Something else is looked at. */
  changed(): void {
    this.rest.begin(REST_MS);
  }

  /** What is looked at is not told by itself: it goes on changing, or is Python's own. */
  hold(): void {
    this.rest.end();
  }

  /** Tell what is looked at, unless Python knows it. */
  tellChoice(): void {
    this.hold();
    const seen = this.seen();
    if (seen && !this.choices.isKnown(seen.choice))
      this.send("view", { ...seen.about, ...seen.choice, report: this.choices.tell(seen.choice) });
  }

  /** Tell what somebody does; gives the number of the report. */
  tell(name: string, what: object): number {
    tellWhatRests();
    const report = this.choices.tell();
    this.send(name, { ...what, report });
    return report;
  }

  protected send(name: string, what: object): void {
    this.report(name, what);
  }
}
