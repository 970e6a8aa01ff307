// The cards beside the figure: what is chosen with its tensors, the parameters by part, and the figure as a table.

function buildChosen(view, thumbnails) {
  const { map } = view, node = el("section", { class: "card chosen-card", "aria-label": "What is chosen" });
  let steps = [];

  /** Builds the card of a block, or that of a whole layer. */
  function choose(id) {
    steps = [];
    const block = map.blocks.find((each) => each.id === id);
    node.replaceChildren(...(block ? ofBlock(block) : ofLayer(id)));
  }
  function ofBlock(block) {
    const place = block.layer === null ? block.stack : `${block.stack} layer ${block.layer}`;
    const path = block.items.length ? words("p", block.id, "site") : "";
    return [head(block.title, place), path, words("p", block.meaning, "meaning"), ...fact(block), ...lists([block]),
      foot(block.parameters, block.note.startsWith("tied") || block.note === "shared" ? ", shared" : ""), ...pageButtons(block)];
  }
  function ofLayer(id) {
    const blocks = layerBlocks(map, id), [stack, , layer] = id.split(".");
    const meaning = `${plural(blocks.length, "block")}, all with weights of their own. Choose a tensor, or a block in the figure.`;
    return [head(`${cap(stack)} layer ${layer}`, ""), words("p", id, "site"), words("p", meaning, "meaning"), ...lists(blocks),
      foot(blocks.reduce((sum, block) => sum + block.parameters, 0), "")];
  }
  function head(title, place) { return el("header", {}, words("h2", title), words("span", place, "place")); }

  /** What a block does at this step, for attention in the decoder. */
  function fact(block) {
    if (!block.reads.length) return [];
    const token = el("b", { class: "target" }), read = el("b", { class: block.title.startsWith("Cross") ? "source" : "target" });
    const line = el("p", { class: "meaning" }), before = words("span", ""), weight = words("span", "");
    line.append(before, token, " reads ", read, weight);
    const keys = block.title.startsWith("Cross") ? map.source : map.inputs;
    steps.push((step) => {
      const [place, value] = block.reads[step];
      setText(before, `At step ${step}, `);
      setText(token, map.outputs[step]);
      setText(read, keys[place]);
      setText(weight, ` most, with weight ${fixed(value, 4)} in the mean over the heads.`);
    });
    return [line];
  }

  function lists(blocks) {
    const parts = [];
    for (const [title, learned] of [["Recorded here", false], ["Learned here", true]]) {
      const groups = blocks.map((block) => ({ block, items: block.items.filter((item) => item.learned === learned) })).filter(({ items }) => items.length);
      if (!groups.length) continue;
      parts.push(words("h3", title));
      for (const { block, items } of groups) {
        if (blocks.length > 1) parts.push(el("h4", {}, `${block.title} `, words("span", block.id.split(".").at(-1), "mono")));
        parts.push(el("ul", { class: "items" }, ...items.map((item) => row(block, item))));
      }
    }
    if (!parts.length) return [ids(blocks[0])];
    return [...parts, words("p", "Each picture has its own scale: its strongest colour is its largest value.", "small")];
  }
  function row(block, item) {
    const label = item.name.slice(block.id.length + 1) || item.name, own = item.name.startsWith(`${block.id}.`) ? label : item.name.split(".").slice(1).join(".");
    const link = el("button", { type: "button", class: `link ${item.letter}`, text: own, title: item.meaning || item.name });
    link.addEventListener("click", () => view.open(block.id, "", item.name));
    const shape = words("span", "", "mono"), scale = item.preview.scale === "signed" ? `±${item.preview.limit}` : "0 to 1";
    steps.push((step) => setText(shape, shapeText(item.shape, step, "·")));
    const rows = item.preview.shape[0], height = Math.max(12, Math.min(26, rows * 4));
    const small = drawThumbnail(thumbnails, item.preview, { x: 1, y: 1, width: 60, height });
    steps.push(small.show);
    const picture = svg("svg", { width: 62, height: height + 2, role: "img", "aria-label": `first values of ${own}, scale ${scale}` }, svg("title"), small.node);
    picture.firstChild.textContent = `scale ${scale}`;
    return el("li", {}, link, shape, picture);
  }
  /** The blocks without tensors are tokens: they are shown as they are. */
  function ids(block) {
    const line = el("p", { class: "tokens" });
    steps.push((step) => {
      const tokens = { src: map.source, tgt_in: map.inputs.slice(0, step + 1) }[block.id] ?? [map.outputs[step]];
      setText(line, tokens.join(" "));
    });
    return line;
  }
  function foot(parameters, more) {
    return el("p", { class: "foot" }, words("span", map.dtype), el("span", {}, words("b", formatCount(parameters)), ` ${parameters === 1 ? "parameter" : "parameters"}${more}`));
  }
  function pageButtons(block) {
    return block.pages.map(([page, title], i) => {
      const where = i === 0 && block.layer !== null ? `, layer ${block.layer}` : "";
      const button = el("button", { type: "button", class: i === 0 ? "primary" : "quiet", text: `Open ${title.toLowerCase()}${where}` });
      button.addEventListener("click", () => view.open(block.id, page, ""));
      return button;
    });
  }
  return { node, choose, show: (step) => steps.forEach((act) => act(step)) };
}

