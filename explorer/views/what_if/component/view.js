// Made from view.ts by "make browser".
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
function words(tag, text2, name) {
  return el(tag, name ? { class: name, text: text2 } : { text: text2 });
}
function button(attributes, press, ...children) {
  const node = el("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", press);
  return node;
}
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
var shown = /* @__PURE__ */ new WeakMap();
function setText(node, text2) {
  if (shown.get(node) === text2) return;
  shown.set(node, text2);
  node.textContent = text2;
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
function comesFrom(event, selector) {
  return event.composedPath().some((node) => node instanceof Element && node.matches(selector));
}

// explorer/browser/shared/chips.ts
var Chips = class {
  /** label: name of the group. choose: called with the place of the chosen chip, which may lie beyond the ends. */
  constructor(label, chips, choose) {
    this.chips = chips;
    this.choose = choose;
    chips.forEach((chip, place) => chip.addEventListener("click", () => choose(place)));
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
    this.chips.forEach((chip, at) => {
      chip.setAttribute("aria-checked", String(at === place));
      chip.tabIndex = at === Math.max(0, place) ? 0 : -1;
    });
  }
  focus(place) {
    this.chips[place].focus();
  }
};

// explorer/browser/shared/focus.ts
function focusBeside(node) {
  return node.getRootNode().activeElement;
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

// explorer/browser/shared/look.ts
var CANVAS_ROLES = [
  "bg",
  "well",
  "line",
  "line2",
  "ink",
  "ink2",
  "mute",
  "link",
  "source",
  "source-tint",
  "source-line",
  "target",
  "target-tint",
  "target-line",
  "on-target",
  "q",
  "k",
  "v",
  "hatch",
  "positive",
  "negative",
  "error"
];
var STOPS = [0, 1, 2, 3, 4, 5];
function readLook(root) {
  root.dataset.look = themeOf(root);
  const style = getComputedStyle(root);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const roles = Object.fromEntries(CANVAS_ROLES.map((name) => [name, read(name)]));
  const ramp = (name) => makeRamp(STOPS.map((i) => read(`${name}-${i}`)));
  const ramps = { weight: ramp("weight"), plus: ramp("plus"), minus: ramp("minus") };
  return { ...roles, ramps, errorPixel: pixelOf(channels(roles.error)), family: style.fontFamily };
}
function makeRamp(colours) {
  const stops = colours.map(channels), fill = [], text2 = [], pixels = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    const place = i / 255 * 5, left = Math.min(4, Math.floor(place));
    const [red, green, blue] = stops[left].map(
      (c, k) => Math.round(c + (stops[left + 1][k] - c) * (place - left))
    );
    const mixed = [red, green, blue], light = luminance(mixed);
    pixels[i] = pixelOf(mixed);
    fill.push(`rgb(${mixed.join()})`);
    text2.push((light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000" : "#fff");
  }
  return { fill, text: text2, pixels };
}
function pixelOf([red, green, blue]) {
  return 255 << 24 | blue << 16 | green << 8 | red;
}
function channels(hex) {
  const at = (i) => parseInt(hex.slice(i, i + 2), 16);
  return [at(1), at(3), at(5)];
}
function rampIndex(place) {
  return Math.round(255 * Math.min(1, Math.max(0, place)));
}

// explorer/browser/shared/message.ts
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
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

// explorer/browser/shared/report.ts
function reportAfter(last) {
  return Math.max(last + 1, Date.now());
}

// explorer/browser/shared/reports.ts
var Reports = class {
  /** The number of the last report: a message that names an earlier one was written before Python heard of it. */
  last = 0;
  send = () => void 0;
  /** From now on reports go this way: each message from Python brings its own. */
  through(send) {
    this.send = send;
  }
  /** Tell Python what was done, under one of the names that it listens to. */
  tell(name, what) {
    this.last = reportAfter(this.last);
    this.send(name, { ...what, report: this.last });
  }
};

// explorer/browser/shared/resize.ts
function onResize(root, layout, signal) {
  let width = 0;
  window.addEventListener("resize", layout, { signal });
  const observer = new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    layout();
  });
  observer.observe(root);
  signal.addEventListener("abort", () => observer.disconnect());
  void document.fonts.ready.then(() => {
    if (!signal.aborted) layout();
  });
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
function formatSigned(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || value === 0 || size >= 1e-3 && size <= 9999) return fixed(value, 3);
  const [mantissa, exponent] = fourDigits(size).split("e");
  return `${value < 0 ? "−" : ""}${mantissa.replace(/\.?0+$/, "")} · 10${raised(Number(exponent))}`;
}
function fourDigits(size) {
  const between = /^(\d\.\d\d[02468])50*(e.*)$/.exec(size.toExponential(20));
  return between ? between[1] + between[2] : size.toExponential(3);
}
function raised(exponent) {
  return String(exponent).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
}

// explorer/browser/shared/text.ts
var INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
function visible(token) {
  if (token === "") return "∅";
  return clip(safe(token.replace(/\s/g, "␣")), 80);
}
function safe(text2) {
  return text2.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}
function clip(text2, length) {
  const letters = Array.from(text2);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text2;
}
function tail(text2, length) {
  const letters = Array.from(text2);
  return letters.length > length ? "…" + letters.slice(1 - length).join("") : text2;
}

// explorer/views/what_if/component/map.ts
var LEAST_WRITTEN = 0.015;
var RULE = "Shares do not add up: what one vector brings, a later one carries on. The framed column writes the word; after its last attention nothing more is read, so the share there is 1.";
var TITLES = {
  encoder: ["Encoder", "the vector of each token after self-attention"],
  cross: ["Cross-attention", "what the decoder finds at each source token"],
  decoder: ["Decoder", "the vector after each attention"]
};
function borrowCard(borrow, look, tell) {
  const card = el("section", { class: "card work", "aria-label": "Patching map" }, ...head(borrow));
  if (borrow.problem)
    card.append(
      words("p", `${capital(borrow.problem)}${/[.!?]$/.test(borrow.problem) ? "" : "."}`, "problem")
    );
  const panels = new Map(borrow.panels.map((panel) => [panel.key, panelOf(panel, borrow, look, tell)]));
  if (panels.size) {
    card.append(
      el(
        "div",
        { class: "maps" },
        el("div", { class: "left" }, panels.get("encoder"), panels.get("cross")),
        el(
          "div",
          { class: "right" },
          panels.get("decoder"),
          scale(borrow, look),
          words("p", RULE, "sub rule")
        )
      )
    );
  }
  return card;
}
function capital(text2) {
  return text2.charAt(0).toUpperCase() + text2.slice(1);
}
function head(borrow) {
  if (!borrow.panels.length) return [words("h2", "Where does the model keep the difference?")];
  const [own, other] = [borrow.own, borrow.other].map((token) => words("b", visible(token), "target"));
  const rule = `each cell: one vector of the second sentence; the share of logit(${visible(borrow.other)}) − logit(${visible(borrow.own)}) that it brings along, the decoder reading what the trained model writes`;
  return [el("h2", {}, "Where does the model keep ", own, " or ", other, "?"), words("p", rule, "sub")];
}
function panelOf(panel, borrow, look, tell) {
  const [title2, sub] = TITLES[panel.key], side = panel.key === "decoder" ? "target" : "source";
  const grid = el("div", {
    class: `grid ${panel.key}`,
    role: "grid",
    "aria-label": `${title2}: share of the difference`,
    style: `--columns: ${panel.columns.length}`
  });
  const heads = panel.columns.map((token, place) => {
    const column = el("span", {
      role: "columnheader",
      class: `column ${side}${panel.marked[place] ? " other" : ""}`,
      text: clip(visible(token), 7)
    });
    column.title = safe(token);
    if (panel.key === "decoder" && place === borrow.deciding) column.classList.add("deciding");
    return column;
  });
  grid.append(
    el(
      "div",
      { role: "row", class: "line" },
      el("span", { role: "columnheader", class: "corner" }),
      ...heads
    )
  );
  for (const row of panel.rows) grid.append(lineOf(row, panel, borrow, look, tell));
  roving(grid);
  return el("div", { class: "panel" }, words("h3", title2), words("p", sub, "sub"), grid);
}
function lineOf(row, panel, borrow, look, tell) {
  const cells = row.shares.map((share, position) => {
    if (panel.key === "decoder" && position > (borrow.deciding ?? 0)) {
      return el("span", {
        role: "gridcell",
        class: "cell later",
        "aria-label": `${panel.columns[position]}: later than the step`
      });
    }
    const cell = el("button", { type: "button", role: "gridcell", class: "cell", tabindex: -1 });
    paint(cell, share, look);
    const isLit = borrow.lit.some(([number, place]) => number === row.number && place === position);
    cell.setAttribute("aria-selected", String(isLit));
    const name = `${visible(panel.columns[position])}, ${row.name}`;
    cell.ariaLabel = `${name}: ${share === null ? "not computed" : fixed(share, 3)}${isLit ? ", borrowed" : ""}`;
    cell.title = `${name}: ${share === null ? "not computed" : fixed(share, 3)}`;
    if (panel.key === "decoder" && position === borrow.deciding) cell.classList.add("deciding");
    cell.addEventListener("click", () => tell("borrowed", { row: row.number, position }));
    return cell;
  });
  return el("div", { role: "row", class: "line" }, words("span", row.name, "name"), ...cells);
}
function paint(cell, share, look) {
  if (share === null) return;
  const ramp = look.ramps[share < 0 ? "minus" : "weight"], index = rampIndex(Math.min(1, Math.abs(share)));
  cell.style.background = ramp.fill[index];
  cell.style.color = Math.abs(share) < 0.1 ? look.mute : ramp.text[index];
  if (Math.abs(share) >= LEAST_WRITTEN) cell.textContent = fixed(share, 2);
  cell.classList.toggle("beyond", share > 1.005);
}
function scale(borrow, look) {
  const stops = Array.from({ length: 6 }, (_, i) => look.ramps.weight.fill[Math.round(i * 51)]).join(", ");
  return el(
    "div",
    { class: "scale" },
    words("span", "0"),
    words("b", visible(borrow.own), "target"),
    el("i", { style: `background: linear-gradient(90deg, ${stops})` }),
    words("span", "1"),
    words("b", visible(borrow.other), "target")
  );
}
function roving(grid) {
  const lines = [...grid.querySelectorAll("[role=row]")].map((line) => [...line.querySelectorAll("button")]).filter((line) => line.length);
  (lines.flat().find((cell) => cell.ariaSelected === "true" || cell.getAttribute("aria-pressed") === "true") ?? lines[0]?.[0])?.setAttribute("tabindex", "0");
  grid.addEventListener("keydown", (event) => {
    const at = lines.findIndex((line) => line.includes(event.target)), column = lines[at]?.indexOf(event.target) ?? -1;
    if (column < 0) return;
    const go = (row, to) => () => {
      const line = lines[Math.min(lines.length - 1, Math.max(0, row))], next = line[Math.min(line.length - 1, Math.max(0, to))];
      for (const cell of lines.flat()) cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    };
    actOn(event, {
      ArrowLeft: go(at, column - 1),
      ArrowRight: go(at, column + 1),
      ArrowUp: go(at - 1, column),
      ArrowDown: go(at + 1, column),
      Home: go(at, 0),
      End: go(at, lines[at].length - 1)
    });
  });
}
function secondPicker(borrow, tell) {
  const chips = borrow.pairs.map(({ kind, text: text2 }) => {
    const chip = el("button", { type: "button", role: "radio", class: "pair", text: safe(kind) });
    chip.title = chip.ariaLabel = `${safe(kind)}: ${safe(text2)}`;
    return chip;
  });
  const group = new Chips("Second sentence", chips, (place) => {
    const pair = borrow.pairs[Math.min(chips.length - 1, Math.max(0, place))];
    if (pair && pair.text !== borrow.donor) tell("second", { text: pair.text });
  });
  group.check(borrow.pairs.findIndex(({ text: text2 }) => text2 === borrow.donor));
  const field = el("input", {
    type: "text",
    class: "second",
    "aria-label": "Second sentence",
    placeholder: "any other sentence",
    maxlength: 2e3
  });
  field.value = safe(borrow.donor);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && field.value.trim()) tell("second", { text: field.value.trim() });
    event.stopPropagation();
  });
  return el("div", { class: "seconds" }, words("span", "Second sentence", "label"), group.node, field);
}

