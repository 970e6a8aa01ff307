// Chips in a row, of which one is chosen: by a click, or by arrow keys, which move the focus along.

import { el } from "./elements";
import { actOn } from "./keys";

/** A group of radio buttons; choosing one only reports it, since whoever hears of it may have a say. */
export class Chips {
  readonly node: HTMLElement;
  private checked = 0;

  /** label: name of the group. choose: called with the place of the chosen chip, which may lie beyond the ends. */
  constructor(
    label: string,
    private readonly chips: HTMLElement[],
    private readonly choose: (place: number) => void,
  ) {
    chips.forEach((chip, place) => chip.addEventListener("click", () => choose(place)));
    this.node = el("div", { class: "chips", role: "radiogroup", "aria-label": label }, ...chips);
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }

  private onKey(event: KeyboardEvent): void {
    const { checked } = this,
      to = (place: number) => () => this.choose(place),
      back = to(checked - 1),
      onward = to(checked + 1);
    actOn(event, {
      ArrowLeft: back,
      ArrowUp: back,
      ArrowRight: onward,
      ArrowDown: onward,
      Home: to(0),
      End: to(this.chips.length - 1),
    });
  }

  /** Marks one as chosen; it alone is reached by the Tab key, or the first where none is. */
  check(place: number): void {
    this.checked = place;
    this.chips.forEach((chip, at) => {
      chip.setAttribute("aria-checked", String(at === place));
      chip.tabIndex = at === Math.max(0, place) ? 0 : -1;
    });
  }

  focus(place: number): void {
    this.chips[place].focus();
  }
}
