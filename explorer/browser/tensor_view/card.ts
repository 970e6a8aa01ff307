// The open stage as one card: the figure, beside or under it head and choosers, the readout with its legend, and the numbers as a table.

import { button, el, words } from "../shared/elements";
import { mathWords } from "../shared/math";
import { numbersTable } from "../shared/numbers_table";
import type { NumbersTable } from "../shared/numbers_table";
import { extremes, panelShape, range } from "../shared/planes";
import type { Plane, Spot } from "../shared/planes";
import { idOf } from "../shared/tabs";
import { textOf } from "../shared/tensors";
import type { StageEntry } from "../shared/tensors";
import { Choosers } from "./choosers";
import { Figure } from "./figure";
import type { Host, PanelSpot } from "./host";
import { legendOf } from "./legend";
import { marksOf, stepRow } from "./marks";
import { resultAt } from "./model";
import { Panel } from "./panel";
import type { Actions } from "./panel";
import { fileName, savePicture } from "./png";
import { Readout } from "./readout";
import { groupsOf } from "./scales";
import type { Group } from "./scales";
import { cellText, read } from "./words";

/** What somebody reads in a stage: the cell of the keys, the panel whose numbers the table shows, and how far everything is scrolled. */
export interface Kept {
  cursor: PanelSpot | null;
  tabled: number | null;
  scrolled: [number, number][];
}

const PAGE = 10;

export class Card implements Actions {
  readonly stage: StageEntry;
  readonly node: HTMLElement;
  private readonly result: number;
  private readonly panels: Panel[];
  private readonly figure: Figure;
  private readonly choosers: Choosers;
  private readonly readout: Readout;
  private readonly title = el("h2");
  private readonly robust = button(
    {
      class: "switch",
      role: "switch",
      "data-focus": "robust",
      title: "Colours end at the size that 99 of 100 values stay below",
    },
    () => {
      this.host.isRobust = !this.host.isRobust;
      this.draw();
    },
    el("i"),
    "Robust scale",
  );
  private readonly legends = el("div", { class: "legends" });
  private readonly tablePlace = el("div");
  private groups: Group[] = [];
  private pointed: PanelSpot | null = null;
  private cursor: PanelSpot | null = null;
  private table: NumbersTable | null = null;
  private tabled: number | null = null;

  constructor(private readonly host: Host) {
    const { model } = host,
      stage = (this.stage = model.open);
    this.result = resultAt(stage);
    this.panels = stage.panels.map((panel, k) => new Panel(host, panel, k, this));
    this.figure = new Figure(stage, this.panels);
    this.choosers = new Choosers(host);
    this.readout = new Readout(
      host.root,
      () => {
        const spot = this.active();
        if (spot) this.ask(spot);
      },
      () => this.toggleTable(this.result),
    );
    const tabpanel: Record<string, string> =
      model.header.stages.length > 1 ? { role: "tabpanel", "aria-labelledby": idOf(stage.key) } : {};
    const foot = el(
      "footer",
      {},
      this.readout.node,
      el("div", { class: "scale" }, this.robust, this.legends),
    );
    this.node = el(
      "section",
      { class: "card", id: "stage", ...tabpanel },
      this.figure.node,
      this.head(),
      foot,
      this.tablePlace,
    );
    this.showTabled();
  }

  private head(): HTMLElement {
    const {
        stage: { formula, note },
        panels,
        result,
      } = this,
      windows = new Set(panels.flatMap(({ tensor }) => tensor.axes.map((axis) => axis.window)));
    return el(
      "header",
      {},
      this.title,
      words("code", panels[result].tensor.site, "site"),
      ...[...windows].filter(Boolean).map((text) => words("p", text, "thinned")),
      this.choosers.node,
      ...(formula ? [mathWords("p", formula, "formula")] : []),
      ...(note ? [words("p", note, "note")] : []),
    );
  }

  private get planes(): Plane[] {
    return this.panels.map(({ plane }) => plane);
  }

