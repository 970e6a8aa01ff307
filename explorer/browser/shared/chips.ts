// Chips in a row, of which one is chosen: by a click, or by arrow keys, which move the focus along.

import { el } from "./elements";
import { isShortcut } from "./keys";

/** A group of radio buttons; choosing one only reports it, since whoever hears of it may have a say. */
export class Chips {
  readonly node: HTMLElement;
  private checked = 0;

  /** label: name of the group. choose: called with the place of the chosen chip, which may lie beyond the ends. */
  constructor(label: string, private readonly chips: HTMLElement[], private readonly choose: (place: number) => void) {
    chips.forEach((chip, place) => chip.addEventListener("click", () => choose(place)));
    this.node = el("div", { class: "chips", role: "radiogroup", "aria-label": label }, ...chips);
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }

  private onKey(event: KeyboardEvent): void {
    const to = this.placeAt(event.key);
    if (to === undefined || isShortcut(event)) return;
    event.preventDefault();
    this.choose(to);
  }

  private placeAt(key: string): number | undefined {
    const { checked, chips } = this;
    const places: Record<string, number> = {
      ArrowLeft: checked - 1, ArrowUp: checked - 1, ArrowRight: checked + 1, ArrowDown: checked + 1, Home: 0, End: chips.length - 1,
    };
    return places[key];
  }

  /** Marks one as chosen; it alone is reached by the Tab key, or the first where none is. */
  check(place: number): void {
    this.checked = place;
    this.chips.forEach((chip, at) => {
      chip.setAttribute("aria-checked", String(at === place));
      chip.tabIndex = at === Math.max(0, place) ? 0 : -1;
    });
  }

  focus(place: number): void { this.chips[place].focus(); }
}
