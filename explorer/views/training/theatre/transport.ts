// The buttons below the curve: through the moments, and what can be asked of a training.

import { el, setText, svg, words } from "../../../browser/shared/elements";
import { setHidden } from "../../../browser/shared/focus";
import { Segments } from "../../../browser/shared/segments";
import { SPEEDS } from "../../../browser/theatre/playback";
import type { Wish } from "./data";

const ICONS = {
  play: "M5 3l9 5.5-9 5.5z",
  pause: "M4 3h3v11H4zM10 3h3v11h-3z",
  first: "M3 3h2v11H3zM14 3v11L6 8.5z",
  back: "M12 3v11L4 8.5z",
  forward: "M5 3v11l8-5.5z",
  last: "M12 3h2v11h-2zM3 3v11l8-5.5z",
  stop: "M4 4h9v9H4z",
  step: "M3 3v11l7-5.5zM12 3h2v11h-2z",
};
export type Move = "first" | "back" | "forward" | "last";

/** What the buttons show. `main`: what the large one does now. */
export interface TransportState {
  main: "play" | "pause" | "go_on" | "pause_training";
  count: number;
  at: number;
  speed: number;
  wishes: Wish[];
  place: string;
  /** Whether the run can be opened in the app at all, and whether it has the weights of this moment. */
  opens: boolean;
  kept: boolean;
}
export interface TransportActs {
  main(): void;
  move(to: Move): void;
  speed(value: number): void;
  wish(wish: Wish): void;
  open(): void;
  walk(): void;
}

export class Transport {
  readonly node: HTMLElement;
  private readonly main = el("button", { type: "button", class: "main" });
  private readonly sign = svg("path");
  private readonly name = words("span", "");
  private readonly moves = new Map<Move, HTMLButtonElement>();
  private readonly step = button("step", "One update");
  private readonly end = button("stop", "Stop");
  private readonly speeds: Segments<number>;
  private readonly where = words("span", "", "place");
  private readonly open = el("button", { type: "button", class: "link", text: "Open the app here" });
  private readonly walk = el("button", {
    type: "button",
    class: "link strong",
    text: "Step through this model",
  });
  private readonly progress = el("i");
  private wish: Wish = "stop";

  constructor(acts: TransportActs) {
    this.main.append(icon(this.sign), this.name);
    this.main.addEventListener("click", () => acts.main());
    const move = (to: Move, label: string) => {
      const node = el(
        "button",
        { type: "button", class: "icon", "aria-label": label },
        icon(svg("path", { d: ICONS[to] })),
      );
      node.addEventListener("click", () => acts.move(to));
      this.moves.set(to, node);
      return node;
    };
    const buttons = el(
      "div",
      { class: "buttons" },
      move("first", "First moment"),
      move("back", "A moment back"),
      this.main,
      move("forward", "A moment forward"),
      move("last", "Last moment"),
      this.step,
      this.end,
    );
    this.step.addEventListener("click", () => acts.wish("step"));
    this.end.addEventListener("click", () => acts.wish(this.wish));
    this.speeds = new Segments("speeds", "Speed", (speed) => acts.speed(speed), SPEEDS);
    this.open.addEventListener("click", () => acts.open());
    this.walk.addEventListener("click", () => acts.walk());
    this.node = el(
      "div",
      { class: "transport" },
      el("div", { class: "along", "aria-hidden": "true" }, this.progress),
      buttons,
      this.speeds.node,
      this.where,
      this.open,
      this.walk,
    );
  }

  show(state: TransportState): void {
    const { main, count, at, wishes } = state,
      isPause = main === "pause" || main === "pause_training";
    this.sign.setAttribute("d", isPause ? ICONS.pause : ICONS.play);
    setText(this.name, { play: "Play", pause: "Pause", go_on: "Go on", pause_training: "Pause" }[main]);
    this.main.setAttribute(
      "aria-label",
      {
        play: "Play the moments",
        pause: "Pause",
        go_on: "Go on training",
        pause_training: "Pause the training",
      }[main],
    );
    this.main.disabled = main === "play" && count < 2;
    for (const [to, node] of this.moves)
      node.disabled = !count || (to === "first" || to === "back" ? at <= 0 : at >= count - 1);
    this.step.disabled = !wishes.includes("step");
    // A training that has ended is gone on with where it could be stopped before.
    this.wish = wishes.includes("resume") ? "resume" : "stop";
    setText(this.end.lastChild!, this.wish === "resume" ? "Resume" : "Stop");
    this.end.firstElementChild!.firstElementChild!.setAttribute(
      "d",
      this.wish === "resume" ? ICONS.play : ICONS.stop,
    );
    this.end.disabled = !wishes.includes(this.wish);
    this.speeds.show(state.speed);
    setText(this.where, state.place);
    for (const link of [this.open, this.walk]) {
      setHidden(link, !state.opens, this.main);
      link.disabled = !state.kept;
      link.title = state.kept ? "" : "The weights of this moment were not kept";
    }
    this.progress.style.width = `${count > 1 ? (100 * at) / (count - 1) : 0}%`;
  }
}

function icon(path: SVGElement): SVGElement {
  return svg("svg", { width: 17, height: 17, viewBox: "0 0 17 17", "aria-hidden": "true" }, path);
}
function button(sign: "step" | "stop", text: string): HTMLButtonElement {
  return el(
    "button",
    { type: "button", class: sign },
    icon(svg("path", { d: ICONS[sign] })),
    words("span", text),
  );
}
