// What of a stage is framed with a cell.

import { shownPlace } from "../shared/planes";
import type { AxisSide, Plane, Spot } from "../shared/planes";
import type { StageEntry } from "../shared/tensors";
import type { PanelSpot } from "./host";

/** Of a panel: the cell itself or the same one of another matrix, or the whole row or column that has to do with it. */
export interface Mark {
  hover?: Spot;
  row?: number;
  column?: number;
}

/** What each panel of a stage frames with a cell of one of them. */
export function marksOf(kind: StageEntry["kind"], planes: readonly Plane[], spot: PanelSpot): Mark[] {
  const { panel, row, column } = spot,
    { rows, columns } = planes[panel];
  return planes.map((plane, k) => {
    if (k === panel) return { hover: spot };
    if (kind === "product") return ofProduct(spot, k);
    if (kind === "one" || plane.rows.count !== rows.count) return {};
    return plane.columns.count === columns.count ? { hover: { row, column } } : { row };
  });
}

/** A number of a product comes from a row of the first factor and a column of the second. */
function ofProduct({ panel, row, column }: PanelSpot, k: number): Mark {
  if (panel === 2) return k === 0 ? { row } : { column };
  if (k !== 2) return {};
  return panel === 0 ? { row } : { column };
}

/** The row of a plane that the page is about, such as the current step; undefined where it has none. */
export function stepRow({ rows }: Plane, row: number | null, side: AxisSide): number | undefined {
  if (row === null || rows.side !== side || rows.axes.length !== 1 || rows.step > 1) return undefined;
  const place = shownPlace(rows.axes[0], row);
  return place < 0 ? undefined : place;
}
