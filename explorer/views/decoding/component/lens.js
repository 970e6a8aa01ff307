// The logit lens: what the decoder would say if it stopped after each sub-layer of the current step.

const LENS_TOP = 16;   // px above P = 1, for a number

function buildLens(view) {
  const { trace } = view, { lens } = trace, count = lens.names.length, width = trace.lens_top.shape[2];
  const names = lens.tokens.map(visible);
  const at = (t, i) => t * count + i;
  const tokenAt = (t, i, k) => names[trace.lens_top[at(t, i) * width + k]];
  const chanceAt = (t, i, k) => trace.lens_top_probs[at(t, i) * width + k];
  const produced = (t) => clip(trace.output[t], 24);
  let pointed = null, held = false;   // the point under the pointer or the keys; whether the keys have it

  const line = svg("polyline", { "vector-effect": "non-scaling-stroke" });
  const levels = [["1", 1], ["0.5", 0.5], ["0", 0]].map(([text, p]) => ({
    p, text: words("span", text), line: svg("line", { x1: 0, x2: 1000, "vector-effect": "non-scaling-stroke" }),
  }));
  const plot = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, ...levels.map((level) => level.line), line);
  const axis = el("div", { class: "levels", "aria-hidden": "true" }, ...levels.map((level) => level.text));
  const height = (p) => LENS_TOP + (1 - Math.min(1, Math.max(0, p || 0))) * view.size.plot;
  const points = lens.labels.map(([upper, lower], i) => {
    const dot = el("i"), chance = el("em"), token = el("b"), rank = el("span", { class: "rank" });
    const node = el("div", { class: "point", "data-index": i, "aria-hidden": "true" }, dot, chance, token, rank,
      words("span", upper), words("span", lower));
    return { node, dot, chance, token, rank };
  });
  const chart = el("div", { class: "points", role: "slider", tabindex: "0", "aria-label": "Point of the logit lens",
    "aria-orientation": "horizontal", "aria-valuemin": 0, "aria-valuemax": count - 1 },
    axis, plot, ...points.map((point) => point.node));
  chart.style.setProperty("--points", count);

  const token = el("b", { class: "target" }), verdict = el("span"), where = el("b"), verdictEnd = el("span");
  const readout = el("p", { class: "reading" }), place = el("span"), site = el("code", { class: "site" });
  const best = Array.from({ length: width }, () => ({ name: el("b"), chance: el("span") }));
  readout.append(place, ...best.flatMap(({ name, chance }) => [name, chance]), site);
  const table = buildLensTable(view, { tokenAt, chanceAt, at, width });
  const scroller = el("div", { class: "scroller" }, chart);
  const show = () => {
    about.hidden = !view.size.phone && !view.opened.has("lens");
    table.show();
  };
  const open = tableButton(view.opened, "lens", show);
  const through = lens.final_norm ? ", read through the decoder's final norm" : "";
  const about = words("p", `What the decoder would say if it stopped after each sub-layer${through}: `
    + "the probability of the token that was produced, its rank, and the top token there.", "about");
  const node = el("section", { class: "card lens", "aria-label": "Logit lens" },
    el("header", {}, words("h2", "Logit lens"), el("p", { class: "foot" }, "P of ", token, ". ", verdict, where, verdictEnd), open, readout),
    scroller, about, table.node);

  // ---- a point under the pointer, or under the keys ----------------------------------------------------------
  const resting = () => lens.decided[view.state.step] ?? count - 1;
  const shown = () => pointed ?? resting();
  function point(index, byKeys = false) {
    if (index === pointed) return;
    pointed = index;
    held = byKeys && index !== null;
    read();
  }
  chart.addEventListener("pointermove", (event) => {
    const over = event.target.closest(".point");
    if (over) point(Number(over.dataset.index));
  });
  chart.addEventListener("pointerleave", () => !held && point(null));
  chart.addEventListener("blur", () => point(null));
  // As in a matrix, the arrows move the place in the picture while the focus is in it.
  chart.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: shown() - 1, ArrowRight: shown() + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    point(within(to, count - 1), true);
    keepInView(scroller, points[shown()].node);
  });

  function read() {
    const t = view.state.step, i = shown(), rank = trace.lens_ranks[at(t, i)];
    points.forEach((each, k) => each.node.classList.toggle("read", k === pointed));
    node.classList.toggle("pointing", pointed !== null);
    setText(place, `After ${lens.names[i]}: `);
    best.forEach(({ name, chance }, k) => {
      setText(name, clip(tokenAt(t, i, k), 24));
      setText(chance, ` ${formatProbability(chanceAt(t, i, k))}${k < width - 1 ? ", " : ""}`);
    });
    setText(site, lens.sites[i]);
    chart.setAttribute("aria-valuenow", i);
    const top = best.map((_, k) => `${clip(tokenAt(t, i, k), 24)} ${formatProbability(chanceAt(t, i, k))}`).join(", ");
    const own = `${produced(t)} has rank ${rank}, probability ${formatProbability(trace.lens_probs[at(t, i)])}`;
    chart.setAttribute("aria-valuetext", `After ${lens.names[i]}: ${top}; ${own}`);
  }
  function conclude(t) {
    const decided = lens.decided[t], last = trace.lens_ranks[at(t, count - 1)];
    setText(token, produced(t));
    if (decided === null) {
      setText(verdict, `Never decided: after the last sub-layer its rank is still ${formatCount(last)}.`);
    } else if (decided === 0) {
      setText(verdict, "It has rank 1 from the ");
    } else setText(verdict, "Decided by ");
    setText(where, decided === null ? "" : decided === 0 ? "embedding" : lens.names[decided]);
    setText(verdictEnd, decided === null ? "" : decided === 0 ? " on." : ".");
  }
  function step() {
    const t = view.state.step, chance = (i) => trace.lens_probs[at(t, i)];
    const corners = points.map((_, i) => `${((1000 * (i + 0.5)) / count).toFixed(1)},${height(chance(i)).toFixed(1)}`);
    line.setAttribute("points", corners.join(" "));
    points.forEach((each, i) => {
      const p = chance(i), rank = trace.lens_ranks[at(t, i)], y = height(p);
      each.dot.style.top = `${y}px`;
      each.chance.style.top = `${y}px`;
      // Beside a steep line a number stands on the side that the line leaves free.
      each.chance.classList.toggle("left", i < count - 1 && chance(i + 1) - p > 0.12);
      each.chance.classList.toggle("right", i > 0 && chance(i - 1) - p > 0.12 && !(chance(i + 1) - p > 0.12));
      setText(each.chance, formatProbability(p));
      setText(each.token, clip(tokenAt(t, i, 0), 24));
      setText(each.rank, `rank ${formatCount(rank)}`);
      each.node.classList.toggle("first", rank === 1);
      each.node.classList.toggle("decided", i === lens.decided[t]);
    });
    conclude(t);
    read();
    table.step();
  }
  function layout() {
    // A phone has no room for the picture: there the table is the lens.
    table.insist(view.size.phone);
    show();
    const whole = LENS_TOP + view.size.plot;
    plot.setAttribute("viewBox", `0 0 1000 ${whole}`);
    chart.style.setProperty("--plot", `${whole}px`);
    for (const { p, text, line: level } of levels) {
      text.style.top = `${height(p)}px`;
      for (const end of ["y1", "y2"]) level.setAttribute(end, height(p));
    }
    levels[1].text.hidden = view.size.plot < 60;
    open.hidden = view.size.phone;
    step();
  }
  return { node, step, layout };
}

