// Tokens by the cosine between their vectors and another one.

function buildRanking(ranking) {
  const question = ranking.question.map((part, place) => (place % 2 ? ` ${part} ` : words("b", visible(part))));
  const rows = ranking.rows.map(({ token, id, cosine }) => {
    const bar = el("i", { class: "bar" });
    bar.style.width = `${100 * Math.max(0, Math.min(1, cosine))}%`;
    return el("tr", {}, el("th", { scope: "row" }, el("span", { class: "token", title: visible(token), text: visible(token) })),
      words("td", formatCount(id), "number id"), el("td", { class: "share" }, el("span", { class: "rail" }, bar)), words("td", fixed(cosine, 3), "number"));
  });
  const caption = `${ranking.title} ${ranking.question.map((part, place) => (place % 2 ? part : visible(part))).join(" ")}`;
  return el("section", { class: "ranking", "aria-label": caption },
    el("p", { class: "lead" }, `${ranking.title} `, ...question),
    el("table", {}, words("caption", caption, "unseen"),
      el("thead", {}, el("tr", {}, ...[["token", ""], ["id", "number id"], ["0 to 1", "share"], ["cosine", "number"]]
        .map(([text, name]) => el("th", { scope: "col", class: name, text })))),
      el("tbody", {}, ...rows)));
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".token-view");
  root.dataset.look = themeOf(root);
  root.replaceChildren(...JSON.parse(new TextDecoder().decode(data)).map(buildRanking));
}
