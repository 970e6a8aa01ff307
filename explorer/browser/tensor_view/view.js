// The whole view: what is open and chosen, the keys, and the report to Python.

const REST_MS = 400;
const alive = new WeakMap();   // root element -> its view; a rerun calls the default export again with the same page

function within(index, last) { return Math.min(last, Math.max(0, index)); }

function createView(root) {
  const live = el("div", { class: "unseen", "aria-live": "polite" }), ends = new AbortController();
  const state = { stage: "", choices: {}, robust: false, hover: null, cursor: null };
  const view = {
    root, state, look: null, phone: false, tensors: {}, stages: [], choosers: [], cell: null, row: null, rowSide: "", message: 0,
    /** The place of an axis that is drawn: of what the message does not hold, the place that it does hold. */
    placeOf(axis) {
      const chooser = view.choosers.find((each) => each.axis === axis);
      if (!chooser) return 0;
      return chooser.local ? state.choices[axis] ?? chooser.value : chooser.value;
    },
    say: (text) => setText(live, text),
  };
  const choices = makeChoices((a, b) => a.stage === b.stage && view.choosers.every(({ axis }) => a.choices[axis] === b.choices[axis]));
  let bytes = null, structure = "", key = null, rest = 0, setStateValue = null;
  let tabs = null, stage = null;

  // ---- what the visitor can do -------------------------------------------------------------------------------
  view.open = (stageKey) => {
    if (stageKey === state.stage) return;
    state.stage = stageKey;
    showStage();
    changed();
  };
  view.choose = (axis, place) => {
    const chooser = view.choosers.find((each) => each.axis === axis);
    if (!chooser || place < 0 || place >= chooser.options.length || place === state.choices[axis]) return;
    state.choices = { ...state.choices, [axis]: place };
    stage.draw();
    view.say(optionWords(chooser, place));
    if (chooser.local) changed();
    else tellView();
  };
  view.ask = (open, panel, { row, column }) => {
    if (panel.tensor.askable === false) return;
    tellView();
    const { plane, tensor } = panel, index = plane.index(row, column), layer = plane.layer(row, column);
    view.cell = { site: siteOf(tensor, layer), index: [...tensor.lead, ...index] };
    stage.marks();
    setStateValue("ask", { key, tensor: tensor.name, layer, index, report: choices.tell() });
  };

  // ---- the report: when looking around rests -----------------------------------------------------------------
  const snapshot = () => ({ stage: state.stage, choices: { ...state.choices } });
  function changed() {
    clearTimeout(rest);
    rest = setTimeout(tellView, REST_MS);
  }
  function tellView() {
    clearTimeout(rest);
    const chosen = snapshot();
    if (!choices.isKnown(chosen)) setStateValue("view", { key, ...chosen, report: choices.tell(chosen) });
  }

  // ---- keys --------------------------------------------------------------------------------------------------
  function onKey(event) {
    const graph = event.getModifierState("AltGraph");
    if ((event.ctrlKey || event.metaKey || event.altKey) && !graph) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const panel = stage.panelOf(event.target);
    const act = (panel >= 0 && stage.cellKey(panel, event.key)) || viewKey(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
  function viewKey(pressed) {
    const [axis, step] = { "[": ["layer", -1], "]": ["layer", 1], ",": ["head", -1], ".": ["head", 1] }[pressed] ?? [];
    // A key must not change what the open stage does not show.
    return axis && stage.chooses(axis) ? () => view.choose(axis, (state.choices[axis] ?? 0) + step) : undefined;
  }

  // ---- size and colours --------------------------------------------------------------------------------------
  function layout() {
    if (!stage || !root.clientWidth) return;
    view.phone = window.innerWidth < 640;
    root.dataset.size = view.phone ? "phone" : "wide";
    stage.layout();
    tabs.update();
  }
  function relook() {
    view.look = readLook(root);
    layout();
  }

  // ---- new messages ------------------------------------------------------------------------------------------
  function showStage() {
    Object.assign(state, { hover: null, cursor: null });
    const next = buildStage(view, view.stages.find((each) => each.key === state.stage) ?? view.stages[0]);
    // The page must not become shorter for a moment, or it would scroll.
    if (stage) stage.node.replaceWith(next.node);
    stage = next;
    if (root.contains(stage.node)) layout();
  }
  /** Builds everything; what is read in the open stage stays as it is, what had the focus has it again. */
  function build({ header, arrays }) {
    const focused = root.getRootNode().activeElement, hadFocus = root.contains(focused), name = focused?.dataset?.focus;
    view.tensors = Object.fromEntries(Object.entries(header.tensors).map(([tensor, entry]) => [tensor, makeTensor(tensor, entry, arrays)]));
    view.stages = header.stages;
    view.choosers = header.choosers;
    view.message++;
    if (!view.stages.some((each) => each.key === state.stage)) state.stage = header.stage;
    return () => {
      const reading = stage?.key === state.stage ? stage.reading() : null;
      tabs = buildTabs(view);
      stage = null;
      showStage();
      // Before it is on the page: that must not become shorter for a moment.
      if (reading) stage.openTable(reading.tabled);
      root.replaceChildren(...(view.stages.length > 1 ? [tabs.node] : []), stage.node, live);
      relook();
      if (reading) stage.readOn(reading);
      if (!hadFocus) return;
      const again = [...root.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === name);
      (again ?? root).focus({ preventScroll: true });
    };
  }
  function choiceOf(header) {
    return { stage: header.stage, choices: Object.fromEntries(header.choosers.map((chooser) => [chooser.axis, chooser.value])) };
  }
  /** Whether every chooser has the place that is chosen on its axis. */
  function isPossible() { return view.choosers.every(({ axis, options }) => state.choices[axis] < options.length); }
  function update(message, send) {
    setStateValue = send;
    if (bytes && sameBytes(message, bytes)) return root.dataset.look === themeOf(root) ? undefined : relook();
    const payload = readPayload(message), { header } = payload, choice = choiceOf(header);
    const before = structure, fresh = header.key !== key, numbers = bytes && bodyOf(bytes);
    structure = JSON.stringify({ ...header, stage: 0, cell: 0, row: 0, row_side: 0, report: 0, choosers: header.choosers.map((each) => (each.local ? { ...each, value: 0 } : each)) });
    const rebuilt = structure !== before || !sameBytes(bodyOf(message), numbers);
    bytes = message.slice();
    key = header.key;
    // A message from before the last question does not know what was asked.
    if (fresh || header.report >= choices.report) view.cell = header.cell;
    view.row = header.row;
    view.rowSide = header.row_side;
    const show = rebuilt ? build(payload) : null;
    const heard = choices.hear(choice, header.report, { fresh, possible: isPossible(), pending: !choices.isKnown(snapshot()) });
    const follows = heard === "follow", other = follows && choice.stage !== state.stage;
    if (follows) {
      clearTimeout(rest);
      Object.assign(state, choice);
    } else if (heard === "keep") changed();
    if (show) return show();
    if (other) showStage();
    else if (follows) stage.draw();
    else stage.marks();
    tabs.update();
    if (root.dataset.look !== themeOf(root)) relook();
  }

  root.tabIndex = -1;
  root.addEventListener("keydown", onKey, { signal: ends.signal });
  window.addEventListener("resize", layout, { signal: ends.signal });
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (root.clientWidth !== width) { width = root.clientWidth; layout(); }
  });
  observer.observe(root);
  // Labels are measured with the page's typeface, which may arrive after the first drawing.
  document.fonts?.ready.then(() => !ends.signal.aborted && stage && relook());

  function dispose() {
    ends.abort();
    observer.disconnect();
    clearTimeout(rest);
    alive.delete(root);
  }
  return { update, dispose };
}

/** What follows the header of a message. */
function bodyOf(message) {
  const length = new DataView(message.buffer, message.byteOffset).getUint32(0, true);
  return message.subarray(4 + Math.ceil(length / 4) * 4);
}
function sameBytes(a, b) {
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Streamlit calls this on every new message, and again when its theme changes. */
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".tensor-view");
  if (!alive.has(root)) alive.set(root, createView(root));
  const view = alive.get(root);
  view.update(data, setStateValue);
  return view.dispose;
}
