// The rows: each value with its output, and two bars that grow from one line to both sides.

import { el, setText, words } from "../../../browser/shared/elements";
import { focusBeside } from "../../../browser/shared/focus";
import { actOn } from "../../../browser/shared/keys";
import { fixed, formatProbability } from "../../../browser/shared/numbers";
import { safe, visible } from "../../../browser/shared/text";
import { breaks } from "./data";
import type { Order, Part, Sweep } from "./data";

interface Row {
  node: HTMLElement;
  value: HTMLElement;
  own: Bar;
  other: Bar;
  rest: HTMLElement;
}
interface Bar {
  cell: HTMLElement;
  bar: HTMLElement;
  number: HTMLElement;
}

export class Rows {
  readonly node: HTMLElement;
  private readonly rows: Row[];
  private readonly body = el("div", { role: "rowgroup", class: "body" });
  private readonly heads: Record<"own" | "other", HTMLElement> = { own: head("own"), other: head("other") };
  private readonly rest = head("rest", "otherwise");
  private order: number[] = [];
  private current: number;

  /** use: called with the row whose source is to become the sentence. */
  constructor(
    private readonly sweep: Sweep,
    private readonly use: (row: number) => void,
  ) {
    const { values, own } = sweep.header;
    this.current = own;
    this.rows = values.map((value, row) => this.build(value, row));
    const top = el(
      "div",
      { role: "row", class: "row top" },
      head("value", "value"),
      head("output", "output"),
      head("log", "log P"),
      this.heads.own,
      this.heads.other,
      this.rest,
    );
    this.node = el(
      "div",
      { role: "table", class: "rows", "aria-label": "Values of the token" },
      el("div", { role: "rowgroup" }, top),
      this.body,
    );
    this.body.addEventListener("keydown", (event) => this.onKey(event));
  }

  private build(text: string, row: number): Row {
    const {
        header: { own, sentences, outputs },
      } = this.sweep,
      isOwn = row === own;
    const value = el("button", {
      type: "button",
      class: "value",
      tabindex: row === own ? 0 : -1,
      text: visible(text),
    });
    if (isOwn) {
      value.setAttribute("aria-disabled", "true");
      value.ariaLabel = `${visible(text)}, as in the sentence`;
    } else {
      value.title = `Make “${safe(sentences[row])}” the sentence`;
      value.ariaLabel = `${visible(text)}, make it the sentence`;
      value.addEventListener("click", () => this.use(row));
    }
    value.addEventListener("focus", () => this.focusOn(row));
    const bars = { own: bar("own"), other: bar("other") },
      rest = el("div", { role: "cell", class: "rest" });
    const output = el("div", { role: "cell", class: "output" }, ...written(outputs[row].parts));
    if (!outputs[row].ended) output.append(words("span", " … not ended", "note"));
    const node = el(
      "div",
      { role: "row", class: isOwn ? "row own" : "row" },
      el("div", { role: "rowheader", class: "name" }, value),
      output,
      words("div", fixed(this.sweep.logProb(row), 2), "log"),
      bars.own.cell,
      bars.other.cell,
      rest,
    );
    node.children[2].role = "cell";
    return { node, value, ...bars, rest };
  }

  /** Shows a step, the rows in an order. */
  show(step: number, by: Order): void {
    const { sweep, rows } = this,
      rivals = sweep.header.rivals[step];
    setText(this.heads.own.lastChild!, visible(sweep.token(rivals.own)));
    setText(this.heads.other.lastChild!, visible(sweep.token(rivals.other)));
    this.heads.other.title = rivals.origin
      ? `What ${rivals.origin} writes at this step`
      : "The most probable other token of the sentence";
    const standings = rows.map((_, row) => sweep.at(row, step));
    rows.forEach(({ node, own, other, rest }, row) => {
      const at = standings[row];
      node.dataset.winner = at.winner;
      for (const [{ bar, number }, prob] of [
        [own, at.own],
        [other, at.other],
      ] as const) {
        bar.style.setProperty("--p", String(prob));
        setText(number, formatProbability(prob));
      }
      rest.replaceChildren(
        ...(at.winner === "else" ? [words("b", visible(at.best)), ` ${formatProbability(at.bestProb)}`] : []),
      );
    });
    this.rest.classList.toggle("none", !standings.some(({ winner }) => winner === "else"));
    this.arrange(sweep.order(step, by));
    const broken = new Set(breaks(this.order.map((row) => standings[row].winner)));
    this.order.forEach((row, place) => rows[row].node.classList.toggle("break", broken.has(place)));
  }

  /** Puts the rows in an order; the focus stays where it is. */
  private arrange(order: number[]): void {
    if (order.join() === this.order.join()) return;
    const held = this.body.contains(focusBeside(this.body));
    this.order = order;
    this.body.replaceChildren(...order.map((row) => this.rows[row].node));
    if (held) this.rows[this.current].value.focus({ preventScroll: true });
  }

  private focusOn(row: number): void {
    this.rows[this.current].value.tabIndex = -1;
    this.current = row;
    this.rows[row].value.tabIndex = 0;
  }

  private onKey(event: KeyboardEvent): void {
    const { order } = this,
      at = order.indexOf(this.current);
    const go = (place: number) => () => {
      this.rows[order[Math.min(order.length - 1, Math.max(0, place))]].value.focus();
    };
    actOn(event, { ArrowUp: go(at - 1), ArrowDown: go(at + 1), Home: go(0), End: go(order.length - 1) });
  }
}

function head(name: string, text = ""): HTMLElement {
  const node = el("div", { role: "columnheader", class: `head of-${name}` });
  node.append(...(text ? [text] : ["P of ", el("b", { class: "token" })]));
  return node;
}

function bar(name: string): Bar {
  const number = words("span", "", "number"),
    shape = el("i", { class: "bar", "aria-hidden": "true" });
  return { cell: el("div", { role: "cell", class: `side ${name}` }, shape, number), bar: shape, number };
}

/** An output's text; what differs is underlined, and a caret stands where something is missing. */
function written(parts: Part[]): (Node | string)[] {
  if (!parts.length) return [words("span", "nothing", "note")];
  return parts.flatMap(({ text, mark }) => {
    if (mark === "same") return [safe(text)];
    const [, blank, rest] = /^(\s*)(.*)$/s.exec(safe(text))!;
    if (mark === "other") return [blank, words("mark", rest)];
    const missing = words("span", "‸", "missing");
    missing.ariaHidden = "true";
    missing.title = `without ${rest}`;
    return [missing, words("span", ` (without ${rest}) `, "unseen")];
  });
}
