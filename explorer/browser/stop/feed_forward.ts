// A feed-forward network in one picture: a row of the step widens, its units fire or are cut off, and it narrows again.

import { signedScale } from "../shared/cells";
import { formatCount, formatSigned } from "../shared/numbers";
import type { Point } from "../shared/pen";
import { extremes, range, wholePlace } from "../shared/planes";
import type { Plane } from "../shared/planes";
import type { Board, Note, Part, Picture, Ray, Room, Saying, Spot, Version } from "./board";
import { SPREAD, middleOf, partOf, versionAt } from "./board";
import type { Model } from "./model";

const NARROW = SPREAD("position", "d_model"),
  WIDE = SPREAD("position", "d_ff"),
  WIDEN = SPREAD("d_model", "d_ff"),
  NARROWS = SPREAD("d_ff", "d_model");
const HEAD = 20,
  NAMES = 42,
  NAMED = 6,
  CLOSE: Point = [26, 14];
/** How the height that words leave is shared by what stands under one another. */
const SHARES = { in: 0.19, widen: 0.1, units: 0.44, narrow: 0.1, out: 0.17 };

/** The sizes that all of it is laid out by: where each band begins, and how high it is. */
interface Sizes {
  width: number;
  narrow: { x: number; width: number };
  label: number;
  in: Point;
  units: Point;
  out: Point;
}

function sizes(model: Model, room: Room): Sizes {
  const n = model.reads.length,
    width = room.width,
    label = Math.min(96, Math.ceil(Math.max(...model.reads.map((text) => room.measure(text, 650)))) + 10);
  const rows = room.isPhone ? n * 12 + 2 * HEAD : 0,
    free = room.isPhone ? 430 : room.height - 2 * HEAD - NAMES,
    share = (name: keyof typeof SHARES) => Math.round(free * SHARES[name]);
  const narrow = room.isPhone
    ? { x: 0, width }
    : { x: Math.round(width * 0.29), width: Math.round(width * 0.42) };
  const input: Point = [rows + HEAD, share("in")],
    units: Point = [input[0] + input[1] + share("widen") + NAMES, share("units")];
  return {
    width,
    narrow,
    label,
    in: input,
    units,
    out: [units[0] + units[1] + share("narrow"), share("out")],
  };
}

function lay(model: Model, room: Room): Board {
  const size = sizes(model, room),
    row = model.chosen.row,
    parts: Part[] = [...bars(model, size, row), ...allRows(model, size, room)];
  const {
      narrow: { x, width },
      width: whole,
    } = size,
    [top, bottom] = [size.in[0] + size.in[1] + 3, size.out[0] - 3],
    fan = [size.units[0] - NAMES + 8, size.units[0] + size.units[1]] as const;
  const areas = [
    {
      colour: "well" as const,
      points: [
        [x, top],
        [x + width, top],
        [whole, fan[0]],
        [0, fan[0]],
      ] as Point[],
    },
    {
      colour: "well" as const,
      points: [
        [0, fan[1]],
        [whole, fan[1]],
        [x + width, bottom],
        [x, bottom],
      ] as Point[],
    },
  ];
  return {
    width: whole,
    height: size.out[0] + size.out[1] + (room.isPhone ? HEAD : 4),
    parts,
    notes: [...notes(model, size, room), ...names(model, partOf({ parts } as Board, "units")!)],
    ways: [],
    areas,
  };
}

/** The lit row as bars: what comes in, its units, what goes out. */
function bars(model: Model, { width, narrow, in: input, units, out }: Sizes, row: number): Part[] {
  const d = model.plane("x", NARROW).columns.count,
    pre = model.plane("pre", WIDE),
    whole = model.tensors.pre.axis("d_ff")!.size,
    act = model.stage("hidden")!.title;
  const { low, high } = extremes(pre, [row]) ?? { low: -1, high: 1 },
    passed = range(pre.columns.count).filter(
      (unit) => model.plane("hidden", WIDE).value(row, unit) > 0,
    ).length;
  const some =
    pre.columns.count < whole
      ? `the ${pre.columns.count} strongest of ${formatCount(whole)} units`
      : `${formatCount(whole)} units`;
  const at = (
    name: string,
    [y, height]: Point,
    versions: Version[],
    follows: Part["follows"],
    title: Point,
  ): Part => ({
    name,
    versions: versions.map((each) => ofRow(model, each, row)),
    form: "bars",
    x: narrow.x,
    y,
    cell: [narrow.width / d, height],
    tone: "",
    follows,
    rows: [row],
    title: { x: title[0], y: title[1] },
  });
  const reads = model.reads[row] ?? "";
  return [
    {
      ...at(
        "in",
        input,
        [
          version(
            model,
            "pre_activation",
            "x",
            NARROW,
            `in: the row that reads ${reads}, ${formatCount(d)} numbers`,
          ),
        ],
        "",
        [narrow.x, input[0] - HEAD / 2],
      ),
      tone: model.header.row_side || "",
    },
    {
      ...at(
        "units",
        units,
        [
          version(model, "pre_activation", "pre", WIDE, `${some} before the ${act}`),
          {
            ...version(model, "hidden", "hidden", WIDE, `${some}: ${passed} pass the ${act}`),
            behind: "pre",
          },
        ],
        "rows",
        [0, units[0] - NAMES + 14],
      ),
      x: 0,
      cell: [width / pre.columns.count, units[1]],
      columns: inOrder(model),
      span: [Math.min(0, low), Math.max(0, high)],
    },
    at("out", out, [version(model, "output", "output", NARROW, "")], "rows", [0, 0]),
  ];
}

