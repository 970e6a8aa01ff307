// Which number stands in a cell, and which place of the whole tensor that is, whatever is windowed, merged or turned.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeRamp } from "../../explorer/browser/shared/look";
import { readPayload } from "../../explorer/browser/shared/message";
import { makePlane, makeTensor, range } from "../../explorer/browser/shared/planes";
import type { TensorsHeader } from "../../explorer/browser/shared/tensors";
import cases from "./planes.json";
import ramps from "./ramps.json";

cases.forEach(({ whole, message }, i) => {
  test(`each cell of plane ${i} is the number at its index, and is found by it`, () => {
    const { header, arrays } = readPayload<TensorsHeader>(Uint8Array.from(Buffer.from(message, "base64")));
    const tensor = makeTensor("t", header.tensors.t, arrays),
      plane = makePlane(tensor, header.stages[0].panels[0], () => 0);
    const cells = range(plane.rows.count).flatMap((row) =>
      range(plane.columns.count).map((column) => ({ row, column })),
    );
    assert.deepEqual(
      cells.map(({ row, column }) => plane.value(row, column)),
      [...tensor.values],
    );
    for (const cell of cells) {
      const index = plane.index(cell.row, cell.column),
        place = index.reduce((at, number, k) => at * whole[k] + number, 0);
      assert.equal(place, plane.value(cell.row, cell.column));
      assert.deepEqual(plane.find({ site: "site", index }), cell);
    }
  });
});

for (const [name, { stops, colours }] of Object.entries(ramps)) {
  test(`the colours of the ramp ${name} are those of Python`, () => {
    const { pixels } = makeRamp(stops);
    colours.forEach((colour, i) =>
      [0, 1, 2].forEach((channel) => {
        const drawn = (pixels[i] >> (8 * channel)) & 255;
        assert.ok(Math.abs(drawn - parseInt(colour.slice(1 + 2 * channel, 3 + 2 * channel), 16)) <= 1);
      }),
    );
  });
}

test("rows and columns with the same token are told apart in sentences and in tables", () => {
  const labels = Array.from("aba"),
    axis = (name: string, writes: string[] = []) => ({
      name,
      size: 3,
      labels,
      side: "source" as const,
      places: null,
      window: "",
      writes,
    });
  const entry = {
    site: "site",
    sites: [],
    axes: [axis("query", Array.from("bba")), axis("key")],
    index: [["query"], ["key"]],
    lead: [],
    dtype: "float32",
    askable: true,
    scale: "weight" as const,
    letter: "" as const,
  };
  const values = Object.assign(new Float32Array(9), { shape: [3, 3] });
  const { rows, columns } = makePlane(
    makeTensor("t", entry, { "tensors.t.values": values }),
    { rows: ["query"], columns: ["key"] },
    () => 0,
  );
  assert.deepEqual(
    range(3).map((i) => columns.words(i)),
    ["a at position 0", "b", "a at position 2"],
  );
  assert.deepEqual(
    range(3).map((i) => columns.heading(i)),
    ["0 a", "b", "2 a"],
  );
  assert.equal(rows.words(0), "reads a → writes b at position 0");
  assert.equal(columns.label(0), "a", "beside its cells a label is the token alone");
});