// explorer/views/what_if/component/board.ts
function boardCard(off, tell) {
  const card = el(
    "section",
    { class: "card work", "aria-label": "What can be switched off" },
    words("h2", "Which parts does this sentence need?"),
    words(
      "p",
      "each number: how much the probability of a right word falls at most without the part, the decoder reading what the trained model writes",
      "sub"
    )
  );
  if (!off.computed) return card;
  const heads = Math.max(
    1,
    ...off.rows.map(({ cells }) => cells.filter(({ kind }) => kind === "head").length)
  );
  const board = el("div", {
    class: "board",
    role: "grid",
    "aria-label": "Parts of the model",
    style: `--heads: ${heads}`
  });
  for (const { name, cells } of off.rows) {
    board.append(
      el(
        "div",
        { role: "row", class: `parts ${cells[0].kind}` },
        words("span", rowName(name), "name"),
        ...cells.map((part) => partButton(part, name, tell))
      )
    );
  }
  roving(board);
  card.append(board);
  return card;
}
function rowName(name) {
  return { source: "source tokens, set to 0", mask: "mask" }[name] ?? name;
}
function partButton(part, row, tell) {
  const label = part.kind === "position" ? clip(visible(part.label), 9) : part.label;
  const button2 = el(
    "button",
    {
      type: "button",
      role: "gridcell",
      tabindex: -1,
      class: `part ${part.kind}`,
      style: `--fall: ${Math.min(1, part.fall)}`
    },
    words("span", label, "what"),
    words("span", fixed(part.fall, 2), "fall")
  );
  button2.setAttribute("aria-pressed", String(part.off));
  button2.ariaLabel = `${row}, ${part.label}: ${part.off ? "off; with it a right word is more probable by" : "without it a right word is less probable by"} ${fixed(part.fall, 3)}`;
  button2.title = button2.ariaLabel;
  button2.addEventListener("click", () => tell("switched", { part: part.part }));
  return button2;
}

