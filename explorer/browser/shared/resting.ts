// Delays a report until it has rested; another report sends it early.

const resting = new Set<Resting>();

/** Send all reports that rest here now, so that Python hears of actions in the order in which they happened. */
export function tellWhatRests(): void {
  for (const each of [...resting]) each.tellNow();
}

export class Resting {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly tell: () => void) {}

  get isWaiting(): boolean {
    return resting.has(this);
  }

  /** Send the report after `wait` milliseconds; another call starts the wait again. */
  begin(wait: number): void {
    this.end();
    resting.add(this);
    this.timer = setTimeout(() => this.tellNow(), wait);
  }

  /** Drop the report. */
  end(): void {
    clearTimeout(this.timer);
    resting.delete(this);
  }

  tellNow(): void {
    this.end();
    this.tell();
  }
}
