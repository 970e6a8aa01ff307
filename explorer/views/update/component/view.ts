// One update in four pictures: the batch, the loss of each of its labels, the gradient of one weight, and its step.

import { WEIGHTS } from "../../../browser/shared/cells";
import { button, el, svg, words } from "../../../browser/shared/elements";
import { rampIndex, readLook } from "../../../browser/shared/look";
import type { Look } from "../../../browser/shared/look";
import { readPayload } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { fixed, formatSigned } from "../../../browser/shared/numbers";
import { Reports } from "../../../browser/shared/reports";
import { onResize } from "../../../browser/shared/resize";
import { visible } from "../../../browser/shared/text";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

interface Row {
  pair: number;
  source: string[];
  labels: string[];
  losses: number[];
}
interface Share {
  token: string;
  side: string;
  where: string;
  value: number;
}
type Part = "gradient" | "clipped" | "change" | "weight";
interface Header {
  key: string;
  rows: Row[];
  pair: number;
  largest: number;
  said: { batch: string; loss: string };
  weight: string;
  terms: Share[];
  rest: { count: number; value: number };
  gradient: number;
  numbers: Record<Part | "weight_before", string>;
  change: number;
}

const PARTS: [part: Part, sign: string][] = [
  ["gradient", "g"],
  ["clipped", "g, clipped"],
  ["change", "Δ"],
  ["weight", "w′"],
];
const NARROW = 1100,
  WIDTH = 190,
  HEIGHT = 122,
  MIDDLE = WIDTH / 2,
  REACH = 52,
  RISE = 26,
  GROUND = 62;

