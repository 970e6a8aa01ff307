// The next token: the most probable candidates of the current step and all others together; where tokens can be
// forced, a way to force each, and where all can, a field for any other and the sums along the steps.

function buildCandidates(view) {
  const { trace } = view, width = trace.candidate_probs.shape[1];
  const others = trace.vocabulary_size - width;
  const where = buildWhere(view), remark = el("p", { class: "remark" });
  const entropy = el("b"), rest = el("td", { class: "number" });
  const rows = Array.from({ length: width }, () => {
    const token = el("span"), bar = words("i", "", "bar");
    const p = el("button", { type: "button", class: "explain", title: "Explain this number" }), logP = words("td", "", "number"), said = el("span");
    const force = el("button", { type: "button", class: "force" }, "Force", el("i", { "aria-hidden": "true", text: "↵" }));
    const tag = el("td", { class: "tag" }, said, force);
    const node = el("tr", {}, el("th", { scope: "row" }, token), el("td", { class: "share" }, bar), el("td", { class: "number" }, p), logP, tag);
    return { node, token, bar, p, logP, said, force };
  });
  rows.forEach((row, i) => row.force.addEventListener("click", () => forcing?.take(trace.candidate_ids[view.state.step][i])));
  rows.forEach((row, i) => row.p.addEventListener("click", () => {
    const { step } = view.state;
    view.act({ kind: "explain", what: "prob", step, token_id: trace.candidate_ids[step][i] });
  }));
  const forcing = trace.what_if && makeForcing(view), typing = forcing && buildAnyToken(view, forcing);
  const sums = typing && buildTotals(view);
  const column = (text, name = "") => el("th", { scope: "col", class: name, text });
  const head = el("tr", {}, column("token"), el("td"), column("P", "number"), column("log P", "number"), el("td"));
  const last = el("tr", { class: "others" },
    el("th", { scope: "row", colspan: 2, text: others ? `${plural(others, "other")} together` : "" }), rest,
    el("td", { colspan: 2, class: "entropy" }, "entropy ", entropy));
  const table = el("table", { class: "candidates" }, words("caption", "Candidates for the next token", "unseen"),
    el("thead", {}, head), el("tbody", {}, ...rows.map((row) => row.node), last));
  const node = el("section", { class: "card next", "aria-label": "Next token" },
    el("header", {}, el("h2", { text: "Next token" }), where.node, ...(sums ? [sums.open] : [])), remark, table,
    ...(typing ? [typing.node] : []), ...(sums ? [sums.node] : []));
  node.classList.toggle("forcing", Boolean(forcing));
  const vocabulary = formatCount(trace.vocabulary_size);

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
      row.p.setAttribute("aria-label", `${row.p.textContent}, explain`);
      setText(row.logP, fixed(chosen ? trace.log_probs[t] : Math.log(p), 2));
      const id = trace.candidate_ids[t][i], forced = chosen && trace.isForced(t);
      setText(row.said, forced ? "forced" : chosen ? "chosen" : forcing && !forcing.can(id) ? "no word" : "");
      row.said.title = row.said.textContent === "no word" ? "Padding and BOS are never produced" : "";
      setHidden(row.force, !forcing || chosen || !forcing.can(id), view.root);
      row.force.setAttribute("aria-label", `Force ${clip(visible(trace.candidate_tokens[t][i]), 40)}`);
      row.node.classList.toggle("chosen", chosen);
    });
    setText(rest, others ? formatProbability(Math.max(0, 1 - sum)) : "");
    setText(entropy, `${fixed(trace.entropy_bits[t], 2)} bits`);
    where.step();
    sums?.step();
    typing?.step();
    const taken = trace.chosen[t] === 0 ? "" : `not the most probable of ${vocabulary} was taken`;
    setText(remark, trace.isForced(t) ? `forced here; greedy would take ${clip(visible(trace.candidate_tokens[t][0]), 24)}` : taken);
  }
  /** Moves the focus along the Force buttons; nothing to do where there are none. */
  function onto(direction) {
    const open = rows.map((row) => row.force).filter((button) => !button.hidden);
    if (!open.length) return undefined;
    const now = open.indexOf(node.getRootNode().activeElement);
    return () => open[now < 0 ? 0 : within(now + direction, open.length - 1)].focus();
  }
  return { node, step, onto };
}

const OFFERED = 40;

