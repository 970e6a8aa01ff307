// How the numbers of a stage become colours: one scale for each group of panels, and its legend.

/** Whether a scale ends at the largest number that there is, and not at 1. */
function isLimited(kind) { return kind === "signed" || kind === "size"; }
function isWhole(tensor) { return tensor.dtype === "int64"; }
function wholeNumber(value) { return fixed(value, 0); }

/** The scale of every panel of a stage; signed panels, or sizes, of one group share theirs. */
function makeScales(view, stage, planes) {
  const layer = view.placeOf("layer"), groups = new Map();
  planes.forEach((plane, k) => {
    const { scale } = plane.tensor, name = isLimited(scale) ? `${scale}/${stage.panels[k].group || k}` : scale;
    if (!groups.has(name)) groups.set(name, { kind: scale, members: [] });
    groups.get(name).members.push(k);
  });
  const all = [...groups.values()].map(({ kind, members }) => {
    if (!isLimited(kind)) return { scale: kind === "mask" ? MASK : WEIGHTS, members, differs: false };
    const sizes = members.map((k) => sortedSizes(planes[k].tensor, layer));
    const full = Math.max(...sizes.map((each) => limitOf(each, 1)));
    const robust = Math.max(...sizes.map((each) => limitOf(each, 0.99)));
    const differs = robust > 0 && robust < 0.8 * full;
    const scale = (kind === "size" ? sizeScale : signedScale)(view.state.robust && differs ? robust : full);
    const whole = members.every((k) => isWhole(planes[k].tensor));
    return { scale: whole ? { ...scale, whole, write: wholeNumber } : scale, members, differs };
  });
  const of = planes.map((_, k) => all.find((group) => group.members.includes(k)).scale);
  return { all, of, differs: all.some((group) => group.differs) };
}

/** The legend of one scale: a bar, what its ends mean, and what lies beyond them. */
function legendOf({ scale, members }, stage, planes) {
  // Of a title such as Q queries the symbol is enough.
  const titles = members.map((k) => stage.panels[k].title.replace(/^([A-Za-zα-ω](?:_\w+|ᵀ)?) (?!−).*/, "$1"));
  const about = planes.length > members.length ? [mathWords("span", titles.join(", "), "about")] : [];
  const note = words("span", "", "beyond");
  const node = el("div", { class: `legend ${scale.kind}`, "aria-hidden": "true" }, el("i"));
  if (scale.kind === "mask") node.append(words("span", "yes"), el("i", { class: "hatched" }), words("span", "no"));
  else {
    const end = endOf(scale), signed = scale.kind === "signed";
    node.append(words("span", !signed || end === "0" ? "0" : `−${end}`),
      words("span", signed ? "0" : scale.kind === "weight" ? "weight" : ""), words("span", end));
  }
  setText(note, oddities(scale, members.map((k) => planes[k])));
  node.append(...about, note);
  return node;
}
/** The number at the end of the colours. */
function endOf(scale) { return scale.kind === "weight" ? "1" : scale.whole ? wholeNumber(scale.limit) : formatLimit(scale.limit ?? 0); }
function formatLimit(limit) { return limit === 0 ? "0" : limit >= 0.1 && limit < 9999 ? fixed(limit, limit < 10 ? 2 : 1) : formatSigned(limit); }

function oddities(scale, planes) {
  let beyond = 0, broken = 0, masked = 0;
  for (const plane of planes) for (let row = 0; row < plane.rows.count; row++) for (let column = 0; column < plane.columns.count; column++) {
    const value = plane.value(row, column);
    if (plane.masked(row, column)) masked++;
    else if (Number.isNaN(value)) broken++;
    else if (scale.beyond(value)) beyond++;
  }
  const range = scale.kind === "signed" ? `±${endOf(scale)}` : `0 to ${endOf(scale)}`;
  return [
    beyond && `${plural(beyond, "value")} beyond ${range}`, broken && `${formatCount(broken)} not a number (×)`,
    masked && `${formatCount(masked)} masked (hatched)`,
  ].filter(Boolean).join(", ");
}

function formatNumber(tensor, value) {
  if (isWhole(tensor)) return wholeNumber(value);
  return tensor.scale === "weight" ? fixed(value, 4) : formatSigned(value);
}
/** The same of a cell, in words where it is a mask or masked. */
function formatValue(plane, row, column) {
  if (plane.masked(row, column)) return "masked";
  const value = plane.value(row, column);
  if (plane.tensor.scale === "mask") return value ? "yes" : "no";
  return formatNumber(plane.tensor, value);
}
