// Colours of the current theme, for what is drawn on a canvas.

/** The roles a canvas needs and the weight ramp as 256 ready colours, each with its readable text colour. */
function readLook(root) {
  root.dataset.look = themeOf(root);
  const style = getComputedStyle(root);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const stops = [0, 1, 2, 3, 4, 5].map((i) => channels(read(`weight-${i}`)));
  const fill = [], text = [], bytes = [];
  for (let i = 0; i < 256; i++) {
    const place = (i / 255) * 5, left = Math.min(4, Math.floor(place));
    const mixed = stops[left].map((c, k) => Math.round(c + (stops[left + 1][k] - c) * (place - left)));
    const light = luminance(mixed);
    bytes.push(mixed);
    fill.push(`rgb(${mixed.join()})`);
    // Black or white, whichever has the higher WCAG contrast.
    text.push((light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000" : "#fff");
  }
  const roles = Object.fromEntries(["bg", "line", "line2", "ink", "mute", "hatch", "error"].map((name) => [name, read(name)]));
  return { ...roles, errorBytes: channels(roles.error), fill, text, bytes, family: style.fontFamily };
}

function channels(hex) { return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)); }
function rampIndex(weight) { return Math.round(255 * Math.min(1, Math.max(0, weight))); }

/** Sizes a canvas for the screen's pixels; the caller draws in device pixels, so that edges stay crisp. */
function prepareCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  return { context: canvas.getContext("2d"), ratio };
}
