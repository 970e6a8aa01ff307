// The player: to the ends, a step back or forward, play or pause, and how fast.

import { Chips } from "../shared/chips";
import type { Command, Moment } from "../shared/bus";
import { el, svg } from "../shared/elements";

const ICONS = {
  first: "M3 2v10M12 2 5.5 7 12 12Z",
  back: "M10.5 2 3.5 7l7 5Z",
  play: "M4 2l8 5-8 5Z",
  pause: "M4.5 2.5v9M9.5 2.5v9",
  forward: "M3.5 2l7 5-7 5Z",
  last: "M11 2v10M2 2l6.5 5L2 12Z",
};
const SPEEDS: [label: string, speed: number][] = [
  ["½", 0.5],
  ["1", 1],
  ["2", 2],
];

function icon(name: keyof typeof ICONS): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 14 14", "aria-hidden": "true", class: name },
    svg("path", { d: ICONS[name] }),
  );
}

export class Player {
  private moment: Moment = { step: 0, isPlaying: false, speed: 1 };
  private last = 0;
  private readonly first = this.button("first", "First step", () => this.go(0));
  private readonly back = this.button("back", "Step back", () => this.go(this.moment.step - 1));
  private readonly play = this.button("play", "Play", () => this.ask({ do: "toggle" }));
  private readonly forward = this.button("forward", "Step forward", () => this.go(this.moment.step + 1));
  private readonly end = this.button("last", "Last step", () => this.go(this.last));
  private readonly speeds = new Chips(
    "Speed",
    SPEEDS.map(([label]) =>
      el("button", { type: "button", role: "radio", text: label, "aria-label": `Speed ${label}` }),
    ),
    (place) => this.setSpeed(place),
  );
  readonly node = el(
    "div",
    { class: "player", role: "group", "aria-label": "Player" },
    this.first,
    this.back,
    this.play,
    this.forward,
    this.end,
    this.speeds.node,
  );

  /** ask: for what is pressed. */
  constructor(private readonly ask: (command: Command) => void) {
    this.play.append(icon("pause"));
  }

  private button(name: keyof typeof ICONS, label: string, act: () => void): HTMLButtonElement {
    const node = el(
      "button",
      { type: "button", class: `button ${name}`, "aria-label": label, title: label },
      icon(name),
    );
    node.addEventListener("click", () => {
      if (node.ariaDisabled !== "true") act();
    });
    return node;
  }

  private go(step: number): void {
    this.ask({ do: "go", step });
  }

  private setSpeed(place: number): void {
    const at = Math.min(SPEEDS.length - 1, Math.max(0, place)),
      root = this.speeds.node.getRootNode() as ShadowRoot;
    this.ask({ do: "speed", speed: SPEEDS[at][1] });
    if (this.speeds.node.contains(root.activeElement)) this.speeds.focus(at);
  }

  /** last: the last step; -1 where there is no output. */
  show(moment: Moment, last: number): void {
    Object.assign(this, { moment, last });
    const { step, isPlaying, speed } = moment,
      label = isPlaying ? "Pause" : "Play";
    this.play.classList.toggle("on", isPlaying);
    this.play.ariaLabel = this.play.title = label;
    this.speeds.check(SPEEDS.findIndex(([, each]) => each === speed));
    // aria-disabled, not disabled: a button that loses its focus would take the keyboard away with it.
    for (const node of [this.first, this.back]) node.ariaDisabled = String(step <= 0 || last < 0);
    for (const node of [this.forward, this.end]) node.ariaDisabled = String(step >= last);
    this.play.ariaDisabled = String(last < 1);
  }
}
