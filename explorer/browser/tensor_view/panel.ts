// One matrix: cells on a canvas, labels and frames as elements over it, one tab stop with a cursor.

import type { Scale } from "../shared/cells";
import { button, el, setText, words } from "../shared/elements";
import { mathWords } from "../shared/math";
import { ordinal, plural } from "../shared/numbers";
import { panelShape } from "../shared/planes";
import type { Plane, Spot, Tensor } from "../shared/planes";
import { Sheet } from "../shared/sheet";
import type { PanelEntry } from "../shared/tensors";
import type { Host, PanelSpot } from "./host";
import { Labels } from "./labels";
import type { Font } from "./labels";
import type { Mark } from "./marks";
import { paintCells } from "./paint";
import { pictureOf } from "./png";
import type { LabelRoom, Size, Sized } from "./sizes";
import { summary } from "./words";

/** What the stage does for its panels. */
export interface Actions {
  hover(spot: PanelSpot | null): void;
  ask(spot: PanelSpot): void;
  toggleTable(panel: number): void;
  save(panel: number): void;
  enter(panel: number): void;
  leave(panel: number): void;
}

const FRAMES = ["step", "link-row", "link-column", "cell", "hover"] as const;
const MOST_AT_LEFT = 132,
  MOST_ABOVE = 120,
  TURN = (48 * Math.PI) / 180,
  TINY = 17;

export class Panel implements Sized {
  plane: Plane;
  readonly tensor: Tensor;
  readonly longest: number;
  readonly canvas: HTMLCanvasElement;
  readonly scroller: HTMLElement;
  readonly node: HTMLElement;
  private readonly open: HTMLElement;
  private readonly wide = words("p", "", "thinned");
  private readonly sheet: Sheet<(typeof FRAMES)[number]>;
  private readonly box: HTMLElement;
  private readonly rows: Labels;
  private readonly columns: Labels;
  private readonly ends: Labels;

  constructor(
    private readonly host: Host,
    readonly spec: PanelEntry,
    private readonly position: number,
    private readonly actions: Actions,
  ) {
    this.plane = host.model.plane(spec);
    const { rows, columns, tensor } = this.plane;
    this.tensor = tensor;
    this.longest = Math.max(rows.count, columns.count);
    this.rows = new Labels("rows", rows);
    this.columns = new Labels("columns", columns);
    this.ends = new Labels("ends", rows, (i) => `→ ${rows.writes?.(i)}`);
    this.canvas = el("canvas", {
      class: "cells",
      role: "img",
      tabindex: "0",
      "aria-roledescription": "matrix",
      "data-focus": `panel:${position}`,
    });
    this.sheet = new Sheet(this.canvas, FRAMES);
    this.box = el("div", { class: "sheet" }, this.canvas, ...this.sheet.nodes);
    this.scroller = el(
      "div",
      { class: "scroller" },
      el(
        "div",
        { class: "matrix" },
        el("div", { class: "corner" }),
        this.columns.node,
        this.rows.node,
        this.box,
        this.ends.node,
      ),
    );
    this.open = this.link("Table", "table", `Table of ${spec.title}`, () => actions.toggleTable(position));
    const save = this.link("PNG", "png", `Save ${spec.title} as a PNG picture`, () => actions.save(position));
    const caption = el(
      "p",
      { class: "caption" },
      mathWords("b", spec.title, tensor.letter && `tone-${tensor.letter}`),
      el(
        "span",
        {},
        words("span", `${panelShape(this.plane)} ${tensor.dtype} `, "shape"),
        this.open,
        " ",
        save,
      ),
    );
    this.node = el(
      "figure",
      { class: "panel", "data-rows": rows.side, "data-columns": columns.side, "data-tone": tensor.letter },
      caption,
      this.wide,
      this.scroller,
    );
    this.listen();
  }

  private link(text: string, kind: string, label: string, act: () => void): HTMLElement {
    return button(
      { class: "link small", text, "data-focus": `${kind}:${this.position}`, "aria-label": label },
      act,
    );
  }

  private listen(): void {
    const { canvas, actions, position } = this;
    canvas.addEventListener("pointermove", (event) => actions.hover(this.under(event)));
    canvas.addEventListener("pointerleave", () => actions.hover(null));
    canvas.addEventListener("click", (event) => {
      const spot = this.under(event);
      if (spot) actions.ask(spot);
    });
    canvas.addEventListener("focus", () => actions.enter(position));
    canvas.addEventListener("blur", () => actions.leave(position));
  }

  private under(event: MouseEvent): PanelSpot | null {
    const spot = this.sheet.under(event, this.plane.rows.count, this.plane.columns.count);
    return spot && { panel: this.position, ...spot };
  }

  // ---- size --------------------------------------------------------------------------------------------------
  private get font(): Font {
    return { size: this.longest <= 8 && !this.host.isPhone ? 14 : 12, family: this.host.look.family };
  }

  endsRoom(): number {
    return this.plane.rows.writes && !this.host.isPhone
      ? Math.ceil(Math.min(this.ends.width(this.font), MOST_AT_LEFT)) + 10
      : 0;
  }

