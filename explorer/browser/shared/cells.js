// Made from cells.ts by "make browser".
function cellSize(longest, columns, room) {
  if (longest <= 8) return Math.max(34, Math.min(48, Math.floor(room / columns)));
  if (longest <= 16) return 34;
  if (longest <= 32) return 20;
  if (longest <= 64) return 10;
  return Math.max(2, Math.min(10, Math.floor(room / columns)));
}
function shownLabels(cell, marked) {
  const every = Math.ceil(14 / cell);
  const crowd = Math.ceil(15 / cell);
  return (i) => marked.includes(i) || i % every === 0 && (every === 1 || marked.every((m) => Math.abs(m - i) >= crowd));
}
const WEIGHTS = {
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
function sizeScale(limit) {
  const place = (value) => limit > 0 ? value / limit : 0;
  return {
    kind: "size",
    limit,
    place,
    ramp: () => "weight",
    beyond: (value) => value > limit * 1.000001 || value < 0,
    faint: (value) => place(value) < 0.1,
    bold: () => false,
    write: shortNumber
  };
}
const MASK = {
  kind: "mask",
  ramp: () => "weight",
  place: (value) => value ? 0.6 : 0,
  beyond: () => false,
  faint: (value) => !value,
  bold: () => false,
  write: (value) => value ? "yes" : "no"
};
function shortNumber(value) {
  const size = Math.abs(value);
  if (size >= 9999.5 && Number.isFinite(value)) return `${value < 0 ? "−" : ""}1e${Math.floor(Math.log10(size))}`;
  return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
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
class CellPainter {
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
    this.context.fillStyle = this.pattern ??= this.context.createPattern(hatch(this.look, this.ratio), "repeat");
    this.context.fillRect(...box);
  }
  cell(value, ...box) {
    if (Number.isNaN(value)) return this.cross(...box);
    const { look, scale, ratio } = this, [, , width, height] = box;
    const ramp = look.ramps[scale.ramp(value)], index = rampIndex(scale.place(value)), isFinite = Number.isFinite(value);
    const isNo = scale.kind === "mask" && !value;
    if (isNo) this.masked(...box);
    else {
      this.context.fillStyle = ramp.fill[index];
      this.context.fillRect(...box);
    }
    if (isFinite && scale.beyond(value)) this.cutCorner(...box);
    const size = this.fontSize || (!isFinite && Math.min(width, height) >= 14 * ratio ? 12 * ratio : 0);
    const colour = isNo || scale.faint(value) ? look.mute : ramp.text[index];
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
}
function pixelSheet(look, scale, rows, columns, value, masked) {
  const pixels = new ImageData(columns, rows), data = new Uint32Array(pixels.data.buffer);
  let at = 0;
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++, at++) {
    const number = value(row, column);
    if (masked(row, column) || scale.kind === "mask" && !number) continue;
    data[at] = Number.isNaN(number) ? look.errorPixel : look.ramps[scale.ramp(number)].pixels[rampIndex(scale.place(number))];
  }
  const sheet = document.createElement("canvas");
  sheet.width = columns;
  sheet.height = rows;
  sheet.getContext("2d").putImageData(pixels, 0, 0);
  return sheet;
}
function drawSheet(canvas, sheet, { width, height }) {
  const { context } = prepareCanvas(canvas, width, height);
  context.imageSmoothingEnabled = false;
  context.drawImage(sheet, 0, 0, canvas.width, canvas.height);
  return context;
}
