// The numbers of a panel as a table, built when it is asked for.

const TABLE_ROWS = 100, TABLE_COLUMNS = 64;

/** The table of a panel; draw writes the plane that the panel shows now, and neither scroll nor focus is lost by it. */
function buildTable(panel) {
  const { spec } = panel, { rows, columns, tensor } = panel.plane;
  const down = Math.min(rows.count, TABLE_ROWS), across = Math.min(columns.count, TABLE_COLUMNS);
  const cut = [[down, rows, "row"], [across, columns, "column"]].filter(([shown, side]) => shown < side.count)
    .map(([shown, side, word]) => `the first ${shown} of ${plural(side.count, word)}`);
  const cells = range(down).map(() => range(across).map(() => el("td")));
  const body = cells.map((row, i) => el("tr", {}, el("th", { scope: "row", class: rows.side, text: rows.names.length ? rows.heading(i) : "" }), ...row));
  const table = el("table", {}, words("caption", spec.title, "unseen"),
    el("thead", {}, el("tr", {}, el("td"), ...range(across).map((j) => el("th", { scope: "col", class: columns.side, text: clip(columns.label(j), 24) })))), el("tbody", {}, ...body));
  const title = el("p", { class: "caption" }, mathWords("b", spec.title), words("span", `${panelShape(panel.plane)} ${tensor.dtype}`, "shape"));
  const box = el("div", { class: "numbers", tabindex: "0", role: "region", "aria-label": `Table of ${spec.title}`, "data-focus": "numbers" }, table);
  const node = el("div", { class: "as-table" }, title, ...(cut.length ? [words("p", `The table shows ${cut.join(" and ")}.`, "thinned")] : []), box);
  const draw = () => cells.forEach((row, i) => row.forEach((cell, j) => setText(cell, formatValue(panel.plane, i, j))));
  draw();
  return { node, box, draw };
}
