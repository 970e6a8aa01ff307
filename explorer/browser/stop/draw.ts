// Draws a board: a function of the model, the board and how far the lit row has come.

import { cellPainter, hatch, pixelSheet } from "../shared/cells";
import type { Look } from "../shared/look";
import type { Plane } from "../shared/planes";
import type { Board, Frame, Note, Part, Tone, Version, Way } from "./board";
import { extent, planeOf, versionAt } from "./board";
import type { Model } from "./model";

const NUMBERS = [33, 19] as const;   // from this size on a cell says its number
const SMALL = 9, LABEL = 15;

/** progress: stages that the lit row has come through, the last one in part; all others have those that are held. */
export interface Shown { board: Board; progress: number; held: number; isPlaying: boolean; frames: Frame[]; cell: Frame | null; lit: { row?: number; column?: number } }

export class Drawing {
  private readonly sheets = new Map<string, HTMLCanvasElement>();
  private pattern: CanvasPattern | null = null;

  constructor(private readonly model: Model, private readonly context: CanvasRenderingContext2D, private readonly look: Look, private readonly ratio: number) {}

  draw(shown: Shown): void {
    const { context, ratio } = this, { canvas } = context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = false;
    for (const way of shown.board.ways) this.way(way);
    for (const part of shown.board.parts) this.part(part, shown);
    for (const note of shown.board.notes) this.note(note);
    for (const frame of shown.frames) this.frame(frame, shown.board);
    if (shown.cell) this.frame(shown.cell, shown.board);
  }

  // ---- one part ----------------------------------------------------------------------------------------------------
  private part(part: Part, shown: Shown): void {
    const { held, progress } = shown, { model } = this, at = versionAt(model, part, held), { rows } = extent(model, part), lit = model.chosen.row;
    for (let row = 0; row < rows; row++) {
      const follows = part.follows === "rows", isLit = follows && row === lit && shown.isPlaying;
      if (follows && model.header.grows && row > lit) { this.absent(part, row); continue; }
      const now = isLit ? versionAt(model, part, progress) : at;
      if (now) this.row(part, now.version, row, isLit ? now.share : 1);
      else this.absent(part, row);
    }
    if (at) this.title(part, at.version);
    this.labels(part, shown);
    if (part.follows === "rows" && part.cell[1] >= 4 && lit < rows) this.box(part.x - 1, part.y + lit * part.cell[1] - 1, extent(model, part).width + 1, part.cell[1] + 1, this.look[model.header.row_side || "ink"], 1.5);
  }

  /** Which columns of a part are there: a key that is not written yet has no cell. */
  private columnsOf(part: Part, count: number): number {
    const grows = this.model.header.grows && (part.columnsGrow || part.follows === "columns");
    return grows ? Math.min(count, this.model.chosen.row + 1) : count;
  }

  private row(part: Part, version: Version, row: number, share: number): void {
    const plane = planeOf(this.model, version), [width, height] = part.cell, count = this.columnsOf(part, plane.columns.count);
    const there = Math.ceil(count * share);
    if (part.form === "bars") return this.bars(part, version, plane, row, there);
    if (Math.min(width, height) < SMALL && !plane.tensor.hidden) {
      const sheet = this.sheet(part, version, plane);
      this.context.drawImage(sheet, 0, row, there, 1, part.x, part.y + row * height, there * width, height);
      if (height >= 5) this.fill(part.x, part.y + (row + 1) * height - 0.5, there * width, 0.5, this.look.bg);
    } else this.cells(part, version, plane, row, there);
    for (let column = count; column < plane.columns.count && part.columnsGrow && width >= SMALL; column++) this.empty(part, row, column);
    return undefined;
  }

