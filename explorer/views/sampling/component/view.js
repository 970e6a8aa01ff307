// Made from view.ts by "make browser".
// explorer/browser/shared/report.ts
function reportAfter(last) {
  return Math.max(last + 1, Date.now());
}

// explorer/browser/shared/choices.ts
function makeChoices(same) {
  const told = /* @__PURE__ */ new Map();
  let known = null, said = null, report = 0;
  const knownAt = (named) => told.get(named) ?? said;
  return {
    get report() {
      return report;
    },
    isKnown: (choice) => known !== null && same(choice, known),
    tell(choice) {
      known = choice ?? known;
      told.set(report = reportAfter(report), known);
      return report;
    },
    knownAt,
    hear(choice, named, { fresh, possible, pending, alike = same }) {
      const before = knownAt(named);
      const keeps = fresh && possible && before !== null && alike(choice, before) && (named < report || pending);
      const follows = !keeps && (fresh || named >= report && !(known !== null && same(choice, known)));
      said = choice;
      if (keeps || follows) known = choice;
      for (const earlier of told.keys()) if (earlier < named) told.delete(earlier);
      return keeps ? "keep" : follows ? "follow" : "";
    }
  };
}

// explorer/browser/shared/elements.ts
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = String(value);
    else node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}
function words(tag, text, name) {
  return el(tag, name ? { class: name, text } : { text });
}
function button(attributes, press, ...children) {
  const node = el("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", press);
  return node;
}
function columnHead(text, name) {
  return el("th", { scope: "col", ...name && { class: name }, text });
}
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
var shown = /* @__PURE__ */ new WeakMap();
function setText(node, text) {
  if (shown.get(node) === text) return;
  shown.set(node, text);
  node.textContent = text;
}

// explorer/browser/shared/focus.ts
function focusBeside(node) {
  return node.getRootNode().activeElement;
}

// explorer/browser/shared/message.ts
function readPayload(bytes) {
  const buffer = bytes.slice().buffer;
  const length = new DataView(buffer).getUint32(0, true);
  const header = readJson(new Uint8Array(buffer, 4, length));
  const arrays = {}, codes = {};
  let at = bodyStart(length);
  for (const [name, shape] of header.arrays) {
    arrays[name] = Object.assign(new Float32Array(buffer, at, sizeOf(shape)), { shape });
    at += arrays[name].byteLength;
  }
  for (const [name, shape] of header.codes ?? []) {
    codes[name] = Object.assign(new Uint8Array(buffer, at, sizeOf(shape)), { shape });
    at += codes[name].byteLength;
  }
  return { header, arrays, codes };
}
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
function bodyStart(length) {
  return 4 + Math.ceil(length / 4) * 4;
}
function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

// explorer/browser/shared/mount.ts
var calls = /* @__PURE__ */ new WeakMap();
function endedByLastCall(root, show, end) {
  const before = calls.get(root), call = { show };
  calls.set(root, call);
  show();
  return () => {
    if (calls.get(root) !== call) return;
    if (!root.isConnected) {
      calls.delete(root);
      end();
    } else if (before) {
      calls.set(root, before);
      before.show();
    }
  };
}
function mounted(selector, create) {
  const views = /* @__PURE__ */ new WeakMap();
  const made = (root) => {
    const ends = new AbortController(), view = create(root, ends.signal);
    return view && { view, ends };
  };
  return (component) => {
    const root = component.parentElement.querySelector(selector);
    const found = views.get(root) ?? made(root);
    if (!found) return void 0;
    const { view, ends } = found;
    views.set(root, found);
    return endedByLastCall(
      root,
      () => {
        view.update(component);
      },
      () => {
        views.delete(root);
        ends.abort();
        view.dispose?.();
      }
    );
  };
}

