// Draws a board: a function of the model, the board and how far the lit row has come.

import { cellPainter, hatch, pixelSheet } from "../shared/cells";
import type { Look } from "../shared/look";
import { formatSigned } from "../shared/numbers";
import { fitted, Pen } from "../shared/pen";
import { range } from "../shared/planes";
import type { Plane } from "../shared/planes";
import type { Board, Frame, Note, Part, Range, Ray, Reached, Tone, Version, Way } from "./board";
import { extent, isMissing, partOf, planeOf, shownIn, versionAt } from "./board";
import type { LitPart } from "./light";
import type { Model } from "./model";

const NUMBERS = [33, 19] as const; // from this size on a cell says its number
const WHOLE_NUMBERS = 22; // as wide is one of few digits
const SMALL = 9,
  LABEL = 15,
  ROOM = 26,
  BETWEEN = 3,
  TURNED = 56,
  MOST_NAME = 90;
const UNLIT = 0.4; // how much is seen of rows beside the one that a lesson speaks of

/** progress: stages that the lit row has come through, the last one in part; all others have those that are held. */
export interface Shown {
  board: Board;
  progress: number;
  held: number;
  isPlaying: boolean;
  frames: Frame[];
  rays: Ray[];
  cell: Frame | null;
  lit: { row?: number; column?: number };
  light: LitPart[];
}

/** A row of a part as it is drawn: where, and how many of its columns are there. */
interface Row {
  part: Part;
  version: Version;
  plane: Plane;
  row: number;
  y: number;
  first: number;
  columns: readonly number[];
}

const LOW = 0.75; // the size of what stands lower in a formula

/** A run of text at one height. */
interface Run {
  text: string;
  isLow: boolean;
}
/** Split a formula where a letter after _ stands lower; any other text, such as a token, is one run. */
export function runsOf(text: string, isFormula: boolean): Run[] {
  if (!isFormula) return [{ text, isLow: false }];
  return text
    .split(/(_[A-Za-z0-9]+)/)
    .filter(Boolean)
    .map((part) =>
      part.startsWith("_") ? { text: part.slice(1), isLow: true } : { text: part, isLow: false },
    );
}

/** Every how many columns are named: all where their names have room, and wide names are cut to ROOM. */
export function namedEvery(widths: readonly number[], cell: number): number {
  return Math.max(1, Math.ceil(Math.min(ROOM, Math.max(0, ...widths) + BETWEEN) / cell));
}

export class Drawing {
  private readonly sheets = new Map<string, HTMLCanvasElement>();
  private readonly pen: Pen;
  private pattern: CanvasPattern | null = null;

  constructor(
    private readonly model: Model,
    private readonly context: CanvasRenderingContext2D,
    private readonly look: Look,
    private readonly ratio: number,
  ) {
    this.pen = new Pen(context, look);
  }

