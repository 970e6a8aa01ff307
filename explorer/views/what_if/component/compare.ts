// Outputs one under the other, on one grid of columns: what differs from the trained model is framed.

import { el, words } from "../../../browser/shared/elements";
import { formatProbability } from "../../../browser/shared/numbers";
import { clip, safe, tail, visible } from "../../../browser/shared/text";
import type { Data, Output, Token } from "./data";

export function compareCard(data: Data): HTMLElement {
  const n = Math.max(...data.rows.map((row) => row.tokens.length));
  const table = el("div", {
    class: "compared",
    role: "table",
    "aria-label": "What is written",
    style: `--n: ${n}`,
  });
  for (const row of data.rows) table.append(outputRow(row, n, data.step));
  if (!data.n_changes) table.insertBefore(emptyRow(data.way), table.children[1] ?? null);
  return el("section", { class: "card outputs", "aria-label": "Outputs compared", tabindex: 0 }, table);
}

function outputRow({ name, note, tokens }: Output, n: number, step: number): HTMLElement {
  const who = el(
    "div",
    { role: "rowheader", class: "who" },
    words("b", name),
    words("span", tail(safe(note), 24)),
  );
  who.title = safe(note);
  const cells = Array.from({ length: n }, (_, place) =>
    tokenCell(tokens[place], place === step && name === "As trained"),
  );
  return el("div", { role: "row", class: "output" }, who, ...cells);
}

function tokenCell(token: Token | undefined, isChosen: boolean): HTMLElement {
  if (!token) return el("div", { role: "cell", class: "token none" });
  const name = ["token", token.differs && "differs", token.moved && "moved", isChosen && "chosen"]
    .filter(Boolean)
    .join(" ");
  const chip = words("span", clip(visible(token.text), 16), "chip"),
    p = words("span", formatProbability(token.prob), "p");
  const cell = el("div", { role: "cell", class: name }, chip, p);
  if (token.differs) cell.append(words("span", " (another token than as trained)", "unseen"));
  return cell;
}

const EMPTY = {
  borrow: "nothing yet: press a cell of the map, and that one vector is taken from the second sentence",
  off: "nothing yet: press a part of the board to switch it off",
  row: "nothing yet: drag a weight",
};

function emptyRow(way: Data["way"]): HTMLElement {
  const who = el("div", { role: "rowheader", class: "who" }, words("b", "Changed"));
  return el(
    "div",
    { role: "row", class: "output" },
    who,
    el("div", { role: "cell", class: "nothing", text: EMPTY[way] }),
  );
}