// explorer/views/what_if/component/compare.ts
function compareCard(data) {
  const n = Math.max(...data.rows.map((row) => row.tokens.length));
  const table = el("div", {
    class: "compared",
    role: "table",
    "aria-label": "What is written",
    style: `--n: ${n}`
  });
  for (const row of data.rows) table.append(outputRow(row, n, data.step));
  if (!data.n_changes) table.insertBefore(emptyRow(data.way), table.children[1] ?? null);
  return el("section", { class: "card outputs", "aria-label": "Outputs compared", tabindex: 0 }, table);
}
function outputRow({ name, note, tokens }, n, step) {
  const who = el(
    "div",
    { role: "rowheader", class: "who" },
    words("b", name),
    words("span", tail(safe(note), 24))
  );
  who.title = safe(note);
  const cells = Array.from(
    { length: n },
    (_, place) => tokenCell(tokens[place], place === step && name === "As trained")
  );
  return el("div", { role: "row", class: "output" }, who, ...cells);
}
function tokenCell(token, isChosen) {
  if (!token) return el("div", { role: "cell", class: "token none" });
  const name = ["token", token.differs && "differs", token.moved && "moved", isChosen && "chosen"].filter(Boolean).join(" ");
  const chip = words("span", clip(visible(token.text), 16), "chip"), p = words("span", formatProbability(token.prob), "p");
  const cell = el("div", { role: "cell", class: name }, chip, p);
  if (token.differs) cell.append(words("span", " (another token than as trained)", "unseen"));
  return cell;
}
var EMPTY = {
  borrow: "nothing yet: press a cell of the map, and that one vector is taken from the second sentence",
  off: "nothing yet: press a part of the board to switch it off",
  row: "nothing yet: drag a weight"
};
function emptyRow(way) {
  const who = el("div", { role: "rowheader", class: "who" }, words("b", "Changed"));
  return el(
    "div",
    { role: "row", class: "output" },
    who,
    el("div", { role: "cell", class: "nothing", text: EMPTY[way] })
  );
}

