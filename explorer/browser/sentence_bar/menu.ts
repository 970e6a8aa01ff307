// What stands under the field: what is made of the text, how it can be mended, and completions or examples to choose.
// Typed text and words are untrusted: they reach the page through textContent alone.

import { button, el, words } from "../shared/elements";
import { formatCount } from "../shared/numbers";
import { safe } from "../shared/text";
import type { BarData } from "./data";
import { countOf, hintOf, seen } from "./reading";
import type { Reader, Reading, Token } from "./reading";

/** A line that can be chosen: a word that goes on from what is typed, or a whole source. */
export type Option =
  { kind: "completion"; word: string } | { kind: "example"; source: string; title: string; why: string };
/** What a choice does. */
export interface Choosing {
  choose(option: Option): void;
  mend(token: Token, word: string): void;
}

const MAX_CHIPS = 96; // a pasted page must not build thousands of elements

/** What the menu shows; data: of the model. isOpen: whether there is something to choose. isSaying: whether it speaks of the text. */
export interface MenuState {
  data: BarData;
  reader: Reader;
  reading: Reading;
  options: Option[];
  active: number;
  isOpen: boolean;
  isSaying: boolean;
}

export class Menu {
  private readonly reason = el("span", { id: "reason" });
  private readonly counter = el("span", { class: "counter", id: "counter" });
  private readonly preview = el("div", { class: "preview", "aria-label": "Tokens" });
  private readonly repairs = el("div", { class: "repairs" });
  private readonly said = el(
    "div",
    { class: "said" },
    el("p", { class: "verdict" }, this.reason, this.counter),
    this.preview,
    this.repairs,
  );
  private readonly reference = el("p", { class: "reference" });
  readonly list = el("div", {
    class: "options",
    id: "options",
    role: "listbox",
    "aria-label": "Examples and completions",
  });
  readonly node = el("div", { class: "menu" }, this.said, this.list, this.reference);

  constructor(private readonly choosing: Choosing) {
    // The field keeps the focus.
    this.node.addEventListener("mousedown", (event) => event.preventDefault());
  }

  draw(state: MenuState): void {
    const { data, reader, reading, options, isOpen, isSaying } = state;
    this.node.hidden = !isOpen && !isSaying;
    this.said.hidden = !isSaying;
    this.reason.textContent = isSaying ? reading.sentence : "";
    this.counter.textContent = countOf(reading.tokens, reader);
    this.counter.classList.toggle("over", reading.tokens.length > reader.most);
    this.preview.hidden = !isOpen;
    if (reading.tokens.length)
      this.preview.role = "list"; // the hint is no list
    else this.preview.removeAttribute("role");
    this.preview.replaceChildren(
      ...(reading.tokens.length
        ? tokenChips(reading.tokens, reader)
        : [words("p", hintOf(reader, data.words), "hint")]),
    );
    this.repairs.replaceChildren(...this.mending(reading));
    this.list.hidden = !isOpen || !options.length;
    this.list.replaceChildren(...(isOpen ? options.map((option, at) => this.row(option, at, state)) : []));
    this.list.children[state.active]?.scrollIntoView({ block: "nearest" });
    this.reference.hidden = !isOpen || isSaying || !data.reference;
    this.reference.textContent = safe(data.reference);
  }

  /** Buttons that mend the first unknown token: one for each near word, or one that takes it away. */
  private mending({ unknown, near = [] }: Reading): HTMLElement[] {
    if (!unknown) return [];
    const repair = (text: string, label: string, word: string) =>
      button({ class: "repair", text, "aria-label": label }, () => this.choosing.mend(unknown, word));
    if (!near.length) return [repair("Remove it", `Remove ${seen(unknown.text)}`, "")];
    return near.map((word) => repair(seen(word), `Replace ${seen(unknown.text)} by ${seen(word)}`, word));
  }

  private row(option: Option, at: number, { reading, active }: MenuState): HTMLElement {
    const row = el("div", {
      class: option.kind,
      role: "option",
      id: `option-${at}`,
      "aria-selected": at === active,
    });
    if (option.kind === "completion") {
      const typed = reading.word?.prefix.length ?? 0;
      row.ariaLabel = option.word; // the two halves below would be read as two words
      row.append(
        words("span", option.word.slice(0, typed), "typed"),
        words("span", option.word.slice(typed), "added"),
      );
    } else row.append(words("b", option.source), words("i", option.title), words("span", option.why));
    row.addEventListener("click", () => this.choosing.choose(option));
    return row;
  }
}

function tokenChips(tokens: Token[], reader: Reader): HTMLElement[] {
  const shown = tokens.slice(0, Math.min(reader.most + 12, MAX_CHIPS));
  const nodes = shown.map(({ text, state, isOver }) => {
    const chip = el(
      "span",
      { class: `token ${state}${isOver ? " over" : ""}`, role: "listitem" },
      words("bdi", seen(text)),
    );
    if (state === "unknown") chip.append(words("span", "unknown", "state"));
    return chip;
  });
  const rest = tokens.length - shown.length;
  return rest ? [...nodes, words("span", `and ${formatCount(rest)} more`, "rest")] : nodes;
}
