// What a view tells Python once it has rested, or as soon as anything else is told.

const resting = new Set<Resting>();

/** Tell at once what still rests: Python hears of things in the order in which they were done. */
export function tellWhatRests(): void {
  for (const each of [...resting]) each.tellNow();
}

export class Resting {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly tell: () => void) {}

  get isWaiting(): boolean {
    return resting.has(this);
  }

  /** It is told in so many milliseconds, unless it is begun once more by then. */
  begin(wait: number): void {
    this.end();
    resting.add(this);
    this.timer = setTimeout(() => this.tellNow(), wait);
  }

  /** It is not told. */
  end(): void {
    clearTimeout(this.timer);
    resting.delete(this);
  }

  tellNow(): void {
    this.end();
    this.tell();
  }
}
