// The tensor view's scales, sizes, frames and words.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Numbers } from "../../explorer/browser/shared/message";
import { makePlane, makeTensor } from "../../explorer/browser/shared/planes";
import type { AxisEntry, Plane, TensorEntry } from "../../explorer/browser/shared/planes";
import { textOf } from "../../explorer/browser/shared/tensors";
import type { PanelEntry, StageEntry } from "../../explorer/browser/shared/tensors";
import { labelStep, niceStep } from "../../explorer/browser/tensor_view/labels";
import { marksOf, stepRow } from "../../explorer/browser/tensor_view/marks";
import { optionWords } from "../../explorer/browser/tensor_view/model";
import { fileName } from "../../explorer/browser/tensor_view/png";
import { groupsOf, oddities } from "../../explorer/browser/tensor_view/scales";
import { beyondEdge, cornerOf, ownSize, rowSizes } from "../../explorer/browser/tensor_view/sizes";
import type { Sized } from "../../explorer/browser/tensor_view/sizes";
import { read, summary } from "../../explorer/browser/tensor_view/words";

function axis(name: string, size: number, rest: Partial<AxisEntry> = {}): AxisEntry {
  return { name, size, labels: [], side: "", places: null, window: "", writes: [], ...rest };
}
function matrix(
  values: number[],
  axes: [AxisEntry, AxisEntry],
  rest: Partial<TensorEntry> = {},
  hidden: number[] = [],
): Plane {
  const entry: TensorEntry = {
    site: "decoder.scores",
    sites: [],
    axes,
    index: axes.map(({ name }) => [name]),
    lead: [0],
    dtype: "float32",
    askable: true,
    scale: "signed",
    letter: "",
    ...rest,
  };
  const numbers = (list: number[]) =>
    Object.assign(Float32Array.from(list), { shape: axes.map(({ size }) => size) }) as Numbers;
  const tensor = makeTensor("t", entry, {
    "tensors.t.values": numbers(values),
    ...(hidden.length ? { "tensors.t.hidden": numbers(hidden) } : {}),
  });
  return makePlane(tensor, { rows: [axes[0].name], columns: [axes[1].name] }, () => 0);
}
function square(values: number[], rest: Partial<TensorEntry> = {}, hidden: number[] = []): Plane {
  const size = Math.sqrt(values.length);
  return matrix(values, [axis("row", size), axis("column", size)], rest, hidden);
}
function grid(rows: number, columns: number, fill = 0): Plane {
  return matrix(new Array<number>(rows * columns).fill(fill), [axis("row", rows), axis("column", columns)]);
}
function panel(title: string, group = ""): PanelEntry {
  return { tensor: "t", title, rows: ["row"], columns: ["column"], group };
}
function stage(kind: StageEntry["kind"], ...panels: PanelEntry[]): StageEntry {
  return { key: "s", title: "S", kind, panels, formula: "", note: "", arrows: [], scaling: null };
}
function sized(plane: Plane, right = 0, ends = 0): Sized {
  const longest = Math.max(plane.rows.count, plane.columns.count);
  return {
    plane,
    longest,
    labelRoom: () => ({ left: 20, top: 30, right, column: 10, isTurned: right > 0 }),
    endsRoom: () => ends,
  };
}

test("signed panels of one group share their scale, others have their own, and weights have none to choose", () => {
  const planes = [
    square([1, -2, 0, 0]),
    square([5, 0, 0, 0]),
    square([9, 0, 0, 0]),
    square([0.5, 0, 0, 0], { scale: "weight" }),
  ];
  const groups = groupsOf([panel("A", "ab"), panel("B", "ab"), panel("A − B"), panel("P")], planes, false);
  assert.deepEqual(
    groups.map(({ members, scale, end }) => [members, scale.kind, scale.limit, end]),
    [
      [[0, 1], "signed", 5, "5.00"],
      [[2], "signed", 9, "9.00"],
      [[3], "weight", undefined, "1"],
    ],
  );
});

