// The whole view: one state, the parts that follow it, and the report to Python when the settings rest.

const REST_MS = 400, SETTLE_MS = 20;
const SETTINGS = ["step", "temperature", "top_k", "top_p", "seed"];
const alive = new WeakMap();   // root element -> its view; a rerun calls the default export again with the same page

function createView(root) {
  const view = {
    root, trace: null, columns: null, logits: null, uniform: 0, parts: [],
    state: { step: 0, temperature: 1, top_k: null, top_p: 1, seed: 0, hover: null },
  };
  const { state } = view, choices = makeChoices((a, b) => SETTINGS.every((name) => a[name] === b[name]));
  let setStateValue = null, rest = 0, written = "", sentence = null;
  const ends = new AbortController();

  // ---- what the visitor can do -------------------------------------------------------------------------------
  view.set = (changes) => {
    Object.assign(state, changes);
    refresh();
    reportIn(REST_MS);
  };
  /** A hand that lets go of a slider has decided. */
  view.settle = () => reportIn(SETTLE_MS);
  view.go = (step) => {
    view.set({ step: Math.min(view.trace.steps - 1, Math.max(0, step)) });
    sentence.focus();
  };
  view.hover = (id) => {
    if (id === state.hover) return;
    state.hover = id;
    for (const part of view.parts) part.hover?.();
  };

  function refresh() {
    const { trace } = view, size = trace.vocabulary.length;
    view.logits = trace.logits.subarray(state.step * size, (state.step + 1) * size);
    view.uniform = trace.uniform[state.step];
    view.columns = samplingPipeline(view.logits, state, view.uniform, trace.never);
    for (const part of view.parts) part.step();
  }

  // ---- the report to Python ----------------------------------------------------------------------------------
  const snapshot = (from) => Object.fromEntries(SETTINGS.map((name) => [name, from[name]]));
  function reportIn(delay) {
    clearTimeout(rest);
    rest = setTimeout(() => {
      const chosen = snapshot(state);
      if (!choices.isKnown(chosen)) setStateValue("choice", { trace: view.trace.key, ...chosen, report: choices.tell(chosen) });
    }, delay);
  }

  // ---- new messages ------------------------------------------------------------------------------------------
  function build() {
    const columns = buildColumns(view), strip = buildStrip(view), entropy = buildEntropy(view);
    const place = el("div"), head = buildHead(view);
    sentence = null;
    view.parts = [buildControls(view), head, entropy, columns, strip];
    const [controls] = view.parts;
    root.replaceChildren(place,
      el("section", { class: "card pipeline", "aria-label": "From logits to the drawn token" },
        el("header", {}, head.node, entropy.node), controls.node, columns.node, strip.node));
    return place;
  }
  /** The output changes with every setting, while the sliders must stay under the hand that moves them. */
  function buildOutput(place) {
    const focused = sentence?.node.contains(root.getRootNode().activeElement);
    const next = buildSentence(view);
    place.replaceWith(next.node);
    view.parts = [next, ...view.parts.filter((part) => part !== sentence)];
    sentence = next;
    return focused;
  }

  function update(bytes, send) {
    setStateValue = send;
    const payload = readPayload(bytes), { header } = payload, choice = snapshot(header);
    const fresh = view.trace?.key !== header.key;
    // Other weights or another sentence of the same model: the sliders stay under the hand that moves them.
    const other = fresh && (!view.trace || ["vocabulary", "never", "max_seed"].some((name) => String(view.trace[name]) !== String(header[name])));
    const heard = choices.hear(choice, header.report, { fresh, possible: !other, pending: !choices.isKnown(snapshot(state)) });
    view.trace = { ...header, ...payload.arrays, steps: header.token_ids.length,
      shown: other ? header.vocabulary.map(visible) : view.trace.shown };
    if (heard === "follow") {
      clearTimeout(rest);
      Object.assign(state, choice);
    } else if (heard === "keep") reportIn(REST_MS);
    if (other) state.hover = null;
    state.step = Math.min(state.step, view.trace.steps - 1);
    root.dataset.look = themeOf(root);
    const output = JSON.stringify([header.token_ids, header.text, header.greedy_text, header.n_forced, header.ended, header.seed, header.temperature === 0]);
    let focused = false;
    if (other) buildOutput(build());
    else if (fresh || output !== written) focused = buildOutput(sentence.node);
    written = output;
    refresh();
    if (focused) sentence.focus();
  }
  function dispose() {
    ends.abort();
    clearTimeout(rest);
    alive.delete(root);
  }
  return { update, dispose };
}

