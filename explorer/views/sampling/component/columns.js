// One step as aligned columns: a row for each of the most probable tokens, and all others together.

const SHOWN_ROWS = 15;

function buildColumns(view) {
  const { trace } = view;
  const limit = trace.vocabulary.length - trace.never.length;
  // One single token is not worth a row that calls it "others".
  const count = limit === SHOWN_ROWS + 1 ? limit : Math.min(SHOWN_ROWS, limit);
  const cell = (name) => words("td", "", name);
  const rows = Array.from({ length: count }, () => {
    const token = el("span", { class: "token" }), bar = words("i", "", "bar"), part = words("i", "", "part");
    const row = { token, bar, part, logit: cell("number"), scaled: cell("number"), topK: cell("kept"), topP: cell("kept"),
      p: cell("number"), end: cell("number end"), tag: cell("tag"), id: null };
    row.node = el("tr", {}, el("th", { scope: "row" }, token), row.logit, row.scaled, row.topK, row.topP,
      el("td", { class: "share" }, bar), row.p, el("td", { class: "line" }, el("span", { class: "rail" }, part)), row.end, row.tag);
    row.node.addEventListener("pointerenter", () => view.hover(row.id));
    row.node.addEventListener("pointerleave", () => view.hover(null));
    return row;
  });
  const rest = { topK: cell("kept"), topP: cell("kept"), p: cell("number"), bar: words("i", "", "bar") };
  const last = el("tr", { class: "others" }, el("th", { scope: "row", colspan: 3, text: `${plural(limit - count, "other")} together` }),
    rest.topK, rest.topP, el("td", { class: "share" }, rest.bar), rest.p, el("td", { class: "line" }), cell("end"), cell("tag"));
  last.hidden = limit === count;
  const column = (text, name = "") => el("th", { scope: "col", class: name, text });
  const head = { scaled: column("", "number"), topK: column("", "kept"), topP: column("", "kept") };
  const widths = ["token", "logit", "logit", "keep", "keep", "share", "prob", "line", "end", "tag"];
  const table = el("table", { class: "columns" }, words("caption", "From logits to probabilities", "unseen"),
    el("colgroup", {}, ...widths.map((name) => el("col", { class: `${name}-width` }))),
    el("thead", {}, el("tr", {}, column("token"), column("logit", "number"), head.scaled, head.topK, head.topP,
      el("td", { class: "share" }), column("probability", "number"), column("part of 0 to 1", "line"), column("ends at", "number end"),
      el("td", { class: "tag" }))),
    el("tbody", {}, ...rows.map((row) => row.node), last));

  /** The most probable tokens; one that was drawn or written without being among them takes the last places. */
  function shownIds(columns, written) {
    const ids = columns.order.slice(0, count);
    const missing = [...new Set([columns.drawn, written])].filter((id) => !ids.includes(id) && columns.order.includes(id));
    return missing.length ? [...ids.slice(0, count - missing.length), ...missing] : ids;
  }
  function mark(node, on, kept) {
    // What another filter has cut is not this one's doing.
    setText(node, !on ? "—" : kept ? "kept" : "cut");
    node.classList.toggle("off", !on);
  }
  /** What cannot be drawn has the probability 0, and not one that rounds to it. */
  function shareOf(p) { return p === 0 ? "0" : formatProbability(p); }
  function step() {
    const { columns, logits, state } = view, written = view.trace.token_ids[state.step];
    const forced = state.step < view.trace.n_forced, ids = shownIds(columns, written);
    setText(head.scaled, columns.greedy ? "÷ T" : `÷ ${state.temperature.toFixed(2)}`);
    const topK = !columns.greedy && state.top_k !== null, topP = !columns.greedy && state.top_p < 1;
    const off = columns.greedy ? "not used: greedy" : "off";
    setText(head.topK, `top-k ${topK ? formatCount(state.top_k) : off}`);
    setText(head.topP, `top-p ${topP ? state.top_p.toFixed(2) : off}`);
    let sum = 0;
    rows.forEach((row, i) => {
      const id = (row.id = ids[i]), p = columns.probs[id], end = columns.cumulative[id];
      sum += p;
      setText(row.token, clip(trace.shown[id], 24));
      if (row.token.title !== trace.shown[id]) row.token.title = trace.shown[id];
      setText(row.logit, fixed(logits[id], 3));
      setText(row.scaled, columns.greedy ? "" : fixed(columns.scaled[id], 3));
      mark(row.topK, topK, columns.keptByTopK[id]);
      mark(row.topP, topP, columns.keptByTopP[id]);
      row.bar.style.transform = `scaleX(${p})`;
      row.part.style.transform = `translateX(${100 * (end - p)}%) scaleX(${Math.max(p, 0.006)})`;
      setText(row.p, shareOf(p));
      setText(row.end, p ? fixed(end, 3) : "");
      const drawn = id === columns.drawn;
      setText(row.tag, [drawn && (columns.greedy ? "taken" : "drawn"), forced && id === written && "forced"].filter(Boolean).join(", "));
      row.node.classList.toggle("drawn", drawn);
      row.node.classList.toggle("cut", p === 0);
    });
    const keptAmong = (kept) => `${formatCount(columns.order.reduce((n, id) => n + (kept[id] && !ids.includes(id)), 0))} kept`;
    const left = Math.max(0, 1 - sum) < 1e-12 ? 0 : 1 - sum;
    setText(rest.topK, topK ? keptAmong(columns.keptByTopK) : "—");
    setText(rest.topP, topP ? keptAmong(columns.keptByTopP) : "—");
    setText(rest.p, shareOf(left));
    rest.bar.style.transform = `scaleX(${left})`;
    table.style.setProperty("--uniform", `${100 * view.uniform}%`);
    table.classList.toggle("greedy", columns.greedy);
    hover();
  }
  function hover() {
    for (const row of rows) row.node.classList.toggle("lit", row.id === view.state.hover);
  }
  return { node: table, step, hover };
}
