// The attention card: which of the three attentions, the picture with its heads, and the numbers in words and as a table.

const ATTENTIONS = [["encoder", "Encoder"], ["self", "Decoder"], ["cross", "Cross"]];

const MEAN_IS_DERIVED = "Choose one head to have a number explained.";

function buildAttention(view) {
  const { trace } = view;
  const title = el("h2"), what = el("span"), shape = el("span", { class: "shape" }), site = el("code", { class: "site" });
  const segments = ATTENTIONS.map(([name, text]) => {
    const node = el("button", { type: "button", text });
    node.addEventListener("click", () => view.setAttention(name));
    return { node, name };
  });
  const choice = el("div", { class: "segments", role: "group", "aria-label": "Attention" }, ...segments.map((s) => s.node));
  const gold = el("button", { type: "button", class: "switch", role: "switch", "aria-describedby": "gold-note" },
    el("i"), "Gold alignment");
  gold.addEventListener("click", () => view.setOverlay(!view.state.overlay));
  const query = el("b"), key = el("b"), value = el("b"), reads = el("span"), tail = el("span");
  const sentence = el("span", {}, query, reads, key, tail, value);
  const open = tableButton(view.opened, "weights", () => table.show());
  const why = el("span", { class: "why" });
  const explain = el("button", { type: "button", class: "link", text: "Explain this number" });
  // The cell that was picked stays picked: its canvas keeps the focus.
  explain.addEventListener("pointerdown", (event) => event.preventDefault());
  explain.addEventListener("click", () => view.explainWeight(pointed()));
  const note = el("p", { class: "note", id: "gold-note" }), beyond = el("span", { class: "beyond" });
  const legend = el("div", { class: "legend", "aria-hidden": "true" },
    el("i"), words("span", "0"), words("span", "weight"), words("span", "1"), beyond);
  const place = el("div", { class: "picture-place" }), tablePlace = el("div");
  const node = el("section", { class: "card attention" },
    el("header", {}, title, el("div", { class: "choices" }, choice, gold), el("p", {}, what, shape, " ", site)),
    place,
    el("div", { class: "readout" }, el("p", {}, sentence, explain, open, why), legend),
    note, tablePlace);
  // A plane is built when it is first looked at, and kept: the way back costs nothing.
  const built = new Map();
  let plane = null, heads = null, matrix = null, table = null;

  function take() {
    if (plane === view.plane) return false;
    plane = view.plane;
    if (!built.has(plane)) {
      const ownHeads = buildHeads(view, plane);
      built.set(plane, { heads: ownHeads, matrix: buildMatrix(view, plane, ownHeads), table: buildNumbers(view, plane) });
    }
    ({ heads, matrix, table } = built.get(plane));
    place.replaceChildren(matrix.node);
    tablePlace.replaceChildren(table.node);
    table.show();
    query.className = plane.rowSide;
    key.className = plane.columnSide;
    return true;
  }
  /** The cell that the readout is about; column -1 where a row has none. */
  function pointed() {
    const { hover } = view.state, now = view.row(), picked = view.picked();
    const row = hover?.row ?? (hover ? now : picked?.row ?? now);
    const column = hover?.cell ? hover.column : hover ? (hover.row === undefined ? hover.column : view.peak(row)) : picked?.column ?? -1;
    return { row, column };
  }
  function readout() {
    const { row, column } = pointed();
    sentence.classList.toggle("blank", column < 0);
    if (column < 0) return;
    const masked = plane.masked(row, column);
    setText(query, clip(plane.rowName(row), 40));
    setText(reads, masked ? " cannot read " : " reads ");
    setText(key, clip(plane.columns[column], 24));
    setText(tail, masked ? ": " : " with weight ");
    setText(value, masked ? "masked" : fixed(view.weight(row, column), 4));
  }
  function remark() {
    if (plane !== trace.planes.cross) return setText(note, plane.note);
    if (!trace.gold) return setText(note, trace.gold_note || "No gold alignment is known for this sentence.");
    if (!view.state.overlay) return setText(note, "");
    const rows = trace.gold.slice(0, view.state.step + 1);
    const known = rows.filter((row) => row.length).length;
    const right = rows.filter((row, t) => row.includes(view.peak(t))).length;
    const sofar = view.state.step < trace.steps - 1 ? " so far" : "";
    const among = known === rows.length ? plural(known, "row") : `the ${plural(known, "row")} with a gold word`;
    setText(note, known ? `${right} of ${among}${sofar} put their largest weight on a gold word. ${trace.gold_note}`.trim()
      : `No row${sofar} has a gold word. ${trace.gold_note}`.trim());
  }
  function step() {
    setText(shape, `${view.rowsSeen()}×${plane.width} ${trace.dtype}`);
    heads.step();
    matrix.step();
    table.step();
    readout();
    remark();
  }
  function describe() {
    const { layer, head, overlay } = view.state, cross = plane === trace.planes.cross;
    node.setAttribute("aria-label", plane.title);
    setText(title, plane.title);
    setText(what, `${plane.stack} layer ${layer}, ${headName(head, plane.heads)}, `);
    site.title = plane.site.replace("{layer}", layer);
    setText(site, site.title);
    for (const segment of segments) segment.node.setAttribute("aria-pressed", segment.name === view.state.attention);
    setHidden(explain, head === null, view.root);   // a mean over heads is not a recorded number
    setText(why, head === null ? MEAN_IS_DERIVED : "");
    setHidden(gold, !cross, view.root);
    gold.setAttribute("aria-checked", overlay);
    gold.setAttribute("aria-disabled", !trace.gold);
    let outside = 0, broken = 0;
    for (const weight of view.weights) {
      if (Number.isNaN(weight)) broken++;
      else if (weight < 0 || weight > 1.00001) outside++;
    }
    const odd = [];
    if (outside) odd.push(`${plural(outside, "value")} beyond 0 to 1`);
    if (broken) odd.push(`${formatCount(broken)} not a number (×)`);
    setText(beyond, odd.join(", "));
  }
  function choose() {
    if (take()) return layout();
    describe();
    heads.matrix();
    matrix.matrix();
    table.matrix();
    readout();
    remark();
  }
  function layout() {
    take();
    describe();
    matrix.layout();
    heads.layout();
    table.matrix();
    step();
  }
  function hover() { matrix.hover(); readout(); }
  return {
    node, layout, step, matrix: choose, hover,
    isCells: (target) => target === matrix?.cells, reveal: (cell) => matrix.reveal(cell),
  };
}