  // ---- what is marked ----------------------------------------------------------------------------------------
  private explainedIn(k: number): Spot | null {
    return this.panels[k].plane.find(this.host.cell);
  }

  /** The cell that the readout is about: pointed at, or under the cursor, or explained, or the largest of the result, in the row of the current step where it has one. */
  private active(): PanelSpot | null {
    if (this.pointed ?? this.cursor) return this.pointed ?? this.cursor;
    for (const panel of [this.result, ...range(this.panels.length)]) {
      const explained = this.explainedIn(panel);
      if (explained) return { panel, ...explained };
    }
    const { plane } = this.panels[this.result],
      step = this.stepIn(plane),
      peak = extremes(plane, step === undefined ? undefined : [step]) ?? extremes(plane);
    return peak && { panel: this.result, row: peak.row, column: peak.column };
  }

  private stepIn(plane: Plane): number | undefined {
    return stepRow(plane, this.host.model.header.row, this.host.model.header.row_side);
  }

  marks(): void {
    const spot = this.active(),
      { planes } = this,
      marks = spot ? marksOf(this.stage.kind, planes, spot) : [];
    this.panels.forEach((panel, k) =>
      panel.mark(
        marks[k] ?? {},
        this.explainedIn(k),
        k === this.result ? this.stepIn(panel.plane) : undefined,
      ),
    );
    this.readout.show(
      spot && read(this.stage, planes, spot),
      spot !== null && this.panels[spot.panel].tensor.askable,
    );
  }

  // ---- what happens ------------------------------------------------------------------------------------------
  hover(spot: PanelSpot | null): void {
    if (JSON.stringify(spot) === JSON.stringify(this.pointed)) return;
    this.pointed = spot;
    this.marks();
  }

  ask(spot: PanelSpot): void {
    this.host.ask(this.panels[spot.panel], spot);
  }

  enter(panel: number): void {
    const { canvas, plane } = this.panels[panel];
    if (this.cursor?.panel === panel || !canvas.matches(":focus-visible")) return;
    const { row, column } = this.explainedIn(panel) ?? extremes(plane) ?? { row: 0, column: 0 };
    this.cursor = { panel, row, column };
    this.marks();
  }

  leave(panel: number): void {
    if (this.cursor?.panel !== panel) return;
    this.cursor = null;
    this.marks();
  }

  private move(panel: number, row: number, column: number): void {
    this.pointed = null;
    this.cursor = this.inside(panel, row, column);
    this.panels[panel].reveal(this.cursor);
    this.marks();
    this.host.say(textOf(read(this.stage, this.planes, this.cursor)));
  }

  private inside(panel: number, row: number, column: number): PanelSpot {
    const { rows, columns } = this.panels[panel].plane,
      within = (at: number, count: number) => Math.min(count - 1, Math.max(0, at));
    return { panel, row: within(row, rows.count), column: within(column, columns.count) };
  }

  /** What keys do in the matrix that an event comes from; none where it comes from elsewhere. */
  keysAt(target: EventTarget | null): Record<string, () => void> {
    const panel = this.panels.findIndex(({ canvas }) => canvas === target);
    if (panel < 0) return {};
    const from =
        this.cursor?.panel === panel ? this.cursor : { panel, row: 0, column: 0, ...this.explainedIn(panel) },
      { row, column } = from;
    const to = (row: number, column: number) => () => this.move(panel, row, column);
    return {
      ArrowLeft: to(row, column - 1),
      ArrowRight: to(row, column + 1),
      ArrowUp: to(row - 1, column),
      ArrowDown: to(row + 1, column),
      Home: to(row, 0),
      End: to(row, Infinity),
      PageUp: to(row - PAGE, column),
      PageDown: to(row + PAGE, column),
      Enter: () => this.ask(from),
      Escape: () => this.host.root.focus({ preventScroll: true }),
    };
  }

  chooses(axis: string): boolean {
    return this.choosers.has(axis);
  }

