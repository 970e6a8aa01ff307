// The output as chips, of which each stands for the step that wrote it.

import { Chips } from "../shared/chips";
import { el, words } from "../shared/elements";
import { focusBeside } from "../shared/focus";
import { formatProbability } from "../shared/numbers";
import { clip, visible } from "../shared/text";
import type { Token } from "../shared/bus";
import type { Output } from "./data";

export type Kind = "written" | "now" | "later";
/** How a chip looks at a step, and what is said of it; greedy: what the model writes there by itself, where that is another.
 *  isWrong: whether the right answer has another token in its place. */
export interface Chip {
  text: string;
  kind: Kind;
  isForced: boolean;
  isWrong: boolean;
  title: string;
  greedy: string;
}

/** The chips at a step; -1 is the encoder's run, before anything is written. */
export function chipsAt({ tokens, probs, forced, greedy, judged }: Output, step: number): Chip[] {
  return tokens.map((token, t) => {
    const isForced = forced[t],
      other = greedy[t] === token || greedy[t] === undefined ? "" : visible(greedy[t]);
    const isWrong = judged?.wrong[t] ?? false,
      kind = t < step ? "written" : t === step ? "now" : "later";
    const title = `step ${t}, P ${formatProbability(probs[t])}${isForced ? ", forced" : ""}${isWrong ? ", not as it should be" : ""}${other ? `; by itself ${other}` : ""}`;
    return { text: visible(token), kind, isForced, isWrong, title, greedy: other };
  });
}

/** choose: a step that may lie beyond the ends. point: the token that is pointed at, null when that ends. */
export interface Pointing {
  choose(step: number): void;
  point(token: Token | null): void;
}

export class OutputRow {
  readonly node = el("div", { class: "output" });
  private output: Output | null = null;
  private nodes: HTMLElement[] = [];
  private chips: Chips | null = null;
  private step = -2;

  constructor(private readonly pointing: Pointing) {}

  /** Another output, or none. */
  take(output: Output | null): void {
    if (JSON.stringify({ ...output, step: 0 }) === JSON.stringify({ ...this.output, step: 0 })) return;
    const hadFocus = this.node.contains(focusBeside(this.node));
    this.output = output;
    this.nodes = output ? chipsAt(output, 0).map((chip, t) => this.build(chip, t)) : [];
    this.chips =
      output && new Chips("Output, choose a step", this.nodes, (step) => this.pointing.choose(step));
    if (output)
      chipsAt(output, 0).forEach(({ greedy }, t) => {
        if (greedy) above(this.nodes[t], greedy);
      });
    const rest = output
      ? output.greedy
          .slice(output.tokens.length)
          .map((token) => words("span", clip(visible(token), 24), "greedy end"))
      : [];
    const isBranched = Boolean(output?.forced.includes(true)),
      should = output && !isBranched ? shouldBe(output) : [];
    this.node.classList.toggle("branched", isBranched);
    this.node.classList.toggle("differing", should.length > 0);
    this.node.replaceChildren(...(this.chips ? [this.chips.node, ...rest, ...should] : []));
    this.step = -2;
    if (hadFocus) this.show(output?.step ?? 0, true);
  }

  private build({ text, isForced, isWrong, title }: Chip, t: number): HTMLElement {
    const chip = el(
      "button",
      { type: "button", class: "chip", role: "radio", title },
      words("span", clip(text, 24), "word"),
    );
    if (isForced) chip.append(words("span", ", forced", "unseen"));
    chip.classList.toggle("forced", isForced);
    chip.classList.toggle("wrong", isWrong);
    const point = () => this.pointing.point({ side: "target", place: t }),
      end = () => this.pointing.point(null);
    chip.addEventListener("pointerenter", point);
    chip.addEventListener("pointerleave", end);
    chip.addEventListener("focus", point);
    chip.addEventListener("blur", end);
    return chip;
  }

  /** Marks the step; the focus goes along where it is on a chip. */
  show(step: number, takesFocus = this.node.contains(focusBeside(this.node))): void {
    if (!this.output || !this.chips || step === this.step) return;
    this.step = step;
    chipsAt(this.output, step).forEach(({ kind }, t) => {
      for (const each of ["written", "now", "later"] as const)
        this.nodes[t].classList.toggle(each, each === kind);
    });
    this.chips.check(step);
    if (takesFocus) this.nodes[Math.max(0, step)]?.focus({ preventScroll: true });
    this.reveal();
  }

  /** Keeps the current chip in view: its row scrolls, the page does not. */
  reveal(): void {
    const chip = this.nodes[Math.max(0, this.step)] as HTMLElement | undefined,
      { node } = this;
    if (!chip || node.scrollWidth <= node.clientWidth) return;
    const place = chip.getBoundingClientRect(),
      row = node.getBoundingClientRect();
    node.scrollLeft += place.left - row.left - (row.width - place.width) / 2;
  }

  /** Gives the chip of a token a ring. */
  ring(token: Token | null): void {
    this.nodes.forEach((chip, t) =>
      chip.classList.toggle("ringed", token?.side === "target" && token.place === t),
    );
  }
}

/** What the output should be, under it, with what it lacks marked; nothing where it is right or nobody knows. */
function shouldBe({ judged }: Output): HTMLElement[] {
  if (judged?.verdict !== "wrong") return [];
  const tokens = judged.should.flatMap((token, t) => [
    " ",
    words(judged.missing[t] ? "b" : "span", clip(visible(token), 24)),
  ]);
  return [el("span", { class: "should" }, "should be:", ...tokens)];
}

/** Puts a chip above what the model writes there by itself. */
function above(chip: HTMLElement, greedy: string): void {
  const place = el("span", { class: "branch", role: "presentation" });
  chip.replaceWith(place);
  place.append(chip, el("span", { class: "greedy", "aria-hidden": "true", text: clip(greedy, 24) }));
}
