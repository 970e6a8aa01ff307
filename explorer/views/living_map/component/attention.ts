// The crossing of an attention: queries come from the left and keys from above, and every weight stands where they meet.

import { attentions, columnsOf, keyAt, keysAt, laneMiddle, tileAt, tileHeight, wireAt } from "./layout";
import type { Band, Stop } from "./layout";
import { written } from "./run";
import type { Scene } from "./scene";
import { isLit, isNow, mostRead } from "./scene";

const CELLS = 5; // from this width on a cell stands by itself

/** The weights of a query as far as they are there: one small cell a head, aligned with the query's lane. */
export function weightsRow(scene: Scene, band: Band, stop: Stop, token: number, filled: number): void {
  const { layout, run, pen } = scene,
    { sub } = stop,
    v = tileAt(layout, band, token),
    height = tileHeight(layout);
  const now = band.side === "target" ? scene.at.step : Infinity;
  const keys = run.keySide(sub) === "target" ? Math.min(run.keys(sub).length, now + 1) : run.keys(sub).length;
  const seen = run.isCausal(sub) ? Math.min(keys, token + 1) : keys,
    there = Math.min(seen, Math.ceil(filled * keys));
  if (isNow(scene, band.side, token) || (band.side === "source" && mostRead(scene) === token)) {
    pen.fill(
      stop.keys - 1,
      v - 1,
      columnsOf(layout, run.keys(sub).length) * layout.keyWidth + 1,
      height + 2,
      pen.look[`${band.side}-tint`],
    );
  }
  if (layout.keyWidth >= CELLS) cells(scene, stop, token, there, v);
  else strip(scene, stop, token, there, v);
  if (keys > seen && filled >= seen / keys) {
    const from = keyAt(layout, stop, seen - 1) + layout.keyWidth,
      to = keyAt(layout, stop, keys - 1) + layout.keyWidth - 1;
    pen.faint(0.55, () => pen.fill(from, v, to - from, height, scene.hatch));
  }
  if (filled < 1) {
    const key = Math.min(keys - 1, Math.floor(filled * keys));
    pen.box(
      keyAt(layout, stop, key) - 1,
      keysAt(layout, band, "k") - 1,
      layout.keyWidth + 1,
      layout.keyHeight + 2,
      2,
      { stroke: pen.look.k, width: 1.5 },
    );
  }
}

function cells(
  { layout, run, pen, tiles }: Scene,
  { keys, sub }: Stop,
  token: number,
  there: number,
  v: number,
): void {
  const gap = layout.row > 5 ? 0.5 : 0;
  for (let key = 0; key < there; key++) {
    for (let row = 0; row < layout.rows; row++) {
      const weight =
        layout.rows > 1 || run.header.n_heads === 1
          ? run.weight(sub.weights, row, token, key)
          : run.mean(sub.weights, token, key);
      pen.fill(
        keys + key * layout.keyWidth,
        v + row * layout.row,
        layout.keyWidth - 1,
        layout.row - gap,
        tiles.weight(weight).fill,
      );
    }
  }
}

function strip(
  { layout, pen, tiles }: Scene,
  { keys, sub }: Stop,
  token: number,
  there: number,
  v: number,
): void {
  const { canvas, width, height, isAcross } = tiles.weights(sub.weights, layout.keyGroup, layout.isPhone);
  const columns = columnsOf(layout, there);
  const part = isAcross
    ? ([token * width, 0, width, columns] as const)
    : ([0, token * height, columns, height] as const);
  pen.image(canvas, part, keys, v, columns * layout.keyWidth, tileHeight(layout));
}

/** While values are mixed: each value framed by its weight, and the way down to the query's lane. */
export function mixing({ layout, run, pen }: Scene, band: Band, stop: Stop, token: number): void {
  const { sub } = stop,
    v = tileAt(layout, band, token),
    top = keysAt(layout, band, "v");
  const keys = run.isCausal(sub)
    ? token + 1
    : run.keySide(sub) === "target"
      ? Math.min(run.keys(sub).length, token + 1)
      : run.keys(sub).length;
  for (let key = 0; key < keys; key++) {
    const weight = run.size(sub.weights, token, key),
      u = keyAt(layout, stop, key);
    if (weight <= 0.03) continue;
    pen.faint(weight, () => {
      pen.box(u - 1, top - 1, layout.keyWidth + 1, layout.keyHeight + 2, 2, {
        stroke: pen.look.v,
        width: 1 + 2 * weight,
      });
      pen.line(
        [
          [u + layout.keyWidth / 2, top + layout.keyHeight],
          [u + layout.keyWidth / 2, v],
        ],
        pen.look.v,
        1 + 2 * weight,
      );
    });
  }
}

/** The stops at which the decoder reads the memory. */
export function crossings({ layout }: Scene): Stop[] {
  return attentions(layout.decoder).filter(({ sub }) => sub.crosses);
}

