// The picture: what every part is worth, as bars with their intervals. Heads stand in the rows of their kind, by layers;
// neurons stand side by side, the one that is worth most first.

import { el, svg, words } from "../../../browser/shared/elements";
import { fixed } from "../../../browser/shared/numbers";
import { costText, decimalsOf, ordered } from "./data";
import type { Header, Part } from "./data";

const ROW = 66,
  GAP = 14,
  LABEL = 18,
  LEFT = 40,
  LAYER_GAP = 18,
  ALL_HEIGHT = 190,
  NUMBER_FROM = 38,
  LETTER = 6,
  THIN = 4;

interface Scale {
  low: number;
  high: number;
}
interface Slot {
  part: Part;
  x: number;
  width: number;
  top: number;
  height: number;
}

export class Picture {
  readonly node = el("figure", { class: "picture" });
  private readonly title = words("figcaption", "", "unseen");
  private readonly said = el("p", { class: "pointed", "aria-hidden": "true" });
  private slots: Slot[] = [];
  private marks = new Map<number, SVGElement>();
  private chosen = -1;
  private width = 0;
  private readonly decimals: number;

  constructor(
    private readonly header: Header,
    private readonly parts: Part[],
    private readonly choose: (part: Part) => void,
  ) {
    this.decimals = decimalsOf(parts);
    this.title.textContent = `What each of ${parts.length} parts is worth; the table has the same numbers.`;
    this.node.append(this.title, this.said);
  }

  /** Draw for a width. */
  layout(width: number): void {
    if (width === this.width || width < 100) return;
    this.width = width;
    this.node.querySelector("svg")?.remove();
    this.marks = new Map();
    const rows = [...new Set(this.parts.map(({ row }) => row))],
      areHeads = rows.length > 1 || rows[0] !== "";
    const height = areHeads ? rows.length * (ROW + GAP + LABEL) : ALL_HEIGHT + LABEL;
    const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    const scale = scaleOf(this.parts);
    this.slots = areHeads
      ? rows.flatMap((row, i) => this.rowSlots(row, GAP + LABEL + i * (ROW + GAP + LABEL) - LABEL))
      : this.ranked();
    if (areHeads) rows.forEach((row, i) => root.append(...this.rowTexts(row, GAP + i * (ROW + GAP + LABEL))));
    else root.append(text(LEFT, ALL_HEIGHT + LABEL - 3, "the neuron that is worth most first", "start"));
    for (const [top, high] of new Map(this.slots.map(({ top, height: high }) => [top, high])))
      root.append(...axis(top, high, width, scale));
    for (const slot of this.slots) root.append(this.mark(slot, scale));
    root.addEventListener("click", (event) => this.at(event, (part) => this.choose(part)));
    root.addEventListener("pointermove", (event) =>
      this.at(event, (part) => {
        this.said.textContent = this.sentence(part);
      }),
    );
    root.addEventListener("pointerleave", () => this.light(this.chosen));
    this.node.insertBefore(root, this.said);
    this.light(this.chosen);
  }

  /** Mark the chosen part. */
  light(index: number): void {
    this.marks.get(this.chosen)?.classList.remove("chosen");
    this.chosen = index;
    this.marks.get(index)?.classList.add("chosen");
    if (index >= 0) this.said.textContent = this.sentence(this.parts[index]);
  }

  private sentence(part: Part): string {
    return costText(part, this.decimals, this.header.target_unit);
  }

  private at(event: MouseEvent, act: (part: Part) => void): void {
    const box = (event.currentTarget as Element).getBoundingClientRect(),
      x = event.clientX - box.left,
      y = event.clientY - box.top;
    const found = this.slots.find(
      (slot) =>
        x >= slot.x && x < slot.x + slot.width && y >= slot.top - GAP && y < slot.top + slot.height + LABEL,
    );
    if (found) act(found.part);
  }

