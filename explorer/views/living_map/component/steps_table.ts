// The steps as a table, for whoever does not see the picture.

import { columnHead, el, table, words } from "../../../browser/shared/elements";
import { formatProbability } from "../../../browser/shared/numbers";
import { whose } from "./compare";
import { written } from "./run";
import type { Run } from "./run";

/** Every step with what it reads and writes, and the source token that it reads most. */
export function stepsTable(run: Run): HTMLElement {
  const { header } = run,
    heads = [
      "step",
      "reads",
      "writes",
      "P",
      `${whose(run)}reads most in layer ${run.crossing.at(-1)!.layer}`,
      "weight",
    ];
  const rows = header.outputs.map((token, step) => {
    const { place, weight } = run.reading(step);
    const cells = [
      String(step),
      header.inputs[step],
      token,
      formatProbability(run.probability(step)),
      header.source[place] + run.where("source", place),
      written(run, weight),
    ];
    return el("tr", {}, ...cells.map((text) => words("td", text)));
  });
  // A table itself would be as wide as what stands in it, seen or not.
  return el(
    "div",
    { class: "unseen" },
    table(
      "The steps of the decoding",
      heads.map((text) => columnHead(text)),
      rows,
    ),
  );
}
