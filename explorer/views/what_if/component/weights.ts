// Edit attention: a bar for each key of one query; dragging sets one weight, the others keep their ratios and give way.

import { button, el, setText, words } from "../../../browser/shared/elements";
import { actOn } from "../../../browser/shared/keys";
import { fixed } from "../../../browser/shared/numbers";
import { range } from "../../../browser/shared/planes";
import { clip, twinPlace, visible } from "../../../browser/shared/text";
import { movedRow } from "./data";
import type { Row, Tell } from "./data";

const STEP = 0.05,
  EVERY = 250; // of a weight; ms between two reports while a bar is dragged
const NAMES = {
  cross: "Cross-attention",
  self: "Masked self-attention",
  encoder: "Self-attention of the encoder",
};

export class WeightsCard {
  readonly node: HTMLElement;
  private weights: number[];
  private readonly bars: { track: HTMLElement; fill: HTMLElement; value: HTMLElement }[] = [];
  private readonly sum = words("p", "", "sub");
  private waiting = 0;
  private last = 0;

  constructor(
    private readonly row: Row,
    private readonly tell: Tell,
  ) {
    this.weights = [...row.now];
    const bars = el("div", { class: "weights" }, ...row.keys.map((key, place) => this.bar(key, place)));
    this.node = el(
      "section",
      { class: "card work", "aria-label": "A row of attention" },
      this.head(),
      bars,
      this.foot(),
    );
    this.show();
  }

  /** Whether a bar is being dragged, so that what Python says meanwhile must not take it away. */
  get isHeld(): boolean {
    return this.bars.some(({ track }) => track.classList.contains("held"));
  }

  private head(): HTMLElement {
    const { row } = this,
      ask = (what: Partial<Record<"attention" | "layer" | "head" | "query", unknown>>) => {
        this.tell("attended", {
          attention: row.attention,
          layer: row.layer,
          head: row.head,
          query: row.query,
          ...what,
        });
      };
    const attention = select("Attention", Object.entries(NAMES), row.attention, (value) =>
      ask({ attention: value, query: 0, layer: 0 }),
    );
    const layer = select(
      "Layer",
      range(row.n_layers).map((i) => [String(i), `layer ${i}`]),
      String(row.layer),
      (value) => ask({ layer: Number(value) }),
    );
    const heads: [string, string][] = [
      ["", "all heads alike"],
      ...range(row.n_heads).map((i): [string, string] => [String(i), `head ${i}`]),
    ];
    const head = select("Head", heads, row.head === null ? "" : String(row.head), (value) =>
      ask({ head: value === "" ? null : Number(value) }),
    );
    const query = select(
      "Row",
      row.queries.map((token, i) => [String(i), `${i}: ${visible(token)}`]),
      String(row.query),
      (value) => ask({ query: Number(value) }),
    );
    const token = words("b", visible(row.queries[row.query] ?? ""), row.side),
      where = twinPlace(row.queries, row.query);
    return el(
      "div",
      { class: "of" },
      el(
        "h2",
        {},
        ...(row.side === "target"
          ? ["What is read to write ", token, where]
          : ["What ", token, `${where} reads`]),
      ),
      attention,
      layer,
      head,
      query,
    );
  }

  private foot(): HTMLElement {
    const reset = button({ class: "button", text: "As trained" }, () =>
      this.tell("weighted", { query: this.row.query, weights: [] }),
    );
    reset.disabled = !this.row.is_set;
    const rule =
      this.row.head === null
        ? "dashed: the mean of the heads as trained; all heads get this one row"
        : "dashed: as trained";
    return el(
      "div",
      { class: "foot" },
      this.sum,
      words("p", `Drag a bar, or use the arrow keys; ${rule}.`, "sub"),
      reset,
    );
  }

  private bar(key: string, place: number): HTMLElement {
    const fill = el("i", { class: "fill" }),
      value = words("span", "", "value");
    const was = el("i", { class: "was", style: `bottom: ${100 * this.row.trained[place]}%` });
    const track = el(
      "div",
      {
        class: "track",
        role: "slider",
        tabindex: 0,
        "aria-label": `Weight of ${visible(key)}${twinPlace(this.row.keys, place)}`,
        "aria-orientation": "vertical",
        "aria-valuemin": 0,
        "aria-valuemax": 1,
      },
      fill,
      was,
    );
    track.addEventListener("pointerdown", (event) => this.hold(event, place));
    track.addEventListener("keydown", (event) => {
      const by = (change: number) => () =>
        this.set(place, Math.round((this.weights[place] + change) * 100) / 100);
      actOn(event, {
        ArrowUp: by(STEP),
        ArrowRight: by(STEP),
        ArrowDown: by(-STEP),
        ArrowLeft: by(-STEP),
        Home: by(-1),
        End: by(1),
      });
    });
    this.bars.push({ track, fill, value });
    return el(
      "div",
      { class: "weight" },
      value,
      track,
      words("span", clip(visible(key), 10), `chip ${this.row.key_side}`),
    );
  }

  private hold(event: PointerEvent, place: number): void {
    const { track } = this.bars[place];
    const take = ({ clientY }: PointerEvent) => {
      const { top, height } = track.getBoundingClientRect();
      this.set(place, Math.round(100 * (1 - (clientY - top) / height)) / 100);
    };
    event.preventDefault();
    track.focus();
    track.classList.add("held");
    track.setPointerCapture(event.pointerId);
    take(event);
    track.addEventListener("pointermove", take);
    const end = () => {
      track.classList.remove("held");
      track.removeEventListener("pointermove", take);
      this.report();
    };
    track.addEventListener("lostpointercapture", end, { once: true });
  }

  private set(place: number, value: number): void {
    this.weights = movedRow(this.weights, place, value);
    this.show();
    const since = performance.now() - this.last;
    window.clearTimeout(this.waiting);
    // At most four a second, and the latest always arrives.
    this.waiting = window.setTimeout(() => this.report(), Math.max(0, EVERY - since));
  }

  private report(): void {
    window.clearTimeout(this.waiting);
    this.last = performance.now();
    this.tell("weighted", {
      query: this.row.query,
      weights: this.weights.map((each) => Math.round(each * 1e4) / 1e4),
    });
  }

  private show(): void {
    this.bars.forEach(({ track, fill, value }, place) => {
      const weight = this.weights[place];
      fill.style.height = `${100 * weight}%`;
      setText(value, fixed(weight, 2));
      track.setAttribute("aria-valuenow", fixed(weight, 2));
    });
    setText(
      this.sum,
      `Sum ${fixed(
        this.weights.reduce((sum, each) => sum + each, 0),
        3,
      )}.`,
    );
  }
}

function select(
  label: string,
  options: [string, string][],
  value: string,
  choose: (value: string) => void,
): HTMLElement {
  const node = el(
    "select",
    { "aria-label": label },
    ...options.map(([key, text]) => el("option", { value: key, text })),
  );
  node.value = value;
  node.addEventListener("change", () => choose(node.value));
  return node;
}