  private cells(part: Part, version: Version, plane: Plane, row: number, there: number): void {
    const { context, look, ratio } = this, [width, height] = part.cell, hasNumbers = width >= NUMBERS[0] && height >= NUMBERS[1];
    const painter = cellPainter(context, look, 1, version.scale, hasNumbers ? (width >= 40 ? 13 : 12) : 0), gap = width < SMALL || height < SMALL ? 0 : 1;
    const snap = (value: number) => Math.round(value * ratio) / ratio;
    for (let column = 0; column < there; column++) {
      const x = snap(part.x + column * width), y = snap(part.y + row * height), w = snap(part.x + (column + 1) * width) - x - gap, h = snap(part.y + (row + 1) * height) - y - gap;
      if (plane.masked(row, column)) this.hatched(x, y, w, h);
      else painter.cell(valueOf(version, plane, row, column), x, y, w, h);
    }
  }

  private bars(part: Part, version: Version, plane: Plane, row: number, there: number): void {
    const { look } = this, [width, height] = part.cell, middle = part.y + row * height + height / 2, limit = version.scale.limit || 1;
    this.fill(part.x, middle - 0.5, plane.columns.count * width, 1, look.line2);
    for (let column = 0; column < there; column++) {
      const value = valueOf(version, plane, row, column), size = (Math.min(1, Math.abs(value) / limit) * height) / 2;
      this.fill(part.x + column * width, value < 0 ? middle : middle - size, Math.max(0.5, width - (width > 3 ? 1 : 0)), size, value < 0 ? look.negative : look.positive);
    }
  }

  /** A tile of one pixel a number, which drawing enlarges. */
  private sheet(part: Part, version: Version, plane: Plane): HTMLCanvasElement {
    const key = [part.name, version.from, version.tensor, plane.key, version.scale.limit, version.as ? this.model.chosen.row : ""].join();
    let sheet = this.sheets.get(key);
    if (!sheet) {
      const value = (row: number, column: number) => valueOf(version, plane, row, column);
      this.sheets.set(key, (sheet = pixelSheet(this.look, version.scale, plane.rows.count, plane.columns.count, value, plane.masked)));
    }
    return sheet;
  }

  private hatched(x: number, y: number, width: number, height: number): void {
    this.context.fillStyle = this.pattern ??= this.context.createPattern(hatch(this.look, 1), "repeat")!;
    this.context.fillRect(x, y, width, height);
  }

  /** A row that is not there yet. */
  private absent(part: Part, row: number): void {
    const { columns } = planeOf(this.model, part.versions[0]), [width, height] = part.cell;
    if (Math.min(width, height) >= SMALL) for (let column = 0; column < columns.count; column++) this.empty(part, row, column);
    else if (row === 0 || part.follows === "rows") this.box(part.x, part.y + row * height, columns.count * width, height, this.look.line, 0.5, [2, 2]);
  }
  private empty({ x, y, cell: [width, height] }: Part, row: number, column: number): void {
    this.box(x + column * width + 0.5, y + row * height + 0.5, width - 2, height - 2, this.look.line, 1, [3, 3]);
  }

  // ---- words -------------------------------------------------------------------------------------------------------
  private title(part: Part, { title }: Version): void {
    if (part.title) this.note({ text: title, weight: 600, tone: part.tone, ...part.title, size: 13 });
  }

  private labels(part: Part, { lit }: Shown): void {
    const { model, look } = this, { rows, columns } = planeOf(model, part.versions[0]), [width, height] = part.cell, { grows, row_side: side } = model.header;
    const isThere = (row: number) => !grows || row <= model.chosen.row, every = Math.max(1, Math.ceil(LABEL / height)), across = Math.max(1, Math.ceil(26 / width));
    for (let row = 0; row < rows.count; row++) {
      const isLit = row === model.chosen.row || row === lit.row;
      if (row % every && !isLit) continue;
      const colour = isThere(row) ? look[(rows.side || side || "ink") as "source"] : look.mute, y = part.y + (row + 0.5) * height, weight = isLit ? 650 : 400;
      if (part.left) this.text(part.follows === "rows" && rows.side === side ? model.reads[row] ?? rows.label(row) : rows.label(row), part.x - 8, y, colour, 13, weight, "right", 90);
      if (part.right?.length) this.text(part.right[row], part.x + columns.count * width + 8, y, isThere(row) ? look.target : look.mute, 13, weight, "left", 90);
    }
    if (!part.above) return;
    for (let column = 0; column < columns.count; column++) {
      const isLit = column === lit.column;
      if (column % across && !isLit) continue;
      this.text(columns.label(column), part.x + (column + 0.5) * width, part.y - 11, look[(columns.side || "ink") as "source"], 13, isLit ? 650 : 400, "center", width * across - 2);
    }
  }

