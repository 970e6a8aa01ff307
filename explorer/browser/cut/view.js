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
  const stops = colours.map(channels), fill = [], text = [], pixels = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    const place = i / 255 * 5, left = Math.min(4, Math.floor(place));
    const [red, green, blue] = stops[left].map(
      (c, k) => Math.round(c + (stops[left + 1][k] - c) * (place - left))
    );
    const mixed = [red, green, blue], light = luminance(mixed);
    pixels[i] = pixelOf(mixed);
    fill.push(`rgb(${mixed.join()})`);
    text.push((light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000" : "#fff");
  }
  return { fill, text, pixels };
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
function prepareCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  return { context: canvas.getContext("2d"), ratio };
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
function signedScale(limit) {
  const place = (value) => limit > 0 ? Math.abs(value) / limit : Number(value !== 0);
  return {
    kind: "signed",
    limit,
    place,
    ramp: (value) => value < 0 ? "minus" : "plus",
    // The limit itself is a float32 that has been through a division.
    beyond: (value) => Math.abs(value) > limit * 1.000001,
    faint: (value) => place(value) < 0.1,
    bold: () => false,
    write: shortNumber
  };
}
function shortNumber(value) {
  const size = Math.abs(value);
  if (size >= 9999.5 && Number.isFinite(value))
    return `${value < 0 ? "−" : ""}1e${Math.floor(Math.log10(size))}`;
  return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}
function shadeOf({ ramps }, scale, value) {
  const ramp = ramps[scale.ramp(value)], index = rampIndex(scale.place(value));
  return { fill: ramp.fill[index], text: ramp.text[index] };
}
function hatch(look, ratio) {
  const tile = document.createElement("canvas"), size = Math.round(7 * ratio);
  tile.width = tile.height = size;
  const context = tile.getContext("2d");
  context.strokeStyle = look.hatch;
  context.lineWidth = 1.1 * ratio;
  context.beginPath();
  for (const start of [-size, 0, size]) {
    context.moveTo(start, size);
    context.lineTo(start + size, 0);
  }
  context.stroke();
  return tile;
}
function cellPainter(context, look, ratio, scale, fontSize = 0) {
  return new CellPainter(context, look, ratio, scale, fontSize);
}
var CellPainter = class {
  constructor(context, look, ratio, scale, fontSize) {
    this.context = context;
    this.look = look;
    this.ratio = ratio;
    this.scale = scale;
    this.fontSize = fontSize;
    context.textAlign = "center";
    context.textBaseline = "middle";
  }
  // One pattern for the whole plane, so that the lines of the hatch run on from cell to cell.
  pattern = null;
  masked(...box) {
    this.context.fillStyle = this.pattern ??= this.context.createPattern(
      hatch(this.look, this.ratio),
      "repeat"
    );
    this.context.fillRect(...box);
  }
  cell(value, ...box) {
    if (Number.isNaN(value)) return this.cross(...box);
    const { look, scale, ratio } = this, [, , width, height] = box;
    const { fill, text } = shadeOf(look, scale, value), isFinite = Number.isFinite(value);
    const isNo = scale.kind === "mask" && !value;
    if (isNo) this.masked(...box);
    else {
      this.context.fillStyle = fill;
      this.context.fillRect(...box);
    }
    if (isFinite && scale.beyond(value)) this.cutCorner(...box);
    const size = this.fontSize || (!isFinite && Math.min(width, height) >= 14 * ratio ? 12 * ratio : 0);
    const colour = isNo || scale.faint(value) ? look.mute : text;
    if (size) this.write(value, size, colour, box, isNo);
    else if (!isFinite) this.dot(...box);
  }
  write(value, size, colour, [x, y, width, height], isOnHatch) {
    const { context, look, scale } = this, text = scale.write(value);
    context.font = `${scale.bold(value) ? 600 : 400} ${size}px ${look.family}`;
    if (isOnHatch) {
      const paper = context.measureText(text).width + 6 * this.ratio;
      context.fillStyle = look.bg;
      context.fillRect(x + (width - paper) / 2, y + (height - size * 1.2) / 2, paper, size * 1.2);
    }
    context.fillStyle = colour;
    context.fillText(text, x + width / 2, y + height / 2 + size * 0.06);
  }
  cross(x, y, width, height) {
    const { context } = this;
    context.strokeStyle = this.look.error;
    context.lineWidth = Math.max(1, height / 20);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + width, y + height);
    context.moveTo(x + width, y);
    context.lineTo(x, y + height);
    context.stroke();
  }
  // A value beyond the scale keeps the end colour and loses its top right corner.
  cutCorner(x, y, width, height) {
    const { context } = this;
    context.fillStyle = this.look.bg;
    context.beginPath();
    context.moveTo(x + width * 0.65, y);
    context.lineTo(x + width, y);
    context.lineTo(x + width, y + height * 0.35);
    context.fill();
  }
  dot(x, y, width, height) {
    const { context } = this;
    context.fillStyle = this.look.bg;
    context.beginPath();
    context.arc(x + width / 2, y + height / 2, Math.min(width, height) / 4, 0, 2 * Math.PI);
    context.fill();
  }
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
function words(tag, text, name) {
  return el(tag, name ? { class: name, text } : { text });
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

// explorer/browser/shared/pen.ts
function penOn(canvas, width, height, look) {
  const ratio = window.devicePixelRatio || 1, size = [Math.round(width * ratio), Math.round(height * ratio)], context = canvas.getContext("2d");
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return new Pen(context, look);
}
var Pen = class {
  /** isTurned: whether x and y change places, so that one code draws a picture across a screen and down a phone. */
  constructor(context, look, isTurned = false) {
    this.context = context;
    this.look = look;
    this.isTurned = isTurned;
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = false;
  }
  alpha = 1;
  /** Where a point stands on the canvas. */
  place(x, y) {
    return this.isTurned ? [y, x] : [x, y];
  }
  /** Draw something fainter than all around it is. */
  faint(share, draw) {
    if (share <= 0) return;
    const before = this.alpha;
    this.context.globalAlpha = this.alpha = before * share;
    try {
      draw();
    } finally {
      this.context.globalAlpha = this.alpha = before;
    }
  }
  fill(x, y, width, height, colour) {
    this.context.fillStyle = colour;
    this.context.fillRect(...this.place(x, y), ...this.place(width, height));
  }
  box(x, y, width, height, radius, paint) {
    const { context } = this;
    context.beginPath();
    context.roundRect(...this.place(x, y), ...this.place(width, height), radius);
    if (paint.fill) {
      context.fillStyle = paint.fill;
      context.fill();
    }
    if (paint.stroke) this.stroke(paint.stroke, paint.width ?? 1, paint.dash);
  }
  /** A frame along the edges of a rectangle. */
  frame(x, y, width, height, colour, line, dash = []) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.setLineDash(dash);
    context.strokeRect(...this.place(x, y), ...this.place(width, height));
    context.setLineDash([]);
  }
  line(points, colour, width, radius = 0, dash) {
    const { context } = this, [first, ...others] = points.map(([x, y]) => this.place(x, y));
    context.beginPath();
    context.moveTo(...first);
    others.forEach((point, i) => {
      const next = others.at(i + 1), before = i ? others[i - 1] : first;
      if (!next || !radius) context.lineTo(...point);
      else
        context.arcTo(
          ...point,
          ...next,
          Math.min(
            radius,
            Math.hypot(point[0] - before[0], point[1] - before[1]) / 2,
            Math.hypot(next[0] - point[0], next[1] - point[1]) / 2
          )
        );
    });
    this.stroke(colour, width, dash);
  }
  stroke(colour, width, dash) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    if (dash) context.setLineDash(dash);
    context.stroke();
    if (dash) context.setLineDash([]);
  }
  /** A surface between corners. */
  area(corners, colour) {
    const { context } = this;
    context.fillStyle = colour;
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(...this.place(x, y));
    context.fill();
  }
  /** Part of a picture, as it lies in its canvas, into a place. */
  image(source, part, x, y, width, height) {
    this.context.drawImage(source, ...part, ...this.place(x, y), ...this.place(width, height));
  }
  setFont(form) {
    this.context.font = `${form.weight ?? 400} ${form.size ?? 12.5}px ${this.look.family}`;
  }
  measure(text, form) {
    this.setFont(form);
    return this.context.measureText(text).width;
  }
  text(text, x, y, colour, form = {}) {
    const { context } = this;
    this.setFont(form);
    context.fillStyle = colour;
    context.textAlign = form.align ?? "left";
    context.textBaseline = "middle";
    context.fillText(text, ...this.place(x, y), form.most);
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
function safe(text) {
  return text.replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}
function clip(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

// explorer/browser/cut/view.ts
var LEFT = 190;
var WIDEST = 150;
var HEIGHT = 84;
var NAMES = 40;
var BETWEEN = 28;
var MOST_CELLS = 14;
var BARS = 190;
var SMALL = 9;
var WORDS = 24;
var NUMBERS = 26;
var PHONE = 640;
var LINE = 46;
var TITLE = 72;
var LABELS = 104;
var Cut = class {
  constructor(root, signal) {
    this.root = root;
    root.append(this.canvas, el("div", { class: "unseen" }, this.table));
    onResize(root, () => this.draw(), signal);
  }
  canvas = el("canvas", { role: "img" });
  table = el("table");
  rows = [];
  small = null;
  update({ data }) {
    const { rows = [], small, said } = readJson(data);
    this.rows = rows.map((row) => ({ ...row, values: row.values.map(numberOf) }));
    this.small = small ? { ...small, values: small.values.map((line) => line.map(Number)) } : null;
    this.canvas.setAttribute("aria-label", said);
    this.table.replaceChildren(...this.rows.map(lineOf), ...(this.small?.values ?? []).map(lineOfNumbers));
    this.draw();
  }
  draw() {
    const { rows, small, root } = this, look = readLook(root);
    if (small) drawSmall(this.canvas, look, small);
    else if (rows.length && root.clientWidth) drawRows(this.canvas, look, rows, root.clientWidth);
  }
};
function lineOf({ title, name, labels, values, texts }) {
  const cells = values.map(
    (value, i) => words("td", `${visible(labels[i])} ${value === null ? "covered" : texts[i]}`)
  );
  return el("tr", {}, words("th", `${title} ${visible(name)}`), ...cells);
}
function lineOfNumbers(values) {
  return el("tr", {}, ...values.map((value) => words("td", String(value))));
}
function numberOf(value) {
  return value === null ? null : Number(value);
}
function limitOf(values) {
  return Math.max(1e-9, ...values.map((value) => Number.isFinite(value) ? Math.abs(value) : 0));
}
function scaleOf(kind, values) {
  return kind === "weight" ? WEIGHTS : signedScale(limitOf(values));
}
function penFor(canvas, width, height, look) {
  prepareCanvas(canvas, width, height);
  return penOn(canvas, width, height, look);
}
function drawSmall(canvas, look, { values, row, scale: kind }) {
  const width = values[0].length * SMALL, scale = scaleOf(kind, values.flat()), pen = penFor(canvas, width + 4, values.length * SMALL + 4, look);
  const painter = cellPainter(pen.context, look, 1, scale);
  values.forEach(
    (line, i) => line.forEach((value, k) => painter.cell(value, 2 + k * SMALL, 2 + i * SMALL, SMALL - 0.5, SMALL - 0.5))
  );
  pen.frame(1, 1 + row * SMALL, width + 2, SMALL + 1, look.target, 2);
}
function drawRows(canvas, look, rows, width) {
  if (width < PHONE && rows.every(isShort) && rows.every((row) => row.values.length === rows[0].values.length)) {
    drawOnEnd(canvas, look, rows, width);
    return;
  }
  const left = width < PHONE ? 0 : LEFT, above = width < PHONE ? TITLE : 0;
  const heights = rows.map((row) => above + NAMES + (isShort(row) ? HEIGHT : BARS + NAMES) + BETWEEN);
  const pen = penFor(
    canvas,
    width,
    heights.reduce((sum, each) => sum + each, 0),
    look
  );
  let y = 0;
  rows.forEach((row, i) => {
    new RowPainter(pen, row, { left, above, width, top: y }).draw();
    y += heights[i];
  });
}
function isShort(row) {
  return row.values.length <= MOST_CELLS;
}
function drawOnEnd(canvas, look, rows, width) {
  const pen = penFor(canvas, width, TITLE + rows[0].values.length * LINE + 4, look), cell = Math.min(WIDEST, (width - LABELS) / rows.length);
  rows[0].labels.forEach((label, place) => {
    const weight = rows[0].framed.includes(place) ? 700 : 400;
    pen.text(visible(label), LABELS - 10, TITLE + (place + 0.5) * LINE, colourOf(look, rows[0].label_side), {
      size: WORDS,
      weight,
      align: "right",
      most: LABELS - 12
    });
  });
  rows.forEach((row, i) => {
    const x = LABELS + i * cell, scale = scaleOf(row.scale, row.values);
    pen.text(row.title, x + cell / 2, TITLE - 52, look.ink, {
      size: WORDS,
      weight: 650,
      align: "center",
      most: cell - 6
    });
    pen.text(visible(row.name), x + cell / 2, TITLE - 22, colourOf(look, row.side), {
      size: WORDS,
      weight: 600,
      align: "center",
      most: cell - 6
    });
    row.values.forEach(
      (_, place) => drawNumber(pen, row, place, scale, {
        x: x + 2,
        y: TITLE + place * LINE + 2,
        width: cell - 4,
        height: LINE - 4
      })
    );
    for (const place of row.framed)
      drawFrame(pen, { x: x + 2, y: TITLE + place * LINE + 2, width: cell - 4, height: LINE - 4 });
  });
}
function colourOf(look, side) {
  return look[side === "source" || side === "target" ? side : "ink2"];
}
function drawNumber(pen, row, place, scale, { x, y, width, height }) {
  const { context, look } = pen, value = row.values[place], middle = [x + width / 2, y + height / 2];
  if (value === null) {
    pen.frame(x + 2, y + 2, width - 4, height - 4, look.line2, 1.5, [5, 5]);
    pen.text("?", ...middle, look.mute, { size: NUMBERS, weight: 650, align: "center", most: width });
    return;
  }
  const { fill, text } = shadeOf(look, scale, value);
  if (Number.isFinite(value)) cellPainter(context, look, 1, scale).cell(value, x, y, width, height);
  else pen.fill(x, y, width, height, fill);
  pen.text(row.texts[place], ...middle, text, {
    size: NUMBERS,
    weight: row.framed.includes(place) ? 700 : 400,
    align: "center",
    most: width - 6
  });
}
function drawFrame(pen, { x, y, width, height }) {
  pen.frame(x, y, width, height, pen.look.ink, 4);
}
var RowPainter = class {
  constructor(pen, row, room) {
    this.pen = pen;
    this.row = row;
    this.room = room;
    this.scale = scaleOf(row.scale, row.values);
    this.cell = Math.min(WIDEST, (room.width - room.left - 4) / row.values.length);
    this.top = room.top + room.above;
  }
  scale;
  cell;
  top;
  draw() {
    const {
      row,
      top,
      room,
      pen,
      pen: { look }
    } = this, isWide = !isShort(row), middle = room.above ? room.top + TITLE / 2 : top + NAMES + (isWide ? BARS : HEIGHT) / 2;
    const most = room.above ? room.width : LEFT - 12;
    pen.text(row.title, 0, middle - (row.name ? 15 : 0), look.ink, { size: WORDS, weight: 650, most });
    if (row.name)
      pen.text(visible(row.name), 0, middle + 17, colourOf(look, row.side), {
        size: WORDS,
        weight: 600,
        most
      });
    if (isWide) this.bars();
    else row.values.forEach((_, place) => this.one(place));
    for (const place of row.framed) this.frame(place, isWide);
  }
  one(place) {
    const {
      row,
      cell,
      pen,
      pen: { look },
      room
    } = this, x = room.left + place * cell, y = this.top + NAMES;
    pen.text(visible(row.labels[place]), x + cell / 2, y - 18, colourOf(look, row.label_side), {
      size: WORDS,
      weight: row.framed.includes(place) ? 700 : 400,
      align: "center",
      most: cell - 6
    });
    drawNumber(pen, row, place, this.scale, { x, y, width: cell - 2, height: HEIGHT });
  }
  /** More numbers than cells could be read: their lengths, and those that are framed in words. */
  bars() {
    const {
      pen,
      pen: { look },
      row,
      cell,
      room
    } = this, zero = this.top + NAMES + BARS / 2, limit = limitOf(row.values);
    pen.fill(room.left, zero - 0.5, cell * row.values.length, 1, look.line2);
    row.values.forEach((value, place) => {
      if (value === null) return;
      const size = Math.max(-1, Math.min(1, value / limit)) * (BARS / 2);
      pen.fill(
        room.left + place * cell,
        Math.min(zero, zero - size),
        Math.max(1, cell - (cell > 4 ? 1.5 : 0)),
        Math.max(1, Math.abs(size)),
        value < 0 ? look.negative : look.positive
      );
    });
    if (row.values.every((value) => value === null))
      pen.text("?", room.left + cell * row.values.length / 2, zero, look.mute, {
        size: 40,
        weight: 650,
        align: "center",
        most: 100
      });
  }
  frame(place, isWide) {
    const { pen, row, cell, room } = this, x = room.left + place * cell, y = this.top + NAMES;
    drawFrame(pen, {
      x: x - (isWide ? 2 : 0),
      y,
      width: Math.max(6, cell - 2),
      height: isWide ? BARS : HEIGHT
    });
    if (!isWide || row.values[place] === null) return;
    const at = Math.min(Math.max(room.left, x), Math.max(room.left, room.width - 260));
    pen.text(`${visible(row.labels[place])}: ${row.texts[place]}`, at, y + BARS + 22, pen.look.ink, {
      size: WORDS,
      weight: 650,
      most: 400
    });
  }
};
var view_default = mounted(".cut", (root, signal) => new Cut(root, signal));
export default view_default;
