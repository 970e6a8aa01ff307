// The whole of [0, 1) in the order in which the sampler fills it, and the number that falls into one token's part.

const LABELLED = 0.05;

function buildStrip(view) {
  const { trace } = view;
  // One path for all parts: hundreds of elements would cost a layout each time that a slider moves.
  const paths = { all: svg("path"), drawn: svg("path", { class: "drawn" }), lit: svg("path", { class: "lit" }) };
  const picture = svg("svg", { viewBox: "0 0 1000 40", preserveAspectRatio: "none", "aria-hidden": "true" }, ...Object.values(paths));
  const marker = el("span", { class: "marker" }), number = el("span", { class: "uniform" });
  const bar = el("div", { class: "strip", role: "img" }, picture, marker);
  const readout = el("p", { class: "readout", "aria-live": "polite" });
  const labels = [];
  const node = el("div", { class: "draw" }, el("div", { class: "above" }, number), bar,
    el("div", { class: "ends", "aria-hidden": "true" }, words("span", "0"), words("span", "parts in order of the tokens’ ids"), words("span", "1")), readout);

  bar.addEventListener("pointermove", (event) => {
    const box = bar.getBoundingClientRect(), share = (event.clientX - box.left) / box.width;
    const { probs, cumulative } = view.columns, id = cumulative.findIndex((end) => end > share);
    view.hover(id < 0 ? null : id);
    if (id >= 0) bar.title = `${trace.shown[id]}: ${fixed(cumulative[id] - probs[id], 4)} to ${fixed(cumulative[id], 4)}`;
  });
  bar.addEventListener("pointerleave", () => view.hover(null));

  /** One part, with a thousandth left free as a line between neighbours where there is room for it. */
  function outline(id) {
    const { probs, cumulative } = view.columns, end = 1000 * cumulative[id], start = end - 1000 * probs[id];
    return `M${start.toFixed(2)} 0H${Math.max(end - 1, (start + end) / 2).toFixed(2)}V40H${start.toFixed(2)}Z`;
  }
  function label(index) {
    if (!labels[index]) marker.before((labels[index] = el("span", { class: "label" })));
    return labels[index];
  }
  function step() {
    const { columns, state } = view, written = view.trace.token_ids[state.step];
    const { probs, cumulative, drawn, greedy } = columns;
    let used = 0, shape = "";
    probs.forEach((p, id) => {
      if (p > 0) shape += outline(id);
      if (p < LABELLED) return;
      const text = label(used++);
      text.hidden = false;
      text.style.left = `${(100 * (cumulative[id] - p)).toFixed(3)}%`;
      text.style.width = `${(100 * p).toFixed(3)}%`;
      text.classList.toggle("drawn", id === drawn);
      setText(text, trace.shown[id]);
    });
    for (const spare of labels.slice(used)) spare.hidden = true;
    paths.all.setAttribute("d", shape);
    paths.drawn.setAttribute("d", outline(drawn));
    marker.hidden = number.hidden = greedy;
    marker.style.left = `${100 * view.uniform}%`;
    // Between the ends, so that the number above the marker is never cut off.
    number.style.left = `clamp(28px, ${100 * view.uniform}%, calc(100% - 28px))`;
    setText(number, fixed(view.uniform, 4));
    const name = clip(trace.shown[drawn], 40), other = clip(trace.shown[written], 40);
    const hit = greedy ? `Temperature 0 draws nothing: ${name} is the most probable token.`
      : `The number ${fixed(view.uniform, 4)} falls into the part of ${name}, ${formatProbability(probs[drawn])} wide.`;
    setText(readout, drawn === written ? hit : state.step < view.trace.n_forced ? `${hit} The branch forces ${other} instead.`
      : `${hit} The output above still has ${other}; it follows when the slider rests.`);
    bar.setAttribute("aria-label", hit);
    hover();
  }
  function hover() {
    const id = view.state.hover;
    paths.lit.setAttribute("d", id !== null && view.columns.probs[id] > 0 ? outline(id) : "");
  }
  return { node, step, hover };
}
