// Where the panels of a stage stand: a product around its corner, or in a row, or one under the other.

const TALLEST = 600, LEAST_TALL = 320, AROUND = 290, WORDS_TALL = 380, OPERATOR = 40, ARROW = 72, CORNER = 300;

/** How tall a picture may be, so that it is whole in the window under what stands above it. */
function tallest() { return Math.max(LEAST_TALL, Math.min(TALLEST, window.innerHeight - AROUND)); }
/** Below it a matrix does not shrink for others beside it, or for a narrow card. */
function leastCell(longest) { return longest <= 8 ? 20 : longest <= 32 ? 14 : longest <= 64 ? 7 : 2; }
/** Cell width and height of a panel by itself: square, but for a few rows of very many columns. */
function ownSize(panel, room, phone) {
  const { rows, columns } = panel.plane, gaps = GROUP_GAP * (Math.ceil(columns.count / columns.group) - 1);
  const at = (labels) => {
    const left = room - labels.left - labels.right - gaps, usual = cellSize(panel.longest, columns.count, left);
    // On a phone numbers stay readable and the matrix scrolls; elsewhere it rather shrinks a little.
    return phone ? usual : Math.min(usual, Math.max(leastCell(panel.longest), Math.floor(left / columns.count)));
  };
  let width = at(panel.labelRoom(34));
  width = at(panel.labelRoom(width));
  if (panel.longest > 64 && rows.count > 24) width = Math.min(width, Math.max(2, Math.floor(tallest() / rows.count)));
  return { width, height: rowHeight(rows, width) };
}
function rowHeight(rows, cell) { return rows.count <= 24 ? Math.max(STRIP, cell) : cell; }
function panelWidth(panel, width, left) {
  const { columns } = panel.plane, labels = panel.labelRoom(width);
  return (left ?? labels.left) + 4 + columns.count * width + GROUP_GAP * (Math.ceil(columns.count / columns.group) - 1) + labels.right;
}
/** How far what the rows write reaches beyond the turned labels of the columns, which stand above it. */
function beyondEdge(panel, width) { return Math.max(0, panel.endsRoom() - panel.labelRoom(width).right); }

function buildFigure(view, stage, panels) {
  const signs = panels.slice(1).map((_, k) => operatorOf(stage, k));
  const node = el("div", { class: `figure ${stage.kind}` });
  panels.forEach((panel, k) => {
    if (k) node.append(signs[k - 1]);
    node.append(panel.node);
    panel.node.style.gridArea = stage.kind === "product" ? "abc"[k] : "";
  });

  /** Gives every panel its size; says how they stand: corner, row, wrap or stack. */
  function layout(room, card) {
    const corner = stage.kind === "product" && !view.phone ? cornerSizes(panels, room) : null;
    const arrangement = corner ? "corner" : inRow(room) ?? (stage.kind === "one" ? "wrap" : "stack");
    node.dataset.arrangement = card.dataset.arrangement = arrangement;
    card.classList.toggle("roomy", corner !== null && corner.side >= CORNER);
    card.classList.toggle("high", corner !== null && corner.cell * panels[1].plane.rows.count >= WORDS_TALL);
    if (corner) placeAroundCorner(corner, card, room);
    else if (arrangement !== "row") placeByThemselves(room, arrangement);
  }
  function placeAroundCorner({ cell, side, other, left, second, top }, card, room) {
    const [a, b, c] = panels, groups = pairedGroups(panels);
    const height = rowHeight(a.plane.rows, cell), beyond = beyondEdge(c, cell), ends = side + other + beyond <= room ? c.endsRoom() : 0;
    card.style.setProperty("--first", `${side}px`);
    card.style.setProperty("--second", `${other + (ends && beyond)}px`);
    a.layout({ width: cell, height, left, top, rowGroup: groups.rows, columnGroup: groups.inner });
    b.layout({ width: cell, height: cell, left: second, rowGroup: groups.inner, columnGroup: groups.columns, columnLabels: false });
    c.layout({ width: cell, height, left: second, top, ends, rowGroup: groups.rows, columnGroup: groups.columns, rowLabels: false });
  }
  /** All in one row: as large as each would be by itself, or smaller together as long as they can be read. */
  function inRow(room) {
    if (view.phone || (panels.length === 1 && panels[0].longest > 64)) return null;
    const between = ["sum", "difference"].includes(stage.kind) ? OPERATOR : stage.kind === "map" ? ARROW : 24;
    const space = room - between * (panels.length - 1), longest = Math.max(...panels.map((panel) => panel.longest));
    const largest = cellSize(longest, 1, 48), least = stage.kind === "difference" ? 4 : longest > 8 && longest <= 16 ? 10 : Math.max(6, leastCell(longest) - 2);
    for (let cell = largest; cell >= Math.min(least, largest); cell--) {
      const taken = panels.reduce((sum, panel) => sum + panelWidth(panel, cell), 0);
      if (taken > space) continue;
      const top = Math.max(...panels.map((panel) => panel.labelRoom(cell).top));
      const ends = (panel) => (panel === panels.at(-1) && taken + beyondEdge(panel, cell) <= space ? panel.endsRoom() : 0);
      for (const panel of panels) panel.layout({ width: cell, height: rowHeight(panel.plane.rows, cell), top, ends: ends(panel) });
      return "row";
    }
    return null;
  }
  function placeByThemselves(room, arrangement) {
    const left = arrangement === "stack" ? Math.max(...panels.map((panel) => panel.labelRoom(20).left)) : undefined;
    for (const panel of panels) {
      const { width, height } = ownSize(panel, room - (left === undefined ? 0 : left - panel.labelRoom(20).left) - 4, view.phone);
      const ends = panelWidth(panel, width, left) + beyondEdge(panel, width) <= room ? panel.endsRoom() : 0;
      panel.layout({ width, height, left, ends });
    }
  }
  return { node, layout };
}