  private rowSlots(row: string, top: number): Slot[] {
    const own = this.parts.filter((part) => part.row === row),
      layers = new Set(own.map(({ layer }) => layer)).size;
    const width = (this.width - LEFT - (layers - 1) * LAYER_GAP) / own.length;
    return own.map((part, i) => ({
      part,
      x: LEFT + i * width + part.layer * LAYER_GAP,
      width,
      top,
      height: ROW,
    }));
  }

  private rowTexts(row: string, top: number): SVGElement[] {
    const slots = this.rowSlots(row, top),
      layers = slots.filter(({ part }, i) => !i || slots[i - 1].part.layer !== part.layer);
    const title = (layer: number, x: number) =>
      text(x, top - 4, layers.length > 4 ? `${layer}` : `${row}, layer ${layer}`, "start");
    const first = layers.length > 4 ? [text(this.width, top - 4, row, "end")] : [];
    return [...first, ...layers.map(({ part, x }) => title(part.layer, x))];
  }

  private ranked(): Slot[] {
    const width = (this.width - LEFT) / this.parts.length;
    return ordered(this.parts, "loss").map((part, i) => ({
      part,
      x: LEFT + i * width,
      width,
      top: 6,
      height: ALL_HEIGHT - 6,
    }));
  }

  private mark({ part, x, width, top, height }: Slot, scale: Scale): SVGElement {
    const y = (value: number) => top + height * (1 - (value - scale.low) / (scale.high - scale.low));
    const bar = Math.max(0.8, Math.min(0.62 * width, 26)),
      middle = x + width / 2,
      zero = y(0),
      end = y(part.loss.value);
    const kinds = ["mark", part.loss.value < 0 && "better", width < THIN && "thin"].filter(Boolean).join(" ");
    const group = svg(
      "g",
      { class: kinds },
      svg("rect", { class: "ground", x, y: top, width, height }),
      svg("rect", {
        class: "bar",
        x: middle - bar / 2,
        y: Math.min(zero, end),
        width: bar,
        height: Math.max(1, Math.abs(end - zero)),
      }),
      svg("line", { class: "interval", x1: middle, x2: middle, y1: y(part.loss.high), y2: y(part.loss.low) }),
    );
    const named = part.title ? `${part.number} ${part.title}` : "",
      fits = named && named.length * LETTER <= width;
    if (part.row && width >= 11)
      group.append(
        text(middle, top + height + 12, fits ? named : `${part.number}`, "middle", fits ? "name" : ""),
      );
    if (width >= NUMBER_FROM)
      group.append(
        text(middle, y(Math.max(part.loss.high, 0)) - 3, fixed(part.loss.value, this.decimals), "middle"),
      );
    this.marks.set(part.index, group);
    return group;
  }
}

/** From the least low end or 0 to the greatest high end, with room for a number. */
function scaleOf(parts: Part[]): Scale {
  const high = Math.max(...parts.map(({ loss }) => loss.high), 0),
    low = Math.min(...parts.map(({ loss }) => loss.value), 0);
  return { low: low - 0.02 * (high - low || 1), high: high + 0.2 * (high - low || 1) };
}

function axis(top: number, height: number, width: number, { low, high }: Scale): SVGElement[] {
  const y = (value: number) => top + height * (1 - (value - low) / (high - low)),
    tick = roundBelow(high);
  return [
    svg("line", { class: "zero", x1: LEFT, x2: width, y1: y(0), y2: y(0) }),
    svg("line", { class: "tick", x1: LEFT, x2: width, y1: y(tick), y2: y(tick) }),
    text(LEFT - 6, y(0) + 4, "0", "end"),
    text(LEFT - 6, y(tick) + 4, String(tick), "end"),
  ];
}

/** The largest 1, 2 or 5 times a power of ten that is not above a number. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value)),
    digit = [5, 2, 1].find((each) => each * power <= value) ?? 1;
  return Number((digit * power).toPrecision(1));
}

function text(x: number, y: number, what: string, anchor: string, kind = ""): SVGElement {
  const node = svg("text", { x, y, "text-anchor": anchor, class: kind });
  node.textContent = what;
  return node;
}
