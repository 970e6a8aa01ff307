// Small pictures side by side, the newest at the right end, where the strip stays until somebody scrolls back.

const SIDE = 108, CELL = 16;

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".film-view");
  const { header, arrays } = readPayload(data), look = readLook(root);
  const strip = root.querySelector("ol") ?? root.appendChild(makeStrip());
  const atEnd = root.film !== header.key || strip.atEnd;
  const known = new Map([...strip.children].map((frame) => [frame.dataset.updates, frame]));
  const frames = header.pictures.map(({ updates, about }) => {
    const frame = known.get(String(updates)) ?? makeFrame(updates);
    const canvas = frame.querySelector("canvas"), button = frame.firstChild;
    paint(canvas, arrays[updates], look);
    canvas.setAttribute("aria-label", about);
    button.disabled = !header.opens;
    button.title = about;
    button.onclick = () => {
      root.report = reportAfter(root.report ?? 0);
      setStateValue("open", { key: header.key, updates, report: root.report });
    };
    return frame;
  });
  root.film = header.key;
  // What stands there already stays in its place: a frame that is moved would lose the focus, and a press on it.
  for (const frame of known.values()) if (!frames.includes(frame)) frame.remove();
  frames.forEach((frame, i) => { if (strip.children[i] !== frame) strip.insertBefore(frame, strip.children[i] ?? null); });
  strip.atEnd = atEnd;
  if (atEnd) strip.scrollLeft = strip.scrollWidth;
}

// Only a scroll leaves the end: a window that gets narrower does not. A scroll that is reported after the window got
// narrower, and before the strip followed it, is nobody's.
function makeStrip() {
  const strip = el("ol", { tabindex: "0", "aria-label": "Moments of the training" });
  let width = strip.clientWidth;
  strip.onscroll = () => {
    if (strip.clientWidth === width) strip.atEnd = strip.scrollLeft + width >= strip.scrollWidth - 4;
  };
  new ResizeObserver(() => {
    width = strip.clientWidth;
    if (strip.atEnd) strip.scrollLeft = strip.scrollWidth;
  }).observe(strip);
  return strip;
}

function makeFrame(updates) {
  const canvas = el("canvas", { role: "img" });
  const button = el("button", { type: "button" }, canvas, words("span", formatCount(updates)));
  const frame = el("li", {}, button);
  frame.dataset.updates = updates;
  return frame;
}

function paint(canvas, weights, look) {
  const [rows, columns] = weights.shape;
  const cell = Math.max(2, Math.min(CELL, Math.floor(SIDE / Math.max(rows, columns))));
  const { context, ratio } = prepareCanvas(canvas, columns * cell, rows * cell);
  const painter = cellPainter(context, look, ratio, WEIGHTS), gap = cell >= 8 ? 1 : 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const size = Math.round((cell - gap) * ratio);
      painter.cell(weights[row * columns + column], Math.round(column * cell * ratio), Math.round(row * cell * ratio), size, size);
    }
  }
}
