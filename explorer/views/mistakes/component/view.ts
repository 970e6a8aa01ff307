// The view of the held-out pairs: its figures, its filters, the list and the pictures beside it.

import { button, el, setText, words } from "../../../browser/shared/elements";
import { onSlash } from "../../../browser/shared/keys";
import { readPayload } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { fixed, formatCount, formatPercent, plural } from "../../../browser/shared/numbers";
import { Reports } from "../../../browser/shared/reports";
import { onResize } from "../../../browser/shared/resize";
import { finder } from "../../../browser/shared/search";
import { Segments } from "../../../browser/shared/segments";
import { themeOf } from "../../../browser/shared/theme";
import { belongs, pairsOf, sorted } from "./data";
import type { Header, Looked, Order, Pair } from "./data";
import { List } from "./list";
import { Pictures } from "./pictures";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const PHONE = 640,
  BESIDE = 900; // pixels
/** Milliseconds after the last letter of a search until the link has it. */
const TYPED = 400;
const WRONG = "wrong",
  ALL = "all",
  EXACT = "exact";
const ORDERS: [Order, string][] = [
  ["loss", "Largest loss first"],
  ["first", "Earliest mistake first"],
  ["length", "Shortest source first"],
  ["number", "As in the split"],
];

class MistakesView implements View {
  private readonly reports = new Reports();
  private shown: Shown | null = null;

  constructor(
    readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    onResize(root, () => this.layout(), signal);
    onSlash(root, () => this.shown?.search.focus(), signal);
  }

  tell(name: string, what: object): void {
    if (this.shown) this.reports.tell(name, { key: this.shown.header.key, ...what });
  }

  dispose(): void {
    this.shown?.rest();
  }

  private layout(): void {
    if (!this.root.clientWidth) return;
    this.root.dataset.look = themeOf(this.root);
    this.root.dataset.size =
      window.innerWidth < PHONE ? "phone" : this.root.clientWidth < BESIDE ? "narrow" : "wide";
  }

  update({ data, setStateValue }: Component): void {
    this.reports.through(setStateValue);
    const payload = readPayload<Header>(data);
    const { key, n_evaluated } = payload.header;
    if (this.shown?.header.key !== key || this.shown.header.n_evaluated !== n_evaluated) {
      const before = this.shown?.header.split === payload.header.split ? this.shown : null,
        isTyping = before?.search.matches(":focus") ?? false;
      this.shown?.rest();
      // The view is fed again while pairs are translated; filters and search stay as the visitor has left them.
      const looked = before?.looked ?? payload.header.looked;
      this.shown = new Shown({ ...payload.header, looked }, pairsOf(payload), this);
      if (isTyping) this.shown.search.focus();
    } else if (payload.header.report >= this.reports.last) this.shown.take(payload.header.looked);
    this.layout();
  }
}

/** The results of one split. */
class Shown {
  readonly search: HTMLInputElement;
  looked: Looked;
  private readonly list: List;
  private readonly pictures: Pictures;
  private readonly chips = new Map<string, HTMLElement>();
  private readonly said = el("p", { class: "said", role: "status" });
  private readonly only = button({ class: "only" }, () => this.choose({ group: "" }));
  private readonly order = el(
    "select",
    { "aria-label": "Order of the pairs" },
    ...ORDERS.map(([key, title]) => el("option", { value: key, text: title })),
  );
  private typing = 0;

  constructor(
    readonly header: Header,
    private readonly pairs: Pair[],
    private readonly view: MistakesView,
  ) {
    this.looked = header.looked;
    this.list = new List({ source: header.source_unit, target: header.target_unit }, (pair) =>
      view.tell("opened", { number: pair.number }),
    );
    this.pictures = new Pictures(header, (group) => this.choose({ group }));
    this.search = el("input", {
      type: "search",
      placeholder: "Search",
      "aria-label": "Search source, reference and output",
      maxlength: 100,
    });
    this.search.addEventListener("input", () => {
      this.looked = { ...this.looked, search: this.search.value };
      this.draw();
      clearTimeout(this.typing);
      this.typing = window.setTimeout(() => this.report(), TYPED);
    });
    this.order.addEventListener("change", () => this.choose({ sort: this.order.value as Order }));
    view.root.replaceChildren(
      this.figures(),
      el(
        "div",
        { class: "beside" },
        el(
          "section",
          { class: "listed", "aria-label": "Pairs" },
          this.filters(),
          el("div", { class: "tools" }, this.search, this.order, this.said, this.only),
          heads(header),
          this.list.node,
          this.list.more,
          this.foot(),
        ),
        this.pictures.node,
      ),
    );
    this.draw();
  }

  /** What Python says is looked at, as after a step back in the browser's history. */
  take(looked: Looked): void {
    // A text that is still typed is newer than any message.
    if (this.typing || JSON.stringify(looked) === JSON.stringify(this.looked)) return;
    this.looked = looked;
    this.draw();
  }

  private choose(part: Partial<Looked>): void {
    this.looked = { ...this.looked, ...part };
    this.draw();
    this.report();
  }

  /** Nothing that waits is told any more: what is told holds what was typed. */
  private report(split = this.header.split, looked = this.looked): void {
    this.rest();
    this.view.tell("looked", { ...looked, split });
  }

