// What stands still during a step: names, frames, kept lanes, the loop and the legend. It is drawn once and kept as a picture.

import { WEIGHTS, shadeOf, signedScale } from "../../../browser/shared/cells";
import { fixed, formatCount, ordinal } from "../../../browser/shared/numbers";
import { chip, chipAt, hasWord, otherwiseFrame } from "./chips";
import { attentions, columnsOf, keyAt, keysAt, laneMiddle, loopAt } from "./layout";
import type { Band, Stop } from "./layout";
import { keyColumn, lane } from "./lanes";
import type { Scene } from "./scene";
import { isLit, mostRead } from "./scene";
import { ENCODER } from "./timeline";

const OVERVIEW = 4;

/** Draw all of it for the scene's step. */
export function drawStill(scene: Scene): void {
  const {
    layout: { encoder, decoder },
    at,
  } = scene;
  for (const band of [encoder, decoder]) {
    for (const stop of band.stops) stopFrame(scene, band, stop);
    layerNames(scene, band);
    laneLines(scene, band);
    overview(scene, band);
  }
  if (at.step !== ENCODER) kept(scene);
  chips(scene);
  if (!scene.layout.isPhone) around(scene);
}

/** What earlier steps and the encoder have left: their lanes, their keys and values. */
function kept(scene: Scene): void {
  const {
    layout: { encoder, decoder },
    run,
    at: { step },
    pen,
  } = scene;
  for (const token of encoder.shown) {
    const most = Math.max(...run.crossing.map((sub) => run.size(sub.weights, step, token)));
    pen.faint(isLit(scene, "source", token) ? 1 : 0.6 + 0.4 * Math.min(1, most * 1.6), () =>
      lane(scene, encoder, token, scene.encoder, Infinity),
    );
  }
  for (const band of [encoder, decoder]) {
    for (const stop of attentions(band)) {
      const keys = run.keySide(stop.sub) === "source" ? run.keys(stop.sub).length : step;
      for (const what of ["v", "k"] as const)
        for (let key = 0; key < keys; key++) keyColumn(scene, band, stop, key, what, 0.85);
    }
  }
  // Kept lanes are the cache: fainter, never hidden.
  for (const token of decoder.shown.filter((each) => each < step)) {
    pen.faint(isLit(scene, "target", token) ? 1 : 0.5, () =>
      lane(scene, decoder, token, scene.step, Infinity),
    );
  }
}

function stopFrame(scene: Scene, band: Band, stop: Stop): void {
  const { layout, pen, pointed, run } = scene,
    { look } = pen,
    isEncoder = band.side === "source",
    isOn = pointed?.block === stop.sub.id;
  if (isOn) {
    const top = layout.isPhone
      ? band.keysTop - 2
      : isEncoder
        ? band.top + layout.header - 21
        : band.keysTop - 3;
    const bottom = layout.isPhone ? band.bottom : band.bottom + (isEncoder ? 2 : 20);
    pen.box(stop.inside - 5, top, stop.stream - stop.inside - 9, bottom - top, 8, {
      fill: look.well,
      stroke: look.line2,
    });
  }
  const colour = isOn ? look.link : look.ink2,
    title = stop.isFolded ? `Layer ${stop.sub.layer}` : stop.sub.title;
  if (layout.isPhone) {
    const name = stop.isFolded ? title : `${title} · layer ${stop.sub.layer}`;
    pen.text(name, stop.inside - 12, band.lanes, colour, { size: 12, weight: 600 });
  } else {
    const y = isEncoder ? band.top + layout.header - 9 : band.bottom + 12;
    pen.text(title, stop.inside - 1, y, colour, {
      weight: 600,
      size: stop.isFolded ? 12 : 12.5,
      most: stop.to - stop.inside - 2,
    });
  }
  if (stop.isFolded) return;
  if (stop.sub.kind === "attention") crossing(scene, band, stop);
  else if (!layout.isPhone) {
    const { d_model: narrow, d_ff: wide } = run.header;
    pen.text(`${narrow} → ${wide} → ${narrow}`, stop.hidden + layout.hidden / 2, band.lanes - 8, look.mute, {
      size: 12,
      align: "center",
    });
  }
}

