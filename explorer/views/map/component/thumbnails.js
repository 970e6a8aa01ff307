// Small pictures: from one byte a value to an image, one pixel a value, that the browser enlarges without smoothing.

const MASKED = 255, NOT_A_NUMBER = 254, TOP = 252, MIDDLE = 126;

/** Images of previews in the colours of the theme, each made once. */
function makeThumbnails(bytes, look) {
  const made = new Map();
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d", { willReadFrequently: true });

  /** The address of one matrix of a preview as an image. */
  function image(preview, head = 0) {
    const [rows, columns] = preview.shape.slice(-2), offset = preview.offset + head * rows * columns;
    const name = `${offset}/${preview.scale}`;
    if (made.has(name)) return made.get(name);
    canvas.width = columns;
    canvas.height = rows;
    const pixels = context.createImageData(columns, rows);
    for (let i = 0; i < rows * columns; i++) {
      const code = bytes[offset + i];
      if (code === MASKED || (preview.scale === "mask" && code === 0)) continue;   // the hatch behind shows through
      const colour = code === NOT_A_NUMBER ? look.errorBytes : colourOf(code, preview.scale);
      pixels.data.set([...colour, 255], 4 * i);
    }
    context.putImageData(pixels, 0, 0);
    made.set(name, canvas.toDataURL());
    return made.get(name);
  }
  function colourOf(code, scale) {
    if (scale !== "signed") return look.ramps.weight.bytes[rampIndex(code / TOP)];
    const part = (code - MIDDLE) / MIDDLE;
    return look.ramps[part < 0 ? "minus" : "plus"].bytes[rampIndex(Math.abs(part))];
  }
  return { image };
}

/**
 * A preview as part of an SVG picture: hatch, image, frame; where its rows grow, what is not there yet and the
 * frame of the current row. `show(step)` moves those two.
 */
function drawThumbnail(thumbnails, preview, { x, y, width, height, head }) {
  const [rows] = preview.shape.slice(-2), row = height / rows;
  const part = svg("g", { class: "thumbnail" });
  const box = { x, y, width, height };
  part.append(svg("rect", { ...box, class: "hatched" }),
    svg("image", { ...box, href: thumbnails.image(preview, head), preserveAspectRatio: "none" }));
  const later = svg("rect", { class: "later", x, width }), now = svg("rect", { class: "now", x: x - 1, width: width + 2 });
  if (preview.grows) part.append(later);
  part.append(svg("rect", { x: x - 0.5, y: y - 0.5, width: width + 1, height: height + 1, class: "rim" }));
  if (preview.grows) part.append(now);
  function show(step) {
    if (!preview.grows) return;
    const at = Math.min(step, rows - 1);
    later.setAttribute("y", y + (at + 1) * row);
    later.setAttribute("height", Math.max(0, height - (at + 1) * row));
    now.setAttribute("y", y + at * row - 1);
    now.setAttribute("height", row + 2);
  }
  return { node: part, show };
}
