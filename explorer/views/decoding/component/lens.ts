// The logit lens: what the decoder would say if it stopped after each sub-layer of the current step.

import { columnHead, el, rowHead, setText, svg, words } from "../../../browser/shared/elements";
import { actOn } from "../../../browser/shared/keys";
import { formatCount, formatProbability } from "../../../browser/shared/numbers";
import { range } from "../../../browser/shared/planes";
import { tableButton } from "../../../browser/shared/table_button";
import { revealIn } from "../../../browser/shared/sheet";
import { clip } from "../../../browser/shared/text";
import { within } from "./data";
import type { Lens } from "./data";
import type { Decoding, Part } from "./decoding";
import { FoldedTable } from "./table";

const TOP = 16; // px above P = 1, for a number
const LEVELS: [string, number][] = [
  ["1", 1],
  ["0.5", 0.5],
  ["0", 0],
];
const STEEP = 0.12; // of P between two points, from which on a line runs through a number above its point

interface Point {
  node: HTMLElement;
  dot: HTMLElement;
  chance: HTMLElement;
  token: HTMLElement;
  rank: HTMLElement;
}

export class LensCard implements Part {
  readonly node: HTMLElement;
  private readonly line = svg("polyline", { "vector-effect": "non-scaling-stroke" });
  private readonly levels = LEVELS.map(([text, p]) => ({
    p,
    text: words("span", text),
    line: svg("line", { x1: 0, x2: 1000, "vector-effect": "non-scaling-stroke" }),
  }));
  private readonly plot = svg(
    "svg",
    { preserveAspectRatio: "none", "aria-hidden": "true" },
    ...this.levels.map((level) => level.line),
    this.line,
  );
  private readonly points: Point[];
  private readonly chart: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly foot = {
    token: el("b", { class: "target" }),
    verdict: el("span"),
    where: el("b"),
    end: el("span"),
  };
  private readonly place = el("span");
  private readonly site = el("code", { class: "site" });
  private readonly best: { name: HTMLElement; chance: HTMLElement }[];
  private readonly about: HTMLElement;
  private readonly open: HTMLElement;
  private readonly table: FoldedTable;
  private readonly own = el("th", { scope: "col", class: "target" });
  private pointed: number | null = null; // the point under the pointer or the keys
  private isHeld = false; // whether the keys have it

  constructor(
    private readonly view: Decoding,
    private readonly lens: Lens,
  ) {
    this.points = lens.labels.map(pointOf);
    this.best = range(lens.width).map(() => ({ name: el("b"), chance: el("span") }));
    const axis = el(
      "div",
      { class: "levels", "aria-hidden": "true" },
      ...this.levels.map((level) => level.text),
    );
    this.chart = el(
      "div",
      {
        class: "points",
        role: "slider",
        tabindex: "0",
        "aria-label": "Point of the logit lens",
        "aria-orientation": "horizontal",
        "aria-valuemin": 0,
        "aria-valuemax": lens.count - 1,
      },
      axis,
      this.plot,
      ...this.points.map((point) => point.node),
    );
    this.chart.style.setProperty("--points", String(lens.count));
    this.scroller = el("div", { class: "scroller" }, this.chart);
    this.table = this.makeTable();
    const through = lens.final_norm ? ", read through the decoder's final norm" : "";
    this.about = words(
      "p",
      `What the decoder would say if it stopped after each sub-layer${through}: ` +
        "the probability of the token that was produced, its rank, and the top token there.",
      "about",
    );
    this.open = tableButton(view.opened, "lens", () => this.show());
    const { token, verdict, where, end } = this.foot;
    const reading = el(
      "p",
      { class: "reading" },
      this.place,
      ...this.best.flatMap(({ name, chance }) => [name, chance]),
      this.site,
    );
    this.node = el(
      "section",
      { class: "card lens", "aria-label": "Logit lens" },
      el(
        "header",
        {},
        words("h2", "Logit lens"),
        el("p", { class: "foot" }, "P of ", token, ". ", verdict, where, end),
        this.open,
        reading,
      ),
      this.scroller,
      this.about,
      this.table.node,
    );
    this.listen();
  }

  private makeTable(): FoldedTable {
    const { lens, own } = this;
    return new FoldedTable("Table of the logit lens", () => {
      const best = range(lens.width).flatMap((k) => [columnHead(`top ${k + 1}`), columnHead("P")]);
      return {
        caption: "What the decoder would say after each sub-layer of this step",
        width: 2 + 2 * lens.width,
        heads: [columnHead("after"), own, columnHead("rank"), ...best],
        names: lens.names.map((name) => rowHead(name)),
      };
    });
  }

  // ---- a point under the pointer, or under the keys ----------------------------------------------------------
  private get shown(): number {
    return this.pointed ?? this.lens.decided[this.view.state.step] ?? this.lens.count - 1;
  }

  private point(index: number | null, byKeys = false): void {
    if (index === this.pointed) return;
    this.pointed = index;
    this.isHeld = byKeys && index !== null;
    this.read();
  }

  private listen(): void {
    const { chart } = this;
    chart.addEventListener("pointermove", (event) => {
      const over = (event.target as Element).closest<HTMLElement>(".point");
      if (over) this.point(Number(over.dataset.index));
    });
    chart.addEventListener("pointerleave", () => {
      if (!this.isHeld) this.point(null);
    });
    chart.addEventListener("blur", () => this.point(null));
    // As in a matrix, the arrows move the place in the picture while the focus is in it.
    chart.addEventListener("keydown", (event) => {
      const {
          shown,
          lens: { count },
        } = this,
        to = (point: number) => () => {
          this.point(within(point, count - 1), true);
          revealIn(this.scroller, this.points[this.shown].node);
        };
      actOn(event, { ArrowLeft: to(shown - 1), ArrowRight: to(shown + 1), Home: to(0), End: to(count - 1) });
    });
  }

