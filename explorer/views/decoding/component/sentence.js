// The lead sentence, the chips with their links, the step track and the player.

function buildLead(view) {
  const start = el("span"), written = el("b"), middle = el("span"), read = el("b"), end = el("span");
  const node = el("p", { class: "lead" }, start, written, middle, read, end);
  function step() {
    const { trace, state, plane } = view, t = state.step, last = t === trace.steps - 1;
    const peak = plane.byStep ? view.peak(t) : -1;
    setText(start, `At step ${t} the decoder has written ${t ? "" : "nothing yet"}`);
    setText(written, t ? trace.written[t] : "");
    const which = `${t ? "next" : "first"} ${trace.unit}`, isForced = trace.isForced(t);
    const next = isForced ? `has its ${which} forced` : `chooses the ${which}`;
    const ends = isForced ? "has the end mark forced" : "ends it with the end mark";
    const does = !last ? next : trace.ended ? ends : `${next}; there the limit stops it`;
    setText(middle, ` and ${does}.${peak < 0 ? "" : " Its largest weight is on "}`);
    setText(read, peak < 0 ? "" : clip(plane.columns[peak], 32));
    setText(end, peak < 0 ? "" : ` (${fixed(view.weight(t, peak), 2)}).`);
  }
  return { node, step, matrix: step };
}

function buildChip(token, side, index) {
  const word = el("span", { class: "word", text: token });
  // The hidden bold copy keeps the chip's width when its word turns bold.
  const bold = el("span", { class: "bold", text: token, "aria-hidden": "true" });
  const box = el("span", { class: "box", title: token }, word, bold);
  const bar = el("i", { class: "bar" }), number = el("em");
  box.append(bar);
  // One chip of each side is a tab stop. A click on an output chip goes to its step.
  const hold = el("button", { type: "button", class: "hold", tabindex: index ? "-1" : "0" }, box, number);
  return { node: el("li", { class: `chip ${side}`, "data-index": index }, hold), bar, number, hold, weight: null };
}

function buildSentence(view) {
  const { trace } = view;
  const chips = { source: trace.source.map((token, j) => buildChip(token, "source", j)),
                  target: trace.output.map((token, t) => buildChip(token, "target", t)) };
  const list = (side, label) => el("ol", { class: `chips ${side}`, "aria-label": label }, ...chips[side].map((chip) => chip.node));
  const lists = { source: list("source", "Source tokens"), target: list("target", "Output tokens") };
  const who = (side, title, name) => el("div", { class: `who ${side}` }, words("b", title), words("span", name));
  const links = buildLinks(view), track = buildTrack(view), player = buildPlayer(view);
  const node = el("section", { class: "card sentence", "aria-label": "Sentence and player" },
    el("div", { class: "rows-of-tokens" },
      who("source", "Source", trace.source_name), lists.source, links.node,
      who("target", "Output", trace.target_name), lists.target, track.node),
    player.node);

  const indexOf = (event) => {
    const chip = event.target.closest(".chip");
    return chip ? Number(chip.dataset.index) : null;
  };
  lists.target.addEventListener("click", (event) => { const t = indexOf(event); if (t !== null) view.go(t); });
  /** What a chip is in the matrix: the row that it reads with, the column that it is read in, or both. */
  function places(side, index) {
    const { plane } = view, place = {};
    if (side === "target" && index > view.state.step) return null;
    if (side === plane.rowSide) place.row = index;
    if (side === plane.columnSide) place.column = plane.columnOf(index);
    return place.row === undefined && place.column === undefined ? null : place;
  }
  for (const side of ["source", "target"]) {
    const light = (event) => {
      const index = indexOf(event);
      view.hover(index === null ? null : places(side, index));
    };
    lists[side].addEventListener("pointerover", light);
    lists[side].addEventListener("focusin", light);
    lists[side].addEventListener("pointerleave", () => view.hover(null));
    lists[side].addEventListener("focusout", () => view.hover(null));
  }
  /** Moves the focus along the source chips. */
  function move(target, key) {
    const now = chips.source.findIndex((chip) => chip.hold === target), end = trace.positions - 1;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: end }[key];
    if (now < 0 || next === undefined) return null;
    return () => {
      chips.source.forEach((chip, j) => (chip.hold.tabIndex = j === within(next, end) ? 0 : -1));
      chips.source[within(next, end)].hold.focus();
    };
  }
  const focusNow = () => chips.target[view.state.step].hold.focus({ preventScroll: true });

  function weights() {
    const { plane } = view, { hover: seen } = view.state, row = view.shownRow();
    const light = { source: {}, target: {} }, bars = { source: {}, target: {} };
    const asked = seen && !seen.cell ? seen.column : undefined;
    for (let t = 0; t < view.rowsSeen(); t++) {
      // What attends to a chip: the rows that put their largest weight on its column.
      if (seen?.row === t || (asked !== undefined && view.peak(t) === asked)) light[plane.rowSide][t] = true;
    }
    for (let j = 0; j < plane.width; j++) {
      if (plane.chipOf(j) < 0 || plane.masked(row, j)) continue;
      bars[plane.columnSide][plane.chipOf(j)] = view.weight(row, j);
      if (seen?.column === j) light[plane.columnSide][plane.chipOf(j)] = true;
    }
    for (const side of ["source", "target"]) chips[side].forEach((chip, i) => {
      const weight = bars[side][i];
      if (side === "source") setText(chip.number, weight === undefined ? "" : fixed(weight, 2));
      if (chip.weight !== weight) chip.bar.style.transform = `scaleX(${Math.min(1, Math.max(0, weight)) || 0})`;
      chip.weight = weight;
      chip.node.classList.toggle("hot", weight >= 0.3);
      chip.node.classList.toggle("lit", light[side][i] === true);
    });
    links.draw(row);
  }
  function step() {
    const now = view.state.step;
    chips.target.forEach((chip, t) => {
      chip.node.classList.toggle("now", t === now);
      chip.node.classList.toggle("later", t > now);
      setText(chip.number, t > now ? "" : formatProbability(trace.probability(t)));
      chip.hold.tabIndex = t === now ? 0 : -1;
      if (t === now) chip.hold.setAttribute("aria-current", "step");
      else chip.hold.removeAttribute("aria-current");
    });
    // The focus goes with the step when it is on the chip of one.
    if (lists.target.contains(lists.target.getRootNode().activeElement)) focusNow();
    if (view.size.chips === "flow") sight.show(now);
    weights();
    track.step();
    player.step();
  }
  const sight = keepInSight(lists.target, chips.target.map((chip) => chip.node));
  chips.target.forEach((chip, t) => {
    chip.node.classList.toggle("forced", trace.isForced(t));
    if (trace.isForced(t)) chip.hold.append(words("span", " forced", "unseen"));
  });
  function layout() {
    node.style.setProperty("--columns", view.size.columns);
    track.layout();
    if (view.size.chips === "flow") sight.measure();
    step();
  }
  return { node, step, matrix: weights, hover: weights, layout, playing: player.playing, move, focusNow };
}

