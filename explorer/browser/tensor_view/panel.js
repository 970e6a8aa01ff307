// One matrix: cells on a canvas, labels and frames as elements over it, one tab stop with a cursor.

const STRIP = 16;        // a few rows of very many columns are as high as their labels
const GROUP_GAP = 4;     // between head 0 and head 1 where an axis is made of both

/** Where the cells of a plane begin, and which cell is at a point. */
function makeGrid({ width, height, rowGroup, columnGroup, rows, columns }) {
  const across = (i) => i * width + Math.floor(i / columnGroup) * GROUP_GAP;
  const down = (i) => i * height + Math.floor(i / rowGroup) * GROUP_GAP;
  const which = (at, cell, group, count) => {
    const block = group * cell + GROUP_GAP, g = Math.floor(at / block);
    return Math.min(count - 1, g * group + Math.min(group - 1, Math.floor((at - g * block) / cell)));
  };
  return {
    width, height, across, down, rowGroup, columnGroup,
    fullWidth: across(columns - 1) + width, fullHeight: down(rows - 1) + height,
    column: (x) => which(x, width, columnGroup, columns), row: (y) => which(y, height, rowGroup, rows),
  };
}

function buildPanel(view, stage, position, actions) {
  const spec = stage.panels[position];
  let plane = makePlane(view.tensors[spec.tensor], spec, view.placeOf);
  const { rows, columns, tensor } = plane, longest = Math.max(rows.count, columns.count);
  const frames = Object.fromEntries(["step", "link-row", "link-column", "cell", "hover"].map((name) => [name, el("i", { class: `frame ${name}` })]));
  const canvas = el("canvas", { class: "cells", role: "img", tabindex: "0", "aria-roledescription": "matrix", "data-focus": `panel:${position}` });
  const sheet = el("div", { class: "sheet" }, canvas, ...Object.values(frames), el("i", { class: "ring" }));
  const columnBox = el("div", { class: "columns", "aria-hidden": "true" }), rowBox = el("div", { class: "rows", "aria-hidden": "true" });
  const endBox = el("div", { class: "ends", "aria-hidden": "true" });
  const scroller = el("div", { class: "scroller" }, el("div", { class: "matrix" }, el("div", { class: "corner" }), columnBox, rowBox, sheet, endBox));
  const open = el("button", { type: "button", class: "link small", text: "Table", "data-focus": `table:${position}`, "aria-label": `Table of ${spec.title}` });
  open.addEventListener("click", () => actions.table(position));
  const save = el("button", { type: "button", class: "link small", text: "PNG", "data-focus": `png:${position}`, "aria-label": `Save ${spec.title} as a PNG picture` });
  save.addEventListener("click", () => actions.save(position));
  const caption = el("p", { class: "caption" }, mathWords("b", spec.title, tensor.letter ? `tone-${tensor.letter}` : ""),
    el("span", {}, words("span", `${panelShape(plane)} ${tensor.dtype} `, "shape"), open, " ", save));
  const wide = words("p", "", "thinned");
  const node = el("figure", { class: "panel", "data-rows": rows.side, "data-columns": columns.side, "data-tone": tensor.letter },
    caption, wide, scroller);
  let grid = null, labels = { rows: [], columns: [], ends: [] }, scale = WEIGHTS, turned = false;

  // ---- labels ------------------------------------------------------------------------------------------------
  function textWidth(side, size, label = side.label) {
    const context = view.measure ??= document.createElement("canvas").getContext("2d");
    context.font = `650 ${size}px ${view.look.family}`;
    const texts = side.group < side.count ? [side.groupName(side.count / side.group - 1)]
      : side.numeric ? [side.label(side.count - 1)] : Array.from({ length: side.count }, (_, i) => clip(label(i), 40));
    return Math.max(...texts.map((text) => context.measureText(text).width));
  }
  function labelSize() { return longest <= 8 && !view.phone ? 14 : 12; }
  /** What stands behind a row of the decoder. */
  const written = (i) => `→ ${rows.writes(i)}`;
  /** How wide what the rows write is; 0 where they write nothing, or there is never room for it. */
  function endsRoom() { return rows.writes && !view.phone ? Math.ceil(Math.min(textWidth(rows, labelSize(), written), 132)) + 10 : 0; }
  /** What the labels need: room at the left, room above, and how far turned ones reach beyond the right edge. */
  function labelRoom(cellWidth) {
    const size = labelSize(), most = view.phone ? 78 : 132;
    const left = rows.names.length ? Math.ceil(Math.min(textWidth(rows, size), most)) + 12 : 4;
    const column = Math.min(textWidth(columns, size), view.phone ? 90 : 120);
    const turns = !columns.numeric && columns.group === columns.count && column > cellWidth - 6;
    const angle = (48 * Math.PI) / 180;
    return {
      left, turns, column,
      top: turns ? Math.ceil(column * Math.sin(angle) + 18) : size + 12,
      right: turns ? Math.max(0, Math.ceil(column * Math.cos(angle) - cellWidth / 2 + 12)) : 0,
    };
  }
  /** Labels of one side as elements; of many places every 4th or 10th, of merged axes one for each group. */
  function makeLabels(box, side, cell, start, across, label = side.label) {
    const found = [], property = across ? "left" : "top";
    const add = (i, text, at, name) => {
      const node = words("span", text, name);
      node.title = text;
      node.style[property] = `${at}px`;
      found.push({ i, node, at });
    };
    if (!side.names.length) return box.replaceChildren(), found;
    if (side.group < side.count) {
      for (let g = 0; g * side.group < side.count; g++) add(null, side.groupName(g), start(g * side.group) + (side.group * cell) / 2, "label group");
    } else {
      const room = across && !turned ? textWidth(side, labelSize()) + 4 : 15;
      const usual = longest <= 32 ? 1 : longest <= 64 ? 4 : 10, least = Math.ceil(room / cell);
      // A few rows that are as high as their labels have all of them, however many columns there are.
      const every = (side.numeric || across) && !(across && turned && cell >= 15) ? niceStep(Math.max(least, cell >= 15 && !side.numeric ? 1 : usual)) : niceStep(least);
      for (let i = 0; i < side.count; i += every) add(i, clip(label(i), 40), start(i) + cell / 2, "label");
    }
    const lit = words("span", "", "label floating");
    box.replaceChildren(...found.map((each) => each.node), lit);
    const crowd = across ? textWidth(side, labelSize()) + 6 : 14;
    return Object.assign(found, { lit, label, at: (i) => start(i) + cell / 2, property, crowd });
  }
  function light(found, side, i) {
    if (!found.lit) return;
    // Of merged axes the readout alone says the place: its words are longer than the room.
    let seen = i === undefined || side.group < side.count;
    for (const each of found) {
      const on = each.i !== null && each.i === i;
      each.node.classList.toggle("lit", on);
      seen ||= on;
    }
    found.lit.hidden = seen;
    for (const each of found) each.node.classList.toggle("off", !seen && Math.abs(each.at - found.at(i)) < found.crowd);
    if (seen) return;
    setText(found.lit, clip(found.label(i), 40));
    found.lit.style[found.property] = `${found.at(i)}px`;
  }

  // ---- size --------------------------------------------------------------------------------------------------
  /** Takes the sizes that the figure has chosen. */
  function layout({ width, height, left, top, ends = 0, rowGroup = rows.group, columnGroup = columns.group, rowLabels = true, columnLabels = true }) {
    const room = labelRoom(width);
    turned = room.turns;
    grid = makeGrid({ width, height, rowGroup, columnGroup, rows: rows.count, columns: columns.count });
    const style = node.style, right = columnLabels ? room.right : 0;
    node.classList.toggle("turned", turned);
    node.classList.toggle("tiny", Math.min(width, height) < 17);
    style.setProperty("--left", `${left ?? room.left}px`);
    style.setProperty("--top", `${columnLabels ? top ?? room.top : 4}px`);
    style.setProperty("--label", `${labelSize()}px`);
    style.setProperty("--label-width", `${turned ? room.column + 8 : Math.max(width, 60)}px`);
    style.setProperty("--right", `${Math.max(0, right - ends)}px`);
    style.setProperty("--ends", `${ends}px`);
    sheet.style.width = `${grid.fullWidth}px`;
    sheet.style.height = `${grid.fullHeight}px`;
    labels.columns = columnLabels ? makeLabels(columnBox, columns, width, grid.across, true) : (columnBox.replaceChildren(), []);
    labels.rows = rowLabels ? makeLabels(rowBox, rows, height, grid.down, false) : (rowBox.replaceChildren(), []);
    labels.ends = ends ? makeLabels(endBox, rows, height, grid.down, false, written) : (endBox.replaceChildren(), []);
  }
  /** Says what is not in sight; the figure asks once everything has its place. */
  function tellScroll() {
    const notes = [];
    for (const [side, word] of [[rows, "row"], [columns, "column"]]) {
      if (side.step > 1) notes.push(`Showing every ${ordinal(side.step)} of ${plural(side.total, word)}.`);
    }
    const needed = parseFloat(node.style.getPropertyValue("--left")) + 4 + grid.fullWidth;
    if (scroller.clientWidth && needed > scroller.clientWidth) notes.push(`Wider than the card: scroll to see all ${plural(columns.count, "column")}.`);
    if (scroller.scrollHeight > scroller.clientHeight + 24 && getComputedStyle(scroller).overflowY !== "visible") notes.push(`Higher than the card: scroll to see all ${plural(rows.count, "row")}.`);
    setText(wide, notes.join(" "));
    wide.hidden = !notes.length;
  }

  // ---- drawing -----------------------------------------------------------------------------------------------
  function draw(newScale) {
    scale = newScale;
    const { context, ratio } = prepareCanvas(canvas, grid.fullWidth, grid.fullHeight);
    const { width, height } = grid, small = Math.min(width, height) < 10;
    const numbers = width >= 34 && height >= 34 ? (longest <= 8 ? 13 : 12) : 0;
    const painter = cellPainter(context, view.look, ratio, scale, numbers * ratio);
    if (small) paintSmall(context, ratio, painter);
    else {
      const gap = Math.max(1, Math.round(ratio)), across = Math.round(width * ratio) - gap, down = Math.round(height * ratio) - gap;
      for (let row = 0; row < rows.count; row++) for (let column = 0; column < columns.count; column++) {
        const x = Math.round(grid.across(column) * ratio), y = Math.round(grid.down(row) * ratio);
        if (plane.masked(row, column)) painter.masked(x, y, across, down);
        else painter.cell(plane.value(row, column), x, y, across, down);
      }
    }
    canvas.setAttribute("aria-label", summary());
  }
  /** Cells too small for a gap are pixels of a picture that is drawn larger, one block for each pair of groups. */
  function paintSmall(context, ratio, painter) {
    const source = pixelSheet(view.look, scale, rows.count, columns.count, plane.value, plane.masked);
    context.imageSmoothingEnabled = false;
    const { rowGroup, columnGroup } = grid, hatched = tensor.hidden || scale.kind === "mask";
    for (let row = 0; row < rows.count; row += rowGroup) for (let column = 0; column < columns.count; column += columnGroup) {
      const x = grid.across(column) * ratio, y = grid.down(row) * ratio;
      const wide = Math.min(columnGroup, columns.count - column), high = Math.min(rowGroup, rows.count - row);
      const size = [wide * grid.width * ratio, high * grid.height * ratio];
      if (hatched) painter.masked(x, y, ...size);
      context.drawImage(source, column, row, wide, high, x, y, ...size);
    }
    // Rows of a strip are told apart by a line.
    context.fillStyle = view.look.bg;
    if (grid.height >= 10) for (let row = 1; row < rows.count; row++) context.fillRect(0, Math.round(grid.down(row) * ratio) - 1, canvas.width, 1);
  }
  function summary() {
    const found = extremes(plane), shape = `${plural(rows.count, "row")} by ${plural(columns.count, "column")}`;
    if (!found) return `${spec.title}: ${shape}, no numbers. Arrow keys move a cell cursor, Escape leaves.`;
    const range = scale.kind === "mask" ? "" : `, from ${formatNumber(tensor, found.low)} to ${formatNumber(tensor, found.high)}`;
    const place = placeOf(found.row, found.column);
    const largest = scale.kind === "mask" ? "" : ` Largest in size at ${place}: ${formatValue(plane, found.row, found.column)}.`;
    return `${spec.title}: ${shape}, ${tensor.dtype}${range}.${largest} Arrow keys move a cell cursor, ${tensor.askable === false ? "" : "Enter explains, "}Escape leaves.`;
  }
  function placeOf(row, column) { return [rows.names.length && rows.words(row), columns.words(column)].filter(Boolean).join(" · "); }

  // ---- frames ------------------------------------------------------------------------------------------------
  function frame(name, place, rowCount, columnCount) {
    const { style } = frames[name];
    // A frame glides from cell to cell, but does not come flying from where it was last seen.
    style.transition = style.visibility === "visible" ? "" : "none";
    style.visibility = place ? "visible" : "hidden";
    if (!place) return;
    const x = grid.across(place.column), y = grid.down(place.row), gap = Math.min(grid.width, grid.height) >= 10 ? 1 : 0;
    style.transform = `translate(${x}px,${y}px)`;
    style.width = `${grid.across(place.column + columnCount - 1) + grid.width - x - gap}px`;
    style.height = `${grid.down(place.row + rowCount - 1) + grid.height - y - gap}px`;
  }
  /** mark: {cell?, row?, column?} that the stage wants framed, with the hovered cell in cell. */
  function mark({ hover, row, column, selected, step }) {
    frame("hover", hover, 1, 1);
    frame("link-row", row === undefined ? null : { row, column: 0 }, 1, columns.count);
    frame("link-column", column === undefined ? null : { row: 0, column }, rows.count, 1);
    frame("cell", selected, 1, 1);
    frame("step", step === undefined ? null : { row: step, column: 0 }, 1, columns.count);
    for (const side of [labels.rows, labels.ends]) light(side, rows, hover?.row ?? row ?? selected?.row);
    light(labels.columns, columns, hover?.column ?? column ?? selected?.column);
  }

  // ---- pointer -----------------------------------------------------------------------------------------------
  function cellAt(event) {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    if (x < 0 || y < 0 || x >= grid.fullWidth || y >= grid.fullHeight) return null;
    return { panel: position, row: grid.row(y), column: grid.column(x) };
  }
  canvas.addEventListener("pointermove", (event) => actions.hover(cellAt(event)));
  canvas.addEventListener("pointerleave", () => actions.hover(null));
  canvas.addEventListener("click", (event) => { const cell = cellAt(event); if (cell) actions.ask(cell); });
  canvas.addEventListener("focus", () => actions.enter(position));
  canvas.addEventListener("blur", () => actions.leave(position));

  /** Keeps the keyboard's cell in sight when the matrix scrolls inside its card. */
  function reveal({ column }) {
    const start = grid.across(column), visibleWidth = scroller.clientWidth - parseFloat(node.style.getPropertyValue("--left")) - 4;
    if (start < scroller.scrollLeft) scroller.scrollLeft = start;
    else if (start + grid.width > scroller.scrollLeft + visibleWidth) scroller.scrollLeft = start + grid.width - visibleWidth + 8;
  }
  /** The panel as it is drawn, labels and all, as a canvas of its own; lines stand under its title. */
  function picture(lines) {
    const shown = [...columnBox.children, ...rowBox.children, ...endBox.children].filter((label) => !label.hidden && label.textContent);
    return pictureOf({ canvas, labels: shown, title: spec.title, lines, family: view.look.family, look: view.look });
  }
  return {
    picture, node, canvas, scroller, open, spec, tensor, longest, labelRoom, endsRoom, layout, tellScroll, draw, mark, reveal, placeOf,
    get plane() { return plane; }, get grid() { return grid; },
    take: () => (plane = makePlane(tensor, spec, view.placeOf)),
  };
}

/** 1, 2, 4, 5, 10, 20, …: the smallest round step that is not below. */
function niceStep(least) {
  for (let power = 1; ; power *= 10) for (const step of [1, 2, 4, 5]) if (step * power >= least) return step * power;
}

/** Plain text as formulas are read, in a node that is there already. */
function setMath(node, text) {
  if (node.shown === text) return;
  node.shown = text;
  node.replaceChildren(...mathWords("span", text).childNodes);
}
