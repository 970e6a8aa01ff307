// First, back, play or pause, forward, last, and the speed.

import { el, setText, svg } from "../../../browser/shared/elements";

const ICONS = {
  first: "M3 2H5V14H3ZM14 2V14L6 8Z", back: "M12 2V14L3 8Z", play: "M4 2V14L14 8Z", pause: "M3 2H7V14H3ZM9 2H13V14H9Z",
  forward: "M4 2V14L13 8Z", last: "M11 2H13V14H11ZM2 2V14L10 8Z",
};
const SPEEDS: [number, string][] = [[0.5, "½×"], [1, "1×"], [2, "2×"]];
export type Act = "first" | "back" | "play" | "forward" | "last";

export class Transport {
  readonly node: HTMLElement;
  readonly at = el("p", { class: "at" });
  private readonly layers = el("div", { class: "speeds layers", role: "group", "aria-label": "Layer" });
  private readonly icon = svg("path", { d: ICONS.play });
  private readonly progress = el("i");
  private readonly word = el("span", { text: "Play" });
  private readonly buttons: HTMLButtonElement[];
  private readonly speeds: HTMLButtonElement[];

  constructor(act: (what: Act) => void, speed: (value: number) => void, private readonly layer: (layer: number) => void) {
    const button = (what: Act, name: string, ...contents: Node[]) => {
      const node = el("button", { type: "button", class: what === "play" ? "play" : "icon", ...(what === "play" ? {} : { "aria-label": name }) }, ...contents);
      node.addEventListener("click", () => act(what));
      return node;
    };
    const icon = (path: SVGPathElement) => svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, path);
    const plain = (what: Exclude<Act, "play">, name: string) => button(what, name, icon(svg("path", { d: ICONS[what] })));
    this.buttons = [plain("first", "First moment"), plain("back", "Moment before"), button("play", "", icon(this.icon), this.word),
      plain("forward", "Next moment"), plain("last", "Last moment")];
    this.speeds = SPEEDS.map(([value, text]) => {
      const node = el("button", { type: "button", text, "aria-pressed": value === 1 });
      node.addEventListener("click", () => speed(value));
      return node;
    });
    this.node = el("div", { class: "transport" }, el("div", { class: "along", "aria-hidden": "true" }, this.progress), el("div", { class: "buttons", role: "group", "aria-label": "Time" }, ...this.buttons),
      el("div", { class: "speeds", role: "group", "aria-label": "Speed" }, ...this.speeds), this.layers, this.at);
  }

  /** The layers of the decoder; with a single one there is nothing to choose. */
  showLayers(chosen: number, count: number): void {
    if (this.layers.childElementCount !== (count > 1 ? count : 0)) {
      this.layers.replaceChildren(...Array.from({ length: count > 1 ? count : 0 }, (_, layer) => {
        const node = el("button", { type: "button", text: `layer ${layer}` });
        node.addEventListener("click", () => this.layer(layer));
        return node;
      }));
    }
    [...this.layers.children].forEach((node, layer) => node.setAttribute("aria-pressed", String(layer === chosen)));
  }

  /** share: how far the time has come, from 0 to 1. */
  show(isPlaying: boolean, speed: number, isEmpty: boolean, share: number): void {
    this.progress.style.width = `${100 * share}%`;
    this.icon.setAttribute("d", isPlaying ? ICONS.pause : ICONS.play);
    setText(this.word, isPlaying ? "Pause" : "Play");
    for (const button of this.buttons) button.disabled = isEmpty;
    this.speeds.forEach((button, i) => button.setAttribute("aria-pressed", String(SPEEDS[i][0] === speed)));
  }
}
