// The next token: the most probable candidates of the current step, and all others together.

function buildCandidates(view) {
  const { trace } = view, width = trace.candidate_probs.shape[1];
  const others = trace.vocabulary_size - width;
  const subtitle = el("p"), entropy = el("b"), rest = el("td", { class: "number" });
  const rows = Array.from({ length: width }, () => {
    const token = el("span"), bar = words("i", "", "bar");
    const p = words("td", "", "number"), logP = words("td", "", "number"), tag = words("td", "", "tag");
    const node = el("tr", {}, el("th", { scope: "row" }, token), el("td", { class: "share" }, bar), p, logP, tag);
    return { node, token, bar, p, logP, tag };
  });
  const column = (text, name = "") => el("th", { scope: "col", class: name, text });
  const head = el("tr", {}, column("token"), el("td"), column("P", "number"), column("log P", "number"), el("td"));
  const last = el("tr", { class: "others" },
    el("th", { scope: "row", colspan: 2, text: `${plural(others, "other")} together` }), rest, el("td"), el("td"));
  last.hidden = others === 0;
  const table = el("table", { class: "candidates" }, words("caption", "Candidates for the next token", "unseen"),
    el("thead", {}, head), el("tbody", {}, ...rows.map((row) => row.node), last));
  const node = el("section", { class: "card next", "aria-label": "Next token" },
    el("header", {}, el("div", {}, el("h2", { text: "Next token" }), subtitle)), table,
    el("p", { class: "foot" }, "entropy ", entropy));
  const vocabulary = formatCount(trace.vocabulary_size);
  const greedy = trace.chosen.every((i) => i === 0);

  function step() {
    const t = view.state.step;
    let sum = 0;
    rows.forEach((row, i) => {
      const p = trace.candidate_probs[t * width + i], chosen = i === trace.chosen[t];
      sum += p;
      setText(row.token, clip(visible(trace.candidate_tokens[t][i]), 24));
      row.token.title = trace.candidate_tokens[t][i];
      row.bar.style.transform = `scaleX(${p || 0})`;
      setText(row.p, formatProbability(p));
      setText(row.logP, fixed(chosen ? trace.log_probs[t] : Math.log(p), 2));
      setText(row.tag, chosen ? "chosen" : "");
      row.node.classList.toggle("chosen", chosen);
    });
    setText(rest, formatProbability(Math.max(0, 1 - sum)));
    setText(entropy, `${fixed(trace.entropy_bits[t], 2)} bits`);
    const taken = `${trace.chosen[t] === 0 ? "the" : "not the"} most probable of ${vocabulary} was taken`;
    setText(subtitle, greedy ? `greedy takes the most probable of ${vocabulary}` : taken);
  }
  return { node, step };
}