/** The cable: a wire from every source lane to its column in every cross-attention, as far as it is laid. */
export function cable(scene: Scene, laid: number): void {
  const { layout, pen } = scene;
  pen.faint(0.8 * laid, () => {
    for (const stop of crossings(scene))
      for (const token of layout.encoder.shown)
        pen.line(wireAt(layout, stop, token), pen.look["source-line"], 1, 5);
  });
}

/** The wires as thick as the weights that a step has given them, in the mean of the heads. */
export function lightWires(scene: Scene, step: number, shareOf: (stop: Stop) => number): void {
  const { layout, pen, run } = scene;
  for (const stop of crossings(scene)) {
    const share = shareOf(stop);
    if (share <= 0) continue;
    for (const token of layout.encoder.shown) {
      const weight = run.size(stop.sub.weights, step, token) * share;
      if (weight >= 0.02)
        pen.faint(0.35 + 0.65 * weight, () =>
          pen.line(wireAt(layout, stop, token), pen.look.source, 1 + 2.6 * weight, 5),
        );
    }
  }
}

/** What is pointed at: the columns of a token, its wires, and the cell with what it is made of. */
export function highlights(scene: Scene): void {
  const { layout, pen, run, pointed, chosen } = scene;
  for (const band of [layout.encoder, layout.decoder]) {
    for (const stop of attentions(band)) {
      const side = run.keySide(stop.sub),
        last = side === "source" ? Infinity : Math.max(0, scene.at.step);
      run.keys(stop.sub).forEach((_, key) => {
        if (key > last || !isLit(scene, side, key)) return;
        pen.box(
          keyAt(layout, stop, key) - 1.5,
          band.keysTop - 2,
          layout.keyWidth + 2,
          band.bottom - band.keysTop + 2,
          3,
          { stroke: pen.look[side], width: 1.6 },
        );
        if (stop.sub.crosses && layout.encoder.place.has(key))
          pen.line(wireAt(layout, stop, key), pen.look.source, 2.2, 5);
      });
    }
  }
  for (const cell of [pointed?.cell, chosen]) if (cell) frameCell(scene, cell, cell === chosen);
}

function frameCell(
  scene: Scene,
  { sub, row, column, head }: NonNullable<Scene["chosen"]>,
  isChosen: boolean,
): void {
  const { layout, pen, run } = scene,
    band = run.stackOf(sub).side === "source" ? layout.encoder : layout.decoder;
  const stop = band.stops.find(({ sublayers, isFolded }) => !isFolded && sublayers.includes(sub));
  if (!stop || !band.place.has(row)) return;
  const hasHead = head !== null && layout.rows > 1,
    height = hasHead ? layout.row : tileHeight(layout);
  const v = tileAt(layout, band, row) + (hasHead ? head * layout.row : 0),
    u = keyAt(layout, stop, column);
  pen.box(u - 1.5, v - 1.5, layout.keyWidth + 2, height + 3, 2, { stroke: pen.look.ink, width: 2 });
  if (!isChosen) return;
  pen.box(u - 1, keysAt(layout, band, "k") - 1, layout.keyWidth + 1, layout.keyHeight + 2, 2, {
    stroke: pen.look.k,
    width: 2,
  });
  pen.box(stop.q - 1, v - 1, layout.side + 2, height + 2, 2, { stroke: pen.look.q, width: 2 });
}

/** Beside the keys of each cross-attention what it has found: the token that is read most, and its weight. */
export function findings(scene: Scene, shareOf: (stop: Stop) => number): void {
  const { layout, pen, run, at } = scene;
  if (layout.isPhone) return;
  for (const stop of crossings(scene)) {
    const { place, weight } = run.strongest(stop.sub, at.step),
      y = keysAt(layout, layout.decoder, "v") + layout.keyHeight / 2 - (layout.isLarge ? 0 : 3);
    const x = stop.keys + columnsOf(layout, run.keys(stop.sub).length) * layout.keyWidth + 20,
      room = stop.to - x - 2;
    pen.faint(shareOf(stop), () => {
      pen.text(run.header.source[place], x, y + (layout.isLarge ? 8 : 2), pen.look.source, {
        size: 13.5,
        weight: 650,
        most: room,
      });
      pen.text(written(run, weight), x, y + (layout.isLarge ? 25 : 17), pen.look.ink, {
        size: 13,
        weight: 600,
        most: room,
      });
    });
  }
}

/** Where the lit path of the step's lane stands. */
export function litPath({ layout, pen }: Scene, token: number, to: number): void {
  const v = laneMiddle(layout, layout.decoder, token),
    from = layout.decoder.chip + layout.chip;
  if (to > from)
    pen.line(
      [
        [from, v],
        [Math.min(to, layout.decoder.end + 3), v],
      ],
      pen.look.target,
      2.5,
    );
}