/** Scrolls a list, never the page, to a chip. Places are measured ahead: asking in a step would force a layout. */
function keepInSight(list, nodes) {
  let places = [], height = 0, scrolls = false, top = 0;
  list.addEventListener("scroll", () => (top = list.scrollTop), { passive: true });
  function measure() {
    height = list.clientHeight;
    scrolls = list.scrollHeight > height;
    top = list.scrollTop;
    places = scrolls ? nodes.map((node) => [node.offsetTop, node.offsetTop + node.offsetHeight]) : [];
  }
  function show(index) {
    if (!scrolls) return;
    const [start, end] = places[index];
    if (start < top) list.scrollTop = top = start;
    else if (end > top + height) list.scrollTop = top = end - height;
  }
  return { measure, show };
}

// The links live in their own row between the chips, in thousandths of its width: no measuring, no redraw on resize.
function buildLinks(view) {
  const height = 58, count = view.trace.positions;
  const paths = Array.from({ length: count }, () => svg("path", { "vector-effect": "non-scaling-stroke" }));
  const box = { class: "links", viewBox: `0 0 1000 ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const node = svg("svg", box, ...paths);
  const glides = CSS.supports("d", 'path("M0 0")');
  function draw(row) {
    if (view.size.chips !== "grid") return;
    // Links join the two rows of chips, which only cross-attention does.
    node.classList.toggle("idle", view.plane !== view.trace.planes.cross);
    if (view.plane !== view.trace.planes.cross) return;
    const at = (i) => Math.round((1000 * (i + 0.5)) / view.size.columns);
    paths.forEach((path, j) => {
      const weight = view.weight(row, j), shown = weight >= 0.005;
      const stroke = 1 + 8 * Math.min(1, weight || 0), top = 4 + stroke / 2;
      const shape = `M${at(row)} ${height - 3}C${at(row)} 26 ${at(j)} 34 ${at(j)} ${top.toFixed(1)}`;
      if (glides) path.style.setProperty("d", `path("${shape}")`);
      else path.setAttribute("d", shape);
      path.style.strokeWidth = stroke;
      path.style.opacity = shown ? Math.min(1, 0.4 + weight * 1.8) : 0;
      path.classList.toggle("strong", weight >= 0.3);
    });
  }
  return { node, draw };
}

function buildTrack(view) {
  const { trace } = view;
  const played = el("i", { class: "played" }), knob = el("i", { class: "knob" }), rail = el("i", { class: "rail" });
  const dots = trace.output.map(() => el("i", { class: "dot" }));
  const node = el("div", { class: "track", role: "slider", tabindex: "0", "aria-label": "Decoding step", "aria-valuemin": 0,
    "aria-valuemax": trace.steps - 1 }, rail, played, ...dots, knob);
  if (trace.steps > 30) node.classList.add("dense");

  // In the grid a dot stands under its chip; when chips flow, the dots spread over the whole width.
  const place = (t) => {
    if (view.size.chips === "grid") return (t + 0.5) / view.size.columns;
    return trace.steps > 1 ? 0.01 + (0.98 * t) / (trace.steps - 1) : 0.5;
  };
  function follow(event) {
    const box = node.getBoundingClientRect(), x = (event.clientX - box.left) / box.width;
    let nearest = 0;
    for (let t = 1; t < trace.steps; t++) if (Math.abs(place(t) - x) < Math.abs(place(nearest) - x)) nearest = t;
    if (nearest !== view.state.step || view.state.playing) view.go(nearest);
  }
  node.addEventListener("pointerdown", (event) => { node.setPointerCapture(event.pointerId); follow(event); });
  node.addEventListener("pointermove", (event) => { if (node.hasPointerCapture(event.pointerId)) follow(event); });

  // Transforms only: they glide without a new layout. In shares of the track's width, so that nobody has to ask for it.
  const slide = (item, t) => (item.style.transform = `translateX(${(place(t) * 100).toFixed(3)}cqw)`);
  function layout() {
    dots.forEach(slide);
    for (const line of [rail, played]) line.style.left = `${place(0) * 100}%`;
    for (const line of [rail, played]) line.style.width = `${(place(trace.steps - 1) - place(0)) * 100}%`;
  }
  function step() {
    const t = view.state.step;
    slide(knob, t);
    played.style.transform = `scaleX(${trace.steps > 1 ? t / (trace.steps - 1) : 0})`;
    dots.forEach((dot, i) => dot.classList.toggle("past", i <= t));
    node.setAttribute("aria-valuenow", t);
    node.setAttribute("aria-valuetext", `step ${t}, ${trace.output[t]}`);
  }
  return { node, layout, step };
}

const ICONS = {
  first: "M3 2v10M12 2 5.5 7 12 12Z", back: "M10.5 2 3.5 7l7 5Z", play: "M4 2l8 5-8 5Z", pause: "M4.5 2.5v9M9.5 2.5v9",
  forward: "M3.5 2l7 5-7 5Z", last: "M11 2v10M2 2l6.5 5L2 12Z",
};

function buildPlayer(view) {
  const { trace } = view;
  const icon = (name) => svg("svg", { viewBox: "0 0 14 14", "aria-hidden": "true", class: name }, svg("path", { d: ICONS[name] }));
  const button = (name, label, act) => {
    const node = el("button", { type: "button", class: `button ${name}`, "aria-label": label, title: label }, icon(name));
    node.addEventListener("click", act);
    return node;
  };
  const first = button("first", "First step", () => view.go(0));
  const back = button("back", "Step back", () => view.go(view.state.step - 1));
  const play = button("play", "Play", () => view.toggle());
  play.append(icon("pause"));
  const forward = button("forward", "Step forward", () => view.go(view.state.step + 1));
  const last = button("last", "Last step", () => view.go(trace.steps - 1));
  const speeds = [["½×", 0.5], ["1×", 1], ["2×", 2]].map(([label, speed]) => {
    const node = el("button", { type: "button", text: label, "aria-label": `Speed ${label}` });
    node.addEventListener("click", () => view.setSpeed(speed));
    return { node, speed };
  });
  const hint = (does, ...keys) => [...keys.map((key) => words("kbd", key)), words("span", does)];
  // The arrows act as soon as the page is open, the others once the view has the focus.
  const keys = el("span", { class: "keys", "aria-hidden": "true" },
    ...hint("step", "←", "→"), el("span", { class: "focused" }, ...hint("ends", "Home", "End"), ...hint("play", "Space")));
  const stepText = el("b"), ofText = el("span"), total = el("b");
  const widest = `Step ${trace.steps - 1}, ${trace.steps} of ${trace.steps} tokens`.length;
  const place = el("span", { class: "place", style: `min-width:${(widest * 0.5).toFixed(1)}em` }, stepText, ofText);
  const node = el("div", { class: "player", role: "group", "aria-label": "Player" },
    el("div", { class: "buttons" }, first, back, play, forward, last),
    el("div", { class: "segments", role: "group", "aria-label": "Speed" }, ...speeds.map((s) => s.node)),
    keys,
    el("div", { class: "where" }, place, el("span", {}, "log P so far ", total)));

  function playing() {
    const on = view.state.playing;
    play.classList.toggle("on", on);
    play.setAttribute("aria-label", on ? "Pause" : "Play");
    play.title = on ? "Pause" : "Play";
    for (const { node: segment, speed } of speeds) segment.setAttribute("aria-pressed", view.state.speed === speed);
  }
  function step() {
    const t = view.state.step, end = trace.steps - 1;
    setText(stepText, `Step ${t}`);
    setText(ofText, `, ${t + 1} of ${plural(trace.steps, "token")}`);
    setText(total, fixed(trace.totals[t], 3));
    // aria-disabled, not disabled: a button that loses its focus would take the keyboard away with it.
    for (const node of [first, back]) node.setAttribute("aria-disabled", t === 0);
    for (const node of [forward, last]) node.setAttribute("aria-disabled", t === end);
  }
  play.setAttribute("aria-disabled", trace.steps === 1);
  playing();
  return { node, step, playing };
}
