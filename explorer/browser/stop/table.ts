// The numbers of a part as a table, built when it is asked for.

import { el, words } from "../shared/elements";
import { plural } from "../shared/numbers";
import { panelShape } from "../shared/planes";
import { clip } from "../shared/text";
import type { Part } from "./board";
import { shownIn } from "./board";
import type { Model } from "./model";
import { numberText, shownOf } from "./words";

const ROWS = 100, COLUMNS = 64;

export function tableOf(model: Model, part: Part, progress: number): HTMLElement {
  const { version, plane } = shownOf(model, part, progress), { rows, columns, tensor } = plane, shown = shownIn(model, part);
  const down = shown.rows.slice(0, ROWS), across = shown.columns.slice(0, COLUMNS);
  const cut = [[down, shown.rows, "row"], [across, shown.columns, "column"]] as const;
  const left = cut.filter(([some, all]) => some.length < all.length).map(([some, all, word]) => `the first ${some.length} of ${plural(all.length, word)}`);
  const body = down.map((row) => el("tr", {}, el("th", { scope: "row", class: rows.side, text: rows.names.length ? rows.heading(row) : "" }),
    ...across.map((column) => el("td", { text: numberText(model, version, plane, row, column) }))));
  const table = el("table", {}, words("caption", version.title, "unseen"),
    el("thead", {}, el("tr", {}, el("td"), ...across.map((column) => el("th", { scope: "col", class: columns.side, text: clip(columns.label(column), 24) })))), el("tbody", {}, ...body));
  return el("div", { class: "as-table" }, el("p", { class: "caption" }, words("b", version.title), ` ${panelShape(plane)} ${tensor.dtype}`),
    ...(left.length ? [words("p", `The table shows ${left.join(" and ")}.`, "thinned")] : []),
    el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": `Table of ${version.title}` }, table));
}
