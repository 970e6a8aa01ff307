// The settings: temperature, top-k and top-p as sliders, the seed as a number.

import { button, el, setText } from "../../../browser/shared/elements";
import { formatCount } from "../../../browser/shared/numbers";
import type { Lab, Part } from "./lab";
import { nProducible } from "./lab";
import type { Filters } from "./pipeline";

/** Slider positions of top-k: each number up to 50, then ever fewer, the one in use, and last of all "off". */
export function topKStops(limit: number, current: number | null): (number | null)[] {
  const stops = new Set<number>();
  for (let k = 1; k < limit; k += k < 50 ? 1 : k < 200 ? 10 : k < 1000 ? 100 : 1000) stops.add(k);
  if (current !== null) stops.add(current);
  return [...[...stops].sort((a, b) => a - b), null];
}

/** What a slider is about. range: its ends, its step and where it stands. read: a setting of its value. say: in words. */
interface Setting {
  name: keyof Filters;
  label: string;
  range: () => { min: number; max: number; step: number; value: number };
  read: (value: number) => number | null;
  say: () => string;
}

export class Controls implements Part {
  readonly node: HTMLElement;
  private readonly sliders: { node: HTMLElement; refresh: () => void }[];
  private readonly seed: HTMLInputElement;
  private stops: (number | null)[] = [];
  private hottest = 2;
  private least = 0.05;
  private isTyping = false;

  constructor(private readonly lab: Lab) {
    this.sliders = [this.temperature(), this.topK(), this.topP()].map((setting) => this.slider(setting));
    this.seed = this.seedField();
    const { state, trace } = lab;
    const again = this.button("Draw again", "Take the next seed", () =>
      lab.set({ seed: (state.seed + 1) % (trace.max_seed + 1) }),
    );
    const reset = this.button(
      "All off",
      "Temperature 1, neither top-k nor top-p: the model's own distribution",
      () => lab.set({ temperature: 1, top_k: null, top_p: 1 }),
    );
    this.node = el(
      "div",
      { class: "settings", role: "group", "aria-label": "Settings of the sampling" },
      ...this.sliders.map((part) => part.node),
      el(
        "div",
        { class: "setting seed" },
        el("label", { for: "setting-seed", text: "Seed" }),
        this.seed,
        again,
        reset,
      ),
    );
  }

  // ---- the sliders -------------------------------------------------------------------------------------------
  private temperature(): Setting {
    const { state } = this.lab;
    return {
      name: "temperature",
      label: "Temperature",
      read: hundredths,
      range: () => {
        this.hottest = Math.max(this.hottest, state.temperature);
        return { min: 0, max: this.hottest, step: 0.05, value: state.temperature };
      },
      say: () => (state.temperature === 0 ? "0, greedy" : state.temperature.toFixed(2)),
    };
  }

  private topK(): Setting {
    const { state, trace } = this.lab,
      limit = nProducible(trace);
    return {
      name: "top_k",
      label: "Top-k",
      read: (value) => this.stops[value],
      range: () => {
        // The same stops all through a drag: a slider whose range moves would take the hand elsewhere.
        if (!this.stops.includes(state.top_k)) this.stops = topKStops(limit, state.top_k);
        return { min: 0, max: this.stops.length - 1, step: 1, value: this.stops.indexOf(state.top_k) };
      },
      say: () => (state.top_k === null ? `off, all ${formatCount(limit)}` : formatCount(state.top_k)),
    };
  }

  private topP(): Setting {
    const { state } = this.lab;
    return {
      name: "top_p",
      label: "Top-p",
      read: hundredths,
      range: () => {
        this.least = Math.min(this.least, state.top_p);
        return { min: this.least, max: 1, step: 0.01, value: state.top_p };
      },
      say: () => (state.top_p === 1 ? "off, 1.00" : state.top_p.toFixed(2)),
    };
  }

  private slider({ name, label, range, read, say }: Setting): { node: HTMLElement; refresh: () => void } {
    const id = `setting-${name}`,
      input = el("input", { type: "range", id }),
      output = el("output", { for: id });
    input.addEventListener("input", () => this.lab.set({ [name]: read(Number(input.value)) }));
    input.addEventListener("change", () => this.lab.settle());
    function refresh(): void {
      // Assigning attributes to a slider that is being dragged would take the pointer's value back.
      const { min, max, step, value } = range();
      if (Number(input.max) !== max || Number(input.min) !== min) Object.assign(input, { min, max, step });
      if (Number(input.value) !== value) input.value = String(value);
      input.style.setProperty("--played", `${(100 * (value - min)) / Math.max(step, max - min)}%`);
      setText(output, say());
      input.setAttribute("aria-valuetext", say());
    }
    return {
      node: el("div", { class: "setting" }, el("label", { for: id, text: label }), output, input),
      refresh,
    };
  }

  // ---- the seed ----------------------------------------------------------------------------------------------
  private seedField(): HTMLInputElement {
    const { lab } = this,
      { max_seed: most } = lab.trace;
    const seed = el("input", {
      type: "number",
      id: "setting-seed",
      min: 0,
      max: most,
      step: 1,
      inputmode: "numeric",
    });
    seed.addEventListener("input", () => {
      this.isTyping = true;
    });
    seed.addEventListener("blur", () => {
      this.isTyping = false;
      this.step();
    });
    seed.addEventListener("change", () => {
      this.isTyping = false;
      const value = Number(seed.value);
      if (Number.isInteger(value) && value >= 0 && value <= most) lab.set({ seed: value });
      else seed.value = String(lab.state.seed);
      lab.settle();
    });
    return seed;
  }

  private button(text: string, title: string, act: () => void): HTMLElement {
    return button({ class: "plain", text, title }, () => {
      act();
      this.lab.settle();
    });
  }

  step(): void {
    const { seed } = this.lab.state;
    for (const slider of this.sliders) slider.refresh();
    if (!this.isTyping && this.seed.value !== String(seed)) this.seed.value = String(seed);
  }
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
