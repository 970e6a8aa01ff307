// One block of a recorded run as a stop draws it: its tensors, what is chosen of them, and how far the lit row has come.

import { MASK, WEIGHTS, signedScale, sizeScale } from "../shared/cells";
import type { Scale } from "../shared/cells";
import type { Payload } from "../shared/message";
import { limitOf, makePlane, makeTensor, siteOf, sortedSizes } from "../shared/planes";
import type { CellPlace, Plane, Spread, Tensor } from "../shared/planes";
import { visible } from "../shared/text";
import type { ChooserEntry, Header, StageEntry } from "./data";

/** What the visitor has chosen in a stop: a stage, or none for the whole; layer and head; the lit row. */
export interface Chosen { stage: string; choices: Record<string, number>; row: number }

export class Model {
  readonly tensors: Record<string, Tensor>;
  readonly reads: string[];
  readonly writes: string[];
  private readonly written: Set<string>;
  private readonly planes = new Map<string, Plane>();

  constructor({ header, arrays }: Payload<Header>, public chosen: Chosen) {
    this.header = header;
    this.tensors = Object.fromEntries(Object.entries(header.tensors).map(([name, entry]) => [name, makeTensor(name, entry, arrays)]));
    this.reads = header.reads.map(visible);
    this.written = new Set(header.entries.map(({ tensor, row, column }) => [tensor, row, column].join()));
    this.writes = header.writes.map(visible);
  }
  readonly header: Header;

  /** Whether it stands below a stop, which has the rail, the stages and the keys of the page. */
  get isBelow(): boolean { return !this.header.rail.length; }
  /** Whether somebody writes in a cell, which covers the number. */
  isWritten(tensor: string, row: number, column: number): boolean { return this.written.has([tensor, row, column].join()); }
  has(tensor: string): boolean { return tensor in this.tensors; }
  chooser(axis: string): ChooserEntry | undefined { return this.header.choosers.find((each) => each.axis === axis); }
  /** The place of an axis that is drawn: of what the message does not hold, the place that it does hold. */
  placeOf = (axis: string): number => {
    const chooser = this.chooser(axis);
    if (!chooser) return 0;
    return chooser.local ? this.chosen.choices[axis] ?? chooser.value : chooser.value;
  };
  stage(key: string): StageEntry | undefined { return this.header.stages.find((each) => each.key === key); }
  /** How many stages stand there when nothing plays. */
  get held(): number { return this.chosen.stage && !this.isBelow ? this.stageIndex(this.chosen.stage) + 1 : this.header.stages.length; }
  stageIndex(key: string): number { return this.header.stages.findIndex((each) => each.key === key); }

  /** A tensor as a plane, at the chosen places of its other axes, or at one that is given. */
  plane(tensor: string, spread: Spread, at: Record<string, number> = {}): Plane {
    const placeOf = (axis: string) => at[axis] ?? this.placeOf(axis);
    const held = this.tensors[tensor].axes.map(({ name }) => `${name}=${placeOf(name)}`), key = [tensor, spread.rows, "/", spread.columns, ...held].join();
    let plane = this.planes.get(key);
    if (!plane) this.planes.set(key, (plane = makePlane(this.tensors[tensor], spread, placeOf)));
    return plane;
  }

  /** The colours of one tensor, or of several that share theirs. */
  scale(...names: string[]): Scale {
    const tensors = names.filter((name) => this.has(name)).map((name) => this.tensors[name]), { scale } = tensors[0];
    if (scale === "weight") return WEIGHTS;
    if (scale === "mask") return MASK;
    const limit = Math.max(...tensors.map((tensor) => limitOf(sortedSizes(tensor, this.placeOf("layer")), 1)));
    return scale === "size" ? sizeScale(limit) : signedScale(limit);
  }

  site(tensor: string): string { return siteOf(this.tensors[tensor], this.placeOf("layer")); }
  cellAt(tensor: string, plane: Plane, row: number, column: number): CellPlace {
    const { lead } = this.tensors[tensor], layer = plane.layer(row, column);
    return { site: siteOf(this.tensors[tensor], layer), index: [...lead, ...plane.index(row, column)] };
  }
}
