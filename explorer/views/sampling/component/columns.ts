// One step as aligned columns: a row for each of the most probable tokens, and all others together.

import { columnHead, el, setText, words } from "../../../browser/shared/elements";
import { fixed, formatCount, formatProbability, plural } from "../../../browser/shared/numbers";
import { clip } from "../../../browser/shared/text";
import type { Lab, Part } from "./lab";
import { nProducible } from "./lab";
import type { Columns } from "./pipeline";

const SHOWN_ROWS = 15;
const WIDTHS = ["token", "logit", "logit", "keep", "keep", "share", "prob", "line", "end", "tag"];

type Cells = Record<"logit" | "scaled" | "topK" | "topP" | "p" | "end" | "tag", HTMLElement>;
interface Row extends Cells {
  node: HTMLElement;
  token: HTMLElement;
  bar: HTMLElement;
  part: HTMLElement;
  id: number | null;
}
/** Which filters are on, and which token is written and forced. */
interface Now {
  topK: boolean;
  topP: boolean;
  written: number;
  isForced: boolean;
}

export class ColumnsTable implements Part {
  readonly node: HTMLElement;
  private readonly rows: Row[];
  private readonly rest = {
    topK: cell("kept"),
    topP: cell("kept"),
    p: cell("number"),
    bar: words("i", "", "bar"),
  };
  private readonly head = {
    scaled: columnHead("", "number"),
    topK: columnHead("", "kept"),
    topP: columnHead("", "kept"),
  };

  constructor(private readonly lab: Lab) {
    const limit = nProducible(lab.trace);
    // One single token is not worth a row that calls it "others".
    const count = limit === SHOWN_ROWS + 1 ? limit : Math.min(SHOWN_ROWS, limit);
    this.rows = Array.from({ length: count }, () => this.row());
    this.node = el(
      "table",
      { class: "columns" },
      words("caption", "From logits to probabilities", "unseen"),
      el("colgroup", {}, ...WIDTHS.map((name) => el("col", { class: `${name}-width` }))),
      this.heads(),
      el("tbody", {}, ...this.rows.map((row) => row.node), this.others(limit - count)),
    );
  }

  private heads(): HTMLElement {
    const { scaled, topK, topP } = this.head;
    return el(
      "thead",
      {},
      el(
        "tr",
        {},
        columnHead("token"),
        columnHead("logit", "number"),
        scaled,
        topK,
        topP,
        el("td", { class: "share" }),
        columnHead("probability", "number"),
        columnHead("part of 0 to 1", "line"),
        columnHead("ends at", "number end"),
        el("td", { class: "tag" }),
      ),
    );
  }

  private row(): Row {
    const token = el("span", { class: "token" }),
      bar = words("i", "", "bar"),
      part = words("i", "", "part");
    const cells = {
      logit: cell("number"),
      scaled: cell("number"),
      topK: cell("kept"),
      topP: cell("kept"),
      p: cell("number"),
      end: cell("number end"),
      tag: cell("tag"),
    };
    const node = el(
      "tr",
      {},
      el("th", { scope: "row" }, token),
      cells.logit,
      cells.scaled,
      cells.topK,
      cells.topP,
      el("td", { class: "share" }, bar),
      cells.p,
      el("td", { class: "line" }, el("span", { class: "rail" }, part)),
      cells.end,
      cells.tag,
    );
    const row: Row = { ...cells, node, token, bar, part, id: null };
    node.addEventListener("pointerenter", () => this.lab.hover(row.id));
    node.addEventListener("pointerleave", () => this.lab.hover(null));
    return row;
  }

  private others(count: number): HTMLElement {
    const { topK, topP, p, bar } = this.rest;
    const node = el(
      "tr",
      { class: "others" },
      el("th", { scope: "row", colspan: 3, text: `${plural(count, "other")} together` }),
      topK,
      topP,
      el("td", { class: "share" }, bar),
      p,
      el("td", { class: "line" }),
      cell("end"),
      cell("tag"),
    );
    node.hidden = count === 0;
    return node;
  }

