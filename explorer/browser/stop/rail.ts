// The rail: the blocks of the whole model in two rows, where one is, and the way to every other.

import { button, el, svg, words } from "../shared/elements";
import { focusBeside } from "../shared/focus";
import type { Header, RailBlock } from "./data";

const NARROW = 1150;
/** Blocks from which on there is room for initials alone. */
const MANY = 30;

/** open: called with the block that somebody goes to; empty for the whole picture. */
export class Rail {
  readonly node = el("nav", { class: "rail", "aria-label": "Blocks of the model" });
  private readonly wire = svg("path", { class: "wire" });
  private built = "";

  constructor(private readonly open: (block: string) => void) {}

  draw({ rail, here }: Header): void {
    const isNarrow = this.node.clientWidth < NARROW,
      key = JSON.stringify([rail, here, isNarrow]);
    if (key === this.built) return;
    this.built = key;
    const at = rail.findIndex(({ id }) => id === here),
      { side } = rail[at];
    const rows = (["source", "target"] as const).map((each) => {
      const own = rail.filter((block) => block.side === each);
      // What has been computed before this block: of the encoder everything, if one stands in the decoder.
      const done = (block: RailBlock) => (each === side ? rail.indexOf(block) <= at : side === "target");
      return el(
        "div",
        { class: `blocks ${each}` },
        ...own.map((block) =>
          this.button(block, here, done(block), shortened(block, rail.length > MANY, isNarrow)),
        ),
      );
    });
    const isHeld = this.node.contains(focusBeside(this.node));
    this.node.replaceChildren(svg("svg", { "aria-hidden": "true" }, this.wire), ...rows);
    // Where the rail is longer than the screen, it begins around the block that is open.
    const open = this.node.querySelector<HTMLElement>("[aria-current]")!;
    this.node.scrollLeft = open.offsetLeft - (this.node.clientWidth - open.offsetWidth) / 2;
    if (isHeld) open.focus({ preventScroll: true });
  }

  private button(block: RailBlock, here: string, isDone: boolean, text: string): HTMLElement {
    const name = block.layer === null ? block.title : `${block.title}, layer ${block.layer}`,
      isHere = block.id === here;
    const attributes = {
      title: name,
      "aria-label": `${block.side === "source" ? "Encoder" : "Decoder"}: ${name}`,
      class: isDone ? "done" : "",
      "data-block": block.id,
    };
    const node = button(
      { ...attributes, ...(isHere ? { "aria-current": "true" } : {}) },
      () => {
        if (!isHere) this.open(block.id);
      },
      words("span", text),
    );
    node.style.flexGrow = String(block.weight);
    return node;
  }

  /** The memory: from the encoder's end to every block that reads it. Once the rail has its place. */
  lay({ rail }: Header): void {
    const buttons = new Map(
      [...this.node.querySelectorAll("button")].map((button) => [button.dataset.block, button]),
    );
    const last = buttons.get(rail.findLast(({ side }) => side === "source")?.id);
    if (!last) return;
    const readers = rail.filter(({ crosses }) => crosses).map(({ id }) => buttons.get(id)!);
    const { left: edge, top } = this.node.getBoundingClientRect(),
      left = edge - this.node.scrollLeft,
      end = last.getBoundingClientRect(),
      from = end.right - left + 10;
    const ways = readers.map((reader) => {
      const place = reader.getBoundingClientRect(),
        between = (end.bottom + place.top) / 2 - top;
      return `M${from - 10} ${(end.top + end.bottom) / 2 - top}H${from}V${between}H${(place.left + place.right) / 2 - left}V${place.top - top}`;
    });
    this.wire.setAttribute("d", ways.join(""));
  }
}

/** What stands on a block; its tip has its whole name. */
function shortened({ short }: RailBlock, areMany: boolean, isNarrow: boolean): string {
  if (areMany)
    return short
      .split(/[ -]/)
      .map((word) => word[0].toUpperCase())
      .join("");
  return isNarrow ? short.replace("attention", "attn") : short;
}
