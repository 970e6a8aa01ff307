// The branches: greedy decoding and what followed on forced tokens, step under step, with the probability of each token.

import { button, columnHead, el, svg, table, words } from "../../../browser/shared/elements";
import { fixed, formatProbability } from "../../../browser/shared/numbers";
import { range } from "../../../browser/shared/planes";
import { revealIn } from "../../../browser/shared/sheet";
import { clip, visible, visibleText } from "../../../browser/shared/text";
import { within } from "./data";
import type { BranchRow, WhatIf } from "./data";
import type { Action, Decoding, Part } from "./decoding";

const BIN = "M3.5 3.5l7 7M10.5 3.5l-7 7",
  PEN = "M2.5 11.5l.7-2.8 6-6 2.1 2.1-6 6zM8 4l2 2";

export class Branches implements Part {
  readonly node: HTMLElement;
  private readonly lines = svg("svg", { class: "lines", "aria-hidden": "true" });
  private readonly stage: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly tools: HTMLElement;
  private readonly heads: HTMLElement[];
  private readonly branches: Branch[];
  private now = -1;

  constructor(
    private readonly view: Decoding,
    { branches: rows }: WhatIf,
  ) {
    const count = Math.max(...rows.map((row) => row.tokens.length));
    this.heads = range(count).map((t) => columnHead(`step ${t}`));
    this.branches = rows.map((row) => new Branch(view, row, rows[0], count));
    this.tools = el("td", { class: "tools" });
    const heads = [
      el("td", { class: "name" }, words("h2", "Branches")),
      ...this.heads,
      columnHead("log P", "sum"),
      this.tools,
    ];
    this.stage = el(
      "div",
      { class: "stage" },
      this.lines,
      table(
        "Branches: rows are decodings, columns steps, with the probability of each token",
        heads,
        this.branches.map(({ node }) => node),
        { class: "branches" },
      ),
    );
    const none = words(
      "p",
      "No branch yet. Force a token above: the decoder goes on by itself from there.",
      "none",
    );
    none.hidden = rows.length > 1;
    this.scroller = el(
      "div",
      { class: "scroller", tabindex: "0", role: "region", "aria-label": "All branches" },
      this.stage,
    );
    this.node = el("section", { class: "card tree", "aria-label": "Branches" }, this.scroller, none);
  }

  step(): void {
    const t = this.view.state.step;
    if (t === this.now) return;
    this.mark(t);
    this.revealStep();
  }

  private mark(t: number): void {
    const columns = [this.heads, ...this.branches.map(({ cells }) => cells)];
    for (const column of columns) {
      column[this.now]?.classList.remove("now");
      column[t]?.classList.add("now");
    }
    this.now = t;
  }

  /** Scrolls the card to the step of the branch that is shown. */
  private revealStep(): void {
    const shown = this.branches.find(({ row }) => row.shown),
      node = shown?.chips[this.now] ?? this.heads[this.now],
      [head] = this.heads;
    if (node) revealIn(this.scroller, node, { top: head.offsetHeight, right: this.tools.offsetWidth });
  }

  layout(): void {
    // In the frame that shows the chips: asked before, their places would cost a layout of their own.
    requestAnimationFrame(() => {
      this.drawLines();
      this.revealStep();
    });
  }

  /** The lines behind the chips: greedy runs through, a branch leaves it before the first token that differs. */
  private drawLines(): void {
    const { view, stage, lines } = this;
    if (view.size.phone || !stage.isConnected) return lines.replaceChildren();
    const origin = stage.getBoundingClientRect();
    const at = (chip: HTMLElement): Chip => {
      const box = chip.getBoundingClientRect();
      return {
        left: box.left - origin.left,
        right: box.right - origin.left,
        middle: (box.top + box.bottom) / 2 - origin.top,
      };
    };
    lines.setAttribute("width", String(stage.scrollWidth));
    lines.setAttribute("height", String(stage.offsetHeight));
    const trunk = this.branches[0].chips.map(at),
      root = { x: trunk[0].left - 22, y: trunk[0].middle };
    const paths = this.branches.map(({ row, chips }, i) => {
      const own = chips.filter((chip) => !chip.classList.contains("shared")).map(at),
        to = own.at(-1);
      const d = !to
        ? ""
        : i
          ? bentPath(root, trunk[(row.differs ?? 0) - 1], own[0], to)
          : `M${root.x} ${root.y}H${to.left}`;
      return svg("path", { d, class: row.shown ? "shown" : "" });
    });
    lines.replaceChildren(...paths, svg("circle", { cx: root.x, cy: root.y, r: 3.5 }));
  }