// explorer/views/what_if/component/note.ts
function noteOf(data, tell) {
  const note = el("aside", { class: "note" }, words("h3", title(data)), leading(data), bars(data));
  if (!data.n_changes) {
    note.append(words("p", "Nothing is changed: the bars are of the model as trained.", "mute"));
    return note;
  }
  note.append(words("p", "The upright mark is the model as trained.", "mute"));
  note.append(
    el(
      "p",
      { class: "writes", role: "status" },
      "Left to itself the changed model writes ",
      words("b", safe(data.led.writes) || "nothing", "target"),
      "."
    )
  );
  const ways = [
    ["See this run on the map", "map", true],
    ["Step by step", "steps", true],
    ["Explain a changed number", "explain", data.can_explain]
  ];
  note.append(
    el(
      "p",
      { class: "ways" },
      ...ways.filter(([, , there]) => there).map(([text2, to]) => button({ class: "way", text: text2 }, () => tell("went", { to })))
    )
  );
  return note;
}
function title({ borrow, n_changes: n, way }) {
  const share = borrow && n ? litShare(borrow) : null;
  if (share !== null) return `Borrowed: ${fixed(share, 2)} of the difference`;
  if (!n) return "As trained";
  return { borrow: "With the changes", off: "Without what is off", row: "With your weights" }[way];
}
function litShare(borrow) {
  if (borrow.lit.length !== 1) return null;
  const [[number, position]] = borrow.lit;
  const row = borrow.panels.flatMap((panel) => panel.rows).find((each) => each.number === number);
  return row?.shares[position] ?? null;
}
function leading(data) {
  const { after } = data.led;
  return el(
    "p",
    {},
    `Step ${data.step}, `,
    ...after ? ["after ", words("b", safe(after), "target")] : ["the first"],
    ":"
  );
}
function bars({ led }) {
  const list = el("div", { class: "candidates", role: "list" });
  for (const { text: text2, before, after } of led.candidates) {
    const track = el(
      "i",
      { class: "bar" },
      el("u", { style: `width: ${100 * after}%` }),
      el("s", { style: `left: ${100 * before}%` })
    );
    const row = el(
      "div",
      { role: "listitem" },
      words("span", clip(visible(text2), 12), "chip target"),
      track,
      words("span", formatProbability(after), "p")
    );
    row.title = `${visible(text2)}: ${formatProbability(after)}, as trained ${formatProbability(before)}`;
    list.append(row);
  }
  return list;
}