test("a robust scale is offered where it differs, and ends where 99 of 100 numbers are; what lies beyond is counted", () => {
  const values = [90, ...new Array<number>(399).fill(0.5)],
    planes = [square(values)];
  const [[full], [robust]] = [false, true].map((isRobust) => groupsOf([panel("X")], planes, isRobust));
  assert.deepEqual([full.differs, full.end, oddities(full, planes)], [true, "90.0", ""]);
  assert.deepEqual([robust.end, oddities(robust, planes)], ["0.50", "1 value beyond ±0.50"]);
  const even = groupsOf([panel("X")], [square(new Array<number>(400).fill(1))], true);
  assert.deepEqual([even[0].differs, even[0].scale.limit], [false, 1]);
});

test("what is no number and what is masked is counted by itself", () => {
  const planes = [square([NaN, Infinity, 7, 1], {}, [0, 0, 1, 0])],
    [group] = groupsOf([panel("X")], planes, false);
  assert.equal(group.scale.limit, 1);
  assert.equal(oddities(group, planes), "1 value beyond ±1.00, 1 not a number (×), 1 masked (hatched)");
});

test("ids are whole numbers, at the end of their colours too", () => {
  const [{ end, scale }] = groupsOf(
    [panel("ids")],
    [square([3, 343, 0, 2], { scale: "size", dtype: "int64" })],
    false,
  );
  assert.deepEqual([end, scale.write(343)], ["343", "343"]);
});

test("a number of a product frames its row and its column, one of a factor what it goes into", () => {
  const planes = [grid(2, 4), grid(4, 3), grid(2, 3)],
    at = (place: number) => marksOf("product", planes, { panel: place, row: 1, column: 2 });
  const [a, b, c] = [0, 1, 2].map((place) => ({ hover: { panel: place, row: 1, column: 2 } }));
  assert.deepEqual(at(2), [{ row: 1 }, { column: 2 }, c]);
  assert.deepEqual(at(0), [a, {}, { row: 1 }]);
  assert.deepEqual(at(1), [{}, b, { column: 2 }]);
});

test("beside other matrices the same cell is framed, or its row where the columns are others", () => {
  const spot = { panel: 0, row: 1, column: 0 };
  assert.deepEqual(marksOf("sum", [grid(2, 3), grid(2, 3), grid(2, 1), grid(5, 3)], spot).slice(1), [
    { hover: { row: 1, column: 0 } },
    { row: 1 },
    {},
  ]);
  assert.deepEqual(marksOf("one", [grid(2, 3), grid(2, 3)], spot)[1], {});
});

test("the current step is a row only among rows of its side, and inside the window", () => {
  const plane = matrix([0, 0], [axis("query", 9, { side: "target", places: [4, 7] }), axis("key", 1)]);
  assert.deepEqual(
    [4, 7, 5, null].map((row) => stepRow(plane, row, "target")),
    [0, 1, undefined, undefined],
  );
  assert.equal(stepRow(plane, 4, "source"), undefined);
});

test("a product stands around its corner where it has room, each factor as long as the other's side", () => {
  const product = [grid(4, 6), grid(6, 5), grid(4, 5)].map((plane) => sized(plane));
  const corner = cornerOf(product, 900, 600)!;
  assert.equal(corner.side, 20 + 4 + 6 * corner.cell);
  assert.ok(corner.side + corner.other <= 900 && (6 + 4) * corner.cell <= 600);
  assert.ok(cornerOf(product, corner.side + corner.other - 1, 600)!.cell < corner.cell);
  assert.equal(cornerOf(product, 200, 600), null);
  assert.equal(
    cornerOf(
      [grid(4, 6), grid(5, 5), grid(4, 5)].map((plane) => sized(plane)),
      900,
      600,
    ),
    null,
    "inner sides differ",
  );
});

