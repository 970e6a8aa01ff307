// The merges of byte-pair encoding, one after the other.

const ARROWS = { first: "M4 3v10M13 3L6 8l7 5z", back: "M12 3L4 8l8 5z", forward: "M4 3l8 5-8 5z", last: "M12 3v10M3 3l7 5-7 5z" };

/** The tokens after so many steps, and which of them the last step has made. */
function mergedTokens(merging, step) {
  const tokens = [...merging.start];
  let made = [];
  for (const { places } of merging.steps.slice(0, step)) {
    made = places;
    // Each place counts the tokens as they stand when its turn comes.
    for (const place of places) tokens.splice(place, 2, tokens[place] + tokens[place + 1]);
  }
  return { tokens, made: new Set(made) };
}

function buildMerging(merging) {
  const last = merging.steps.length;
  let step = 0;
  const pieces = el("ol", { class: "pieces merging", "aria-label": "Tokens at this step" });
  const said = el("p", { class: "said", "aria-live": "polite" });
  const slider = el("input", { type: "range", min: 0, max: last, step: 1, "aria-label": "Merges made so far" });
  const button = (name, label, move) => {
    const node = el("button", { type: "button", class: "move", "aria-label": label, title: label },
      svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ARROWS[name] })));
    node.addEventListener("click", () => go(move()));
    return node;
  };
  const buttons = [button("first", "Single characters", () => 0), button("back", "One merge back", () => step - 1),
    button("forward", "Next merge", () => step + 1), button("last", "All merges", () => last)];
  const list = el("ol", { class: "merges", "aria-label": "Merges of this text, in their order" });
  const lines = merging.steps.map(({ pair, rank, places }, index) => {
    const line = el("button", { type: "button" }, words("span", String(rank), "rank"), pairText(pair),
      words("span", places.length > 1 ? `${places.length} times` : "", "times"));
    line.addEventListener("click", () => go(index + 1));
    list.append(el("li", {}, line));
    return line;
  });
  const node = el("section", { class: "card", "aria-label": "Byte-pair merges" },
    el("header", {}, el("div", {}, words("h2", "How byte-pair encoding gets there"),
      words("p", merging.own ? `the model's own tokenizer, which has learned ${plural(merging.n_merges, "merge")}`
        : `learned for comparison from sources of this task: ${plural(merging.n_merges, "merge")}; ▁ begins a word`))),
    el("div", { class: "stepper", role: "group", "aria-label": "Step through the merges" }, ...buttons, slider),
    said, pieces, last ? el("div", { class: "list" }, words("p", "All merges of this text, each with its rank among the learned ones", "hint"), list)
      : words("p", "No learned pair fits: every character stays a token.", "hint"));

  function go(to) {
    step = Math.min(last, Math.max(0, to));
    draw();
  }
  function draw() {
    const { tokens, made } = mergedTokens(merging, step);
    pieces.replaceChildren(...tokens.map((token, place) => el("li", { class: token.startsWith("▁") ? "begins" : "" },
      words("span", visible(token), made.has(place) ? "box made" : "box"))));
    const now = merging.steps[step - 1];
    said.replaceChildren(...(now ? [`Merge ${step} of ${last}: `, pairText(now.pair), `, rank ${now.rank} of ${formatCount(merging.n_merges)}, `
      + `leaves ${plural(tokens.length, "token")}. The lowest rank that fits always goes first.`]
      : [`${plural(tokens.length, "single character")}, before any of the ${plural(last, "merge")}.`]));
    slider.value = step;
    slider.style.setProperty("--played", `${last ? (100 * step) / last : 0}%`);
    slider.setAttribute("aria-valuetext", `${step} of ${last} merges`);
    // aria-disabled, not disabled: a button that loses its focus would take the keyboard away with it.
    buttons.forEach((each, index) => { each.setAttribute("aria-disabled", step === (index < 2 ? 0 : last)); });
    lines.forEach((line, index) => {
      line.classList.toggle("done", index < step);
      if (index === step - 1) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    const current = lines[step - 1];
    // Only the list scrolls, never the page.
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2 + current.offsetHeight / 2;
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  node.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last };
    if (!(event.key in moves) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(moves[event.key]);
  });
  draw();
  return node;
}

function pairText([left, right]) {
  return el("span", { class: "pair" }, words("b", visible(left)), " + ", words("b", visible(right)), " → ", words("b", visible(left + right)));
}
