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
function words(tag, text, name) {
  return el(tag, name ? { class: name, text } : { text });
}

// explorer/browser/shared/message.ts
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
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

// explorer/browser/sentence_view/view.ts
function view_default({ parentElement, data }) {
  const root = parentElement.querySelector(".sentence-view");
  root.dataset.look = themeOf(root);
  root.replaceChildren(
    ...readJson(data).map(([kind, text]) => pieceOf(kind, text))
  );
}
function pieceOf(kind, text) {
  if (!kind) return text;
  if (kind.startsWith("term ")) return el("a", { href: kind.slice(5), text });
  if (kind === "number") return words("b", text);
  return words("bdi", visible(text), kind);
}
export default view_default;