test("panels in a row are as large as they can be together, and rows write only where there is room behind the last", () => {
  const panels = [sized(grid(8, 8), 0, 60), sized(grid(8, 8), 0, 60)];
  const [wide, narrow] = [1000, 500].map((room) => rowSizes("map", panels, room)!);
  assert.deepEqual(
    wide.map(({ width, ends }) => [width, ends]),
    [
      [48, 0],
      [48, 60],
    ],
  );
  assert.ok(narrow[0].width < 48 && narrow[1].ends === 0, "no cell is smaller for what the rows write");
  assert.equal(rowSizes("map", panels, 300), null);
  assert.equal(rowSizes("one", [sized(grid(2, 100))], 5000), null, "a long one stands by itself");
  assert.equal(beyondEdge(sized(grid(2, 2), 25, 60), 30), 35);
});

test("a few rows of many columns are as high as their labels; on a phone numbers stay readable", () => {
  assert.deepEqual(ownSize(sized(grid(1, 400)), 900, false, 600), { width: 2, height: 16 });
  assert.equal(ownSize(sized(grid(6, 6)), 120, true, 600).width, 34);
  assert.equal(ownSize(sized(grid(6, 6)), 120, false, 600).width, 20);
});

test("labels stand as far apart as there is room, at round steps", () => {
  assert.deepEqual([1, 3, 6, 11, 41].map(niceStep), [1, 4, 10, 20, 50]);
  assert.equal(labelStep(34, 8, false, 15, "down"), 1);
  assert.equal(labelStep(4, 64, false, 15, "down"), 4);
  assert.equal(labelStep(10, 64, true, 15, "down"), 4, "numbers of many rows");
  assert.equal(labelStep(16, 100, false, 15, "turned"), 1, "rows as high as their labels have all of them");
});

test("a picture's name is a plain name", () => {
  assert.match(
    fileName(["../a b", "<script>", "head 2", "", "x".repeat(200)], "png"),
    /^a-b_script_head-2_x+\.png$/,
  );
  assert.equal(fileName(["x".repeat(200)], "png").length, 124);
  assert.equal(fileName(["<>"], "png"), "tensor.png");
});

test("a cell of a product is said by its row and its column, and by the whole sum where a window is shown", () => {
  const tokens = axis("query", 2, { labels: ["le", "chat"], side: "target", writes: ["chat", "</s>"] });
  const planes = [
    matrix([0, 0, 0, 0], [tokens, axis("token", 9, { places: [0, 8] })]),
    matrix([0, 0], [axis("token", 9, { places: [0, 8] }), axis("d", 1)]),
    matrix([1.5, -2], [tokens, axis("d", 1)]),
  ];
  const product = stage("product", panel("Q queries"), panel("Kᵀ keys"), panel("S"));
  const reading = read(product, planes, { panel: 2, row: 1, column: 0 });
  assert.equal(
    textOf(reading),
    "Row reads chat → writes </s> of Q queries times column d 0 of Kᵀ keys, summed over all 9, gives −2.000",
  );
  assert.deepEqual([reading.place, reading.tones], ["scores[0, 1, 0]", ["target", ""]]);
  assert.equal(textOf(read(product, planes, { panel: 1, row: 1, column: 0 })), "token 8 · d 0: 0.000");
});

test("a masked cell reads masked, and a matrix is told as a whole", () => {
  const plane = square([1, 2, -3, 4], {}, [0, 0, 0, 1]);
  assert.equal(
    textOf(read(stage("one", panel("X")), [plane], { panel: 0, row: 1, column: 1 })),
    "row 1 · column 1: masked",
  );
  assert.equal(
    summary("X", plane),
    "X: 2 rows by 2 columns, float32, from −3.000 to 2.000. Largest in size at row 1 · column 0: −3.000. " +
      "Arrow keys move a cell cursor, Enter explains, Escape leaves.",
  );
});

test("a place is called by its axis, unless its own words begin with that", () => {
  const chooser = {
    axis: "head",
    label: "Head",
    options: ["0", "Head of all", " le"],
    value: 0,
    local: true,
  };
  assert.deepEqual(
    [0, 1, 2].map((place) => optionWords(chooser, place)),
    ["head 0", "Head of all", "head ␣le"],
  );
  assert.equal(optionWords({ ...chooser, label: "B head" }, 0), "B head 0");
});