  /** Another view takes this one's place. */
  rest(): void {
    clearTimeout(this.typing);
    this.typing = 0;
  }

  private get kind(): string {
    return this.looked.kind || (this.pairs.some(({ first }) => first !== null) ? WRONG : ALL);
  }

  /** Whether a pair is of a kind. */
  private ofKind(kind: string): (pair: Pair) => boolean {
    if (kind === WRONG || kind === EXACT) return ({ first }) => (first === null) === (kind === EXACT);
    const found = this.header.kinds.find(({ key }) => key === kind),
      places = new Set(found?.pairs);
    return found ? ({ place }) => places.has(place) : () => true;
  }

  private draw(): void {
    const {
      looked: { group, search, sort },
      kind,
      header,
      pairs,
    } = this;
    if (this.search.value !== search) this.search.value = search;
    this.order.value = sort;
    const isOfKind = this.ofKind(kind),
      belongsTo = belongs(group, header),
      finds = finder(search);
    const listed = pairs.filter((pair) => isOfKind(pair) && belongsTo(pair) && (!finds || finds(pair.text)));
    for (const [key, chip] of this.chips) chip.setAttribute("aria-pressed", String(key === kind));
    this.list.show(sorted(listed, sort));
    this.pictures.light(group, listed, pairs);
    const only = this.pictures.nameOf(group);
    this.only.hidden = !only;
    this.only.replaceChildren(`Only: ${only} `, words("span", "×", "close"));
    this.only.setAttribute("aria-label", `Only ${only}; show all again`);
    const meaning = header.kinds.find(({ key }) => key === kind)?.meaning;
    setText(this.said, [`${plural(listed.length, "pair")}.`, meaning].filter(Boolean).join(" "));
  }

  private figures(): HTMLElement {
    const {
      figures: { exact, right, n_pairs, loss, token_accuracy, chrf, bleu, bleu_tokenizer },
      split,
      splits,
      target_unit,
    } = this.header;
    const others = [
      [`nats per ${target_unit}`, fixed(loss, 3)],
      [`${target_unit}s in place`, `${formatPercent(token_accuracy)} %`],
      ...(chrf === undefined ? [] : [["chrF", fixed(chrf, 1)]]),
      ...(bleu === undefined ? [] : [[`BLEU (sacrebleu ${bleu_tokenizer})`, fixed(bleu, 1)]]),
    ];
    const bar = el("i", { class: "whole", "aria-hidden": "true" });
    bar.style.setProperty("--part", String(exact / n_pairs));
    const choices = new Segments<string>(
      "segments",
      "Held-out pairs",
      (key) => this.report(key, { ...this.looked, group: "" }),
      splits.length > 1 ? splits : [],
    );
    choices.show(split);
    return el(
      "header",
      { class: "figures" },
      el(
        "p",
        { class: "exact" },
        words("b", formatCount(exact)),
        ` of ${formatCount(n_pairs)} ${right}`,
        bar,
      ),
      ...others.map(([name, value]) => el("p", {}, words("b", value), ` ${name}`)),
      choices.node,
    );
  }

  private filters(): HTMLElement {
    const { pairs, header } = this,
      nWrong = pairs.filter(({ first }) => first !== null).length;
    const all: [string, string, number, string][] = [
      [WRONG, "Wrong", nWrong, ""],
      ...header.kinds.map(({ key, title, pairs: own, meaning }): [string, string, number, string] => [
        key,
        title,
        own.length,
        meaning,
      ]),
      [EXACT, "Exact", pairs.length - nWrong, ""],
      [ALL, "All", pairs.length, ""],
    ];
    for (const [key, title, count, meaning] of all) {
      const chip = button(
        { class: "chip", title: meaning },
        () => this.choose({ kind: key }),
        title,
        " ",
        words("b", formatCount(count)),
      );
      if (!count && key !== WRONG) chip.setAttribute("disabled", "");
      this.chips.set(key, chip);
    }
    return el("div", { class: "chips", role: "group", "aria-label": "Which pairs" }, ...this.chips.values());
  }

  private foot(): HTMLElement {
    const { n_available, n_planned, n_evaluated } = this.header,
      { length } = this.pairs;
    const cut =
      n_evaluated < n_planned
        ? ` ${formatCount(n_evaluated)} of ${formatCount(n_planned)} pairs are translated so far.`
        : n_evaluated < n_available
          ? ` Of ${formatCount(n_available)} pairs the first ${formatCount(n_evaluated)} were translated.`
          : "";
    const listed =
      length < n_evaluated ? ` The list has ${formatCount(length)} of them, the wrong ones first.` : "";
    return words("p", `The loss is of the reference, log P of what was written.${cut}${listed}`, "foot");
  }
}

/** What the numbers of a row are. */
function heads({ target_unit }: Header): HTMLElement {
  const texts = [
    "bar over a token: its loss, −log P; a full one is 5 nats and more",
    `loss / ${target_unit}`,
    "log P",
  ];
  return el("div", { class: "heads" }, ...texts.map((text) => words("span", text)), el("span"));
}

export default styled(
  mounted(".mistakes", (root, signal) => new MistakesView(root, signal)),
  viewCss,
  css,
);
