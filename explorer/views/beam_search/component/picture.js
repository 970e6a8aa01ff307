// The picture: a column for each step, a button for each node, and curves from parents to children.

const SIZES = { wide: { height: 42, row: 54, root: 34 }, phone: { height: 46, row: 58, root: 30 } };
const LEAST_WIDTH = 94, MOST_WIDTH = 156, TIGHT_WIDTH = 104, LEAST_GAP = 26, MOST_GAP = 54, TOP = 34, GROUP_GAP = 14;

function buildPicture(view) {
  const { tree } = view;
  // Made when first shown: most nodes are pruned ones that nobody asks for.
  const buttons = [], curves = [];
  const buttonOf = (at) => (buttons[at.index] ??= buildNode(at, tree));
  const curveOf = (at) => (curves[at.index] ??= svg("path"));
  const greedyCurves = new Map(tree.greedy.map((i) => [i, svg("path", { class: "greedy" })]));
  const heads = Array.from({ length: tree.steps }, (_, t) => el("span", { class: "step-name", text: `step ${t}` }));
  const root = el("span", { class: "root", text: "<s>", title: "every hypothesis begins here" });
  const lines = svg("svg", { "aria-hidden": "true" });
  const plane = el("div", { class: "plane" }, lines, root);
  const wide = words("p", "Wider than the card: scroll to see all steps.", "wide");
  const node = el("div", { class: "scroller" }, plane);
  let places = new Map(), lit = [];

  /** Draws the nodes that are shown; the others leave the page. */
  function layout() {
    const size = SIZES[view.size.phone ? "phone" : "wide"];
    const placed = placeNodes(tree, view.state.pruned);
    places = placed.places;
    const wanted = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, view.widestToken([...places.keys()]) + 62));
    // A long token gives way before the picture has to scroll; its node's line below says it whole.
    const fitting = (view.size.width - size.root - 4) / tree.steps - LEAST_GAP;
    const width = fitting >= TIGHT_WIDTH ? Math.min(wanted, Math.floor(fitting)) : wanted;
    const free = view.size.width - size.root - tree.steps * width - 4;
    const gap = Math.min(MOST_GAP, Math.max(LEAST_GAP, free / tree.steps));
    const x = (step) => size.root + (step + 1) * gap + step * width;
    const y = ({ row, gap: group }) => TOP + row * size.row + group * GROUP_GAP;
    const middle = y({ row: 0, gap: 0 }) + size.height / 2;
    plane.style.width = `${x(tree.steps - 1) + width + 4}px`;
    plane.style.height = `${TOP + placed.rows * size.row + placed.gaps * GROUP_GAP}px`;
    plane.style.setProperty("--height", `${size.height}px`);
    plane.style.setProperty("--width", `${width}px`);
    root.style.cssText = `top:${middle - 13}px;width:${size.root}px`;
    heads.forEach((head, t) => (head.style.left = `${x(t)}px`));
    const box = (at) => (at === null ? { right: size.root, middle } : {
      left: x(at.step), right: x(at.step) + width, middle: y(places.get(at)) + size.height / 2,
    });
    for (const [at] of places) {
      const from = box(at.parent === null ? null : tree.nodes[at.parent]), to = box(at);
      const button = buttonOf(at);
      button.style.transform = `translate(${to.left}px, ${to.middle - size.height / 2}px)`;
      curveOf(at).setAttribute("d", curve(from.right, from.middle, to.left, to.middle));
      // Beside the curve that all nodes have, so that both are seen where they run together.
      greedyCurves.get(at.index)?.setAttribute("d", curve(from.right, from.middle + 6, to.left, to.middle + 6));
    }
    const shown = tree.nodes.filter((at) => places.has(at));
    lines.replaceChildren(...drawingOrder(shown).flatMap((at) => [curveOf(at), greedyCurves.get(at.index) ?? []].flat()));
    // What is put in its place once more loses the focus.
    const held = plane.getRootNode().activeElement;
    plane.replaceChildren(lines, root, ...heads, ...shown.map((at) => buttonOf(at)));
    if (plane.contains(held)) held.focus({ preventScroll: true });
    for (const at of shown) curveOf(at).setAttribute("class", edgeClass(at));
    light();
    wide.hidden = plane.offsetWidth <= node.clientWidth;
  }

  /** Lights the path of the node that is looked at. */
  function light() {
    for (const at of lit) for (const part of [buttonOf(at), curveOf(at)]) part.classList.remove("lit");
    const looked = view.looked();
    lit = tree.path(looked);
    for (const at of lit) for (const part of [buttonOf(at), curveOf(at)]) part.classList.add("lit");
    plane.classList.toggle("asking", view.state.hover !== null);
    for (const at of places.keys()) buttonOf(at).tabIndex = at === view.state.cursor ? 0 : -1;
  }

  function focus(at) {
    buttonOf(at).focus({ preventScroll: true });
    buttonOf(at).scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  const nodeOf = (event) => {
    const button = event.target.closest?.("button.node");
    return button ? tree.nodes[Number(button.dataset.index)] : null;
  };
  plane.addEventListener("pointerover", (event) => { if (event.pointerType !== "touch") view.hover(nodeOf(event)); });
  plane.addEventListener("pointerleave", () => view.hover(null));
  plane.addEventListener("focusin", (event) => { const at = nodeOf(event); if (at) view.move(at); });
  let before = null;
  plane.addEventListener("pointerdown", () => (before = view.state.cursor), { capture: true });
  plane.addEventListener("click", (event) => {
    const at = nodeOf(event);
    if (!at) return;
    // A finger cannot hover: its first tap looks, the second opens.
    if (event.pointerType === "touch" && before !== at) view.move(at);
    else view.open(at);
  });
  return { node, wide, plane, layout, light, focus, isShown: (at) => places.has(at), places: () => places };
}

function buildNode(node, tree) {
  const button = el("button", {
    type: "button", class: `node ${node.fate}${node.best ? " best" : ""}${node.greedy ? " greedy" : ""}`,
    "data-index": node.index, "aria-label": nodeName(node, tree),
  });
  button.append(words("span", node.token, "token"), words("em", formatProbability(Math.exp(node.tokenLogProb))),
    words("small", fixed(node.logProb, 2)), words("small", fixed(node.score, 3)));
  const tags = [];
  if (node.place >= 0) tags.push(node.place === 0 ? "best" : ordinal(node.place + 1));
  if (node === tree.last) tags.push("greedy");
  if (tags.length) button.append(words("i", tags.join(" · "), "tag"));
  return button;
}

function nodeName(node, tree) {
  const marks = [node.best && "on the best path", node.greedy && "on greedy’s path"].filter(Boolean);
  const numbers = `probability ${formatProbability(Math.exp(node.tokenLogProb))}, log P ${fixed(node.logProb, 2)}, score ${fixed(node.score, 3)}`;
  return [node.token, `step ${node.step}`, numbers, fateOf(node, tree), ...marks].join(", ");
}

/** What matters most is drawn last, over the rest. */
function drawingOrder(nodes) {
  const weight = (node) => (node.best ? 2 : node.fate === "pruned" ? 0 : 1);
  return [...nodes].sort((a, b) => weight(a) - weight(b));
}
function edgeClass(node) { return `${node.fate}${node.best ? " best" : ""}`; }
function curve(x1, y1, x2, y2) {
  const bend = Math.max(10, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
