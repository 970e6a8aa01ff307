// The pairs, one below the other: each token of the reference above what the model wrote in its place.

import { button, el, words } from "../../../browser/shared/elements";
import { actOn } from "../../../browser/shared/keys";
import { fixed, formatCount } from "../../../browser/shared/numbers";
import { areLetters, inOneLine, visible } from "../../../browser/shared/text";
import type { Pair } from "./data";

const AT_ONCE = 40;
/** Nats at which a bar of the loss is full: P is 0.007 there. */
const FULL_LOSS = 5;

export class List {
  readonly node = el("ol", { class: "pairs", "aria-label": "Held-out pairs" });
  readonly more = button({ class: "more" }, () => this.add());
  private pairs: Pair[] = [];
  private nShown = 0;

  constructor(
    private readonly units: { source: string; target: string },
    private readonly open: (pair: Pair) => void,
  ) {
    this.node.addEventListener("keydown", (event) => {
      const rows = this.openers(),
        at = rows.indexOf(event.target as HTMLElement),
        to = (place: number) => () => this.focus(rows.at(place));
      if (at >= 0)
        actOn(event, {
          ArrowDown: to(Math.min(at + 1, rows.length - 1)),
          ArrowUp: to(Math.max(at - 1, 0)),
          Home: to(0),
          End: to(-1),
        });
    });
  }

  show(pairs: Pair[]): void {
    this.pairs = pairs;
    this.nShown = 0;
    this.node.replaceChildren();
    this.add();
  }

  private add(): void {
    const next = this.pairs.slice(this.nShown, this.nShown + AT_ONCE);
    this.node.append(...next.map((pair) => this.row(pair)));
    this.nShown += next.length;
    const left = this.pairs.length - this.nShown;
    this.more.hidden = left === 0;
    this.more.textContent = `${formatCount(Math.min(left, AT_ONCE))} more of ${formatCount(left)}`;
    this.openers().forEach((each, i) => each.setAttribute("tabindex", i === 0 ? "0" : "-1"));
  }

  private openers(): HTMLElement[] {
    return [...this.node.querySelectorAll<HTMLElement>(".open")];
  }

  private focus(row: HTMLElement | undefined): void {
    for (const each of this.openers()) each.setAttribute("tabindex", each === row ? "0" : "-1");
    row?.focus();
  }

  private row(pair: Pair): HTMLElement {
    const where = pair.first === null ? "" : ` at its first wrong step, ${pair.first}`;
    const open = el(
      "button",
      {
        type: "button",
        class: "open",
        "aria-label": `Open pair ${pair.number}, ${inOneLine(pair.source, this.units.source)},${where} in Step by step`,
      },
      words("span", "Open", "say"),
    );
    const node = el(
      "li",
      { class: pair.first === null ? "pair exact" : "pair" },
      words("span", formatCount(pair.number), "number"),
      el(
        "div",
        { class: "texts" },
        this.source(pair),
        pair.first === null ? this.same(pair) : this.compared(pair),
      ),
      figure("loss", pair.loss),
      figure("log P", pair.logProb),
      open,
    );
    node.classList.toggle("letters", areLetters(this.units.target));
    node.addEventListener("click", () => {
      if (!document.getSelection()?.toString()) this.open(pair);
    });
    return node;
  }

  private source({ source }: Pair): HTMLElement {
    return el(
      "p",
      { class: "source" },
      ...spaced(
        source.map((token) => words("span", visible(token))),
        this.units.source,
      ),
    );
  }

  private same({ output, losses }: Pair): HTMLElement {
    const tokens = output.map((token, i) => at(words("span", visible(token)), losses[i]));
    return el("p", { class: "same" }, ...spaced(tokens, this.units.target), words("span", "✓", "tick"));
  }

  /** Reference and output, each place of them in one column. */
  private compared({ reference, output, losses, first }: Pair): HTMLElement {
    const longest = Math.max(reference.length, output.length);
    const columns = Array.from({ length: longest }, (_, i) => {
      const node = el(
        "span",
        { class: reference[i] === output[i] ? "place" : "place wrong" },
        at(words("span", i < reference.length ? visible(reference[i]) : " "), losses.at(i)),
        words("span", i < output.length ? visible(output[i]) : "–", "wrote"),
      );
      node.classList.toggle("first", i === first);
      return node;
    });
    return el(
      "div",
      { class: "compared" },
      el(
        "span",
        { class: "names", "aria-hidden": "true" },
        words("span", "should be"),
        words("span", "wrote"),
      ),
      el(
        "div",
        {
          class: "places",
          role: "img",
          "aria-label": `Should be ${inOneLine(reference, this.units.target)}; the model wrote ${inOneLine(output, this.units.target)}`,
        },
        ...columns,
      ),
    );
  }
}

/** A token of the reference, with its loss as a bar above it. */
function at(token: HTMLElement, loss: number | undefined): HTMLElement {
  const node = el("span", { class: "expected" }, token);
  if (loss === undefined) return node;
  node.style.setProperty("--loss", String(Math.min(loss / FULL_LOSS, 1)));
  node.title = `−log P = ${fixed(loss, 3)}`;
  return node;
}

function figure(name: string, value: number): HTMLElement {
  return el("span", { class: "figure" }, words("small", name), words("span", fixed(value, 3)));
}

function spaced(nodes: HTMLElement[], unit: string): (Node | string)[] {
  return areLetters(unit) ? nodes : nodes.flatMap((node, i) => (i ? [" ", node] : [node]));
}
