// Buttons side by side, of which the pressed one is chosen.

import { button, el } from "./elements";

/** A choice, and what its button says. */
export type Segment<Value> = readonly [value: Value, text: string];

export class Segments<Value> {
  readonly node: HTMLElement;
  private offered = "";
  private buttons: [value: Value, button: HTMLElement][] = [];

  /** kind: the class of the group, and label its name. choose: called with what is pressed. */
  constructor(
    kind: string,
    label: string,
    private readonly choose: (value: Value) => void,
    segments: readonly Segment<Value>[] = [],
  ) {
    this.node = el("div", { class: kind, role: "group", "aria-label": label });
    this.offer(segments);
  }

  /** What there is to choose; nothing is built anew where it is the same. */
  offer(segments: readonly Segment<Value>[]): void {
    const offered = JSON.stringify(segments);
    if (offered === this.offered) return;
    this.offered = offered;
    this.buttons = segments.map(([value, text]) => [value, button({ text }, () => this.choose(value))]);
    this.node.replaceChildren(...this.buttons.map(([, node]) => node));
  }

  show(chosen: Value): void {
    for (const [value, node] of this.buttons) node.setAttribute("aria-pressed", String(value === chosen));
  }
}
