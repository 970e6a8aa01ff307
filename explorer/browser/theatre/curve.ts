// Lines over the updates of a training, on which the slider of its kept moments lies.

import { el, svg } from "../shared/elements";
import { actOn } from "../shared/keys";
import { fixed } from "../shared/numbers";

const LEFT = 34,
  RIGHT = 34,
  TOP = 12,
  BOTTOM = 24,
  NEAR_END = 0.8;

/** One point: updates and value. */
export type Point = readonly [updates: number, value: number];
/** A line: `axis` is the one whose numbers it is read by. `name` is written at the playhead with its value, as `write` says. */
export interface Line {
  points: Point[];
  axis: "left" | "right";
  tone: "ink" | "link" | "line2" | "mute";
  width: number;
  dash?: string;
  /** Marks at the points themselves. */
  marks?: "ring" | "disc" | "square" | "triangle";
  name?: string;
  write?: (value: number) => string;
}
/**
 * What a curve shows. `span`: updates in all. `top`: of the left axis, null for none. `right`: whether there is an axis
 * from 0 to 1 at the right. `moments`: after how many updates something can be looked at. `at`: the playhead. `played`:
 * how far lines are drawn; what lies beyond is drawn pale. `loose`: a moment that is not kept.
 */
export interface CurveData {
  lines: Line[];
  span: number;
  top: number | null;
  right: boolean;
  moments: number[];
  at: number | null;
  played: number;
  loose?: number;
  spoken: string;
}

/** The place of the moment that is nearest to so many updates; -1 where there is none. */
export function nearest(moments: readonly number[], updates: number): number {
  return moments.reduce(
    (best, each, i) => (best < 0 || Math.abs(each - updates) < Math.abs(moments[best] - updates) ? i : best),
    -1,
  );
}

/** The value of the last point up to so many updates; null before the first. */
export function valueAt(points: readonly Point[], updates: number): number | null {
  let found: number | null = null;
  for (const [at, value] of points) {
    if (at > updates) break;
    found = value;
  }
  return found;
}

/** Round numbers from 0 up to the end, about five of them. */
export function ticks(end: number): number[] {
  if (end <= 0) return [0];
  const raw = end / 5,
    power = 10 ** Math.floor(Math.log10(raw)),
    step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw)!;
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, i) =>
    Number((i * step).toPrecision(12)),
  );
}

/** A top of the axis that all values of some lines are below. */
export function topOf(lines: readonly Line[]): number {
  const values = lines
    .filter(({ axis }) => axis === "left")
    .flatMap(({ points }) => points.map(([, value]) => value))
    .filter(Number.isFinite);
  return values.length ? Math.max(...values) * 1.05 : 1;
}

export class Curve {
  private readonly picture = svg("svg", { "aria-hidden": "true" });
  readonly node = el(
    "div",
    { class: "curve", role: "slider", tabindex: "0", "aria-label": "Kept moment of the training" },
    this.picture,
  );
  private data: CurveData | null = null;
  private width = 0;
  private height = 0;