// explorer/browser/shared/numbers.ts
function fixed(value, decimals) {
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  return (value < 0 ? "−" : "") + (Number.isFinite(size) ? halfToEven(size, decimals) : "∞");
}
function halfToEven(size, decimals) {
  const up = size.toFixed(decimals);
  const isBetween = size * 2 ** (decimals + 1) % 2 === 1;
  return isBetween && /[13579]$/.test(up) ? (size - 0.75 * 10 ** -decimals).toFixed(decimals) : up;
}
function formatProbability(value) {
  if (value > 0 && value < 1e-4) return "<0.0001";
  return fixed(value, value >= 0.1 ? 3 : 4);
}
function formatCount(value) {
  return value.toLocaleString("en-US");
}
function plural(count, word) {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

// explorer/browser/shared/text.ts
var INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
function visible(token) {
  if (token === "") return "∅";
  return clip(safe(token.replace(/\s/g, "␣")), 80);
}
function safe(text) {
  return text.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}
function visibleText(text) {
  return visible(text).replaceAll("␣", " ");
}
function clip(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

// explorer/browser/shared/theme.ts
function themeOf(root) {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff";
  context.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return luminance([red, green, blue]) < 0.18 ? "dark" : "light";
}
function luminance(colour) {
  const [red, green, blue] = colour.map(
    (c) => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// explorer/views/sampling/component/lab.ts
function logitsAt({ logits, vocabulary: { length } }, step) {
  return logits.subarray(step * length, (step + 1) * length);
}
function nProducible({ vocabulary, never }) {
  return vocabulary.length - never.length;
}

// explorer/views/sampling/component/columns.ts
var SHOWN_ROWS = 15;
var WIDTHS = ["token", "logit", "logit", "keep", "keep", "share", "prob", "line", "end", "tag"];
var ColumnsTable = class {
  constructor(lab) {
    this.lab = lab;
    const limit = nProducible(lab.trace);
    const count = limit === SHOWN_ROWS + 1 ? limit : Math.min(SHOWN_ROWS, limit);
    this.rows = Array.from({ length: count }, () => this.row());
    this.node = el(
      "table",
      { class: "columns" },
      words("caption", "From logits to probabilities", "unseen"),
      el("colgroup", {}, ...WIDTHS.map((name) => el("col", { class: `${name}-width` }))),
      this.heads(),
      el("tbody", {}, ...this.rows.map((row) => row.node), this.others(limit - count))
    );
  }
  node;
  rows;
  rest = {
    topK: cell("kept"),
    topP: cell("kept"),
    p: cell("number"),
    bar: words("i", "", "bar")
  };
  head = {
    scaled: columnHead("", "number"),
    topK: columnHead("", "kept"),
    topP: columnHead("", "kept")
  };
  heads() {
    const { scaled, topK, topP: topP2 } = this.head;
    return el(
      "thead",
      {},
      el(
        "tr",
        {},
        columnHead("token"),
        columnHead("logit", "number"),
        scaled,
        topK,
        topP2,
        el("td", { class: "share" }),
        columnHead("probability", "number"),
        columnHead("part of 0 to 1", "line"),
        columnHead("ends at", "number end"),
        el("td", { class: "tag" })
      )
    );
  }
  row() {
    const token = el("span", { class: "token" }), bar = words("i", "", "bar"), part = words("i", "", "part");
    const cells = {
      logit: cell("number"),
      scaled: cell("number"),
      topK: cell("kept"),
      topP: cell("kept"),
      p: cell("number"),
      end: cell("number end"),
      tag: cell("tag")
    };
    const node = el(
      "tr",
      {},
      el("th", { scope: "row" }, token),
      cells.logit,
      cells.scaled,
      cells.topK,
      cells.topP,
      el("td", { class: "share" }, bar),
      cells.p,
      el("td", { class: "line" }, el("span", { class: "rail" }, part)),
      cells.end,
      cells.tag
    );
    const row = { ...cells, node, token, bar, part, id: null };
    node.addEventListener("pointerenter", () => this.lab.hover(row.id));
    node.addEventListener("pointerleave", () => this.lab.hover(null));
    return row;
  }
  others(count) {
    const { topK, topP: topP2, p, bar } = this.rest;
    const node = el(
      "tr",
      { class: "others" },
      el("th", { scope: "row", colspan: 3, text: `${plural(count, "other")} together` }),
      topK,
      topP2,
      el("td", { class: "share" }, bar),
      p,
      el("td", { class: "line" }),
      cell("end"),
      cell("tag")
    );
    node.hidden = count === 0;
    return node;
  }
  /** The most probable tokens; one that was drawn or written without being among them takes the last places. */
  shownIds(columns, written) {
    const count = this.rows.length, ids = columns.order.slice(0, count);
    const missing = [.../* @__PURE__ */ new Set([columns.drawn, written])].filter(
      (id) => !ids.includes(id) && columns.order.includes(id)
    );
    return missing.length ? [...ids.slice(0, count - missing.length), ...missing] : ids;
  }
  step() {
    const { columns, state, trace, uniform } = this.lab, { greedy } = columns, written = trace.token_ids[state.step];
    const topK = greedy ? null : state.top_k, topP2 = greedy || state.top_p === 1 ? null : state.top_p;
    const now = {
      topK: topK !== null,
      topP: topP2 !== null,
      written,
      isForced: state.step < trace.n_forced
    };
    const off = greedy ? "not used: greedy" : "off";
    setText(this.head.scaled, greedy ? "÷ T" : `÷ ${state.temperature.toFixed(2)}`);
    setText(this.head.topK, `top-k ${topK === null ? off : formatCount(topK)}`);
    setText(this.head.topP, `top-p ${topP2 === null ? off : topP2.toFixed(2)}`);
    const ids = this.shownIds(columns, written);
    this.rows.forEach((row, i) => this.show(row, ids[i], now));
    this.showOthers(ids, now);
    this.node.style.setProperty("--uniform", `${100 * uniform}%`);
    this.node.classList.toggle("greedy", greedy);
    this.hover();
  }
  show(row, id, now) {
    const { columns, logits, trace } = this.lab, { greedy, drawn } = columns, p = columns.probs[id], end = columns.cumulative[id];
    row.id = id;
    setText(row.token, clip(trace.shown[id], 24));
    if (row.token.title !== trace.shown[id]) row.token.title = trace.shown[id];
    setText(row.logit, fixed(logits[id], 3));
    setText(row.scaled, greedy ? "" : fixed(columns.scaled[id], 3));
    mark(row.topK, now.topK, columns.keptByTopK[id]);
    mark(row.topP, now.topP, columns.keptByTopP[id]);
    row.bar.style.transform = `scaleX(${p})`;
    row.part.style.transform = `translateX(${100 * (end - p)}%) scaleX(${Math.max(p, 6e-3)})`;
    setText(row.p, chanceOf(p));
    setText(row.end, p ? fixed(end, 3) : "");
    const tags = [
      id === drawn && (greedy ? "taken" : "drawn"),
      now.isForced && id === now.written && "forced"
    ];
    setText(row.tag, tags.filter(Boolean).join(", "));
    row.node.classList.toggle("drawn", id === drawn);
    row.node.classList.toggle("cut", p === 0);
  }
  showOthers(ids, now) {
    const { order, keptByTopK, keptByTopP, probs } = this.lab.columns, others = order.filter((id) => !ids.includes(id));
    const keptAmong = (kept) => `${formatCount(others.filter((id) => kept[id]).length)} kept`;
    const sum = ids.reduce((total, id) => total + probs[id], 0), left = Math.max(0, 1 - sum) < 1e-12 ? 0 : 1 - sum;
    setText(this.rest.topK, now.topK ? keptAmong(keptByTopK) : "—");
    setText(this.rest.topP, now.topP ? keptAmong(keptByTopP) : "—");
    setText(this.rest.p, chanceOf(left));
    this.rest.bar.style.transform = `scaleX(${left})`;
  }
  hover() {
    for (const row of this.rows) row.node.classList.toggle("lit", row.id === this.lab.state.hover);
  }
};
function cell(name) {
  return words("td", "", name);
}
function mark(node, isOn, isKept) {
  setText(node, !isOn ? "—" : isKept ? "kept" : "cut");
  node.classList.toggle("off", !isOn);
}
function chanceOf(p) {
  return p === 0 ? "0" : formatProbability(p);
}

// explorer/views/sampling/component/controls.ts
function topKStops(limit, current) {
  const stops = /* @__PURE__ */ new Set();
  for (let k = 1; k < limit; k += k < 50 ? 1 : k < 200 ? 10 : k < 1e3 ? 100 : 1e3) stops.add(k);
  if (current !== null) stops.add(current);
  return [...[...stops].sort((a, b) => a - b), null];
}
var Controls = class {
  constructor(lab) {
    this.lab = lab;
    this.sliders = [this.temperature(), this.topK(), this.topP()].map((setting) => this.slider(setting));
    this.seed = this.seedField();
    const { state, trace } = lab;
    const again = this.button(
      "Draw again",
      "Take the next seed",
      () => lab.set({ seed: (state.seed + 1) % (trace.max_seed + 1) })
    );
    const reset = this.button(
      "All off",
      "Temperature 1, neither top-k nor top-p: the model's own distribution",
      () => lab.set({ temperature: 1, top_k: null, top_p: 1 })
    );
    this.node = el(
      "div",
      { class: "settings", role: "group", "aria-label": "Settings of the sampling" },
      ...this.sliders.map((part) => part.node),
      el(
        "div",
        { class: "setting seed" },
        el("label", { for: "setting-seed", text: "Seed" }),
        this.seed,
        again,
        reset
      )
    );
  }
  node;
  sliders;
  seed;
  stops = [];
  hottest = 2;
  least = 0.05;
  isTyping = false;
  // ---- the sliders -------------------------------------------------------------------------------------------
  temperature() {
    const { state } = this.lab;
    return {
      name: "temperature",
      label: "Temperature",
      read: hundredths,
      range: () => {
        this.hottest = Math.max(this.hottest, state.temperature);
        return { min: 0, max: this.hottest, step: 0.05, value: state.temperature };
      },
      say: () => state.temperature === 0 ? "0, greedy" : state.temperature.toFixed(2)
    };
  }
  topK() {
    const { state, trace } = this.lab, limit = nProducible(trace);
    return {
      name: "top_k",
      label: "Top-k",
      read: (value) => this.stops[value],
      range: () => {
        if (!this.stops.includes(state.top_k)) this.stops = topKStops(limit, state.top_k);
        return { min: 0, max: this.stops.length - 1, step: 1, value: this.stops.indexOf(state.top_k) };
      },
      say: () => state.top_k === null ? `off, all ${formatCount(limit)}` : formatCount(state.top_k)
    };
  }
  topP() {
    const { state } = this.lab;
    return {
      name: "top_p",
      label: "Top-p",
      read: hundredths,
      range: () => {
        this.least = Math.min(this.least, state.top_p);
        return { min: this.least, max: 1, step: 0.01, value: state.top_p };
      },
      say: () => state.top_p === 1 ? "off, 1.00" : state.top_p.toFixed(2)
    };
  }
  slider({ name, label, range, read, say }) {
    const id = `setting-${name}`, input = el("input", { type: "range", id }), output = el("output", { for: id });
    input.addEventListener("input", () => this.lab.set({ [name]: read(Number(input.value)) }));
    input.addEventListener("change", () => this.lab.settle());
    function refresh() {
      const { min, max, step, value } = range();
      if (Number(input.max) !== max || Number(input.min) !== min) Object.assign(input, { min, max, step });
      if (Number(input.value) !== value) input.value = String(value);
      input.style.setProperty("--played", `${100 * (value - min) / Math.max(step, max - min)}%`);
      setText(output, say());
      input.setAttribute("aria-valuetext", say());
    }
    return {
      node: el("div", { class: "setting" }, el("label", { for: id, text: label }), output, input),
      refresh
    };
  }
  // ---- the seed ----------------------------------------------------------------------------------------------
  seedField() {
    const { lab } = this, { max_seed: most } = lab.trace;
    const seed = el("input", {
      type: "number",
      id: "setting-seed",
      min: 0,
      max: most,
      step: 1,
      inputmode: "numeric"
    });
    seed.addEventListener("input", () => {
      this.isTyping = true;
    });
    seed.addEventListener("blur", () => {
      this.isTyping = false;
      this.step();
    });
    seed.addEventListener("change", () => {
      this.isTyping = false;
      const value = Number(seed.value);
      if (Number.isInteger(value) && value >= 0 && value <= most) lab.set({ seed: value });
      else seed.value = String(lab.state.seed);
      lab.settle();
    });
    return seed;
  }
  button(text, title, act) {
    return button({ class: "plain", text, title }, () => {
      act();
      this.lab.settle();
    });
  }
  step() {
    const { seed } = this.lab.state;
    for (const slider of this.sliders) slider.refresh();
    if (!this.isTyping && this.seed.value !== String(seed)) this.seed.value = String(seed);
  }
};
function hundredths(value) {
  return Math.round(value * 100) / 100;
}

// explorer/browser/shared/keys.ts
function isShortcut(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}
function actOn(event, acts) {
  const act = acts[event.key];
  if (!act || isShortcut(event) || event.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

// explorer/browser/shared/chips.ts
var Chips = class {
  /** label: name of the group. choose: called with the place of the chosen chip, which may lie beyond the ends. */
  constructor(label, chips, choose) {
    this.chips = chips;
    this.choose = choose;
    chips.forEach((chip2, place) => chip2.addEventListener("click", () => choose(place)));
    this.node = el("div", { class: "chips", role: "radiogroup", "aria-label": label }, ...chips);
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }
  node;
  checked = 0;
  onKey(event) {
    const { checked } = this, to = (place) => () => this.choose(place), back = to(checked - 1), onward = to(checked + 1);
    actOn(event, {
      ArrowLeft: back,
      ArrowUp: back,
      ArrowRight: onward,
      ArrowDown: onward,
      Home: to(0),
      End: to(this.chips.length - 1)
    });
  }
  /** Marks one as chosen; it alone is reached by the Tab key, or the first where none is. */
  check(place) {
    this.checked = place;
    this.chips.forEach((chip2, at) => {
      chip2.setAttribute("aria-checked", String(at === place));
      chip2.tabIndex = at === Math.max(0, place) ? 0 : -1;
    });
  }
  focus(place) {
    this.chips[place].focus();
  }
};

// explorer/views/sampling/component/pipeline.ts
function samplingPipeline(logits, settings, uniform, never) {
  const size = logits.length, greedy = settings.temperature === 0;
  const allowed = new Array(size).fill(true);
  for (const id of never) allowed[id] = false;
  const scaled = Float64Array.from(logits, (logit) => greedy ? logit : logit / settings.temperature);
  const order = mostProbableFirst(scaled, allowed);
  const keptByTopK = greedy ? only(order.slice(0, 1), size) : settings.top_k === null ? allowed : only(order.slice(0, settings.top_k), size);
  const keptByTopP = greedy || settings.top_p === 1 ? keptByTopK : topP(
    scaled,
    keptByTopK,
    order.filter((id) => keptByTopK[id]),
    settings.top_p
  );
  const probs = softmaxOver(scaled, keptByTopP);
  const cumulative = runningShare(probs);
  const drawn = greedy ? order[0] : cumulative.findIndex((end) => end > uniform);
  return { order, scaled, allowed, keptByTopK, keptByTopP, probs, cumulative, drawn, greedy };
}
function mostProbableFirst(scaled, allowed) {
  const ids = [];
  for (let id = 0; id < scaled.length; id++) if (allowed[id]) ids.push(id);
  return ids.sort((a, b) => scaled[b] - scaled[a] || a - b);
}
function only(ids, size) {
  const kept = new Array(size).fill(false);
  for (const id of ids) kept[id] = true;
  return kept;
}
function topP(scaled, kept, order, p) {
  const probs = softmaxOver(scaled, kept);
  let sum = 0;
  return only(
    order.filter((id, rank) => {
      sum += probs[id];
      return rank === 0 || sum - probs[id] < p;
    }),
    scaled.length
  );
}
function softmaxOver(scaled, kept) {
  const isKept = (id) => !kept || kept[id];
  let largest = -Infinity, sum = 0;
  scaled.forEach((value, id) => {
    if (isKept(id)) largest = Math.max(largest, value);
  });
  const probs = scaled.map((value, id) => isKept(id) ? Math.exp(value - largest) : 0);
  for (const value of probs) sum += value;
  return probs.map((value) => value / sum);
}
function runningShare(probs) {
  let sum = 0;
  const ends = probs.map((value) => sum += value);
  return ends.map((end) => end / sum);
}
function entropyBits(probs) {
  let sum = 0;
  for (const p of probs) if (p > 0) sum -= p * Math.log2(p);
  return sum;
}

// explorer/views/sampling/component/output.ts
var Output = class {
  constructor(lab) {
    this.lab = lab;
    const { trace } = lab;
    this.chips = new Chips(
      "Step of the output",
      trace.token_ids.map((id, t) => chip(trace, id, t)),
      (t) => lab.go(t)
    );
    this.node = el(
      "section",
      { class: "card output", "aria-label": "Output" },
      lead(trace),
      this.chips.node,
      words(
        "p",
        `Choose the ${trace.unit} to look at; below each is the probability that the model itself gives it.`,
        "hint"
      )
    );
  }
  node;
  chips;
  step() {
    this.chips.check(this.lab.state.step);
  }
  focus() {
    this.chips.focus(this.lab.state.step);
  }
};
function chip(trace, id, step) {
  const p = formatProbability(softmaxOver(Float64Array.from(logitsAt(trace, step)))[id]);
  const token = trace.shown[id], name = clip(token, 40), isForced = step < trace.n_forced;
  return el(
    "button",
    {
      type: "button",
      role: "radio",
      class: isForced ? "chip forced" : "chip",
      "aria-label": `Step ${step}, ${name}, probability ${p}${isForced ? ", forced" : ""}`
    },
    el("span", { class: "box", title: token }, words("span", name, "word")),
    words("em", p)
  );
}
function lead(trace) {
  const end = trace.ended ? "" : ` … (stopped after ${plural(trace.steps, "token")})`, isGreedy = trace.temperature === 0;
  const how = isGreedy ? "Greedily the model writes " : `With these settings and seed ${trace.seed} the model writes `;
  const greedily = trace.text === trace.greedy_text ? [". Greedily it writes the same."] : ["; greedily it writes ", words("b", shown2(trace.greedy_text)), "."];
  return el(
    "p",
    { class: "lead" },
    words("span", how),
    words("b", shown2(trace.text) + end),
    ...isGreedy ? ["."] : greedily
  );
}
function shown2(text) {
  return text === "" ? "nothing" : visibleText(text);
}

// explorer/views/sampling/component/strip.ts
var LABELLED = 0.05;
var Strip = class {
  constructor(lab) {
    this.lab = lab;
    const view = { viewBox: "0 0 1000 40", preserveAspectRatio: "none", "aria-hidden": "true" };
    this.bar = el(
      "div",
      { class: "strip", role: "img" },
      svg("svg", view, ...Object.values(this.paths)),
      this.marker
    );
    this.bar.addEventListener("pointermove", (event) => this.point(event));
    this.bar.addEventListener("pointerleave", () => lab.hover(null));
    const ends = ["0", "parts in order of the tokens’ ids", "1"].map((text) => words("span", text));
    this.node = el(
      "div",
      { class: "draw" },
      el("div", { class: "above" }, this.number),
      this.bar,
      el("div", { class: "ends", "aria-hidden": "true" }, ...ends),
      this.readout
    );
  }
  node;
  // One path for all parts: hundreds of elements would cost a layout each time that a slider moves.
  paths = {
    all: svg("path"),
    drawn: svg("path", { class: "drawn" }),
    lit: svg("path", { class: "lit" })
  };
  marker = el("span", { class: "marker" });
  number = el("span", { class: "uniform" });
  bar;
  readout = el("p", { class: "readout", "aria-live": "polite" });
  labels = [];
  point(event) {
    const {
      columns: { probs, cumulative },
      trace
    } = this.lab;
    const box = this.bar.getBoundingClientRect(), share = (event.clientX - box.left) / box.width;
    const id = cumulative.findIndex((end) => end > share);
    this.lab.hover(id < 0 ? null : id);
    if (id >= 0)
      this.bar.title = `${trace.shown[id]}: ${fixed(cumulative[id] - probs[id], 4)} to ${fixed(cumulative[id], 4)}`;
  }
  /** One part, with a thousandth left free as a line between neighbours where there is room for it. */
  outline(id) {
    const { probs, cumulative } = this.lab.columns, end = 1e3 * cumulative[id], start = end - 1e3 * probs[id];
    return `M${start.toFixed(2)} 0H${Math.max(end - 1, (start + end) / 2).toFixed(2)}V40H${start.toFixed(2)}Z`;
  }
  step() {
    const {
      columns: { probs, drawn, greedy },
      uniform
    } = this.lab;
    const drawable = [...probs.keys()].filter((id) => probs[id] > 0);
    this.paths.all.setAttribute("d", drawable.map((id) => this.outline(id)).join(""));
    this.paths.drawn.setAttribute("d", this.outline(drawn));
    this.writeLabels(drawable.filter((id) => probs[id] >= LABELLED));
    this.marker.hidden = this.number.hidden = greedy;
    this.marker.style.left = `${100 * uniform}%`;
    this.number.style.left = `clamp(28px, ${100 * uniform}%, calc(100% - 28px))`;
    setText(this.number, fixed(uniform, 4));
    this.say();
    this.hover();
  }
  writeLabels(ids) {
    const {
      columns: { probs, cumulative, drawn },
      trace
    } = this.lab;
    ids.forEach((id, place) => {
      const text = this.label(place), p = probs[id];
      text.hidden = false;
      text.style.left = `${(100 * (cumulative[id] - p)).toFixed(3)}%`;
      text.style.width = `${(100 * p).toFixed(3)}%`;
      text.classList.toggle("drawn", id === drawn);
      setText(text, trace.shown[id]);
    });
    for (const spare of this.labels.slice(ids.length)) spare.hidden = true;
  }
  label(place) {
    if (place < this.labels.length) return this.labels[place];
    const made = el("span", { class: "label" });
    this.marker.before(made);
    this.labels.push(made);
    return made;
  }
  say() {
    const {
      columns: { probs, drawn, greedy },
      uniform,
      trace,
      state
    } = this.lab, written = trace.token_ids[state.step];
    const name = clip(trace.shown[drawn], 40), other = clip(trace.shown[written], 40);
    const hit = greedy ? `Temperature 0 draws nothing: ${name} is the most probable token.` : `The number ${fixed(uniform, 4)} falls into the part of ${name}, ${formatProbability(probs[drawn])} wide.`;
    setText(
      this.readout,
      drawn === written ? hit : state.step < trace.n_forced ? `${hit} The branch forces ${other} instead.` : `${hit} The output above still has ${other}; it follows when the slider rests.`
    );
    this.bar.setAttribute("aria-label", hit);
  }
  hover() {
    const {
      state: { hover: id },
      columns: { probs }
    } = this.lab;
    this.paths.lit.setAttribute("d", id !== null && probs[id] > 0 ? this.outline(id) : "");
  }
};

// explorer/views/sampling/component/view.ts
var REST_MS = 400;
var SETTLE_MS = 20;
var SamplingLab = class {
  constructor(root) {
    this.root = root;
  }
  state = { step: 0, temperature: 1, top_k: null, top_p: 1, seed: 0, hover: null };
  choices = makeChoices(
    (a, b) => JSON.stringify(settingsOf(a)) === JSON.stringify(settingsOf(b))
  );
  shown = null;
  output = null;
  parts = [];
  send = () => void 0;
  rest;
  written = "";
  get trace() {
    return this.shown.trace;
  }
  get columns() {
    return this.shown.columns;
  }
  get logits() {
    return logitsAt(this.trace, this.state.step);
  }
  get uniform() {
    return this.trace.uniform[this.state.step];
  }
  // ---- what the visitor can do -------------------------------------------------------------------------------
  set(changes) {
    Object.assign(this.state, changes);
    this.refresh();
    this.reportIn(REST_MS);
  }
  settle() {
    this.reportIn(SETTLE_MS);
  }
  go(step) {
    this.set({ step: Math.min(this.trace.steps - 1, Math.max(0, step)) });
    this.output?.focus();
  }
  hover(id) {
    if (id === this.state.hover) return;
    this.state.hover = id;
    for (const part of this.parts) part.hover?.();
  }
  refresh() {
    this.show(this.trace);
    for (const part of this.parts) part.step();
  }
  show(trace) {
    const { state } = this, columns = samplingPipeline(logitsAt(trace, state.step), state, trace.uniform[state.step], trace.never);
    this.shown = { trace, columns };
  }
  // ---- the report to Python ----------------------------------------------------------------------------------
  reportIn(delay) {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      const chosen = settingsOf(this.state);
      if (this.choices.isKnown(chosen)) return;
      this.send("choice", { trace: this.trace.key, ...chosen, report: this.choices.tell(chosen) });
    }, delay);
  }
  // ---- new messages ------------------------------------------------------------------------------------------
  update({ data, setStateValue }) {
    this.send = setStateValue;
    const before = this.shown?.trace, { header, arrays } = readPayload(data), isFresh = before?.key !== header.key;
    const isOther = isFresh && !isSameModel(before, header);
    this.hear(header, isFresh, isOther);
    const shown3 = isOther || !before ? header.vocabulary.map(visible) : before.shown;
    if (isOther) this.state.hover = null;
    this.state.step = Math.min(this.state.step, header.token_ids.length - 1);
    this.root.dataset.look = themeOf(this.root);
    this.show({ ...header, logits: arrays.logits, steps: header.token_ids.length, shown: shown3 });
    const isFocused = this.place(isFresh, isOther);
    this.refresh();
    if (isFocused) this.output?.focus();
  }
  hear(header, fresh, isOther) {
    const pending = !this.choices.isKnown(this.state), choice = settingsOf(header);
    const heard = this.choices.hear(choice, header.report, { fresh, possible: !isOther, pending });
    if (heard === "follow") {
      clearTimeout(this.rest);
      Object.assign(this.state, choice);
    } else if (heard === "keep") this.reportIn(REST_MS);
  }
  /** Builds what the message changes; says whether the output that it replaces had the focus. */
  place(isFresh, isOther) {
    const { token_ids, text, greedy_text, n_forced, ended, seed, temperature } = this.trace;
    const written = JSON.stringify([token_ids, text, greedy_text, n_forced, ended, seed, temperature === 0]);
    const hasOutput = !isFresh && written === this.written;
    this.written = written;
    if (isOther) this.build();
    return !hasOutput && this.buildOutput();
  }
  build() {
    const controls = new Controls(this), head = buildHead(this), entropy = buildEntropy(this);
    const columns = new ColumnsTable(this), strip = new Strip(this);
    this.output = null;
    this.parts = [controls, head, entropy, columns, strip];
    this.root.replaceChildren(
      el(
        "section",
        { class: "card pipeline", "aria-label": "From logits to the drawn token" },
        columns.node,
        controls.node,
        el("header", {}, head.node, entropy.node),
        strip.node
      )
    );
  }
  /** The output changes with every setting, while the sliders must stay under the hand that moves them. */
  buildOutput() {
    const before = this.output, next = new Output(this);
    const isFocused = before !== null && before.node.contains(focusBeside(this.root));
    before?.node.remove();
    this.root.append(next.node);
    this.parts = [next, ...this.parts.filter((part) => part !== before)];
    this.output = next;
    return isFocused;
  }
  dispose() {
    clearTimeout(this.rest);
  }
};
function settingsOf({ step, temperature, top_k, top_p, seed }) {
  return { step, temperature, top_k, top_p, seed };
}
function isSameModel(before, { vocabulary, never, max_seed: most }) {
  return before !== void 0 && before.max_seed === most && String(before.vocabulary) === String(vocabulary) && String(before.never) === String(never);
}
function buildHead(lab) {
  const subtitle = el("p");
  function step() {
    const {
      trace,
      state,
      columns: { order, keptByTopP, greedy }
    } = lab, all = plural(trace.vocabulary.length, "token");
    const kept = order.filter((id) => keptByTopP[id]).length;
    const some = greedy ? `the most probable of ${all} is taken` : `${formatCount(kept)} of ${all} can be drawn, the most probable first`;
    setText(
      subtitle,
      `step ${state.step}, ${some}; ${trace.never.map((id) => trace.shown[id]).join(" and ")} never are`
    );
  }
  return { node: el("div", {}, words("h2", "From logits to the drawn token"), subtitle), step };
}
function buildEntropy(lab) {
  const before = el("b"), after = el("b");
  const node = el(
    "p",
    { class: "entropy" },
    "entropy ",
    before,
    " as the model says, ",
    after,
    " with these settings"
  );
  function step() {
    setText(before, `${fixed(entropyBits(softmaxOver(Float64Array.from(lab.logits))), 2)} bits`);
    setText(after, `${fixed(entropyBits(lab.columns.probs), 2)} bits`);
  }
  return { node, step };
}
var view_default = mounted(".sampling-view", (root) => new SamplingLab(root));
export default view_default;
