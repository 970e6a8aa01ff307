// The reports to Python: of what is looked at when stepping rests, of what is done at once.

import { makeChoices } from "../../../browser/shared/choices";
import type { Report } from "../../../browser/shared/mount";
import type { Choice } from "./data";
import type { Action } from "./decoding";

const REST_MS = 400, INSIST_MS = 3000, INSISTS = 10, SETTLE_MS = 50, SETTLES = 40;
const CHOICE = ["step", "attention", "layer", "head", "overlay"] as const;

function isSame(one: Choice, other: Choice): boolean { return CHOICE.every((name) => one[name] === other[name]); }
/** A step ends where the output does, so that it may be another one without anybody's choice. */
export function isAlike(one: Choice, other: Choice): boolean { return isSame({ ...one, step: 0 }, { ...other, step: 0 }); }
export function choiceOf({ step, attention, layer, head, overlay }: Choice): Choice { return { step, attention, layer, head, overlay }; }

export class Teller {
  readonly choices = makeChoices(isSame);
  /** Whether there is a choice that is not told yet. */
  isPending = false;
  private send: Report = () => undefined;
  private heard = 0;   // the number of the last report that Python knows of
  private rest = 0;
  private unheard = 0;

  /** seen: what is looked at, of which trace; null while it plays. */
  constructor(private readonly seen: () => { trace: string; choice: Choice } | null) {}

  /** A message has come: reports go its way from now on, and it names the last one that Python has heard. */
  hear(send: Report, report: number): void {
    this.send = send;
    this.heard = report;
  }

  changed(): void {
    this.isPending = true;
    this.hold();
    this.rest = window.setTimeout(() => this.tellView(), REST_MS);
  }

  /** What is looked at is not told: it goes on changing, or is Python's own. */
  hold(): void { clearTimeout(this.rest); }

  tellView(): void {
    this.hold();
    const seen = this.seen();
    if (!seen) return;
    this.isPending = false;
    const { trace, choice } = seen;
    if (!this.choices.isKnown(choice)) this.tell("view", { trace, ...choice, report: this.choices.tell(choice) });
  }

  /** Something that changes the decodings themselves; what is looked at is told first, so that it stays. */
  act(trace: string, action: Action): void {
    this.tellView();
    this.tell("action", { trace, ...action, report: this.choices.tell() });
  }

  private tell(name: string, what: object): void {
    this.send(name, what);
    this.insist(name, what, INSISTS);
  }

  /** An answer may be lost with the connection. Python acts on a report once, however often it is told. */
  private insist(name: string, what: object, times: number): void {
    clearTimeout(this.unheard);
    if (times) this.unheard = window.setTimeout(() => {
      if (this.isHeard) return;
      if (document.querySelector("[data-test-script-state=notRunning]")) this.send(name, what);
      this.insist(name, what, times - 1);
    }, INSIST_MS);
  }

  private get isHeard(): boolean { return this.heard >= this.choices.report; }

  async settle(): Promise<void> {
    this.tellView();
    for (let tries = 0; !this.isHeard && tries < SETTLES; tries++) await new Promise((done) => setTimeout(done, SETTLE_MS));
  }

  /** Nothing is left to be told. */
  stop(): void {
    this.hold();
    clearTimeout(this.unheard);
  }
}