  private note({ text, x, y, tone = "", size = 13, weight = 400, align = "left", most }: Note): void {
    this.text(text, x, y, colourOf(this.look, tone), size, weight, align, most);
  }

  private text(text: string, x: number, y: number, colour: string, size: number, weight: number, align: CanvasTextAlign, most?: number): void {
    const { context } = this;
    context.font = `${weight} ${size}px ${this.look.family}`;
    context.fillStyle = colour;
    context.textAlign = "left";
    context.textBaseline = "middle";
    // A letter after _ stands lower, as in formulas.
    const pieces = text.split(/(_[A-Za-z0-9]+)/).filter(Boolean).map((piece) => piece.startsWith("_") ? { piece: piece.slice(1), low: true } : { piece, low: false });
    const width = pieces.reduce((sum, { piece, low }) => sum + context.measureText(piece).width * (low ? 0.75 : 1), 0), share = most && width > most ? most / width : 1;
    let at = x - (align === "right" ? width * share : align === "center" ? (width * share) / 2 : 0);
    for (const { piece, low } of pieces) {
      context.font = `${weight} ${low ? size * 0.75 : size}px ${this.look.family}`;
      const own = context.measureText(piece).width * share;
      context.fillText(piece, at, y + (low ? size * 0.25 : 0), own + 0.5);
      at += own;
    }
  }

  // ---- lines -------------------------------------------------------------------------------------------------------
  private frame({ part: name, row, column, tone }: Frame, board: Board): void {
    const part = board.parts.find((each) => each.name === name);
    if (!part) return;
    const { width, height } = extent(this.model, part), [w, h] = part.cell, isCell = row !== undefined && column !== undefined;
    const x = column === undefined ? part.x : part.x + column * w, y = row === undefined ? part.y : part.y + row * h;
    const wide = column === undefined ? width : w, high = row === undefined ? height : h, gap = Math.min(w, h) >= SMALL ? 1 : 0;
    this.box(x - 1, y - 1, Math.max(3, wide - gap + 2), Math.max(3, high - gap + 2), colourOf(this.look, tone), isCell ? 2.5 : 2);
  }

  private way({ points, tone = "mute", arrow }: Way): void {
    const { context } = this, colour = tone === "mute" ? this.look.line2 : colourOf(this.look, tone), [end, before] = [points.at(-1)!, points.at(-2)!];
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
    if (!arrow) return;
    const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
    context.beginPath();
    for (const [turn, length] of [[0, 0], [2.7, 8], [-2.7, 8]]) context.lineTo(end[0] + length * Math.cos(angle + turn), end[1] + length * Math.sin(angle + turn));
    context.fill();
  }

  private fill(x: number, y: number, width: number, height: number, colour: string): void {
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
  }

  private box(x: number, y: number, width: number, height: number, colour: string, line: number, dash: number[] = []): void {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.setLineDash(dash);
    context.strokeRect(x, y, width, height);
    context.setLineDash([]);
  }
}

export function valueOf(version: Version, plane: Plane, row: number, column: number): number {
  const value = plane.value(row, column);
  return version.as ? version.as(value, row, column) : value;
}

export function colourOf(look: Look, tone: Tone): string { return tone === "" ? look.ink : look[tone]; }
