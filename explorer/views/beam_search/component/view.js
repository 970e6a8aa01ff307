// The whole view: what is looked at, the keys, and the report to Python.

const alive = new WeakMap();   // root element -> its view; a rerun calls the default export again with the same page
let pruned = "best";           // as the visitor last chose it, in whatever tree

function createView(root) {
  const view = {
    root, tree: null, opened: new Set(), size: { phone: false, width: 0 }, state: { cursor: null, hover: null, pruned },
    looked: () => view.state.hover ?? view.state.cursor,
  };
  const { state } = view;
  const ends = new AbortController();
  let picture = null, details = null, choices = [], setStateValue = null, report = 0, width = 0;

  // ---- what the visitor can do -------------------------------------------------------------------------------
  view.hover = (node) => {
    const next = node && picture.isShown(node) ? node : null;
    if (next === state.hover) return;
    state.hover = next;
    light();
  };
  view.move = (node) => {
    if (node === state.cursor && !state.hover) return;
    Object.assign(state, { cursor: node, hover: null });
    light();
  };
  view.open = (node) => {
    report = reportAfter(report);
    setStateValue("opened", { trace: view.tree.key, node: node.index, report });
  };
  view.setPruned = (choice) => {
    state.pruned = pruned = choice;
    state.hover = null;
    picture.layout();
    // What the picture no longer shows cannot be looked at: its nearest ancestor that it shows can.
    state.cursor = view.tree.path(state.cursor).findLast(picture.isShown) ?? view.tree.best;
    light();
    for (const { node, name } of choices) node.setAttribute("aria-pressed", name === choice);
  };
  function light() {
    picture.light();
    details.light();
  }

  // ---- keys --------------------------------------------------------------------------------------------------
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest(".node")) return;
    const next = neighbour(event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    view.move(next);
    picture.focus(next);
  }
  /** The node that a key leads to, null where there is none, undefined for other keys. */
  function neighbour(key) {
    const { tree } = view, at = state.cursor;
    const column = () => {
      const places = picture.places();
      const nodes = [...places.keys()].filter((node) => node.step === at.step);
      return nodes.sort((a, b) => places.get(a).row - places.get(b).row);
    };
    const children = () => at.children.filter(picture.isShown);
    const ways = {
      ArrowLeft: () => (at.parent === null ? null : tree.nodes[at.parent]),
      ArrowRight: () => children().find((node) => node.best) ?? children()[0] ?? null,
      ArrowUp: () => column()[column().indexOf(at) - 1] ?? null,
      ArrowDown: () => column()[column().indexOf(at) + 1] ?? null,
      Home: () => tree.path(at)[0],
      End: () => tree.best,
    };
    return ways[key]?.();
  }

  // ---- size and colours --------------------------------------------------------------------------------------
  view.widestToken = (nodes) => {
    const context = document.createElement("canvas").getContext("2d");
    context.font = `650 14px ${getComputedStyle(root).fontFamily}`;
    return Math.max(...nodes.map((node) => context.measureText(clip(node.token, 40)).width));
  };
  function layout() {
    if (!view.tree || !root.clientWidth) return;
    root.dataset.look = themeOf(root);
    const phone = window.innerWidth < 640;
    root.dataset.size = phone ? "phone" : "wide";
    view.size = { phone, width: picture.node.clientWidth };
    picture.layout();
    details.layout();
  }

  // ---- new messages ------------------------------------------------------------------------------------------
  function update(bytes, send) {
    setStateValue = send;
    const payload = readPayload(bytes);
    if (view.tree?.key !== payload.header.key) build(readTree(payload));
    else if (root.dataset.look !== themeOf(root)) layout();
  }
  function build(tree) {
    view.tree = tree;
    Object.assign(state, { cursor: tree.best, hover: null });
    picture = buildPicture(view);
    details = buildDetails(view);
    const table = buildTable(view), scrollBack = keepScroll(root);
    root.replaceChildren(treeCard(table), buildList(view));
    layout();
    scrollBack();
  }
  function treeCard(table) {
    const { tree } = view;
    choices = [["none", "None"], ["best", "Best 2"], ["all", "All"]].map(([name, label]) => {
      const node = el("button", { type: "button", text: label, "aria-pressed": name === state.pruned });
      node.addEventListener("click", () => view.setPruned(name));
      return { node, name };
    });
    const subtitle = `${tree.width === 1 ? "the best hypothesis is" : `the best ${tree.width} hypotheses are`} kept at each step; ${END[tree.end]}`;
    const group = el("div", { class: "picker" }, words("span", "Pruned"),
      el("div", { class: "segments", role: "group", "aria-label": "Pruned nodes" }, ...choices.map((choice) => choice.node)));
    picture.plane.setAttribute("role", "group");
    picture.plane.setAttribute("aria-label", "Beam search tree: arrow keys move between tokens, Enter opens one in Step by step");
    return el("section", { class: "card", "aria-label": "Beam search tree" },
      el("header", {}, el("div", {}, words("h2", "Search tree"), words("p", subtitle)), group),
      picture.wide, picture.node, legend(), details.node, el("p", { class: "foot" }, keyHints(), table.button), table.node);
  }

  root.addEventListener("keydown", onKey, { signal: ends.signal });
  window.addEventListener("resize", layout, { signal: ends.signal });
  const observer = new ResizeObserver(() => {
    if (root.clientWidth !== width) { width = root.clientWidth; layout(); }
  });
  observer.observe(root);
  // Tokens are measured with the page's typeface, which may arrive after the first drawing.
  document.fonts?.ready.then(() => !ends.signal.aborted && layout());

  function dispose() {
    ends.abort();
    observer.disconnect();
    alive.delete(root);
  }
  return { update, dispose };
}

function legend() {
  const sample = (name, text) => el("span", { class: "sample" },
    svg("svg", { width: 30, height: 10, "aria-hidden": "true" }, svg("path", { class: name, d: "M1 5H29" })), words("span", text));
  const chip = el("span", { class: "node key", "aria-hidden": "true" }, words("span", "token", "token"), words("em", "P"),
    words("small", "log P"), words("small", "score"));
  return el("div", { class: "legend" }, chip, sample("best", "best output"), sample("greedy", "greedy’s path"),
    sample("kept", "kept"), sample("pruned", "pruned"), words("span", "rounded: ended"));
}

function keyHints() {
  return el("span", { class: "keys", "aria-hidden": "true" },
    ...["←", "→", "↑", "↓"].map((key) => words("kbd", key)), words("span", "move"), words("kbd", "Enter"), words("span", "open"));
}

/** Streamlit calls this on every new message, and again when its theme changes. */
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".beam-view");
  if (!alive.has(root)) alive.set(root, createView(root));
  const view = alive.get(root);
  view.update(data, setStateValue);
  return view.dispose;
}
