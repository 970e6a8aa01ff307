// Many whole outputs: how often each was drawn, beside how probable it is.

function buildSamples(root, data) {
  const widest = Math.max(0.01, ...data.rows.map((row) => Math.max(row.count / data.n_drawn, row.probability)),
    data.others_count / data.n_drawn, data.others_probability);
  const column = (text, name = "") => el("th", { scope: "col", class: name, text });
  const line = (title, count, probability, logP, name = "") => {
    const bar = el("i", { class: "bar" }), tick = el("i", { class: "tick" });
    bar.style.width = `${(100 * count) / data.n_drawn / widest}%`;
    tick.style.left = `${(100 * probability) / widest}%`;
    return el("tr", { class: name }, title, el("td", { class: "share" }, el("span", { class: "rail" }, bar, tick)),
      words("td", formatCount(count), "number"), words("td", fixed(data.n_drawn * probability, 1), "number"),
      words("td", formatProbability(probability), "number"), words("td", logP, "number log"));
  };
  const rows = data.rows.map((row) => {
    const text = (row.text === "" ? "nothing" : visible(row.text).replaceAll("␣", " ")) + (row.ended ? "" : " …");
    return line(el("th", { scope: "row" }, el("span", { class: "text", title: text, text })),
      row.count, row.probability, fixed(row.log_prob, 2));
  });
  const others = data.n_distinct - data.rows.length;
  const title = others ? `${plural(others, "other")} drawn, and all that were not` : "all that were not drawn";
  const last = line(el("th", { scope: "row", text: title }), data.others_count, data.others_probability, "", "others");
  const table = el("table", { class: "outputs" }, words("caption", "Whole outputs, drawn and exact", "unseen"),
    el("thead", {}, el("tr", {}, column("whole output"), column("drawn, and exact as a line", "share"), column("drawn", "number"),
      column("expected", "number"), column("probability", "number"), column("log P", "number log"))),
    el("tbody", {}, ...rows, last));
  const bound = `expected ${data.compared_from} times or more`;
  const distance = data.n_compared === 0 ? `No output is ${bound}: too few draws to compare frequencies with probabilities.`
    : `Over the ${plural(data.n_compared, "output")} ${bound} and all others as one, drawn and exact lie ${fixed(data.distance, 3)} `
      + `apart (total variation); by chance alone, about ${fixed(data.chance, 3)}.`;
  root.replaceChildren(el("section", { class: "card", "aria-label": "Whole outputs" },
    el("header", {}, el("div", {}, words("h2", `${plural(data.n_distinct, "distinct output")} in ${plural(data.n_drawn, "draw")}`),
      words("p", "probability: product of the steps’ probabilities with these settings; log P: under the model itself"))),
    table, words("p", distance, "readout")));
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".samples-view");
  root.dataset.look = themeOf(root);
  buildSamples(root, JSON.parse(new TextDecoder().decode(data)));
}
