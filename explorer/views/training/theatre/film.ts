// The film of a training: the attention of every moment side by side, small; a click goes to the moment.

import { button, el, setText, words } from "../../../browser/shared/elements";
import type { Look } from "../../../browser/shared/look";
import { formatCount } from "../../../browser/shared/numbers";
import { ofHead } from "../../../browser/theatre/data";
import type { Moment, Probe } from "../../../browser/theatre/data";
import { paintSmall } from "../../../browser/theatre/heads";
import type { StageChoice } from "../../../browser/theatre/stage";

const CELL = 6,
  MOST_SIDE = 78,
  LEAST_CELL = 2;

interface Frame {
  node: HTMLButtonElement;
  canvas: HTMLCanvasElement;
  label: HTMLElement;
  drawn: unknown[];
}

export class Film {
  private readonly frames = el("div", { class: "frames", role: "group", "aria-label": "Moments" });
  readonly node = el(
    "details",
    { class: "film" },
    el("summary", { text: "Film: where it looks at every moment" }),
    this.frames,
  );
  private kept: Frame[] = [];

  /** pick: called with the place of the moment that is clicked; opened: when it is unfolded. */
  constructor(
    private readonly pick: (place: number) => void,
    opened: () => void,
  ) {
    this.node.addEventListener("toggle", opened);
  }

  /** Draw what has changed since; nothing before it is unfolded. */
  show(
    moments: Moment[],
    at: number,
    probe: Probe | undefined,
    { word, head }: StageChoice,
    look: Look,
  ): void {
    if (!this.node.open || !probe) return;
    while (this.kept.length > moments.length) this.kept.pop()!.node.remove();
    while (this.kept.length < moments.length) this.add(this.kept.length);
    const cell = Math.max(
      LEAST_CELL,
      Math.min(CELL, Math.floor(MOST_SIDE / Math.max(probe.right.length, probe.source.length))),
    );
    this.kept.forEach((frame, place) => {
      frame.node.setAttribute("aria-pressed", String(place === at));
      const moment = moments[place],
        wanted = [moment, word, head, look];
      if (wanted.every((each, i) => each === frame.drawn[i])) return;
      frame.drawn = wanted;
      setText(frame.label, formatCount(moment.updates));
      frame.node.setAttribute("aria-label", `after ${formatCount(moment.updates)} updates`);
      paintSmall(frame.canvas, ofHead(moment.heads[word], head), look, cell);
    });
  }

  private add(place: number): void {
    const canvas = el("canvas", { "aria-hidden": "true" }),
      label = words("span", "");
    const node = button({ class: "frame" }, () => this.pick(place), canvas, label);
    this.frames.append(node);
    this.kept.push({ node, canvas, label, drawn: [] });
  }
}
