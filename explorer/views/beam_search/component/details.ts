// What the node that is looked at adds up to, the n-best list, and all nodes as a table.

import { button, columnHead, el, setText, words } from "../../../browser/shared/elements";
import { fixed, formatCount, formatProbability } from "../../../browser/shared/numbers";
import { tableButton } from "../../../browser/shared/table_button";
import type { Beam } from "./beam";
import { fateOf, pathTo } from "./tree";
import type { Tree, TreeNode } from "./tree";

const MOST_TERMS = 12;
const COLUMNS = ["step", "rank", "text so far", "token", "P", "log P", "score", "fate"];

/** The sum and the score of the node that is looked at. */
export class Details {
  readonly node: HTMLElement;
  private readonly text = words("b", "", "text");
  private readonly fate = el("span");
  private readonly sum = el("p", { class: "sum" });
  private readonly score = el("p", { class: "sum" });

  constructor(private readonly beam: Beam) {
    const open = button({ class: "action", text: "Open in Step by step" }, () =>
      beam.open(beam.state.cursor),
    );
    this.node = el(
      "div",
      { class: "details" },
      el("div", {}, el("p", {}, this.text, " ", this.fate), this.sum, this.score),
      open,
    );
  }

  private show(at: TreeNode): void {
    const { tree } = this.beam;
    setText(this.text, at.text === "" ? "nothing yet" : at.text);
    setText(this.fate, `${at.ended ? "and the end, " : ""}${fateOf(at, tree)}`);
    setText(this.sum, sumText(tree, at));
    this.score.replaceChildren(
      "score = ",
      fixed(at.logProb, 3),
      ` / ((5 + ${at.step + 1}) / 6)`,
      words("sup", tree.length_penalty),
      ` = ${fixed(at.score, 3)}`,
    );
  }

  /** Room for the longest sum, so that looking around moves nothing. */
  layout(): void {
    const length = (node: TreeNode) => node.step + node.text.length / 8;
    this.node.style.minHeight = "";
    this.show(this.beam.tree.nodes.reduce((a, b) => (length(b) > length(a) ? b : a)));
    this.node.style.minHeight = `${this.node.offsetHeight}px`;
    this.light();
  }

  light(): void {
    this.show(this.beam.looked());
  }
}

/** The log-probabilities of a node's path and their sum; of a long path the first ones and the last. */
function sumText(tree: Tree, at: TreeNode): string {
  const terms = pathTo(tree, at).map((one) => fixed(one.tokenLogProb, 3)),
    nLeft = terms.length - MOST_TERMS;
  const shown =
    nLeft > 0 ? [...terms.slice(0, MOST_TERMS - 1), `… (${nLeft} more)`, terms[terms.length - 1]] : terms;
  return `log P = ${shown.join(" + ")} = ${fixed(at.logProb, 3)}`.replaceAll("+ −", "− ");
}

/** The best outputs found, and greedy's. */
export function buildList(beam: Beam): HTMLElement {
  const { tree } = beam,
    same = tree.n_best.indexOf(tree.last.index);
  const rows = tree.n_best.map((i, place) =>
    listRow(beam, tree.nodes[i], String(place + 1), i === tree.last.index ? "greedy’s" : ""),
  );
  const greedy = listRow(
    beam,
    tree.last,
    "greedy",
    same < 0 ? "not in the list" : `the same as rank ${same + 1}`,
  );
  greedy.classList.add("apart");
  const table = el(
    "table",
    { class: "list" },
    words("caption", "The n-best list, and greedy’s output", "unseen"),
    listHead(),
    el("tbody", {}, ...rows, greedy),
  );
  const formula = el(
    "p",
    { class: "formula" },
    "score = log P / ((5 + |y|) / 6)",
    words("sup", tree.length_penalty),
  );
  const note =
    "|y| counts the tokens, EOS among them. The exponent is the length penalty α: 0 compares by log P alone, " +
    "more favours longer outputs.";
  return el(
    "section",
    { class: "card", "aria-label": "n-best list" },
    el(
      "header",
      {},
      el("div", {}, words("h2", "n-best list"), words("p", "the best outputs found, by score")),
      formula,
    ),
    el("div", { class: "wide-table" }, table),
    words("p", note, "note"),
  );
}

function listHead(): HTMLElement {
  return el(
    "thead",
    {},
    el(
      "tr",
      {},
      columnHead("rank"),
      columnHead("output"),
      columnHead("tokens", "number"),
      columnHead("log P", "number"),
      columnHead("score", "number"),
      el("td"),
    ),
  );
}

function listRow(beam: Beam, node: TreeNode, name: string, remark: string): HTMLElement {
  const label = `Open ${name === "greedy" ? "greedy’s output" : `rank ${name}`} in Step by step`;
  const open = button({ class: "quiet", text: "Open", "aria-label": label }, () => beam.open(node));
  const output = el("td", { class: "output" }, words("span", node.text || "∅"));
  const remarks = [remark, node.ended ? "" : "not ended"].filter(Boolean).join(", ");
  if (remarks) output.append(" ", words("em", remarks));
  const number = (text: string) => words("td", text, "number");
  const row = el(
    "tr",
    {},
    el("th", { scope: "row", text: name }),
    output,
    number(formatCount(node.step + 1)),
    number(fixed(node.logProb, 3)),
    number(fixed(node.score, 3)),
    el("td", { class: "act" }, open),
  );
  row.addEventListener("pointerenter", () => beam.hover(node));
  row.addEventListener("pointerleave", () => beam.hover(null));
  return row;
}

/** Every node of the tree with its numbers; made only when somebody asks for it. */
export function buildTable(beam: Beam): { node: HTMLElement; button: HTMLElement } {
  const node = el("div", {
    class: "numbers",
    tabindex: "0",
    role: "region",
    "aria-label": "Table of the nodes",
  });
  function show(): void {
    node.hidden = !beam.opened.has("nodes");
    if (!node.hidden && !node.childElementCount) node.append(nodeTable(beam.tree));
  }
  show();
  return { node, button: tableButton(beam.opened, "nodes", show) };
}

function nodeTable({ nodes }: Tree): HTMLElement {
  const cell = (text: string | number) => words("td", text);
  const rank = (node: TreeNode) => node.rank ?? Infinity;
  const sorted = [...nodes].sort((a, b) => a.step - b.step || rank(a) - rank(b));
  const rows = sorted.map((at) =>
    el(
      "tr",
      {},
      cell(at.step),
      cell(at.rank ?? "–"),
      words("th", at.text || "∅"),
      cell(at.token),
      cell(formatProbability(Math.exp(at.tokenLogProb))),
      cell(fixed(at.logProb, 3)),
      cell(fixed(at.score, 3)),
      cell(at.fate),
    ),
  );
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...COLUMNS.map((text) => columnHead(text)))),
    el("tbody", {}, ...rows),
  );
}
