// Made from view.ts by "make browser".
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

// explorer/browser/shared/cells.ts
var WEIGHTS = {
  kind: "weight",
  ramp: () => "weight",
  place: (value) => value,
  beyond: (value) => value > 1.00001 || value < 0,
  faint: (value) => value < 0.1,
  bold: (value) => value >= 0.3,
  write: (value) => fixed(value, 2)
};

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

// explorer/views/update/component/view.ts
var PARTS = [
  ["gradient", "g"],
  ["clipped", "g, clipped"],
  ["change", "Δ"],
  ["weight", "w′"]
];
var NARROW = 1100;
var WIDTH = 190;
var HEIGHT = 122;
var MIDDLE = WIDTH / 2;
var REACH = 52;
var RISE = 26;
var GROUND = 62;
var Story = class {
  constructor(root, signal) {
    this.root = root;
    root.append(
      el(
        "section",
        { class: "batch", "aria-label": "The batch and the loss of each label" },
        el(
          "div",
          { class: "heads" },
          title(1, "The batch", this.said),
          title(2, "The loss of each label", this.loss)
        ),
        this.batch
      ),
      el("section", { "aria-label": "One weight’s gradient" }, this.gradient),
      el("section", { "aria-label": "Its step" }, this.step)
    );
    onResize(
      root,
      () => {
        root.dataset.room = root.clientWidth < NARROW ? "narrow" : "wide";
      },
      signal
    );
  }
  reports = new Reports();
  batch = el("div", { class: "rows" });
  said = words("p", "", "said");
  loss = words("p", "", "said");
  gradient = el("div", { class: "pane gradient" });
  step = el("div", { class: "pane step" });
  header;
  update({ data, setStateValue }) {
    this.reports.through(setStateValue);
    this.header = readPayload(data).header;
    const { said } = this.header;
    this.said.textContent = said.batch;
    this.loss.textContent = said.loss;
    this.drawBatch(readLook(this.root));
    this.drawGradient();
    this.drawStep();
  }
  ask(what) {
    this.reports.tell("ask", { key: this.header.key, ...what });
  }
  drawBatch(look) {
    const { rows, pair, largest } = this.header, { fill, text: text2 } = look.ramps.weight;
    this.batch.replaceChildren(
      ...rows.flatMap((row) => {
        const source = button(
          {
            class: "source",
            "aria-pressed": row.pair === pair,
            "aria-label": `pair ${row.pair}: ${row.source.map(visible).join(" ")}`
          },
          () => this.reports.tell("pair", { key: this.header.key, pair: row.pair }),
          words("i", row.pair),
          ...row.source.map((token) => words("span", visible(token)))
        );
        const labels = el(
          "div",
          { class: row.pair === pair ? "labels chosen" : "labels" },
          ...row.labels.map((token, position) => {
            const value = row.losses[position], at = rampIndex(WEIGHTS.place(largest ? value / largest : 0)), name = `${visible(token)}: loss ${fixed(value, 3)}`;
            return button(
              {
                class: "label",
                title: name,
                "aria-label": `${name}, explain`,
                style: `background:${fill[at]};color:${text2[at]}`
              },
              () => this.ask({ part: "token_loss", pair: row.pair, position }),
              words("b", visible(token)),
              words("small", fixed(value, value < 10 ? 1 : 0))
            );
          })
        );
        return [source, labels];
      })
    );
  }
  drawGradient() {
    const { terms, rest, gradient, weight } = this.header, largest = Math.max(
      ...terms.map(({ value }) => Math.abs(value)),
      Math.abs(rest.value),
      Math.abs(gradient),
      Number.MIN_VALUE
    );
    const line = (name, value, kind = "") => el(
      "div",
      { class: `term ${kind}` },
      name,
      el("span", { class: "bar" }, bar(value / largest)),
      words("span", formatSigned(value), "value")
    );
    const shares = terms.map(
      ({ token, side, where, value }) => line(
        el("span", { class: "name" }, words("b", visible(token), side), ...where ? [` ${where}`] : []),
        value
      )
    );
    const others = rest.count ? [line(words("span", `${rest.count.toLocaleString("en-US")} others`, "name"), rest.value)] : [];
    this.gradient.replaceChildren(
      title(3, "One weight’s gradient", words("p", `${weight}, token by token`, "said")),
      ...shares,
      ...others,
      line(el("span", { class: "name" }, words("b", "g")), gradient, "sum")
    );
  }
  /** The loss as it is around the weight, a slope, and the step on it. */
  drawStep() {
    const { gradient, change, numbers } = this.header, slope = -Math.sign(gradient), to = MIDDLE + REACH * Math.sign(change);
    const y = (x) => GROUND + slope * RISE * (x - MIDDLE) / REACH;
    const picture = svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        width: WIDTH,
        height: HEIGHT,
        role: "img",
        "aria-label": this.spoken()
      },
      svg("line", { class: "slope", x1: 8, x2: WIDTH - 8, y1: y(8), y2: y(WIDTH - 8) }),
      text(
        "loss",
        slope > 0 ? 8 : WIDTH - 8,
        y(slope > 0 ? 8 : WIDTH - 8) - 8,
        slope > 0 ? "start" : "end",
        "mute"
      ),
      svg("line", { class: "axis", x1: 8, x2: WIDTH - 8, y1: HEIGHT - 20, y2: HEIGHT - 20 }),
      ...change ? [
        svg("path", {
          class: "move",
          d: `M${MIDDLE} ${HEIGHT - 20}L${to} ${HEIGHT - 20}m${-6 * Math.sign(change)} -4l${6 * Math.sign(change)} 4l${-6 * Math.sign(change)} 4`
        })
      ] : [],
      svg("circle", { class: "before", cx: MIDDLE, cy: y(MIDDLE), r: 6 }),
      svg("circle", { class: "after", cx: to, cy: y(to), r: 6 }),
      text("w", MIDDLE, HEIGHT - 6, "middle", "mute"),
      ...change ? [text("w′", to, HEIGHT - 6, "middle", "")] : []
    );
    const links = PARTS.map(
      ([part, sign]) => button(
        { class: "number", "aria-label": `${sign} ${numbers[part]}, explain` },
        () => this.ask({ part }),
        words("i", sign),
        words("span", numbers[part])
      )
    );
    this.step.replaceChildren(
      title(4, "Its step", words("p", `w before: ${numbers.weight_before}`, "said")),
      picture,
      el("div", { class: "numbers" }, ...links)
    );
  }
  spoken() {
    const { gradient, change, numbers } = this.header, rises = gradient > 0 ? "rises" : "falls";
    return `The loss ${rises} with this weight; Adam moves it by ${numbers.change}, ${gradient * change <= 0 ? "down the slope" : "up the slope, as the updates before have pointed"}.`;
  }
};
function title(number, name, said) {
  return el("div", { class: "title" }, el("h2", {}, words("span", number, "place"), name), said);
}
function text(content, x, y, anchor, name) {
  const node = svg("text", { x, y, "text-anchor": anchor, class: name });
  node.textContent = content;
  return node;
}
function bar(share) {
  const width = 50 * Math.min(1, Math.abs(share));
  return el("u", {
    class: share < 0 ? "minus" : "plus",
    style: `left:${share < 0 ? 50 - width : 50}%;width:${width}%`
  });
}
var view_default = mounted(".update-story", (root, signal) => new Story(root, signal));
export default view_default;
