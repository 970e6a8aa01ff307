// Made from ranking.ts by "make browser".
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
function columnHead(text, name) {
  return el("th", { scope: "col", ...name && { class: name }, text });
}
function table(caption, heads, rows, attributes = {}) {
  return el(
    "table",
    attributes,
    words("caption", caption, "unseen"),
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...rows)
  );
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
function formatCount(value) {
  return value.toLocaleString("en-US");
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

// explorer/views/embedding/component/ranking.ts
var COLUMNS = [
  ["token", ""],
  ["id", "number id"],
  ["0 to 1", "share"],
  ["cosine", "number"]
];
function buildRanking({ title, question, rows }) {
  const isSign = (place) => place % 2 === 1;
  const caption = `${title} ${question.map((part, place) => isSign(place) ? part : visible(part)).join(" ")}`;
  return el(
    "section",
    { class: "ranking", "aria-label": caption },
    el(
      "p",
      { class: "lead" },
      `${title} `,
      ...question.map((part, place) => isSign(place) ? ` ${part} ` : words("b", visible(part)))
    ),
    table(
      caption,
      COLUMNS.map(([text, name]) => columnHead(text, name)),
      rows.map(rowOf)
    )
  );
}
function rowOf({ token, id, cosine }) {
  const bar = el("i", { class: "bar" });
  bar.style.width = `${100 * Math.max(0, Math.min(1, cosine))}%`;
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, el("span", { class: "token", title: visible(token), text: visible(token) })),
    words("td", formatCount(id), "number id"),
    el("td", { class: "share" }, el("span", { class: "rail" }, bar)),
    words("td", fixed(cosine, 3), "number")
  );
}
var ranking_default = mounted(".ranking-view", (root) => ({
  update({ data }) {
    root.dataset.look = themeOf(root);
    root.replaceChildren(...readJson(data).map(buildRanking));
  }
}));
export default ranking_default;
