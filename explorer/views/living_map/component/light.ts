// The light of a lesson in the whole picture: a frame around the weights that a row of an attention has.

import type { Light, LitRow } from "../../../browser/shared/bus";
import type { Box } from "../../../browser/shared/elements";
import { LitFrames } from "../../../browser/shared/lit";
import { attentions, columnsOf, keyAt, tileAt, tileHeight } from "./layout";
import type { Scene } from "./scene";

export class Spotlight {
  private readonly frames = new LitFrames();
  readonly node = this.frames.node;
  private light: Light | null = null;

  turn(light: Light | null): void {
    this.light = light;
  }

  /** Put a frame where the picture has the rows. */
  place(scene: Scene): void {
    const boxes = (this.light?.rows ?? []).flatMap((row) => boxesOf(scene, row));
    this.frames.show(boxes, () => ({ x: scene.layout.width, y: boxes[0].y + boxes[0].height / 2 }));
  }

  end(): void {
    this.frames.end();
  }
}

function boxesOf(scene: Scene, { site, index, columns }: LitRow): Box[] {
  const { layout, run, pen } = scene,
    query = index.at(-2) ?? -1;
  for (const band of [layout.encoder, layout.decoder]) {
    const stop = attentions(band).find(({ sub }) => sub.weights === site);
    if (!stop || !band.place.has(query)) continue;
    const v = tileAt(layout, band, query),
      height = tileHeight(layout),
      count = run.keys(stop.sub).length;
    const whole = [stop.keys, v, columnsOf(layout, count) * layout.keyWidth, height] as const;
    return [
      whole,
      ...columns.map((key) => [keyAt(layout, stop, key), v, layout.keyWidth, height] as const),
    ].map(([left, top, across, down]) => {
      const [x, y] = pen.place(left - 3, top - 3),
        [width, high] = pen.place(across + 6, down + 6);
      return { x, y, width, height: high };
    });
  }
  return [];
}