/** Which tokens can be forced, and what happens when one is. */
function makeForcing(view) {
  const { first_id: first, n_words: count } = view.trace.what_if;
  return {
    can: (id) => id >= first && id < first + count,
    take(id) {
      view.typed = "";
      view.act({ kind: "force", step: view.state.step, token_id: id });
    },
  };
}

/** The field for any other token, which offers the vocabulary's. */
function buildAnyToken(view, forcing) {
  const { trace } = view, { words: known, first_id: first } = trace.what_if;
  const shown = known.map(visible);
  const offers = el("datalist", { id: "offers" });
  const field = el("input", { type: "text", list: "offers", placeholder: "Any other token…", "aria-label": "Any other token",
    autocomplete: "off", autocapitalize: "none", spellcheck: "false", "aria-describedby": "force-problem" });
  const button = el("button", { type: "submit", class: "plain", text: "Force" });
  const problem = el("p", { class: "problem", role: "alert", id: "force-problem" });
  const node = el("form", { class: "any-token" }, field, offers, button, problem);
  field.value = view.typed;
  let offered = null;
  // Few at a time: a vocabulary may have ten thousand.
  function offer() {
    const start = field.value.trim().toLowerCase();
    if (start === offered) return;
    offered = start;
    const fitting = shown.filter((token) => token.toLowerCase().startsWith(start)).slice(0, OFFERED);
    offers.replaceChildren(...fitting.map((token) => el("option", { value: token })));
  }
  function idOf(text) {
    const exact = known.indexOf(text);
    return first + (exact >= 0 ? exact : shown.indexOf(text.trim()));
  }
  field.addEventListener("focus", offer);
  field.addEventListener("input", () => { view.typed = field.value; setText(problem, ""); offer(); });
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value, id = idOf(text), t = view.state.step;
    let said = "";
    if (!text) said = "Type a token of the model's vocabulary.";
    else if (!forcing.can(id)) said = `The model has no word “${clip(visible(text), 24)}”; choose one of the offered tokens.`;
    else if (id === trace.output_ids[t]) said = `${clip(trace.output[t], 24)} already stands at step ${t}.`;
    setText(problem, said);
    if (!said) forcing.take(id);
  });
  return { node, step: () => setText(problem, "") };
}

const TERMS = 4;

/** Three decimals; from 1000 on four significant digits, with commas as long as they can be read. */
function formatPerplexity(value) {
  if (value < 999.9995) return fixed(value, 3);
  return value < 1e9 ? formatCount(Number(value.toPrecision(4))) : formatSigned(value);
}

/** log P as the sum of its steps, what it means as perplexity, and why the output stops. */
function buildTotals(view) {
  const { trace } = view, end = trace.steps - 1;
  const sum = el("span"), total = el("button", { type: "button", class: "explain", title: "Explain log P of the whole output" }), perplexity = el("b"), over = el("span"), stop = el("dd");
  const row = (name, ...value) => [words("dt", name), el("dd", {}, ...value)];
  const node = el("dl", { class: "totals", "aria-label": "Running totals" }, ...row("log P so far", total),
    el("dd", { class: "terms" }, sum), ...row("perplexity", over, perplexity), words("dt", "stops"), stop);
  const show = () => (node.hidden = !view.opened.has("totals"));
  const open = tableButton(view.opened, "totals", show, DETAILS);
  show();
  total.addEventListener("click", () => view.act({ kind: "explain", what: "log_prob" }));
  const stopped = trace.isForced(end) ? "EOS was forced" : "the model chose EOS";
  const why = trace.ended ? `at step ${end}: ${stopped}` : `at step ${end}: the limit of ${plural(trace.steps, "token")}`;
  function step() {
    const t = view.state.step, first = Math.max(0, t + 1 - TERMS);
    const terms = Array.from(trace.log_probs.subarray(first, t + 1), (value) => fixed(value, 3).replace("−", "− "));
    const before = first ? `${fixed(trace.totals[first - 1], 3)} ` : "";
    setText(sum, t ? `= ${before}${terms.join(" ").replace(/^− /, before ? "− " : "−")}` : "");
    setText(total, fixed(trace.totals[t], 3));
    total.setAttribute("aria-label", `${total.textContent}, explain log P of the whole output`);
    setText(over, `exp(${fixed(-trace.totals[t], 3)} / ${t + 1}) = `);
    setText(perplexity, formatPerplexity(trace.perplexity(t)));
    setText(stop, why);
  }
  return { node, open, step };
}
