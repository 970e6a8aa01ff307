// Tensors with named axes, and the planes that are cut out of them: which number stands in a row and a column.

function makeTensor(name, entry, arrays) {
  const axes = entry.axes.map((axis) => ({ ...axis, shown: axis.places ? axis.places.length : axis.size }));
  axes.reduceRight((stride, axis) => { axis.stride = stride; return stride * axis.shown; }, 1);
  const values = arrays[`${name}/values`], hidden = arrays[`${name}/hidden`] ?? null;
  const axis = (wanted) => axes.find((each) => each.name === wanted);
  return { ...entry, name, axes, values, hidden, axis };
}

/** The number in the whole axis of a place that is shown. */
function wholePlace(axis, place) { return axis.places ? axis.places[place] : place; }
/** The shown place of a number in the whole axis; −1 when it is outside the window. */
function shownPlace(axis, number) {
  if (axis.places) return axis.places.indexOf(number);
  return number < axis.size ? number : -1;
}
function placeLabel(axis, place) { return axis.labels.length ? visible(axis.labels[place]) : String(wholePlace(axis, place)); }
function placeWords(axis, place) { return axis.labels.length ? visible(axis.labels[place]) : `${axis.name} ${wholePlace(axis, place)}`; }

/** Rows or columns of a plane: one axis, or several of which the last runs fastest. */
function makeSide(tensor, names, step) {
  const axes = names.map(tensor.axis);
  const total = axes.reduce((product, axis) => product * axis.shown, 1), count = Math.ceil(total / step);
  const inner = axes.at(-1), grouped = axes.length > 1 && step === 1;
  /** Shown place on each axis. */
  function places(i) {
    let rest = i * step;
    const found = [];
    for (const axis of [...axes].reverse()) { found.unshift(rest % axis.shown); rest = Math.floor(rest / axis.shown); }
    return found;
  }
  const offsets = Int32Array.from({ length: count }, (_, i) => places(i).reduce((sum, place, k) => sum + place * axes[k].stride, 0));
  const parts = (i, write) => places(i).map((place, k) => write(axes[k], place)).join(" · ");
  return {
    axes, names, count, offsets, places, total, step,
    size: axes.reduce((product, axis) => product * axis.size, 1),
    group: grouped ? inner.shown : count,
    side: axes.map((axis) => axis.side).find(Boolean) ?? "",
    numeric: axes.every((axis) => !axis.labels.length),
    label: (i) => parts(i, placeLabel),
    words: (i) => clip(parts(i, placeWords), 40),
    groupName: (g) => places(g * inner.shown).slice(0, -1).map((place, k) => placeWords(axes[k], place)).join(" · "),
    /** The row or column of a shown place on every axis. */
    find: (wanted) => axes.reduce((at, axis, k) => at * axis.shown + wanted[k], 0) / step,
  };
}

const MOST_CELLS = 6000;   // along one side; browsers refuse canvases much wider than three device pixels a cell

/** What a panel shows of its tensor while other axes stay at their chosen places. */
function makePlane(tensor, panel, placeOf) {
  const thin = (names) => Math.ceil(names.reduce((product, name) => product * tensor.axis(name).shown, 1) / MOST_CELLS);
  const rows = makeSide(tensor, panel.rows, thin(panel.rows)), columns = makeSide(tensor, panel.columns, thin(panel.columns));
  const others = tensor.axes.filter((axis) => !panel.rows.includes(axis.name) && !panel.columns.includes(axis.name));
  const fixedPlaces = new Map(others.map((axis) => [axis.name, Math.max(0, shownPlace(axis, placeOf(axis.name)))]));
  const base = others.reduce((sum, axis) => sum + fixedPlaces.get(axis.name) * axis.stride, 0);
  const at = (row, column) => base + rows.offsets[row] + columns.offsets[column];

  /** The number in the whole axis of a cell, for every axis. */
  function numbers(row, column) {
    const found = new Map([...fixedPlaces].map(([name, place]) => [name, wholePlace(tensor.axis(name), place)]));
    rows.places(row).forEach((place, k) => found.set(rows.names[k], wholePlace(rows.axes[k], place)));
    columns.places(column).forEach((place, k) => found.set(columns.names[k], wholePlace(columns.axes[k], place)));
    return found;
  }
  function index(row, column) {
    const found = numbers(row, column);
    return tensor.index.map((names) => names.reduce((sum, name) => sum * tensor.axis(name).size + found.get(name), 0));
  }
  const layer = (row, column) => numbers(row, column).get("layer") ?? null;

  /** Row and column of a number of the model; null when it is not here. */
  function find(cell) {
    const name = cell && tensor.lead.every((number, k) => cell.index[k] === number) ? cell.site : null;
    if (name === null || cell.index.length !== tensor.lead.length + tensor.index.length) return null;
    const wanted = new Map();
    cell.index.slice(tensor.lead.length).forEach((number, k) => {
      for (const axisName of [...tensor.index[k]].reverse()) {
        const axis = tensor.axis(axisName);
        wanted.set(axisName, shownPlace(axis, number % axis.size));
        number = Math.floor(number / axis.size);
      }
    });
    const stack = tensor.axis("layer");
    if (stack) wanted.set("layer", Array.from({ length: stack.shown }, (_, i) => i).findIndex((i) => siteOf(tensor, wholePlace(stack, i)) === name));
    else if (tensor.site !== name) return null;
    for (const [axis, place] of fixedPlaces) if ((wanted.get(axis) ?? place) !== place) return null;
    const onSides = [rows, columns].map((side) => side.names.map((axis) => wanted.get(axis) ?? 0));
    if (onSides.flat().includes(-1)) return null;
    const [row, column] = [rows.find(onSides[0]), columns.find(onSides[1])];
    return Number.isInteger(row) && Number.isInteger(column) ? { row, column } : null;
  }
  return {
    tensor, rows, columns, index, layer, find,
    key: [...fixedPlaces].join(),
    value: (row, column) => tensor.values[at(row, column)],
    masked: (row, column) => tensor.hidden !== null && tensor.hidden[at(row, column)] !== 0,
  };
}

function siteOf(tensor, layer) { return tensor.sites[layer] ?? tensor.site.replace("{layer}", layer); }

/** Smallest, largest and most remarkable cell of what is shown and not masked, in all rows or in one; null when there is no number. */
function extremes(plane, only) {
  let low = Infinity, high = -Infinity, best = null, size = -1;
  for (let row = only ?? 0; row < (only === undefined ? plane.rows.count : only + 1); row++) for (let column = 0; column < plane.columns.count; column++) {
    const value = plane.value(row, column);
    if (Number.isNaN(value) || plane.masked(row, column)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
    const own = Math.abs(value);
    if (own > size) { size = own; best = { row, column }; }
  }
  return best && { low, high, ...best };
}

/** Axes whose places are tensors of their own. */
const APART = ["layer", "parameter"];
/** Such as 4·7×16: what the chooser holds still, then rows × columns; always the whole tensor, never the window. */
function shapeWords(plane) {
  const held = plane.tensor.axes.filter((axis) => !APART.includes(axis.name) && ![...plane.rows.names, ...plane.columns.names].includes(axis.name));
  return [...held.map((axis) => axis.size), panelShape(plane)].join("·");
}
function panelShape(plane) { return plane.rows.names.length ? `${plane.rows.size}×${plane.columns.size}` : String(plane.columns.size); }
