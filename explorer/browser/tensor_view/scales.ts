// How the numbers of a stage become colours: one scale for each group of panels.

import { MASK, WEIGHTS, signedScale, sizeScale } from "../shared/cells";
import type { Scale } from "../shared/cells";
import { fixed, formatCount, formatSigned, plural } from "../shared/numbers";
import { limitOf, sortedSizes } from "../shared/planes";
import type { Plane } from "../shared/planes";
import type { PanelEntry } from "../shared/tensors";

/**
 * Panels of a stage that share a scale.
 *
 * members: their places. end: the number at the end of the colours. differs: whether a robust scale is another one.
 */
export interface Group {
  scale: Scale;
  members: number[];
  end: string;
  differs: boolean;
}

/** The scales of all panels; signed panels, or sizes, of one group share theirs. */
export function groupsOf(
  panels: readonly PanelEntry[],
  planes: readonly Plane[],
  isRobust: boolean,
): Group[] {
  const found = new Map<string, number[]>();
  planes.forEach(({ tensor: { scale } }, k) => {
    const name = isLimited(scale) ? `${scale}/${panels[k].group || k}` : scale;
    found.set(name, [...(found.get(name) ?? []), k]);
  });
  return [...found.values()].map((members) => groupOf(members, planes, isRobust));
}

function groupOf(members: number[], planes: readonly Plane[], isRobust: boolean): Group {
  const { scale: kind } = planes[members[0]].tensor;
  if (!isLimited(kind)) return { scale: kind === "mask" ? MASK : WEIGHTS, members, end: "1", differs: false };
  const sizes = members.map((k) => sortedSizes(planes[k].tensor)),
    limit = (share: number) => Math.max(...sizes.map((each) => limitOf(each, share)));
  const full = limit(1),
    robust = limit(0.99),
    differs = robust > 0 && robust < 0.8 * full,
    end = isRobust && differs ? robust : full;
  const scale = (kind === "size" ? sizeScale : signedScale)(end),
    isWhole = members.every((k) => planes[k].tensor.dtype === "int64");
  return {
    scale: isWhole ? { ...scale, write: wholeNumber } : scale,
    members,
    end: isWhole ? wholeNumber(end) : limitText(end),
    differs,
  };
}

/** Whether a scale ends at the largest number that there is, and not at 1. */
function isLimited(kind: Scale["kind"]): boolean {
  return kind === "signed" || kind === "size";
}
function wholeNumber(value: number): string {
  return fixed(value, 0);
}
function limitText(limit: number): string {
  if (limit === 0) return "0";
  return limit >= 0.1 && limit < 9999 ? fixed(limit, limit < 10 ? 2 : 1) : formatSigned(limit);
}

/** What a scale has no colours for. */
export function oddities({ scale, members, end }: Group, planes: readonly Plane[]): string {
  let beyond = 0,
    broken = 0,
    masked = 0;
  for (const { rows, columns, value, masked: isMasked } of members.map((k) => planes[k])) {
    for (let row = 0; row < rows.count; row++)
      for (let column = 0; column < columns.count; column++) {
        const number = value(row, column);
        if (isMasked(row, column)) masked++;
        else if (Number.isNaN(number)) broken++;
        else if (scale.beyond(number)) beyond++;
      }
  }
  const range = scale.kind === "signed" ? `±${end}` : `0 to ${end}`;
  return [
    beyond && `${plural(beyond, "value")} beyond ${range}`,
    broken && `${formatCount(broken)} not a number (×)`,
    masked && `${formatCount(masked)} masked (hatched)`,
  ]
    .filter(Boolean)
    .join(", ");
}
