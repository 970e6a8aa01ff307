// The branches: greedy decoding and what followed on forced tokens, step under step, with the probability of each token.

const BIN = "M3.5 3.5l7 7M10.5 3.5l-7 7", PEN = "M2.5 11.5l.7-2.8 6-6 2.1 2.1-6 6zM8 4l2 2";

function buildBranches(view) {
  const rows = view.trace.what_if.branches, greedy = rows[0];
  const count = Math.max(...rows.map((row) => row.tokens.length));
  const lines = svg("svg", { class: "lines", "aria-hidden": "true" });
  const heads = Array.from({ length: count }, (_, t) => el("th", { scope: "col", text: `step ${t}` }));
  const bodies = rows.map((row) => buildBranch(view, row, greedy, count));
  const copy = buildCopyLink(view);
  const head = el("tr", {}, el("td", { class: "name" }, words("h2", "Branches")), ...heads,
    el("th", { scope: "col", class: "sum", text: "log P" }), el("td", { class: "tools" }, copy.button));
  const table = el("table", { class: "branches" },
    words("caption", "Branches: rows are decodings, columns steps, with the probability of each token", "unseen"),
    el("thead", {}, head), el("tbody", {}, ...bodies.map((body) => body.node)));
  const stage = el("div", { class: "stage" }, lines, table);
  const none = words("p", "No branch yet. Force a token above: the decoder goes on by itself from there.", "none");
  none.hidden = rows.length > 1;
  const node = el("section", { class: "card tree", "aria-label": "Branches" },
    el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "All branches" }, stage), none, copy.said);

  let now = -1;
  function step() {
    const t = view.state.step;
    if (t === now) return;
    for (const [index, on] of [[now, false], [t, true]]) {
      heads[index]?.classList.toggle("now", on);
      for (const body of bodies) body.cells[index]?.classList.toggle("now", on);
    }
    now = t;
  }
  /** The lines behind the chips: greedy runs through, a branch leaves it before the first token that differs. */
  function layout() {
    // In the frame that shows the chips: asked before, their places would cost a layout of their own.
    requestAnimationFrame(drawLines);
  }
  function drawLines() {
    if (view.size.phone || !stage.isConnected) return lines.replaceChildren();
    const origin = stage.getBoundingClientRect();
    const at = (chip) => {
      const box = chip.getBoundingClientRect();
      return { left: box.left - origin.left, right: box.right - origin.left, middle: (box.top + box.bottom) / 2 - origin.top };
    };
    lines.setAttribute("width", stage.scrollWidth);
    lines.setAttribute("height", stage.offsetHeight);
    const trunk = bodies[0].chips.map(at), root = { x: trunk[0].left - 22, y: trunk[0].middle };
    const paths = bodies.map((body, i) => {
      const own = body.chips.filter((chip) => !chip.classList.contains("shared")).map(at);
      const end = own[own.length - 1], row = rows[i];
      if (!end) return "";
      if (!i) return `M${root.x} ${root.y}H${end.left}`;
      const before = trunk[(row.differs ?? 0) - 1];
      const x = before ? Math.min(before.right, own[0].left - 18) : root.x, bend = own[0].left - 8;
      return `M${x} ${root.y}C${bend} ${root.y} ${x} ${own[0].middle} ${bend + 8} ${own[0].middle}H${end.left}`;
    });
    lines.replaceChildren(...paths.map((d, i) => svg("path", { d, class: rows[i].shown ? "shown" : "" })),
      svg("circle", { cx: root.x, cy: root.y, r: 3.5 }));
  }
  /** Takes the focus to the branch that was opened or named; false where it is gone. */
  function focus({ kind, prefix }) {
    const same = (row) => JSON.stringify(row.prefix) === JSON.stringify(prefix);
    const body = bodies[kind === "remove" ? 0 : rows.findIndex(same)];
    body?.open.focus({ preventScroll: true });
    return body !== undefined;
  }
  return { node, step, layout, focus };
}

function buildBranch(view, row, greedy, count) {
  const label = visible(row.label).replaceAll("␣", " ");
  const go = (t) => view.act({ kind: "open", prefix: row.prefix, step: within(t, row.tokens.length - 1) });
  const open = el("button", { type: "button", class: "open", text: clip(label, 28), title: label, "aria-label": `Open ${label}` });
  open.addEventListener("click", () => { if (!row.shown) go(view.state.step); });
  if (row.shown) open.setAttribute("aria-current", "true");
  const chips = [];
  const cells = Array.from({ length: count }, (_, t) => {
    if (t >= row.tokens.length) return el("td");
    const token = visible(row.tokens[t]), chip = el("span", { class: "token", text: clip(token, 24), title: token });
    if (row.differs !== null && t < row.differs) chip.classList.add("shared");
    if (row.forced[t]) chip.classList.add("forced");
    if (row.tokens[t] !== greedy.tokens[t]) chip.classList.add("other");
    chips.push(chip);
    const cell = el("td", { class: "step" }, chip, words("em", formatProbability(row.probs[t])));
    if (t === row.differs) chip.append(words("span", ", first difference", "unseen"));
    cell.addEventListener("click", () => (row.shown ? view.go(t) : go(t)));
    return cell;
  });
  const away = row.log_prob - greedy.log_prob;
  const beside = row === greedy ? "" : `${away > 0 ? "+" : ""}${fixed(away, 2)} to greedy`;
  const sum = el("td", { class: "sum" }, words("b", fixed(row.log_prob, 3)), words("span", beside),
    words("span", row.ended ? "" : "stopped by the limit"));
  const name = el("th", { scope: "row" }, open), tools = buildBranchTools(view, row, label, open);
  const node = el("tr", { class: row.shown ? "shown" : "" }, name, ...cells, sum, tools);
  return { node, cells, chips, open };
}

/** Naming and removing; greedy decoding keeps its name and its place. */
function buildBranchTools(view, row, label, open) {
  const node = el("td", { class: "tools" });
  if (!row.prefix.length) return node;
  const tool = (name, path, act) => {
    const button = el("button", { type: "button", class: "tool", "aria-label": `${name} ${label}`, title: name },
      svg("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, svg("path", { d: path })));
    button.addEventListener("click", act);
    return button;
  };
  const field = el("input", { type: "text", maxlength: "40", class: "name", "aria-label": `Name of ${label}`, title: "Enter keeps the name" });
  field.hidden = true;
  open.after(field);
  const close = () => { field.hidden = true; open.hidden = false; };
  const rename = tool("Rename", PEN, () => {
    field.value = row.name;
    field.hidden = false;
    open.hidden = true;
    field.focus();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { close(); rename.focus(); }
    if (event.key !== "Enter") return;
    close();
    rename.focus();
    if (field.value.trim() !== row.name) view.act({ kind: "name", prefix: row.prefix, name: field.value.trim() });
  });
  field.addEventListener("blur", close);
  const remove = tool("Remove", BIN, () => view.act({ kind: "remove", prefix: row.prefix }));
  node.append(rename, remove);
  return node;
}
