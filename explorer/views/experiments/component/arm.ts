// One arm: its name with its mark, how it stands, and half a theatre.

import { el, setText, words } from "../../../browser/shared/elements";
import type { Look } from "../../../browser/shared/look";
import { valueAt } from "../../../browser/theatre/curve";
import type { Point } from "../../../browser/theatre/curve";
import { formatShare } from "../../../browser/shared/numbers";
import type { Moment, MomentsHeader, ProbesHeader } from "../../../browser/theatre/data";
import { headOf } from "../../../browser/theatre/matrix";
import { Stage } from "../../../browser/theatre/stage";
import type { StageChoice } from "../../../browser/theatre/stage";
import { markNode } from "./shapes";
import type { Shape } from "./shapes";
import { merged, momentAt } from "./times";

/** What Python tells of an arm. */
export interface ArmHeader {
  label: string;
  shape: Shape;
  note: string;
  awaited: boolean;
  problem: string;
  probes: ProbesHeader;
  /** Moments of this message; after how many updates all are that there are now; those that are known to be here. */
  moments: MomentsHeader;
  all: number[];
  had: number[];
  loss: Point[];
  exact: Point[];
}
export interface ArmRoom {
  width: number;
  cell: number;
  isPhone: boolean;
}

/** What a stage has above and below its matrix, and how tall a matrix may be. */
const AROUND = 64,
  LEAST_HEIGHT = 200,
  MOST_HEIGHT = 320;

export class ArmPane {
  readonly node: HTMLElement;
  header!: ArmHeader;
  moments: Moment[] = [];
  private readonly note = words("p", "", "note");
  private readonly exact = el("b");
  private readonly measured = el("p", { class: "exact" }, "exact match ", this.exact);
  private readonly problem = el("p", { class: "problem", role: "alert" });
  private readonly stage: Stage;

  constructor(
    shape: Shape,
    label: string,
    cell: number,
    choose: { word: (place: number) => void; head: (head: number) => void },
  ) {
    this.stage = new Stage({ compact: true, cell }, choose);
    this.node = el(
      "section",
      { class: "arm", "aria-label": label },
      el("div", { class: "arm-head" }, markNode(shape), words("h2", label), this.note, this.measured),
      this.problem,
      this.stage.node,
    );
  }

  /** Take what a message brings to what is here; whether some that Python took to be here are missing. */
  feed(header: ArmHeader, moments: Moment[]): boolean {
    this.header = header;
    this.moments = merged(this.moments, moments, header.all);
    setText(this.note, header.note);
    setText(this.problem, header.problem);
    this.problem.hidden = !header.problem;
    return this.moments.length < header.all.length;
  }

  /** Another layer is looked at: what is here is of the one before. */
  forget(): void {
    this.moments = [];
  }

  /** All probes have the same room, so that nothing moves when another one is chosen. */
  lay({ width, cell, isPhone }: ArmRoom): void {
    const tall = this.header.probes.probes.map((probe) => headOf(probe, cell) + probe.right.length * cell);
    const height = AROUND + Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, ...tall));
    this.stage.lay(this.header.probes, { width, height, isPhone });
  }

  /** Draw what there was after so many updates; null before any. */
  show(updates: number | null, choice: StageChoice, look: Look): void {
    const value = updates === null ? null : valueAt(this.header.exact, updates);
    this.measured.hidden = value === null;
    setText(this.exact, value === null ? "" : formatShare(value));
    this.stage.show(updates === null ? null : momentAt(this.moments, updates), choice, look);
  }
}
