// The key/value cache at the current step: which rows are kept and which are new, their bytes, and what they save.

const MOST_SQUARES = 24, SHOWN_LAYERS = 2;

function buildCache(view) {
  const { trace } = view, { cache } = trace, steps = cache.cached.length;
  const totals = { cached: runningSum(cache.cached), uncached: runningSum(cache.uncached) };
  const spent = el("b"), instead = el("b");
  const subtitle = el("p", { class: "spent" }, spent, " multiply-adds, ", instead, " without it");
  const blocks = Array.from({ length: cache.n_layers }, (_, layer) => [
    buildBlock(cache, `${layer} self`, steps, true), buildBlock(cache, `${layer} cross`, cache.source_length, false),
  ]).flat();
  const column = (text, name = "") => el("th", { scope: "col", class: name, text });
  const kept = el("table", { class: "kept" }, words("caption", "Rows kept in each attention block", "unseen"),
    el("thead", {}, el("tr", {}, column("layer"), column("keys"), column("values"), column("shape each", "number"))),
    el("tbody", {}, ...blocks.map((block) => block.node)));
  const held = el("b"), share = squareNotice(steps, cache.source_length);
  const key = (name, text) => [el("i", { class: `square ${name}` }), words("span", text)];
  const legend = el("p", { class: "key", "aria-hidden": "true" },
    ...key("new", "new"), ...key("reused", "reused"), ...key("once", "computed once, in step 0"));
  const costs = buildCosts(cache, totals), table = buildCacheTable(view, totals);
  const curves = [
    buildCurve("each step", cache.cached, cache.uncached), buildCurve("in total", totals.cached, totals.uncached),
  ];
  const open = tableButton(view.opened, "cache", table.step), more = tableButton(view.opened, "costs", show, DETAILS);
  const difference = formatPower(cache.largest_difference);
  const run = cache.same_tokens ? "Both ways were run: the same token at each step, " : "Both ways were run, and differ in a token: ";
  const details = el("div", { class: "details" },
    el("p", { class: "held" }, "All keys and values: ", held, ` in ${cache.dtype}.`), costs.node,
    el("div", { class: "curves" }, ...curves.map((curve) => curve.node)),
    el("p", { class: "foot" }, run, "largest difference of a log-probability ", words("b", difference), ".", open),
    table.node,
    words("p", `Counted: multiply-adds of the matrix products of decoder and generator. The encoder's ${formatCount(cache.encoder)} `
      + "come once, either way.", "counted"));
  const node = el("section", { class: "card cache", "aria-label": "Key/value cache" },
    el("header", {}, words("h2", "Key/value cache"), more), subtitle,
    ...(share ? [words("p", share, "thinned")] : []), rowsOf(kept, cache.n_layers), legend, details);
  function show() { details.hidden = !view.opened.has("costs"); }
  show();

  function step() {
    const t = view.state.step;
    setText(spent, formatCount(cache.cached[t]));
    setText(instead, formatCount(cache.uncached[t]));
    blocks.forEach((block) => block.step(t));
    setText(held, formatBytes(cache.n_bytes[t]));
    costs.step(t);
    curves.forEach((curve) => curve.step(t));
    table.step();
  }
  return { node, step, layout: step };
}

/** The blocks of a deep decoder scroll within the card. */
function rowsOf(table, layers) {
  const box = el("div", { class: "blocks" }, table);
  if (layers > SHOWN_LAYERS) for (const [name, value] of [["tabindex", 0], ["role", "region"], ["aria-label", "All attention blocks"]]) box.setAttribute(name, value);
  return box;
}

/** A row of the picture: one attention block, whose keys and values are in the same state. */
function buildBlock(cache, name, rows, grows) {
  const stride = Math.ceil(rows / MOST_SQUARES), count = Math.ceil(rows / stride);
  const squares = Array.from({ length: 2 }, () => Array.from({ length: count }, () => el("i", { class: "square" })));
  const said = el("span", { class: "unseen" }), shape = words("span", "", "shape"), bytes = el("small");
  const list = (each) => el("span", { class: "squares", "aria-hidden": "true" }, ...each);
  const node = el("tr", {}, el("th", { scope: "row", text: name }),
    el("td", {}, said, list(squares[0])), el("td", {}, list(squares[1])), el("td", { class: "number" }, shape, bytes));
  function stateOf(index, t) {
    if (!grows) return t ? "once" : "once new";
    const first = index * stride, last = Math.min(rows, first + stride) - 1;
    return t > last ? "reused" : t < first ? "later" : "new";
  }
  function step(t) {
    const filled = grows ? t + 1 : rows;
    for (const each of squares) {
      each.forEach((square, index) => {
        const state = stateOf(index, t);
        if (square.state !== state) square.className = `square ${square.state = state}`;
      });
    }
    const news = grows ? `1 new, ${t} reused` : `all ${rows} ${t ? "computed once, in step 0" : "computed now"}`;
    setText(said, `${plural(filled, "row")} of keys and of values: ${news}`);
    setText(shape, `1·${cache.n_heads}·${filled}·${cache.d_head}`);
    setText(bytes, formatBytes(filled * cache.row_bytes));
  }
  return { node, step };
}