  labelRoom(cell: number): LabelRoom {
    const {
      font,
      plane: { rows, columns },
      host: { isPhone },
    } = this;
    const left = rows.names.length
      ? Math.ceil(Math.min(this.rows.width(font), isPhone ? 78 : MOST_AT_LEFT)) + 12
      : 4;
    const column = Math.min(this.columns.width(font), isPhone ? 90 : MOST_ABOVE),
      isTurned = !columns.numeric && column > cell - 6;
    if (!isTurned) return { left, column, isTurned, top: font.size + 12, right: 0 };
    return {
      left,
      column,
      isTurned,
      top: Math.ceil(column * Math.sin(TURN) + 18),
      right: Math.max(0, Math.ceil(column * Math.cos(TURN) - cell / 2 + 12)),
    };
  }

  /** Takes the sizes that the figure has chosen. */
  layout({ width, height, left, top, ends = 0, hidesRows = false, hidesColumns = false }: Size): void {
    const room = this.labelRoom(width),
      {
        font,
        longest,
        plane: { rows, columns },
      } = this,
      right = hidesColumns ? 0 : room.right;
    this.sheet.size = { width, height };
    this.node.classList.toggle("turned", room.isTurned);
    this.node.classList.toggle("tiny", Math.min(width, height) < TINY);
    const lengths = {
      left: left ?? room.left,
      top: hidesColumns ? 4 : (top ?? room.top),
      label: font.size,
      ends,
      "label-width": room.isTurned ? room.column + 8 : Math.max(width, 60),
      right: Math.max(0, right - ends),
    };
    for (const [name, length] of Object.entries(lengths))
      this.node.style.setProperty(`--${name}`, `${length}px`);
    Object.assign(this.box.style, {
      width: `${columns.count * width}px`,
      height: `${rows.count * height}px`,
    });
    if (hidesColumns) this.columns.clear();
    else this.columns.draw(width, longest, room.isTurned, font);
    if (hidesRows) this.rows.clear();
    else this.rows.draw(height, longest, false, font);
    if (ends) this.ends.draw(height, longest, false, font);
    else this.ends.clear();
  }

  /** Says what is not in sight, once everything has its place. */
  tellScroll(): void {
    const {
        scroller,
        plane: { rows, columns },
      } = this,
      notes: string[] = [];
    for (const [{ step, total }, word] of [
      [rows, "row"],
      [columns, "column"],
    ] as const) {
      if (step > 1) notes.push(`Showing every ${ordinal(step)} of ${plural(total, word)}.`);
    }
    const needed = this.leftOfCells + columns.count * this.sheet.size.width;
    if (scroller.clientWidth && needed > scroller.clientWidth)
      notes.push(`Wider than the card: scroll to see all ${plural(columns.count, "column")}.`);
    const isCut =
      scroller.scrollHeight > scroller.clientHeight + 24 &&
      getComputedStyle(scroller).overflowY !== "visible";
    if (isCut) notes.push(`Higher than the card: scroll to see all ${plural(rows.count, "row")}.`);
    setText(this.wide, notes.join(" "));
    this.wide.hidden = !notes.length;
  }
  private get leftOfCells(): number {
    return this.lengthOf("--left") + 4;
  }
  private lengthOf(name: string): number {
    return parseFloat(this.node.style.getPropertyValue(name));
  }

  // ---- drawing -----------------------------------------------------------------------------------------------
  /** The plane at the places that are chosen now. */
  take(): Plane {
    return (this.plane = this.host.model.plane(this.spec));
  }

  draw(scale: Scale): void {
    paintCells(this.canvas, this.plane, this.sheet.size, scale, this.host.look);
    this.canvas.setAttribute("aria-label", summary(this.spec.title, this.plane));
  }

  /** Frames what the stage wants framed, and lights the labels of what is pointed at, linked to it or explained. */
  mark({ hover, row, column }: Mark, explained: Spot | null, step: number | undefined): void {
    const {
      sheet,
      plane: {
        rows: { count: rows },
        columns: { count: columns },
      },
    } = this;
    sheet.frame("hover", hover);
    sheet.frame("link-row", row === undefined ? null : { row, column: 0 }, 1, columns);
    sheet.frame("link-column", column === undefined ? null : { row: 0, column }, rows, 1);
    sheet.frame("cell", explained);
    sheet.frame("step", step === undefined ? null : { row: step, column: 0 }, 1, columns);
    for (const side of [this.rows, this.ends]) side.light(hover?.row ?? row ?? explained?.row);
    this.columns.light(hover?.column ?? column ?? explained?.column);
  }

  showTabled(isTabled: boolean): void {
    this.open.setAttribute("aria-expanded", String(isTabled));
  }

  /** Keeps the keyboard's cell in sight when the matrix scrolls inside its card. */
  reveal(spot: Spot): void {
    this.sheet.reveal(this.scroller, spot, { left: this.leftOfCells, top: this.lengthOf("--top") });
  }

  /** The panel as it is drawn, labels and all, as a canvas of its own; lines stand under its title. */
  picture(lines: readonly string[]): HTMLCanvasElement {
    const labels = [this.columns, this.rows, this.ends].flatMap((side) => side.shown);
    return pictureOf(this.canvas, labels, this.spec.title, lines, this.host.look);
  }
}
