// Switch a part off: a button for each head, each block, one hidden unit of each network, each source token, the mask.

import { el, words } from "../../../browser/shared/elements";
import { fixed } from "../../../browser/shared/numbers";
import { clip, toldApart, visible } from "../../../browser/shared/text";
import type { Off, Part, Tell } from "./data";
import { roving } from "./map";

export function boardCard(off: Off, tell: Tell): HTMLElement {
  const card = el(
    "section",
    { class: "card work", "aria-label": "What can be switched off" },
    words("h2", "Which parts does this sentence need?"),
    words(
      "p",
      "each number: how much the probability of a right word falls at most without the part, the decoder reading what the trained model writes",
      "sub",
    ),
  );
  if (!off.computed) return card;
  const heads = Math.max(
    1,
    ...off.rows.map(({ cells }) => cells.filter(({ kind }) => kind === "head").length),
  );
  const board = el("div", {
    class: "board",
    role: "grid",
    "aria-label": "Parts of the model",
    style: `--heads: ${heads}`,
  });
  for (const { name, cells } of off.rows) {
    const names =
      cells[0].kind === "position"
        ? toldApart(cells.map(({ label }) => visible(label)))
        : cells.map(({ label }) => label);
    board.append(
      el(
        "div",
        { role: "row", class: `parts ${cells[0].kind}` },
        words("span", rowName(name), "name"),
        ...cells.map((part, place) => partButton({ ...part, label: names[place] }, name, tell)),
      ),
    );
  }
  roving(board);
  card.append(board);
  return card;
}

function rowName(name: string): string {
  return { source: "source tokens, set to 0", mask: "mask" }[name] ?? name;
}

function partButton(part: Part, row: string, tell: Tell): HTMLElement {
  const label = part.kind === "position" ? clip(part.label, 9) : part.label;
  const button = el(
    "button",
    {
      type: "button",
      role: "gridcell",
      tabindex: -1,
      class: `part ${part.kind}`,
      style: `--fall: ${Math.min(1, part.fall)}`,
    },
    words("span", label, "what"),
    words("span", fixed(part.fall, 2), "fall"),
  );
  button.setAttribute("aria-pressed", String(part.off));
  button.ariaLabel = `${row}, ${part.label}: ${part.off ? "off; with it a right token is more probable by" : "without it a right token is less probable by"} ${fixed(part.fall, 3)}`;
  button.title = button.ariaLabel;
  button.addEventListener("click", () => tell("switched", { part: part.part }));
  return button;
}
