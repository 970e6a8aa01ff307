// The light of a lesson in the whole picture: a frame around the weights that a row of an attention has.

import { tell } from "../../../browser/shared/bus";
import type { Light, LitRow } from "../../../browser/shared/bus";
import { el } from "../../../browser/shared/elements";
import { columnsOf, keyAt, tileAt, tileHeight } from "./layout";
import type { Scene } from "./scene";

type Box = readonly [x: number, y: number, width: number, height: number];

export class Spotlight {
  readonly node = el("div", { class: "light", "aria-hidden": "true" });
  private light: Light | null = null;
  private told = "[]";

  turn(light: Light | null): void { this.light = light; }

  /** Put a frame where the picture has the rows, and tell where that is if it is elsewhere than before. */
  place(scene: Scene): void {
    const boxes = (this.light?.rows ?? []).flatMap((row) => boxesOf(scene, row)), said = JSON.stringify(boxes);
    if (said === this.told) return;
    this.told = said;
    const frames = boxes.map((box) => over(box, "frame")), [, y, , height] = boxes[0] ?? [0, 0, 0, 0];
    const end = over([scene.layout.width, y + height / 2, 0, 0], "end");
    this.node.replaceChildren(...frames, end);
    tell("lit", boxes.length ? { frames, end } : null);
  }

  end(): void { if (this.told !== "[]") tell("lit", null); }
}

function boxesOf(scene: Scene, { site, index, columns }: LitRow): Box[] {
  const { layout, run, pen } = scene, query = index.at(-2) ?? -1;
  for (const band of [layout.encoder, layout.decoder]) {
    const stop = band.stops.find(({ sub, isFolded }) => sub.kind === "attention" && sub.weights === site && !isFolded);
    if (!stop || !band.place.has(query)) continue;
    const v = tileAt(layout, band, query), height = tileHeight(layout), count = run.keys(stop.sub).length;
    const whole = [stop.keys, v, columnsOf(layout, count) * layout.keyWidth, height] as const;
    return [whole, ...columns.map((key) => [keyAt(layout, stop, key), v, layout.keyWidth, height] as const)].map(([left, top, across, down]) => {
      const [x, y] = pen.place(left - 3, top - 3), [width, high] = pen.place(across + 6, down + 6);
      return [x, y, width, high];
    });
  }
  return [];
}

function over([x, y, width, height]: Box, name: string): HTMLElement {
  const node = el("i", { "data-light": name });
  Object.assign(node.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  return node;
}
