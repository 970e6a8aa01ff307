// The attention card: which of the three attentions, the picture with its heads, and the numbers in words and as a table.

import { WEIGHTS } from "../../../browser/shared/cells";
import {
  button,
  columnHead,
  el,
  explainButton,
  rowHead,
  setText,
  words,
} from "../../../browser/shared/elements";
import { setHidden } from "../../../browser/shared/focus";
import { fixed, formatCount, plural } from "../../../browser/shared/numbers";
import type { Spot } from "../../../browser/shared/planes";
import { Segments } from "../../../browser/shared/segments";
import { tableButton } from "../../../browser/shared/table_button";
import { headName } from "./data";
import type { AttentionName, Plane } from "./data";
import type { Decoding, Part } from "./decoding";
import { Heads } from "./heads";
import { Matrix } from "./matrix";
import { FoldedTable } from "./table";

const ATTENTIONS: [AttentionName, string][] = [
  ["encoder", "Encoder"],
  ["self", "Decoder"],
  ["cross", "Cross"],
];

export const MEAN_IS_DERIVED = "Choose one head to have a number explained.";

/** What shows one of the three attentions. */
interface Shown {
  heads: Heads;
  matrix: Matrix;
  table: WeightsTable;
}

export class Attention implements Part {
  readonly node: HTMLElement;
  private readonly title = el("h2");
  private readonly what = el("span");
  private readonly shape = el("span", { class: "shape" });
  private readonly site = el("code", { class: "site" });
  private readonly segments = new Segments<AttentionName>(
    "segments",
    "Attention",
    (name) => this.view.setAttention(name),
    ATTENTIONS,
  );
  private readonly gold = button(
    { class: "switch", role: "switch", "aria-describedby": "gold-note" },
    () => this.view.setOverlay(!this.view.state.overlay),
    el("i"),
    "Gold alignment",
  );
  // What is read: "Step 2 (→ dort) reads cat with weight 0.8123", its parts as they are spoken.
  private readonly readout = {
    query: el("b"),
    reads: el("span"),
    key: el("b"),
    tail: el("span"),
    value: el("b"),
  };
  private readonly sentence = el("span", {}, ...Object.values(this.readout));
  private readonly explain = explainButton(() => this.view.explainWeight(this.pointed()));
  private readonly why = el("span", { class: "why" });
  private readonly beyond = el("span", { class: "beyond" });
  private readonly note = el("p", { class: "note", id: "gold-note" });
  private readonly place = el("div", { class: "picture-place" });
  private readonly tablePlace = el("div");
  // A plane is built when it is first looked at, and kept: the way back costs nothing.
  private readonly built = new Map<Plane, Shown>();
  private plane: Plane | null = null;

  constructor(private readonly view: Decoding) {
    const legend = el(
      "div",
      { class: "legend", "aria-hidden": "true" },
      el("i"),
      words("span", "0"),
      words("span", "weight"),
      words("span", "1"),
      this.beyond,
    );
    const open = tableButton(view.opened, "weights", () => this.shown.table.layout());
    this.node = el(
      "section",
      { class: "card attention" },
      el(
        "header",
        {},
        this.title,
        el("div", { class: "choices" }, this.segments.node, this.gold),
        el("p", {}, this.what, this.shape, " ", this.site),
      ),
      this.place,
      el("div", { class: "readout" }, el("p", {}, this.sentence, this.explain, open, this.why), legend),
      this.note,
      this.tablePlace,
    );
  }

  private get shown(): Shown {
    return this.built.get(this.view.plane)!;
  }

  isCells(target: EventTarget | null): boolean {
    return this.built.get(this.view.plane)?.matrix.cells === target;
  }
  reveal(cell: Spot): void {
    this.shown.matrix.reveal(cell);
  }

  revealStep(): void {
    this.shown.matrix.revealStep();
  }

  /** Brings the chosen attention in; says whether it is another one than before. */
  private take(): boolean {
    const {
      view,
      view: { plane },
      built,
    } = this;
    if (plane === this.plane) return false;
    this.plane = plane;
    if (!built.has(plane)) {
      const heads = new Heads(view, plane);
      built.set(plane, {
        heads,
        matrix: new Matrix(view, plane, heads),
        table: new WeightsTable(view, plane),
      });
    }
    const { matrix, table } = this.shown;
    this.place.replaceChildren(matrix.node);
    this.tablePlace.replaceChildren(table.node);
    table.layout();
    this.readout.query.className = plane.rowSide;
    this.readout.key.className = plane.columnSide;
    return true;
  }

  /** The cell that the readout is about; column -1 where a row has none. */
  private pointed(): Spot {
    const {
        view,
        view: {
          state: { hover },
        },
      } = this,
      now = view.row(),
      picked = view.picked();
    if (!hover) return { row: picked?.row ?? now, column: picked?.column ?? -1 };
    const row = hover.row ?? now;
    return { row, column: hover.cell || hover.row === undefined ? hover.column! : view.peak(row) };
  }

