// All heads at a glance: one small picture per layer and head, which is also the way to choose one.

function shortName(head) { return head === null ? "mean" : `head ${head}`; }

function buildHeads(view, plane) {
  const rows = [null, ...Array.from({ length: plane.heads }, (_, h) => h)];
  const node = el("div", { class: "heads", role: "group", "aria-label": "Layers and heads" });
  node.style.setProperty("--layers", plane.layers);
  node.style.setProperty("--heads", rows.length);
  const gap = plane.layers > 3 ? 3 : 8, frame = 9, names = 46;
  let width = 0, height = 0, most = Infinity;   // of one picture; what all together may be wide, and scroll beyond
  node.style.setProperty("--gap", `${gap}px`);
  const thumbs = [], layerNames = [], headNames = [];

  for (let layer = 0; layer < plane.layers; layer++) {
    const name = el("span", { class: "layer-name", text: `layer ${layer}`, style: `--l:${layer}`, "aria-hidden": "true" });
    layerNames.push(name);
    node.append(name);
    rows.forEach((head, row) => {
      const canvas = el("canvas", { "aria-hidden": "true" });
      const button = el("button", { type: "button", class: "thumb", style: `--l:${layer};--h:${row}`,
        "aria-label": `Layer ${layer}, ${headName(head, plane.heads)}` },
        el("span", { class: "paper" }, canvas), el("span", { class: "short", text: shortName(head), "aria-hidden": "true" }));
      button.addEventListener("click", () => view.choose(layer, head));
      thumbs.push({ button, canvas, layer, head });
      node.append(button);
    });
  }
  rows.forEach((head, row) => {
    const name = el("span", { class: "head-name", text: shortName(head), style: `--h:${row}`, "aria-hidden": "true" });
    headNames.push(name);
    node.append(name);
  });

  function measure(side) {
    // Whole pixels where a cell is large enough to be looked at; never so small that the picture is a dot.
    const even = side / plane.longest;
    const cell = plane.longest <= 8 ? Math.floor(Math.max(24 / plane.longest, Math.min(9, even))) : even;
    width = Math.max(10, Math.round(plane.width * cell));
    height = Math.max(10, Math.round(plane.height * cell));
  }
  /** Chooses the size, 62 px for the longer side where there is room; says whether the pictures stand beside the matrix. */
  function fit(room, tall, matrixWidth) {
    if (view.size.phone) {
      measure(Math.max(42, Math.min(62, Math.floor(node.parentElement.clientWidth / rows.length) - frame)));
      return false;
    }
    const left = room - matrixWidth - 24, { dashboard } = view.size;
    const fits = () => ownWidth() <= left && (!dashboard || (ownWidth() <= 0.42 * room && ownHeight() <= tall));
    const sizes = dashboard ? [62, 56, 50, 44, 36, 28, 24] : [62, 56, 50, 44];
    const found = sizes.some((side) => (measure(side), fits())), beside = found || dashboard;
    if (!beside) measure(62);
    most = dashboard ? Math.floor(0.42 * room) : Infinity;
    // Under the matrix a row per layer is the flatter picture.
    node.classList.toggle("across", !beside && rows.length > plane.layers);
    return beside;
  }
  const ownWidth = () => names + plane.layers * (Math.max(24, width + frame) + gap);
  const ownHeight = () => 22 + rows.length * (Math.max(24, height + frame) + 2);
  function draw() {
    for (const { canvas, layer, head } of thumbs) {
      const matrix = plane.matrix(layer, head), { context } = prepareCanvas(canvas, width, height);
      const sheet = pixelSheet(view.look, WEIGHTS, plane.height, plane.width, (t, j) => matrix[t * plane.width + j], plane.masked);
      context.imageSmoothingEnabled = false;
      context.drawImage(sheet, 0, 0, canvas.width, canvas.height);
    }
  }
  // One write for all pictures: the style sheet clips this much off the foot of every canvas, and half a pixel more,
  // because a picture that starts between two pixels is drawn on the nearest one, but clipped where it is.
  function step() {
    const shown = Math.floor(((view.state.step + 1) * height) / plane.height);
    node.style.setProperty("--cut", plane.byStep ? `${height - shown + 0.5}px` : "0px");
  }
  function matrix() {
    const { layer, head } = view.state;
    for (const thumb of thumbs) thumb.button.setAttribute("aria-pressed", thumb.layer === layer && thumb.head === head);
    layerNames.forEach((name, l) => name.classList.toggle("now", l === layer));
    headNames.forEach((name, row) => name.classList.toggle("now", rows[row] === head));
  }
  function layout() { draw(); matrix(); step(); }
  return { node, fit, layout, step, matrix, width: () => Math.min(most, ownWidth()) };
}
