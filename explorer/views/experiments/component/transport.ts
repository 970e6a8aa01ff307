// First, back, play or pause, forward, last, and the speed.

import { el, setText, svg } from "../../../browser/shared/elements";
import { Segments } from "../../../browser/shared/segments";
import { SPEEDS } from "../../../browser/theatre/playback";

const ICONS = {
  first: "M3 2H5V14H3ZM14 2V14L6 8Z",
  back: "M12 2V14L3 8Z",
  play: "M4 2V14L14 8Z",
  pause: "M3 2H7V14H3ZM9 2H13V14H9Z",
  forward: "M4 2V14L13 8Z",
  last: "M11 2H13V14H11ZM2 2V14L10 8Z",
};
export type Act = "first" | "back" | "play" | "forward" | "last";

export class Transport {
  readonly node: HTMLElement;
  readonly at = el("p", { class: "at" });
  readonly layers: Segments<number>;
  private readonly icon = svg("path", { d: ICONS.play });
  private readonly progress = el("i");
  private readonly word = el("span", { text: "Play" });
  private readonly buttons: HTMLButtonElement[];
  private readonly speeds: Segments<number>;

  constructor(act: (what: Act) => void, speed: (value: number) => void, layer: (layer: number) => void) {
    const button = (what: Act, name: string, ...contents: Node[]) => {
      const node = el(
        "button",
        {
          type: "button",
          class: what === "play" ? "play" : "icon",
          ...(what === "play" ? {} : { "aria-label": name }),
        },
        ...contents,
      );
      node.addEventListener("click", () => act(what));
      return node;
    };
    const icon = (path: SVGPathElement) =>
      svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, path);
    const plain = (what: Exclude<Act, "play">, name: string) =>
      button(what, name, icon(svg("path", { d: ICONS[what] })));
    this.buttons = [
      plain("first", "First moment"),
      plain("back", "Moment before"),
      button("play", "", icon(this.icon), this.word),
      plain("forward", "Next moment"),
      plain("last", "Last moment"),
    ];
    this.speeds = new Segments("speeds", "Speed", speed, SPEEDS);
    this.layers = new Segments("speeds layers", "Layer", layer);
    this.node = el(
      "div",
      { class: "transport" },
      el("div", { class: "along", "aria-hidden": "true" }, this.progress),
      el("div", { class: "buttons", role: "group", "aria-label": "Time" }, ...this.buttons),
      this.speeds.node,
      this.layers.node,
      this.at,
    );
  }

  /** share: how far the time has come, from 0 to 1. */
  show(isPlaying: boolean, speed: number, isEmpty: boolean, share: number): void {
    this.progress.style.width = `${100 * share}%`;
    this.icon.setAttribute("d", isPlaying ? ICONS.pause : ICONS.play);
    setText(this.word, isPlaying ? "Pause" : "Play");
    for (const button of this.buttons) button.disabled = isEmpty;
    this.speeds.show(speed);
  }
}
