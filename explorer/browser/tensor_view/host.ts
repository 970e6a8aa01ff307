// What the view is for its parts.

import type { Look } from "../shared/look";
import type { CellPlace, Spot } from "../shared/planes";
import type { Model } from "./model";
import type { Panel } from "./panel";

export interface Host {
  readonly root: HTMLElement;
  readonly model: Model;
  readonly look: Look;
  readonly isPhone: boolean;
  /** Whether colours end at the size that 99 of 100 numbers stay below. */
  isRobust: boolean;
  /** The number that is explained. */
  readonly cell: CellPlace | null;
  open(stage: string): void;
  choose(axis: string, place: number): void;
  ask(panel: Panel, spot: Spot): void;
  /** Tell those who do not see the page. */
  say(text: string): void;
}
/** A cell of one of the panels of a stage. */
export interface PanelSpot extends Spot {
  panel: number;
}
