// What wrote a word: its logit as a sum of what each block adds, and what was read beside what came of it.

import { el, svg, words } from "../../../browser/shared/elements";
import { rampIndex } from "../../../browser/shared/look";
import type { Look } from "../../../browser/shared/look";
import { fixed, formatSigned } from "../../../browser/shared/numbers";
import { Segments } from "../../../browser/shared/segments";
import { clip, toldApart, twinPlace, visible } from "../../../browser/shared/text";
import type { Sum, Wrote } from "./data";

const NAME = 130,
  NUMBER = 62,
  ROW = 24,
  HEAD_BAR = 4;

/** against: whether the difference to the rival is shown. */
export function wroteCard(
  wrote: Wrote,
  look: Look,
  width: number,
  against: boolean,
  choose: (against: boolean) => void,
): HTMLElement {
  const sum = against ? wrote.against : wrote.alone,
    what = against ? "difference" : "logit";
  const names = [`logit of ${visible(wrote.token)}`, `${visible(wrote.token)} − ${visible(wrote.rival)}`];
  const segments = new Segments(
    "segments",
    "What is taken apart",
    choose,
    names.map((text, place) => [Boolean(place), text]),
  );
  segments.show(against);
  const rule = `direct: the parts of its ${what} sum to ${fixed(sum.value, 3)}, exactly, with each norm’s σ held as it is; of the model as trained`;
  return el(
    "section",
    { class: "card wrote", "aria-label": "What wrote the word" },
    el(
      "div",
      { class: "top" },
      el(
        "div",
        {},
        el("h2", {}, "What wrote ", words("b", visible(wrote.token), "target"), `${wrote.where}?`),
        words("p", rule, "sub"),
      ),
      segments.node,
    ),
    el(
      "div",
      { class: "sides" },
      waterfall(sum, look, Math.min(600, width), what),
      usedTable(wrote, sum, look),
    ),
  );
}

function waterfall(sum: Sum, look: Look, width: number, what: string): SVGElement {
  const runs = running(sum),
    low = Math.min(0, ...runs),
    high = Math.max(0, ...runs),
    span = high - low || 1;
  const room = width - NAME - NUMBER - 12,
    x = (value: number) => NAME + ((value - low) / span) * room;
  const height = (sum.bars.length + 1) * ROW + 12;
  const picture = svg("svg", {
    class: "waterfall",
    role: "img",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "aria-label": `${what} ${fixed(sum.value, 3)}: ${sum.bars.map((bar) => `${bar.name} ${formatSigned(total(bar.values))}`).join(", ")}`,
  });
  picture.append(svg("line", { x1: x(0), x2: x(0), y1: 0, y2: height, stroke: look.line2 }));
  let at = 0;
  sum.bars.forEach((bar, row) => {
    const y = row * ROW + 4,
      all = total(bar.values),
      step = bar.values.length > 1 ? Math.min(HEAD_BAR, (ROW - 6) / bar.values.length) : 12;
    bar.values.forEach((value, head) => {
      const from = Math.min(at, at + value),
        top = bar.values.length > 1 ? y + head * step : y + 3;
      picture.append(
        svg("rect", {
          x: x(from),
          y: top,
          width: Math.max(0.8, x(from + Math.abs(value)) - x(from)),
          height: Math.max(1, step - 0.5),
          fill: value < 0 ? look.negative : look.ramps.weight.fill[160],
        }),
      );
      at += value;
    });
    picture.append(
      text(bar.name, NAME - 10, y + 13, "end", look.ink2),
      text(
        fixed(Math.abs(all) < 5e-4 ? 0 : all, 3),
        width - 2,
        y + 13,
        "end",
        all < 0 ? look.negative : look.ink,
      ),
    );
  });
  const y = sum.bars.length * ROW + 4;
  picture.append(
    svg("line", { x1: NAME, x2: width, y1: y, y2: y, stroke: look.line2 }),
    svg("rect", {
      x: Math.min(x(0), x(sum.value)),
      y: y + 5,
      width: Math.abs(x(sum.value) - x(0)),
      height: 12,
      fill: look.target,
    }),
    text(what, NAME - 10, y + 16, "end", look.ink, 650),
    text(fixed(sum.value, 3), width - 2, y + 16, "end", look.ink, 650),
  );
  return picture;
}

