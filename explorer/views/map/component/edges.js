// The edges: lines with arrows, the shape of what travels on them, and small pictures of it.

/** "5×64": a shape at a step, where -1 stands for as many as the decoder has read by then. */
function shapeText(shape, step, joint = "×") { return shape.map((size) => (size < 0 ? step + 1 : size)).join(joint); }

function buildEdges(map, plan, thumbnails) {
  const node = svg("g", { class: "edges" }), steps = [];
  const boxOf = (id) => plan.boxes.get(id) ?? plan.boxes.get(id.split(".").slice(0, 3).join("."));
  const line = (d, name, mark) => {
    const path = svg("path", { d, class: `edge ${name}` });
    if (mark) path.setAttribute("marker-end", `url(#to-${mark})`);
    node.append(path);
    return path;
  };
  const text = (x, y, label, name, anchor) => {
    const part = svg("text", { x, y, class: name, "text-anchor": anchor ?? "start" });
    part.textContent = label;
    node.append(part);
    return part;
  };
  const side = (stack) => (stack === "encoder" ? "source" : "target");
  const main = (id) => map.edges.find((edge) => edge.kind !== "residual" && boxOf(edge.start)?.id === id && boxOf(edge.end)?.id !== id);

  for (const edge of map.edges) {
    const from = boxOf(edge.start), to = boxOf(edge.end);
    if (from.id === to.id) continue;
    if (edge.kind === "residual") residual(edge, from, to);
    else if (edge.kind === "positions") beside(edge, from, to);
    else if (edge.kind !== "memory") upward(edge, from, to);
  }
  memory(map.edges.filter((edge) => edge.kind === "memory"));

  /** The way of the stream: straight up; into an attention as queries, or as queries, keys and values. */
  function upward(edge, from, to) {
    const x = from.center, colour = side(to.stack), heavy = to.stack === "decoder" ? "lit" : "";
    const unfolded = to.kind === "attention", bottom = to.y + to.height;
    const stem = line(`M${x} ${from.y}V${bottom + (unfolded ? 15 : 2)}`, `${colour} ${heavy}`, unfolded ? "" : colour);
    stem.append(title(edge));
    if (unfolded) {
      const letters = edge.kind === "q" ? [["q", 0]] : [["q", -26], ["k", 0], ["v", 26]];
      for (const [letter, shift] of letters) {
        line(`M${x} ${bottom + 15}${shift ? `H${x + shift}` : ""}V${bottom + 2}`, letter, letter);
        text(x + shift - 6, bottom + 12, letter.toUpperCase(), `letter ${letter}`, "end");
      }
    }
    // A value is the very tensor that goes into it: its shape is said once.
    if (to.kind === "value" || (plan.compact && (!edge.preview || from.kind === "value"))) return;
    // In the middle of the room that the layout left for it.
    const size = edge.preview && from.kind !== "value" ? previewSize(edge.preview) : null;
    const room = size ? size.height + 18 : SHORT, middle = from.exit - room / 2;
    if (size) picture(edge.preview, x + 13, middle - size.height / 2, size);
    shape(edge, x - 10, middle + 4);
  }
  function residual(edge, from, to) {
    if (to.kind === "folded") return;
    const next = boxOf(main(from.id).end), right = plan.phone || to.stack === "decoder";
    const turn = right ? to.x + to.width + 26 : to.x - 26, end = right ? to.x + to.width + 2 : to.x - 2, middle = to.y + to.height / 2;
    const path = line(`M${from.center} ${next.branch}H${turn}V${middle}H${end}`, `${side(to.stack)} residual`, side(to.stack));
    path.append(title(edge));
  }
  function beside(edge, from, to) {
    const start = from.right ? from.x - 2 : from.x + from.width + 2, middle = to.y + to.height / 2;
    line(`M${start} ${middle}H${from.right ? to.x + to.width + 2 : to.x - 2}`, `${side(to.stack)} residual`, side(to.stack)).append(title(edge));
  }
  /** One line from the encoder's output past the decoder, with an arrow for keys and one for values into each cross-attention. */
  function memory(edges) {
    const from = boxOf(edges[0].start), up = from.y - 14, ends = edges.map((edge) => boxOf(edge.end));
    const heights = ends.flatMap((to) => [to.y + to.height * 0.32, to.y + to.height * 0.68]);
    line(`M${from.center} ${from.y}V${up}H${plan.lane}`, "source memory");
    line(`M${plan.lane} ${Math.min(up, ...heights)}V${Math.max(up, ...heights)}`, "source memory").append(title(edges[0]));
    for (const to of ends) for (const [letter, part] of [["k", 0.32], ["v", 0.68]]) {
      const y = to.y + to.height * part;
      line(`M${plan.lane} ${y}H${to.x - 2}`, `${letter} key`, letter);
      text(to.x - 9, letter === "k" ? y - 5 : y + 14, letter.toUpperCase(), `letter ${letter}`, "end");
    }
    const name = text(plan.phone ? plan.lane + 8 : plan.lane - 8, up - 7, "memory", "memory-name", plan.phone ? "start" : "end");
    const rest = svg("tspan");
    rest.textContent = " computed once, reused";
    name.append(rest);
    shape(edges[0], from.x - 8, from.y + from.height / 2 + 4);
  }

  function picture(preview, x, y, size) {
    const part = drawThumbnail(thumbnails, preview, { x, y, ...size });
    node.append(part.node);
    steps.push(part.show);
  }
  function shape(edge, x, y) {
    const label = text(x, y, "", "shape", "end");
    label.append(title(edge));
    const own = document.createTextNode("");
    label.append(own);
    steps.push((step) => { const now = edge.shape.length === 1 ? plural(edge.shape[0] < 0 ? step + 1 : edge.shape[0], "id") : shapeText(edge.shape, step); if (own.data !== now) own.data = now; });
  }
  function title(edge) {
    const part = svg("title");
    steps.push((step) => setText(part, `${edge.name}, ${shapeText(edge.shape, step)} ${edge.shape.length === 1 ? "int64" : map.dtype}`));
    return part;
  }
  return { node, show: (step) => steps.forEach((act) => act(step)) };
}

function arrowheads() {
  const marks = ["source", "target", "q", "k", "v"].map((name) => svg("marker", {
    id: `to-${name}`, viewBox: "0 0 8 8", refX: 6.5, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse",
  }, svg("path", { d: "M0 .8 7 4 0 7.2Z", class: `head ${name}` })));
  const hatch = svg("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse" }, svg("path", { d: "M-1 1 1-1M0 5 5 0M4 6 6 4", class: "hatch-line" }));
  return svg("defs", {}, ...marks, hatch);
}
