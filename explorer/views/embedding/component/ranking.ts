// Tokens by the cosine between their vectors and another one.

import { columnHead, el, table, words } from "../../../browser/shared/elements";
import { readJson } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import { fixed, formatCount } from "../../../browser/shared/numbers";
import { visible } from "../../../browser/shared/text";
import { themeOf } from "../../../browser/shared/theme";
import type { RankingData } from "./data";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const COLUMNS = [
  ["token", ""],
  ["id", "number id"],
  ["0 to 1", "share"],
  ["cosine", "number"],
];

function buildRanking({ title, question, rows }: RankingData): HTMLElement {
  const isSign = (place: number) => place % 2 === 1;
  const caption = `${title} ${question.map((part, place) => (isSign(place) ? part : visible(part))).join(" ")}`;
  return el(
    "section",
    { class: "ranking", "aria-label": caption },
    el(
      "p",
      { class: "lead" },
      `${title} `,
      ...question.map((part, place) => (isSign(place) ? ` ${part} ` : words("b", visible(part)))),
    ),
    table(
      caption,
      COLUMNS.map(([text, name]) => columnHead(text, name)),
      rows.map(rowOf),
    ),
  );
}

function rowOf({ token, id, cosine }: RankingData["rows"][number]): HTMLElement {
  const bar = el("i", { class: "bar" });
  bar.style.width = `${100 * Math.max(0, Math.min(1, cosine))}%`;
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, el("span", { class: "token", title: visible(token), text: visible(token) })),
    words("td", formatCount(id), "number id"),
    el("td", { class: "share" }, el("span", { class: "rail" }, bar)),
    words("td", fixed(cosine, 3), "number"),
  );
}

export default styled(
  mounted(".ranking-view", (root) => ({
    update({ data }) {
      root.dataset.look = themeOf(root);
      root.replaceChildren(...readJson<RankingData[]>(data).map(buildRanking));
    },
  })),
  viewCss,
  css,
);
