// One text, cut by each tokenizer: pieces above, ids below; then what the special tokens are for.

import { el, words } from "../../../browser/shared/elements";
import { formatCount, plural } from "../../../browser/shared/numbers";
import { visible } from "../../../browser/shared/text";
import type { Cut, Special, TokenData } from "./data";

const UNKNOWN_ID = 3;

export function buildCuts({ cuts, specials }: TokenData): HTMLElement {
  const ids = new Map(specials.map(({ token, id }) => [token, id]));
  return el(
    "section",
    { class: "card", "aria-label": "Text to tokens to ids" },
    ...cuts.map((cut) => cutOf(cut, ids)),
    el(
      "header",
      {},
      words("h2", "Text to tokens to ids"),
      words("p", "the number under a token is its id: its row in the embedding table"),
    ),
    el("dl", { class: "specials" }, ...specials.map(meaningOf)),
  );
}

function cutOf(
  { title, own, tokens, ids, vocabulary_size: size, n_unknown: unknown }: Cut,
  specials: Map<string, number>,
): HTMLElement {
  const chips = tokens.map((token, place) =>
    tokenChip(token, ids[place], specials.get(token) === ids[place]),
  );
  const head = el(
    "div",
    { class: "about" },
    words("h3", title),
    ...(own ? [words("span", "read by the model", "tag")] : []),
    words("p", `${plural(tokens.length, "token")}, vocabulary of ${formatCount(size)}`),
  );
  if (unknown) head.append(words("p", `${plural(unknown, "token")} not in it`, "unknown-count"));
  return el(
    "section",
    { class: own ? "cut own" : "cut", "aria-label": title },
    head,
    el("ol", { class: "pieces", "aria-label": `Tokens and ids, ${title}` }, ...chips),
  );
}

function meaningOf({ token, id, meaning }: Special): HTMLElement {
  return el(
    "div",
    {},
    el("dt", {}, words("span", token, "box special"), words("em", id)),
    words("dd", meaning),
  );
}

function tokenChip(token: string, id: number, isSpecial: boolean): HTMLElement {
  const isUnknown = id === UNKNOWN_ID && !isSpecial;
  const box = words("span", visible(token), isSpecial ? "box special" : isUnknown ? "box unknown" : "box");
  const chip = el("li", {}, box, words("em", isUnknown ? `${id} <unk>` : id));
  if (isUnknown) chip.title = "Not in this vocabulary: it becomes <unk>";
  return chip;
}
