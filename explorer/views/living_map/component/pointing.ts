// What lies under a point of the picture.

import { tileAt } from "./layout";
import type { Band, Stop } from "./layout";
import type { Pointed, Scene } from "./scene";
import { ENCODER } from "./timeline";

/** The cell, key, block or lane at a place of the canvas; null for none. */
export function pointedAt(scene: Scene, x: number, y: number): Pointed | null {
  const { layout } = scene,
    [u, v] = scene.pen.place(x, y); // its own inverse
  for (const band of [layout.encoder, layout.decoder]) {
    const found = inBand(scene, band, u, v);
    if (found) return found;
  }
  const { corner } = layout;
  return !layout.isPhone && x >= corner.x && y < corner.height ? { block: "generator" } : null;
}

function inBand(scene: Scene, band: Band, u: number, v: number): Pointed | null {
  const { layout, at } = scene,
    last = band.side === "target" ? layout.out + layout.chip : band.end;
  const inLanes = v >= band.lanes && v < band.bottom,
    inKeys = v >= band.keysTop && v < band.lanes;
  const named =
    !layout.isPhone &&
    (band.side === "source" ? v >= band.top && v < band.keysTop : v >= band.bottom && v < band.bottom + 20);
  if (u < band.chip || u > last || !(inLanes || inKeys || named)) return null;
  const token = inLanes ? band.shown[Math.floor((v - band.lanes) / layout.pitch)] : undefined;
  const isThere = token !== undefined && (band.side === "source" || token <= Math.max(0, at.step));
  const lane: Pointed = isThere ? { side: band.side, token } : {};
  const stop = band.stops.find((each) => u >= each.inside - 5 && u < each.to);
  const norm = band.stops.find(
    (each) => each.sub.norm && !each.isFolded && u >= each.from && u < each.inside - 5,
  );
  if (norm && !stop) return { ...lane, block: norm.sub.norm };
  if (!stop) return withEnd(scene, band, u, lane);
  if (stop.sub.kind === "attention" && !stop.isFolded) {
    const key = keyUnder(scene, stop, u);
    if (key !== null && isThere && inLanes)
      return cellAt(scene, band, stop, token, key, v) ?? { ...lane, block: stop.sub.id };
    if (key !== null && inKeys && (scene.run.keySide(stop.sub) === "source" || key <= at.step))
      return { side: scene.run.keySide(stop.sub), token: key, block: stop.sub.id };
  }
  if (stop.isFolded) return { ...lane, block: foldedBlock(band, stop, v) };
  return { ...lane, block: u >= stop.plus - 8 && inLanes ? stop.sub.joins : stop.sub.id };
}

/** At both ends of a lane stand the embedding and the output. */
function withEnd({ layout, run }: Scene, band: Band, u: number, lane: Pointed): Pointed | null {
  if (lane.token === undefined) return null;
  if (band.side === "target" && u >= layout.out - 4) return { ...lane, block: "generator" };
  return u < band.begin + layout.tile + 6 ? { ...lane, block: run.stack(band.side).embedding.id } : lane;
}

function keyUnder({ layout, run }: Scene, stop: Stop, u: number): number | null {
  const keys = run.keys(stop.sub).length,
    key = Math.floor((u - stop.keys) / layout.keyWidth) * layout.keyGroup;
  return u >= stop.keys && key < keys ? key : null;
}

function cellAt(
  scene: Scene,
  band: Band,
  stop: Stop,
  row: number,
  column: number,
  v: number,
): Pointed | null {
  const { layout, run, at } = scene;
  if (run.isCausal(stop.sub) && column > row) return null;
  if (run.keySide(stop.sub) === "target" && column > Math.max(0, at.step)) return null;
  if (band.side === "source" && at.step === ENCODER && at.ms < scene.encoder.length) return null;
  const inside = Math.floor((v - tileAt(layout, band, row)) / layout.row);
  const head = layout.rows > 1 ? Math.max(0, Math.min(layout.rows - 1, inside)) : null;
  return { block: stop.sub.id, cell: { sub: stop.sub, row, column, head } };
}

/** The room of a block in all its lanes. */
export function blockBox(scene: Scene, id: string): [u: number, v: number, du: number, dv: number] | null {
  const { layout, run } = scene;
  for (const band of [layout.encoder, layout.decoder]) {
    const stop = band.stops.find(({ sub }) => sub.id === id),
      joined = band.stops.find(({ sub }) => sub.joins === id),
      height = band.bottom - band.keysTop;
    if (stop) return [stop.inside - 4, band.keysTop, stop.plus - 8 - stop.inside, height];
    if (joined) return [joined.plus - 8, band.lanes, joined.to - joined.plus + 8, band.bottom - band.lanes];
    if (run.stack(band.side).embedding.id === id)
      return [band.chip, band.lanes, band.begin + layout.tile - band.chip, band.bottom - band.lanes];
  }
  const place = blockPlace(scene, id);
  return place && [place[0] - 30, place[1] - 20, 60, 40];
}

/** Ids of the modules that stand in a stop, in the order of the computation. */
function blocksOf({ sublayers }: Stop): string[] {
  return sublayers.flatMap(({ norm, id, joins }) => (norm ? [norm, id, joins] : [id, joins]));
}

/** The modules of a folded layer share its column, one over the other. */
function foldedBlock(band: Band, stop: Stop, v: number): string {
  const ids = blocksOf(stop),
    share = (v - band.keysTop) / (band.bottom - band.keysTop);
  return ids[Math.max(0, Math.min(ids.length - 1, Math.floor(share * ids.length)))];
}
function foldedPlace(band: Band, stop: Stop, index: number): number {
  return band.keysTop + (index / blocksOf(stop).length) * (band.bottom - band.keysTop);
}

/** Where the middle of a block stands, for what is laid over it. */
export function blockPlace({ layout, run }: Scene, id: string): [u: number, v: number] | null {
  if (id === "generator") return [layout.out + layout.chip / 2, layout.decoder.lanes - 24];
  for (const band of [layout.encoder, layout.decoder]) {
    const v = layout.isPhone ? band.lanes + 30 : band.side === "source" ? band.keysTop - 9 : band.bottom + 12;
    if (id === `${band.side === "source" ? "encoder" : "decoder"}.final_norm`)
      return [band.end - 4, band.lanes - 10];
    if (run.stack(band.side).embedding.id === id)
      return [band.chip + layout.chip, layout.isPhone ? band.lanes + 20 : band.lanes - 10];
    for (const stop of band.stops) {
      const among = blocksOf(stop).indexOf(id);
      if (stop.isFolded && among >= 0)
        return [stop.stream + layout.tile / 2, foldedPlace(band, stop, among + 0.5)];
      if (stop.isFolded) continue;
      if (stop.sub.norm === id) return [stop.from + 2, v];
      if (stop.sub.id === id) return [stop.inside + 20, v];
      if (stop.sub.joins === id) return [stop.plus, layout.isPhone ? v : band.bottom - 12];
    }
  }
  return null;
}