  toggleTable(panel: number): void {
    this.showTable(this.tabled === panel ? null : panel);
  }
  private showTable(panel: number | null): void {
    this.tabled = panel;
    this.table = panel === null ? null : this.tableOf(this.panels[panel]);
    this.tablePlace.replaceChildren(...(this.table ? [this.table.node] : []));
    this.showTabled();
  }
  private tableOf(panel: Panel): NumbersTable {
    const {
      spec: { title },
      plane,
      tensor,
    } = panel;
    const caption = el(
      "p",
      { class: "caption" },
      mathWords("b", title),
      words("span", `${panelShape(plane)} ${tensor.dtype}`, "shape"),
    );
    return numbersTable(
      title,
      caption,
      plane,
      { rows: range(plane.rows.count), columns: range(plane.columns.count) },
      (row, column) => cellText(panel.plane, { row, column }),
    );
  }
  private showTabled(): void {
    this.readout.showTabled(this.tabled === this.result);
    this.panels.forEach((panel, k) => panel.showTabled(this.tabled === k));
  }

  save(k: number): void {
    const { spec, tensor, plane } = this.panels[k],
      places = this.host.model.held(spec),
      {
        scale: { kind },
        end,
      } = this.groupOf(k);
    const ends = kind === "mask" ? "" : `, colours from ${kind === "signed" ? `−${end}` : "0"} to ${end}`;
    // A − B is named by what A and B are.
    const names =
      this.stage.kind === "difference" && k === this.result
        ? this.panels.slice(0, 2).map((each) => each.tensor.site)
        : [tensor.site];
    const picture = this.panels[k].picture([
      [names.join(" − "), ...places].join(", "),
      `${panelShape(plane)} ${tensor.dtype}${ends}`,
    ]);
    savePicture(picture, fileName([names.join("_minus_"), ...places], "png"));
  }

  // ---- what is read --------------------------------------------------------------------------------------------
  get kept(): Kept {
    return {
      cursor: this.cursor,
      tabled: this.tabled,
      scrolled: this.boxes.map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]),
    };
  }

  /** Opens the table that was read in the same stage of an earlier message. */
  openTable({ tabled }: Kept): void {
    this.showTable(tabled !== null && tabled < this.panels.length ? tabled : null);
  }

  /** Goes on, once it is laid out, with what was read there. */
  readOn({ cursor, scrolled }: Kept): void {
    if (cursor && cursor.panel < this.panels.length) {
      this.cursor = this.inside(cursor.panel, cursor.row, cursor.column);
      this.marks();
    }
    this.boxes.forEach((box, k) => {
      if (k < scrolled.length) box.scrollTo(...scrolled[k]);
    });
  }
  private get boxes(): HTMLElement[] {
    return [...this.panels.map(({ scroller }) => scroller), ...(this.table ? [this.table.box] : [])];
  }

  // ---- drawing -----------------------------------------------------------------------------------------------
  private groupOf(k: number): Group {
    return this.groups.find(({ members }) => members.includes(k))!;
  }

  /** The same panels with other choices. */
  draw(): void {
    const { panels, stage, host } = this,
      planes = panels.map((panel) => panel.take());
    this.groups = groupsOf(stage.panels, planes, host.isRobust);
    panels.forEach((panel, k) => panel.draw(this.groupOf(k).scale));
    this.choosers.draw(this.groupOf(this.result).scale);
    this.robust.hidden = !this.groups.some(({ differs }) => differs);
    this.robust.setAttribute("aria-checked", String(host.isRobust));
    this.legends.replaceChildren(...this.groups.map((group) => legendOf(group, stage.panels, planes)));
    this.title.replaceChildren(
      mathWords("span", stage.title),
      host.model
        .held(...stage.panels)
        .map((place) => `, ${place}`)
        .join(""),
    );
    this.table?.write();
    this.marks();
  }

  layout(): void {
    const { node, figure, host } = this,
      { paddingLeft, paddingRight } = getComputedStyle(node);
    figure.layout(node.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight), node, host.isPhone);
    this.draw();
    for (const panel of this.panels) panel.tellScroll();
  }
}
