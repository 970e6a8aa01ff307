// A matrix of attention weights that forms: rows of the right answer, columns of the source, P of each right token.

import { el, setText, svg } from "../shared/elements";
import { actOn } from "../shared/keys";
import { rampIndex } from "../shared/look";
import type { Look } from "../shared/look";
import { fixed } from "../shared/numbers";
import { clip, visible } from "../shared/text";
import type { Grid, Probe } from "./data";

/** Weights below it are not written into their cells, nor any in cells smaller than `NUMBER_CELL`. */
const LEAST_WRITTEN = 0.15,
  NUMBER_CELL = 33,
  HEAD = 28,
  LETTER = 17,
  WORD = 13,
  BAR = 34;

/** How large a matrix is drawn. `room` is kept at the left for the labels of the rows; `bars` at the right for P, 0 for none. */
export interface MatrixSize {
  cell: number;
  room: number;
  bars: number;
  numbers: boolean;
}
export interface Spot {
  row: number;
  column: number;
}

/** How tall the head of the columns is: upright words need more than letters. */
export function headOf(probe: Probe, cell: number): number {
  const longest = Math.max(...probe.source.map((token) => visible(token).length));
  return longest * 6.4 <= cell + 8 || longest <= 1 ? HEAD : Math.min(92, 18 + 6.4 * Math.min(12, longest));
}

/** The room that the labels of the rows need. */
export function roomOf(probe: Probe): number {
  return Math.max(
    30,
    14 +
      7.6 *
        Math.min(12, Math.max(...probe.right.map((token) => (isShort(token) ? 1 : visible(token).length)))),
  );
}

function isShort(token: string): boolean {
  return Array.from(token).length <= 1;
}

export class AttentionMatrix {
  readonly node = svg("svg", { class: "weights", role: "img", tabindex: "0" });
  /** The cell that is pointed at or has the keys. */
  spot: Spot | null = null;
  private cells: SVGRectElement[] = [];
  private numbers: SVGTextElement[] = [];
  private bars: SVGRectElement[] = [];
  private barTexts: SVGTextElement[] = [];
  private readonly frame = svg("rect", { class: "spot", visibility: "hidden" });
  private readonly goldMarks = svg("g", { class: "gold" });
  private drawn = "";
  private size: MatrixSize = { cell: 0, room: 0, bars: 0, numbers: false };
  private probe!: Probe;

  /** changed: called when another cell is pointed at. */
  constructor(private readonly changed: () => void) {
    this.node.addEventListener("pointermove", (event) => this.point(this.under(event)));
    this.node.addEventListener("pointerleave", () => this.point(null));
    this.node.addEventListener("blur", () => this.point(null));
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }

  get height(): number {
    return headOf(this.probe, this.size.cell) + this.probe.right.length * this.size.cell + 2;
  }

