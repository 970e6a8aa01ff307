// The lead sentence, and how far the decoding is.

function buildLead(view) {
  const start = el("span"), written = el("b"), middle = el("span"), read = el("b"), end = el("span");
  const node = el("p", { class: "lead" }, start, written, middle, read, end);
  function step() {
    const { trace, state, plane } = view, t = state.step, last = t === trace.steps - 1;
    const peak = plane.byStep ? view.peak(t) : -1;
    setText(start, `At step ${t} the decoder has written ${t ? "" : "nothing yet"}`);
    setText(written, t ? trace.written[t] : "");
    const which = `${t ? "next" : "first"} ${trace.unit}`, isForced = trace.isForced(t);
    const next = isForced ? `has its ${which} forced` : `chooses the ${which}`;
    const ends = isForced ? "has the end mark forced" : "ends it with the end mark";
    const does = !last ? next : trace.ended ? ends : `${next}; there the limit stops it`;
    setText(middle, ` and ${does}.${peak < 0 ? "" : " Its largest weight is on "}`);
    setText(read, peak < 0 ? "" : clip(plane.columns[peak], 32));
    setText(end, peak < 0 ? "" : ` (${fixed(view.weight(t, peak), 2)}).`);
  }
  return { node, step, matrix: step };
}

/** The step among all, and log P up to it. */
function buildWhere(view) {
  const { trace } = view;
  const stepText = el("b"), ofText = el("span"), total = el("b");
  const node = el("p", { class: "where" }, el("span", { class: "place" }, stepText, ofText), el("span", {}, "log P so far ", total));
  function step() {
    const t = view.state.step;
    setText(stepText, `Step ${t}`);
    setText(ofText, `, ${t + 1} of ${plural(trace.steps, "token")}`);
    setText(total, fixed(trace.totals[t], 3));
  }
  return { node, step };
}
