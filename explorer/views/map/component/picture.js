// The figure: a button for each block and each layer, and what changes in it with the step.

function buildPicture(view, plan, thumbnails) {
  const { map } = view, steps = [], buttons = new Map();
  const measure = document.createElement("canvas").getContext("2d"), family = getComputedStyle(view.root).fontFamily;
  const widthOf = (text, size, weight) => { measure.font = `${weight} ${size}px ${family}`; return measure.measureText(text).width; };
  const edges = buildEdges(map, plan, thumbnails);
  const figure = svg("svg", {
    width: plan.width, height: plan.height, viewBox: `0 0 ${plan.width} ${plan.height}`, role: "group",
    "aria-label": "Map of the model: arrow keys move between blocks, Enter chooses one",
  }, arrowheads());
  for (const frame of plan.frames) figure.append(svg("rect", { x: frame.x, y: frame.y, width: frame.width, height: frame.height, rx: 10, class: "frame" }));
  figure.append(edges.node);
  for (const box of plan.boxes.values()) figure.append(button(box));
  for (const frame of plan.frames) figure.append(layerTag(frame));
  captions();

  function text(parent, x, y, label, name = "", anchor = "start") {
    const part = svg("text", { x, y, class: name, "text-anchor": anchor });
    part.textContent = label;
    parent.append(part);
    return part;
  }
  function makeButton(id, label, attributes, ...children) {
    const part = svg("g", { role: "button", tabindex: -1, "data-id": id, "aria-label": label, ...attributes }, ...children);
    buttons.set(id, part);
    return part;
  }
  function button(box) {
    const { x, y, width, height, kind, block } = box;
    const name = kind === "folded" ? `${cap(box.stack)} layer ${box.layer}, folded` : blockName(block);
    const part = makeButton(box.id, name, { class: `block ${kind} ${box.stack}`, ...(kind === "folded" ? { "aria-expanded": "false" } : {}) });
    const grow = Math.max(0, ((plan.phone ? 44 : 24) - height) / 2);
    part.append(svg("rect", { x: x - 2, y: y - grow, width: width + 4, height: height + 2 * grow, class: "hit" }));
    if (kind === "folded") part.append(svg("rect", { x: x + 5, y: y - 5, width: width - 10, height: 10, rx: 5, class: "box" }));
    if (kind !== "value" && kind !== "positions") part.append(svg("rect", { x, y, width, height, rx: kind === "sum" ? height / 2 : 6, class: "box" }));
    part.append(svg("rect", { x: x - 4, y: y - 4, width: width + 8, height: height + 8, rx: kind === "sum" ? height / 2 + 4 : 9, class: "ring" }));
    const draw = { folded: drawFolded, tokens: drawTokens, sum: drawSum, attention: drawAttention, value: drawValue, positions: drawValue, token: drawToken };
    (draw[kind] ?? drawPlain)(part, box);
    return part;
  }

  function middle(box) { return box.y + box.height / 2 + 4.5; }
  function count(part, box, value, y) { text(part, box.x + box.width - 12, y, formatCount(value), "count", "end"); }
  function drawPlain(part, box) {
    const { block } = box, light = ["norm", "add"].includes(block.kind);
    text(part, box.x + 12, middle(box), block.title, light ? "name light" : "name");
    const shown = block.kind === "add" ? block.parameters > 0 : block.kind !== "softmax", number = shown ? widthOf(formatCount(block.parameters), 12, 400) : 0;
    const used = widthOf(block.title, 13, 600), note = widthOf(block.note, 12, 400);
    if (block.note && 24 + used + 8 + note + 8 + number <= box.width) text(part, box.x + 20 + used, middle(box), block.note, "note");
    if (shown) count(part, box, block.parameters, middle(box));
  }
  function drawFolded(part, box) {
    const y = box.y + box.height / 2;
    part.append(svg("path", { d: `M${box.x + 13} ${y - 4}l4.5 4-4.5 4`, class: "fold" }));
    text(part, box.x + 27, y + 4.5, `${cap(box.stack)} layer ${box.layer}`, "name");
    count(part, box, layerBlocks(map, box.id).reduce((sum, block) => sum + block.parameters, 0), y + 4.5);
  }
  function drawSum(part, box) {
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    part.append(svg("path", { d: `M${x - 5} ${y}h10M${x} ${y - 5}v10`, class: "plus" }));
  }
  function drawTokens(part, box) {
    const line = text(part, box.x + box.width / 2, middle(box), "", "words", "middle"), room = box.width - 20;
    const before = svg("tspan"), last = svg("tspan", { class: "last" });
    line.replaceChildren(before, last);
    const encoder = box.stack === "encoder", tokens = encoder ? map.source : map.inputs;
    steps.push((step) => {
      const seen = encoder ? tokens : tokens.slice(0, step), own = encoder ? "" : clip(tokens[step], 24);
      // A long text loses what stands farthest from what matters: its end in the source, its beginning in the output.
      const fits = (words, cut) => widthOf(`${cut}${words.join(" ")} ${own}`, 14, 500) <= room;
      let words = [...seen], cut = "";
      while (words.length > 1 && !fits(words, cut)) { cut = "… "; encoder ? words.pop() : words.shift(); }
      setText(before, encoder ? words.join(" ") + (cut ? " …" : "") : cut + words.map((word) => `${word} `).join(""));
      setText(last, own);
    });
  }
  function drawAttention(part, box) {
    const { block } = box, heads = block.heads, y = box.y + 18;
    text(part, box.x + 12, y, block.title, "name");
    const number = formatCount(block.parameters), roomy = 32 + widthOf(block.title, 13, 600) + widthOf(number, 12, 400) <= box.width;
    if (roomy) count(part, box, block.parameters, y);
    const n = heads.shape[0], grid = headGrid(n, box.width);
    for (let head = 0; head < n; head++) {
      const place = { x: box.x + 12 + (head % grid.perRow) * (grid.side + grid.gap), y: box.y + 26 + Math.floor(head / grid.perRow) * (grid.side + 4) };
      const small = drawThumbnail(thumbnails, heads, { ...place, width: grid.side, height: grid.side, head });
      part.append(small.node);
      steps.push(small.show);
    }
    const said = roomy ? plural(n, "head") : number, end = 12 + Math.min(n, grid.perRow) * (grid.side + grid.gap);
    if (end + widthOf(said, 12, 400) + 10 <= box.width) text(part, box.x + box.width - 12, box.y + 26 + grid.side - 4, said, "count", "end");
  }
  function drawValue(part, box) {
    const preview = map.edges.find((edge) => edge.start === box.id).preview;
    const small = drawThumbnail(thumbnails, preview, { x: box.x, y: box.y, width: box.width, height: box.height });
    part.append(small.node);
    steps.push(small.show);
    if (box.kind === "positions") text(part, box.right ? box.x + box.width : box.x, box.y + box.height + 15, "positions", "count", box.right ? "end" : "start");
  }
  function drawToken(part, box) {
    const word = text(part, box.x + 14, box.y + box.height / 2 + 5.5, "", "word");
    const number = text(part, box.x + box.width - 14, box.y + box.height / 2 + 5, "", "number", "end");
    steps.push((step) => {
      const probability = `P ${formatProbability(map.probabilities[step])}`;
      let shown = map.outputs[step];
      while (shown.length > 2 && widthOf(shown, 17, 650) > box.width - 44 - widthOf(probability, 15, 600)) shown = clip(shown, Array.from(shown).length - 1);
      setText(word, shown);
      setText(number, probability);
      part.setAttribute("aria-label", `Next token: ${map.outputs[step]}, probability ${formatProbability(map.probabilities[step])}`);
    });
  }
  function layerTag(frame) {
    const id = layerId(frame.stack, frame.layer), label = `${cap(frame.stack)} layer ${frame.layer}`, { x, y } = frame;
    const width = widthOf(label, 12, 600) + 24;
    const part = makeButton(id, `${label}, unfolded`, { class: "tag", "aria-expanded": "true" },
      svg("rect", { x: x - 2, y: y - (plan.phone ? 36 : 21), width, height: plan.phone ? 36 : 19, class: "hit" }),
      svg("rect", { x: x - 2, y: y - 21, width, height: 18, rx: 6, class: "ring" }),
      svg("path", { d: `M${x + 2} ${y - 14}l4 4.5 4-4.5`, class: "fold" }));
    text(part, x + 16, y - 8, label, "tag-name");
    plan.boxes.set(id, { id, x, y: y - 21, width, height: 18, center: x + width / 2, kind: "tag", stack: frame.stack, layer: frame.layer });
    return part;
  }
  function captions() {
    for (const [stack, rest] of [["encoder", "runs once, before step 0"], ["decoder", "runs once per step"]]) {
      const line = text(figure, plan.xs[stack] + plan.block / 2, plan.base[stack] - 8, cap(stack), `caption ${stack}`, "middle");
      const more = svg("tspan");
      more.textContent = ` ${rest}`;
      line.append(more);
    }
  }

  /** Lights a step. Only a few attributes and texts change. */
  function show(step) {
    edges.show(step);
    for (const act of steps) act(step);
  }
  function mark(chosen, cursor) {
    for (const [id, part] of buttons) {
      part.classList.toggle("chosen", id === chosen);
      part.setAttribute("aria-pressed", id === chosen);
      part.setAttribute("tabindex", id === cursor ? 0 : -1);
    }
  }
  /** The nearest block in a direction; what lies straight ahead is nearer than what lies aside. */
  function neighbour(id, key) {
    const at = plan.boxes.get(id), [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const middleOf = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const [x, y] = middleOf(at);
    let best = null, least = Infinity;
    for (const box of plan.boxes.values()) {
      if (box.id === id || box.kind === "tag") continue;
      const [bx, by] = middleOf(box), ahead = (bx - x) * dx + (by - y) * dy, aside = Math.abs((bx - x) * dy) + Math.abs((by - y) * dx);
      if (ahead <= 1 || (dx && aside > 260) || (dy && aside > 150)) continue;
      const distance = ahead + 2.5 * aside;
      if (distance < least) { least = distance; best = box.id; }
    }
    // The name of a layer stands above its blocks, aside: on the way up one comes past it.
    const leaves = key === "ArrowUp" && at.block && at.layer !== null && plan.boxes.get(best)?.layer !== at.layer;
    return leaves ? layerId(at.stack, at.layer) : best;
  }
  return { node: figure, show, mark, neighbour, has: (id) => buttons.has(id), focus: (id, preventScroll = false) => buttons.get(id)?.focus({ preventScroll }) };
}

function cap(word) { return word[0].toUpperCase() + word.slice(1); }
function layerBlocks(map, id) { return map.blocks.filter((block) => block.id.startsWith(`${id}.`)); }
/** A block with its place and its parameters, for those who cannot see where it stands. */
function blockName(block) {
  const place = block.layer === null ? block.stack : `${block.stack} layer ${block.layer}`;
  const note = block.note ? `, ${block.note}` : "";
  return `${block.title}, ${place}${note}, ${plural(block.parameters, "parameter")}`;
}
