// What the node that is looked at adds up to, the n-best list, and all nodes as a table.

const MOST_TERMS = 12;

function buildDetails(view) {
  const { tree } = view;
  const text = words("b", "", "text"), fate = el("span"), sum = el("p", { class: "sum" }), score = el("p", { class: "sum" });
  const open = el("button", { type: "button", class: "action", text: "Open in Step by step" });
  open.addEventListener("click", () => view.open(view.state.cursor));
  const node = el("div", { class: "details" }, el("div", {}, el("p", {}, text, " ", fate), sum, score), open);

  function show(at) {
    const path = tree.path(at), length = at.step + 1;
    setText(text, at.text === "" ? "nothing yet" : at.text);
    setText(fate, `${at.ended ? "and the end, " : ""}${fateOf(at, tree)}`);
    const terms = path.map((one) => fixed(one.tokenLogProb, 3));
    const left = terms.length - MOST_TERMS;
    const shown = left > 0 ? [...terms.slice(0, MOST_TERMS - 1), `… (${left} more)`, terms.at(-1)] : terms;
    setText(sum, `log P = ${shown.join(" + ")} = ${fixed(at.logProb, 3)}`.replaceAll("+ −", "− "));
    score.replaceChildren("score = ", fixed(at.logProb, 3), ` / ((5 + ${length}) / 6)`,
      words("sup", alphaOf(tree)), ` = ${fixed(at.score, 3)}`);
  }
  /** Room for the longest sum, so that looking around moves nothing. */
  function layout() {
    node.style.minHeight = "";
    const longest = tree.nodes.reduce((a, b) => (b.step + b.text.length / 8 > a.step + a.text.length / 8 ? b : a));
    show(longest);
    node.style.minHeight = `${node.offsetHeight}px`;
    light();
  }
  function light() { show(view.looked()); }
  return { node, layout, light };
}

function alphaOf(tree) { return String(tree.length_penalty); }

function buildList(view) {
  const { tree } = view;
  const names = [["rank", ""], ["output", ""], ["tokens", "number"], ["log P", "number"], ["score", "number"], ["", ""]];
  const head = el("tr", {}, ...names.map(([text, name]) => el(text ? "th" : "td", text ? { scope: "col", class: name, text } : {})));
  const rows = tree.n_best.map((i, place) => listRow(view, tree.nodes[i], String(place + 1), i === tree.last.index ? "greedy’s" : ""));
  const same = tree.n_best.indexOf(tree.last.index);
  const greedy = listRow(view, tree.last, "greedy", same < 0 ? "not in the list" : `the same as rank ${same + 1}`);
  greedy.classList.add("apart");
  const table = el("table", { class: "list" }, words("caption", "The n-best list, and greedy’s output", "unseen"),
    el("thead", {}, head), el("tbody", {}, ...rows, greedy));
  const formula = el("p", { class: "formula" }, "score = log P / ((5 + |y|) / 6)", words("sup", alphaOf(tree)));
  const note = words("p", "|y| counts the tokens, the end among them. The exponent is the length penalty α: 0 compares by log P alone, more favours longer outputs.", "note");
  return el("section", { class: "card", "aria-label": "n-best list" },
    el("header", {}, el("div", {}, words("h2", "n-best list"), words("p", "the best outputs found, by score")), formula),
    el("div", { class: "wide-table" }, table), note);
}

function listRow(view, node, name, remark) {
  const open = el("button", { type: "button", class: "quiet", text: "Open", "aria-label": `Open ${name === "greedy" ? "greedy’s output" : `rank ${name}`} in Step by step` });
  open.addEventListener("click", () => view.open(node));
  const output = el("td", { class: "output" }, words("span", node.text || "∅"));
  const remarks = [remark, node.ended ? "" : "not ended"].filter(Boolean).join(", ");
  if (remarks) output.append(" ", words("em", remarks));
  const number = (text) => words("td", text, "number");
  const row = el("tr", {}, el("th", { scope: "row", text: name }), output, number(formatCount(node.step + 1)),
    number(fixed(node.logProb, 3)), number(fixed(node.score, 3)), el("td", { class: "act" }, open));
  row.addEventListener("pointerenter", () => view.hover(node));
  row.addEventListener("pointerleave", () => view.hover(null));
  return row;
}

/** Every node of the tree with its numbers; made only when somebody asks for it. */
function buildTable(view) {
  const { tree } = view;
  const node = el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": "Table of the nodes" });
  const names = ["step", "rank", "text so far", "token", "P", "log P", "score", "fate"];
  function show() {
    node.hidden = !view.opened.has("nodes");
    if (node.hidden || node.childElementCount) return;
    const body = [...tree.nodes].sort((a, b) => a.step - b.step || (a.rank ?? Infinity) - (b.rank ?? Infinity)).map((at) =>
      el("tr", {}, words("td", at.step), words("td", at.rank ?? "–"), words("th", at.text || "∅"), words("td", at.token),
        words("td", formatProbability(Math.exp(at.tokenLogProb))), words("td", fixed(at.logProb, 3)), words("td", fixed(at.score, 3)), words("td", at.fate)));
    node.append(el("table", {}, el("thead", {}, el("tr", {}, ...names.map((name) => el("th", { scope: "col", text: name })))), el("tbody", {}, ...body)));
  }
  show();
  return { node, button: tableButton(view.opened, "nodes", show) };
}
