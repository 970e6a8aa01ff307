// The tokens of the rows above a picture that shows one row: the chosen one is the lit one.

import { Chips } from "../shared/chips";
import { el, layOver, words } from "../shared/elements";
import type { Board } from "./board";
import type { Model } from "./model";

export class Tokens {
  readonly node = el("div", { class: "tokens" });
  private chips: Chips | null = null;
  private built = "";

  constructor(private readonly choose: (row: number) => void) {}

  draw(model: Model, { tokens }: Board): void {
    this.node.hidden = !tokens;
    if (!tokens) return;
    const { under } = tokens,
      key = JSON.stringify([model.reads, under, model.header.row_side]);
    layOver(this.node, tokens);
    if (key !== this.built) this.build(model, under, key);
    this.check(model);
  }

  private build(model: Model, under: string[], key: string): void {
    const { row_side: side } = model.header;
    this.built = key;
    this.chips = new Chips(
      "Token",
      model.reads.map((token, row) =>
        el(
          "button",
          { type: "button", role: "radio", class: "chip", "data-side": side },
          words("b", token),
          ...(under.length ? [words("small", under[row])] : []),
        ),
      ),
      this.choose,
    );
    this.node.replaceChildren(this.chips.node);
  }

  private check(model: Model): void {
    const { row } = model.chosen,
      buttons = [...this.chips!.node.children] as HTMLElement[],
      root = this.node.getRootNode() as ShadowRoot;
    const hadFocus = this.node.contains(root.activeElement);
    this.chips!.check(row);
    buttons.forEach((button, place) => button.classList.toggle("later", model.header.grows && place > row));
    const chosen = buttons[row],
      { scrollLeft, clientWidth } = this.node;
    if (chosen.offsetLeft < scrollLeft || chosen.offsetLeft + chosen.offsetWidth > scrollLeft + clientWidth)
      this.node.scrollLeft = chosen.offsetLeft - clientWidth / 2;
    if (hadFocus) chosen.focus({ preventScroll: true });
  }
}
