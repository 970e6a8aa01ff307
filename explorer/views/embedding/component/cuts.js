// One text, cut by each tokenizer: pieces above, ids below; then what the special tokens are for.

const UNKNOWN_ID = 3;

function buildCuts(data) {
  const special = new Map(data.specials.map((each) => [each.token, each.id]));
  const rows = data.cuts.map((cut) => {
    const chips = cut.tokens.map((token, place) => tokenChip(token, cut.ids[place], special.get(token) === cut.ids[place]));
    const head = el("div", { class: "about" }, words("h3", cut.title), ...(cut.own ? [words("span", "read by the model", "tag")] : []),
      words("p", `${plural(cut.tokens.length, "token")}, vocabulary of ${formatCount(cut.vocabulary_size)}`));
    if (cut.n_unknown) head.append(words("p", `${plural(cut.n_unknown, "token")} not in it`, "unknown-count"));
    return el("section", { class: cut.own ? "cut own" : "cut", "aria-label": cut.title }, head,
      el("ol", { class: "pieces", "aria-label": `Tokens and ids, ${cut.title}` }, ...chips));
  });
  const meanings = data.specials.map((each) => el("div", {}, el("dt", {}, words("span", each.token, "box special"), words("em", String(each.id))),
    words("dd", each.meaning)));
  return el("section", { class: "card", "aria-label": "Text to tokens to ids" },
    ...rows, el("header", {}, words("h2", "Text to tokens to ids"),
      words("p", "the number under a token is its id: its row in the embedding table")), el("dl", { class: "specials" }, ...meanings));
}

function tokenChip(token, id, isSpecial) {
  const unknown = id === UNKNOWN_ID && !isSpecial;
  const box = words("span", visible(token), isSpecial ? "box special" : unknown ? "box unknown" : "box");
  const number = words("em", unknown ? `${id} <unk>` : String(id));
  const chip = el("li", {}, box, number);
  if (unknown) chip.title = "Not in this vocabulary: it becomes <unk>";
  return chip;
}
