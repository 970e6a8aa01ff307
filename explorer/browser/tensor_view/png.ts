// A panel as a picture file: its cells as they are on the screen, with labels, title and scale drawn around them.

import { el } from "../shared/elements";
import type { Look } from "../shared/look";

const PADDING = 16,
  LINE = 18,
  TITLE = "650 15px",
  TEXT = "400 12px";

/** Draws a panel on a canvas of its own; labels stand where they stand on the page, lines under the title. */
export function pictureOf(
  cells: HTMLCanvasElement,
  labels: readonly HTMLElement[],
  title: string,
  lines: readonly string[],
  look: Look,
): HTMLCanvasElement {
  const ratio = cells.width / parseFloat(cells.style.width),
    sheet = cells.getBoundingClientRect();
  const boxes = [sheet, ...labels.map((node) => node.getBoundingClientRect())];
  const left = Math.min(...boxes.map((box) => box.left)) - PADDING,
    top = Math.min(...boxes.map((box) => box.top)) - (PADDING + LINE * (lines.length + 1) + 8);
  const context = document.createElement("canvas").getContext("2d")!,
    picture = context.canvas;
  const widthOf = (text: string, font: string) => {
    context.font = `${font} ${look.family}`;
    return context.measureText(text).width;
  };
  const wide = Math.max(widthOf(title, TITLE), ...lines.map((line) => widthOf(line, TEXT))) + 2 * PADDING;
  picture.width = Math.ceil(
    Math.max(wide, Math.max(...boxes.map((box) => box.right)) - left + PADDING) * ratio,
  );
  picture.height = Math.ceil((Math.max(...boxes.map((box) => box.bottom)) - top + PADDING) * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = look.bg;
  context.fillRect(0, 0, picture.width, picture.height);
  context.textBaseline = "middle";
  write(context, title, `${TITLE} ${look.family}`, look.ink, PADDING, PADDING + 8);
  lines.forEach((line, k) =>
    write(context, line, `${TEXT} ${look.family}`, look.mute, PADDING, PADDING + 10 + LINE * (k + 1)),
  );
  for (const node of labels) writeLabel(context, node, left, top, look.family);
  context.drawImage(cells, sheet.left - left, sheet.top - top, sheet.width, sheet.height);
  return picture;
}

function writeLabel(
  context: CanvasRenderingContext2D,
  node: HTMLElement,
  left: number,
  top: number,
  family: string,
): void {
  const box = node.getBoundingClientRect(),
    { fontWeight, fontSize, color, transform } = getComputedStyle(node),
    matrix = new DOMMatrix(transform);
  context.save();
  context.translate((box.left + box.right) / 2 - left, (box.top + box.bottom) / 2 - top);
  context.rotate(Math.atan2(matrix.b, matrix.a));
  context.textAlign = "center";
  write(context, node.textContent, `${fontWeight} ${fontSize} ${family}`, color, 0, 0);
  context.restore();
}

function write(
  context: CanvasRenderingContext2D,
  text: string,
  font: string,
  colour: string,
  x: number,
  y: number,
): void {
  context.font = font;
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

/** Letters, digits, dots, hyphens and underscores alone, whatever the parts hold. */
export function fileName(parts: readonly string[], ending: string): string {
  const joined = parts
    .filter(Boolean)
    .map((part) => part.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, ""))
    .join("_");
  return `${joined.slice(0, 120) || "tensor"}.${ending}`;
}

export function savePicture(picture: HTMLCanvasElement, name: string): void {
  picture.toBlob((blob) => {
    if (!blob) return;
    const address = URL.createObjectURL(blob);
    el("a", { href: address, download: name }).click();
    // The browser has begun to read it by then.
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }, "image/png");
}
