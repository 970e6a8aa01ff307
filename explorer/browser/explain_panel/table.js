// The terms of a number: in columns with bars and running sums, or as the parts of a formula, one a line.

/** A term and an operand of the message, which travel as lists. */
function readTerm([place, token, numbers, value, exact, share, rank, sum_by_place, sum_by_size, own]) {
  const [text, role] = token;
  return { place, token: { text, role }, numbers: numbers.map(readNumber), value, exact, share, rank, sum_by_place, sum_by_size, own };
}
function readNumber([symbol, text, exact, role, cell]) {
  const [site, ...index] = cell ?? [];
  return { symbol, text, exact, role, cell: cell && { site, index } };
}

function shownWords({ text, role }) {
  const token = role === "source" || role === "target";
  return el("span", role ? { class: role, text: token ? clip(visible(text), 24) : safe(text) } : { text: safe(text) });
}

/** An operand: a link where its own explanation can be followed. */
function operand(view, number) {
  if (!number.cell) return el("span", { text: number.text, title: number.exact });
  const where = `${number.cell.site}[${number.cell.index.join(", ")}]`;
  const node = el("button", { type: "button", class: `number ${number.role}`, text: number.text, title: `${number.exact}\n${where}`,
    "aria-label": `${number.symbol} ${number.text}, explain` });
  node.addEventListener("click", () => view.follow(number.cell));
  return node;
}

function buildParts(view, data) {
  const rows = data.terms.map((term) => el("tr", {},
    el("th", { scope: "row", text: safe(term.place) }),
    el("td", { class: "of" }, ...term.numbers.map((number) => el("span", { class: "operand" }, words("i", number.symbol), " ", operand(view, number)))),
    el("td", { class: "number", text: term.value, title: term.exact })));
  return el("table", { class: "parts" }, words("caption", "Parts of the formula", "unseen"), el("tbody", {}, ...rows));
}

function buildTerms(view, data) {
  const many = data.n_terms > data.many, cut = data.terms.length < data.n_terms, about = `${data.site}${data.index}`;
  // The same number of other weights has its terms as they were put.
  const kept = view.order?.about === about && view.order.many === many && !cut ? view.order : null;
  let bySize = kept?.bySize ?? many, all = kept?.all ?? !many;
  const named = data.value_name !== "", signed = data.terms.some((term) => term.share < 0);
  const place = el("button", { type: "button" }), size = el("button", { type: "button" });
  const head = el("tr", {}, el("th", { scope: "col", class: "place" }, place),
    ...data.columns.map((column) => el("th", { scope: "col", class: column.role, title: safe(column.under) },
      column.text, ...(column.under ? [words("sub", clip(visible(column.under), 9))] : []))),
    el("th", { scope: "col", class: "bar" }, size),
    ...(named ? [words("th", data.value_name)] : []), words("th", "sum so far"));
  const rows = data.terms.map((term) => {
    const sum = el("td", { class: "number" });
    // A term with fewer operands than columns, as a bias, has the last ones.
    const empty = data.columns.length - term.numbers.length;
    const node = el("tr", term.own ? { class: "own", "aria-current": "true" } : {},
      el("th", { scope: "row" }, words("span", safe(term.place), "where"),
        ...(term.token.text ? [" ", shownWords(term.token)] : [])),
      ...Array.from({ length: empty }, () => el("td")), ...term.numbers.map((number) => el("td", { class: "number" }, operand(view, number))),
      el("td", { class: "bar" }, bar(term.share, signed)),
      ...(named ? [el("td", { class: "number", text: term.value, title: term.exact })] : []), sum);
    return { node, sum, term };
  });
  const body = el("tbody"), rest = el("tr", { class: "rest" });
  const more = el("button", { type: "button", class: "link" });
  const width = data.columns.length + (named ? 4 : 3);
  rest.append(el("td", { colspan: width }, `${plural(data.n_rest, "smaller term")}: ${data.rest}`, ...(cut ? [] : [" ", more])));
  const total = data.total ? [foot(width, "sum", data.total)] : [];
  const factor = [foot(width, data.factor || (data.total ? "result" : "="), data.result, "result")];
  const table = el("table", { class: "terms" }, words("caption", "Terms of the sum", "unseen"), el("thead", {}, head), body,
    el("tfoot", {}, ...total, ...factor));

  function draw() {
    view.order = { about, many, bySize, all };
    const order = [...rows].sort((a, b) => (bySize ? a.term.rank - b.term.rank : 0));
    const shown = all ? order : order.filter((row) => row.term.rank < data.largest || row.term.own);
    for (const row of shown) setText(row.sum, bySize ? row.term.sum_by_size : row.term.sum_by_place);
    body.replaceChildren(...shown.map((row) => row.node), ...(many && !(all && !cut) ? [rest] : []), ...(many && all && !cut ? [fewer] : []));
    setText(place, `${data.letter || "term"}${bySize ? "" : " ↑"}`);
    setText(size, `size${bySize ? " ↓" : ""}`);
    place.setAttribute("aria-pressed", !bySize);
    size.setAttribute("aria-pressed", bySize);
    place.disabled = cut;
  }
  const fewer = el("tr", { class: "rest" }, el("td", { colspan: width }, el("button", { type: "button", class: "link", text: `Show the ${data.largest} largest` })));
  place.setAttribute("aria-label", "Sort by place");
  size.setAttribute("aria-label", "Sort by size");
  setText(more, "Show all");
  more.addEventListener("click", () => { all = true; draw(); rows.find((row) => row.node.isConnected)?.node.querySelector("button")?.focus(); });
  fewer.querySelector("button").addEventListener("click", () => { all = false; bySize = true; draw(); more.focus(); });
  // In the order of the places only all terms make sense of the sums between.
  place.addEventListener("click", () => { bySize = false; all = true; draw(); });
  size.addEventListener("click", () => { bySize = true; draw(); });
  draw();
  return table;
}

function foot(width, name, value, kind = "") {
  return el("tr", kind ? { class: kind } : {}, el("td", { colspan: width - 1, text: name }), el("td", { class: "number", text: value }));
}

/** A bar from the middle, to the right where positive, to the left where negative; from the left where none is. */
function bar(share, signed) {
  const node = el("i", { class: !signed ? "whole" : share < 0 ? "minus" : "plus", "aria-hidden": "true" });
  node.style.width = `${Math.max(Math.abs(share) * (signed ? 46 : 92), share ? 1.5 : 0)}%`;
  return node;
}