  /** Takes the focus to the branch that was opened or named; false where it is gone. */
  focus(action: Action): boolean {
    const prefix = "prefix" in action ? JSON.stringify(action.prefix) : null;
    const branch =
      action.kind === "remove"
        ? this.branches[0]
        : this.branches.find(({ row }) => JSON.stringify(row.prefix) === prefix);
    branch?.open.focus({ preventScroll: true });
    return branch !== undefined;
  }
}

/** A token's place in the picture. */
interface Chip {
  left: number;
  right: number;
  middle: number;
}

/** From where a branch leaves the trunk, behind the last token that both have if there is one, through its own tokens. */
function bentPath(root: { x: number; y: number }, before: Chip | undefined, from: Chip, to: Chip): string {
  const x = before ? Math.min(before.right, from.left - 18) : root.x,
    bend = from.left - 8;
  return `M${x} ${root.y}C${bend} ${root.y} ${x} ${from.middle} ${bend + 8} ${from.middle}H${to.left}`;
}

/** A decoding as a row of the table. */
class Branch {
  readonly node: HTMLElement;
  readonly open: HTMLElement;
  readonly chips: HTMLElement[] = [];
  readonly cells: HTMLElement[];

  constructor(
    private readonly view: Decoding,
    readonly row: BranchRow,
    private readonly greedy: BranchRow,
    count: number,
  ) {
    const label = visibleText(row.label);
    this.open = button(
      { class: "open", text: clip(label, 28), title: label, "aria-label": `Open ${label}` },
      () => {
        if (!row.shown) this.go(view.state.step);
      },
    );
    if (row.shown) this.open.setAttribute("aria-current", "true");
    this.cells = range(count).map((t) => (t < row.tokens.length ? this.cell(t) : el("td")));
    const away = row.log_prob - greedy.log_prob,
      beside = row === greedy ? "" : `${away > 0 ? "+" : ""}${fixed(away, 2)} to greedy`;
    const sum = el(
      "td",
      { class: "sum" },
      words("b", fixed(row.log_prob, 3)),
      words("span", beside),
      words("span", row.ended ? "" : "stopped by the limit"),
    );
    const name = el("th", { scope: "row" }, this.open),
      tools = el("td", { class: "tools" });
    // Greedy decoding keeps its name and its place.
    if (row.prefix.length) this.addTools(name, tools, label);
    this.node = el("tr", { class: row.shown ? "shown" : "" }, name, ...this.cells, sum, tools);
  }

  private go(t: number): void {
    this.view.act({ kind: "open", prefix: this.row.prefix, step: within(t, this.row.tokens.length - 1) });
  }

  private cell(t: number): HTMLElement {
    const { row, view } = this,
      token = visible(row.tokens[t]),
      chip = el("span", { class: "token", text: clip(token, 24), title: token });
    if (row.differs !== null && t < row.differs) chip.classList.add("shared");
    if (row.forced[t]) chip.classList.add("forced");
    if (row.tokens[t] !== this.greedy.tokens[t]) chip.classList.add("other");
    if (t === row.differs) chip.append(words("span", ", first difference", "unseen"));
    this.chips.push(chip);
    const cell = el("td", { class: "step" }, chip, words("em", formatProbability(row.probs[t])));
    cell.addEventListener("click", () => (row.shown ? view.go(t) : this.go(t)));
    return cell;
  }

  /** Naming and removing. */
  private addTools(name: HTMLElement, tools: HTMLElement, label: string): void {
    const {
      view,
      open,
      row: { prefix, name: given },
    } = this;
    const field = el("input", {
      type: "text",
      maxlength: "40",
      class: "name",
      "aria-label": `Name of ${label}`,
      title: "Enter keeps the name",
    });
    const edit = (isEdited: boolean) => {
      field.hidden = !isEdited;
      open.hidden = isEdited;
    };
    const rename = tool("Rename", label, PEN, () => {
      field.value = given;
      edit(true);
      field.focus();
    });
    field.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" && key !== "Enter") return;
      edit(false);
      rename.focus();
      const text = field.value.trim();
      if (key === "Enter" && text !== given) view.act({ kind: "name", prefix, name: text });
    });
    field.addEventListener("blur", () => edit(false));
    edit(false);
    name.append(field);
    tools.append(
      rename,
      tool("Remove", label, BIN, () => view.act({ kind: "remove", prefix })),
    );
  }
}

function tool(name: string, label: string, path: string, act: () => void): HTMLElement {
  return button(
    { class: "tool", "aria-label": `${name} ${label}`, title: name },
    act,
    svg("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, svg("path", { d: path })),
  );
}
