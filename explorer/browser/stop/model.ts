// One block of a recorded run as a stop draws it: its tensors, what is chosen of them, and how far the lit row has come.

import { MASK, WEIGHTS, signedScale, sizeScale } from "../shared/cells";
import type { Scale } from "../shared/cells";
import type { Payload } from "../shared/message";
import { limitOf, makePlane, siteOf, sortedSizes } from "../shared/planes";
import type { CellPlace, Plane, Spread } from "../shared/planes";
import { Tensors } from "../shared/tensors";
import type { Chosen as Choice } from "../shared/tensors";
import { visible } from "../shared/text";
import type { Header } from "./data";

/** What the visitor has chosen in a stop: a stage, or none for the whole; layer and head; the lit row. */
export interface Chosen extends Choice {
  row: number;
}

export class Model extends Tensors<Header, Chosen> {
  readonly reads: string[];
  readonly writes: string[];
  private readonly written: Set<string>;
  private readonly planes = new Map<string, Plane>();

  constructor(payload: Payload<Header>, chosen: Chosen) {
    super(payload, chosen);
    const { header } = payload;
    this.reads = header.reads.map(visible);
    this.written = new Set(header.entries.map(({ tensor, row, column }) => [tensor, row, column].join()));
    this.writes = header.writes.map(visible);
  }

  /** Whether it stands below a stop, which has the rail, the stages and the keys of the page. */
  get isBelow(): boolean {
    return !this.header.rail.length;
  }
  /** Whether somebody writes in a cell, which covers the number. */
  isWritten(tensor: string, row: number, column: number): boolean {
    return this.written.has([tensor, row, column].join());
  }
  has(tensor: string): boolean {
    return tensor in this.tensors;
  }
  /** How many stages stand there when nothing plays. */
  get held(): number {
    return this.chosen.stage && !this.isBelow
      ? this.stageIndex(this.chosen.stage) + 1
      : this.header.stages.length;
  }
  stageIndex(key: string): number {
    return this.header.stages.findIndex((each) => each.key === key);
  }

  /** A tensor as a plane, at the chosen places of its other axes, or at one that is given. */
  plane(tensor: string, spread: Spread, at: Record<string, number> = {}): Plane {
    const placeOf = (axis: string) => at[axis] ?? this.placeOf(axis);
    const held = this.tensors[tensor].axes.map(({ name }) => `${name}=${placeOf(name)}`),
      key = [tensor, spread.rows, "/", spread.columns, ...held].join();
    let plane = this.planes.get(key);
    if (!plane) this.planes.set(key, (plane = makePlane(this.tensors[tensor], spread, placeOf)));
    return plane;
  }

  /** The colours of one tensor, or of several that share theirs. */
  scale(...names: string[]): Scale {
    const tensors = names.filter((name) => this.has(name)).map((name) => this.tensors[name]),
      { scale } = tensors[0];
    if (scale === "weight") return WEIGHTS;
    if (scale === "mask") return MASK;
    const limit = Math.max(
      ...tensors.map((tensor) => limitOf(sortedSizes(tensor, this.placeOf("layer")), 1)),
    );
    return scale === "size" ? sizeScale(limit) : signedScale(limit);
  }

  site(tensor: string): string {
    return siteOf(this.tensors[tensor], this.placeOf("layer"));
  }
  cellAt(tensor: string, plane: Plane, row: number, column: number): CellPlace {
    const { lead } = this.tensors[tensor],
      layer = plane.layer(row, column);
    return { site: siteOf(this.tensors[tensor], layer), index: [...lead, ...plane.index(row, column)] };
  }
}