  /** Lay out the matrix of a probe; nothing is drawn anew where probe and size are the same. */
  lay(probe: Probe, size: MatrixSize): void {
    const key = JSON.stringify([probe, size]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.probe = probe;
    this.size = size;
    this.spot = null;
    const { cell, room, bars } = size,
      width = room + probe.source.length * cell + bars;
    place(this.node, { width, height: this.height, viewBox: `0 0 ${width} ${this.height}` });
    this.node.replaceChildren(
      ...this.labels(),
      ...this.placeCells(),
      ...this.makeBars(),
      this.goldMarks,
      this.frame,
    );
    this.goldMarks.replaceChildren(...this.makeGold());
  }

  private labels(): Node[] {
    const {
        probe,
        size: { cell, room },
      } = this,
      head = headOf(probe, cell),
      upright = head > HEAD;
    const columns = probe.source.map((token, j) => {
      const x = room + j * cell + cell / 2,
        turn: Record<string, string | number> = upright
          ? { transform: `rotate(-90 ${x} ${head - 8})`, "text-anchor": "start", y: head - 4 }
          : { "text-anchor": "middle", y: head - 9 };
      return label("source", token, { x, ...turn });
    });
    const rows = probe.right.map((token, i) =>
      label("target", token, { x: room - 9, y: head + i * cell + cell / 2 + 5, "text-anchor": "end" }),
    );
    return [...columns, ...rows];
  }

  /** Cells are kept where there are as many as before, so that a matrix of another size does not flicker. */
  private placeCells(): Node[] {
    const {
        probe,
        size: { cell, room },
      } = this,
      head = headOf(probe, cell),
      columns = probe.source.length,
      count = probe.right.length * columns;
    if (this.cells.length !== count) {
      this.cells = Array.from({ length: count }, () => svg("rect", { class: "cell" }));
      this.numbers = Array.from({ length: count }, () => svg("text", { class: "number" }));
    }
    this.cells.forEach((node, i) => {
      const x = room + (i % columns) * cell,
        y = head + Math.floor(i / columns) * cell;
      place(node, { x, y, width: cell - 1, height: cell - 1 });
      place(this.numbers[i], { x: x + cell / 2 - 0.5, y: y + cell / 2 + 4 });
    });
    return [...this.cells, ...this.numbers];
  }

  private makeBars(): Node[] {
    const {
        probe,
        size: { cell, room, bars },
      } = this,
      head = headOf(probe, cell),
      left = room + probe.source.length * cell + 14;
    this.bars = [];
    this.barTexts = [];
    if (!bars) return [];
    const backs = probe.right.map((_, i) => {
      const y = head + i * cell + cell / 2 - 5;
      this.bars.push(svg("rect", { class: "p", x: left, y, width: 0, height: 9, rx: 1.5 }));
      this.barTexts.push(svg("text", { class: "p-number", x: left + bars - 14, y: y + 9 }));
      return svg("rect", { class: "p-back", x: left, y, width: BAR, height: 9, rx: 1.5 });
    });
    const title = svg("text", { class: "p-title", x: left, y: head - 9 });
    title.textContent = bars > 60 ? "P of the right" : "P";
    return [title, ...backs, ...this.bars, ...(bars > 60 ? this.barTexts : [])];
  }

  private makeGold(): Node[] {
    const {
        probe,
        size: { cell, room },
      } = this,
      head = headOf(probe, cell);
    return (probe.gold ?? []).slice(0, probe.right.length).flatMap((places, i) =>
      places
        .filter((j) => j < probe.source.length)
        .flatMap((j) => {
          const box = { x: room + j * cell + 1, y: head + i * cell + 1, width: cell - 3, height: cell - 3 };
          return [svg("rect", { class: "rim", ...box }), svg("rect", { class: "dash", ...box })];
        }),
    );
  }

  /** Draw some weights; null where there are none yet. */
  show(grid: Grid | null, probabilities: Float32Array | null, look: Look, gold: boolean): void {
    const { cell, numbers } = this.size,
      ramp = look.ramps.weight;
    this.goldMarks.setAttribute("visibility", gold ? "visible" : "hidden");
    this.cells.forEach((node, i) => {
      node.classList.toggle("none", !grid);
      const value = grid ? grid.values[i] : 0,
        index = rampIndex(value);
      node.style.fill = grid ? ramp.fill[index] : "";
      setText(
        this.numbers[i],
        grid && numbers && cell >= NUMBER_CELL && value >= LEAST_WRITTEN ? fixed(value, 2) : "",
      );
      this.numbers[i].style.fill = ramp.text[index];
    });
    this.bars.forEach((node, i) => {
      node.setAttribute("width", String(probabilities ? Math.max(1, BAR * probabilities[i]) : 0));
      setText(this.barTexts[i], probabilities ? fixed(probabilities[i], 2) : "");
    });
    this.drawSpot();
  }

  private drawSpot(): void {
    const {
      spot,
      frame,
      size: { cell, room },
    } = this;
    frame.setAttribute("visibility", spot ? "visible" : "hidden");
    if (!spot) return;
    place(frame, {
      x: room + spot.column * cell,
      y: headOf(this.probe, cell) + spot.row * cell,
      width: cell - 1,
      height: cell - 1,
    });
  }

  private under(event: PointerEvent): Spot | null {
    const { left, top } = this.node.getBoundingClientRect(),
      { cell, room } = this.size;
    const column = Math.floor((event.clientX - left - room) / cell),
      row = Math.floor((event.clientY - top - headOf(this.probe, cell)) / cell);
    return row >= 0 && column >= 0 && row < this.probe.right.length && column < this.probe.source.length
      ? { row, column }
      : null;
  }

  private point(spot: Spot | null): void {
    if (spot?.row === this.spot?.row && spot?.column === this.spot?.column) return;
    this.spot = spot;
    this.drawSpot();
    this.changed();
  }

  private onKey(event: KeyboardEvent): void {
    const { row, column } = this.spot ?? { row: 0, column: 0 };
    const to = (down: number, across: number) => () =>
      this.point({
        row: Math.max(0, Math.min(this.probe.right.length - 1, this.spot ? row + down : 0)),
        column: Math.max(0, Math.min(this.probe.source.length - 1, this.spot ? column + across : 0)),
      });
    actOn(event, {
      ArrowUp: to(-1, 0),
      ArrowDown: to(1, 0),
      ArrowLeft: to(0, -1),
      ArrowRight: to(0, 1),
      Escape: !!this.spot && (() => this.point(null)),
    });
  }
}

function place(node: SVGElement, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

function label(kind: "source" | "target", token: string, place: Record<string, string | number>): Node {
  const node = svg("text", { class: `label ${kind}`, "font-size": isShort(token) ? LETTER : WORD, ...place }),
    text = visible(token);
  node.textContent = clip(text, 12);
  if (text.length > 12) node.append(svg("title", {}, document.createTextNode(text)));
  return node;
}

/** A matrix in words, as a table for whoever cannot see it. */
export function tableOf(probe: Probe, grid: Grid, caption: string): HTMLElement {
  const row = (cells: Node[]) => el("tr", {}, ...cells);
  const head = row([
    el("td"),
    ...probe.source.map((token) => el("th", { scope: "col", text: visible(token) })),
  ]);
  const body = probe.right.map((token, i) =>
    row([
      el("th", { scope: "row", text: visible(token) }),
      ...Array.from(grid.values.subarray(i * grid.columns, (i + 1) * grid.columns), (value) =>
        el("td", { text: fixed(value, 2) }),
      ),
    ]),
  );
  return el("table", {}, el("caption", { text: caption }), el("thead", {}, head), el("tbody", {}, ...body));
}
