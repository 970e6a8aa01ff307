// The settings: temperature, top-k and top-p as sliders, the seed as a number.

/** Slider positions of top-k: each number up to 50, then ever fewer, the one in use, and last of all "off". */
function topKStops(limit, current) {
  const stops = new Set();
  for (let k = 1; k < limit; k += k < 50 ? 1 : k < 200 ? 10 : k < 1000 ? 100 : 1000) stops.add(k);
  if (current !== null) stops.add(current);
  return [...stops].sort((a, b) => a - b).concat(null);
}

function buildControls(view) {
  const { trace } = view;
  const limit = trace.vocabulary.length - trace.never.length;
  let stops = [], hottest = 2, least = 0.05, typing = false;
  const sliders = [
    slider("temperature", "Temperature", {
      range: ({ temperature }) => ({ min: 0, max: (hottest = Math.max(hottest, temperature)), step: 0.05, value: temperature }),
      read: (value) => Math.round(value * 100) / 100,
      say: ({ temperature }) => (temperature === 0 ? "0, greedy" : temperature.toFixed(2)),
    }),
    slider("top_k", "Top-k", {
      range: ({ top_k }) => {
        // The same stops all through a drag: a slider whose range moves would take the hand elsewhere.
        if (!stops.includes(top_k)) stops = topKStops(limit, top_k);
        return { min: 0, max: stops.length - 1, step: 1, value: stops.indexOf(top_k) };
      },
      read: (value) => stops[value],
      say: ({ top_k }) => (top_k === null ? `off, all ${formatCount(limit)}` : formatCount(top_k)),
    }),
    slider("top_p", "Top-p", {
      range: ({ top_p }) => ({ min: (least = Math.min(least, top_p)), max: 1, step: 0.01, value: top_p }),
      read: (value) => Math.round(value * 100) / 100,
      say: ({ top_p }) => (top_p === 1 ? "off, 1.00" : top_p.toFixed(2)),
    }),
  ];

  function slider(name, label, { range, read, say }) {
    const input = el("input", { type: "range", id: `setting-${name}` });
    const output = el("output", { for: `setting-${name}` });
    input.addEventListener("input", () => view.set({ [name]: read(Number(input.value)) }));
    input.addEventListener("change", () => view.settle());
    const node = el("div", { class: "setting" },
      el("label", { for: `setting-${name}`, text: label }), output, input);
    function refresh() {
      // Assigning attributes to a slider that is being dragged would take the pointer's value back.
      const { min, max, step, value } = range(view.state);
      if (Number(input.max) !== max || Number(input.min) !== min) Object.assign(input, { min, max, step });
      if (Number(input.value) !== value) input.value = value;
      input.style.setProperty("--played", `${(100 * (value - min)) / Math.max(step, max - min)}%`);
      setText(output, say(view.state));
      input.setAttribute("aria-valuetext", say(view.state));
    }
    return { node, refresh };
  }

  const seed = el("input", { type: "number", id: "setting-seed", min: 0, max: trace.max_seed, step: 1, inputmode: "numeric" });
  seed.addEventListener("input", () => (typing = true));
  seed.addEventListener("blur", () => { typing = false; step(); });
  seed.addEventListener("change", () => {
    typing = false;
    const value = Number(seed.value);
    if (Number.isInteger(value) && value >= 0 && value <= trace.max_seed) view.set({ seed: value });
    else seed.value = view.state.seed;
    view.settle();
  });
  const again = el("button", { type: "button", class: "plain", text: "Draw again" });
  again.title = "Take the next seed";
  again.addEventListener("click", () => { view.set({ seed: (view.state.seed + 1) % (trace.max_seed + 1) }); view.settle(); });
  const reset = el("button", { type: "button", class: "plain", text: "All off" });
  reset.title = "Temperature 1, neither top-k nor top-p: the model's own distribution";
  reset.addEventListener("click", () => { view.set({ temperature: 1, top_k: null, top_p: 1 }); view.settle(); });

  const node = el("div", { class: "settings", role: "group", "aria-label": "Settings of the sampling" },
    ...sliders.map((part) => part.node),
    el("div", { class: "setting seed" }, el("label", { for: "setting-seed", text: "Seed" }), seed, again, reset));

  function step() {
    sliders.forEach((part) => part.refresh());
    if (!typing && seed.value !== String(view.state.seed)) seed.value = view.state.seed;
  }
  return { node, step };
}