/** Scrolls a box sideways, never the page, to a part of it. */
function keepInView(scroller, node) {
  const left = node.offsetLeft, right = left + node.offsetWidth;
  if (left < scroller.scrollLeft) scroller.scrollLeft = left;
  else if (right > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = right - scroller.clientWidth;
}

/** The numbers of the current step; built when first asked for. */
function buildLensTable(view, { tokenAt, chanceAt, at, width }) {
  const { trace } = view, { lens } = trace;
  const node = el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": "Table of the logit lens" });
  node.hidden = true;
  let rows = null, insisted = false;
  const own = el("th", { scope: "col", class: "target" });
  function build() {
    const places = Array.from({ length: width }, (_, k) => k);
    const heads = places.flatMap((k) => [words("th", `top ${k + 1}`), words("th", "P")]);
    const columns = [words("th", "after"), own, words("th", "rank"), ...heads];
    columns.forEach((cell) => cell.setAttribute("scope", "col"));
    rows = lens.names.map((name) => {
      const cells = Array.from({ length: 2 + 2 * width }, () => el("td"));
      return { cells, node: el("tr", {}, el("th", { scope: "row", text: name }), ...cells) };
    });
    node.append(el("table", {}, words("caption", "What the decoder would say after each sub-layer of this step", "unseen"),
      el("thead", {}, el("tr", {}, ...columns)), el("tbody", {}, ...rows.map((row) => row.node))));
  }
  function step() {
    if (node.hidden) return;
    const t = view.state.step;
    setText(own, `P of ${clip(trace.output[t], 24)}`);
    rows.forEach(({ cells, node: row }, i) => {
      row.classList.toggle("now", i === lens.decided[t]);
      setText(cells[0], formatProbability(trace.lens_probs[at(t, i)]));
      setText(cells[1], formatCount(trace.lens_ranks[at(t, i)]));
      for (let k = 0; k < width; k++) {
        setText(cells[2 + 2 * k], clip(tokenAt(t, i, k), 24));
        setText(cells[3 + 2 * k], formatProbability(chanceAt(t, i, k)));
      }
    });
  }
  function show() {
    node.hidden = !insisted && !view.opened.has("lens");
    if (!node.hidden && !rows) build();
    step();
  }
  function insist(on) { insisted = on; show(); }
  return { node, step, show, insist };
}
