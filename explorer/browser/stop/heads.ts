// A small picture of each head's weights, which chooses it, above its place among the joined heads.

import { WEIGHTS, drawSheet, pixelSheet } from "../shared/cells";
import { button, el, layOver } from "../shared/elements";
import type { Look } from "../shared/look";
import { range } from "../shared/planes";
import type { Board } from "./board";
import type { Model } from "./model";

export class Heads {
  readonly node = el("div", { class: "heads", role: "group", "aria-label": "Head" });
  private drawn = "";

  constructor(private readonly choose: (head: number) => void) {}

  draw(model: Model, board: Board, look: Look): void {
    const { heads } = board,
      chosen = model.placeOf("head");
    this.node.hidden = !heads;
    if (!heads) return;
    const key = [
      model.header.key,
      model.placeOf("layer"),
      JSON.stringify(heads),
      look.bg,
      model.header.grows && model.chosen.row,
    ].join();
    if (key !== this.drawn) {
      this.drawn = key;
      this.node.replaceChildren(
        ...model.chooser("head")!.options.map((_, head) => this.head(model, heads, head, look)),
      );
    }
    [...this.node.children].forEach((button, head) =>
      button.setAttribute("aria-pressed", String(head === chosen)),
    );
  }

  private head(
    model: Model,
    { x, y, width, height, pitch, tensor, spread }: NonNullable<Board["heads"]>,
    head: number,
    look: Look,
  ): HTMLElement {
    const canvas = el("canvas", { "aria-hidden": "true" }),
      name = `head ${head}`,
      node = button({ class: "thumb", title: name, "aria-label": name }, () => this.choose(head), canvas);
    const isHere = (model.tensors[tensor].axis("head")?.places ?? range(head + 1)).includes(head);
    layOver(node, { x: x + head * pitch + (pitch - width) / 2, y, width, height });
    if (!isHere) return ((node.textContent = String(head)), node);
    const plane = model.plane(tensor, spread, { head }),
      { rows, columns } = plane;
    const sheet = pixelSheet(
      look,
      WEIGHTS,
      rows.count,
      columns.count,
      plane.value,
      (r, c) => plane.masked(r, c) || plane.covered(r, c),
    );
    const { context } = drawSheet(canvas, sheet, { width: width - 6, height: height - 6 });
    // As in the matrix above: what the model has not written yet reads nothing.
    const there = model.header.grows ? (model.chosen.row + 1) / rows.count : 1;
    context.clearRect(0, there * canvas.height, canvas.width, canvas.height);
    return node;
  }
}
