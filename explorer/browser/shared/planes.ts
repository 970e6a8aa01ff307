// Tensors with named axes, and the planes that are cut out of them: which number stands in a row and a column.

import type { Numbers } from "./message";
import { clip, hasTwin, visible, visibleText } from "./text";

export type AxisSide = "" | "source" | "target";
/** An axis as Python tells it: `places` are those that are here, where it is a window of the whole; rows of the decoder say what each writes. */
export interface AxisEntry {
  name: string;
  size: number;
  labels: string[];
  side: AxisSide;
  places: number[] | null;
  window: string;
  writes: string[];
}
export interface TensorEntry {
  site: string;
  sites: string[];
  axes: AxisEntry[];
  index: string[][];
  lead: number[];
  dtype: string;
  askable: boolean;
  scale: "weight" | "signed" | "size" | "mask";
  letter: "" | "q" | "k" | "v";
}
export interface Axis extends AxisEntry {
  shown: number;
  stride: number;
}
export interface Tensor extends Omit<TensorEntry, "axes"> {
  name: string;
  axes: Axis[];
  values: Numbers;
  hidden: Numbers | null;
  covered: Numbers | null;
  sorted?: Map<number, Float32Array>;
  axis(name: string): Axis | undefined;
}
/** One number of the model. */
export interface CellPlace {
  site: string;
  index: number[];
}
export interface Spot {
  row: number;
  column: number;
}
/** Along which axes a plane runs down and to the right. */
export interface Spread {
  rows: string[];
  columns: string[];
}

export function makeTensor(name: string, entry: TensorEntry, arrays: Record<string, Numbers>): Tensor {
  const axes = entry.axes.map((axis) => ({
    ...axis,
    shown: axis.places ? axis.places.length : axis.size,
    stride: 1,
  }));
  axes.reduceRight((stride, axis) => {
    axis.stride = stride;
    return stride * axis.shown;
  }, 1);
  const part = (which: string) => arrays[`tensors.${name}.${which}`] as Numbers | undefined;
  const values = part("values")!,
    hidden = part("hidden") ?? null,
    covered = part("covered") ?? null;
  const axis = (wanted: string) => axes.find((each) => each.name === wanted);
  return { ...entry, name, axes, values, hidden, covered, axis };
}

/** The number in the whole axis of a place that is shown. */
export function wholePlace(axis: Axis, place: number): number {
  return axis.places ? axis.places[place] : place;
}
/** The shown place of a number in the whole axis; −1 when it is outside the window. */
export function shownPlace(axis: Axis, number: number): number {
  if (axis.places) return axis.places.indexOf(number);
  return number < axis.size ? number : -1;
}
/** Axes whose places have names of several words. */
const NAMED = ["sentence"];
function placeLabel(axis: Axis, place: number): string {
  return axis.labels.length
    ? (NAMED.includes(axis.name) ? visibleText : visible)(axis.labels[place])
    : String(wholePlace(axis, place));
}
function placeWords(axis: Axis, place: number): string {
  if (!axis.labels.length) return `${axis.name} ${wholePlace(axis, place)}`;
  const token = placeLabel(axis, place),
    where = hasTwin(axis.labels, place) ? ` at position ${wholePlace(axis, place)}` : "";
  return axis.writes.length
    ? `reads ${clip(token, 24)} → writes ${clip(visible(axis.writes[place]), 24)}${where}`
    : `${clip(token, 40)}${where}`;
}

function placeHeading(axis: Axis, place: number): string {
  const label = clip(placeLabel(axis, place), 24);
  return hasTwin(axis.labels, place) ? `${wholePlace(axis, place)} ${label}` : label;
}

