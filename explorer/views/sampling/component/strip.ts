// The whole of [0, 1) in the order in which the sampler fills it, and the number that falls into one token's part.

import { el, setText, svg, words } from "../../../browser/shared/elements";
import { fixed, formatProbability } from "../../../browser/shared/numbers";
import { clip } from "../../../browser/shared/text";
import type { Lab, Part } from "./lab";

const LABELLED = 0.05;

export class Strip implements Part {
  readonly node: HTMLElement;
  // One path for all parts: hundreds of elements would cost a layout each time that a slider moves.
  private readonly paths = {
    all: svg("path"),
    drawn: svg("path", { class: "drawn" }),
    lit: svg("path", { class: "lit" }),
  };
  private readonly marker = el("span", { class: "marker" });
  private readonly number = el("span", { class: "uniform" });
  private readonly bar: HTMLElement;
  private readonly readout = el("p", { class: "readout", "aria-live": "polite" });
  private readonly labels: HTMLElement[] = [];

  constructor(private readonly lab: Lab) {
    const view = { viewBox: "0 0 1000 40", preserveAspectRatio: "none", "aria-hidden": "true" };
    this.bar = el(
      "div",
      { class: "strip", role: "img" },
      svg("svg", view, ...Object.values(this.paths)),
      this.marker,
    );
    this.bar.addEventListener("pointermove", (event) => this.point(event));
    this.bar.addEventListener("pointerleave", () => lab.hover(null));
    const ends = ["0", "parts in order of the tokens’ ids", "1"].map((text) => words("span", text));
    this.node = el(
      "div",
      { class: "draw" },
      el("div", { class: "above" }, this.number),
      this.bar,
      el("div", { class: "ends", "aria-hidden": "true" }, ...ends),
      this.readout,
    );
  }

  private point(event: PointerEvent): void {
    const {
      columns: { probs, cumulative },
      trace,
    } = this.lab;
    const box = this.bar.getBoundingClientRect(),
      share = (event.clientX - box.left) / box.width;
    const id = cumulative.findIndex((end) => end > share);
    this.lab.hover(id < 0 ? null : id);
    if (id >= 0)
      this.bar.title = `${trace.shown[id]}: ${fixed(cumulative[id] - probs[id], 4)} to ${fixed(cumulative[id], 4)}`;
  }

  /** One part, with a thousandth left free as a line between neighbours where there is room for it. */
  private outline(id: number): string {
    const { probs, cumulative } = this.lab.columns,
      end = 1000 * cumulative[id],
      start = end - 1000 * probs[id];
    return `M${start.toFixed(2)} 0H${Math.max(end - 1, (start + end) / 2).toFixed(2)}V40H${start.toFixed(2)}Z`;
  }

  step(): void {
    const {
      columns: { probs, drawn, greedy },
      uniform,
    } = this.lab;
    const drawable = [...probs.keys()].filter((id) => probs[id] > 0);
    this.paths.all.setAttribute("d", drawable.map((id) => this.outline(id)).join(""));
    this.paths.drawn.setAttribute("d", this.outline(drawn));
    this.writeLabels(drawable.filter((id) => probs[id] >= LABELLED));
    this.marker.hidden = this.number.hidden = greedy;
    this.marker.style.left = `${100 * uniform}%`;
    // Between the ends, so that the number above the marker is never cut off.
    this.number.style.left = `clamp(28px, ${100 * uniform}%, calc(100% - 28px))`;
    setText(this.number, fixed(uniform, 4));
    this.say();
    this.hover();
  }

  private writeLabels(ids: number[]): void {
    const {
      columns: { probs, cumulative, drawn },
      trace,
    } = this.lab;
    ids.forEach((id, place) => {
      const text = this.label(place),
        p = probs[id];
      text.hidden = false;
      text.style.left = `${(100 * (cumulative[id] - p)).toFixed(3)}%`;
      text.style.width = `${(100 * p).toFixed(3)}%`;
      text.classList.toggle("drawn", id === drawn);
      setText(text, trace.shown[id]);
    });
    for (const spare of this.labels.slice(ids.length)) spare.hidden = true;
  }

  private label(place: number): HTMLElement {
    if (place < this.labels.length) return this.labels[place];
    const made = el("span", { class: "label" });
    this.marker.before(made);
    this.labels.push(made);
    return made;
  }

  private say(): void {
    const {
        columns: { probs, drawn, greedy },
        uniform,
        trace,
        state,
      } = this.lab,
      written = trace.token_ids[state.step];
    const name = clip(trace.shown[drawn], 40),
      other = clip(trace.shown[written], 40);
    const hit = greedy
      ? `Temperature 0 draws nothing: ${name} is the most probable token.`
      : `The number ${fixed(uniform, 4)} falls into the part of ${name}, ${formatProbability(probs[drawn])} wide.`;
    setText(
      this.readout,
      drawn === written
        ? hit
        : state.step < trace.n_forced
          ? `${hit} The branch forces ${other} instead.`
          : `${hit} The output above still has ${other}; it follows when the slider rests.`,
    );
    this.bar.setAttribute("aria-label", hit);
  }

  hover(): void {
    const {
      state: { hover: id },
      columns: { probs },
    } = this.lab;
    this.paths.lit.setAttribute("d", id !== null && probs[id] > 0 ? this.outline(id) : "");
  }
}