class Story implements View {
  private readonly reports = new Reports();
  private readonly batch = el("div", { class: "rows" });
  private readonly said = words("p", "", "said");
  private readonly loss = words("p", "", "said");
  private readonly gradient = el("div", { class: "pane gradient" });
  private readonly step = el("div", { class: "pane step" });
  private header!: Header;

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    root.append(
      el(
        "section",
        { class: "batch", "aria-label": "The batch and the loss of each label" },
        el(
          "div",
          { class: "heads" },
          title(1, "The batch", this.said),
          title(2, "The loss of each label", this.loss),
        ),
        this.batch,
      ),
      el("section", { "aria-label": "One weight’s gradient" }, this.gradient),
      el("section", { "aria-label": "Its step" }, this.step),
    );
    onResize(
      root,
      () => {
        root.dataset.room = root.clientWidth < NARROW ? "narrow" : "wide";
      },
      signal,
    );
  }

  update({ data, setStateValue }: Component): void {
    this.reports.through(setStateValue);
    this.header = readPayload<Header>(data).header;
    const { said } = this.header;
    this.said.textContent = said.batch;
    this.loss.textContent = said.loss;
    this.drawBatch(readLook(this.root));
    this.drawGradient();
    this.drawStep();
  }

  private ask(what: object): void {
    this.reports.tell("ask", { key: this.header.key, ...what });
  }

  private drawBatch(look: Look): void {
    const { rows, pair, largest } = this.header,
      { fill, text } = look.ramps.weight;
    this.batch.replaceChildren(
      ...rows.flatMap((row) => {
        const source = button(
          {
            class: "source",
            "aria-pressed": row.pair === pair,
            "aria-label": `pair ${row.pair}: ${row.source.map(visible).join(" ")}`,
          },
          () => this.reports.tell("pair", { key: this.header.key, pair: row.pair }),
          words("i", row.pair),
          ...row.source.map((token) => words("span", visible(token))),
        );
        const labels = el(
          "div",
          { class: row.pair === pair ? "labels chosen" : "labels" },
          ...row.labels.map((token, position) => {
            const value = row.losses[position],
              at = rampIndex(WEIGHTS.place(largest ? value / largest : 0)),
              name = `${visible(token)}: loss ${fixed(value, 3)}`;
            return button(
              {
                class: "label",
                title: name,
                "aria-label": `${name}, explain`,
                style: `background:${fill[at]};color:${text[at]}`,
              },
              () => this.ask({ part: "token_loss", pair: row.pair, position }),
              words("b", visible(token)),
              words("small", fixed(value, value < 10 ? 1 : 0)),
            );
          }),
        );
        return [source, labels];
      }),
    );
  }

  private drawGradient(): void {
    const { terms, rest, gradient, weight } = this.header,
      largest = Math.max(
        ...terms.map(({ value }) => Math.abs(value)),
        Math.abs(rest.value),
        Math.abs(gradient),
        Number.MIN_VALUE,
      );
    const line = (name: Node, value: number, kind = "") =>
      el(
        "div",
        { class: `term ${kind}` },
        name,
        el("span", { class: "bar" }, bar(value / largest)),
        words("span", formatSigned(value), "value"),
      );
    const shares = terms.map(({ token, side, where, value }) =>
      line(
        el("span", { class: "name" }, words("b", visible(token), side), ...(where ? [` ${where}`] : [])),
        value,
      ),
    );
    const others = rest.count
      ? [line(words("span", `${rest.count.toLocaleString("en-US")} others`, "name"), rest.value)]
      : [];
    this.gradient.replaceChildren(
      title(3, "One weight’s gradient", words("p", `${weight}, token by token`, "said")),
      ...shares,
      ...others,
      line(el("span", { class: "name" }, words("b", "g")), gradient, "sum"),
    );
  }

  /** The loss as it is around the weight, a slope, and the step on it. */
  private drawStep(): void {
    const { gradient, change, numbers } = this.header,
      slope = -Math.sign(gradient),
      to = MIDDLE + REACH * Math.sign(change);
    const y = (x: number) => GROUND + (slope * RISE * (x - MIDDLE)) / REACH;
    const picture = svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        width: WIDTH,
        height: HEIGHT,
        role: "img",
        "aria-label": this.spoken(),
      },
      svg("line", { class: "slope", x1: 8, x2: WIDTH - 8, y1: y(8), y2: y(WIDTH - 8) }),
      text(
        "loss",
        slope > 0 ? 8 : WIDTH - 8,
        y(slope > 0 ? 8 : WIDTH - 8) - 8,
        slope > 0 ? "start" : "end",
        "mute",
      ),
      svg("line", { class: "axis", x1: 8, x2: WIDTH - 8, y1: HEIGHT - 20, y2: HEIGHT - 20 }),
      ...(change
        ? [
            svg("path", {
              class: "move",
              d: `M${MIDDLE} ${HEIGHT - 20}L${to} ${HEIGHT - 20}m${-6 * Math.sign(change)} -4l${6 * Math.sign(change)} 4l${-6 * Math.sign(change)} 4`,
            }),
          ]
        : []),
      svg("circle", { class: "before", cx: MIDDLE, cy: y(MIDDLE), r: 6 }),
      svg("circle", { class: "after", cx: to, cy: y(to), r: 6 }),
      text("w", MIDDLE, HEIGHT - 6, "middle", "mute"),
      ...(change ? [text("w′", to, HEIGHT - 6, "middle", "")] : []),
    );
    const links = PARTS.map(([part, sign]) =>
      button(
        { class: "number", "aria-label": `${sign} ${numbers[part]}, explain` },
        () => this.ask({ part }),
        words("i", sign),
        words("span", numbers[part]),
      ),
    );
    this.step.replaceChildren(
      title(4, "Its step", words("p", `w before: ${numbers.weight_before}`, "said")),
      picture,
      el("div", { class: "numbers" }, ...links),
    );
  }

  private spoken(): string {
    const { gradient, change, numbers } = this.header,
      rises = gradient > 0 ? "rises" : "falls";
    return `The loss ${rises} with this weight; Adam moves it by ${numbers.change}, ${gradient * change <= 0 ? "down the slope" : "up the slope, as the updates before have pointed"}.`;
  }
}

function title(number: number, name: string, said: Node): HTMLElement {
  return el("div", { class: "title" }, el("h2", {}, words("span", number, "place"), name), said);
}
function text(content: string, x: number, y: number, anchor: string, name: string): SVGElement {
  const node = svg("text", { x, y, "text-anchor": anchor, class: name });
  node.textContent = content;
  return node;
}
/** From the middle to the side of its sign. */
function bar(share: number): HTMLElement {
  const width = 50 * Math.min(1, Math.abs(share));
  return el("u", {
    class: share < 0 ? "minus" : "plus",
    style: `left:${share < 0 ? 50 - width : 50}%;width:${width}%`,
  });
}

export default styled(
  mounted(".update-story", (root, signal) => new Story(root, signal)),
  viewCss,
  css,
);