  /** pick: called with the place of a moment that somebody chooses. */
  constructor(private readonly pick: (place: number) => void) {
    this.node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.node.setPointerCapture(event.pointerId);
      this.pickAt(event);
    });
    this.node.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.pickAt(event);
    });
    this.node.addEventListener("keydown", (event) => this.onKey(event));
  }

  lay(width: number, height: number): void {
    this.width = width;
    this.height = height;
    for (const [name, value] of [
      ["width", width],
      ["height", height],
      ["viewBox", `0 0 ${width} ${height}`],
    ])
      this.picture.setAttribute(String(name), String(value));
    if (this.data) this.show(this.data);
  }

  show(data: CurveData): void {
    this.data = data;
    if (!this.width) return;
    const { moments, at, played } = data,
      beyond = data.lines.some(({ points }) => points.length > 0 && points[points.length - 1][0] > played);
    const pale = beyond
      ? data.lines
          .filter(({ width }) => width > 1)
          .map((line) => this.path({ ...line, tone: "line2", width: 1.5 }, Infinity))
      : [];
    this.picture.replaceChildren(
      ...this.axes(),
      ...pale,
      ...data.lines.flatMap((line) => [this.path(line, played), ...this.marks(line, played)]),
      ...this.ticksOf(),
      ...(at === null ? [] : this.playhead(at)),
    );
    const here = at === null ? -1 : nearest(moments, at);
    const values = {
      "aria-valuemin": 0,
      "aria-valuemax": moments.at(-1) ?? 0,
      "aria-valuenow": at ?? 0,
      "aria-valuetext": data.spoken,
    };
    for (const [name, value] of Object.entries(values)) this.node.setAttribute(name, String(value));
    this.node.setAttribute("aria-disabled", String(here < 0));
  }

  private x(updates: number): number {
    return LEFT + ((this.width - LEFT - RIGHT) * updates) / Math.max(1, this.data!.span);
  }
  private y(value: number, axis: Line["axis"]): number {
    const top = axis === "left" ? (this.data!.top ?? 1) : 1;
    return TOP + (this.height - TOP - BOTTOM) * (1 - Math.min(1, value / top));
  }
  private get floor(): number {
    return this.height - BOTTOM;
  }

  private axes(): Node[] {
    const { top, right, span } = this.data!,
      end = this.width - RIGHT,
      found: Node[] = [];
    const shown = top === null ? [0] : ticks(top).filter((_, i, all) => all.length <= 4 || i % 2 === 0);
    for (const value of shown) {
      const y = this.y(value, "left");
      found.push(svg("line", { class: "grid", x1: LEFT, x2: end, y1: y, y2: y }));
      if (top !== null)
        found.push(text(String(value), { x: LEFT - 7, y: y + 4, "text-anchor": "end", class: "axis" }));
    }
    if (right)
      for (const value of [0, 1])
        found.push(text(String(value), { x: end + 7, y: this.y(value, "right") + 4, class: "axis exact" }));
    for (const updates of ticks(span))
      found.push(
        text(updates.toLocaleString("en-US"), {
          x: this.x(updates),
          y: this.height - 4,
          "text-anchor": "middle",
          class: "axis",
        }),
      );
    return found;
  }

  private path({ points, axis, tone, width, dash }: Line, played: number): Node {
    const shown = points.filter(([updates]) => updates <= played);
    const d = shown
      .map(
        ([updates, value], i) =>
          `${i ? "L" : "M"}${this.x(updates).toFixed(1)} ${this.y(value, axis).toFixed(1)}`,
      )
      .join("");
    return svg("path", {
      class: `line tone-${tone}`,
      d,
      "stroke-width": width,
      ...(dash ? { "stroke-dasharray": dash } : {}),
    });
  }

  private marks({ points, axis, tone, marks }: Line, played: number): Node[] {
    if (!marks) return [];
    return points
      .filter(([updates]) => updates <= played)
      .map(([updates, value]) => {
        const x = this.x(updates),
          y = this.y(value, axis),
          name = `mark mark-${marks} tone-${tone}`;
        if (marks === "square") return svg("rect", { class: name, x: x - 3, y: y - 3, width: 6, height: 6 });
        if (marks === "triangle")
          return svg("path", { class: name, d: `M${x} ${y - 4}L${x + 4} ${y + 3}H${x - 4}Z` });
        return svg("circle", { class: name, cx: x, cy: y, r: 2.8 });
      });
  }

  private ticksOf(): Node[] {
    const { moments, at, loose } = this.data!,
      y = this.floor;
    const tick = (updates: number, name: string) =>
      svg("line", { class: name, x1: this.x(updates), x2: this.x(updates), y1: y + 2, y2: y + 7 });
    return [
      ...moments.map((updates) => tick(updates, at !== null && updates <= at ? "tick past" : "tick")),
      ...(loose === undefined ? [] : [tick(loose, "tick loose")]),
    ];
  }

  private playhead(at: number): Node[] {
    const x = this.x(at),
      y = this.floor,
      isRight = at > this.data!.span * NEAR_END;
    const named = this.data!.lines.filter(({ name }) => name)
      .map((line) => ({ line, value: valueAt(line.points, at) }))
      .filter(({ value }) => value !== null);
    const heights = spread(
      named.map(({ line, value }) => this.y(value!, line.axis) - 7),
      TOP + 9,
      y - 8,
    );
    const words = named.map(({ line, value }, i) =>
      text(`${line.name} ${(line.write ?? ((each) => fixed(each, 3)))(value!)}`, {
        x: isRight ? x - 11 : x + 11,
        y: heights[i],
        "text-anchor": isRight ? "end" : "start",
        class: `said tone-${line.tone}`,
      }),
    );
    return [
      svg("line", { class: "head", x1: x, x2: x, y1: TOP - 6, y2: y + 7 }),
      svg("circle", { class: "knob", cx: x, cy: y + 4, r: 7 }),
      ...words,
    ];
  }

  private pickAt(event: PointerEvent): void {
    if (!this.data) return;
    const { left, width } = this.picture.getBoundingClientRect(),
      scale = this.width / width;
    const updates = (((event.clientX - left) * scale - LEFT) / (this.width - LEFT - RIGHT)) * this.data.span;
    this.to(nearest(this.data.moments, updates));
  }

  private to(place: number): void {
    if (this.data && place >= 0 && place < this.data.moments.length) this.pick(place);
  }

  private onKey(event: KeyboardEvent): void {
    if (!this.data) return;
    const { moments, at } = this.data,
      here = at === null ? -1 : nearest(moments, at),
      to = (place: number) => () => this.to(Math.max(0, Math.min(moments.length - 1, place)));
    actOn(event, {
      ArrowLeft: to(here - 1),
      ArrowDown: to(here - 1),
      ArrowRight: to(here + 1),
      ArrowUp: to(here + 1),
      PageDown: to(here - 5),
      PageUp: to(here + 5),
      Home: to(0),
      End: to(moments.length - 1),
    });
  }
}

/** Heights of texts that would lie on each other, apart by a line, within what there is. */
export function spread(heights: number[], least: number, most: number, gap = 16): number[] {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]),
    found = heights.map((each) => Math.max(least, Math.min(most, each)));
  order.forEach((place, i) => {
    if (i) found[place] = Math.max(found[place], found[order[i - 1]] + gap);
  });
  const over = Math.max(0, Math.max(...found, 0) - most);
  return over ? found.map((each) => each - over) : found;
}

function text(content: string, attributes: Record<string, string | number>): Node {
  const node = svg("text", attributes);
  node.textContent = content;
  return node;
}
