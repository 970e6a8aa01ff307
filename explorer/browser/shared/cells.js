// The cells of a matrix on a canvas: how large they are, which colour a number has, and what else is drawn in one.

/** Cell size by the longer side, shrunk for few and for very many columns until the picture fits the room. */
function cellSize(longest, columns, room) {
  if (longest <= 8) return Math.max(34, Math.min(48, Math.floor(room / columns)));
  if (longest <= 16) return 34;
  if (longest <= 32) return 20;
  if (longest <= 64) return 10;
  return Math.max(2, Math.min(10, Math.floor(room / columns)));
}

/** Every 4th or 10th label where cells are smaller than a line of text, with the marked ones always there. */
function shownLabels(count, cell, longest, marked) {
  const every = longest <= 32 ? 1 : longest <= 64 ? 4 : 10;
  const crowd = Math.ceil(15 / cell);
  return (i) => marked.includes(i) || (i % every === 0 && (every === 1 || marked.every((m) => Math.abs(m - i) >= crowd)));
}

// A scale says of a value which ramp it is on and how far along, whether it lies beyond, and what a cell writes.
const WEIGHTS = {
  kind: "weight", ramp: () => "weight", place: (value) => value,
  beyond: (value) => value > 1.00001 || value < 0,
  faint: (value) => value < 0.1, bold: (value) => value >= 0.3, write: (value) => fixed(value, 2),
};
/** Symmetric around 0, up to a limit on both sides. */
function signedScale(limit) {
  const place = (value) => (limit > 0 ? Math.abs(value) / limit : Number(value !== 0));
  return {
    kind: "signed", limit, place, ramp: (value) => (value < 0 ? "minus" : "plus"),
    // The limit itself is a float32 that has been through a division.
    beyond: (value) => Math.abs(value) > limit * 1.000001,
    faint: (value) => place(value) < 0.1, bold: () => false, write: shortNumber,
  };
}
/** In one colour from 0 to the largest, for what is never below 0. */
function sizeScale(limit) {
  const place = (value) => (limit > 0 ? value / limit : 0);
  return {
    kind: "size", limit, place, ramp: () => "weight",
    beyond: (value) => value > limit * 1.000001 || value < 0,
    faint: (value) => place(value) < 0.1, bold: () => false, write: shortNumber,
  };
}
/** Yes or no. */
const MASK = {
  kind: "mask", ramp: () => "weight", place: (value) => (value ? 0.6 : 0), beyond: () => false,
  faint: (value) => !value, bold: () => false, write: (value) => (value ? "yes" : "no"),
};
/** Two decimals, or as many as five letters have room for. */
function shortNumber(value) {
  const size = Math.abs(value);
  if (size >= 9999.5 && Number.isFinite(value)) return `${value < 0 ? "−" : ""}1e${Math.floor(Math.log10(size))}`;
  return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

/** A tile of the hatch for what is masked: lines at 45°, 5 px apart. */
function hatch(look, ratio) {
  const tile = document.createElement("canvas"), size = Math.round(7 * ratio);
  tile.width = tile.height = size;
  const context = tile.getContext("2d");
  context.strokeStyle = look.hatch;
  context.lineWidth = 1.1 * ratio;
  context.beginPath();
  for (const start of [-size, 0, size]) { context.moveTo(start, size); context.lineTo(start + size, 0); }
  context.stroke();
  return tile;
}

/**
 * Paints cells one by one, in device pixels. fontSize 0 leaves the numbers out; family is the page's.
 * The hatch is one pattern for the whole plane, so that its lines run on from cell to cell.
 */
function cellPainter(context, look, ratio, scale, fontSize = 0) {
  let pattern = null;
  context.textAlign = "center";
  context.textBaseline = "middle";

  function masked(x, y, width, height) {
    context.fillStyle = pattern ??= context.createPattern(hatch(look, ratio), "repeat");
    context.fillRect(x, y, width, height);
  }
  function cell(value, x, y, width, height) {
    if (Number.isNaN(value)) return cross(x, y, width, height);
    const ramp = look.ramps[scale.ramp(value)], index = rampIndex(scale.place(value)), finite = Number.isFinite(value);
    const no = scale.kind === "mask" && !value;
    if (no) masked(x, y, width, height);
    else {
      context.fillStyle = ramp.fill[index];
      context.fillRect(x, y, width, height);
    }
    if (finite && scale.beyond(value)) cutCorner(x, y, width, height);
    const size = fontSize || (!finite && Math.min(width, height) >= 14 * ratio ? 12 * ratio : 0);
    if (size) write(scale.write(value), value, size, no ? look.mute : scale.faint(value) ? look.mute : ramp.text[index], x, y, width, height, no);
    else if (!finite) dot(x, y, width, height);
  }
  function write(text, value, size, colour, x, y, width, height, onHatch) {
    context.font = `${scale.bold(value) ? 600 : 400} ${size}px ${look.family}`;
    if (onHatch) {
      const paper = context.measureText(text).width + 6 * ratio;
      context.fillStyle = look.bg;
      context.fillRect(x + (width - paper) / 2, y + (height - size * 1.2) / 2, paper, size * 1.2);
    }
    context.fillStyle = colour;
    context.fillText(text, x + width / 2, y + height / 2 + size * 0.06);
  }
  function cross(x, y, width, height) {
    context.strokeStyle = look.error;
    context.lineWidth = Math.max(1, height / 20);
    context.beginPath();
    context.moveTo(x, y); context.lineTo(x + width, y + height);
    context.moveTo(x + width, y); context.lineTo(x, y + height);
    context.stroke();
  }
  // A value beyond the scale keeps the end colour and loses its top right corner.
  function cutCorner(x, y, width, height) {
    context.fillStyle = look.bg;
    context.beginPath();
    context.moveTo(x + width * 0.65, y); context.lineTo(x + width, y); context.lineTo(x + width, y + height * 0.35);
    context.fill();
  }
  function dot(x, y, width, height) {
    context.fillStyle = look.bg;
    context.beginPath();
    context.arc(x + width / 2, y + height / 2, Math.min(width, height) / 4, 0, 2 * Math.PI);
    context.fill();
  }
  return { cell, masked };
}

/** A matrix with one pixel a cell, for small pictures; what is masked stays clear. */
function pixelSheet(look, scale, rows, columns, value, masked) {
  // A whole colour in one write: every browser's machine is little endian.
  const pixels = new ImageData(columns, rows), data = new Uint32Array(pixels.data.buffer);
  let at = 0;
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++, at++) {
    const number = value(row, column);
    if (masked(row, column) || (scale.kind === "mask" && !number)) continue;
    data[at] = Number.isNaN(number) ? look.errorPixel : look.ramps[scale.ramp(number)].pixels[rampIndex(scale.place(number))];
  }
  const sheet = document.createElement("canvas");
  sheet.width = columns;
  sheet.height = rows;
  sheet.getContext("2d").putImageData(pixels, 0, 0);
  return sheet;
}