  /** The most probable tokens; one that was drawn or written without being among them takes the last places. */
  private shownIds(columns: Columns, written: number): number[] {
    const count = this.rows.length,
      ids = columns.order.slice(0, count);
    const missing = [...new Set([columns.drawn, written])].filter(
      (id) => !ids.includes(id) && columns.order.includes(id),
    );
    return missing.length ? [...ids.slice(0, count - missing.length), ...missing] : ids;
  }

  step(): void {
    const { columns, state, trace, uniform } = this.lab,
      { greedy } = columns,
      written = trace.token_ids[state.step];
    const topK = greedy ? null : state.top_k,
      topP = greedy || state.top_p === 1 ? null : state.top_p;
    const now: Now = {
      topK: topK !== null,
      topP: topP !== null,
      written,
      isForced: state.step < trace.n_forced,
    };
    const off = greedy ? "not used: greedy" : "off";
    setText(this.head.scaled, greedy ? "÷ T" : `÷ ${state.temperature.toFixed(2)}`);
    setText(this.head.topK, `top-k ${topK === null ? off : formatCount(topK)}`);
    setText(this.head.topP, `top-p ${topP === null ? off : topP.toFixed(2)}`);
    const ids = this.shownIds(columns, written);
    this.rows.forEach((row, i) => this.show(row, ids[i], now));
    this.showOthers(ids, now);
    this.node.style.setProperty("--uniform", `${100 * uniform}%`);
    this.node.classList.toggle("greedy", greedy);
    this.hover();
  }

  private show(row: Row, id: number, now: Now): void {
    const { columns, logits, trace } = this.lab,
      { greedy, drawn } = columns,
      p = columns.probs[id],
      end = columns.cumulative[id];
    row.id = id;
    setText(row.token, clip(trace.shown[id], 24));
    if (row.token.title !== trace.shown[id]) row.token.title = trace.shown[id];
    setText(row.logit, fixed(logits[id], 3));
    setText(row.scaled, greedy ? "" : fixed(columns.scaled[id], 3));
    mark(row.topK, now.topK, columns.keptByTopK[id]);
    mark(row.topP, now.topP, columns.keptByTopP[id]);
    row.bar.style.transform = `scaleX(${p})`;
    row.part.style.transform = `translateX(${100 * (end - p)}%) scaleX(${Math.max(p, 0.006)})`;
    setText(row.p, chanceOf(p));
    setText(row.end, p ? fixed(end, 3) : "");
    const tags = [
      id === drawn && (greedy ? "taken" : "drawn"),
      now.isForced && id === now.written && "forced",
    ];
    setText(row.tag, tags.filter(Boolean).join(", "));
    row.node.classList.toggle("drawn", id === drawn);
    row.node.classList.toggle("cut", p === 0);
  }

  private showOthers(ids: number[], now: Now): void {
    const { order, keptByTopK, keptByTopP, probs } = this.lab.columns,
      others = order.filter((id) => !ids.includes(id));
    const keptAmong = (kept: boolean[]) => `${formatCount(others.filter((id) => kept[id]).length)} kept`;
    const sum = ids.reduce((total, id) => total + probs[id], 0),
      left = Math.max(0, 1 - sum) < 1e-12 ? 0 : 1 - sum;
    setText(this.rest.topK, now.topK ? keptAmong(keptByTopK) : "—");
    setText(this.rest.topP, now.topP ? keptAmong(keptByTopP) : "—");
    setText(this.rest.p, chanceOf(left));
    this.rest.bar.style.transform = `scaleX(${left})`;
  }

  hover(): void {
    for (const row of this.rows) row.node.classList.toggle("lit", row.id === this.lab.state.hover);
  }
}

function cell(name: string): HTMLElement {
  return words("td", "", name);
}
function mark(node: HTMLElement, isOn: boolean, isKept: boolean): void {
  // What another filter has cut is not this one's doing.
  setText(node, !isOn ? "—" : isKept ? "kept" : "cut");
  node.classList.toggle("off", !isOn);
}
/** What cannot be drawn has the probability 0, and not one that rounds to it. */
function chanceOf(p: number): string {
  return p === 0 ? "0" : formatProbability(p);
}
