// Where things stand, in any room and for any run: nothing overlaps, nothing leaves the room, and every way leads where it should.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  columnsOf,
  keyAt,
  laneAt,
  laneMiddle,
  layOut,
  loopAt,
  restsOf,
  tileAt,
  tileHeight,
  wireAt,
} from "../../explorer/views/living_map/component/layout";
import type { Band, Layout } from "../../explorer/views/living_map/component/layout";
import { runOf } from "./living_run";
import type { Sizes } from "./living_run";

// From a phone to a large screen; the heights are those of the picture, without what stands above and below it.
const SCREENS = [
  [1008, 480],
  [1030, 560],
  [1192, 640],
  [1192, 748],
  [1408, 800],
  [1700, 980],
  [2560, 1400],
];
const PHONE = 641;
const LENGTHS = [
  [1, 1],
  [2, 9],
  [7, 7],
  [12, 3],
  [13, 24],
  [24, 24],
  [50, 8],
  [3, 50],
  [50, 50],
];
const MODELS = [
  [1, 1, 1],
  [2, 2, 4],
  [2, 3, 8],
  [4, 1, 2],
  [6, 6, 8],
  [2, 2, 16],
];

interface Case {
  name: string;
  sizes: Sizes;
  layout: Layout;
}

function* cases(screens: number[][] = SCREENS): Generator<Case> {
  for (const [width, height] of screens) {
    for (const [source, target] of LENGTHS) {
      for (const [encoderLayers, decoderLayers, heads] of MODELS) {
        const sizes = { source, target, encoderLayers, decoderLayers, heads },
          isPhone = width < PHONE;
        for (const step of new Set([0, target - 1])) {
          const wish = {
            width,
            height: isPhone ? 0 : height,
            isPhone,
            openTo: Infinity,
            step,
            pinned: [source - 1, 0].slice(0, source),
          };
          yield {
            name: `${width}×${height}, ${JSON.stringify(sizes)}, step ${step}`,
            sizes,
            layout: layOut(runOf(sizes), wish),
          };
        }
      }
    }
  }
}

const PHONES = [
  [366, 0],
  [390, 0],
  [600, 0],
];
const bands = ({ encoder, decoder }: Layout): Band[] => [encoder, decoder];
const openStops = (band: Band) => band.stops.filter(({ isFolded }) => !isFolded);

/** Everything that is wrong, as one message with the first few cases. */
function check(screens: number[][], wrong: (one: Case) => string | false | undefined): void {
  const found: string[] = [];
  for (const one of cases(screens)) {
    const said = wrong(one);
    if (said) found.push(`${said} at ${one.name}`);
  }
  assert.equal(
    found.length,
    0,
    `${found.length} cases, such as\n${found.filter((_, i) => i % Math.ceil(found.length / 8) === 0).join("\n")}`,
  );
}

test("all lanes end within the room, those of the decoder below those of the encoder", () => {
  check(SCREENS, ({ layout }) => {
    if (layout.encoder.bottom > layout.decoder.top) return "the encoder's lanes reach into the decoder's";
    return (
      layout.decoder.bottom + layout.header + 10 > layout.height &&
      `lanes and loop end at ${layout.decoder.bottom + layout.header + 10} of ${layout.height}`
    );
  });
  check(
    PHONES,
    ({ layout }) =>
      bands(layout).some(({ bottom }) => bottom > layout.width) &&
      `lanes end at ${bands(layout)
        .map(({ bottom }) => bottom)
        .join(" ")}`,
  );
});

test("every token has a lane, or as many as fit have one: among them the step's, in their order and each with a place of its own", () => {
  check([...SCREENS, ...PHONES], ({ sizes, layout, name }) => {
    const step = Number(name.split("step ")[1]);
    for (const [band, length] of [
      [layout.encoder, sizes.source],
      [layout.decoder, sizes.target],
    ] as const) {
      if (
        new Set(band.shown).size !== band.shown.length ||
        band.shown.some((token, i) => token < 0 || token >= length || (i && token < band.shown[i - 1]))
      )
        return `lanes of ${band.shown.join(" ")}`;
      if (band.shown.some((token, i) => laneAt(layout, band, token) !== band.lanes + i * layout.pitch))
        return "a lane without its place";
      if (!band.shown.length) return "no lane at all";
    }
    if (!layout.decoder.shown.includes(step))
      return `no lane for the step among ${layout.decoder.shown.join(" ")}`;
    return undefined;
  });
});

test("with up to 7 and 7 tokens on a laptop all have a lane of 20 pixels and rows for every head", () => {
  for (const [width, height] of [
    [1032, 568],
    [1192, 748],
  ]) {
    const layout = layOut(runOf({ source: 7, target: 7, encoderLayers: 2, decoderLayers: 2, heads: 4 }), {
      width,
      height,
      isPhone: false,
      openTo: Infinity,
      step: 4,
      pinned: [0],
    });
    assert.deepEqual([layout.encoder.shown.length, layout.decoder.shown.length], [7, 7]);
    assert.ok(layout.pitch >= 20, `${layout.pitch}`);
    assert.equal(layout.rows, 4);
    assert.equal(layout.keyGroup, 1);
    assert.ok(openStops(layout.decoder).length === 6 && layout.keyWidth >= 7);
  }
});

test("a tile lies within its lane", () => {
  check(
    [...SCREENS, ...PHONES],
    ({ layout }) =>
      bands(layout).some((band) =>
        band.shown.some((token) => {
          const top = tileAt(layout, band, token),
            lane = laneAt(layout, band, token)!;
          return top < lane || top + tileHeight(layout) > lane + layout.pitch || tileHeight(layout) < 1;
        }),
      ) && `tiles of ${tileHeight(layout)} in lanes of ${layout.pitch}`,
  );
});