// explorer/browser/shared/planes.ts
function range(count) {
  return Array.from({ length: count }, (_, i) => i);
}

// explorer/views/what_if/component/data.ts
function movedRow(weights, place, value) {
  const to = Math.min(1, Math.max(0, value)), rest = weights.reduce((sum, each, k) => k === place ? sum : sum + each, 0);
  const others = weights.length - 1;
  if (!others) return [1];
  return weights.map(
    (each, k) => k === place ? to : rest > 1e-9 ? each * (1 - to) / rest : (1 - to) / others
  );
}

// explorer/views/what_if/component/weights.ts
var STEP = 0.05;
var EVERY = 250;
var NAMES = {
  cross: "Cross-attention",
  self: "Masked self-attention",
  encoder: "Self-attention of the encoder"
};
var WeightsCard = class {
  constructor(row, tell) {
    this.row = row;
    this.tell = tell;
    this.weights = [...row.now];
    const bars2 = el("div", { class: "weights" }, ...row.keys.map((key, place) => this.bar(key, place)));
    this.node = el(
      "section",
      { class: "card work", "aria-label": "A row of attention" },
      this.head(),
      bars2,
      this.foot()
    );
    this.show();
  }
  node;
  weights;
  bars = [];
  sum = words("p", "", "sub");
  waiting = 0;
  last = 0;
  /** Whether a bar is being dragged, so that what Python says meanwhile must not take it away. */
  get isHeld() {
    return this.bars.some(({ track }) => track.classList.contains("held"));
  }
  head() {
    const { row } = this, ask = (what) => {
      this.tell("attended", {
        attention: row.attention,
        layer: row.layer,
        head: row.head,
        query: row.query,
        ...what
      });
    };
    const attention = select(
      "Attention",
      Object.entries(NAMES),
      row.attention,
      (value) => ask({ attention: value, query: 0, layer: 0 })
    );
    const layer = select(
      "Layer",
      range(row.n_layers).map((i) => [String(i), `layer ${i}`]),
      String(row.layer),
      (value) => ask({ layer: Number(value) })
    );
    const heads = [
      ["", "all heads alike"],
      ...range(row.n_heads).map((i) => [String(i), `head ${i}`])
    ];
    const head2 = select(
      "Head",
      heads,
      row.head === null ? "" : String(row.head),
      (value) => ask({ head: value === "" ? null : Number(value) })
    );
    const query = select(
      "Row",
      row.queries.map((token2, i) => [String(i), `${i}: ${visible(token2)}`]),
      String(row.query),
      (value) => ask({ query: Number(value) })
    );
    const token = words("b", visible(row.queries[row.query] ?? ""), row.side);
    return el(
      "div",
      { class: "of" },
      el(
        "h2",
        {},
        ...row.side === "target" ? ["What is read to write ", token] : ["What ", token, " reads"]
      ),
      attention,
      layer,
      head2,
      query
    );
  }
  foot() {
    const reset = button(
      { class: "button", text: "As trained" },
      () => this.tell("weighted", { weights: [] })
    );
    reset.disabled = !this.row.is_set;
    const rule = this.row.head === null ? "dashed: the mean of the heads as trained; all heads get this one row" : "dashed: as trained";
    return el(
      "div",
      { class: "foot" },
      this.sum,
      words("p", `Drag a bar, or use the arrow keys; ${rule}.`, "sub"),
      reset
    );
  }
  bar(key, place) {
    const fill = el("i", { class: "fill" }), value = words("span", "", "value");
    const was = el("i", { class: "was", style: `bottom: ${100 * this.row.trained[place]}%` });
    const track = el(
      "div",
      {
        class: "track",
        role: "slider",
        tabindex: 0,
        "aria-label": `Weight of ${visible(key)}`,
        "aria-orientation": "vertical",
        "aria-valuemin": 0,
        "aria-valuemax": 1
      },
      fill,
      was
    );
    track.addEventListener("pointerdown", (event) => this.hold(event, place));
    track.addEventListener("keydown", (event) => {
      const by = (change) => () => this.set(place, Math.round((this.weights[place] + change) * 100) / 100);
      actOn(event, {
        ArrowUp: by(STEP),
        ArrowRight: by(STEP),
        ArrowDown: by(-STEP),
        ArrowLeft: by(-STEP),
        Home: by(-1),
        End: by(1)
      });
    });
    this.bars.push({ track, fill, value });
    return el(
      "div",
      { class: "weight" },
      value,
      track,
      words("span", clip(visible(key), 10), `chip ${this.row.key_side}`)
    );
  }
  hold(event, place) {
    const { track } = this.bars[place];
    const take = ({ clientY }) => {
      const { top, height } = track.getBoundingClientRect();
      this.set(place, Math.round(100 * (1 - (clientY - top) / height)) / 100);
    };
    event.preventDefault();
    track.focus();
    track.classList.add("held");
    track.setPointerCapture(event.pointerId);
    take(event);
    track.addEventListener("pointermove", take);
    const end = () => {
      track.classList.remove("held");
      track.removeEventListener("pointermove", take);
      this.report();
    };
    track.addEventListener("lostpointercapture", end, { once: true });
  }
  set(place, value) {
    this.weights = movedRow(this.weights, place, value);
    this.show();
    const since = performance.now() - this.last;
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => this.report(), Math.max(0, EVERY - since));
  }
  report() {
    window.clearTimeout(this.waiting);
    this.last = performance.now();
    this.tell("weighted", { weights: this.weights.map((each) => Math.round(each * 1e4) / 1e4) });
  }
  show() {
    this.bars.forEach(({ track, fill, value }, place) => {
      const weight = this.weights[place];
      fill.style.height = `${100 * weight}%`;
      setText(value, fixed(weight, 2));
      track.setAttribute("aria-valuenow", fixed(weight, 2));
    });
    setText(
      this.sum,
      `Sum ${fixed(
        this.weights.reduce((sum, each) => sum + each, 0),
        3
      )}.`
    );
  }
};
function select(label, options, value, choose) {
  const node = el(
    "select",
    { "aria-label": label },
    ...options.map(([key, text2]) => el("option", { value: key, text: text2 }))
  );
  node.value = value;
  node.addEventListener("change", () => choose(node.value));
  return node;
}

