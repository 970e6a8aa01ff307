// The light of a lesson over a picture: an element over each frame, for whoever leads there.

import { tell } from "./bus";
import { el, layOver } from "./elements";
import type { Box } from "./elements";

export class LitFrames {
  readonly node = el("div", { class: "light", "aria-hidden": "true" });
  private told = "[]";

  /** Put an element over every box, and tell where they are if they have moved; end: where a line to them may end. */
  show(boxes: Box[], end: () => { x: number; y: number }): void {
    const to = boxes.length ? [end()] : [],
      said = JSON.stringify([...boxes, ...to]);
    if (said === this.told) return;
    this.told = said;
    const frames = boxes.map((box) => over(box, "frame")),
      ends = to.map((at) => over({ ...at, width: 0, height: 0 }, "end"));
    this.node.replaceChildren(...frames, ...ends);
    tell("lit", ends.length ? { frames, end: ends[0] } : null);
  }

  /** The picture leaves the page. */
  end(): void {
    if (this.told !== "[]") tell("lit", null);
  }
}

function over(box: Box, name: string): HTMLElement {
  const node = el("i", { "data-light": name });
  layOver(node, box);
  return node;
}
