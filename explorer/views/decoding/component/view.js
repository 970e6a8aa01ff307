// The whole view: one state, the parts that follow it, the keys, the player's clock and the report to Python.

const STEP_MS = 900, REST_MS = 400;
// px: from which width on all parts of a step stand in one screen; how high that is, where it is low, and what stays free
// below it; how high the lens's plot is in the lowest.
const DASHBOARD = 640, LOWEST = 600, LOW = 700, HIGHEST = 900, BELOW = 6, PLOT = 34, USUAL_PLOT = 220;
const INSIST_MS = 3000, INSISTS = 10;
const alive = new WeakMap();   // root element -> its view; a rerun calls the default export again with the same page

function within(index, last) { return Math.min(last, Math.max(0, index)); }

function createView(root) {
  const view = {
    root, trace: null, look: null, size: {}, plane: null, weights: null, peaks: [], parts: [],
    opened: new Set(), typed: "",   // the tables that are open; what stands in the field for any other token
    state: {
      step: 0, attention: "cross", layer: 0, head: null, overlay: false,   // what a link holds; head null is the mean
      playing: false, speed: 1,
      cursor: null, hover: null,                       // the pinned cell; the row, column or cell under the pointer
    },
    weight: (row, column) => view.weights[row * view.plane.width + column],
    peak: (row) => view.peaks[row],
    // The row that the step is about, and how many rows there are by then.
    row: () => (view.plane.byStep ? view.state.step : view.trace.reads[view.state.step]),
    rowsSeen: () => (view.plane.byStep ? view.state.step + 1 : view.plane.height),
    shownRow: () => view.state.hover?.row ?? view.row(),
    picked() {
      const row = view.row();
      return view.state.cursor ?? (view.peak(row) < 0 ? null : { row, column: view.peak(row) });
    },
  };
  const CHOICE = ["step", "attention", "layer", "head", "overlay"];
  const { state } = view, choices = makeChoices((a, b) => CHOICE.every((name) => a[name] === b[name]));
  const ends = new AbortController();
  const live = el("div", { class: "unseen", "aria-live": "polite" }), page = joinPage(view, ends.signal);
  let width = 0;   // of the view, in pixels; 0 while it is hidden
  let choosing = false, structure = "", setStateValue = null, clock = 0, rest = 0, unheard = 0;
  let attention = null, candidates = null, branches = null;
  let heard = 0, acted = null;   // the number of the last report that Python knows of; what was done last

  // A part is whole once it was laid out, for which the view must have a width.
  let isLaidOut = false;
  const redraw = (what) => { if (isLaidOut) view.parts.forEach((part) => part[what]?.()); };

  // ---- what the visitor can do -------------------------------------------------------------------------------
  view.go = (step) => { stop(); show(step); changed(); };
  view.toggle = () => (state.playing ? (stop(), changed()) : play());
  view.setSpeed = (speed) => {
    state.speed = speed;
    if (state.playing) tick();
    redraw("playing");
  };
  view.choose = (layer, head) => { chooseMatrix(layer, head); changed(); };
  view.setAttention = (name) => {
    state.attention = name;
    state.cursor = state.hover = null;
    chooseMatrix(state.layer, state.head);
    changed();
  };
  view.setOverlay = (on) => {
    if (!view.trace.gold) return;
    state.overlay = on;
    redraw("matrix");
    changed();
  };
  view.hover = (next) => {
    const before = state.hover;
    if (before?.row === next?.row && before?.column === next?.column && before?.cell === next?.cell) return;
    state.hover = next;
    redraw("hover");
  };
  view.pick = (cell) => {
    if (!cell && !state.cursor) return;
    state.cursor = cell;
    redraw("hover");
  };

  function show(step) {
    state.step = within(step, view.trace.steps - 1);
    state.cursor = state.hover = null;
    redraw("step");
    announce();
  }
  function chooseMatrix(layer, head) {
    const plane = (view.plane = view.trace.planes[state.attention]);
    root.dataset.attention = state.attention;
    state.layer = within(layer, plane.layers - 1);
    state.head = head === null || head < 0 ? null : within(head, plane.heads - 1);
    view.weights = plane.matrix(state.layer, state.head);
    view.peaks = plane.rows.map((_, row) => peakOf(view.weights, row, plane.width));
    redraw("matrix");
  }
  function announce() {
    const { trace, plane } = view, t = state.step, peak = plane.byStep ? view.peak(t) : -1;
    const reads = peak < 0 ? "" : `, reads mostly ${clip(plane.columns[peak], 32)}`;
    const token = `${clip(trace.output[t], 32)}${trace.isForced(t) ? ", forced" : ""}`;
    setText(live, `Step ${t}, ${token}, probability ${formatProbability(trace.probability(t))}${reads}`);
  }

  // ---- playing -----------------------------------------------------------------------------------------------
  function play() {
    if (state.step === view.trace.steps - 1) show(0);
    state.playing = view.trace.steps > 1;
    clearTimeout(rest);
    redraw("playing");
    tick();
  }
  function stop() {
    clearTimeout(clock);
    if (!state.playing) return;
    state.playing = false;
    redraw("playing");
  }
  function tick() {
    clearTimeout(clock);
    if (!state.playing) return;
    clock = setTimeout(() => {
      show(state.step + 1);
      if (state.step < view.trace.steps - 1) return tick();
      stop();
      changed();
    }, STEP_MS / state.speed);
  }

  // ---- the reports to Python: of what is looked at when stepping rests, of what is done at once ----------------
  const snapshot = () => Object.fromEntries(CHOICE.map((name) => [name, state[name]]));
  function changed() {
    choosing = true;
    clearTimeout(rest);
    rest = setTimeout(tellView, REST_MS);
  }
  function tellView() {
    clearTimeout(rest);
    if (state.playing) return;
    choosing = false;
    const chosen = snapshot();
    if (!choices.isKnown(chosen)) send("view", { trace: view.trace.key, ...chosen, report: choices.tell(chosen) });
  }
  function send(...told) {
    setStateValue(...told);
    insist(told, INSISTS);
  }
  /** An answer may be lost with the connection. Python acts on a report once, however often it is told. */
  function insist(told, times) {
    clearTimeout(unheard);
    if (times) unheard = setTimeout(() => {
      if (heard >= choices.report) return;
      if (document.querySelector("[data-test-script-state=notRunning]")) setStateValue(...told);
      insist(told, times - 1);
    }, INSIST_MS);
  }
  /** Something that changes the decodings themselves; what is looked at is told first, so that it stays. */
  view.act = (action) => {
    stop();
    tellView();
    acted = action;
    send("action", { trace: view.trace.key, ...action, report: choices.tell() });
  };
  /** Asks how a weight came about; of the mean over the heads nothing was recorded. */
  view.explainWeight = ({ row, column }) => {
    const { attention: name, layer, head } = state;
    if (head === null) return setText(live, MEAN_IS_DERIVED);
    if (column >= 0) view.act({ kind: "explain", what: "weight", attention: name, layer, head, row, column });
  };
  /** Waits until the address holds what is on the screen; not for ever, the server may be busy. */
  view.settle = async () => {
    tellView();
    for (let tries = 0; heard < choices.report && tries < 40; tries++) await new Promise((done) => setTimeout(done, 50));
  };

  // ---- keys --------------------------------------------------------------------------------------------------
  function onKey(event) {
    const graph = event.getModifierState("AltGraph");
    if ((event.ctrlKey || event.metaKey || event.altKey) && !graph) return;
    const target = event.target;
    if (target.closest("input, textarea, select, [contenteditable]")) return;
    if (event.key === " " && target.closest("button")) return;
    const act = (attention.isCells(target) && cellKey(event.key)) || viewKey(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
  function viewKey(key) {
    const { step, layer, head } = state, row = head ?? -1;
    return {
      ArrowLeft: () => view.go(step - 1), ArrowRight: () => view.go(step + 1),
      Home: () => view.go(0), End: () => view.go(view.trace.steps - 1), " ": view.toggle,
      "[": () => view.choose(layer - 1, head), "]": () => view.choose(layer + 1, head),
      ",": () => view.choose(layer, row - 1), ".": () => view.choose(layer, row + 1),
      ArrowUp: candidates.onto(-1), ArrowDown: candidates.onto(1),
    }[key];
  }
  function cellKey(key) {
    const { plane } = view, { row, column } = view.picked() ?? { row: view.row(), column: 0 };
    const to = (nextRow, nextColumn) => () => {
      if (state.playing) { stop(); changed(); }
      const cell = { row: within(nextRow, view.rowsSeen() - 1), column: within(nextColumn, plane.width - 1) };
      state.hover = null;
      view.pick(cell);
      attention.reveal(cell);
      const weight = plane.masked(cell.row, cell.column) ? "masked" : `weight ${fixed(view.weight(cell.row, cell.column), 4)}`;
      setText(live, `${clip(plane.rowName(cell.row), 40)} reads ${clip(plane.columns[cell.column], 32)}, ${weight}`);
    };
    return {
      ArrowLeft: to(row, column - 1), ArrowRight: to(row, column + 1),
      ArrowUp: to(row - 1, column), ArrowDown: to(row + 1, column),
      Enter: () => view.explainWeight({ row, column }), Home: to(row, 0), End: to(row, plane.width - 1), Escape: leaveCells,
    }[key];
  }
  function leaveCells() { root.focus({ preventScroll: true }); }

  // ---- size and colours --------------------------------------------------------------------------------------
  function layout() {
    const { trace } = view;
    if (!trace || !width) return;
    const phone = window.innerWidth < 640, dashboard = !phone && width >= DASHBOARD;
    const tall = Math.max(LOWEST, Math.min(HIGHEST, window.innerHeight - topOnPage() - BELOW)), low = dashboard && tall < LOW;
    view.size = { phone, dashboard, low, plot: dashboard ? Math.round(PLOT + (tall - LOWEST) / 4) : USUAL_PLOT };
    root.dataset.size = phone ? "phone" : dashboard ? "dashboard" : "stacked";
    root.toggleAttribute("data-low", low);
    root.style.setProperty("--tall", `${tall}px`);
    const isFirst = !isLaidOut;
    isLaidOut = true;
    redraw("layout");
    if (isFirst) { redraw("step"); redraw("playing"); }
  }
  /** Where the view begins on a page that is not scrolled. */
  function topOnPage() {
    const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? window.scrollY;
    return root.getBoundingClientRect().top + scrolled;
  }
  function relook(theme = themeOf(root)) {
    if (view.look?.theme !== theme) view.look = { ...readLook(root), theme };
    layout();
  }

  // ---- new messages ------------------------------------------------------------------------------------------
  /** Builds everything; where the sentence is the same once more, what had the focus has it again. */
  function build(payload, again) {
    const controls = () => [...root.querySelectorAll("button, input, [tabindex]")], before = controls(), { cursor } = state;
    const hadFocus = root.contains(root.getRootNode().activeElement), held = before.indexOf(root.getRootNode().activeElement);
    if (!again) view.typed = "";
    view.trace = makeTrace(payload);
    isLaidOut = false;
    state.hover = state.cursor = null;
    attention = buildAttention(view);
    candidates = buildCandidates(view);
    const { what_if: forks } = payload.header;
    branches = forks ? buildBranches(view) : null;
    const internals = [view.trace.lens && buildLens(view), view.trace.cache && buildCache(view)].filter(Boolean);
    view.parts = [page, attention, candidates, ...(branches ? [branches] : []), ...internals];
    const pair = el("div", { class: "pair" }, attention.node, candidates.node);
    const inside = el("div", { class: "internals" }, ...internals.map((part) => part.node));
    root.replaceChildren(pair, ...(branches ? [branches.node] : []), ...(internals.length ? [inside] : []), live);
    return hadFocus && (() => {
      const now = controls();
      if (acted || !again || held < 0 || now.length !== before.length) return refocus();
      now[held].focus({ preventScroll: true });
      if (attention.isCells(now[held]) && cursor?.row < view.rowsSeen()) view.pick(cursor);
    });
  }
  /** A rebuilt view takes the focus to what the visitor's last action made. */
  function refocus() {
    const action = acted;
    acted = null;
    if (!action || !branches?.focus(action)) root.focus({ preventScroll: true });
  }
  function choiceOf({ step, attention, layer, head, overlay, gold }) {
    return { step, attention, layer, head, overlay: overlay && gold !== null };
  }

  function update(bytes, sender) {
    setStateValue = sender;
    // Before anything is rebuilt: asked afterwards, each of them costs a layout.
    const theme = themeOf(root);
    width = root.clientWidth;
    const payload = readPayload(bytes), { header } = payload, choice = choiceOf(header);
    const fresh = view.trace?.key !== header.key;
    const before = structure;
    structure = JSON.stringify({ ...header, step: 0, attention: 0, layer: 0, head: 0, overlay: 0, report: 0 });
    heard = header.report;
    const again = String(header.source_tokens) === String(view.trace?.source_tokens);
    const earlier = choices.knownAt(header.report);
    // A step ends where the output does, so that it may be another one without anybody's choice.
    const alike = (a, b) => CHOICE.every((name) => name === "step" || a[name] === b[name]);
    const verdict = choices.hear(choice, header.report, { fresh, possible: again, pending: choosing, alike });
    const follows = verdict === "follow", keeps = verdict === "keep";
    if (fresh) { stop(); clearTimeout(rest); clearTimeout(unheard); }
    const rebuilt = structure !== before, scrollBack = rebuilt && again ? keepScroll(root, ".numbers, .scroller") : null, focusAgain = rebuilt && build(payload, again);
    if (follows) {
      stop();
      clearTimeout(rest);
      Object.assign(state, { ...choice, cursor: null });
    } else if (keeps) {
      if (state.step === earlier.step) state.step = choice.step;
      changed();
    }
    // Our own report coming back changes nothing that is drawn.
    if (!follows && !rebuilt && root.dataset.look === theme) return;
    state.step = Math.min(state.step, view.trace.steps - 1);
    chooseQuietly();
    relook(theme);
    if (follows && !rebuilt) { redraw("step"); redraw("playing"); }
    scrollBack?.();
    if (focusAgain) focusAgain();
  }
  function chooseQuietly() {
    const parts = view.parts;
    view.parts = [];
    chooseMatrix(state.layer, state.head);
    view.parts = parts;
  }

  /** With the focus nowhere at all, as after opening the page, the arrows still step: the screen says they do. */
  function onPageKey(event) {
    if (event.target !== document.body || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    if (!event.ctrlKey && !event.metaKey && !event.altKey && view.trace) viewKey(event.key)();
  }

  root.tabIndex = -1;
  listenForLesson();
  document.addEventListener("keydown", onPageKey, { signal: ends.signal });
  root.addEventListener("keydown", onKey, { signal: ends.signal });
  window.addEventListener("resize", layout, { signal: ends.signal });
  const observer = new ResizeObserver(() => {
    if (root.clientWidth !== width) { width = root.clientWidth; layout(); }
  });
  observer.observe(root);
  // Labels are measured with the page's typeface, which may arrive after the first drawing.
  document.fonts?.ready.then(() => !ends.signal.aborted && view.trace && relook());

  function dispose() {
    ends.abort();
    observer.disconnect();
    clearTimeout(clock);
    clearTimeout(rest);
    clearTimeout(unheard);
    alive.delete(root);
  }
  return { update, dispose };
}

/** Streamlit calls this on every new message, and again when its theme changes. */
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".decode-view");
  if (!alive.has(root)) alive.set(root, createView(root));
  const view = alive.get(root);
  view.update(data, setStateValue);
  return view.dispose;
}
