// The key/value cache at the current step: which rows are kept and which are new, their bytes, and what they save.

import { columnHead, el, rowHead, setText, table, words } from "../../../browser/shared/elements";
import { fixed, formatCount, plural, raised } from "../../../browser/shared/numbers";
import { range } from "../../../browser/shared/planes";
import { tableButton } from "../../../browser/shared/table_button";
import { Costs, Curve, runningSum } from "./costs";
import type { CacheFacts } from "./data";
import type { Decoding, Part } from "./decoding";
import { DETAILS, FoldedTable } from "./table";

const MOST_SQUARES = 24,
  SHOWN_LAYERS = 2;

export class CacheCard implements Part {
  readonly node: HTMLElement;
  private readonly spent = el("b");
  private readonly instead = el("b");
  private readonly held = el("b");
  private readonly blocks: Block[];
  private readonly sums: { cached: number[]; uncached: number[] };
  private readonly costs: Costs;
  private readonly curves: Curve[];
  private readonly table: FoldedTable;
  private readonly details: HTMLElement;

  constructor(
    private readonly view: Decoding,
    private readonly cache: CacheFacts,
  ) {
    const { cached, uncached, n_layers: layers, source_length: sources } = cache,
      steps = cached.length;
    this.sums = { cached: runningSum(cached), uncached: runningSum(uncached) };
    this.blocks = range(layers).flatMap((layer) => [
      new Block(cache, `${layer} self`, steps, true),
      new Block(cache, `${layer} cross`, sources, false),
    ]);
    this.costs = new Costs([cached, uncached, this.sums.cached, this.sums.uncached]);
    this.curves = [
      new Curve("each step", cached, uncached),
      new Curve("in total", this.sums.cached, this.sums.uncached),
    ];
    this.table = this.makeTable();
    this.details = this.makeDetails();
    const show = () => {
      this.details.hidden = !view.opened.has("costs");
    };
    const share = squareNotice(steps, sources);
    this.node = el(
      "section",
      { class: "card cache", "aria-label": "Key/value cache" },
      el("header", {}, words("h2", "Key/value cache"), tableButton(view.opened, "costs", show, DETAILS)),
      el("p", { class: "spent" }, this.spent, " multiply-adds, ", this.instead, " without it"),
      ...(share ? [words("p", share, "thinned")] : []),
      this.kept(),
      legend(),
      this.details,
    );
    show();
  }

  /** The rows of all attention blocks; those of a deep decoder scroll within the card. */
  private kept(): HTMLElement {
    const heads = [
      columnHead("layer"),
      columnHead("keys"),
      columnHead("values"),
      columnHead("shape each", "number"),
    ];
    const isDeep = this.cache.n_layers > SHOWN_LAYERS;
    return el(
      "div",
      {
        class: "blocks",
        ...(isDeep && { tabindex: 0, role: "region", "aria-label": "All attention blocks" }),
      },
      table(
        "Rows kept in each attention block",
        heads,
        this.blocks.map((block) => block.node),
        { class: "kept" },
      ),
    );
  }

  /** What stands behind a button of the card. */
  private makeDetails(): HTMLElement {
    const { cache, view } = this;
    const run = cache.same_tokens
      ? "Both ways were run: the same token at each step, "
      : "Both ways were run, and differ in a token: ";
    const open = tableButton(view.opened, "cache", () => this.showTable());
    return el(
      "div",
      { class: "details" },
      el("p", { class: "held" }, "All keys and values: ", this.held, ` in ${cache.dtype}.`),
      this.costs.node,
      el("div", { class: "curves" }, ...this.curves.map((curve) => curve.node)),
      el(
        "p",
        { class: "foot" },
        run,
        "largest difference of a log-probability ",
        words("b", formatPower(cache.largest_difference)),
        ".",
        open,
      ),
      this.table.node,
      words(
        "p",
        `Counted: multiply-adds of the matrix products of decoder and generator. The encoder's ${formatCount(cache.encoder)} ` +
          "come once, either way.",
        "counted",
      ),
    );
  }

  /** Every step's numbers. */
  private makeTable(): FoldedTable {
    const columns = ["step", "with cache", "without", "total with", "total without", "bytes kept"];
    return new FoldedTable("Table of the cache's costs", () => ({
      caption: "Multiply-adds of each step, and bytes kept after it",
      width: columns.length - 1,
      heads: columns.map((text) => columnHead(text)),
      names: this.cache.cached.map((_, t) => rowHead(t)),
    }));
  }