  draw(shown: Shown): void {
    const { context, ratio } = this,
      { canvas } = context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const { points, colour } of shown.board.areas ?? []) this.pen.area(points, this.look[colour]);
    for (const way of shown.board.ways) this.way(way);
    for (const ray of shown.rays) this.ray(ray);
    for (const frame of shown.frames) if (frame.soft) this.ground(frame, shown.board);
    for (const range of shown.board.ranges ?? []) this.range(range, shown);
    for (const part of shown.board.parts) this.part(part, shown);
    for (const note of shown.board.notes)
      if (!note.from || Math.max(0, this.model.stageIndex(note.from)) < shown.progress) this.note(note);
    for (const frame of shown.frames) this.frame(frame, shown.board);
    if (shown.cell) this.frame(shown.cell, shown.board);
  }

  // ---- one part ----------------------------------------------------------------------------------------------------
  private part(part: Part, shown: Shown): void {
    const { model } = this,
      at = versionAt(model, part, shown.held),
      { rows } = shownIn(model, part),
      lit = model.chosen.row;
    for (const [i, row] of rows.entries())
      this.pen.faint(this.seen(part, row, shown), () => this.rowAt(part, i, row, at, shown));
    if (at) this.title(part, at.version);
    this.labels(part, shown);
    const frame = (place: number, colour: string) =>
      this.pen.frame(
        part.x - 1,
        part.y + place * part.cell[1] - 1,
        extent(model, part).width + 1,
        part.cell[1] + 1,
        colour,
        1.5,
      );
    if (part.picks) frame(model.placeOf(part.picks), this.look.ink);
    if (part.follows === "rows" && !part.rows && part.cell[1] >= 4 && lit < rows.length)
      frame(lit, this.look[model.header.row_side || "ink"]);
  }

  /** A row of a part as far as it has come; at: what the part shows where nothing plays. */
  private rowAt(
    part: Part,
    place: number,
    row: number,
    at: Reached | null,
    { isPlaying, progress }: Shown,
  ): void {
    const { model } = this,
      lit = model.chosen.row,
      y = part.y + place * part.cell[1];
    const follows = part.follows === "rows",
      isLit = isPlaying && (part.follows === "lit" || (follows && row === lit));
    if (follows && model.header.grows && row > lit) return this.absent(part, place);
    const now = isLit ? versionAt(model, part, progress) : at;
    // Rows of the lit one come one after the other.
    const share = !isLit
      ? 1
      : part.follows === "lit"
        ? Math.max(0, Math.min(1, (now?.share ?? 0) * shownIn(model, part).rows.length - place))
        : (now?.share ?? 0);
    // Bars that have not come through the stage yet are still what they were.
    if (now?.before && share < 1 && part.form === "bars") this.row(part, now.before, row, y, 1, share);
    return now ? this.row(part, now.version, row, y, share) : this.absent(part, place);
  }

  /** How much is seen of a row: what a lesson does not speak of steps back beside what it does. */
  private seen(part: Part, row: number, { light }: Shown): number {
    const here = light.find((each) => each.part.name === part.name);
    return here?.row === undefined || here.row === row ? 1 : UNLIT;
  }

  /** Which columns of a part are there: a key that is not written yet has no cell. */
  private columnsOf(part: Part, count: number): number {
    const grows = this.model.header.grows && (part.columnsGrow || part.follows === "columns");
    return grows ? Math.min(count, this.model.chosen.row + 1) : count;
  }

  private row(part: Part, version: Version, row: number, y: number, share: number, from = 0): void {
    const plane = planeOf(this.model, version),
      [width, height] = part.cell,
      count = this.columnsOf(part, extent(this.model, part).columns);
    const there = Math.ceil(count * share),
      first = Math.ceil(count * from),
      at = {
        part,
        version,
        plane,
        row,
        y,
        first,
        columns: shownIn(this.model, part).columns.slice(first, there),
      };
    if (part.form === "bars") return this.bars(at);
    if (part.form !== "cells") return this.written(at);
    if (
      Math.min(width, height) < SMALL &&
      !plane.tensor.hidden &&
      !part.columns &&
      version.scale.kind !== "mask"
    ) {
      const sheet = this.sheet(part, version, plane);
      this.context.drawImage(sheet, 0, row, there, 1, part.x, y, there * width, height);
      if (height >= 5) this.pen.fill(part.x, y + height - 0.5, there * width, 0.5, this.look.bg);
    } else this.cells(at);
    for (let column = count; column < plane.columns.count && part.columnsGrow && width >= SMALL; column++)
      this.empty(part, Math.round((y - part.y) / height), column);
    return undefined;
  }

  private cells({ part, version, plane, row, y: top, columns }: Row): void {
    const { context, look, ratio } = this,
      [width, height] = part.cell,
      hasNumbers =
        width >= (plane.tensor.dtype === "int64" ? WHOLE_NUMBERS : NUMBERS[0]) && height >= NUMBERS[1];
    const painter = cellPainter(context, look, 1, version.scale, hasNumbers ? (width >= 40 ? 13 : 12) : 0),
      gap = width < SMALL || height < SMALL ? 0 : 1;
    const snap = (value: number) => Math.round(value * ratio) / ratio;
    for (const [i, column] of columns.entries()) {
      const x = snap(part.x + i * width),
        y = snap(top),
        w = snap(part.x + (i + 1) * width) - x - gap,
        h = snap(top + height) - y - gap;
      if (this.model.isWritten(plane.tensor.name, row, column)) continue;
      if (isMissing(this.model, plane, row, column))
        this.empty(part, Math.round((top - part.y) / height), column);
      else if (plane.covered(row, column)) this.question(x, y, w, h);
      else if (plane.masked(row, column)) this.hatched(x, y, w, h);
      else painter.cell(valueOf(version, plane, row, column), x, y, w, h);
    }
  }

  private bars({ part, version, plane, row, y, first, columns }: Row): void {
    const { look } = this,
      [width, height] = part.cell,
      limit = version.scale.limit || 1,
      [low, high] = part.span ?? [-limit, limit];
    const unit = height / (high - low || 1),
      zero = y + Math.max(0, high) * unit,
      before = version.behind ? this.model.plane(version.behind, version.spread) : null;
    const bar = (i: number, value: number, colour: string) => {
      const size = Math.max(low, Math.min(high, value)) * unit;
      this.pen.fill(
        part.x + i * width,
        size < 0 ? zero : zero - size,
        Math.max(0.5, width - (width > 3 ? 1 : 0)),
        Math.max(0.5, Math.abs(size)),
        colour,
      );
    };
    this.pen.fill(part.x, zero - 0.5, extent(this.model, part).width, 1, look.line2);
    for (const [i, column] of columns.entries()) {
      if (plane.covered(row, column)) continue;
      const value = valueOf(version, plane, row, column);
      if (before) bar(first + i, before.value(row, column), look.line2);
      if (value || !before)
        bar(first + i, value, look[part.paint?.(row, column) ?? (value < 0 ? "negative" : "positive")]);
    }
  }

  /** Numbers as text, or as lengths between 0 and 1. */
  private written({ part, version, plane, row, y, columns }: Row): void {
    const { look } = this,
      [width, height] = part.cell,
      middle = y + height / 2;
    for (const [i, column] of columns.entries()) {
      const value = valueOf(version, plane, row, column),
        x = part.x + i * width,
        paint = part.paint?.(row, column);
      if (part.form === "numbers") {
        this.text(
          (version.write ?? formatSigned)(value),
          x + width - 4,
          middle,
          look[paint ?? "ink"],
          13,
          paint ? 650 : 400,
          "right",
          width,
        );
        continue;
      }
      this.pen.fill(x, middle + 8, width, 1, look.line2);
      this.pen.fill(x, middle - 7, Math.max(1.5, value * width), 14, look[paint ?? "mute"]);
    }
  }

  /** A tile of one pixel a number, which drawing enlarges. */
  private sheet(part: Part, version: Version, plane: Plane): HTMLCanvasElement {
    const key = [
      part.name,
      version.from,
      version.tensor,
      plane.key,
      version.scale.limit,
      version.as ? this.model.chosen.row : "",
    ].join();
    let sheet = this.sheets.get(key);
    if (!sheet) {
      const value = (row: number, column: number) => valueOf(version, plane, row, column);
      this.sheets.set(
        key,
        (sheet = pixelSheet(
          this.look,
          version.scale,
          plane.rows.count,
          plane.columns.count,
          value,
          (r, c) => plane.masked(r, c) || plane.covered(r, c),
        )),
      );
    }
    return sheet;
  }

  /** A cell that comes with the answer to a question. */
  private question(x: number, y: number, width: number, height: number): void {
    this.pen.frame(x + 0.5, y + 0.5, width - 1, height - 1, this.look.line2, 1, [3, 3]);
    if (Math.min(width, height) >= NUMBERS[1])
      this.text("?", x + width / 2, y + height / 2, this.look.mute, 13, 600, "center");
  }

  private hatched(x: number, y: number, width: number, height: number): void {
    this.pen.fill(
      x,
      y,
      width,
      height,
      (this.pattern ??= this.context.createPattern(hatch(this.look, 1), "repeat")!),
    );
  }

  /** A row that is not there yet. */
  private absent(part: Part, row: number): void {
    const { columns } = extent(this.model, part),
      [width, height] = part.cell;
    if (part.form === "cells" && Math.min(width, height) >= SMALL)
      for (let column = 0; column < columns; column++) this.empty(part, row, column);
    else if (row === 0 || part.follows === "rows")
      this.pen.frame(part.x, part.y + row * height, columns * width, height, this.look.line, 0.5, [2, 2]);
  }
  private empty({ x, y, cell: [width, height] }: Part, row: number, column: number): void {
    this.pen.frame(
      x + column * width + 0.5,
      y + row * height + 0.5,
      width - 2,
      height - 2,
      this.look.line,
      1,
      [3, 3],
    );
  }

  // ---- words -------------------------------------------------------------------------------------------------------
  private title(part: Part, { title, isFormula }: Version): void {
    if (part.title)
      this.note({ text: title, isFormula, weight: 600, tone: part.tone, ...part.title, size: 13 });
  }

  private labels(part: Part, shown: Shown): void {
    const { lit, board } = shown;
    const { model, look } = this,
      { rows, columns } = planeOf(model, part.versions[0]),
      [width, height] = part.cell,
      { grows, row_side: side } = model.header;
    const isThere = (row: number) => !grows || row <= model.chosen.row,
      every = Math.max(1, Math.ceil(LABEL / height)),
      end = part.x + columns.count * width + 8;
    const isCrowded = (row: number) =>
      every > 1 && part.follows === "rows" && Math.abs(row - model.chosen.row) * height < LABEL;
    for (const [i, row] of (part.rows ?? range(rows.count)).entries()) {
      const isLit = part.picks
        ? row === model.placeOf(part.picks)
        : part.follows === "rows" && (row === model.chosen.row || row === lit.row);
      if (!isLit && (row % every || isCrowded(row))) continue;
      const colour =
          isThere(row) || part.rows
            ? look[(rows.side || (part.follows === "rows" && side) || "ink") as "source"]
            : look.mute,
        y = part.y + (i + 0.5) * height,
        weight = isLit ? 650 : 400;
      this.pen.faint(this.seen(part, row, shown), () => {
        if (part.left)
          this.text(
            part.follows === "rows" && rows.side === side
              ? (model.reads[row] ?? rows.label(row))
              : rows.label(row),
            part.x - 8,
            y,
            colour,
            13,
            weight,
            "right",
            Math.min(MOST_NAME, part.x - 8),
          );
        if (part.right?.length)
          this.text(
            part.right[row],
            end,
            y,
            isThere(row) ? look.target : look.mute,
            13,
            weight,
            "left",
            Math.min(MOST_NAME, board.width - end),
          );
      });
    }
    if (part.above) this.names(part, columns, lit.column);
  }

  private names(part: Part, columns: Plane["columns"], lit: number | undefined): void {
    const { look, context } = this,
      [width] = part.cell,
      isTurned = part.above === "turned";
    context.font = `400 13px ${look.family}`;
    const widths = range(columns.count).map((column) => context.measureText(columns.label(column)).width),
      across = isTurned ? Math.max(1, Math.ceil(LABEL / width)) : namedEvery(widths, width);
    for (let column = 0; column < columns.count; column++) {
      const isLit = column === lit,
        weight = isLit ? 650 : 400,
        colour = look[(columns.side || "ink") as "source"],
        x = part.x + (column + 0.5) * width;
      if (column % across && !isLit) {
        // A name that has no room is not left out without a sign.
        this.text("·", x, part.y - 11, look.mute, 13, 400, "center");
        continue;
      }
      if (!isTurned) {
        this.text(columns.label(column), x, part.y - 11, colour, 13, weight, "center", width * across - 2);
        continue;
      }
      context.save();
      context.translate(x, part.y - 6);
      context.rotate(-Math.PI / 4);
      this.text(columns.label(column), 0, 0, colour, 12, weight, "left", TURNED);
      context.restore();
    }
  }

  private note(note: Note): void {
    const { text, x, y, tone = "", size = 13, weight = 400, align = "left", most, isFormula = false } = note;
    this.text(text, x, y, colourOf(this.look, tone), size, weight, align, most, isFormula);
  }

  private text(
    text: string,
    x: number,
    y: number,
    colour: string,
    size: number,
    weight: number,
    align: CanvasTextAlign,
    most?: number,
    isFormula = false,
  ): void {
    const { context } = this;
    context.fillStyle = colour;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const write = ({ isLow }: Run) => {
      context.font = `${weight} ${isLow ? size * LOW : size}px ${this.look.family}`;
    };
    const widthOf = (run: Run) => {
      write(run);
      return context.measureText(run.text).width;
    };
    const width = (part: string) => runsOf(part, isFormula).reduce((sum, run) => sum + widthOf(run), 0);
    const fit = fitted(text, most, width),
      whole = width(fit.text) * fit.share;
    let at = x - (align === "right" ? whole : align === "center" ? whole / 2 : 0);
    for (const run of runsOf(fit.text, isFormula)) {
      const own = widthOf(run) * fit.share;
      context.fillText(run.text, at, y + (run.isLow ? size * 0.25 : 0), own + 0.5);
      at += own;
    }
  }

  // ---- lines -------------------------------------------------------------------------------------------------------
  private frame(frame: Frame, board: Board): void {
    if (frame.note) this.note(frame.note);
    const place = frame.soft ? null : this.framed(frame, board);
    if (!place) return;
    const { x, y, width, height, gap } = place,
      isCell = frame.row !== undefined && frame.column !== undefined;
    this.pen.frame(
      x - 1,
      y - 1,
      Math.max(3, width - gap + 2),
      Math.max(3, height - gap + 2),
      colourOf(this.look, frame.tone),
      isCell ? 2.5 : 2,
    );
  }

  /** Where what is framed stands; null for what is not shown. */
  framed(
    { part: name, row, column }: Frame,
    board: Board,
  ): { x: number; y: number; width: number; height: number; gap: number } | null {
    const part = partOf(board, name);
    if (!part) return null;
    const { width, height } = extent(this.model, part),
      [w, h] = part.cell,
      shown = shownIn(this.model, part);
    const across = column === undefined ? 0 : shown.columns.indexOf(column),
      down = row === undefined ? 0 : shown.rows.indexOf(row);
    if (across < 0 || down < 0) return null;
    return {
      x: part.x + across * w,
      y: part.y + down * h,
      width: column === undefined ? width : w,
      height: row === undefined ? height : h,
      gap: Math.min(w, h) >= SMALL ? 1 : 0,
    };
  }

  private ground(frame: Frame, board: Board): void {
    const place = this.framed(frame, board);
    if (place) this.pen.fill(place.x, place.y, place.width, place.height, this.look.line);
  }

  /** A band behind bars with a line in it, where their values are that it marks. */
  private range({ part: name, from, low, middle, high }: Range, { board, progress }: Shown): void {
    const part = partOf(board, name);
    if (!part || this.model.stageIndex(from) >= progress) return;
    const { width, height } = extent(this.model, part),
      limit = part.versions[0].scale.limit || 1;
    const at = (value: number) => part.y + (height / 2) * (1 - Math.max(-1, Math.min(1, value / limit)));
    this.pen.fill(part.x, at(high), width, at(low) - at(high), this.look["source-tint"]);
    this.pen.fill(part.x, at(middle) - 1, width, 2, this.look.link);
  }

  private ray({ from, to, strength }: Ray): void {
    const size = Math.min(1, Math.abs(strength));
    this.pen.faint(0.06 + 0.84 * size, () =>
      this.pen.line([from, to], strength < 0 ? this.look.negative : this.look.positive, 0.5 + 2 * size),
    );
  }

  private way({ points, tone = "mute", arrow }: Way): void {
    const colour = tone === "mute" ? this.look.line2 : colourOf(this.look, tone),
      [end, before] = [points.at(-1)!, points.at(-2)!];
    this.pen.line(points, colour, 1.5);
    if (!arrow) return;
    const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
    const corner = (turn: number, length: number) =>
      [end[0] + length * Math.cos(angle + turn), end[1] + length * Math.sin(angle + turn)] as const;
    this.pen.area([corner(0, 0), corner(2.7, 8), corner(-2.7, 8)], colour);
  }
}

export function valueOf(version: Version, plane: Plane, row: number, column: number): number {
  const value = plane.value(row, column);
  return version.as ? version.as(value, row, column) : value;
}

export function colourOf(look: Look, tone: Tone): string {
  return tone === "" ? look.ink : look[tone];
}
