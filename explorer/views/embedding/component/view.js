// Made from view.ts by "make browser".
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
function button(attributes, press, ...children) {
  const node = el("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", press);
  return node;
}
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

// explorer/browser/shared/numbers.ts
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
function clip(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
}

// explorer/views/embedding/component/cuts.ts
var UNKNOWN_ID = 3;
function buildCuts({ cuts, specials }) {
  const ids = new Map(specials.map(({ token, id }) => [token, id]));
  return el(
    "section",
    { class: "card", "aria-label": "Text to tokens to ids" },
    ...cuts.map((cut) => cutOf(cut, ids)),
    el(
      "header",
      {},
      words("h2", "Text to tokens to ids"),
      words("p", "the number under a token is its id: its row in the embedding table")
    ),
    el("dl", { class: "specials" }, ...specials.map(meaningOf))
  );
}
function cutOf({ title, own, tokens, ids, vocabulary_size: size, n_unknown: unknown }, specials) {
  const chips = tokens.map(
    (token, place) => tokenChip(token, ids[place], specials.get(token) === ids[place])
  );
  const head = el(
    "div",
    { class: "about" },
    words("h3", title),
    ...own ? [words("span", "read by the model", "tag")] : [],
    words("p", `${plural(tokens.length, "token")}, vocabulary of ${formatCount(size)}`)
  );
  if (unknown) head.append(words("p", `${plural(unknown, "token")} not in it`, "unknown-count"));
  return el(
    "section",
    { class: own ? "cut own" : "cut", "aria-label": title },
    head,
    el("ol", { class: "pieces", "aria-label": `Tokens and ids, ${title}` }, ...chips)
  );
}
function meaningOf({ token, id, meaning }) {
  return el(
    "div",
    {},
    el("dt", {}, words("span", token, "box special"), words("em", id)),
    words("dd", meaning)
  );
}
function tokenChip(token, id, isSpecial) {
  const isUnknown = id === UNKNOWN_ID && !isSpecial;
  const box = words("span", visible(token), isSpecial ? "box special" : isUnknown ? "box unknown" : "box");
  const chip = el("li", {}, box, words("em", isUnknown ? `${id} <unk>` : id));
  if (isUnknown) chip.title = "Not in this vocabulary: it becomes <unk>";
  return chip;
}