  private showTable(): void {
    const { cache, sums, table } = this,
      counts = [cache.cached, cache.uncached, sums.cached, sums.uncached, cache.n_bytes];
    table.show(this.view.opened.has("cache"));
    table.rows.forEach(({ node, cells }, t) => {
      node.classList.toggle("now", t === this.view.state.step);
      cells.forEach((cell, k) => setText(cell, formatCount(counts[k][t])));
    });
  }

  step(): void {
    const {
      cache,
      view: {
        state: { step: t },
      },
    } = this;
    setText(this.spent, formatCount(cache.cached[t]));
    setText(this.instead, formatCount(cache.uncached[t]));
    setText(this.held, formatBytes(cache.n_bytes[t]));
    for (const part of [...this.blocks, this.costs, ...this.curves]) part.step(t);
    this.showTable();
  }

  layout(): void {
    this.step();
  }
}

function legend(): HTMLElement {
  const key = (name: string, text: string) => [el("i", { class: `square ${name}` }), words("span", text)];
  return el(
    "p",
    { class: "key", "aria-hidden": "true" },
    ...key("new", "new"),
    ...key("reused", "reused"),
    ...key("once", "computed once, in step 0"),
  );
}

/** A row of the picture: one attention block, whose keys and values are in the same state. */
class Block {
  readonly node: HTMLElement;
  private readonly stride: number;
  private readonly squares: HTMLElement[][];
  private readonly said = el("span", { class: "unseen" });
  private readonly shape = words("span", "", "shape");
  private readonly bytes = el("small");

  /** rows: how many there are at the end. grows: whether each step adds one, or the first all. */
  constructor(
    private readonly cache: CacheFacts,
    name: string,
    private readonly rows: number,
    private readonly grows: boolean,
  ) {
    this.stride = strideOf(rows);
    this.squares = range(2).map(() =>
      range(Math.ceil(rows / this.stride)).map(() => el("i", { class: "square" })),
    );
    const [keys, values] = this.squares.map((each) =>
      el("span", { class: "squares", "aria-hidden": "true" }, ...each),
    );
    this.node = el(
      "tr",
      {},
      rowHead(name),
      el("td", {}, this.said, keys),
      el("td", {}, values),
      el("td", { class: "number" }, this.shape, this.bytes),
    );
  }

  private stateOf(index: number, t: number): string {
    if (!this.grows) return t ? "once" : "once new";
    const first = index * this.stride,
      last = Math.min(this.rows, first + this.stride) - 1;
    return t > last ? "reused" : t < first ? "later" : "new";
  }

  step(t: number): void {
    const { cache, rows, grows } = this,
      filled = grows ? t + 1 : rows;
    for (const each of this.squares) {
      each.forEach((square, index) => {
        const name = `square ${this.stateOf(index, t)}`;
        if (square.className !== name) square.className = name;
      });
    }
    const news = grows
      ? `1 new, ${t} reused`
      : `all ${rows} ${t ? "computed once, in step 0" : "computed now"}`;
    setText(this.said, `${plural(filled, "row")} of keys and of values: ${news}`);
    setText(this.shape, `1·${cache.n_heads}·${filled}·${cache.d_head}`);
    setText(this.bytes, formatBytes(filled * cache.row_bytes));
  }
}

/** How many rows one square stands for. */
function strideOf(rows: number): number {
  return Math.ceil(rows / MOST_SQUARES);
}

/** Says what a square stands for where there are too many rows for one each; empty otherwise. */
export function squareNotice(steps: number, sources: number): string {
  const self = strideOf(steps),
    cross = strideOf(sources);
  if (self === 1 && cross === 1) return "";
  if (self === cross) return `Each square stands for ${self} rows.`;
  return `Each square stands for ${plural(self, "row")} of self-attention, ${plural(cross, "row")} of cross-attention.`;
}

export function formatBytes(count: number): string {
  return count < 10240 ? `${formatCount(count)} B` : `${fixed(count / 1024, 1)} KiB`;
}

/** A small number as 3.1 · 10⁻⁷. */
export function formatPower(value: number): string {
  if (!value) return "0";
  const [digits, exponent] = value.toExponential(1).split("e");
  return `${digits} · 10${raised(Number(exponent))}`;
}
