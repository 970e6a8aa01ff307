// The large matrix: cells and numbers on a canvas, labels and frames as elements over it.
//
// The whole matrix is drawn once per layer and head. A step only moves the edge of a clip and the frames.

function buildMatrix(view, plane, heads) {
  const { trace } = view, { height: steps, width: positions } = plane;
  const label = (text) => el("span", { class: "label", title: text, text: clip(text, 40) });
  const columnLabels = plane.columns.map(label), rowLabels = plane.rows.map(label);
  const frameNames = ["row", "cell", "hover", "link-row", "link-column"];
  const frames = Object.fromEntries(frameNames.map((name) => [name, el("i", { class: `frame ${name}` })]));
  const empty = el("canvas", { class: "empty", "aria-hidden": "true" });
  const cells = el("canvas", { class: "cells", role: "img", tabindex: "0", "aria-roledescription": "matrix" });
  const notYet = el("span"), future = el("div", { class: "future", "aria-hidden": "true" }, notYet);
  const sheet = el("div", { class: "plane" }, empty, cells, future, ...Object.values(frames), el("i", { class: "ring" }));
  const columnBox = el("div", { class: "columns", "aria-hidden": "true" }, ...columnLabels);
  const rowBox = el("div", { class: "rows", "aria-hidden": "true" }, ...rowLabels);
  const scroller = el("div", { class: "scroller" },
    el("div", { class: "matrix" }, el("div", { class: "corner" }), columnBox, rowBox, sheet));
  const picture = el("div", { class: "picture", "data-rows": plane.rowSide, "data-columns": plane.columnSide }, scroller, heads.node);
  let cell = 34;

  /** The widest labels: the reserved room must hold them in bold. */
  function labelWidths() {
    const context = document.createElement("canvas").getContext("2d");
    context.font = `650 ${labelSize()}px ${view.look.family}`;
    const widest = (labels) => Math.max(...labels.map((text) => context.measureText(clip(text, 40)).width));
    return { row: widest(plane.rows), column: widest(plane.columns) };
  }
  function labelSize() { return plane.longest <= 8 && !view.size.phone ? 14 : 12; }

  function layout() {
    const { phone } = view.size, room = picture.clientWidth;
    const widths = labelWidths();
    const left = Math.ceil(Math.min(widths.row, phone ? 78 : 132)) + 12;
    const column = Math.min(widths.column, phone ? 90 : 120);
    const least = cellSize(plane.longest, positions, 0);
    const wide = heads.fit(room - left - positions * least - 32, Math.max(360, steps * least * 1.25 + 60));
    cell = cellSize(plane.longest, positions, room - left - 8 - (wide ? heads.width() + 24 : 0));
    const turned = column > cell - 6;
    const angle = (48 * Math.PI) / 180;
    const top = turned ? Math.ceil(column * Math.sin(angle) + 18) : labelSize() + 14;
    const overhang = turned ? Math.max(0, Math.ceil(column * Math.cos(angle) - cell / 2 + 16)) : 0;
    picture.classList.toggle("wide", wide);
    picture.classList.toggle("turned", turned);
    const style = picture.style;
    style.setProperty("--cell", `${cell}px`);
    style.setProperty("--left", `${left}px`);
    style.setProperty("--top", `${top}px`);
    style.setProperty("--label", `${labelSize()}px`);
    style.setProperty("--label-width", `${turned ? column : cell}px`);
    style.setProperty("--overhang", `${overhang}px`);
    sheet.style.width = `${positions * cell}px`;
    sheet.style.height = `${steps * cell}px`;
    columnLabels.forEach((node, j) => (node.style.left = `${(j + 0.5) * cell}px`));
    rowLabels.forEach((node, t) => (node.style.top = `${(t + 0.5) * cell}px`));
    sheet.classList.toggle("tiny", cell < 17);
    drawEmpty();
    draw();
  }

  function drawEmpty() {
    const { context, ratio } = prepareCanvas(empty, positions * cell, steps * cell);
    if (cell < 17) return;
    context.strokeStyle = view.look.line2;
    context.globalAlpha = 0.7;
    context.lineWidth = ratio;
    context.setLineDash([2 * ratio, 3 * ratio]);
    context.beginPath();
    // One lattice, not one box per cell: neighbouring dashes would double into a grey smear.
    const line = (i) => Math.max(0, Math.round(i * cell * ratio) - ratio) + ratio / 2;
    for (let t = 0; t <= steps; t++) { context.moveTo(0, line(t)); context.lineTo(positions * cell * ratio, line(t)); }
    for (let j = 0; j <= positions; j++) { context.moveTo(line(j), 0); context.lineTo(line(j), steps * cell * ratio); }
    context.stroke();
  }

  function draw() {
    const { context, ratio } = prepareCanvas(cells, positions * cell, steps * cell);
    const gap = cell >= 10 ? Math.max(1, Math.round(ratio)) : 0;
    const numbers = cell >= 34, size = plane.longest <= 8 ? 13 : 12;
    const painter = cellPainter(context, view.look, ratio, WEIGHTS, numbers ? size * ratio : 0);
    const side = Math.round(cell * ratio) - gap;
    for (let t = 0; t < steps; t++) for (let j = 0; j < positions; j++) {
      const x = Math.round(j * cell * ratio), y = Math.round(t * cell * ratio);
      if (plane.masked(t, j)) painter.masked(x, y, side, side);
      else painter.cell(view.weight(t, j), x, y, side, side);
    }
    if (view.state.overlay && plane === trace.planes.cross) trace.gold.forEach((row, t) => row.forEach((j) => drawRing(context, ratio, t, j)));
  }

  // A ring, not a square: gold is told apart from the selected cell by its shape as well.
  function drawRing(context, ratio, t, j) {
    // A cell with a number in it gets its ring as a rounded frame: a circle would run through the digits.
    const inset = cell >= 34 ? 3.5 : cell * 0.2, side = cell - 1 - 2 * inset;
    for (const [colour, width] of [[view.look.bg, cell >= 17 ? 4 : 3], [view.look.ink, cell >= 17 ? 1.75 : 1.25]]) {
      context.strokeStyle = colour;
      context.lineWidth = width * ratio;
      context.beginPath();
      context.roundRect((j * cell + inset) * ratio, (t * cell + inset) * ratio, side * ratio, side * ratio, (cell >= 34 ? 8 : side / 2) * ratio);
      context.stroke();
    }
  }

  function frame(name, row, column, rows, columns) {
    const style = frames[name].style;
    style.visibility = row === null ? "hidden" : "visible";
    if (row === null) return;
    style.transform = `translate(${column * cell}px,${row * cell}px)`;
    style.width = `${columns * cell - 1}px`;
    style.height = `${rows * cell - 1}px`;
  }
  function step() {
    const now = view.row(), left = steps - view.rowsSeen();
    cells.style.clipPath = left ? `inset(0 0 ${left * cell + 0.5}px 0)` : "";
    empty.style.clipPath = `inset(${(steps - left) * cell}px 0 0 0)`;
    future.style.top = `${(steps - left) * cell}px`;
    const fits = left * cell >= 18 && positions * cell >= 170;
    future.hidden = left === 0;
    setText(notYet, fits ? `not yet produced at step ${now}` : "");
    rowLabels.forEach((node, t) => {
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
      : ` The largest weight of ${plane.rows[now]} is on ${plane.columns[peak]}: ${fixed(view.weight(now, peak), 4)}.`;
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
    const rowShown = shownLabels(cell, plane.longest, rowMarks);
    const columnShown = shownLabels(cell, plane.longest, columnMarks);
    rowLabels.forEach((node, t) => {
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
    const column = Math.floor((event.clientX - box.left) / cell), row = Math.floor((event.clientY - box.top) / cell);
    const inside = column >= 0 && column < positions && row >= 0 && row < view.rowsSeen();
    return inside ? { row, column, cell: true } : null;
  }
  cells.addEventListener("pointermove", (event) => view.hover(cellAt(event)));
  cells.addEventListener("pointerleave", () => view.hover(null));
  cells.addEventListener("click", (event) => view.pick(cellAt(event)));
  cells.addEventListener("blur", () => view.pick(null));

  /** Keeps the keyboard's cell in sight when the matrix scrolls inside its card. */
  function reveal(column) {
    const start = column * cell, visibleWidth = scroller.clientWidth - parseFloat(picture.style.getPropertyValue("--left"));
    if (start < scroller.scrollLeft) scroller.scrollLeft = start;
    else if (start + cell > scroller.scrollLeft + visibleWidth) scroller.scrollLeft = start + cell - visibleWidth + 8;
  }
  const matrix = () => { draw(); step(); };
  return { node: picture, cells, layout: () => { layout(); step(); }, matrix, step, hover: marks, reveal };
}