/** Says what a square stands for where there are too many rows for one each; empty otherwise. */
function squareNotice(...lengths) {
  const [self, cross] = lengths.map((rows) => Math.ceil(rows / MOST_SQUARES));
  if (self === 1 && cross === 1) return "";
  if (self === cross) return `Each square stands for ${self} rows.`;
  return `Each square stands for ${plural(self, "row")} of self-attention, ${plural(cross, "row")} of cross-attention.`;
}

function buildCosts(cache, totals) {
  const cells = Array.from({ length: 4 }, () => el("td", { class: "number" }));
  const now = el("th", { scope: "row" }), sum = el("th", { scope: "row" });
  const head = (text, name) => el("th", { scope: "col", class: "number" }, el("i", { class: `stroke ${name}` }), text);
  const node = el("table", { class: "costs" }, words("caption", "Multiply-adds with the cache and without", "unseen"),
    el("thead", {}, el("tr", {}, words("th", "multiply-adds"), head("with cache", "cached"), head("without", "uncached"))),
    el("tbody", {}, el("tr", {}, now, cells[0], cells[1]), el("tr", {}, sum, cells[2], cells[3])));
  function step(t) {
    setText(now, `step ${t}`);
    setText(sum, t ? `steps 0 to ${t}` : "so far");
    [cache.cached, cache.uncached, totals.cached, totals.uncached].forEach((counts, i) => setText(cells[i], formatCount(counts[t])));
  }
  return { node, step };
}

// A curve lives in thousandths of its width, as the links do; its dots are elements, so that they stay round.
function buildCurve(title, cached, uncached) {
  const most = Math.max(...cached, ...uncached), last = cached.length - 1, height = 56;
  const x = (t) => (last ? t / last : 0.5), y = (count) => (1 - count / most) * height;
  const path = (counts, name) => svg("polyline", { class: name, "vector-effect": "non-scaling-stroke",
    points: counts.map((count, t) => `${(1000 * x(t)).toFixed(1)},${y(count).toFixed(2)}`).join(" ") });
  const dots = { uncached: el("i", { class: "uncached" }), cached: el("i", { class: "cached" }) };
  const now = el("i", { class: "now" });
  const box = { viewBox: `0 0 1000 ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const range = (counts) => `from ${formatCount(counts[0])} in step 0 to ${formatCount(counts[last])} in step ${last}`;
  const node = el("div", { class: "curve", role: "img",
    "aria-label": `Multiply-adds ${title}: with the cache ${range(cached)}, without ${range(uncached)}` },
    el("div", { class: "ends" }, words("b", title), words("span", formatCount(most))),
    el("div", { class: "plot" }, now, svg("svg", box, path(uncached, "uncached"), path(cached, "cached")), dots.uncached, dots.cached),
    el("div", { class: "ends" }, words("span", last ? "step 0" : ""), words("span", last ? `step ${last}` : "step 0")));
  function step(t) {
    now.style.left = dots.cached.style.left = dots.uncached.style.left = `${100 * x(t)}%`;
    dots.cached.style.top = `${y(cached[t])}px`;
    dots.uncached.style.top = `${y(uncached[t])}px`;
  }
  return { node, step };
}

/** Every step's numbers; built when first asked for. */
function buildCacheTable(view, totals) {
  const { cache } = view.trace;
  const node = el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": "Table of the cache's costs" });
  node.hidden = true;
  let rows = null;
  function build() {
    const columns = ["step", "with cache", "without", "total with", "total without", "bytes kept"];
    rows = cache.cached.map((count, t) => {
      const counts = [count, cache.uncached[t], totals.cached[t], totals.uncached[t], cache.n_bytes[t]];
      return el("tr", {}, el("th", { scope: "row", text: t }), ...counts.map((value) => el("td", { text: formatCount(value) })));
    });
    node.append(el("table", {}, words("caption", "Multiply-adds of each step, and bytes kept after it", "unseen"),
      el("thead", {}, el("tr", {}, ...columns.map((text) => el("th", { scope: "col", text })))), el("tbody", {}, ...rows)));
  }
  function step() {
    node.hidden = !view.opened.has("cache");
    if (node.hidden) return;
    if (!rows) build();
    rows.forEach((row, t) => row.classList.toggle("now", t === view.state.step));
  }
  return { node, step };
}

function runningSum(counts) {
  let sum = 0;
  return counts.map((count) => (sum += count));
}
function formatBytes(count) { return count < 10240 ? `${formatCount(count)} B` : `${fixed(count / 1024, 1)} KiB`; }
/** A small number as 3.1 · 10⁻⁷. */
function formatPower(value) {
  if (!value) return "0";
  const [digits, exponent] = value.toExponential(1).split("e");
  return `${digits} · 10${raised(Number(exponent))}`;
}
