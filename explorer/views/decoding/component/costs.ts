// What the cache saves, in multiply-adds: of the step and of all so far, and as two curves over the steps.

import { el, setText, svg, table, words } from "../../../browser/shared/elements";
import { formatCount } from "../../../browser/shared/numbers";
import { range } from "../../../browser/shared/planes";

const HEIGHT = 56; // px of a curve

/** The counts of a step, and of all up to it. */
export class Costs {
  readonly node: HTMLElement;
  private readonly cells = range(4).map(() => el("td", { class: "number" }));
  private readonly now = el("th", { scope: "row" });
  private readonly sum = el("th", { scope: "row" });

  /** counts: of each step with the cache and without, and their running sums. */
  constructor(private readonly counts: number[][]) {
    const head = (text: string, name: string) =>
      el("th", { scope: "col", class: "number" }, el("i", { class: `stroke ${name}` }), text);
    const { cells, now, sum } = this;
    this.node = table(
      "Multiply-adds with the cache and without",
      [words("th", "multiply-adds"), head("with cache", "cached"), head("without", "uncached")],
      [el("tr", {}, now, cells[0], cells[1]), el("tr", {}, sum, cells[2], cells[3])],
      { class: "costs" },
    );
  }

  step(t: number): void {
    setText(this.now, `step ${t}`);
    setText(this.sum, t ? `steps 0 to ${t}` : "so far");
    this.counts.forEach((counts, i) => setText(this.cells[i], formatCount(counts[t])));
  }
}

// A curve lives in thousandths of its width, as the links do; its dots are elements, so that they stay round.
export class Curve {
  readonly node: HTMLElement;
  private readonly dots = { uncached: el("i", { class: "uncached" }), cached: el("i", { class: "cached" }) };
  private readonly now = el("i", { class: "now" });
  private readonly most: number;

  constructor(
    title: string,
    private readonly cached: number[],
    private readonly uncached: number[],
  ) {
    const last = cached.length - 1,
      { dots } = this;
    this.most = Math.max(...cached, ...uncached);
    const box = { viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const span = (counts: number[]) =>
      `from ${formatCount(counts[0])} in step 0 to ${formatCount(counts[last])} in step ${last}`;
    this.node = el(
      "div",
      {
        class: "curve",
        role: "img",
        "aria-label": `Multiply-adds ${title}: with the cache ${span(cached)}, without ${span(uncached)}`,
      },
      el("div", { class: "ends" }, words("b", title), words("span", formatCount(this.most))),
      el(
        "div",
        { class: "plot" },
        this.now,
        svg("svg", box, this.path(uncached, "uncached"), this.path(cached, "cached")),
        dots.uncached,
        dots.cached,
      ),
      el(
        "div",
        { class: "ends" },
        words("span", last ? "step 0" : ""),
        words("span", last ? `step ${last}` : "step 0"),
      ),
    );
  }

  private x(t: number): number {
    return this.cached.length > 1 ? t / (this.cached.length - 1) : 0.5;
  }
  private y(count: number): number {
    return (1 - count / this.most) * HEIGHT;
  }

  private path(counts: number[], name: string): SVGElement {
    const points = counts
      .map((count, t) => `${(1000 * this.x(t)).toFixed(1)},${this.y(count).toFixed(2)}`)
      .join(" ");
    return svg("polyline", { class: name, "vector-effect": "non-scaling-stroke", points });
  }

  step(t: number): void {
    const { dots, now, cached, uncached } = this;
    now.style.left = dots.cached.style.left = dots.uncached.style.left = `${100 * this.x(t)}%`;
    dots.cached.style.top = `${this.y(cached[t])}px`;
    dots.uncached.style.top = `${this.y(uncached[t])}px`;
  }
}

export function runningSum(counts: number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count));
}
