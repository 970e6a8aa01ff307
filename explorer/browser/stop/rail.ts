// The rail: the blocks of the whole model in two rows, where one is, and the way to every other.

import { el, words } from "../shared/elements";
import type { Header, RailBlock } from "./data";

/** open: called with the block that somebody goes to; empty for the whole picture. */
export class Rail {
  readonly node = el("nav", { class: "rail", "aria-label": "Blocks of the model" });
  private built = "";

  constructor(private readonly open: (block: string) => void) {}

  draw({ rail, here }: Header): void {
    const key = JSON.stringify([rail, here]);
    if (key === this.built) return;
    this.built = key;
    const at = rail.findIndex(({ id }) => id === here), { side } = rail[at];
    const rows = (["source", "target"] as const).map((each) => {
      const own = rail.filter((block) => block.side === each);
      // What has been computed before this block: of the encoder everything, if one stands in the decoder.
      const done = (block: RailBlock) => (each === side ? rail.indexOf(block) <= at : side === "target");
      return el("div", { class: `blocks ${each}` }, ...own.map((block) => this.button(block, here, done(block))));
    });
    this.node.replaceChildren(...rows);
  }

  private button(block: RailBlock, here: string, isDone: boolean): HTMLElement {
    const name = block.layer === null ? block.title : `${block.title}, layer ${block.layer}`, isHere = block.id === here;
    const button = el("button", { type: "button", title: name, "aria-label": `${block.side === "source" ? "Encoder" : "Decoder"}: ${name}`, class: isDone ? "done" : "", ...(isHere ? { "aria-current": "true" } : {}) }, words("span", block.short));
    button.style.flexGrow = String(block.weight);
    if (!isHere) button.addEventListener("click", () => this.open(block.id));
    return button;
  }
}
