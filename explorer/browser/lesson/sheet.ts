// On a phone the column is a sheet over the foot of the page: its handle, with which it is folded so that the picture is seen.

import { el, setText } from "../shared/elements";

const COLUMN = ".st-key-lesson",
  LEFT = 12; // a sheet begins at the window's left edge, a column does not

export class Sheet {
  readonly node = el("button", { type: "button", class: "handle", hidden: "" });

  /** moved: called when the sheet covers another part of the page than before. */
  constructor(private readonly moved: () => void) {}

  /** Listen to the handle, and stay at the sheet's edge, until the signal. */
  follow(signal: AbortSignal): void {
    this.node.addEventListener(
      "click",
      () => {
        this.fold(this.column?.dataset.folded === undefined);
      },
      { signal },
    );
  }

  private get column(): HTMLElement | null {
    return document.querySelector<HTMLElement>(COLUMN);
  }

  /** Whether the column is a sheet, as it was placed last. */
  get isThere(): boolean {
    return !this.node.hidden;
  }

  /** Another stop is to be read first. */
  open(): void {
    this.fold(false);
  }

  private fold(isFolded: boolean): void {
    const { column } = this;
    if (!column || (column.dataset.folded !== undefined) === isFolded) return;
    column.toggleAttribute("data-folded", isFolded);
    this.place();
    this.moved();
  }

  /** Put the handle at the edge of the sheet; a column has none. */
  place(): void {
    const { column, node } = this,
      box = column?.getBoundingClientRect(),
      isSheet = box !== undefined && box.left < LEFT && box.height < window.innerHeight;
    const isFolded = column?.dataset.folded !== undefined;
    node.hidden = !isSheet;
    setText(node, isFolded ? "Show the lesson" : "Show the picture");
    node.setAttribute("aria-expanded", String(!isFolded));
    if (box) node.style.top = `${Math.round(box.top)}px`;
  }
}