/** Rows or columns of a plane. */
export type PlaneSide = ReturnType<typeof makeSide>;
/** One axis, or several of which the last runs fastest. */
function makeSide(tensor: Tensor, names: string[], step: number) {
  const axes = names.map((name) => tensor.axis(name)!);
  const total = axes.reduce((product, axis) => product * axis.shown, 1),
    count = Math.ceil(total / step);
  /** Shown place on each axis. */
  function places(i: number): number[] {
    let rest = i * step;
    const found: number[] = [];
    for (const axis of [...axes].reverse()) {
      found.unshift(rest % axis.shown);
      rest = Math.floor(rest / axis.shown);
    }
    return found;
  }
  const offsets = Int32Array.from({ length: count }, (_, i) =>
    places(i).reduce((sum, place, k) => sum + place * axes[k].stride, 0),
  );
  const parts = (i: number, write: (axis: Axis, place: number) => string) =>
    places(i)
      .map((place, k) => write(axes[k], place))
      .join(" · ");
  const words = (i: number) => parts(i, placeWords),
    label = (i: number) => parts(i, placeLabel);
  const isWritten = axes.length === 1 && axes[0].writes.length > 0;
  return {
    axes,
    names,
    count,
    offsets,
    places,
    total,
    step,
    size: axes.reduce((product, axis) => product * axis.size, 1),
    side: axes.map((axis) => axis.side).find(Boolean) ?? "",
    numeric: axes.every((axis) => !axis.labels.length),
    label,
    words,
    /** What a row of the decoder writes; null where nothing is written. */
    writes: isWritten ? (i: number) => visible(axes[0].writes[places(i)[0]]) : null,
    /** What a table calls it: beside many columns the other end is out of sight. */
    heading: (i: number) => (isWritten ? words(i) : parts(i, placeHeading)),
    /** The row or column of a shown place on every axis. */
    find: (wanted: number[]) => axes.reduce((at, axis, k) => at * axis.shown + wanted[k], 0) / step,
  };
}

const MOST_CELLS = 6000; // along one side; browsers refuse canvases much wider than three device pixels a cell

/** What a panel shows of its tensor while other axes stay at their chosen places. */
export type Plane = ReturnType<typeof makePlane>;
export function makePlane(tensor: Tensor, panel: Spread, placeOf: (axis: string) => number) {
  const thin = (names: string[]) =>
    Math.ceil(names.reduce((product, name) => product * tensor.axis(name)!.shown, 1) / MOST_CELLS);
  const rows = makeSide(tensor, panel.rows, thin(panel.rows)),
    columns = makeSide(tensor, panel.columns, thin(panel.columns));
  const others = tensor.axes.filter(
    (axis) => !panel.rows.includes(axis.name) && !panel.columns.includes(axis.name),
  );
  const fixedPlaces = new Map(
    others.map((axis) => [axis.name, Math.max(0, shownPlace(axis, placeOf(axis.name)))]),
  );
  const base = others.reduce((sum, axis) => sum + fixedPlaces.get(axis.name)! * axis.stride, 0);
  const at = (row: number, column: number) => base + rows.offsets[row] + columns.offsets[column];

  /** The number in the whole axis of a cell, for every axis. */
  function numbers(row: number, column: number): Map<string, number> {
    const found = new Map(
      [...fixedPlaces].map(([name, place]) => [name, wholePlace(tensor.axis(name)!, place)]),
    );
    rows.places(row).forEach((place, k) => found.set(rows.names[k], wholePlace(rows.axes[k], place)));
    columns
      .places(column)
      .forEach((place, k) => found.set(columns.names[k], wholePlace(columns.axes[k], place)));
    return found;
  }
  function index(row: number, column: number): number[] {
    const found = numbers(row, column);
    return tensor.index.map((names) =>
      names.reduce((sum, name) => sum * tensor.axis(name)!.size + found.get(name)!, 0),
    );
  }
  const layer = (row: number, column: number) => numbers(row, column).get("layer") ?? null;

  /** Row and column of a number of the model; null when it is not here. */
  function find(cell: CellPlace | null): Spot | null {
    if (!cell || !tensor.lead.every((number, k) => cell.index[k] === number)) return null;
    if (cell.index.length !== tensor.lead.length + tensor.index.length) return null;
    const wanted = shownPlaces(tensor, cell.index.slice(tensor.lead.length)),
      stack = tensor.axis("layer");
    if (stack)
      wanted.set(
        "layer",
        range(stack.shown).findIndex((i) => siteOf(tensor, wholePlace(stack, i)) === cell.site),
      );
    else if (tensor.site !== cell.site) return null;
    for (const [axis, place] of fixedPlaces) if ((wanted.get(axis) ?? place) !== place) return null;
    const onSides = [rows, columns].map((side) => side.names.map((axis) => wanted.get(axis) ?? 0));
    if (onSides.flat().includes(-1)) return null;
    const [row, column] = [rows.find(onSides[0]), columns.find(onSides[1])];
    return Number.isInteger(row) && Number.isInteger(column) ? { row, column } : null;
  }
  return {
    tensor,
    rows,
    columns,
    index,
    layer,
    find,
    key: [...fixedPlaces].join(),
    value: (row: number, column: number) => tensor.values[at(row, column)],
    masked: (row: number, column: number) => tensor.hidden !== null && tensor.hidden[at(row, column)] !== 0,
    /** Whether a number is not here before a question is answered. */
    covered: (row: number, column: number) =>
      tensor.covered !== null && tensor.covered[at(row, column)] !== 0,
  };
}

