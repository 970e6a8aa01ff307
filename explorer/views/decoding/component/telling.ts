// The reports to Python: of what is looked at when stepping rests, of what is done at once.

import type { Report } from "../../../browser/shared/mount";
import { Teller } from "../../../browser/shared/teller";
import type { Seen } from "../../../browser/shared/teller";
import type { Choice } from "./data";
import type { Action } from "./decoding";

const INSIST_MS = 3000,
  INSISTS = 10;
const CHOICE = ["step", "attention", "layer", "head", "overlay"] as const;

function isSame(one: Choice, other: Choice): boolean {
  return CHOICE.every((name) => one[name] === other[name]);
}
/** A step ends where the output does, so that it may be another one without anybody's choice. */
export function isAlike(one: Choice, other: Choice): boolean {
  return isSame({ ...one, step: 0 }, { ...other, step: 0 });
}
export function choiceOf({ step, attention, layer, head, overlay }: Choice): Choice {
  return { step, attention, layer, head, overlay };
}

/** Tells again what Python does not seem to have heard. */
export class InsistingTeller extends Teller<Choice> {
  /** Whether there is a choice that is not told yet. */
  isPending = false;
  private heard = 0; // the number of the last report that Python knows of
  private unheard = 0;

  /** seen: what is looked at, of which trace; null while it plays. */
  constructor(seen: () => Seen<Choice> | null) {
    super(isSame, () => {
      const found = seen();
      if (found) this.isPending = false;
      return found;
    });
  }

  /** A message has come: reports go its way from now on, and it names the last one that Python has heard. */
  hear(report: Report, last: number): void {
    this.through(report);
    this.heard = last;
  }

  override changed(): void {
    this.isPending = true;
    super.changed();
  }

  /** Something that changes the decodings themselves; what is looked at is told first, so that it stays. */
  act(trace: string, action: Action): void {
    this.tellChoice();
    this.tell("action", { trace, ...action });
  }

  protected override send(name: string, what: object): void {
    super.send(name, what);
    this.insist(name, what, INSISTS);
  }

  /** An answer may be lost with the connection. Python acts on a report once, however often it is told. */
  private insist(name: string, what: object, times: number): void {
    clearTimeout(this.unheard);
    if (times)
      this.unheard = window.setTimeout(() => {
        if (this.isHeard) return;
        if (document.querySelector("[data-test-script-state=notRunning]")) super.send(name, what);
        this.insist(name, what, times - 1);
      }, INSIST_MS);
  }

  private get isHeard(): boolean {
    return this.heard >= this.choices.report;
  }

  /** Nothing is left to be told. */
  stop(): void {
    this.hold();
    clearTimeout(this.unheard);
  }
}
