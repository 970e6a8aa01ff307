// Attention that forms beside words that correct themselves: the stage of Train, and in its compact form of an experiment's arm.

import { el, setText, words } from "../shared/elements";
import type { Scale } from "../shared/cells";
import type { Look } from "../shared/look";
import { fixed } from "../shared/numbers";
import { inOneLine, visible } from "../shared/text";
import type { Grid, Moment, Probe, ProbesHeader } from "./data";
import { alignment, fits, ofHead } from "./data";
import { HeadPictures } from "./heads";
import { inPlace, isRight } from "./marks";
import { AttentionMatrix, headOf, roomOf, tableOf } from "./matrix";
import { ProbeOutputs } from "./outputs";
import { TensorPicture } from "./tensor";

const BARS = 92,
  NARROW_BARS = 52,
  PHONE_CELL = 28,
  LEAST_CELL = 6,
  PICKED_SHARE = 0.56;

/**
 * What a stage is made for. `compact`: an arm of an experiment, without numbers in cells, P and the small right letters.
 * `cell`: the largest; 46 on Train, 31 or 22 in an arm.
 */
export interface StageForm {
  compact: boolean;
  cell: number;
}
/** What is chosen on it: a probe by its place, a head (-1: the mean), and whether the gold alignment is drawn. */
export interface StageChoice {
  word: number;
  head: number;
  gold: boolean;
}

/**
 * `node` holds the two panes, `.where` and `.writes`; `lay` gives it its room, `show` a moment. The style is `stage.css`.
 *
 * `beside` adds to the line of its title and to the one below the matrix. Called whenever somebody chooses a probe or a head; what is chosen is then shown by the page, since two arms share it.
 */
export class Stage {
  readonly node: HTMLElement;
  readonly matrix: AttentionMatrix;
  private readonly title = words("h2", "");
  readonly about = words("p", "", "about");
  readonly readout = words("p", "", "readout");
  private readonly heads: HeadPictures;
  private readonly outputs: ProbeOutputs;
  private readonly said = words("p", "", "tells");
  private readonly table = el("div", { class: "unseen" });
  private readonly empty = words("p", "", "empty");
  private readonly picture = new TensorPicture(() => this.read());
  private header: ProbesHeader | null = null;
  private asked: Parameters<Stage["show"]> | null = null;
  private shown: { moment: Moment | null; choice: StageChoice; look: Look; scale: Scale | null } | null =
    null;
  private room = { width: 0, height: 0, isPhone: false };

  constructor(
    private readonly form: StageForm,
    choose: { word: (place: number) => void; head: (head: number) => void },
    beside: { title?: Node[]; foot?: Node[] } = {},
  ) {
    this.matrix = new AttentionMatrix(() => this.read());
    this.heads = new HeadPictures(choose.head);
    this.outputs = new ProbeOutputs(choose.word);
    const title = (head: Node, ...more: Node[]) => el("div", { class: "title" }, head, ...more);
    const foot = el("div", { class: "foot" }, this.readout, ...(beside.foot ?? []));
    this.node = el(
      "div",
      { class: form.compact ? "theatre-stage compact" : "theatre-stage" },
      el(
        "section",
        { class: "where", "aria-label": "Where it looks" },
        title(this.title, this.about, ...(beside.title ?? [])),
        el("div", { class: "beside" }, this.matrix.node, this.heads.node, this.picture.node),
        foot,
        this.table,
      ),
      el(
        "section",
        { class: "writes", "aria-label": "What it writes" },
        title(
          words("h2", "What it writes"),
          words("p", form.compact ? "" : "fixed sources, token by token", "about"),
        ),
        this.outputs.node,
        this.said,
      ),
      this.empty,
    );
  }

  /** Give it its room, in pixels; on a phone one pane stands below the other. */
  lay(header: ProbesHeader, room: { width: number; height: number; isPhone: boolean }): void {
    this.header = header;
    this.room = room;
    this.node.style.setProperty("--stage", room.isPhone ? "auto" : `${room.height}px`);
    this.node.classList.toggle("low", !room.isPhone && room.height < 470);
    this.outputs.lay(header.probes, header.unit);
    this.heads.lay(header.n_heads);
    if (this.asked) this.show(...this.asked);
  }

