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
function formatCount(value) {
  return value.toLocaleString("en-US");
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
function topOf(root) {
  const { host } = root.getRootNode(), scrolled = host.closest("[data-testid=stMain]")?.scrollTop ?? 0;
  return root.getBoundingClientRect().top + scrolled;
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

// explorer/views/worth/component/data.ts
var PLACES = ["gold", "previous", "next", "rest"];
function partsOf({ header, arrays }) {
  const { estimates, shares } = arrays;
  const parts = header.parts.map((named, index) => {
    const [loss, lossLow, lossHigh, exact, exactLow, exactHigh] = estimates.subarray(
      6 * index,
      6 * index + 6
    );
    const own = PLACES.map((place, i) => {
      const share2 = index < shares.shape[0] ? shares[PLACES.length * index + i] : -1;
      return [place, share2 < 0 ? null : share2];
    });
    return {
      ...named,
      index,
      loss: { value: loss, low: lossLow, high: lossHigh },
      exact: { value: exact, low: exactLow, high: exactHigh },
      shares: Object.fromEntries(own),
      role: header.roles.at(index) ?? "",
      strongest: []
    };
  });
  fill(parts, { header, arrays });
  return parts;
}
function fill(parts, { header: { tokens }, arrays: { rows, sizes, texts, losses } }) {
  let text2 = 0, loss = 0;
  const take = (count) => Array.from(texts.subarray(text2, text2 += count), (place) => tokens[place]);
  for (let i = 0; i < rows.shape[0]; i++) {
    const [nSource, nReference] = sizes.subarray(2 * i, 2 * i + 2);
    const rises = [...losses.subarray(loss, loss += nReference)];
    parts[rows[3 * i]].strongest.push({
      source: take(nSource),
      reference: take(nReference),
      best: take(nReference),
      losses: rises,
      cost: rises.reduce((sum, each) => sum + each, 0),
      exact: rises.length > 0 && rows[3 * i + 2] === 1
    });
  }
}
function ordered(parts, order) {
  const value = (part) => order === "place" ? 0 : order === "loss" ? part.loss.value : order === "exact" ? part.exact.value : part.shares[order] ?? -Infinity;
  const difference = (a, b) => a === b ? 0 : b - a;
  return [...parts].sort((a, b) => difference(value(a), value(b)) || a.index - b.index);
}
function chosenOf(parts, { chosen }) {
  return (chosen === null ? void 0 : parts.at(chosen)) ?? ordered(parts, "loss")[0];
}
function whole({ name, row, layer }) {
  return row ? `${row}, layer ${layer}, ${name}` : name;
}
function decimalsOf(parts) {
  const most = Math.max(...parts.map(({ loss }) => Math.abs(loss.value)));
  return most > 0 ? Math.min(8, Math.max(3, 2 - Math.floor(Math.log10(most)))) : 3;
}
function roleText({ role, shares }, names) {
  if (!role) return "";
  const of = role === "gold" ? "gold rows" : "rows";
  return `${names[role]}: ${fixed(shares[role] ?? 0, 2)} of ${of}`;
}

// explorer/views/worth/component/picture.ts
var ROW = 66;
var GAP = 14;
var LABEL = 18;
var LEFT = 40;
var LAYER_GAP = 18;
var ALL_HEIGHT = 190;
var NUMBER_FROM = 38;
var LETTER = 6;
var THIN = 4;
var Picture = class {
  constructor(header, parts, choose) {
    this.header = header;
    this.parts = parts;
    this.choose = choose;
    this.decimals = decimalsOf(parts);
    this.title.textContent = `What each of ${parts.length} parts is worth; the table has the same numbers.`;
    this.node.append(this.title, this.said);
  }
  node = el("figure", { class: "picture" });
  title = words("figcaption", "", "unseen");
  said = el("p", { class: "pointed", "aria-hidden": "true" });
  slots = [];
  marks = /* @__PURE__ */ new Map();
  chosen = -1;
  width = 0;
  decimals;
  /** Draw for a width. */
  layout(width) {
    if (width === this.width || width < 100) return;
    this.width = width;
    this.node.querySelector("svg")?.remove();
    this.marks = /* @__PURE__ */ new Map();
    const rows = [...new Set(this.parts.map(({ row }) => row))], areHeads = rows.length > 1 || rows[0] !== "";
    const height = areHeads ? rows.length * (ROW + GAP + LABEL) : ALL_HEIGHT + LABEL;
    const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    const scale = scaleOf(this.parts);
    this.slots = areHeads ? rows.flatMap((row, i) => this.rowSlots(row, GAP + LABEL + i * (ROW + GAP + LABEL) - LABEL)) : this.ranked();
    if (areHeads) rows.forEach((row, i) => root.append(...this.rowTexts(row, GAP + i * (ROW + GAP + LABEL))));
    else root.append(text(LEFT, ALL_HEIGHT + LABEL - 3, "the neuron that is worth most first", "start"));
    for (const [top, high] of new Map(this.slots.map(({ top: top2, height: high2 }) => [top2, high2])))
      root.append(...axis(top, high, width, scale));
    for (const slot of this.slots) root.append(this.mark(slot, scale));
    root.addEventListener("click", (event) => this.at(event, (part) => this.choose(part)));
    root.addEventListener(
      "pointermove",
      (event) => this.at(event, (part) => {
        this.said.textContent = this.sentence(part);
      })
    );
    root.addEventListener("pointerleave", () => this.light(this.chosen));
    this.node.insertBefore(root, this.said);
    this.light(this.chosen);
  }
  /** Mark the chosen part. */
  light(index) {
    this.marks.get(this.chosen)?.classList.remove("chosen");
    this.chosen = index;
    this.marks.get(index)?.classList.add("chosen");
    if (index >= 0) this.said.textContent = this.sentence(this.parts[index]);
  }
  sentence(part) {
    const { value, low, high } = part.loss;
    return `${whole(part)}: without it the loss is ${fixed(Math.abs(value), this.decimals)} nats a ${this.header.target_unit} ${value < 0 ? "lower" : "higher"}, in 95 % of such samples of sentences between ${fixed(low, this.decimals)} and ${fixed(high, this.decimals)}.`;
  }
  at(event, act) {
    const box = event.currentTarget.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const found = this.slots.find(
      (slot) => x >= slot.x && x < slot.x + slot.width && y >= slot.top - GAP && y < slot.top + slot.height + LABEL
    );
    if (found) act(found.part);
  }
  rowSlots(row, top) {
    const own = this.parts.filter((part) => part.row === row), layers = new Set(own.map(({ layer }) => layer)).size;
    const width = (this.width - LEFT - (layers - 1) * LAYER_GAP) / own.length;
    return own.map((part, i) => ({
      part,
      x: LEFT + i * width + part.layer * LAYER_GAP,
      width,
      top,
      height: ROW
    }));
  }
  rowTexts(row, top) {
    const slots = this.rowSlots(row, top), layers = slots.filter(({ part }, i) => !i || slots[i - 1].part.layer !== part.layer);
    const title = (layer, x) => text(x, top - 4, layers.length > 4 ? `${layer}` : `${row}, layer ${layer}`, "start");
    const first = layers.length > 4 ? [text(this.width, top - 4, row, "end")] : [];
    return [...first, ...layers.map(({ part, x }) => title(part.layer, x))];
  }
  ranked() {
    const width = (this.width - LEFT) / this.parts.length;
    return ordered(this.parts, "loss").map((part, i) => ({
      part,
      x: LEFT + i * width,
      width,
      top: 6,
      height: ALL_HEIGHT - 6
    }));
  }
  mark({ part, x, width, top, height }, scale) {
    const y = (value) => top + height * (1 - (value - scale.low) / (scale.high - scale.low));
    const bar = Math.max(0.8, Math.min(0.62 * width, 26)), middle = x + width / 2, zero = y(0), end = y(part.loss.value);
    const kinds = ["mark", part.loss.value < 0 && "better", width < THIN && "thin"].filter(Boolean).join(" ");
    const group = svg(
      "g",
      { class: kinds },
      svg("rect", { class: "ground", x, y: top, width, height }),
      svg("rect", {
        class: "bar",
        x: middle - bar / 2,
        y: Math.min(zero, end),
        width: bar,
        height: Math.max(1, Math.abs(end - zero))
      }),
      svg("line", { class: "interval", x1: middle, x2: middle, y1: y(part.loss.high), y2: y(part.loss.low) })
    );
    const named = part.role ? `${part.number} ${this.header.names[part.role]}` : "", fits = named && named.length * LETTER <= width;
    if (part.row && width >= 11)
      group.append(
        text(middle, top + height + 12, fits ? named : `${part.number}`, "middle", fits ? "name" : "")
      );
    if (width >= NUMBER_FROM)
      group.append(
        text(middle, y(Math.max(part.loss.high, 0)) - 3, fixed(part.loss.value, this.decimals), "middle")
      );
    this.marks.set(part.index, group);
    return group;
  }
};
function scaleOf(parts) {
  const high = Math.max(...parts.map(({ loss }) => loss.high), 0), low = Math.min(...parts.map(({ loss }) => loss.value), 0);
  return { low: low - 0.02 * (high - low || 1), high: high + 0.2 * (high - low || 1) };
}
function axis(top, height, width, { low, high }) {
  const y = (value) => top + height * (1 - (value - low) / (high - low)), tick = roundBelow(high);
  return [
    svg("line", { class: "zero", x1: LEFT, x2: width, y1: y(0), y2: y(0) }),
    svg("line", { class: "tick", x1: LEFT, x2: width, y1: y(tick), y2: y(tick) }),
    text(LEFT - 6, y(0) + 4, "0", "end"),
    text(LEFT - 6, y(tick) + 4, String(tick), "end")
  ];
}
function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value)), digit = [5, 2, 1].find((each) => each * power <= value) ?? 1;
  return Number((digit * power).toPrecision(1));
}
function text(x, y, what, anchor, kind = "") {
  const node = svg("text", { x, y, "text-anchor": anchor, class: kind });
  node.textContent = what;
  return node;
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
function areLetters(unit) {
  return ["letter", "character"].includes(unit);
}

// explorer/views/worth/component/sentences.ts
var Sentences = class {
  constructor(header, open) {
    this.header = header;
    this.open = open;
  }
  node = el("section", { class: "sentences", "aria-live": "polite" });
  show(part) {
    const role = roleText(part, this.header.names), full = Math.max(...part.strongest.flatMap(({ losses }) => losses.map(Math.abs)));
    this.node.setAttribute("aria-label", `Sentences that need ${whole(part)} most`);
    this.node.replaceChildren(
      el(
        "h2",
        {},
        `Sentences that need ${part.row ? `head ${part.layer}.${part.number}` : part.name} most `,
        ...role ? [words("span", role, "role")] : []
      ),
      words(
        "p",
        `Bar: how much less log P a ${this.header.target_unit} of the reference has without it, up to ${fixed(full, 2)}. Below: what is then more probable.`,
        "what"
      ),
      el("ol", {}, ...part.strongest.map((each, i) => this.row(part, each, i, full)))
    );
  }
  row(part, each, i, full) {
    const text2 = each.source.map(visible).join(areLetters(this.header.source_unit) ? "" : " ");
    const way = (label, without, said) => button(
      { class: "open", text: label, "aria-label": `${said}: ${text2}` },
      () => this.open(part, i, without)
    );
    return el(
      "li",
      { class: areLetters(this.header.target_unit) ? "letters" : "" },
      el("div", { class: "texts" }, words("p", text2, "source"), this.reference(each, full)),
      el("span", { class: "cost" }, words("small", "log P"), words("span", fixed(-each.cost, 2))),
      el(
        "div",
        { class: "ways" },
        way("Look", false, "Look at it where it stands"),
        way("Without it", true, "What if it were off")
      )
    );
  }
  reference({ reference, best, losses }, full) {
    const tokens = reference.map((token, i) => {
      const isOther = best[i] !== token, bar = el("span", { class: losses[i] < 0 ? "bar better" : "bar" }, words("span", visible(token)));
      bar.style.setProperty("--loss", String(full ? Math.abs(losses[i]) / full : 0));
      const place = el(
        "span",
        { class: isOther ? "place other" : "place", title: `log P ${fixed(-losses[i], 3)}` },
        bar
      );
      if (isOther) place.append(words("span", visible(best[i]), "instead"));
      return place;
    });
    const said = reference.map((token, i) => best[i] === token ? visible(token) : `${visible(token)}, then ${visible(best[i])}`).join(" ");
    return el("div", { class: "places", role: "img", "aria-label": said }, ...tokens);
  }
};

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

// explorer/views/worth/component/table.ts
var AT_ONCE = 60;
var TITLES = {
  gold: ["gold", "share of the rows with a gold link whose largest weight is on a gold link"],
  previous: ["−1", "share of rows whose largest weight is one position before"],
  next: ["+1", "share of rows whose largest weight is one position after"],
  rest: [
    "rest",
    "share of rows whose largest weight is on the token of rest: EOS of the source, or BOS where the decoder reads itself"
  ]
};
var Table = class {
  constructor(header, parts, order, choose) {
    this.header = header;
    this.parts = parts;
    this.choose = choose;
    this.decimals = decimalsOf(parts);
    const columns = [
      ["place", header.roles.length ? "Head" : "Neuron", "in the order of the model"],
      ["loss", "Loss", "rise of the loss without it, in nats, and its interval"],
      ["exact", "Exact", "fall of the share of exact answers without it, and its interval"],
      ...header.places.map((place) => [place, ...TITLES[place]])
    ];
    const cells = columns.map(([key, name, tip]) => {
      const cell = el(
        "th",
        { scope: "col" },
        button({ title: tip, text: name }, () => order(key))
      );
      this.heads.set(key, cell);
      return cell;
    });
    this.node.append(
      el(
        "table",
        {},
        words("caption", "What each part is worth", "unseen"),
        el("thead", {}, el("tr", {}, ...cells)),
        this.body
      ),
      this.more
    );
    this.body.addEventListener("keydown", (event) => {
      const all = this.buttons(), at = all.indexOf(event.target), to = (place) => () => all.at(place)?.focus();
      if (at >= 0)
        actOn(event, {
          ArrowDown: to(Math.min(at + 1, all.length - 1)),
          ArrowUp: to(Math.max(at - 1, 0)),
          Home: to(0),
          End: to(-1)
        });
    });
  }
  node = el("div", { class: "table" });
  body = el("tbody");
  heads = /* @__PURE__ */ new Map();
  more = button({ class: "more" }, () => this.add());
  listed = [];
  nShown = 0;
  chosen = -1;
  decimals;
  show(order) {
    for (const [key, cell] of this.heads) {
      if (key === order) cell.setAttribute("aria-sort", key === "place" ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    }
    const before = this.nShown;
    this.listed = ordered(this.parts, order);
    this.nShown = 0;
    this.body.replaceChildren();
    this.add(Math.max(before, AT_ONCE));
    this.light(this.chosen);
  }
  /** Mark the chosen part. */
  light(index) {
    this.chosen = index;
    this.buttons().forEach((button2, i) => {
      const isChosen = this.listed[i].index === index;
      button2.setAttribute("aria-pressed", String(isChosen));
      button2.setAttribute(
        "tabindex",
        isChosen || i === 0 && !this.listed.slice(0, this.nShown).some((part) => part.index === index) ? "0" : "-1"
      );
      button2.closest("tr")?.classList.toggle("chosen", isChosen);
    });
  }
  buttons() {
    return [...this.body.querySelectorAll("button")];
  }
  add(count = AT_ONCE) {
    const next = this.listed.slice(this.nShown, this.nShown + count);
    this.body.append(...next.map((part) => this.row(part)));
    this.nShown += next.length;
    const left = this.listed.length - this.nShown;
    this.more.hidden = !left;
    this.more.textContent = `${formatCount(Math.min(AT_ONCE, left))} more of ${formatCount(left)}`;
    this.light(this.chosen);
  }
  row(part) {
    const role = roleText(part, this.header.names);
    const button2 = el(
      "button",
      {
        type: "button",
        "aria-label": `${whole(part)}${role ? `, ${role}` : ""}: show the sentences that need it most`
      },
      words("b", part.row ? `${part.layer}.${part.number}` : part.name),
      ...part.row ? [` ${part.row}`] : [],
      ...role ? [words("small", role, "role")] : []
    );
    const row = el(
      "tr",
      {},
      el("th", { scope: "row" }, button2),
      estimate(part.loss, this.decimals),
      estimate(part.exact, 3),
      ...this.header.places.map((place) => share(part.shares[place], part.role === place))
    );
    row.addEventListener("click", () => this.choose(part));
    return row;
  }
};
function estimate({ value, low, high }, decimals) {
  return el(
    "td",
    {},
    words("span", fixed(value, decimals)),
    words("small", `${fixed(low, decimals)} to ${fixed(high, decimals)}`)
  );
}
function share(value, isName) {
  const cell = el("td", { class: isName ? "share named" : "share" }, value === null ? "" : fixed(value, 2));
  if (value !== null) cell.style.setProperty("--part", String(value));
  return cell;
}

// explorer/views/worth/component/view.ts
var PHONE = 640;
var BESIDE = 900;
var LEAST_TABLE = 420;
var BELOW = 16;
var WorthView = class {
  constructor(root, signal) {
    this.root = root;
    onResize(root, () => this.layout(), signal);
  }
  reports = new Reports();
  shown = null;
  tell(name, what) {
    if (this.shown) this.reports.tell(name, { key: this.shown.header.key, ...what });
  }
  layout() {
    if (!this.root.clientWidth) return;
    const size = window.innerWidth < PHONE ? "phone" : this.root.clientWidth < BESIDE ? "narrow" : "wide";
    this.root.dataset.look = themeOf(this.root);
    this.root.dataset.size = size;
    const height = Math.max(LEAST_TABLE, window.innerHeight - topOf(this.root) - BELOW);
    this.root.style.setProperty("--height", size === "wide" ? `${height}px` : "none");
    this.shown?.layout();
  }
  update({ data, setStateValue }) {
    this.reports.through(setStateValue);
    const payload = readPayload(data);
    if (this.shown?.header.key !== payload.header.key) {
      this.shown = new Shown(payload.header, partsOf(payload), this);
    } else if (payload.header.report >= this.reports.last) this.shown.take(payload.header.looked);
    this.layout();
  }
};
var Shown = class {
  constructor(header, parts, view) {
    this.header = header;
    this.parts = parts;
    this.view = view;
    this.looked = header.looked;
    const choose = (part) => this.choose({ chosen: part.index });
    this.picture = new Picture(header, parts, choose);
    this.table = new Table(header, parts, (order) => this.choose({ order }), choose);
    this.sentences = new Sentences(
      header,
      (part, pair, without) => view.tell("opened", { part: part.index, pair, without })
    );
    view.root.replaceChildren(
      this.figures(),
      el(
        "div",
        { class: "beside" },
        el("div", { class: "left" }, this.picture.node, this.sentences.node),
        el("div", { class: "right" }, this.table.node, ...this.notes())
      )
    );
    this.draw();
  }
  looked;
  picture;
  table;
  sentences;
  layout() {
    this.picture.layout(this.picture.node.clientWidth);
  }
  /** What Python says is looked at, as after a step back in the browser's history. */
  take(looked) {
    if (JSON.stringify(looked) === JSON.stringify(this.looked)) return;
    this.looked = looked;
    this.draw();
  }
  choose(part) {
    this.looked = { ...this.looked, ...part };
    this.draw();
    this.view.tell("looked", this.looked);
  }
  draw() {
    const chosen = chosenOf(this.parts, this.looked);
    this.table.show(this.looked.order);
    this.table.light(chosen.index);
    this.picture.light(chosen.index);
    this.sentences.show(chosen);
  }
  figures() {
    const { n_pairs, n_available, n_exact, loss, split, target_unit, changed } = this.header;
    const first = n_pairs < n_available ? `the first ${formatCount(n_pairs)} of ${formatCount(n_available)}` : formatCount(n_pairs);
    return el(
      "p",
      { class: "figures" },
      `Over ${first} ${split} pairs; with all parts: `,
      words("b", `${formatCount(n_exact)} exact`),
      ", loss ",
      words("b", fixed(loss, 3)),
      ` nats a ${target_unit}. Intervals: 95 %, over sentences.`,
      ...changed ? [" Measured as the model was trained, without your changes."] : []
    );
  }
  notes() {
    const { rule, no_gold, python } = this.header;
    const python_ = el(
      "details",
      { class: "python" },
      words("summary", "The same in Python"),
      el("pre", {}, words("code", python))
    );
    return [...[rule, no_gold].filter(Boolean).map((text2) => words("p", text2, "rule")), python_];
  }
};
var view_default = mounted(".worth", (root, signal) => new WorthView(root, signal));
export default view_default;
