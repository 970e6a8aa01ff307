// Many whole outputs: how often each was drawn, beside how probable it is.

import { columnHead, el, words } from "../../../browser/shared/elements";
import { readJson } from "../../../browser/shared/message";
import type { Component } from "../../../browser/shared/mount";
import { fixed, formatCount, formatProbability, plural } from "../../../browser/shared/numbers";
import { visibleText } from "../../../browser/shared/text";
import { themeOf } from "../../../browser/shared/theme";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

interface Sample {
  text: string;
  count: number;
  probability: number;
  log_prob: number;
  ended: boolean;
}
/** compared_from: as many of an output must be expected for it to be compared. distance, chance: total variation. */
interface Samples {
  n_drawn: number;
  n_distinct: number;
  rows: Sample[];
  others_count: number;
  others_probability: number;
  n_compared: number;
  compared_from: number;
  distance: number;
  chance: number;
}

function buildTable(data: Samples): HTMLElement {
  const others = data.n_distinct - data.rows.length;
  const title = others
    ? `${plural(others, "other")} drawn, and all that were not`
    : "all that were not drawn";
  const widest = Math.max(
    0.01,
    ...data.rows.map((row) => Math.max(row.count / data.n_drawn, row.probability)),
    data.others_count / data.n_drawn,
    data.others_probability,
  );
  const line = (name: HTMLElement, count: number, probability: number, logP: string, kind = "") =>
    el(
      "tr",
      { class: kind },
      name,
      el("td", { class: "share" }, buildRail(count / data.n_drawn / widest, probability / widest)),
      words("td", formatCount(count), "number"),
      words("td", fixed(data.n_drawn * probability, 1), "number"),
      words("td", formatProbability(probability), "number"),
      words("td", logP, "number log"),
    );
  const rows = data.rows.map((row) =>
    line(buildName(row), row.count, row.probability, fixed(row.log_prob, 2)),
  );
  const last = line(
    el("th", { scope: "row", text: title }),
    data.others_count,
    data.others_probability,
    "",
    "others",
  );
  return el(
    "table",
    { class: "outputs" },
    words("caption", "Whole outputs, drawn and exact", "unseen"),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        columnHead("whole output"),
        columnHead("drawn, and exact as a line", "share"),
        columnHead("drawn", "number"),
        columnHead("expected", "number"),
        columnHead("probability", "number"),
        columnHead("log P", "number log"),
      ),
    ),
    el("tbody", {}, ...rows, last),
  );
}

function buildName(row: Sample): HTMLElement {
  const text = (row.text === "" ? "nothing" : visibleText(row.text)) + (row.ended ? "" : " …");
  return el("th", { scope: "row" }, el("span", { class: "text", title: text, text }));
}

function buildRail(drawn: number, exact: number): HTMLElement {
  const bar = el("i", { class: "bar" }),
    tick = el("i", { class: "tick" });
  bar.style.width = `${100 * drawn}%`;
  tick.style.left = `${100 * exact}%`;
  return el("span", { class: "rail" }, bar, tick);
}

function distanceText(data: Samples): string {
  const bound = `expected ${data.compared_from} times or more`;
  if (data.n_compared === 0)
    return `No output is ${bound}: too few draws to compare frequencies with probabilities.`;
  return (
    `Over the ${plural(data.n_compared, "output")} ${bound} and all others as one, drawn and exact lie ${fixed(data.distance, 3)} ` +
    `apart (total variation); by chance alone, about ${fixed(data.chance, 3)}.`
  );
}

export default styled(
  ({ data, parentElement }: Component): void => {
    const root = parentElement.querySelector<HTMLElement>(".samples-view")!,
      samples = readJson<Samples>(data);
    root.dataset.look = themeOf(root);
    root.replaceChildren(
      el(
        "section",
        { class: "card", "aria-label": "Whole outputs" },
        el(
          "header",
          {},
          el(
            "div",
            {},
            words(
              "h2",
              `${plural(samples.n_distinct, "distinct output")} in ${plural(samples.n_drawn, "draw")}`,
            ),
            words(
              "p",
              "probability: product of the steps’ probabilities with these settings; log P: under the model itself",
            ),
          ),
        ),
        buildTable(samples),
        words("p", distanceText(samples), "readout"),
      ),
    );
  },
  viewCss,
  css,
);
