// The open stage as one card: the figure, beside or under it head and choosers, the readout with its legend, and the numbers as a table.

function buildStage(view, stage) {
  const { state } = view, result = stage.panels.indexOf(resultOf(stage));
  const actions = { hover, ask: (cell) => view.ask(stage, panels[cell.panel], cell), table: openTable, save, enter, leave };
  const panels = stage.panels.map((_, k) => buildPanel(view, stage, k, actions));
  const figure = buildFigure(view, stage, panels), choosers = buildChoosers(view, stage);
  const title = el("h2"), site = el("code", { class: "site" });
  const windows = [...new Set(stage.panels.flatMap((panel) => view.tensors[panel.tensor].axes.map((axis) => axis.window)))].filter(Boolean);
  const head = el("header", {}, title, site, ...windows.map((text) => words("p", text, "thinned")), choosers.node,
    ...(stage.formula ? [mathWords("p", stage.formula, "formula")] : []), ...(stage.note ? [words("p", stage.note, "note")] : []));
  const parts = ["span", "b", "span", "b", "span", "b", "code"].map((tag) => el(tag));
  const sentence = el("p", { class: "sentence" }, ...parts.slice(0, -1), " ", parts.at(-1));
  const explain = el("button", { type: "button", class: "link", text: "Explain this number", "data-focus": "explain" });
  // The cell of the keys stays the one that is meant: its canvas keeps the focus.
  explain.addEventListener("pointerdown", (event) => event.preventDefault());
  explain.addEventListener("click", () => { const cell = active(); if (cell) actions.ask(cell); });
  const open = el("button", { type: "button", class: "link", "data-focus": "table" });
  open.addEventListener("click", () => openTable(result));
  const robust = el("button", { type: "button", class: "switch", role: "switch", "data-focus": "robust" }, el("i"), "Robust scale");
  robust.title = "Colours end at the size that 99 of 100 values stay below";
  robust.addEventListener("click", () => { state.robust = !state.robust; draw(); });
  const legends = el("div", { class: "legends" }), tablePlace = el("div");
  const foot = el("footer", {}, el("div", { class: "readout" }, sentence, el("p", { class: "actions" }, explain, open)), el("div", { class: "scale" }, robust, legends));
  const node = el("section", { class: "card", id: "stage", ...(view.stages.length > 1 ? { role: "tabpanel", "aria-labelledby": `tab-${stage.key}` } : {}) }, figure.node, head, foot, tablePlace);
  let scales = null, table = null, tabled = null;   // tabled: the panel whose numbers the table shows

  // ---- what is marked ----------------------------------------------------------------------------------------
  function selectedIn(k) { return panels[k].plane.find(view.cell); }
  /** The cell that the readout is about: pointed at, or under the cursor, or explained, or the largest of the result, in the row of the current step where it has one. */
  function active() {
    if (state.hover ?? state.cursor) return state.hover ?? state.cursor;
    const order = [result, ...panels.keys()];
    const explained = order.find((k) => selectedIn(k));
    if (explained !== undefined) return { panel: explained, ...selectedIn(explained) };
    const { plane } = panels[result], step = stepRow(plane), peak = extremes(plane, step === undefined ? undefined : [step]) ?? extremes(plane);
    return peak && { panel: result, row: peak.row, column: peak.column };
  }
  function linksFor(cell) {
    const links = panels.map(() => ({}));
    if (!cell) return links;
    links[cell.panel].hover = cell;
    const source = panels[cell.panel].plane;
    if (stage.kind === "product") linkProduct(links, cell);
    else if (stage.kind !== "one") panels.forEach(({ plane }, k) => {
      if (k === cell.panel || plane.rows.count !== source.rows.count) return;
      if (plane.columns.count === source.columns.count) links[k].hover = cell;
      else links[k].row = cell.row;
    });
    return links;
  }
  function linkProduct(links, { panel, row, column }) {
    if (panel === 2) {
      links[0].row = row;
      links[1].column = column;
    } else if (panel === 0) links[2].row = row;
    else links[2].column = column;
  }
  function stepRow(plane) {
    const axis = plane.rows.axes[0];
    if (view.row === null || plane.rows.side !== view.rowSide || plane.rows.axes.length !== 1 || plane.rows.step > 1) return undefined;
    const place = shownPlace(axis, view.row);
    return place < 0 ? undefined : place;
  }
  function marks() {
    const cell = active(), links = linksFor(cell);
    panels.forEach((panel, k) => panel.mark({ ...links[k], selected: selectedIn(k), step: k === result ? stepRow(panel.plane) : undefined }));
    readout(cell);
  }

  // ---- words -------------------------------------------------------------------------------------------------
  function readout(cell) {
    sentence.classList.toggle("blank", !cell);
    explain.disabled = !cell;
    setHidden(explain, Boolean(cell) && panels[cell.panel].tensor.askable === false, view.root);
    if (cell) read(cell).forEach((text, k) => (k % 2 || k === 6 ? setText : setMath)(parts[k], text));
    if (!cell) return;
    const { plane, tensor } = panels[cell.panel], multiplied = stage.kind === "product" && cell.panel === 2;
    parts[1].className = multiplied ? toneOf(panels[0], "row") : plane.rows.side;
    parts[3].className = multiplied ? toneOf(panels[1], "column") : tensor.letter ? `tone-${tensor.letter}` : plane.columns.side;
  }
  function read({ panel, row, column }) {
    const { plane, tensor } = panels[panel], value = formatValue(plane, row, column);
    const rowWords = plane.rows.names.length ? plane.rows.words(row) : "", columnWords = plane.columns.words(column);
    const index = `${siteOf(tensor, plane.layer(row, column) ?? view.placeOf("layer")).split(".").at(-1)}[${[...tensor.lead, ...plane.index(row, column)].join(", ")}]`;
    if (stage.kind !== "product" || panel !== 2) return ["", rowWords, rowWords && columnWords && " · ", columnWords, ": ", value, index];
    const [first, second] = stage.panels.map((each) => each.title);
    const { total, size } = panels[0].plane.columns;
    // What is shown of the factors is perhaps a window; their product never is.
    const whole = total < size ? `, summed over all ${formatCount(size)},` : "";
    return [rowWords ? "Row " : "The row", rowWords, ` of ${first} times column `, columnWords, ` of ${second}${whole} gives `, value, index];
  }
  function toneOf({ tensor, plane }, which) {
    return tensor.letter ? `tone-${tensor.letter}` : (which === "row" ? plane.rows.side : plane.columns.side);
  }
  function describe() {
    const held = view.choosers.filter((chooser) => chooser.axis !== "layer" && stage.panels.some((panel) => holds(view, panel, chooser.axis)));
    const places = held.map((chooser) => `, ${optionWords(chooser, view.placeOf(chooser.axis))}`).join("");
    title.replaceChildren(mathWords("span", stage.title), places);
    setText(site, siteOf(panels[result].tensor, view.placeOf("layer")));
  }

  // ---- what happens ------------------------------------------------------------------------------------------
  function hover(cell) {
    const before = state.hover;
    if (before?.panel === cell?.panel && before?.row === cell?.row && before?.column === cell?.column) return;
    state.hover = cell;
    marks();
  }
  function enter(panel) {
    if (state.cursor?.panel === panel || !panels[panel].canvas.matches(":focus-visible")) return;
    const peak = extremes(panels[panel].plane);
    state.cursor = { panel, ...(selectedIn(panel) ?? (peak ? { row: peak.row, column: peak.column } : { row: 0, column: 0 })) };
    marks();
  }
  function leave(panel) {
    if (state.cursor?.panel !== panel) return;
    state.cursor = null;
    marks();
  }
  /** What a key does in a panel; undefined for keys that mean nothing there. */
  function cellKey(panel, key) {
    const { plane } = panels[panel], last = { row: plane.rows.count - 1, column: plane.columns.count - 1 };
    const from = state.cursor?.panel === panel ? state.cursor : { panel, row: 0, column: 0, ...selectedIn(panel) };
    const to = (row, column) => () => {
      state.hover = null;
      state.cursor = { panel, row: within(row, last.row), column: within(column, last.column) };
      panels[panel].reveal(state.cursor);
      marks();
      view.say(read(state.cursor).slice(0, 6).join(""));
    };
    return {
      ArrowLeft: to(from.row, from.column - 1), ArrowRight: to(from.row, from.column + 1),
      ArrowUp: to(from.row - 1, from.column), ArrowDown: to(from.row + 1, from.column),
      Home: to(from.row, 0), End: to(from.row, last.column), PageUp: to(from.row - 10, from.column), PageDown: to(from.row + 10, from.column),
      Enter: () => actions.ask(from), Escape: () => view.root.focus({ preventScroll: true }),
    }[key];
  }
  function openTable(k) {
    tabled = tabled === k || !panels[k] ? null : k;
    table = tabled === null ? null : buildTable(panels[tabled]);
    tablePlace.replaceChildren(...(table ? [table.node] : []));
    tellTable();
  }
  function tellTable() {
    setText(open, tabled === result ? "Hide table" : "Table");
    open.setAttribute("aria-expanded", tabled === result);
    panels.forEach((panel, k) => panel.open.setAttribute("aria-expanded", tabled === k));
  }
  function save(k) {
    const { spec, tensor, plane } = panels[k], places = heldPlaces(k), scale = scales.of[k];
    const ends = scale.kind === "signed" ? `, colours from −${endOf(scale)} to ${endOf(scale)}` : scale.kind === "mask" ? "" : `, colours from 0 to ${endOf(scale)}`;
    // A − B is named by what A and B are.
    const names = stage.kind === "difference" && k === result ? panels.slice(0, 2).map((each) => each.tensor.site) : [siteOf(tensor, view.placeOf("layer"))];
    const picture = panels[k].picture([[names.join(" − "), ...places].join(", "), `${panelShape(plane)} ${tensor.dtype}${ends}`]);
    savePicture(picture, fileName([names.join("_minus_"), ...places], "png"));
  }
  /** What a panel holds still, such as head 2. */
  function heldPlaces(k) {
    const held = view.choosers.filter(({ axis }) => axis !== "layer" && holds(view, stage.panels[k], axis));
    return held.map((chooser) => optionWords(chooser, view.placeOf(chooser.axis)));
  }
  /** What somebody reads here: the cell of the keys, the table, and how far everything is scrolled. */
  function reading() {
    return { cursor: state.cursor, tabled, scrolled: boxes().map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]) };
  }
  /** Goes on, once it is laid out, with what was read in the same stage of an earlier message. */
  function readOn({ cursor, scrolled }) {
    if (panels[cursor?.panel]) {
      const { rows, columns } = panels[cursor.panel].plane;
      state.cursor = { ...cursor, row: within(cursor.row, rows.count - 1), column: within(cursor.column, columns.count - 1) };
      marks();
    }
    boxes().forEach((box, k) => scrolled[k] && box.scrollTo(...scrolled[k]));
  }
  function boxes() { return [...panels.map((panel) => panel.scroller), ...(table ? [table.box] : [])]; }

  // ---- drawing -----------------------------------------------------------------------------------------------
  /** The same panels with other choices. */
  function draw() {
    panels.forEach((panel) => panel.take());
    const planes = panels.map((panel) => panel.plane);
    scales = makeScales(view, stage, planes);
    panels.forEach((panel, k) => panel.draw(scales.of[k]));
    choosers.draw(scales.of[result]);
    setHidden(robust, !scales.differs, view.root);
    robust.setAttribute("aria-checked", state.robust);
    legends.replaceChildren(...scales.all.map((group) => legendOf(group, stage, planes)));
    describe();
    table?.draw();
    choosers.update();
    marks();
  }
  function layout() {
    const padding = parseFloat(getComputedStyle(node).paddingLeft) + parseFloat(getComputedStyle(node).paddingRight);
    figure.layout(node.clientWidth - padding, node);
    draw();
    panels.forEach((panel) => panel.tellScroll());
  }
  tellTable();
  return { key: stage.key, node, layout, draw, marks, openTable, reading, readOn, cellKey, chooses: choosers.has, panelOf: (target) => panels.findIndex((panel) => panel.canvas === target) };
}