  /**
   * Draw a moment; null before there is one. With a scale the moment's picked tensor is drawn in place of the attention.
   *
   * A moment or a choice of another run is not drawn: the page lays the stage out and shows its moments one after the other, so that for a while they are of two runs.
   */
  show(...asked: [moment: Moment | null, choice: StageChoice, look: Look, scale?: Scale | null]): void {
    this.asked = asked;
    const { header } = this,
      [given, chosen, look, wanted = null] = asked,
      isOther = !!given && !!header && !fits(header, given);
    const moment = isOther ? null : given,
      scale = isOther ? null : wanted,
      choice = header ? within(chosen, header) : chosen;
    this.shown = { moment, choice, look, scale };
    this.node.classList.toggle("isempty", !moment);
    this.empty.hidden = !!header?.probes.length;
    setText(this.empty, header?.probes.length ? "" : "There is no fixed source that could be looked at.");
    this.showPicked(moment, look, scale);
    if (!header?.probes.length) return;
    const probe = header.probes[choice.word],
      heads = moment ? moment.heads[choice.word] : null,
      grid = heads && ofHead(heads, choice.head);
    this.matrix.lay(probe, this.sizeOf(probe));
    this.matrix.show(
      grid,
      moment ? moment.probabilities[choice.word] : null,
      look,
      choice.gold && !!probe.gold,
    );
    this.heads.show(
      heads,
      { rows: probe.right.length, columns: probe.source.length },
      choice.head,
      look,
      this.headRoom(header.n_heads),
    );
    this.outputs.show(header.probes, moment ? moment.words : null, choice.word);
    this.read();
    setText(this.said, moment ? said(header, moment) : "");
    this.table.replaceChildren(
      ...(grid
        ? [tableOf(probe, grid, `Cross-attention of ${probe.text}, ${headName(choice.head, header.n_heads)}`)]
        : []),
    );
    this.matrix.node.setAttribute("aria-label", this.summary(header.unit, probe, grid, moment));
  }

  private showPicked(moment: Moment | null, look: Look, scale: Scale | null): void {
    const { isPhone, width, height } = this.room;
    this.node.classList.toggle("picked", !!scale);
    setText(this.title, scale ? "One tensor" : "Where it looks");
    if (!scale || !moment?.picked?.planes.length) return;
    this.picture.show(moment.picked, scale, look, {
      width: isPhone ? width : width * PICKED_SHARE,
      height: isPhone ? width : height - 96,
    });
  }

  private sizeOf(probe: Probe): { cell: number; room: number; bars: number; numbers: boolean } {
    const { compact } = this.form,
      { isPhone, height, width } = this.room,
      room = isPhone ? Math.min(64, roomOf(probe)) : roomOf(probe);
    const bars = compact ? 0 : isPhone ? NARROW_BARS : BARS,
      most = isPhone ? PHONE_CELL : this.form.cell;
    const across = ((width - room - bars - (isPhone ? 0 : 130)) / probe.source.length) * (isPhone ? 1 : 0.62);
    // The head of the columns depends on the cell, which depends on the room below it.
    const down = isPhone
      ? Infinity
      : (height - (compact ? 64 : 96) - headOf(probe, most)) / probe.right.length;
    return {
      cell: Math.max(LEAST_CELL, Math.floor(Math.min(most, across, down))),
      room,
      bars,
      numbers: !compact && !isPhone,
    };
  }

  private headRoom(nHeads: number): number {
    return this.room.isPhone ? 40 : Math.max(10, (this.room.height - 96) / (Math.min(nHeads, 8) + 1) - 26);
  }

  /** The sentence of the cell that is pointed at, or of the whole matrix. */
  private read(): void {
    const { header, shown } = this;
    if (!header || !shown?.moment || !header.probes.length) return setText(this.readout, "");
    if (shown.scale) return setText(this.readout, shown.moment.picked ? this.picture.sentence : "");
    const { moment, choice } = shown,
      probe = header.probes[choice.word],
      grid = ofHead(moment.heads[choice.word], choice.head),
      { spot } = this.matrix;
    if (spot) {
      const value = grid.values[spot.row * grid.columns + spot.column];
      return setText(
        this.readout,
        `${visible(probe.right[spot.row])} (place ${spot.row}) reads ${visible(probe.source[spot.column])} (place ${spot.column}) with weight ${fixed(value, 2)}`,
      );
    }
    const { on, of, maximum } = alignment(probe, grid),
      rows = of ? `${on} of ${of} rows look most at their ${header.unit}; ` : "";
    return setText(this.readout, `${rows}mean maximum ${fixed(maximum, 2)}`);
  }

  private summary(unit: string, probe: Probe, grid: Grid | null, moment: Moment | null): string {
    if (!grid || !moment) return `Cross-attention of ${probe.text}: nothing yet`;
    const led = inOneLine(probe.right.slice(0, probe.n_right), unit);
    return `Cross-attention of ${probe.text}, with the decoder reading ${led}, after ${moment.updates} updates. Mean of the largest weight of each row: ${fixed(alignment(probe, grid).maximum, 2)}.`;
  }
}

/** A choice among the probes and heads that there are. */
export function within(choice: StageChoice, { probes, n_heads }: ProbesHeader): StageChoice {
  return {
    ...choice,
    word: Math.max(0, Math.min(probes.length - 1, choice.word)),
    head: Math.min(n_heads - 1, choice.head),
  };
}

/** What a head is called where the layer is said as well. */
export function headName(head: number, nHeads: number): string {
  return head < 0 ? (nHeads === 1 ? "its head" : `mean of ${nHeads} heads`) : `head ${head}`;
}

/** One sentence about all probes. */
export function said({ probes, unit }: ProbesHeader, { updates, words: written }: Moment): string {
  const place = probes.reduce((sum, probe, i) => sum + inPlace(probe, written[i]), 0),
    all = probes.reduce((sum, { n_right }) => sum + n_right, 0);
  const right = probes.filter((probe, i) => isRight(probe, written[i])).length;
  return `After ${updates.toLocaleString("en-US")} updates ${place} of ${all} ${unit}s stand in their place; ${right} of ${probes.length} sources come out exactly right.`;
}