// explorer/browser/shared/segments.ts
var Segments = class {
  /** kind: the class of the group, and label its name. choose: called with what is pressed. */
  constructor(kind, label, choose, segments = []) {
    this.choose = choose;
    this.node = el("div", { class: kind, role: "group", "aria-label": label });
    this.offer(segments);
  }
  node;
  offered = "";
  buttons = [];
  /** What there is to choose; nothing is built anew where it is the same. */
  offer(segments) {
    const offered = JSON.stringify(segments);
    if (offered === this.offered) return;
    this.offered = offered;
    this.buttons = segments.map(([value, text2]) => [value, button({ text: text2 }, () => this.choose(value))]);
    this.node.replaceChildren(...this.buttons.map(([, node]) => node));
  }
  show(chosen) {
    for (const [value, node] of this.buttons) node.setAttribute("aria-pressed", String(value === chosen));
  }
};

// explorer/views/what_if/component/wrote.ts
var NAME = 130;
var NUMBER = 62;
var ROW = 24;
var HEAD_BAR = 4;
function wroteCard(wrote, look, width, against, choose) {
  const sum = against ? wrote.against : wrote.alone, what = against ? "difference" : "logit";
  const names = [`logit of ${visible(wrote.token)}`, `${visible(wrote.token)} − ${visible(wrote.rival)}`];
  const segments = new Segments(
    "segments",
    "What is taken apart",
    choose,
    names.map((text2, place) => [Boolean(place), text2])
  );
  segments.show(against);
  const rule = `direct: the parts of its ${what} sum to ${fixed(sum.value, 3)}, exactly, with each norm’s σ held as it is; of the model as trained`;
  return el(
    "section",
    { class: "card wrote", "aria-label": "What wrote the word" },
    el(
      "div",
      { class: "top" },
      el(
        "div",
        {},
        el("h2", {}, "What wrote ", words("b", visible(wrote.token), "target"), "?"),
        words("p", rule, "sub")
      ),
      segments.node
    ),
    el(
      "div",
      { class: "sides" },
      waterfall(sum, look, Math.min(600, width), what),
      usedTable(wrote, sum, look)
    )
  );
}
function waterfall(sum, look, width, what) {
  const runs = running(sum), low = Math.min(0, ...runs), high = Math.max(0, ...runs), span = high - low || 1;
  const room = width - NAME - NUMBER - 12, x = (value) => NAME + (value - low) / span * room;
  const height = (sum.bars.length + 1) * ROW + 12;
  const picture = svg("svg", {
    class: "waterfall",
    role: "img",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "aria-label": `${what} ${fixed(sum.value, 3)}: ${sum.bars.map((bar) => `${bar.name} ${formatSigned(total(bar.values))}`).join(", ")}`
  });
  picture.append(svg("line", { x1: x(0), x2: x(0), y1: 0, y2: height, stroke: look.line2 }));
  let at = 0;
  sum.bars.forEach((bar, row) => {
    const y2 = row * ROW + 4, all = total(bar.values), step = bar.values.length > 1 ? Math.min(HEAD_BAR, (ROW - 6) / bar.values.length) : 12;
    bar.values.forEach((value, head2) => {
      const from = Math.min(at, at + value), top = bar.values.length > 1 ? y2 + head2 * step : y2 + 3;
      picture.append(
        svg("rect", {
          x: x(from),
          y: top,
          width: Math.max(0.8, x(from + Math.abs(value)) - x(from)),
          height: Math.max(1, step - 0.5),
          fill: value < 0 ? look.negative : look.ramps.weight.fill[160]
        })
      );
      at += value;
    });
    picture.append(
      text(bar.name, NAME - 10, y2 + 13, "end", look.ink2),
      text(
        fixed(Math.abs(all) < 5e-4 ? 0 : all, 3),
        width - 2,
        y2 + 13,
        "end",
        all < 0 ? look.negative : look.ink
      )
    );
  });
  const y = sum.bars.length * ROW + 4;
  picture.append(
    svg("line", { x1: NAME, x2: width, y1: y, y2: y, stroke: look.line2 }),
    svg("rect", {
      x: Math.min(x(0), x(sum.value)),
      y: y + 5,
      width: Math.abs(x(sum.value) - x(0)),
      height: 12,
      fill: look.target
    }),
    text(what, NAME - 10, y + 16, "end", look.ink, 650),
    text(fixed(sum.value, 3), width - 2, y + 16, "end", look.ink, 650)
  );
  return picture;
}
function text(words_, x, y, anchor, fill, weight = 400) {
  const node = svg("text", { x, y, "text-anchor": anchor, fill, "font-size": 13, "font-weight": weight });
  node.textContent = words_;
  return node;
}
function total(values) {
  return values.reduce((sum, each) => sum + each, 0);
}
function running(sum) {
  let at = 0;
  return sum.bars.flatMap((bar) => bar.values.map((value) => at += value));
}
function usedTable(wrote, sum, look) {
  const largest = Math.max(1e-9, ...sum.used.map(Math.abs));
  const line = (name, cells) => el("tr", {}, el("th", { scope: "row", text: name }), ...cells);
  const heads = wrote.keys.map(
    (key) => el("th", { scope: "col", class: "source", text: clip(visible(key), 8) })
  );
  const table = el(
    "table",
    { class: "used" },
    el("thead", {}, el("tr", {}, el("td", {}), ...heads)),
    el(
      "tbody",
      {},
      line(
        `reads, layer ${wrote.layer}`,
        wrote.read.map((each) => coloured(each, each, "weight", look))
      ),
      line(
        "adds",
        sum.used.map((each) => coloured(each, Math.abs(each) / largest, each < 0 ? "minus" : "plus", look))
      ),
      line(
        "gold",
        wrote.keys.map((_, place) => goldCell(wrote, place))
      )
    )
  );
  return el(
    "div",
    { class: "beside", role: "group", "aria-label": "What was read and what came of it", tabindex: 0 },
    table,
    el("p", { class: "said" }, ...sentence(wrote, sum))
  );
}
function coloured(value, place, name, look) {
  const ramp = look.ramps[name], index = rampIndex(Math.min(1, place)), cell = words("td", fixed(Math.abs(value) < 5e-3 ? 0 : value, 2));
  cell.style.background = ramp.fill[index];
  cell.style.color = place < 0.1 ? look.mute : ramp.text[index];
  return cell;
}
function goldCell(wrote, place) {
  const isGold = wrote.gold?.includes(place) ?? false, cell = el("td", { class: "gold" });
  if (isGold) cell.append(el("i", {}), words("span", "yes", "unseen"));
  return cell;
}
function sentence(wrote, sum) {
  const read = indexOfMost(wrote.read), used = indexOfMost(sum.used.map(Math.abs));
  const source = (place) => words("b", visible(wrote.keys[place]), "source"), n = (value) => words("b", fixed(value, 2));
  const token = words("b", visible(wrote.token), "target"), block = largestBar(sum);
  const parts = [
    "To write ",
    token,
    " the last layer reads ",
    source(read),
    " most, with weight ",
    n(wrote.read[read])
  ];
  if (read === used) parts.push("; that adds ", n(sum.used[read]), ".");
  else
    parts.push(
      ", which adds ",
      n(sum.used[read]),
      "; what counts most is read at ",
      source(used),
      " and adds ",
      n(sum.used[used]),
      "."
    );
  parts.push(` Of all blocks ${block.name} adds most, `, n(total(block.values)), ".");
  if (!wrote.gold) parts.push(" No gold alignment is known here.");
  const { read: byReading, used: byUse } = wrote.errors ?? { read: null, used: null };
  if (byReading !== null && byUse !== null)
    parts.push(
      " Over the whole sentence the alignment error rate is ",
      n(byReading),
      " by what is read most, and ",
      n(byUse),
      " by what adds most."
    );
  return parts;
}
function largestBar(sum) {
  return sum.bars.reduce((best, bar) => total(bar.values) > total(best.values) ? bar : best);
}
function indexOfMost(values) {
  return values.indexOf(Math.max(...values));
}

