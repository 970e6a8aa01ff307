// Borrow from another sentence: a row for each kind of vector, a column for each token, coloured by what it brings along.

import { Chips } from "../../../browser/shared/chips";
import { el, words } from "../../../browser/shared/elements";
import { actOn } from "../../../browser/shared/keys";
import { rampIndex } from "../../../browser/shared/look";
import type { Look } from "../../../browser/shared/look";
import { fixed } from "../../../browser/shared/numbers";
import { clip, safe, twinPlace, visible } from "../../../browser/shared/text";
import type { Borrow, MapRow, Panel, Tell } from "./data";

const LEAST_WRITTEN = 0.015;
const RULE =
  "Shares do not add up: what one vector brings, a later one carries on. The framed column writes the word; after its last attention nothing more is read, so the share there is 1.";
const TITLES = {
  encoder: ["Encoder", "the vector of each token after self-attention"],
  cross: ["Cross-attention", "what the decoder finds at each source token"],
  decoder: ["Decoder", "the vector after each attention"],
} as const;

export function borrowCard(borrow: Borrow, look: Look, tell: Tell): HTMLElement {
  const card = el("section", { class: "card work", "aria-label": "Patching map" }, ...head(borrow));
  if (borrow.problem)
    card.append(
      words("p", `${capital(borrow.problem)}${/[.!?]$/.test(borrow.problem) ? "" : "."}`, "problem"),
    );
  const panels = new Map(borrow.panels.map((panel) => [panel.key, panelOf(panel, borrow, look, tell)]));
  if (panels.size) {
    card.append(
      el(
        "div",
        { class: "maps" },
        el("div", { class: "left" }, panels.get("encoder")!, panels.get("cross")!),
        el(
          "div",
          { class: "right" },
          panels.get("decoder")!,
          scale(borrow, look),
          words("p", RULE, "sub rule"),
        ),
      ),
    );
  }
  return card;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function head(borrow: Borrow): HTMLElement[] {
  if (!borrow.panels.length) return [words("h2", "Where does the model keep the difference?")];
  const [own, other] = [borrow.own, borrow.other].map((token) => words("b", visible(token), "target"));
  const rule = `each cell: one vector of the second sentence; the share of logit(${visible(borrow.other)}) − logit(${visible(borrow.own)}) that it brings along, the decoder reading what the trained model writes`;
  return [el("h2", {}, "Where does the model keep ", own, " or ", other, "?"), words("p", rule, "sub")];
}

function panelOf(panel: Panel, borrow: Borrow, look: Look, tell: Tell): HTMLElement {
  const [title, sub] = TITLES[panel.key],
    side = panel.key === "decoder" ? "target" : "source";
  const grid = el("div", {
    class: `grid ${panel.key}`,
    role: "grid",
    "aria-label": `${title}: share of the difference`,
    style: `--columns: ${panel.columns.length}`,
  });
  const heads = panel.columns.map((token, place) => {
    const column = el("span", {
      role: "columnheader",
      class: `column ${side}${panel.marked[place] ? " other" : ""}`,
      text: clip(visible(token), 7),
    });
    column.title = safe(token) + twinPlace(panel.columns, place);
    if (panel.key === "decoder" && place === borrow.deciding) column.classList.add("deciding");
    return column;
  });
  grid.append(
    el(
      "div",
      { role: "row", class: "line" },
      el("span", { role: "columnheader", class: "corner" }),
      ...heads,
    ),
  );
  for (const row of panel.rows) grid.append(lineOf(row, panel, borrow, look, tell));
  roving(grid);
  return el("div", { class: "panel" }, words("h3", title), words("p", sub, "sub"), grid);
}

function lineOf(row: MapRow, panel: Panel, borrow: Borrow, look: Look, tell: Tell): HTMLElement {
  const cells = row.shares.map((share, position) => {
    if (panel.key === "decoder" && position > (borrow.deciding ?? 0)) {
      return el("span", {
        role: "gridcell",
        class: "cell later",
        "aria-label": `${visible(panel.columns[position])}${twinPlace(panel.columns, position)}: later than the step`,
      });
    }
    const cell = el("button", { type: "button", role: "gridcell", class: "cell", tabindex: -1 });
    paint(cell, share, look);
    const isLit = borrow.lit.some(([number, place]) => number === row.number && place === position);
    cell.setAttribute("aria-selected", String(isLit));
    const name = `${visible(panel.columns[position])}${twinPlace(panel.columns, position)}, ${row.name}`;
    cell.ariaLabel = `${name}: ${share === null ? "not computed" : fixed(share, 3)}${isLit ? ", borrowed" : ""}`;
    cell.title = `${name}: ${share === null ? "not computed" : fixed(share, 3)}`;
    if (panel.key === "decoder" && position === borrow.deciding) cell.classList.add("deciding");
    cell.addEventListener("click", () => tell("borrowed", { row: row.number, position }));
    return cell;
  });
  return el("div", { role: "row", class: "line" }, words("span", row.name, "name"), ...cells);
}

function paint(cell: HTMLElement, share: number | null, look: Look): void {
  if (share === null) return;
  const ramp = look.ramps[share < 0 ? "minus" : "weight"],
    index = rampIndex(Math.min(1, Math.abs(share)));
  cell.style.background = ramp.fill[index];
  cell.style.color = Math.abs(share) < 0.1 ? look.mute : ramp.text[index];
  if (Math.abs(share) >= LEAST_WRITTEN) cell.textContent = fixed(share, 2);
  cell.classList.toggle("beyond", share > 1.005);
}

function scale(borrow: Borrow, look: Look): HTMLElement {
  const stops = Array.from({ length: 6 }, (_, i) => look.ramps.weight.fill[Math.round(i * 51)]).join(", ");
  return el(
    "div",
    { class: "scale" },
    words("span", "0"),
    words("b", visible(borrow.own), "target"),
    el("i", { style: `background: linear-gradient(90deg, ${stops})` }),
    words("span", "1"),
    words("b", visible(borrow.other), "target"),
  );
}

/** Arrow keys move through the cells of a grid; the Tab key reaches one of them. */
export function roving(grid: HTMLElement): void {
  const lines = [...grid.querySelectorAll<HTMLElement>("[role=row]")]
    .map((line) => [...line.querySelectorAll<HTMLElement>("button")])
    .filter((line) => line.length);
  (
    lines
      .flat()
      .find((cell) => cell.ariaSelected === "true" || cell.getAttribute("aria-pressed") === "true") ??
    lines[0]?.[0]
  )?.setAttribute("tabindex", "0");
  grid.addEventListener("keydown", (event) => {
    const at = lines.findIndex((line) => line.includes(event.target as HTMLElement)),
      column = lines[at]?.indexOf(event.target as HTMLElement) ?? -1;
    if (column < 0) return;
    const go = (row: number, to: number) => () => {
      const line = lines[Math.min(lines.length - 1, Math.max(0, row))],
        next = line[Math.min(line.length - 1, Math.max(0, to))];
      for (const cell of lines.flat()) cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    };
    actOn(event, {
      ArrowLeft: go(at, column - 1),
      ArrowRight: go(at, column + 1),
      ArrowUp: go(at - 1, column),
      ArrowDown: go(at + 1, column),
      Home: go(at, 0),
      End: go(at, lines[at].length - 1),
    });
  });
}

/** The second sentence: those that are offered, and a field for any other. */
export function secondPicker(borrow: Borrow, tell: Tell): HTMLElement {
  const chips = borrow.pairs.map(({ kind, text }) => {
    const chip = el("button", { type: "button", role: "radio", class: "pair", text: safe(kind) });
    chip.title = chip.ariaLabel = `${safe(kind)}: ${safe(text)}`;
    return chip;
  });
  const group = new Chips("Second sentence", chips, (place) => {
    const pair = borrow.pairs[Math.min(chips.length - 1, Math.max(0, place))];
    if (pair && pair.text !== borrow.donor) tell("second", { text: pair.text });
  });
  group.check(borrow.pairs.findIndex(({ text }) => text === borrow.donor));
  const field = el("input", {
    type: "text",
    class: "second",
    "aria-label": "Second sentence",
    placeholder: "any other sentence",
    maxlength: 2000,
  });
  field.value = safe(borrow.donor);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && field.value.trim()) tell("second", { text: field.value.trim() });
    event.stopPropagation();
  });
  return el("div", { class: "seconds" }, words("span", "Second sentence", "label"), group.node, field);
}
