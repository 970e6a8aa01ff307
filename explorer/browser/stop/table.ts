// The numbers of a part as a table, built when it is asked for.

import { el, words } from "../shared/elements";
import { numbersTable } from "../shared/numbers_table";
import { panelShape } from "../shared/planes";
import type { Part } from "./board";
import { shownIn } from "./board";
import type { Model } from "./model";
import { cellText, shownOf } from "./words";

export function tableOf(model: Model, part: Part, progress: number): HTMLElement {
  const { version, plane } = shownOf(model, part, progress),
    caption = el(
      "p",
      { class: "caption" },
      words("b", version.title),
      ` ${panelShape(plane)} ${plane.tensor.dtype}`,
    );
  return numbersTable(version.title, caption, plane, shownIn(model, part), (row, column) =>
    cellText(model, version, plane, row, column),
  ).node;
}