// explorer/views/what_if/component/view.ts
var WAYS = [
  ["borrow", "Borrow from another sentence", ""],
  ["off", "Switch a part off", "Its output is set to 0 in every step."],
  ["row", "Edit attention", "One row of weights, of the chosen step; computed anew while you drag."]
];
var PHONE = 640;
var NARROW = 900;
var WhatIfView = class {
  constructor(root, signal) {
    this.root = root;
    onResize(root, () => this.layout(), signal);
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "z" || isShortcut(event) || !root.isConnected || comesFrom(event, "input, textarea, select, [contenteditable], [role=combobox]"))
          return;
        if (this.data?.n_changes) this.tell("undone", {});
      },
      { signal }
    );
  }
  reports = new Reports();
  data = null;
  weights = null;
  against = false;
  update({ data: bytes, setStateValue }) {
    this.reports.through(setStateValue);
    const data = readJson(bytes);
    if (data.report < this.reports.last && this.data) return;
    this.root.classList.remove("awaiting");
    if (this.weights?.isHeld && data.way === "row") {
      this.data = data;
      this.drawAround(data);
      return;
    }
    this.data = data;
    this.draw();
  }
  tell(name, what) {
    this.root.classList.add("awaiting");
    this.reports.tell(name, { key: this.data?.key, ...what });
  }
  layout() {
    const { root } = this;
    if (!root.clientWidth) return;
    const before = root.dataset.size;
    root.dataset.size = root.clientWidth < PHONE ? "phone" : root.clientWidth < NARROW ? "narrow" : "wide";
    if (this.data && (before !== root.dataset.size || root.dataset.drawn !== String(root.clientWidth)))
      this.draw();
  }
  draw() {
    const { root, data } = this;
    if (!data || !root.clientWidth) return;
    root.dataset.drawn = String(root.clientWidth);
    root.dataset.size ??= "wide";
    const look = readLook(root), held = this.heldName(), tell = (name, what) => this.tell(name, what);
    this.weights = data.row ? new WeightsCard(data.row, tell) : null;
    const work = data.borrow ? borrowCard(data.borrow, look, tell) : data.off ? boardCard(data.off, tell) : this.weights.node;
    root.replaceChildren(
      compareCard(data),
      this.ways(data),
      el("div", { class: "both" }, work, noteOf(data, tell)),
      this.wrote(data, look)
    );
    if (held) this.named(held)?.focus({ preventScroll: true });
  }
  /** Everything but the bars that are being dragged. */
  drawAround(data) {
    const { root } = this, tell = (name, what) => this.tell(name, what);
    root.querySelector(".outputs")?.replaceWith(compareCard(data));
    root.querySelector(".note")?.replaceWith(noteOf(data, tell));
  }
  ways(data) {
    const nodes = WAYS.map(([, text2]) => el("button", { type: "button", role: "radio", text: text2 }));
    const picker = new Chips("Way of changing the model", nodes, (place) => {
      const [way] = WAYS[Math.min(WAYS.length - 1, Math.max(0, place))];
      if (way !== data.way) this.tell("way", { way });
    });
    const at = WAYS.findIndex(([way]) => way === data.way);
    picker.check(at);
    picker.node.classList.add("segments");
    const beside = data.borrow ? secondPicker(data.borrow, (name, what) => this.tell(name, what)) : words("p", WAYS[at][2], "sub");
    return el("div", { class: "how" }, picker.node, beside);
  }
  wrote(data, look) {
    const card = wroteCard(data.wrote, look, this.root.clientWidth - 40, this.against, (against) => {
      this.against = against;
      card.replaceWith(this.wrote(data, look));
      this.root.querySelector(".wrote [aria-pressed=true]")?.focus({ preventScroll: true });
    });
    return card;
  }
  /** What has the focus goes on having it in what is built in its place. */
  heldName() {
    return focusBeside(this.root)?.getAttribute("aria-label")?.replace(/: .*$/, "") ?? "";
  }
  named(name) {
    return [...this.root.querySelectorAll("[aria-label]")].find(
      (node) => node.ariaLabel?.replace(/: .*$/, "") === name && node.matches("button, input, select, [tabindex]")
    );
  }
};
var view_default = mounted(".what-if", (root, signal) => new WhatIfView(root, signal));
export default view_default;