  private read(): void {
    const {
        view,
        view: { plane },
        readout,
      } = this,
      { row, column } = this.pointed();
    this.sentence.classList.toggle("blank", column < 0);
    if (column < 0) return;
    const isMasked = plane.masked(row, column);
    setText(readout.query, plane.rowName(row));
    setText(readout.reads, isMasked ? " cannot read " : " reads ");
    setText(readout.key, plane.columnName(column));
    setText(readout.tail, isMasked ? ": " : " with weight ");
    setText(readout.value, isMasked ? "masked" : fixed(view.weight(row, column), 4));
  }

  /** What is to be said of the attention, or of the gold alignment beside it. */
  private remark(): string {
    const {
      view,
      view: { trace, plane, state },
    } = this;
    if (plane !== trace.planes.cross) return plane.note ?? "";
    if (!trace.gold) return trace.gold_note || "No gold alignment is known for this sentence.";
    if (!state.overlay) return "";
    const rows = trace.gold.slice(0, state.step + 1),
      known = rows.filter((row) => row.length).length;
    const right = rows.filter((row, t) => row.includes(view.peak(t))).length;
    const sofar = state.step < trace.steps - 1 ? " so far" : "";
    const among =
      known === rows.length ? plural(known, "row") : `the ${plural(known, "row")} with a gold word`;
    const said = known
      ? `${right} of ${among}${sofar} put their largest weight on a gold word.`
      : `No row${sofar} has a gold word.`;
    return `${said} ${trace.gold_note}`.trim();
  }

  private describe(): void {
    const {
        view: { root, trace, plane, state },
        site,
        gold,
      } = this,
      { layer, head } = state;
    this.node.setAttribute("aria-label", plane.title);
    setText(this.title, plane.title);
    setText(this.what, `${plane.stack} layer ${layer}, ${headName(head, plane.heads)}, `);
    site.title = plane.site.replace("{layer}", String(layer));
    setText(site, site.title);
    this.segments.show(state.attention);
    setHidden(this.explain, head === null, root); // a mean over heads is not a recorded number
    setText(this.why, head === null ? MEAN_IS_DERIVED : "");
    setHidden(gold, plane !== trace.planes.cross, root);
    gold.setAttribute("aria-checked", String(state.overlay));
    gold.setAttribute("aria-disabled", String(!trace.gold));
    setText(this.beyond, this.odd());
  }

  /** How many of the weights lie beyond the scale. */
  private odd(): string {
    const { weights } = this.view,
      count = (is: (weight: number) => boolean) => weights.filter(is).length;
    const outside = count((weight) => WEIGHTS.beyond(weight)),
      broken = count((weight) => Number.isNaN(weight));
    return [
      outside && `${plural(outside, "value")} beyond 0 to 1`,
      broken && `${formatCount(broken)} not a number (×)`,
    ]
      .filter(Boolean)
      .join(", ");
  }

  private speak(): void {
    this.read();
    setText(this.note, this.remark());
  }

  step(): void {
    const { view, shown } = this;
    setText(this.shape, `${view.rowsSeen()}×${view.plane.width} ${view.trace.dtype}`);
    shown.heads.step();
    shown.matrix.step();
    shown.table.step();
    this.speak();
  }

  matrix(): void {
    if (this.take()) return this.layout();
    const { heads, matrix, table } = this.shown;
    this.describe();
    heads.matrix();
    matrix.matrix();
    table.matrix();
    this.speak();
  }

  layout(): void {
    this.take();
    const { heads, matrix, table } = this.shown;
    this.describe();
    matrix.layout();
    heads.layout();
    table.matrix();
    this.step();
  }

  hover(): void {
    this.shown.matrix.hover();
    this.read();
  }
}

/** The same numbers as an HTML table, only ever shown up to the current step. */
class WeightsTable implements Part {
  private readonly table: FoldedTable;

  constructor(
    private readonly view: Decoding,
    private readonly plane: Plane,
  ) {
    const { columns, rowSide, columnSide, rowWords, columnWords, rowHeadings, columnHeadings } = plane;
    this.table = new FoldedTable("Table of the weights", () => ({
      caption: `Rows are ${rowWords}, columns ${columnWords}`,
      width: columns.length,
      heads: [el("td"), ...columnHeadings.map((name) => columnHead(name, columnSide))],
      names: rowHeadings.map((name) => rowHead(name, rowSide)),
    }));
  }

  get node(): HTMLElement {
    return this.table.node;
  }

  matrix(): void {
    const { view, plane } = this,
      text = (t: number, j: number) => (plane.masked(t, j) ? "masked" : fixed(view.weight(t, j), 4));
    this.table.rows.forEach((row, t) => row.cells.forEach((cell, j) => setText(cell, text(t, j))));
  }

  step(): void {
    this.table.rows.forEach(({ node }, t) => {
      node.hidden = t >= this.view.rowsSeen();
      node.classList.toggle("now", t === this.view.row());
    });
  }

  layout(): void {
    this.table.show(this.view.opened.has("weights"));
    this.matrix();
    this.step();
  }
}
