// Made from samples.ts by "make browser".
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

// explorer/browser/shared/message.ts
function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
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
function formatProbability(value) {
  if (value > 0 && value < 1e-4) return "<0.0001";
  return fixed(value, value >= 0.1 ? 3 : 4);
}
function formatCount(value) {
  return value.toLocaleString("en-US");
}
function plural(count, word) {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
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
function visibleText(text) {
  return visible(text).replaceAll("␣", " ");
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

// explorer/views/sampling/component/samples.ts
function buildTable(data) {
  const others = data.n_distinct - data.rows.length;
  const title = others ? `${plural(others, "other")} drawn, and all that were not` : "all that were not drawn";
  const widest = Math.max(
    0.01,
    ...data.rows.map((row) => Math.max(row.count / data.n_drawn, row.probability)),
    data.others_count / data.n_drawn,
    data.others_probability
  );
  const line = (name, count, probability, logP, kind = "") => el(
    "tr",
    { class: kind },
    name,
    el("td", { class: "share" }, buildRail(count / data.n_drawn / widest, probability / widest)),
    words("td", formatCount(count), "number"),
    words("td", fixed(data.n_drawn * probability, 1), "number"),
    words("td", formatProbability(probability), "number"),
    words("td", logP, "number log")
  );
  const rows = data.rows.map(
    (row) => line(buildName(row), row.count, row.probability, fixed(row.log_prob, 2))
  );
  const last = line(
    el("th", { scope: "row", text: title }),
    data.others_count,
    data.others_probability,
    "",
    "others"
  );
  return el(
    "table",
    { class: "outputs" },
    words("caption", "Whole outputs, drawn and exact", "unseen"),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        columnHead("whole output"),
        columnHead("drawn, and exact as a line", "share"),
        columnHead("drawn", "number"),
        columnHead("expected", "number"),
        columnHead("probability", "number"),
        columnHead("log P", "number log")
      )
    ),
    el("tbody", {}, ...rows, last)
  );
}
function buildName(row) {
  const text = (row.text === "" ? "nothing" : visibleText(row.text)) + (row.ended ? "" : " …");
  return el("th", { scope: "row" }, el("span", { class: "text", title: text, text }));
}
function buildRail(drawn, exact) {
  const bar = el("i", { class: "bar" }), tick = el("i", { class: "tick" });
  bar.style.width = `${100 * drawn}%`;
  tick.style.left = `${100 * exact}%`;
  return el("span", { class: "rail" }, bar, tick);
}
function distanceText(data) {
  const bound = `expected ${data.compared_from} times or more`;
  if (data.n_compared === 0)
    return `No output is ${bound}: too few draws to compare frequencies with probabilities.`;
  return `Over the ${plural(data.n_compared, "output")} ${bound} and all others as one, drawn and exact lie ${fixed(data.distance, 3)} apart (total variation); by chance alone, about ${fixed(data.chance, 3)}.`;
}
function samples_default({ data, parentElement }) {
  const root = parentElement.querySelector(".samples-view"), samples = readJson(data);
  root.dataset.look = themeOf(root);
  root.replaceChildren(
    el(
      "section",
      { class: "card", "aria-label": "Whole outputs" },
      el(
        "header",
        {},
        el(
          "div",
          {},
          words(
            "h2",
            `${plural(samples.n_distinct, "distinct output")} in ${plural(samples.n_drawn, "draw")}`
          ),
          words(
            "p",
            "probability: product of the steps’ probabilities with these settings; log P: under the model itself"
          )
        )
      ),
      buildTable(samples),
      words("p", distanceText(samples), "readout")
    )
  );
}
export default samples_default;