/** Shown places on the axes that an index runs over. */
function shownPlaces(tensor: Tensor, index: number[]): Map<string, number> {
  const found = new Map<string, number>();
  index.forEach((number, k) => {
    for (const name of [...tensor.index[k]].reverse()) {
      const axis = tensor.axis(name)!;
      found.set(name, shownPlace(axis, number % axis.size));
      number = Math.floor(number / axis.size);
    }
  });
  return found;
}
/** The mean of so many planes that lie one after the other. */
export function meanOf(planes: Float32Array, count: number): Float32Array {
  const size = planes.length / count;
  return Float32Array.from({ length: size }, (_, i) => {
    let sum = 0;
    for (let at = i; at < planes.length; at += size) sum += planes[at];
    return sum / count;
  });
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

export function siteOf(tensor: Tensor, layer: number | null): string {
  return tensor.sites[layer ?? -1] ?? tensor.site.replace("{layer}", String(layer));
}

/** Smallest, largest and most remarkable cell of what is shown and not masked, in these rows and columns; null when there is no number. */
export function extremes(
  plane: Plane,
  rows: readonly number[] = range(plane.rows.count),
  columns: readonly number[] = range(plane.columns.count),
  valueAt = (row: number, column: number): number => plane.value(row, column),
): (Spot & { low: number; high: number }) | null {
  let low = Infinity,
    high = -Infinity,
    best: Spot | null = null,
    size = -1;
  for (const row of rows) {
    for (const column of columns) {
      const value = valueAt(row, column);
      if (Number.isNaN(value) || plane.masked(row, column) || plane.covered(row, column)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
      if (Math.abs(value) > size) {
        size = Math.abs(value);
        best = { row, column };
      }
    }
  }
  return best && { low, high, ...best };
}

/** Axes whose places are tensors of their own. */
const APART = ["layer", "parameter"];
/** Such as 4·7×16: what the chooser holds still, then rows × columns; always the whole tensor, never the window. */
export function shapeWords(plane: Plane): string {
  const held = plane.tensor.axes.filter(
    (axis) =>
      !APART.includes(axis.name) && ![...plane.rows.names, ...plane.columns.names].includes(axis.name),
  );
  return [...held.map((axis) => axis.size), panelShape(plane)].join("·");
}
export function panelShape(plane: Plane): string {
  return plane.rows.names.length ? `${plane.rows.size}×${plane.columns.size}` : String(plane.columns.size);
}

/** Size that all, or 99 of 100, of the finite numbers stay within. */
export function limitOf(sizes: Float32Array, share: number): number {
  if (!sizes.length) return 0;
  return sizes[Math.min(sizes.length - 1, Math.max(0, Math.ceil(share * sizes.length) - 1))];
}

/** Sizes of all numbers of a tensor in one layer, sorted; kept, because every head and every stage asks again. */
export function sortedSizes(tensor: Tensor, layer = 0): Float32Array {
  tensor.sorted ??= new Map();
  let sizes = tensor.sorted.get(layer);
  if (!sizes) tensor.sorted.set(layer, (sizes = sizesOf(tensor, layer).sort()));
  return sizes;
}
function sizesOf(tensor: Tensor, layer: number): Float32Array {
  const stack = tensor.axis("layer"),
    own = stack ? Math.max(0, shownPlace(stack, layer)) : 0;
  const length = stack ? tensor.values.length / stack.shown : tensor.values.length;
  // The layer is the outermost axis of everything recorded; where it is not, all layers share the scale.
  const isWhole = stack && tensor.axes[0] !== stack,
    start = isWhole ? 0 : own * length,
    end = isWhole ? tensor.values.length : start + length;
  const kept = new Float32Array(end - start);
  let count = 0;
  for (let i = start; i < end; i++) {
    const value = tensor.values[i];
    if (Number.isFinite(value) && !tensor.hidden?.[i] && !tensor.covered?.[i])
      kept[count++] = Math.abs(value);
  }
  return kept.subarray(0, count);
}