/** The ground of an attention: the area of the rows that are there, a hairline for every key, and the letters. */
function crossing(scene: Scene, band: Band, stop: Stop): void {
  const { layout, pen, run, at } = scene,
    { look } = pen,
    keys = run.keys(stop.sub).length,
    columns = columnsOf(layout, keys);
  const last = stop.keys + columns * layout.keyWidth;
  const rows =
    band.side === "source" ? band.shown.length : band.shown.filter((token) => token <= at.step).length;
  pen.fill(stop.keys - 2, band.lanes, columns * layout.keyWidth + 3, rows * layout.pitch, look.well);
  pen.faint(stop.sub.crosses ? 0.75 : 1, () => {
    for (let key = 0; key < keys && layout.keyWidth > 4; key++) {
      const u = keyAt(layout, stop, key) + Math.floor((layout.keyWidth - 1) / 2) + 0.5;
      pen.line(
        [
          [u, keysAt(layout, band, "k") + layout.keyHeight],
          [u, band.bottom],
        ],
        look[stop.sub.crosses ? "source-line" : "line"],
        1,
      );
    }
  });
  if (layout.isPhone) {
    pen.text("V", last + 9, band.keysTop + layout.keyHeight / 2 - 1, look.v, {
      weight: 650,
      align: "center",
    });
    pen.text("K", last + 9, band.keysTop + layout.keyHeight * 1.5 + 3, look.k, {
      weight: 650,
      align: "center",
    });
    pen.text("Q", stop.q + layout.side / 2, band.lanes - 6, look.q, { weight: 650, align: "right" });
    return;
  }
  for (const what of ["v", "k"] as const) {
    const v = keysAt(layout, band, what) + layout.keyHeight / 2;
    pen.text(what.toUpperCase(), last + 4, v, look[what], { weight: 650 });
    if (stop.sub.crosses) continue;
    const u = stop.inside - (what === "k" ? 2 : 5);
    pen.faint(0.55, () =>
      pen.line(
        [
          [u, band.lanes + 2],
          [u, v],
          [stop.keys - 3, v],
        ],
        look[what],
        1,
        4,
      ),
    );
  }
  pen.text("Q", stop.q + layout.side / 2, band.lanes - 6, look.q, { weight: 650, align: "center" });
}

/** Over each layer that is open its name, with a bracket. */
function layerNames({ layout, pen }: Scene, band: Band): void {
  if (layout.isPhone) return;
  const isEncoder = band.side === "source",
    y = isEncoder ? band.top + 9 : band.bottom + 30,
    foot = y + (isEncoder ? 4 : -4);
  const open = band.stops.filter(({ isFolded }) => !isFolded);
  for (const number of new Set(open.map(({ sub }) => sub.layer))) {
    const own = open.filter(({ sub }) => sub.layer === number),
      from = own[0].inside - 4,
      to = own.at(-1)!.stream + layout.tile;
    const name = `${isEncoder ? "Encoder" : "Decoder"} layer ${number}`,
      width = pen.measure(name, { size: 12 });
    pen.line(
      [
        [from, foot],
        [from, y],
        [from + 8, y],
      ],
      pen.look.line2,
      1,
    );
    pen.line(
      [
        [from + 16 + width, y],
        [to, y],
        [to, foot],
      ],
      pen.look.line2,
      1,
    );
    pen.text(name, from + 12, y, pen.look.mute, { size: 12 });
  }
}

function laneLines(scene: Scene, band: Band): void {
  const { layout, pen, at } = scene,
    { look } = pen,
    isSource = band.side === "source",
    end = isSource ? band.end : layout.out - 2;
  const most = mostRead(scene),
    from = band.chip + layout.chip;
  for (const token of band.shown) {
    const v = laneMiddle(layout, band, token),
      isPointed = isLit(scene, band.side, token),
      isMost = isSource && token === most;
    const isLater = !isSource && token > at.step,
      isNow = !isSource && token === at.step;
    if (isNow || isPointed || isMost) {
      pen.faint(isPointed && !isNow ? 0.75 : 1, () =>
        pen.fill(from - 4, v - layout.pitch / 2, end - from + 4, layout.pitch, look[`${band.side}-tint`]),
      );
    }
    const isStrong = isPointed || isMost,
      colour = isStrong ? look[band.side] : isLater ? look.line : look[`${band.side}-line`];
    pen.line(
      [
        [from, v],
        [end, v],
      ],
      colour,
      isPointed ? 2 : isMost ? 2.2 : 1,
      0,
      isLater ? [2, 4] : undefined,
    );
  }
}

/** Where only a window of a side's tokens has lanes: which of all they are. */
function overview({ layout, pen, run }: Scene, band: Band): void {
  const all = run.stack(band.side).tokens.length,
    height = band.shown.length * layout.pitch;
  if (band.shown.length === all) return;
  pen.fill(band.chip - OVERVIEW - 1, band.lanes, OVERVIEW, height, pen.look.line);
  for (const token of band.shown)
    pen.fill(
      band.chip - OVERVIEW - 1,
      band.lanes + (height * token) / all,
      OVERVIEW,
      height / all,
      pen.look[band.side],
    );
}

function chips(scene: Scene): void {
  const {
      layout,
      run: { header },
      at: { step },
    } = scene,
    { encoder, decoder } = layout,
    most = mostRead(scene);
  for (const token of encoder.shown) {
    const isMost = isLit(scene, "source", token) || token === most;
    if (step !== ENCODER)
      chip(
        scene,
        hasWord(scene, encoder, token, isMost) ? header.source[token] : "",
        encoder.chip,
        chipAt(scene, encoder, token)!,
        isMost ? "most" : "source",
      );
  }
  for (const token of decoder.shown) {
    const v = chipAt(scene, decoder, token)!,
      isWritten = token < step;
    const word = (text: string) => (isWritten && hasWord(scene, decoder, token, false) ? text : "");
    if (token !== step)
      chip(scene, word(header.inputs[token]), decoder.chip, v, isWritten ? "target" : "later");
    if (token !== step)
      chip(
        scene,
        word(header.outputs[token]),
        layout.out,
        v,
        isWritten ? (header.forced[token] ? "forced" : "target") : "later",
      );
    if (token !== step && isWritten && scene.run.otherwise(token)) otherwiseFrame(scene, layout.out, v);
  }
}