  private read(): void {
    const {
      view: {
        state: { step: t },
        trace,
      },
      lens,
      shown: i,
      chart,
    } = this;
    this.points.forEach(({ node }, k) => node.classList.toggle("read", k === this.pointed));
    this.node.classList.toggle("pointing", this.pointed !== null);
    setText(this.place, `After ${lens.names[i]}: `);
    this.best.forEach(({ name, chance }, k) => {
      setText(name, lens.token(t, i, k));
      setText(chance, ` ${formatProbability(lens.chance(t, i, k))}${k < lens.width - 1 ? ", " : ""}`);
    });
    setText(this.site, lens.sites[i]);
    chart.setAttribute("aria-valuenow", String(i));
    const top = this.best
      .map((_, k) => `${lens.token(t, i, k)} ${formatProbability(lens.chance(t, i, k))}`)
      .join(", ");
    const own = `${clip(trace.output[t], 24)} has rank ${lens.rank(t, i)}, probability ${formatProbability(lens.prob(t, i))}`;
    chart.setAttribute("aria-valuetext", `After ${lens.names[i]}: ${top}; ${own}`);
  }

  // ---- the step ----------------------------------------------------------------------------------------------
  private conclude(t: number): void {
    const { lens, foot } = this,
      [verdict, where, end] = verdictOf(lens, t);
    setText(foot.token, clip(this.view.trace.output[t], 24));
    setText(foot.verdict, verdict);
    setText(foot.where, where);
    setText(foot.end, end);
  }

  private height(p: number): number {
    return TOP + (1 - within(p || 0, 1)) * this.view.size.plot;
  }

  step(): void {
    const {
        view: {
          state: { step: t },
        },
        lens,
        lens: { count },
      } = this,
      chance = (i: number) => lens.prob(t, i);
    const corners = this.points.map(
      (_, i) => `${((1000 * (i + 0.5)) / count).toFixed(1)},${this.height(chance(i)).toFixed(1)}`,
    );
    this.line.setAttribute("points", corners.join(" "));
    this.points.forEach((each, i) => {
      each.dot.style.top = each.chance.style.top = `${this.height(chance(i))}px`;
      // Beside a steep line a number stands on the side that the line leaves free.
      const rises = i < count - 1 && chance(i + 1) - chance(i) > STEEP,
        falls = i > 0 && chance(i - 1) - chance(i) > STEEP;
      each.chance.classList.toggle("left", rises);
      each.chance.classList.toggle("right", falls && !rises);
      setText(each.chance, formatProbability(chance(i)));
      setText(each.token, lens.token(t, i, 0));
      setText(each.rank, `rank ${formatCount(lens.rank(t, i))}`);
      each.node.classList.toggle("first", lens.rank(t, i) === 1);
      each.node.classList.toggle("decided", i === lens.decided[t]);
    });
    this.conclude(t);
    this.read();
    this.fill();
  }

  private fill(): void {
    const {
      view: {
        trace,
        state: { step: t },
      },
      lens,
    } = this;
    setText(this.own, `P of ${clip(trace.output[t], 24)}`);
    this.table.rows.forEach(({ node, cells: [prob, rank, ...best] }, i) => {
      node.classList.toggle("now", i === lens.decided[t]);
      setText(prob, formatProbability(lens.prob(t, i)));
      setText(rank, formatCount(lens.rank(t, i)));
      best.forEach((cell, at) => {
        const k = Math.floor(at / 2);
        setText(cell, at % 2 ? formatProbability(lens.chance(t, i, k)) : lens.token(t, i, k));
      });
    });
  }

  private show(): void {
    // A phone has no room for the picture: there the table is the lens.
    const isShown = this.view.size.phone || this.view.opened.has("lens");
    this.about.hidden = !isShown;
    this.table.show(isShown);
    this.fill();
  }

  layout(): void {
    const { phone, plot } = this.view.size,
      whole = TOP + plot;
    this.show();
    this.plot.setAttribute("viewBox", `0 0 1000 ${whole}`);
    this.chart.style.setProperty("--plot", `${whole}px`);
    for (const { p, text, line } of this.levels) {
      text.style.top = `${this.height(p)}px`;
      for (const end of ["y1", "y2"]) line.setAttribute(end, String(this.height(p)));
    }
    this.levels[1].text.hidden = plot < 60;
    this.open.hidden = phone;
    this.step();
  }
}

function pointOf([upper, lower]: [string, string], i: number): Point {
  const dot = el("i"),
    chance = el("em"),
    token = el("b"),
    rank = el("span", { class: "rank" });
  const node = el(
    "div",
    { class: "point", "data-index": i, "aria-hidden": "true" },
    dot,
    chance,
    token,
    rank,
    words("span", upper),
    words("span", lower),
  );
  return { node, dot, chance, token, rank };
}

/** From where on the produced token has rank 1: what is said before the name of the point, that name, and what is said after it. */
function verdictOf({ decided, names, count, rank }: Lens, t: number): [string, string, string] {
  const point = decided[t];
  if (point === null)
    return [
      `Never decided: after the last sub-layer its rank is still ${formatCount(rank(t, count - 1))}.`,
      "",
      "",
    ];
  return point === 0 ? ["It has rank 1 from the ", "embedding", " on."] : ["Decided by ", names[point], "."];
}
