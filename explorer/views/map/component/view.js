// The whole view: what is lit and chosen, the keys, and the reports to Python.

const REST_MS = 400;
const alive = new WeakMap();   // root element -> its view; a rerun calls the default export again with the same page

function createView(root) {
  const view = { root, map: null, opened: new Set(), state: { step: 0, chosen: "", cursor: "", unfolded: {} } };
  const { state } = view, ends = new AbortController(), live = el("div", { class: "unseen", "aria-live": "polite" });
  const choices = makeChoices((a, b) => a.step === b.step && a.chosen === b.chosen);
  let bytes = null, setStateValue = null, rest = 0, width = 0, structure = "";
  let thumbnails = null, picture = null, parts = [], chosenCard = null, holder = null, legend = null;

  // ---- what the visitor can do -------------------------------------------------------------------------------
  view.go = (step) => {
    const next = Math.min(view.map.outputs.length - 1, Math.max(0, step));
    if (next === state.step) return;
    state.step = next;
    show();
    setText(live, `Step ${next}: ${clip(view.map.outputs[next], 32)}, probability ${formatProbability(view.map.probabilities[next])}`);
    changed();
  };
  view.choose = (id) => {
    const [stack, , layer] = id.split(".");
    const fold = id.split(".").length === 3 && state.unfolded[stack] !== Number(layer);
    if (view.map.compact) return view.open(isLayer(id) ? view.map.blocks.find((block) => block.id.startsWith(`${id}.`)).id : id, "map", "");
    state.chosen = state.cursor = id;
    if (fold && isLayer(id)) {
      state.unfolded = { ...state.unfolded, [stack]: Number(layer) };
      const focused = root.getRootNode().activeElement?.dataset?.id === id;
      draw();
      if (focused) picture.focus(id);
    }
    picture.mark(state.chosen, state.cursor);
    chosenCard.choose(id);
    chosenCard.show(state.step);
    changed();
  };
  view.open = (block, page, item) => {
    clearTimeout(rest);
    setStateValue("open", { key: view.map.key, step: state.step, chosen: block, page, item, report: choices.tell(snapshot()) });
  };
  function isLayer(id) { return /^(encoder|decoder)\.layers\.\d+$/.test(id); }

  function show() {
    picture.show(state.step);
    for (const part of parts) part.show(state.step);
  }

  // ---- the report to Python, when stepping and choosing rest ---------------------------------------------------
  const snapshot = () => ({ step: state.step, chosen: state.chosen });
  function changed() {
    clearTimeout(rest);
    if (view.map.compact) return;
    rest = setTimeout(() => {
      const chosen = snapshot();
      if (!choices.isKnown(chosen)) setStateValue("view", { key: view.map.key, ...chosen, report: choices.tell(chosen) });
    }, REST_MS);
  }

  // ---- keys and clicks ---------------------------------------------------------------------------------------
  const idOf = (event) => event.target.closest?.("[data-id]")?.dataset.id;
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = idOf(event), { key } = event;
    if (id && (key === "Enter" || key === " ")) act(event, () => view.choose(id));
    else if (id && key.startsWith("Arrow")) act(event, () => move(picture.neighbour(id, key)));
    else if (id && (key === "[" || key === "]")) act(event, () => turn(id, key === "[" ? -1 : 1));
    else if (event.target.closest(".stepper") && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) act(event, () => stepKey(key));
  }
  function act(event, what) { event.preventDefault(); event.stopPropagation(); what(); }
  function move(id) {
    if (!id) return;
    state.cursor = id;
    picture.mark(state.chosen, state.cursor);
    picture.focus(id);
  }
  /** Another layer of the same stack. */
  function turn(id, by) {
    const stack = id.startsWith("enc") || id.startsWith("src") ? "encoder" : "decoder";
    const next = (state.unfolded[stack] ?? 0) + by;
    if (view.map.compact || next < 0 || next >= view.map.n_layers[stack]) return;
    view.choose(layerId(stack, next));
    move(layerId(stack, next));
  }
  function stepKey(key) {
    view.go({ ArrowLeft: state.step - 1, ArrowRight: state.step + 1, Home: 0, End: view.map.outputs.length - 1 }[key]);
  }
  /** With the focus nowhere at all, as after opening the page, the arrows step. */
  function onPageKey(event) {
    if (event.target !== document.body || !["ArrowLeft", "ArrowRight"].includes(event.key) || !view.map || view.map.compact) return;
    if (!event.ctrlKey && !event.metaKey && !event.altKey) stepKey(event.key);
  }

  // ---- drawing -------------------------------------------------------------------------------------------------
  function draw() {
    const phone = window.innerWidth < 640;
    root.dataset.size = phone ? "phone" : root.clientWidth < 900 ? "stacked" : "wide";
    const plan = layOut(view.map, { unfolded: state.unfolded, width: Math.max(290, Math.min(holder.clientWidth, phone ? 420 : 700)), phone, compact: view.map.compact });
    picture = buildPicture(view, plan, thumbnails);
    holder.replaceChildren(picture.node, legend.node);
    if (!picture.has(state.cursor)) state.cursor = picture.has(state.chosen) ? state.chosen : [...plan.boxes.keys()][0];
    picture.mark(state.chosen, state.cursor);
    picture.show(state.step);
  }
  function build() {
    const { map } = view, controls = () => [...root.querySelectorAll("button, [tabindex]")], before = controls();
    const held = before.indexOf(root.getRootNode().activeElement), scrollBack = keepScroll(root);
    root.dataset.compact = map.compact;
    thumbnails = makeThumbnails(bytes, readLook(root));
    holder = el("div", { class: "figure" });
    legend = buildLegend(map);
    const parameters = buildParameters(map);
    if (map.compact) {
      parts = [legend];
      chosenCard = null;
      root.replaceChildren(el("div", { class: "pair" }, el("section", { class: "card", "aria-label": "The model" }, holder), el("div", { class: "side" }, wayIn(), parameters)));
    } else {
      const table = buildTable(view), head = stepHead();
      chosenCard = buildChosen(view, thumbnails);
      chosenCard.choose(state.chosen);
      parts = [legend, table, head, chosenCard];
      root.replaceChildren(head.node, el("div", { class: "pair" },
        el("section", { class: "card", "aria-label": "The model" }, holder, el("p", { class: "foot" }, keyHints(), table.button), table.node),
        el("div", { class: "side" }, chosenCard.node, parameters)), live);
    }
    draw();
    show();
    scrollBack();
    if (held < 0) return;
    const now = controls();
    if (now.length === before.length) now[held].focus({ preventScroll: true });
    else picture.focus(state.cursor, true);
  }
  function wayIn() {
    const button = el("button", { type: "button", class: "primary", text: "See it on the map" });
    button.addEventListener("click", () => view.open(view.map.blocks.findLast((block) => block.kind === "attention").id, "map", ""));
    return el("section", { class: "card", "aria-label": "Map" }, el("header", {}, words("h2", "The model that does it")),
      words("p", "The paper’s network with the values of this very output. Choose a block to see what is recorded there.", "meaning"), button);
  }
  function stepHead() {
    const before = words("span", ""), input = el("b", { class: "target" }), output = el("b", { class: "target" }), place = words("b", "");
    const button = (name, path, by) => {
      const part = el("button", { type: "button", class: "step-button", "aria-label": name }, svg("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, svg("path", { d: path })));
      part.addEventListener("click", () => view.go(state.step + by));
      return part;
    };
    const last = view.map.outputs.length - 1;
    const back = button("Step back", "M9.5 3 4.5 7l5 4Z", -1), forward = button("Step forward", "M4.5 3l5 4-5 4Z", 1);
    const node = el("div", { class: "top" }, el("p", { class: "lead" }, before, input, " goes in, ", output, " comes out."),
      el("div", { class: "stepper", role: "group", "aria-label": "Step" }, back, el("span", {}, place, ` of 0–${last}`), forward));
    return { node, show: (step) => {
      setText(before, `The heavy line is step ${step}: `);
      setText(input, view.map.inputs[step]);
      setText(output, view.map.outputs[step]);
      setText(place, `Step ${step}`);
      back.setAttribute("aria-disabled", step === 0);
      forward.setAttribute("aria-disabled", step === last);
    } };
  }

  // ---- new messages ----------------------------------------------------------------------------------------------
  function update(message, send) {
    setStateValue = send;
    const { header, arrays } = readPayload(message);
    const fresh = view.map?.key !== header.key, layers = view.map && String(Object.values(view.map.n_layers));
    const choice = { step: header.step, chosen: header.chosen };
    const heard = choices.hear(choice, header.report, { fresh, possible: isPossible(header), pending: !choices.isKnown(snapshot()) });
    const before = structure;
    structure = JSON.stringify({ ...header, step: 0, chosen: 0, unfolded: 0, report: 0 });
    const rebuild = fresh || structure !== before || root.dataset.look !== themeOf(root);
    if (rebuild) {
      const pictures = arrays.pictures;
      bytes = new Uint8Array(pictures.buffer, pictures.byteOffset, pictures.byteLength);
      view.map = shownTexts(header);
    }
    if (heard === "follow") {
      clearTimeout(rest);
      // The layers that somebody has unfolded stay so where nothing else is chosen.
      const unfolded = fresh && layers === String(Object.values(header.n_layers)) && choice.chosen === state.chosen ? state.unfolded : header.unfolded ?? {};
      Object.assign(state, choice, { cursor: header.chosen, unfolded });
    } else if (heard === "keep") changed();
    if (rebuild || heard === "follow") build();
  }
  /** Whether a map has the step and the block that are chosen. */
  function isPossible({ outputs, blocks }) {
    return state.step < outputs.length && blocks.some(({ id }) => id === state.chosen || id.startsWith(`${state.chosen}.`));
  }
  /** Tokens are untrusted: from here on they are what may be shown. */
  function shownTexts(header) {
    return { ...header, source: header.source.map(visible), inputs: header.inputs.map(visible), outputs: header.outputs.map(visible) };
  }
  function relayout() {
    if (!view.map || !holder || !root.clientWidth) return;
    const focused = root.getRootNode().activeElement?.dataset?.id;
    draw();
    if (focused) picture.focus(focused, true);
  }

  root.addEventListener("keydown", onKey, { signal: ends.signal });
  root.addEventListener("click", (event) => { const id = idOf(event); if (id) view.choose(id); }, { signal: ends.signal });
  listenForLesson();
  document.addEventListener("keydown", onPageKey, { signal: ends.signal });
  const observer = new ResizeObserver(() => { if (root.clientWidth !== width) { width = root.clientWidth; relayout(); } });
  observer.observe(root);
  // Texts are measured with the page's typeface, which may arrive after the first drawing.
  document.fonts?.ready.then(() => !ends.signal.aborted && relayout());

  function dispose() {
    ends.abort();
    observer.disconnect();
    clearTimeout(rest);
    alive.delete(root);
  }
  return { update, dispose };
}

function keyHints() {
  return el("span", { class: "keys", "aria-hidden": "true" }, ...["←", "→", "↑", "↓"].map((key) => words("kbd", key)), words("span", "move"),
    words("kbd", "Enter"), words("span", "choose"), words("kbd", "["), words("kbd", "]"), words("span", "layer"));
}

/** Streamlit calls this on every new message, and again when its theme changes. */
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".map-view");
  if (!alive.has(root)) alive.set(root, createView(root));
  const view = alive.get(root);
  view.update(data, setStateValue);
  return view.dispose;
}
