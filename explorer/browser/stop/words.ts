// What is said of a cell and of a part.

import { formatCount, formatSigned, plural } from "../shared/numbers";
import { extremes, siteOf } from "../shared/planes";
import type { CellPlace, Plane } from "../shared/planes";
import { numberText } from "../shared/tensors";
import type { PanelEntry, Reading } from "../shared/tensors";
import type { Board, Part, Picture, Spot, Version } from "./board";
import { isMissing, partOf, planeOf, shownIn, spotOf, versionAt } from "./board";
import { valueOf } from "./draw";
import type { Model } from "./model";

export function cellText(model: Model, version: Version, plane: Plane, row: number, column: number): string {
  if (isMissing(model, plane, row, column)) return "?";
  if (plane.covered(row, column)) return "covered until you have answered";
  if (plane.masked(row, column)) return "masked";
  const value = valueOf(version, plane, row, column);
  return version.write ? version.write(value) : numberText(plane.tensor, value);
}

/** What a part shows of its values at a stage; of a cell, what it was before a mask that leaves it as it is. */
export function shownOf(
  model: Model,
  part: Part,
  progress: number,
  at?: { row: number; column: number },
): { version: Version; plane: Plane } {
  const version = versionAt(model, part, progress)?.version ?? part.versions[0],
    plane = planeOf(model, version);
  if (!at || !version.hides || plane.masked(at.row, at.column)) return { version, plane };
  const before = part.versions[part.versions.indexOf(version) - 1];
  return { version: before, plane: planeOf(model, before) };
}

/** Where a number of the model is in a part, at a stage or as it was before. */
export function foundIn(model: Model, part: Part, progress: number, cell: CellPlace | null): Spot | null {
  return (
    planesShown(model, part, progress)
      .map((plane) => spotOf(model, part, plane, cell))
      .find((spot) => spot !== null) ?? null
  );
}

/** The plane that a part shows at a stage, and what it masks where that is all it does. */
export function planesShown(model: Model, part: Part, progress: number): Plane[] {
  const { version, plane } = shownOf(model, part, progress);
  return version.hides ? [plane, planeOf(model, part.versions[part.versions.indexOf(version) - 1])] : [plane];
}

export function read(model: Model, picture: Picture, board: Board, spot: Spot, progress: number): Reading {
  const part = partOf(board, spot.part)!,
    { row, column } = spot,
    { version, plane } = shownOf(model, part, progress, spot),
    { tensor } = plane;
  const stage = model.header.stages.find(
    ({ key, kind, panels }) =>
      key === version.from && kind === "product" && panels[2].tensor === version.tensor,
  );
  const first = plane.rows.names.length ? plane.rows.words(row) : "",
    second = plane.columns.words(column),
    value = cellText(model, version, plane, row, column);
  const name = siteOf(tensor, plane.layer(row, column) ?? model.placeOf("layer"))
      .split(".")
      .at(-1)!,
    index = [...tensor.lead, ...plane.index(row, column)];
  const tones: [string, string] = [
    tensor.letter && plane.rows.side === "" ? tensor.letter : plane.rows.side,
    tensor.letter && plane.columns.side === "" ? tensor.letter : plane.columns.side,
  ];
  const base = { first, second, value, place: `${name}[${index.join(", ")}]`, tones };
  const own = picture.says?.(model, spot, version);
  if (own) return { ...base, before: "", between: first && second && " · ", after: ": ", ...own };
  if (!stage || version.as)
    return {
      ...base,
      before: "",
      between: first && second && " · ",
      after: version.as ? `: ${version.title} = ` : ": ",
    };
  // Keys stand turned: what is a row of theirs in the product is a column here.
  const isTurned = version.spread.rows.join() === stage.panels[2].columns.join(),
    names = isTurned ? { first: second, second: first, tones: [tones[1], tones[0]] as [string, string] } : {};
  const before = first ? "Row " : "The row",
    after = ` of ${letterOf(stage.panels[1])}${product(model, stage, version, plane, spot, isTurned ? row : column)}`;
  return { ...base, ...names, before, between: ` of ${letterOf(stage.panels[0])} times column `, after };
}

/** Of a title such as Q queries the symbol is enough. */
function letterOf({ title }: PanelEntry): string {
  return title.split(/,? /)[0];
}

/** output: the place of the number among those that the second factor makes, each of which has its bias. */
function product(
  model: Model,
  stage: Model["header"]["stages"][number],
  version: Version,
  plane: Plane,
  { row, column }: Spot,
  output: number,
): string {
  const factors = model.plane(stage.panels[0].tensor, stage.panels[0]),
    { total, size } = factors.columns;
  // What is shown of the factors is perhaps a window; their product never is.
  const whole = total < size ? `, summed over all ${formatCount(size)},` : "",
    biasPanel = stage.panels.at(3);
  const bias = biasPanel
    ? `, with the bias ${formatSigned(model.plane(biasPanel.tensor, biasPanel).value(0, output))},`
    : "";
  const scaled = stage.scaling
    ? `${formatSigned(valueOf(version, plane, row, column) / stage.scaling.factor)}; ${stage.scaling.words} = `
    : "";
  return `${whole}${bias} gives ${scaled}`;
}

/** What a screen reader is told of a whole part. */
export function summary(model: Model, part: Part, progress: number): string {
  const { version, plane } = shownOf(model, part, progress),
    { tensor } = plane,
    { rows, columns } = shownIn(model, part),
    found = extremes(plane, rows, columns, (row, column) => valueOf(version, plane, row, column));
  const shape = `${plural(rows.length, "row")} by ${plural(columns.length, "column")}`,
    write = (version.as && version.write) || formatSigned,
    keys = `Arrow keys move a cell cursor, ${tensor.askable ? "Enter explains, " : ""}Escape leaves.`;
  if (!found) return `${version.title}: ${shape}, no numbers. ${keys}`;
  const place = [plane.rows.names.length && plane.rows.words(found.row), plane.columns.words(found.column)]
    .filter(Boolean)
    .join(" · ");
  const largest =
    tensor.scale === "mask"
      ? ""
      : `, from ${write(found.low)} to ${write(found.high)}. Largest in size at ${place}: ${cellText(model, version, plane, found.row, found.column)}.`;
  return `${version.title}: ${shape}, ${tensor.dtype}${largest} ${keys}`;
}
