// What the view has been told of tensors: the open stage, and the plane that each of its panels shows.

import { makePlane } from "../shared/planes";
import type { Plane } from "../shared/planes";
import { Tensors } from "../shared/tensors";
import type { ChooserEntry, Chosen, PanelEntry, StageEntry, TensorsHeader } from "../shared/tensors";
import { visible } from "../shared/text";

export class Model extends Tensors<TensorsHeader, Chosen> {
  /** The stage that is open; the first where none of that name is there. */
  get open(): StageEntry {
    return this.stage(this.chosen.stage) ?? this.header.stages[0];
  }

  plane(panel: PanelEntry, placeOf = this.placeOf): Plane {
    return makePlane(this.tensors[panel.tensor], panel, placeOf);
  }

  /** Whether a panel shows one place of this axis only. */
  holds({ tensor, rows, columns }: PanelEntry, axis: string): boolean {
    return this.tensors[tensor].axis(axis) !== undefined && !rows.includes(axis) && !columns.includes(axis);
  }

  /** What a panel holds still, such as head 2; of several panels, what any of them does. */
  held(...panels: PanelEntry[]): string[] {
    const choosers = this.header.choosers.filter(({ axis }) =>
      panels.some((panel) => this.holds(panel, axis)),
    );
    return choosers.map((chooser) => optionWords(chooser, this.placeOf(chooser.axis)));
  }
}

/** The place of what comes out of a stage among its panels. */
export function resultAt({ kind, panels }: StageEntry): number {
  return kind === "product" ? 2 : panels.length - 1;
}

/** A phrase as it is; a token with what is invisible in it. */
export function optionText(option: string): string {
  const text = visible(option);
  return option.trim() === option ? text.replaceAll("␣", " ") : text;
}

export function optionWords({ options, label }: ChooserEntry, place: number): string {
  // A and B are names, whatever comes after them.
  const text = optionText(options[place]),
    name = /^[AB] /.test(label) ? label : label.toLowerCase();
  return text.toLowerCase().startsWith(name) ? text : `${name} ${text}`;
}