function version(
  model: Model,
  from: string,
  tensor: string,
  spread: Version["spread"],
  title: string,
): Version {
  return { from, tensor, spread, title, scale: model.scale(tensor) };
}

/** The units that are here by their numbers: a window has the strongest first. */
function inOrder(model: Model): number[] {
  const axis = model.tensors.hidden.axis("d_ff")!;
  return range(axis.shown).sort((a, b) => wholePlace(axis, a) - wholePlace(axis, b));
}

/** The same with bars as high as its lit row needs. */
function ofRow(model: Model, shown: Version, row: number): Version {
  const { low, high } = extremes(model.plane(shown.tensor, shown.spread), [row]) ?? { low: 0, high: 1 };
  return { ...shown, scale: signedScale(Math.max(-low, high)) };
}

/** Every row of the step, small, because the network is the same for all of them; a click lights another. */
function allRows(model: Model, { narrow, label, in: input, out }: Sizes, room: Room): Part[] {
  const d = model.plane("x", NARROW).columns.count,
    n = model.reads.length,
    width = room.isPhone ? room.width - label : Math.min(140, narrow.x - label - 36);
  const rows = (name: string, shown: Version, y: number, height: number, follows: Part["follows"]): Part => ({
    name,
    versions: [shown],
    form: "cells",
    x: label,
    y,
    cell: [width / d, Math.min(16, height / n)],
    tone: "",
    follows,
    left: true,
  });
  const all = rows(
    "rows in",
    version(model, "pre_activation", "x", NARROW, "every row"),
    room.isPhone ? HEAD : input[0],
    room.isPhone ? n * 12 : input[1],
    "rows",
  );
  if (room.isPhone) return [all];
  return [
    all,
    rows("rows out", version(model, "output", "output", NARROW, "every row"), out[0], out[1], "rows"),
  ];
}

function notes(model: Model, size: Sizes, room: Room): Note[] {
  const {
      narrow: { x, width },
      in: input,
      units,
      out,
    } = size,
    small = { size: 12.5, tone: "mute" as const },
    row = model.chosen.row,
    hidden = model.plane("hidden", WIDE),
    count = hidden.columns.count;
  const silent = range(count).filter((unit) => hidden.value(row, unit) === 0).length,
    d = formatCount(model.plane("output", NARROW).columns.count);
  const away = room.isPhone ? { x: 0, align: "left" as const } : { x: x - 10, align: "right" as const };
  const found: Note[] = [
    { text: "× W_1 + b_1", isFormula: true, ...away, y: input[0] + input[1] + 14, weight: 600, size: 13 },
    {
      text: "× W_2 + b_2",
      isFormula: true,
      ...away,
      y: room.isPhone ? units[0] + units[1] + 14 : out[0] - 12,
      weight: 600,
      size: 13,
    },
    {
      text: `out: ${d} numbers, added to the stream`,
      x: room.isPhone ? 0 : x + width + 10,
      y: room.isPhone ? out[0] + out[1] + HEAD / 2 : out[0] + out[1] / 2,
      size: 13,
      from: "output",
      most: room.isPhone ? room.width : room.width - x - width - 12,
    },
  ];
  // On a phone the title over the units has the room for it, and says how many pass.
  if (silent && !room.isPhone)
    found.push({
      text: `${count === silent ? "all" : "the other"} ${formatCount(silent)} are set to 0`,
      x: 0,
      y: units[0] + units[1] + 10,
      from: "hidden",
      ...small,
    });
  if (!room.isPhone)
    found.push({ text: "every row, the same network", x: size.label, y: input[0] - HEAD / 2, ...small });
  return found;
}

