// The cross-attention card: which matrix this is, the picture with its heads, and the numbers in words and as a table.

function buildAttention(view) {
  const { trace } = view;
  const heads = buildHeads(view), matrix = buildMatrix(view, heads), table = buildNumbers(view);
  const what = el("span"), shape = el("span", { class: "shape" }), site = el("code", { class: "site" });
  const gold = el("button", { type: "button", class: "switch", role: "switch", "aria-describedby": "gold-note" },
    el("i"), "Gold alignment");
  gold.addEventListener("click", () => view.setOverlay(!view.state.overlay));
  const query = el("b", { class: "target" }), key = el("b", { class: "source" }), value = el("b");
  const sentence = el("span", {}, query, " reads ", key, " with weight ", value);
  const open = el("button", { type: "button", class: "link", text: "Table", "aria-expanded": "false" });
  const note = el("p", { class: "note", id: "gold-note" }), beyond = el("span", { class: "beyond" });
  const legend = el("div", { class: "legend", "aria-hidden": "true" },
    el("i"), words("span", "0"), words("span", "weight"), words("span", "1"), beyond);
  const node = el("section", { class: "card attention", "aria-label": "Cross-attention" },
    el("header", {}, el("div", {}, words("h2", "Cross-attention"), el("p", {}, what, shape), el("p", {}, site)), gold),
    matrix.node,
    el("div", { class: "readout" }, el("p", {}, sentence, open), legend),
    note, table.node);
  open.addEventListener("click", () => {
    const shown = table.toggle();
    open.setAttribute("aria-expanded", shown);
    setText(open, shown ? "Hide table" : "Table");
  });

  function readout() {
    const { hover, step } = view.state, picked = view.picked();
    const row = hover?.row ?? (hover ? step : picked?.row ?? step);
    const column = hover?.column ?? (hover || !picked ? view.peak(row) : picked.column);
    sentence.classList.toggle("blank", column < 0);
    if (column < 0) return;
    setText(query, clip(trace.output[row], 24));
    setText(key, clip(trace.source[column], 24));
    setText(value, fixed(view.weight(row, column), 4));
  }
  function goldShare() {
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
    setText(shape, `${view.state.step + 1}×${trace.positions} ${trace.dtype}`);
    heads.step();
    matrix.step();
    table.step();
    readout();
    goldShare();
  }
  function choice() {
    const { layer, head, overlay } = view.state;
    setText(what, `decoder layer ${layer}, ${headName(head, trace.heads)}, `);
    setText(site, trace.site.replace("{layer}", layer));
    gold.setAttribute("aria-checked", overlay);
    gold.setAttribute("aria-disabled", !trace.gold);
    let outside = 0, broken = 0;
    for (const weight of trace.matrix(layer, head)) {
      if (Number.isNaN(weight)) broken++;
      else if (weight < 0 || weight > 1.00001) outside++;
    }
    const odd = [];
    if (outside) odd.push(`${plural(outside, "value")} beyond 0 to 1`);
    if (broken) odd.push(`${formatCount(broken)} not a number (×)`);
    setText(beyond, odd.join(", "));
    heads.matrix();
    matrix.matrix();
    table.matrix();
    readout();
    goldShare();
  }
  function layout() { matrix.layout(); heads.layout(); choice(); step(); }
  function hover() { matrix.hover(); readout(); }
  return { node, layout, step, matrix: choice, hover, cells: matrix.cells, reveal: matrix.reveal };
}

/** The same numbers as an HTML table; built when first asked for, and only ever shown up to the current step. */
function buildNumbers(view) {
  const { trace } = view;
  const node = el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": "Table of the weights" });
  node.hidden = true;
  let rows = null;
  function build() {
    const columns = trace.source.map((token) => el("th", { scope: "col", class: "source", text: clip(token, 24) }));
    rows = trace.output.map((token) => {
      const values = trace.source.map(() => el("td"));
      return { values, node: el("tr", {}, el("th", { scope: "row", class: "target", text: clip(token, 24) }), ...values) };
    });
    node.append(el("table", {}, words("caption", "Rows are the tokens produced, columns the source tokens", "unseen"),
      el("thead", {}, el("tr", {}, el("td"), ...columns)), el("tbody", {}, ...rows.map((row) => row.node))));
  }
  function matrix() {
    if (node.hidden) return;
    rows.forEach((row, t) => row.values.forEach((cell, j) => setText(cell, fixed(view.weight(t, j), 4))));
  }
  function step() {
    if (node.hidden) return;
    rows.forEach((row, t) => {
      row.node.hidden = t > view.state.step;
      row.node.classList.toggle("now", t === view.state.step);
    });
  }
  function toggle() {
    if (!rows) build();
    node.hidden = !node.hidden;
    matrix();
    step();
    return !node.hidden;
  }
  return { node, matrix, step, toggle };
}
