// Made from planes.ts by "make browser".
function makeTensor(name, entry, arrays) {
  const axes = entry.axes.map((axis2) => ({ ...axis2, shown: axis2.places ? axis2.places.length : axis2.size, stride: 1 }));
  axes.reduceRight((stride, axis2) => {
    axis2.stride = stride;
    return stride * axis2.shown;
  }, 1);
  const values = arrays[`${name}/values`], hidden = arrays[`${name}/hidden`] ?? null;
  const covered = arrays[`${name}/covered`] ?? null;
  const axis = (wanted) => axes.find((each) => each.name === wanted);
  return { ...entry, name, axes, values, hidden, covered, axis };
}
function wholePlace(axis, place) {
  return axis.places ? axis.places[place] : place;
}
function shownPlace(axis, number) {
  if (axis.places) return axis.places.indexOf(number);
  return number < axis.size ? number : -1;
}
const NAMED = ["sentence"];
function placeLabel(axis, place) {
  return axis.labels.length ? (NAMED.includes(axis.name) ? visibleText : visible)(axis.labels[place]) : String(wholePlace(axis, place));
}
function placeWords(axis, place) {
  if (!axis.labels.length) return `${axis.name} ${wholePlace(axis, place)}`;
  const token = placeLabel(axis, place);
  return axis.writes.length ? `reads ${clip(token, 24)} → writes ${clip(visible(axis.writes[place]), 24)}` : clip(token, 40);
}
function makeSide(tensor, names, step) {
  const axes = names.map((name) => tensor.axis(name));
  const total = axes.reduce((product, axis) => product * axis.shown, 1), count = Math.ceil(total / step);
  function places(i) {
    let rest = i * step;
    const found = [];
    for (const axis of [...axes].reverse()) {
      found.unshift(rest % axis.shown);
      rest = Math.floor(rest / axis.shown);
    }
    return found;
  }
  const offsets = Int32Array.from({ length: count }, (_, i) => places(i).reduce((sum, place, k) => sum + place * axes[k].stride, 0));
  const parts = (i, write) => places(i).map((place, k) => write(axes[k], place)).join(" · ");
  const words = (i) => parts(i, placeWords), label = (i) => parts(i, placeLabel);
  const isWritten = axes.length === 1 && axes[0].writes.length > 0;
  return {
    axes,
    names,
    count,
    offsets,
    places,
    total,
    step,
    size: axes.reduce((product, axis) => product * axis.size, 1),
    side: axes.map((axis) => axis.side).find(Boolean) ?? "",
    numeric: axes.every((axis) => !axis.labels.length),
    label,
    words,
    /** What a row of the decoder writes; null where nothing is written. */
    writes: isWritten ? (i) => visible(axes[0].writes[places(i)[0]]) : null,
    /** What a table calls it: beside many columns the other end is out of sight. */
    heading: (i) => isWritten ? words(i) : clip(label(i), 24),
    /** The row or column of a shown place on every axis. */
    find: (wanted) => axes.reduce((at, axis, k) => at * axis.shown + wanted[k], 0) / step
  };
}
const MOST_CELLS = 6e3;
function makePlane(tensor, panel, placeOf) {
  const thin = (names) => Math.ceil(names.reduce((product, name) => product * tensor.axis(name).shown, 1) / MOST_CELLS);
  const rows = makeSide(tensor, panel.rows, thin(panel.rows)), columns = makeSide(tensor, panel.columns, thin(panel.columns));
  const others = tensor.axes.filter((axis) => !panel.rows.includes(axis.name) && !panel.columns.includes(axis.name));
  const fixedPlaces = new Map(others.map((axis) => [axis.name, Math.max(0, shownPlace(axis, placeOf(axis.name)))]));
  const base = others.reduce((sum, axis) => sum + fixedPlaces.get(axis.name) * axis.stride, 0);
  const at = (row, column) => base + rows.offsets[row] + columns.offsets[column];
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
  function find(cell) {
    if (!cell || !tensor.lead.every((number, k) => cell.index[k] === number)) return null;
    if (cell.index.length !== tensor.lead.length + tensor.index.length) return null;
    const wanted = shownPlaces(tensor, cell.index.slice(tensor.lead.length)), stack = tensor.axis("layer");
    if (stack) wanted.set("layer", range(stack.shown).findIndex((i) => siteOf(tensor, wholePlace(stack, i)) === cell.site));
    else if (tensor.site !== cell.site) return null;
    for (const [axis, place] of fixedPlaces) if ((wanted.get(axis) ?? place) !== place) return null;
    const onSides = [rows, columns].map((side) => side.names.map((axis) => wanted.get(axis) ?? 0));
    if (onSides.flat().includes(-1)) return null;
    const [row, column] = [rows.find(onSides[0]), columns.find(onSides[1])];
    return Number.isInteger(row) && Number.isInteger(column) ? { row, column } : null;
  }
  return {
    tensor,
    rows,
    columns,
    index,
    layer,
    find,
    key: [...fixedPlaces].join(),
    value: (row, column) => tensor.values[at(row, column)],
    masked: (row, column) => tensor.hidden !== null && tensor.hidden[at(row, column)] !== 0,
    /** Whether a number is not here before a question is answered. */
    covered: (row, column) => tensor.covered !== null && tensor.covered[at(row, column)] !== 0
  };
}
function shownPlaces(tensor, index) {
  const found = /* @__PURE__ */ new Map();
  index.forEach((number, k) => {
    for (const name of [...tensor.index[k]].reverse()) {
      const axis = tensor.axis(name);
      found.set(name, shownPlace(axis, number % axis.size));
      number = Math.floor(number / axis.size);
    }
  });
  return found;
}
function range(count) {
  return Array.from({ length: count }, (_, i) => i);
}
function siteOf(tensor, layer) {
  return tensor.sites[layer ?? -1] ?? tensor.site.replace("{layer}", String(layer));
}
function extremes(plane, rows = range(plane.rows.count), columns = range(plane.columns.count)) {
  let low = Infinity, high = -Infinity, best = null, size = -1;
  for (const row of rows) {
    for (const column of columns) {
      const value = plane.value(row, column);
      if (Number.isNaN(value) || plane.masked(row, column) || plane.covered(row, column)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
      if (Math.abs(value) > size) {
        size = Math.abs(value);
        best = { row, column };
      }
    }
  }
  return best && { low, high, ...best };
}
const APART = ["layer", "parameter"];
function shapeWords(plane) {
  const held = plane.tensor.axes.filter((axis) => !APART.includes(axis.name) && ![...plane.rows.names, ...plane.columns.names].includes(axis.name));
  return [...held.map((axis) => axis.size), panelShape(plane)].join("·");
}
function panelShape(plane) {
  return plane.rows.names.length ? `${plane.rows.size}×${plane.columns.size}` : String(plane.columns.size);
}
function limitOf(sizes, share) {
  if (!sizes.length) return 0;
  return sizes[Math.min(sizes.length - 1, Math.max(0, Math.ceil(share * sizes.length) - 1))];
}
function sortedSizes(tensor, layer = 0) {
  tensor.sorted ??= /* @__PURE__ */ new Map();
  let sizes = tensor.sorted.get(layer);
  if (!sizes) tensor.sorted.set(layer, sizes = sizesOf(tensor, layer).sort());
  return sizes;
}
function sizesOf(tensor, layer) {
  const stack = tensor.axis("layer"), own = stack ? Math.max(0, shownPlace(stack, layer)) : 0;
  const length = stack ? tensor.values.length / stack.shown : tensor.values.length;
  const isWhole = stack && tensor.axes[0] !== stack, start = isWhole ? 0 : own * length, end = isWhole ? tensor.values.length : start + length;
  const kept = new Float32Array(end - start);
  let count = 0;
  for (let i = start; i < end; i++) {
    const value = tensor.values[i];
    if (Number.isFinite(value) && !tensor.hidden?.[i] && !tensor.covered?.[i]) kept[count++] = Math.abs(value);
  }
  return kept.subarray(0, count);
}