test("parts of a sub-layer, and sub-layers, follow one another", () => {
  check([...SCREENS, ...PHONES], ({ sizes, layout }) =>
    bands(layout)
      .map((band) => {
        let end = band.begin + layout.tile;
        for (const stop of band.stops) {
          const keys = Math.max(sizes.source, sizes.target),
            columns = columnsOf(layout, keys) * layout.keyWidth;
          if (stop.from < end - 1) return `a sub-layer begins at ${stop.from}, the one before ends at ${end}`;
          if (!stop.isFolded) {
            const order =
              stop.sub.kind === "attention"
                ? [
                    stop.from,
                    stop.q,
                    stop.q + layout.side,
                    stop.keys,
                    stop.keys + columns,
                    stop.context,
                    stop.context + layout.side,
                    stop.output,
                    stop.plus,
                    stop.stream,
                  ]
                : [stop.from, stop.hidden, stop.hidden + layout.hidden, stop.output, stop.plus, stop.stream];
            const at = order.findIndex((place, i) => i && place < order[i - 1] - 1);
            if (at >= 0) return `parts ${order.join(" ")}`;
          }
          if (stop.stream < stop.from || stop.stream + layout.tile > stop.to)
            return `the stream at ${stop.stream} of ${stop.from} to ${stop.to}`;
          end = stop.to;
        }
        return band.end < end && `the band ends at ${band.end}, its last stop at ${end}`;
      })
      .find(Boolean),
  );
});

test("the decoder and what it writes end within the width", () => {
  check(
    SCREENS,
    ({ layout }) =>
      layout.out + layout.chip > layout.width &&
      `what is written ends at ${layout.out + layout.chip} of ${layout.width}`,
  );
  check(
    PHONES,
    ({ layout }) =>
      layout.out + layout.chip > layout.height &&
      `what is written ends at ${layout.out + layout.chip} of ${layout.height}`,
  );
});

test("there is a corner for candidates beside the encoder, which nothing reaches into", () => {
  check(SCREENS, ({ layout: { corner, encoder, width, height } }) => {
    if (
      corner.x < encoder.end ||
      corner.x + corner.width > width ||
      corner.y + corner.height > Math.min(height, encoder.bottom)
    )
      return `a corner of ${JSON.stringify(corner)}`;
    return corner.width < 260 && `a corner ${corner.width} wide`;
  });
});

test("keys stand between the queries and the context, each in its column", () => {
  check([...SCREENS, ...PHONES], ({ layout }) =>
    bands(layout)
      .flatMap((band) =>
        openStops(band).map((stop) => {
          if (stop.sub.kind !== "attention") return undefined;
          const keys = (stop.sub.crosses ? layout.encoder : band).stack.tokens.length;
          for (let key = 0; key < keys; key++) {
            const at = keyAt(layout, stop, key);
            if (at < stop.keys || at + layout.keyWidth > stop.context + 1)
              return `key ${key} at ${at} of ${stop.keys} to ${stop.context}`;
            if (key && at < keyAt(layout, stop, key - 1)) return `key ${key} before its neighbour`;
          }
          return undefined;
        }),
      )
      .find(Boolean),
  );
});

test("a wire of the memory leads from the end of its lane to its column in every cross-attention, inside of the room", () => {
  check([...SCREENS, ...PHONES], ({ layout }) =>
    openStops(layout.decoder)
      .filter(({ sub }) => sub.crosses)
      .flatMap((stop) =>
        layout.encoder.shown.map((token) => {
          const wire = wireAt(layout, stop, token),
            [u, v] = wire[0],
            [end] = wire.at(-1)!,
            key = keyAt(layout, stop, token);
          if (u !== layout.encoder.end || v !== laneMiddle(layout, layout.encoder, token))
            return `wire ${token} begins at ${u}, ${v}`;
          if (end < key || end > key + layout.keyWidth)
            return `wire ${token} ends at ${end}, its column begins at ${key}`;
          const [across, along] = layout.isPhone
            ? [layout.width, layout.height]
            : [layout.height, layout.width];
          const outside = wire.find(([a, b]) => a < 0 || a > along || b < 0 || b > across);
          if (outside)
            return `wire ${token} of ${layout.encoder.stack.tokens.length} goes through ${outside.join(" ")} in a room of ${along} and ${across}`;
          return (
            wire.some(([a, b], i) => i && a !== wire[i - 1][0] && b !== wire[i - 1][1]) &&
            `wire ${token} is not made of straight pieces`
          );
        }),
      )
      .find(Boolean),
  );
});

test("what was written goes round the outside to the next lane", () => {
  check(SCREENS, ({ layout }) =>
    layout.decoder.shown
      .slice(1)
      .map((token) => {
        if (laneAt(layout, layout.decoder, token - 1) === null) return undefined;
        const way = loopAt(layout, token - 1);
        if (
          way[0][1] !== laneMiddle(layout, layout.decoder, token - 1) ||
          way.at(-1)![1] !== laneMiddle(layout, layout.decoder, token)
        )
          return `a loop of ${way.join(" ")}`;
        return (
          way.some(([u, v]) => u < 0 || u > layout.width || v > layout.height) &&
          `a loop through ${way.join(" ")} in ${layout.width}×${layout.height}`
        );
      })
      .find(Boolean),
  );
});

test("the lit path rests at every stop, in order", () => {
  check([...SCREENS, ...PHONES], ({ layout }) => {
    const rests = restsOf(layout);
    return rests.some((place, i) => i && place < rests[i - 1]) && `rests at ${rests.join(" ")}`;
  });
});
