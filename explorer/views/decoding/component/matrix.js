// The large matrix: cells and numbers on a canvas, labels and frames as elements over it.
//
// The whole matrix is drawn once per layer and head. A step only moves the edge of a clip and the frames.

const LARGEST = 48, SMALLEST = 8;   // px: a cell of a matrix on a dashboard

function buildMatrix(view, plane, heads) {
  const { trace } = view, { height: steps, width: positions } = plane;
  const label = (text) => el("span", { class: "label", title: text, text: clip(text, 40) });
  const columnLabels = plane.columns.map(label), rowLabels = plane.rows.map(label);
  const endLabels = (plane.writes ?? []).map((text) => label(`→ ${text}`));
  const frameNames = ["row", "cell", "hover", "link-row", "link-column"];
  const frames = Object.fromEntries(frameNames.map((name) => [name, el("i", { class: `frame ${name}` })]));
  const empty = el("canvas", { class: "empty", "aria-hidden": "true" });
  const cells = el("canvas", { class: "cells", role: "img", tabindex: "0", "aria-roledescription": "matrix" });
  const notYet = el("span"), future = el("div", { class: "future", "aria-hidden": "true" }, notYet);
  const sheet = el("div", { class: "plane" }, empty, cells, future, ...Object.values(frames), el("i", { class: "ring" }));
  const columnBox = el("div", { class: "columns", "aria-hidden": "true" }, ...columnLabels);
  const rowBox = el("div", { class: "rows", "aria-hidden": "true" }, ...rowLabels);
  const endBox = el("div", { class: "ends", "aria-hidden": "true" }, ...endLabels);
  const scroller = el("div", { class: "scroller" },
    el("div", { class: "matrix" }, el("div", { class: "corner" }), columnBox, rowBox, sheet, endBox));
  const picture = el("div", { class: "picture", "data-rows": plane.rowSide, "data-columns": plane.columnSide }, scroller, heads.node);
  let wide = 34, high = 34;   // a cell, in pixels

  /** The widest labels: the reserved room must hold them in bold. */
  function labelWidths() {
    const context = document.createElement("canvas").getContext("2d");
    context.font = `650 ${labelSize()}px ${view.look.family}`;
    const widest = (labels) => Math.max(0, ...labels.map((text) => context.measureText(clip(text, 40)).width));
    return { row: widest(plane.rows), column: widest(plane.columns), end: widest(endLabels.map((node) => node.textContent)) };
  }
  function labelSize() { return plane.longest <= 8 && !view.size.phone && !view.size.low ? 14 : 12; }
  /** On a dashboard a cell takes what the card has in each direction; elsewhere it is a square of the usual size. */
  function cellWidth(room) {
    if (!view.size.dashboard) return cellSize(plane.longest, positions, room);
    return Math.max(SMALLEST, within(Math.floor(room / positions), LARGEST));
  }
  function cellHeight(tall) {
    return view.size.dashboard ? Math.max(SMALLEST, within(Math.floor(tall / steps), LARGEST)) : wide;
  }

  function layout() {
    const { phone, dashboard } = view.size, room = picture.clientWidth, tall = picture.clientHeight;
    const widths = labelWidths();
    const left = Math.ceil(Math.min(widths.row, phone ? 78 : dashboard ? 96 : 132)) + 12;
    const column = Math.min(widths.column, phone ? 90 : dashboard ? 72 : 120);
    const smallest = dashboard ? SMALLEST : cellSize(plane.longest, positions, 0);
    const isBeside = heads.fit(room, tall, left + positions * smallest);
    const free = room - left - 8 - (isBeside ? heads.width() + 20 : 0), angle = (48 * Math.PI) / 180;
    const beyond = () => Math.max(0, Math.ceil(column * Math.cos(angle) - wide / 2 + 16));
    wide = cellWidth(free);
    const turned = column > wide + (dashboard ? 3 : -6);
    if (turned && dashboard) wide = cellWidth(free - beyond());
    const top = turned ? Math.ceil(column * Math.sin(angle) + 18) : labelSize() + 12;
    const overhang = turned ? beyond() : 0;
    high = cellHeight(tall - top - 10);
    // What the rows write stands beside them, under turned names of columns, and takes nothing from the cells.
    const end = Math.ceil(Math.min(widths.end, 96)) + 12, hasEnds = endLabels.length > 0 && !phone && end <= free - positions * wide;
    endBox.hidden = !hasEnds;
    picture.classList.toggle("wide", isBeside);
    picture.classList.toggle("turned", turned);
    const style = picture.style;
    style.setProperty("--left", `${left}px`);
    style.setProperty("--top", `${top}px`);
    style.setProperty("--label", `${labelSize()}px`);
    style.setProperty("--label-width", `${turned ? column : Math.max(wide, column + 6)}px`);
    style.setProperty("--ends", `${hasEnds ? end : 0}px`);
    style.setProperty("--overhang", `${Math.max(0, overhang - (hasEnds ? end : 0))}px`);
    sheet.style.width = `${positions * wide}px`;
    sheet.style.height = `${steps * high}px`;
    columnLabels.forEach((node, j) => (node.style.left = `${(j + 0.5) * wide}px`));
    for (const side of [rowLabels, endLabels]) side.forEach((node, t) => (node.style.top = `${(t + 0.5) * high}px`));
    sheet.classList.toggle("tiny", least() < 17);
    picture.toggleAttribute("data-numbers", hasNumbers());
    drawEmpty();
    draw();
  }
  const least = () => Math.min(wide, high), hasNumbers = () => wide >= 27 && high >= 17;

  function drawEmpty() {
    const { context, ratio } = prepareCanvas(empty, positions * wide, steps * high);
    if (least() < 17) return;
    context.strokeStyle = view.look.line2;
    context.globalAlpha = 0.7;
    context.lineWidth = ratio;
    context.setLineDash([2 * ratio, 3 * ratio]);
    context.beginPath();
    // One lattice, not one box per cell: neighbouring dashes would double into a grey smear.
    const line = (i, size) => Math.max(0, Math.round(i * size * ratio) - ratio) + ratio / 2;
    for (let t = 0; t <= steps; t++) { context.moveTo(0, line(t, high)); context.lineTo(positions * wide * ratio, line(t, high)); }
    for (let j = 0; j <= positions; j++) { context.moveTo(line(j, wide), 0); context.lineTo(line(j, wide), steps * high * ratio); }
    context.stroke();
  }

  function draw() {
    const { context, ratio } = prepareCanvas(cells, positions * wide, steps * high);
    const gap = least() >= 10 ? Math.max(1, Math.round(ratio)) : 0;
    const size = wide >= 34 ? 13 : 12;
    const painter = cellPainter(context, view.look, ratio, WEIGHTS, hasNumbers() ? size * ratio : 0);
    const width = Math.round(wide * ratio) - gap, height = Math.round(high * ratio) - gap;
    for (let t = 0; t < steps; t++) for (let j = 0; j < positions; j++) {
      const x = Math.round(j * wide * ratio), y = Math.round(t * high * ratio);
      if (plane.masked(t, j)) painter.masked(x, y, width, height);
      else painter.cell(view.weight(t, j), x, y, width, height);
    }
    if (view.state.overlay && plane === trace.planes.cross) trace.gold.forEach((row, t) => row.forEach((j) => drawRing(context, ratio, t, j)));
  }

  // A ring, not a square: gold is told apart from the selected cell by its shape as well.
  function drawRing(context, ratio, t, j) {
    // A cell with a number in it gets its ring as a rounded frame: a circle would run through the digits.
    const inset = hasNumbers() ? 3.5 : least() * 0.2, width = wide - 1 - 2 * inset, height = high - 1 - 2 * inset;
    const round = hasNumbers() ? Math.min(8, height / 2) : Math.min(width, height) / 2;
    for (const [colour, line] of [[view.look.bg, least() >= 17 ? 4 : 3], [view.look.ink, least() >= 17 ? 1.75 : 1.25]]) {
      context.strokeStyle = colour;
      context.lineWidth = line * ratio;
      context.beginPath();
      context.roundRect((j * wide + inset) * ratio, (t * high + inset) * ratio, width * ratio, height * ratio, round * ratio);
      context.stroke();
    }
  }

  function frame(name, row, column, rows, columns) {
    const style = frames[name].style;
    style.visibility = row === null ? "hidden" : "visible";
    if (row === null) return;
    style.transform = `translate(${column * wide}px,${row * high}px)`;
    style.width = `${columns * wide - 1}px`;
    style.height = `${rows * high - 1}px`;
  }
  function step() {
    const now = view.row(), left = steps - view.rowsSeen();
    cells.style.clipPath = left ? `inset(0 0 ${left * high + 0.5}px 0)` : "";
    empty.style.clipPath = `inset(${(steps - left) * high}px 0 0 0)`;
    future.style.top = `${(steps - left) * high}px`;
    const fits = left * high >= 18 && positions * wide >= 170;
    future.hidden = left === 0;
    setText(notYet, fits ? `not there yet at step ${now}` : "");
    for (const side of [rowLabels, endLabels]) side.forEach((node, t) => {
      node.classList.toggle("now", t === now);
      node.classList.toggle("later", t >= steps - left);
    });
    if (plane.columnSide === "target") columnLabels.forEach((node, j) => node.classList.toggle("later", j > now));
    frame("row", now, 0, 1, positions);
    marks();
    cells.setAttribute("aria-label", summary());
  }
  function summary() {
    const { layer, head } = view.state, now = view.row(), peak = view.peak(now);
    const largest = peak < 0 ? ""
      : ` The largest weight of the row ${plane.rowHeading(now)} is on ${plane.columns[peak]}: ${fixed(view.weight(now, peak), 4)}.`;
    return `${plane.title} weights, ${plane.stack} layer ${layer}, ${headName(head, plane.heads)}: ` +
      `${plural(view.rowsSeen(), "row")}, ${plane.rowWords}, by ${plural(positions, "column")}, ${plane.columnWords}.` +
      `${largest} Arrow keys move a cell cursor, Escape leaves.`;
  }
  function marks() {
    const seen = view.state.hover, now = view.row(), picked = view.picked(), shown = view.rowsSeen();
    frame("cell", picked ? picked.row : null, picked?.column, 1, 1);
    frame("hover", seen?.cell ? seen.row : null, seen?.column, 1, 1);
    frame("link-row", seen && !seen.cell && seen.row !== undefined && seen.row !== now ? seen.row : null, 0, 1, positions);
    // What attends to a token: its column, from its own row on where earlier ones are masked.
    const top = plane.causal ? Math.min(seen?.column ?? 0, shown) : 0;
    frame("link-column", seen && !seen.cell && seen.column !== undefined && top < shown ? top : null, seen?.column, shown - top, 1);
    const rowMarks = [now, seen?.row, picked?.row].filter((i) => i !== undefined);
    const columnMarks = [picked?.column, seen?.column].filter((i) => i !== undefined);
    const rowShown = shownLabels(high, rowMarks);
    const columnShown = shownLabels(wide, columnMarks);
    for (const side of [rowLabels, endLabels]) side.forEach((node, t) => {
      node.classList.toggle("off", !rowShown(t));
      node.classList.toggle("lit", seen?.row === t);
    });
    columnLabels.forEach((node, j) => {
      node.classList.toggle("off", !columnShown(j));
      node.classList.toggle("lit", seen?.column === j);
      node.classList.toggle("now", picked?.column === j);
    });
  }

  function cellAt(event) {
    const box = cells.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / wide), row = Math.floor((event.clientY - box.top) / high);
    const inside = column >= 0 && column < positions && row >= 0 && row < view.rowsSeen();
    return inside ? { row, column, cell: true } : null;
  }
  cells.addEventListener("pointermove", (event) => view.hover(cellAt(event)));
  cells.addEventListener("pointerleave", () => view.hover(null));
  cells.addEventListener("click", (event) => view.pick(cellAt(event)));
  cells.addEventListener("blur", () => view.pick(null));

  /** Keeps the keyboard's cell in sight when the matrix scrolls inside its card. */
  function reveal({ row, column }) {
    const { left, top } = labelRoom(), across = column * wide, down = row * high;
    const width = scroller.clientWidth - left, height = scroller.clientHeight - top;
    if (across < scroller.scrollLeft) scroller.scrollLeft = across;
    else if (across + wide > scroller.scrollLeft + width) scroller.scrollLeft = across + wide - width + 8;
    if (down < scroller.scrollTop) scroller.scrollTop = down;
    else if (down + high > scroller.scrollTop + height) scroller.scrollTop = down + high - height + 8;
  }
  function labelRoom() {
    const read = (name) => parseFloat(picture.style.getPropertyValue(name));
    return { left: read("--left"), top: read("--top") };
  }
  const matrix = () => { draw(); step(); };
  return { node: picture, cells, layout: () => { layout(); step(); }, matrix, step, hover: marks, reveal };
}