/** The size at which a product fits around its corner; null when it does not, or when its sides do not match. */
function cornerSizes(panels, room) {
  const [a, b, c] = panels, [rows, inner, columns] = [a.plane.rows.count, a.plane.columns.count, b.plane.columns.count];
  if (b.plane.rows.count !== inner || c.plane.rows.count !== rows || c.plane.columns.count !== columns) return null;
  const longest = Math.max(rows, inner, columns), groups = pairedGroups(panels);
  const first = cellSize(longest, 1, 48);
  for (let cell = Math.min(first, Math.max(first > 20 ? 16 : 6, Math.floor(tallest() / (inner + rows)))); cell >= 6; cell--) {
    const left = a.labelRoom(cell).left, second = Math.max(b.labelRoom(cell).left, 18);
    const { right } = c.labelRoom(cell), top = Math.max(a.labelRoom(cell).top, c.labelRoom(cell).top);
    const side = left + 4 + inner * cell + GROUP_GAP * (Math.ceil(inner / groups.inner) - 1);
    const other = Math.max(150, second + 4 + columns * cell + GROUP_GAP * (Math.ceil(columns / groups.columns) - 1) + right);
    if (side + other <= room) return { cell, side, other, left, second, top };
  }
  return null;
}

/** Rows that continue each other have their gaps at the same places. */
function pairedGroups([a, b, c]) {
  const pair = (first, second) => (first.group < first.count ? first.group : second.group);
  return { rows: pair(c.plane.rows, a.plane.rows), inner: pair(a.plane.columns, b.plane.rows), columns: pair(c.plane.columns, b.plane.columns) };
}

/** What stands between a panel and the next. */
function operatorOf(stage, k) {
  if (stage.kind === "one") return el("span", { hidden: "" });
  if (stage.kind === "map") return el("div", { class: "operator arrow" }, mathWords("span", stage.arrows[k]), el("i", { "aria-hidden": "true" }));
  const sign = stage.kind === "difference" ? ["−", "="][k] : stage.kind === "sum" ? (k === stage.panels.length - 2 ? "=" : "+") : ["×", "="][k];
  return words("div", sign, "operator");
}