/** The same numbers as an HTML table; built when first asked for, and only ever shown up to the current step. */
function buildNumbers(view, plane) {
  const node = el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": "Table of the weights" });
  node.hidden = true;
  let rows = null;
  function build() {
    const head = (scope, side, token) => el("th", { scope, class: side, text: clip(token, 24) });
    const columns = plane.columns.map((token) => head("col", plane.columnSide, token));
    rows = plane.rows.map((_, row) => {
      const values = plane.columns.map(() => el("td"));
      return { values, node: el("tr", {}, el("th", { scope: "row", class: plane.rowSide, text: plane.rowHeading(row) }), ...values) };
    });
    node.append(el("table", {}, words("caption", `Rows are ${plane.rowWords}, columns ${plane.columnWords}`, "unseen"),
      el("thead", {}, el("tr", {}, el("td"), ...columns)), el("tbody", {}, ...rows.map((row) => row.node))));
  }
  function matrix() {
    if (node.hidden) return;
    const text = (t, j) => (plane.masked(t, j) ? "masked" : fixed(view.weight(t, j), 4));
    rows.forEach((row, t) => row.values.forEach((cell, j) => setText(cell, text(t, j))));
  }
  function step() {
    if (node.hidden) return;
    rows.forEach((row, t) => {
      row.node.hidden = t >= view.rowsSeen();
      row.node.classList.toggle("now", t === view.row());
    });
  }
  function show() {
    const shown = view.opened.has("weights");
    if (shown && !rows) build();
    node.hidden = !shown;
    matrix();
    step();
  }
  return { node, matrix, step, show };
}