// explorer/browser/shared/keys.ts
function isShortcut(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}
function actOn(event, acts) {
  const act = acts[event.key];
  if (!act || isShortcut(event) || event.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

// explorer/views/embedding/component/data.ts
function mergedTokens({ start, steps }, step) {
  const tokens = [...start], done = steps.slice(0, step);
  for (const { places } of done)
    for (const place of places) tokens.splice(place, 2, tokens[place] + tokens[place + 1]);
  return { tokens, made: new Set(done.at(-1)?.places) };
}

// explorer/views/embedding/component/merging.ts
var ARROWS = {
  first: "M4 3v10M13 3L6 8l7 5z",
  back: "M12 3L4 8l8 5z",
  forward: "M4 3l8 5-8 5z",
  last: "M12 3v10M3 3l7 5-7 5z"
};
var Merging = class {
  constructor(merging) {
    this.merging = merging;
    this.last = merging.steps.length;
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: this.last,
      step: 1,
      "aria-label": "Merges made so far"
    });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.buttons = [
      this.button("first", "Single characters", () => 0),
      this.button("back", "One merge back", () => this.step - 1),
      this.button("forward", "Next merge", () => this.step + 1),
      this.button("last", "All merges", () => this.last)
    ];
    this.lines = merging.steps.map((merge, index) => this.line(merge, index + 1));
    this.list.append(...this.lines.map((line) => el("li", {}, line)));
    this.node = this.card();
    this.node.addEventListener("keydown", (event) => this.onKey(event));
    this.draw();
  }
  node;
  last;
  step = 0;
  pieces = el("ol", { class: "pieces merging", "aria-label": "Tokens at this step" });
  said = el("p", { class: "said", "aria-live": "polite" });
  slider;
  buttons;
  list = el("ol", { class: "merges", "aria-label": "Merges of this text, in their order" });
  lines;
  card() {
    const { merging, pieces, said, last, list } = this, learned = plural(merging.n_merges, "merge");
    return el(
      "section",
      { class: "card", "aria-label": "Byte-pair merges" },
      el(
        "header",
        {},
        el(
          "div",
          {},
          words("h2", "How byte-pair encoding gets there"),
          words(
            "p",
            merging.own ? `the model's own tokenizer, which has learned ${learned}` : `learned for comparison from sources of this task: ${learned}; ▁ begins a word`
          )
        )
      ),
      el(
        "div",
        { class: "stepper", role: "group", "aria-label": "Step through the merges" },
        ...this.buttons,
        this.slider
      ),
      said,
      pieces,
      last ? el(
        "div",
        { class: "list" },
        words("p", "All merges of this text, each with its rank among the learned ones", "hint"),
        list
      ) : words("p", "No learned pair fits: every character stays a token.", "hint")
    );
  }
  button(name, label, move) {
    return button(
      { class: "move", "aria-label": label, title: label },
      () => this.go(move()),
      svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ARROWS[name] }))
    );
  }
  line({ pair, rank, places }, step) {
    return button(
      {},
      () => this.go(step),
      words("span", rank, "rank"),
      pairText(pair),
      words("span", places.length > 1 ? `${places.length} times` : "", "times")
    );
  }
  go(to) {
    this.step = Math.min(this.last, Math.max(0, to));
    this.draw();
  }
  onKey(event) {
    const { step, last } = this, to = (place) => () => this.go(place);
    actOn(event, { ArrowLeft: to(step - 1), ArrowRight: to(step + 1), Home: to(0), End: to(last) });
  }
  draw() {
    const { step, last, slider } = this, { tokens, made } = mergedTokens(this.merging, step);
    this.pieces.replaceChildren(
      ...tokens.map(
        (token, place) => el(
          "li",
          { class: token.startsWith("▁") ? "begins" : "" },
          words("span", visible(token), made.has(place) ? "box made" : "box")
        )
      )
    );
    this.said.replaceChildren(...this.sentence(tokens.length));
    slider.value = String(step);
    slider.style.setProperty("--played", `${last ? 100 * step / last : 0}%`);
    slider.setAttribute("aria-valuetext", `${step} of ${last} merges`);
    this.buttons.forEach(
      (each, index) => each.setAttribute("aria-disabled", String(step === (index < 2 ? 0 : last)))
    );
    this.mark();
  }
  sentence(nTokens) {
    const { step, last, merging } = this, count = formatCount(merging.n_merges);
    if (!step) return [`${plural(nTokens, "single character")}, before any of the ${plural(last, "merge")}.`];
    const { pair, rank } = merging.steps[step - 1];
    return [
      `Merge ${step} of ${last}: `,
      pairText(pair),
      `, rank ${rank} of ${count}, leaves ${plural(nTokens, "token")}. The lowest rank that fits always goes first.`
    ];
  }
  /** Shows in the list which merges are done. */
  mark() {
    const { step, list, lines } = this, current = lines.at(step - 1);
    lines.forEach((line, index) => {
      line.classList.toggle("done", index < step);
      if (index === step - 1) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    if (step && current)
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2 + current.offsetHeight / 2;
  }
};
function pairText([left, right]) {
  return el(
    "span",
    { class: "pair" },
    words("b", visible(left)),
    " + ",
    words("b", visible(right)),
    " → ",
    words("b", visible(left + right))
  );
}

// explorer/views/embedding/component/view.ts
var TokenView = class {
  constructor(root) {
    this.root = root;
  }
  message = "";
  update({ data }) {
    this.root.dataset.look = themeOf(this.root);
    const text = new TextDecoder().decode(data);
    if (this.message === text) return;
    this.message = text;
    const message = JSON.parse(text);
    this.root.replaceChildren(
      buildCuts(message),
      ...message.merging ? [new Merging(message.merging).node] : []
    );
  }
};
var view_default = mounted(".token-view", (root) => new TokenView(root));
export default view_default;
