// The strip of stages, and the choice of layer and head.

/** A tab for each stage, with the shape of what it computes in its tip; where a row is too short for all, they go on in the next. */
function buildTabs(view) {
  const tabs = view.stages.map((stage) => {
    const panel = resultOf(stage);
    const plane = makePlane(view.tensors[panel.tensor], panel, view.placeOf);
    const node = el("button", { type: "button", role: "tab", id: `tab-${stage.key}`, "aria-controls": "stage", "data-focus": `tab:${stage.key}` },
      mathWords("b", stage.title));
    node.title = shapeWords(plane);
    node.addEventListener("click", () => view.open(stage.key));
    return { stage, node };
  });
  const node = el("div", { class: "stages", role: "tablist", "aria-label": "Stages" }, ...tabs.map((tab) => tab.node));
  node.addEventListener("keydown", (event) => {
    const at = tabs.findIndex((tab) => tab.node === event.target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(to + tabs.length) % tabs.length];
    view.open(next.stage.key);
    next.node.focus();
  });
  function update() {
    for (const { stage, node: tab } of tabs) {
      const on = stage.key === view.state.stage;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
    }
  }
  return { node, update };
}

function resultOf(stage) { return stage.panels[stage.kind === "product" ? 2 : stage.panels.length - 1]; }
/** Whether a panel shows one place of this axis only. */
function holds(view, panel, axis) {
  return view.tensors[panel.tensor].axis(axis) !== undefined && !panel.rows.includes(axis) && !panel.columns.includes(axis);
}

const MOST_SEGMENTS = 12, THUMBNAIL = 62;

/** The choosers of a stage: those that its panels follow, and those that Python alone follows. */
function buildChoosers(view, stage) {
  const followed = (chooser) => stage.panels.some((panel) => holds(view, panel, chooser.axis))
    || !view.stages.some((each) => each.panels.some((panel) => holds(view, panel, chooser.axis)));
  const offered = view.choosers.filter((chooser) => chooser.options.length > 1 && followed(chooser));
  const parts = offered.map((chooser) => {
    if (chooser.axis === "head" && chooser.local && holds(view, resultOf(stage), "head")) return buildThumbnails(view, stage, chooser);
    return chooser.options.length > MOST_SEGMENTS ? buildList(view, chooser) : buildSegments(view, chooser);
  });
  return {
    node: el("div", { class: "choosers" }, ...parts.map((part) => part.node)),
    draw: (scale) => parts.forEach((part) => part.draw?.(scale)),
    update: () => parts.forEach((part) => part.update()),
    has: (axis) => offered.some((chooser) => chooser.axis === axis),
  };
}
/** A phrase as it is; a token with what is invisible in it. */
function optionText(option) {
  const text = visible(option);
  return option.trim() === option ? text.replaceAll("␣", " ") : text;
}
function optionWords(chooser, place) {
  // A and B are names, whatever comes after them.
  const text = optionText(chooser.options[place]), label = /^[AB] /.test(chooser.label) ? chooser.label : chooser.label.toLowerCase();
  return text.toLowerCase().startsWith(label) ? text : `${label} ${text}`;
}
function buildSegments(view, chooser) {
  const buttons = chooser.options.map((option, place) => {
    const node = el("button", { type: "button", text: optionText(option), "aria-label": optionWords(chooser, place), "data-focus": `${chooser.axis}:${place}` });
    node.addEventListener("click", () => view.choose(chooser.axis, place));
    return node;
  });
  const node = el("div", { class: "chooser" }, words("span", chooser.label, "chooser-name"),
    el("div", { class: "segments", role: "group", "aria-label": chooser.label }, ...buttons));
  return { node, update: () => buttons.forEach((button, place) => button.setAttribute("aria-pressed", place === view.state.choices[chooser.axis])) };
}
function buildList(view, chooser) {
  const select = el("select", { "data-focus": `${chooser.axis}:list` }, ...chooser.options.map((option, place) => el("option", { value: place, text: optionText(option) })));
  select.addEventListener("change", () => view.choose(chooser.axis, Number(select.value)));
  const node = el("label", { class: "chooser" }, words("span", chooser.label, "chooser-name"), select);
  return { node, update: () => { select.value = view.state.choices[chooser.axis]; } };
}

/** The stage's result once for each head, all on the scale of the large one. */
function buildThumbnails(view, stage, chooser) {
  const panel = resultOf(stage), tensor = view.tensors[panel.tensor];
  const thumbs = chooser.options.map((option, place) => {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const button = el("button", { type: "button", class: "thumb", "aria-label": optionWords(chooser, place), "data-focus": `${chooser.axis}:${place}` },
      el("span", { class: "paper" }, canvas), words("span", optionWords(chooser, place), "short"));
    button.addEventListener("click", () => view.choose(chooser.axis, place));
    return { button, canvas, place };
  });
  const node = el("div", { class: "thumbs", role: "group", "aria-label": chooser.label }, ...thumbs.map((thumb) => thumb.button));
  let drawn = "";
  function draw(scale) {
    const planes = thumbs.map(({ place }) => makePlane(tensor, panel, (axis) => (axis === chooser.axis ? place : view.placeOf(axis))));
    // Another head is another frame, not another picture.
    const now = [planes[0].key, view.look.bg, scale.limit, view.message].join();
    if (now === drawn) return;
    drawn = now;
    const { rows, columns } = planes[0], longest = Math.max(rows.count, columns.count);
    const cell = longest <= 8 ? Math.min(9, Math.max(7, Math.floor(THUMBNAIL / longest))) : THUMBNAIL / longest;
    const width = Math.max(10, Math.round(columns.count * cell)), height = Math.max(10, Math.round(rows.count * cell));
    thumbs.forEach(({ canvas }, k) => {
      const { context, ratio } = prepareCanvas(canvas, width, height);
      const hatched = planes[k].tensor.hidden || scale.kind === "mask";
      if (hatched) cellPainter(context, view.look, ratio, scale).masked(0, 0, canvas.width, canvas.height);
      context.imageSmoothingEnabled = false;
      context.drawImage(pixelSheet(view.look, scale, rows.count, columns.count, planes[k].value, planes[k].masked), 0, 0, canvas.width, canvas.height);
    });
  }
  return { node, draw, update: () => thumbs.forEach(({ button, place }) => button.setAttribute("aria-pressed", place === view.state.choices[chooser.axis])) };
}