function buildHead(view) {
  const subtitle = el("p");
  const node = el("div", {}, words("h2", "From logits to the drawn token"), subtitle);
  function step() {
    const { trace, state } = view, { order, keptByTopP, greedy } = view.columns, all = plural(trace.vocabulary.length, "token");
    const kept = order.reduce((n, id) => n + keptByTopP[id], 0);
    const some = greedy ? `the most probable of ${all} is taken` : `${formatCount(kept)} of ${all} can be drawn, the most probable first`;
    setText(subtitle, `step ${state.step}, ${some}; ${trace.never.map((id) => trace.shown[id]).join(" and ")} never are`);
  }
  return { node, step };
}

function buildEntropy(view) {
  const before = el("b"), after = el("b");
  const node = el("p", { class: "entropy" }, "entropy ", before, " as the model says, ", after, " with these settings");
  function step() {
    const whole = softmaxOver(Float64Array.from(view.logits), new Array(view.logits.length).fill(true));
    setText(before, `${fixed(entropyBits(whole), 2)} bits`);
    setText(after, `${fixed(entropyBits(view.columns.probs), 2)} bits`);
  }
  return { node, step };
}

/** The output as chips, each with the probability that the model itself gives it; they choose the step. */
function buildSentence(view) {
  const { trace } = view, size = trace.vocabulary.length;
  const all = new Array(size).fill(true);
  const chips = trace.token_ids.map((id, t) => {
    const p = softmaxOver(Float64Array.from(trace.logits.subarray(t * size, (t + 1) * size)), all)[id];
    const token = trace.shown[id], forced = t < trace.n_forced;
    const node = el("button", { type: "button", role: "radio", class: forced ? "chip forced" : "chip",
      "aria-label": `Step ${t}, ${clip(token, 40)}, probability ${formatProbability(p)}${forced ? ", forced" : ""}` },
    el("span", { class: "box", title: token }, words("span", clip(token, 40), "word")), words("em", formatProbability(p)));
    node.addEventListener("click", () => view.go(t));
    return node;
  });
  const list = el("div", { class: "chips", role: "radiogroup", "aria-label": "Step of the output" }, ...chips);
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { step } = view.state;
    const to = { ArrowLeft: step - 1, ArrowUp: step - 1, ArrowRight: step + 1, ArrowDown: step + 1, Home: 0, End: trace.steps - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    view.go(to);
  });
  const end = trace.ended ? "" : ` … (stopped after ${plural(trace.steps, "token")})`;
  const greedily = trace.text === trace.greedy_text ? [". Greedily it writes the same."]
    : ["; greedily it writes ", words("b", outputText(trace.greedy_text)), "."];
  const how = el("span");
  const lead = el("p", { class: "lead" }, how, words("b", outputText(trace.text) + end), ...(trace.temperature === 0 ? ["."] : greedily));
  setText(how, trace.temperature === 0 ? "Greedily the model writes " : `With these settings and seed ${trace.seed} the model writes `);
  const node = el("section", { class: "card output", "aria-label": "Output" }, lead, list,
    words("p", `Choose the ${trace.unit} to look at; below each is the probability that the model itself gives it.`, "hint"));
  function step() {
    chips.forEach((chip, t) => {
      const now = t === view.state.step;
      chip.setAttribute("aria-checked", now);
      chip.tabIndex = now ? 0 : -1;
    });
  }
  return { node, step, focus: () => chips[view.state.step].focus() };
}

function outputText(text) { return text === "" ? "nothing" : visibleText(text); }

/** Streamlit calls this on every new message, and again when its theme changes. */
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".sampling-view");
  if (!alive.has(root)) alive.set(root, createView(root));
  const view = alive.get(root);
  view.update(data, setStateValue);
  return view.dispose;
}