function buildParameters(map) {
  const total = map.parts.reduce((sum, part) => sum + part.parameters, 0), most = Math.max(...map.parts.map((part) => part.parameters));
  const rows = map.parts.map((part) => {
    const bar = el("i", { class: part.stack });
    bar.style.width = `${(100 * part.parameters) / most}%`;
    return el("li", {}, words("span", part.title), words("span", formatCount(part.parameters), "count"), el("div", { class: "bar", "aria-hidden": "true" }, bar));
  });
  return el("section", { class: "card", "aria-label": "Parameters" },
    el("header", {}, words("h2", "Parameters"), words("b", formatCount(total), "total")),
    el("ul", { class: "parts" }, ...rows), ...(map.parts_note ? [words("p", map.parts_note, "small")] : []));
}

/** The figure in words: every block with what it hands on. */
function buildTable(view) {
  const { map } = view, body = el("tbody"), steps = [];
  for (const block of map.blocks) {
    const edge = map.edges.find((each) => each.start === block.id), shape = words("td", "", "mono");
    steps.push((step) => setText(shape, edge ? shapeText(edge.shape, step) : ""));
    body.append(el("tr", {}, words("th", block.title), words("td", block.layer === null ? block.stack : `${block.stack} layer ${block.layer}`), shape, words("td", formatCount(block.parameters), "number")));
  }
  const node = el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": "Table of the blocks", hidden: "" }, el("table", {},
    el("thead", {}, el("tr", {}, ...["Block", "Where", "Hands on", "Parameters"].map((text) => words("th", text)))), body));
  function show() {
    node.hidden = !view.opened.has("blocks");
    if (!node.hidden) steps.forEach((act) => act(view.state.step));
  }
  return { node, button: tableButton(view.opened, "blocks", show), show };
}

function buildLegend(map) {
  const sample = (name, text) => el("li", {}, svg("svg", { width: 30, height: 12, "aria-hidden": "true" }, svg("path", { class: `edge ${name}`, d: "M0 6H30" })), words("span", text));
  const hatch = svg("svg", { width: 30, height: 14, "aria-hidden": "true" }, svg("rect", { x: 8.5, y: 0.5, width: 13, height: 13, class: "hatched" }), svg("rect", { x: 8.5, y: 0.5, width: 13, height: 13, class: "rim" }));
  const path = words("span", "");
  const ramp = (name, text, ...ends) => el("li", { class: "ramp" }, el("div", {}, el("i", { class: name }), el("p", {}, ...ends.map((end) => words("span", end)))), words("span", text));
  const limit = String(map.edge_limit), beyond = map.edge_beyond ? `${formatCount(map.edge_beyond)} of ${plural(map.edge_values, "value")} beyond ±${limit}` : "";
  const lit = sample("target lit", "");
  lit.lastChild.replaceWith(path);
  const node = el("ul", { class: "legend" }, lit, sample("source", "encoder"), sample("k", "memory to keys"), sample("v", "memory to values"),
    el("li", {}, hatch, words("span", "masked")), ramp("signed", "values", `−${limit}`, "0", limit), ramp("weight", "weights", "0", "1"),
    el("li", { class: "small", text: `all ${map.dtype}${beyond ? `; ${beyond}` : ""}` }));
  return { node, show: (step) => setText(path, `path of step ${step}`) };
}