/** The numbers of the strongest units over their bars, none over another. */
function names(model: Model, units: Part): Note[] {
  const placed: Point[] = [],
    plane = model.plane("hidden", WIDE);
  return strongest(model)
    .slice(0, NAMED)
    .map((column) => {
      const x = Math.max(
        12,
        Math.min(
          units.x + plane.columns.count * units.cell[0] - 12,
          middleOf(model, units, model.chosen.row, column)![0],
        ),
      );
      let y = endOf(units, plane.value(model.chosen.row, column)) - 8;
      while (placed.some(([left, top]) => Math.abs(left - x) < CLOSE[0] && Math.abs(top - y) < CLOSE[1]))
        y -= CLOSE[1];
      placed.push([x, y]);
      return {
        text: plane.columns.label(column),
        x,
        y,
        align: "center",
        weight: 650,
        size: 12.5,
        from: "hidden",
      };
    });
}

/** The units of the lit row that fire, the strongest first. */
function strongest(model: Model): number[] {
  const plane = model.plane("hidden", WIDE),
    size = (column: number) => Math.abs(plane.value(model.chosen.row, column));
  return range(plane.columns.count)
    .filter((column) => size(column) > 0)
    .sort((a, b) => size(b) - size(a));
}

/** What a unit takes from each number that comes in and adds to each that goes out; what one of these gives or takes. Without a cell: the strongest unit's. */
function rays(model: Model, spot: Spot | null, board: Board, held: number): Ray[] {
  const units = partOf(board, "units")!,
    input = partOf(board, "in")!,
    out = partOf(board, "out")!,
    row = model.chosen.row;
  if (!versionAt(model, units, held) || (spot && spot.row !== row)) return [];
  const x = model.plane("x", NARROW),
    pre = model.plane("pre", WIDE),
    hidden = model.plane("hidden", WIDE),
    all = (plane: Plane) => range(plane.columns.count);
  const line = (from: Part, a: number, to: Part, b: number, value: number): Ray => ({
    from: [middleOf(model, from, row, a)![0], from === units ? zeroOf(units) : from.y + from.cell[1] + 3],
    to: [middleOf(model, to, row, b)![0], to === units ? endOf(units, pre.value(row, b)) - 15 : to.y - 3],
    strength: value,
  });
  const into = (d: number, unit: number) =>
    line(input, d, units, unit, x.value(row, d) * model.plane("w1", WIDEN).value(d, unit));
  const onward = (unit: number, d: number) =>
    line(units, unit, out, d, hidden.value(row, unit) * model.plane("w2", NARROWS).value(unit, d));
  const hasOut = versionAt(model, out, held) !== null;
  if (spot?.part === "in") return relative(all(hidden).map((each) => into(spot.column, each)));
  if (spot?.part === "out") return relative(all(hidden).map((each) => onward(each, spot.column)));
  // Where no unit of the row fires, none is the strongest.
  const unit = spot ? (spot.part === "units" ? spot.column : null) : (strongest(model)[0] ?? null);
  if (unit === null) return [];
  return [all(x).map((d) => into(d, unit)), hasOut ? all(x).map((d) => onward(unit, d)) : []].flatMap(
    relative,
  );
}

function endOf({ y, cell, span }: Part, value: number): number {
  const [low, high] = span!;
  return y + ((high - Math.max(0, value)) * cell[1]) / (high - low || 1);
}
function zeroOf(units: Part): number {
  return endOf(units, 0);
}

/** The same lines, the strongest as strong as can be; those that say nothing are left out. */
function relative(lines: Ray[]): Ray[] {
  const most = Math.max(...lines.map(({ strength }) => Math.abs(strength)));
  return most > 0
    ? lines
        .filter(({ strength }) => strength !== 0)
        .map((line) => ({ ...line, strength: line.strength / most }))
    : [];
}

function says(model: Model, spot: Spot, version: Version): Saying | null {
  if (spot.part !== "units") return null;
  const { columns } = model.plane(version.tensor, WIDE),
    before = model.plane("pre", WIDE).value(spot.row, spot.column),
    name = { between: " · unit ", second: columns.label(spot.column) };
  return version.tensor === "hidden"
    ? { ...name, after: `: ${model.stage("hidden")!.title} of ${formatSigned(before)} gives ` }
    : null;
}

export const feedForward: Picture = {
  spans: { pre_activation: [0, 0.45], hidden: [0.45, 0.6], output: [0.6, 1] },
  lay,
  feeds: () => [],
  rays,
  says,
};
