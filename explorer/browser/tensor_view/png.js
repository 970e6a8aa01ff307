// A panel as a picture file: its cells as they are on the screen, with labels, title and scale drawn around them.

const PICTURE_PADDING = 16, PICTURE_LINE = 18;

/** Draws the panel on a canvas of its own; labels stand where they stand on the page. */
function pictureOf({ canvas, labels, title, lines, family, look }) {
  const ratio = canvas.width / parseFloat(canvas.style.width), sheet = canvas.getBoundingClientRect();
  const texts = labels.map((node) => ({ node, box: node.getBoundingClientRect(), style: getComputedStyle(node) }));
  const edge = (side, far) => far(sheet[side], ...texts.map(({ box }) => box[side]));
  const head = PICTURE_PADDING + PICTURE_LINE * (lines.length + 1) + 8;
  const left = edge("left", Math.min) - PICTURE_PADDING, top = edge("top", Math.min) - head;
  const context = document.createElement("canvas").getContext("2d");
  context.font = `650 15px ${family}`;
  const titleWidth = context.measureText(title).width;
  context.font = `400 12px ${family}`;
  const wide = Math.max(titleWidth, ...lines.map((line) => context.measureText(line).width)) + 2 * PICTURE_PADDING;
  const picture = context.canvas;
  picture.width = Math.ceil(Math.max(wide, edge("right", Math.max) - left + PICTURE_PADDING) * ratio);
  picture.height = Math.ceil((edge("bottom", Math.max) - top + PICTURE_PADDING) * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = look.bg;
  context.fillRect(0, 0, picture.width, picture.height);
  context.textBaseline = "middle";
  const write = (text, font, colour, x, y) => {
    context.font = font;
    context.fillStyle = colour;
    context.fillText(text, x, y);
  };
  write(title, `650 15px ${family}`, look.ink, PICTURE_PADDING, PICTURE_PADDING + 8);
  lines.forEach((line, k) => write(line, `400 12px ${family}`, look.mute, PICTURE_PADDING, PICTURE_PADDING + 10 + PICTURE_LINE * (k + 1)));
  for (const { node, box, style } of texts) {
    const font = `${style.fontWeight} ${style.fontSize} ${family}`, matrix = new DOMMatrix(style.transform);
    context.save();
    context.translate((box.left + box.right) / 2 - left, (box.top + box.bottom) / 2 - top);
    context.rotate(Math.atan2(matrix.b, matrix.a));
    context.textAlign = "center";
    write(node.textContent, font, style.color, 0, 0);
    context.restore();
  }
  context.drawImage(canvas, sheet.left - left, sheet.top - top, sheet.width, sheet.height);
  return picture;
}

/** Letters, digits, dots, hyphens and underscores alone, whatever the parts hold. */
function fileName(parts, ending) {
  const joined = parts.filter(Boolean).map((part) => part.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "")).join("_");
  return `${joined.slice(0, 120) || "tensor"}.${ending}`;
}
function savePicture(picture, name) {
  picture.toBlob((blob) => {
    const address = URL.createObjectURL(blob), link = el("a", { href: address, download: name });
    link.click();
    // The browser has begun to read it by then.
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }, "image/png");
}
