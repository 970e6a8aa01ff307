// The lead sentence, the chips with their links, the step track and the player.

function buildLead(view) {
  const start = el("span"), written = el("b"), middle = el("span"), read = el("b"), end = el("span");
  const node = el("p", { class: "lead" }, start, written, middle, read, end);
  function step() {
    const { trace, state } = view, t = state.step, peak = view.peak(t), last = t === trace.steps - 1;
    setText(start, `At step ${t} the decoder has written ${t ? "" : "nothing yet"}`);
    setText(written, t ? trace.written[t] : "");
    const next = `chooses the ${t ? "next" : "first"} ${trace.unit}`;
    const does = !last ? next : trace.ended ? "ends it with the end mark" : `${next}; there the limit stops it`;
    setText(middle, ` and ${does}.${peak < 0 ? "" : " Its largest weight is on "}`);
    setText(read, peak < 0 ? "" : clip(trace.source[peak], 32));
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
  if (side === "source") box.append(bar);
  // A click on an output chip goes to its step; the track offers the same to the keyboard, so chips are no tab stops.
  const hold = el(side === "source" ? "span" : "button", { class: "hold" });
  if (side === "target") Object.assign(hold, { type: "button", tabIndex: -1 });
  hold.append(box, number);
  return { node: el("li", { class: `chip ${side}`, "data-index": index }, hold), bar, number, hold };
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
  for (const [side, axis] of [["source", "column"], ["target", "row"]]) {
    lists[side].addEventListener("pointerover", (event) => {
      const index = indexOf(event);
      const hidden = side === "target" && index > view.state.step;
      view.hover(index === null || hidden ? null : { [axis]: index });
    });
    lists[side].addEventListener("pointerleave", () => view.hover(null));
  }

  function weights() {
    const row = view.shownRow(), seen = view.state.hover, now = view.state.step;
    const asked = seen && seen.row === undefined ? seen.column : undefined;
    chips.source.forEach((chip, j) => {
      const weight = view.weight(row, j);
      setText(chip.number, fixed(weight, 2));
      if (view.size.chips === "flow") chip.bar.style.transform = `scaleX(${Math.min(1, Math.max(0, weight)) || 0})`;
      chip.node.classList.toggle("hot", weight >= 0.3);
      chip.node.classList.toggle("lit", seen?.column === j);
    });
    chips.target.forEach((chip, t) => {
      const reads = asked !== undefined && t <= now && view.peak(t) === asked;
      chip.node.classList.toggle("lit", seen?.row === t || reads);
    });
    links.draw(row);
  }
  function step() {
    const now = view.state.step;
    chips.target.forEach((chip, t) => {
      chip.node.classList.toggle("now", t === now);
      chip.node.classList.toggle("later", t > now);
      setText(chip.number, t > now ? "" : formatProbability(trace.probability(t)));
      if (t === now) chip.hold.setAttribute("aria-current", "step");
      else chip.hold.removeAttribute("aria-current");
    });
    if (view.size.chips === "flow") sight.show(now);
    weights();
    track.step();
    player.step();
  }
  const sight = keepInSight(lists.target, chips.target.map((chip) => chip.node));
  function layout() {
    node.style.setProperty("--columns", view.size.columns);
    track.layout();
    sight.measure();
    step();
  }
  return { node, step, matrix: weights, hover: weights, layout, playing: player.playing };
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
  let width = 0;
  function follow(event) {
    const box = node.getBoundingClientRect(), x = (event.clientX - box.left) / box.width;
    let nearest = 0;
    for (let t = 1; t < trace.steps; t++) if (Math.abs(place(t) - x) < Math.abs(place(nearest) - x)) nearest = t;
    if (nearest !== view.state.step || view.state.playing) view.go(nearest);
  }
  node.addEventListener("pointerdown", (event) => { node.setPointerCapture(event.pointerId); follow(event); });
  node.addEventListener("pointermove", (event) => { if (node.hasPointerCapture(event.pointerId)) follow(event); });

  // Transforms only: they glide without a new layout.
  const slide = (item, t) => (item.style.transform = `translateX(${(place(t) * width).toFixed(1)}px)`);
  function layout() {
    width = node.clientWidth;
    dots.forEach(slide);
    for (const line of [rail, played]) line.style.left = `${place(0) * width}px`;
    for (const line of [rail, played]) line.style.width = `${(place(trace.steps - 1) - place(0)) * width}px`;
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