/** The loop from the right to the left, and words around the picture. */
function around(scene: Scene): void {
  const { layout, pen, at, run } = scene,
    { look } = pen,
    { encoder, decoder, memory } = layout;
  const below = decoder.bottom + layout.header + 10,
    middle = layout.width / 2;
  const isThere = at.step > 0 && decoder.place.has(at.step - 1) && decoder.place.has(at.step);
  if (isThere) pen.line(loopAt(layout, at.step - 1), look["target-line"], 1.2, 7);
  else
    pen.line(
      [
        [layout.width - 2, decoder.lanes + layout.pitch / 2],
        [layout.width - 2, below],
        [2, below],
        [2, decoder.lanes + layout.pitch * 1.5],
      ],
      look["target-line"],
      1.2,
      7,
      [2, 4],
    );
  const said = "the token that was written is read at the next step",
    width = pen.measure(said, { size: 12 });
  pen.fill(middle - width / 2 - 8, below - 8, width + 16, 16, look.bg);
  pen.text(said, middle, below, look.mute, { size: 12, align: "center" });
  pen.text("memory", memory.u + 48, memory.v - 10, look.source, { weight: 650 });
  pen.text("kept for every step", memory.u + 98, memory.v - 10, look.mute, { size: 12 });
  const heading = { weight: 600, align: "center" as const };
  pen.text("reads", encoder.chip + layout.chip / 2, encoder.lanes - 9, look.source, heading);
  pen.text("reads", decoder.chip + layout.chip / 2, decoder.lanes - 9, look.target, heading);
  pen.text("writes", layout.out + layout.chip / 2 + 6, decoder.lanes - 9, look.target, heading);
  const lines = ["the last vector of the lane", `meets ${formatCount(run.header.n_vocabulary)} embeddings`],
    gap = layout.isLarge ? 16 : 15;
  lines.forEach((line, i) =>
    pen.text(line, decoder.end - 6, memory.v + (layout.isLarge ? 26 : 14) + i * gap, look.mute, {
      size: 12,
      align: "right",
    }),
  );
  legend(scene, 8, memory.v + (layout.isLarge ? 16 : 11));
}

/** What the picture leaves out or draws together, where there is more than fits. */
function folded({ layout, run: { header } }: Scene): string[] {
  const { encoder, decoder, rows, keyGroup } = layout,
    lanes = encoder.shown.length + decoder.shown.length;
  const all = header.source.length + header.outputs.length;
  return [
    header.every > 1 ? `every ${ordinal(header.every)} number` : "",
    rows < header.n_heads ? `mean of ${header.n_heads} heads` : "",
    lanes < all ? `${lanes} of ${all} lanes, around the step` : "",
    keyGroup > 1 ? `${keyGroup} keys a column, their mean` : "",
  ].filter(Boolean);
}

function legend(scene: Scene, x: number, y: number): void {
  const { pen, run, hatch } = scene,
    { look } = pen,
    steps = 60,
    { limit } = run.header;
  const wide = run.compared === "difference" ? 8 : 0; // both ends of both scales have a decimal
  const bar = (at: number, name: string, ends: [string, string], colour: (share: number) => string) => {
    pen.text(name, x, at, look.mute, { size: 12 });
    pen.text(ends[0], x + 64 + wide, at, look.mute, { size: 12, align: "right" });
    for (let i = 0; i < steps; i++)
      pen.fill(x + 68 + wide + i * 1.2, at - 4, 1.7, 8, colour(i / (steps - 1)));
    pen.text(ends[1], x + 145 + wide, at, look.mute, { size: 12 });
  };
  const whole = signedScale(1),
    signed = (share: number) => shadeOf(look, whole, share * 2 - 1).fill;
  const ends = (size: number): [string, string] => [
    fixed(-size, size < 1 ? 1 : 0),
    fixed(size, size < 1 ? 1 : 0),
  ];
  bar(y, "values", ends(limit), signed);
  if (run.compared === "difference") bar(y + 16, "weights", ends(run.header.weight_limit), signed);
  else bar(y + 16, "weights", ["0", "1"], (share) => shadeOf(look, WEIGHTS, share).fill);
  pen.fill(x + 176 + 2 * wide, y + 12, 14, 9, hatch);
  pen.text("masked", x + 195 + 2 * wide, y + 16, look.mute, { size: 12 });
  pen.text(folded(scene).join(" · "), x + 156 + 2 * wide, y, look.mute, {
    size: 12,
    most: scene.layout.memory.u - x - 160 - 2 * wide,
  });
}