function text(words_: string, x: number, y: number, anchor: string, fill: string, weight = 400): SVGElement {
  const node = svg("text", { x, y, "text-anchor": anchor, fill, "font-size": 13, "font-weight": weight });
  node.textContent = words_;
  return node;
}

function total(values: number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

function running(sum: Sum): number[] {
  let at = 0;
  return sum.bars.flatMap((bar) => bar.values.map((value) => (at += value)));
}

function usedTable(wrote: Wrote, sum: Sum, look: Look): HTMLElement {
  const largest = Math.max(1e-9, ...sum.used.map(Math.abs));
  const line = (name: string, cells: HTMLElement[]) =>
    el("tr", {}, el("th", { scope: "row", text: name }), ...cells);
  const most = indexOfMost(wrote.read);
  const heads = toldApart(wrote.keys.map((key) => clip(visible(key), 8))).map((text, place) =>
    el("th", { scope: "col", class: place === most ? "source most" : "source", text }),
  );
  const table = el(
    "table",
    { class: "used" },
    el("thead", {}, el("tr", {}, el("td", {}), ...heads)),
    el(
      "tbody",
      {},
      line(
        `reads, layer ${wrote.layer}`,
        wrote.read.map((each) => coloured(each, each, "weight", look)),
      ),
      line(
        "adds",
        sum.used.map((each) => coloured(each, Math.abs(each) / largest, each < 0 ? "minus" : "plus", look)),
      ),
      line(
        "gold",
        wrote.keys.map((_, place) => goldCell(wrote, place)),
      ),
    ),
  );
  return el(
    "div",
    { class: "beside", role: "group", "aria-label": "What was read and what came of it", tabindex: 0 },
    table,
    el("p", { class: "said" }, ...sentence(wrote, sum)),
  );
}

function coloured(value: number, place: number, name: "weight" | "plus" | "minus", look: Look): HTMLElement {
  const ramp = look.ramps[name],
    index = rampIndex(Math.min(1, place)),
    cell = words("td", fixed(Math.abs(value) < 0.005 ? 0 : value, 2));
  cell.style.background = ramp.fill[index];
  cell.style.color = place < 0.1 ? look.mute : ramp.text[index];
  return cell;
}

function goldCell(wrote: Wrote, place: number): HTMLElement {
  const isGold = wrote.gold?.includes(place) ?? false,
    cell = el("td", { class: "gold" });
  if (isGold) cell.append(el("i", {}), words("span", "yes", "unseen"));
  return cell;
}

/** Where reading and using part: the most read token that is not the most used one. */
function sentence(wrote: Wrote, sum: Sum): (Node | string)[] {
  const read = indexOfMost(wrote.read),
    used = indexOfMost(sum.used.map(Math.abs));
  const where = (place: number) => twinPlace(wrote.keys, place),
    source = (place: number) => words("b", visible(wrote.keys[place]), "source"),
    n = (value: number) => words("b", fixed(value, 2));
  const token = words("b", visible(wrote.token), "target"),
    block = largestBar(sum);
  const parts: (Node | string)[] = [
    "To write ",
    token,
    `${wrote.where} the last layer reads `,
    source(read),
    `${where(read)} most, with weight `,
    n(wrote.read[read]),
  ];
  if (read === used) parts.push("; that adds ", n(sum.used[read]), ".");
  else
    parts.push(
      ", which adds ",
      n(sum.used[read]),
      "; what counts most is read at ",
      source(used),
      `${where(used)} and adds `,
      n(sum.used[used]),
      ".",
    );
  parts.push(` Of all blocks ${block.name} adds most, `, n(total(block.values)), ".");
  if (!wrote.gold) parts.push(" No gold alignment is known here.");
  const { read: byReading, used: byUse } = wrote.errors ?? { read: null, used: null };
  if (byReading !== null && byUse !== null)
    parts.push(
      " Over the whole sentence the alignment error rate is ",
      n(byReading),
      " by what is read most, and ",
      n(byUse),
      " by what adds most.",
    );
  return parts;
}

function largestBar(sum: Sum): { name: string; values: number[] } {
  return sum.bars.reduce((best, bar) => (total(bar.values) > total(best.values) ? bar : best));
}

function indexOfMost(values: number[]): number {
  return values.indexOf(Math.max(...values));
}
