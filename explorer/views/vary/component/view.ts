// One token of the source varied: chips that choose which, rows for what can stand there, and the step of the page.

import { onTold, tell } from "../../../browser/shared/bus";
import { Chips } from "../../../browser/shared/chips";
import { el, setText, words } from "../../../browser/shared/elements";
import { focusBeside } from "../../../browser/shared/focus";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { formatCount, plural } from "../../../browser/shared/numbers";
import { Reports } from "../../../browser/shared/reports";
import { onResize } from "../../../browser/shared/resize";
import { clip, safe, tail, twinPlace, visible } from "../../../browser/shared/text";
import { themeOf } from "../../../browser/shared/theme";
import { Sweep } from "./data";
import type { Order } from "./data";
import { Rows } from "./rows";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const PHONE = 640,
  NARROW = 760; // pixels
let order: Order = "listed"; // as the visitor last chose it, in whatever sentence

class VaryView implements View {
  private readonly reports = new Reports();
  private sweep: Sweep | null = null;
  private rows: Rows | null = null;
  private chips: HTMLElement[] = [];
  private source: Chips | null = null;
  private orders: Chips | null = null;
  private readonly where = el("p", { class: "where" });
  private readonly verdict = el("p", { class: "verdict", "aria-live": "polite" });
  private step: number | null = null; // of the view that plays; null where none does
  private asked = -1;

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    onTold(
      "moment",
      (moment) => {
        this.step = moment && Math.max(0, moment.step);
        this.show();
      },
      signal,
    );
    onTold(
      "token",
      (token) => {
        this.chips.forEach((chip, place) =>
          chip.classList.toggle("ringed", token?.side === "source" && token.place === place),
        );
      },
      signal,
    );
    onResize(root, () => this.layout(), signal);
  }

  update({ data, setStateValue }: Component): void {
    this.reports.through(setStateValue);
    const sweep = Sweep.read(data),
      before = this.sweep;
    // A message that was written before Python heard of another position says the one before once more.
    const isWaiting =
      this.asked >= 0 && sweep.header.report < this.reports.last && sweep.header.key === before?.header.key;
    if (!isWaiting) {
      this.asked = -1;
      this.sweep = sweep;
      if (!before || factsOf(before) !== factsOf(sweep)) this.build(sweep);
    }
    this.layout();
    this.show();
  }

  private build(sweep: Sweep): void {
    const { root, where, verdict } = this,
      held = this.focusedPart();
    this.rows = new Rows(sweep, (value) =>
      this.tell("used", { value, position: sweep.header.position, step: this.stepOf(sweep) }),
    );
    this.chips = sweep.header.source_tokens.map((token, place) => sourceChip(token, place));
    this.source = new Chips("Token that is varied", this.chips, (place) => this.vary(place));
    this.source.check(sweep.header.position);
    root.replaceChildren(
      el(
        "section",
        { class: "card", "aria-label": "Vary one token" },
        el("header", {}, words("h2", "Vary one token"), this.source.node, this.orderPicker(sweep)),
        el("div", { class: "facts" }, el("p", { class: "rule" }, ...rule(sweep)), where),
        this.rows.node,
        verdict,
      ),
    );
    if (held === "source") this.source.focus(sweep.header.position);
    else if (held === "rows")
      root.querySelector<HTMLElement>(".value[tabindex='0']")?.focus({ preventScroll: true });
  }

  /** Which part has the focus, so that it goes on having it. */
  private focusedPart(): "source" | "rows" | null {
    const held = focusBeside(this.root);
    return held && this.source?.node.contains(held)
      ? "source"
      : held && this.rows?.node.contains(held)
        ? "rows"
        : null;
  }

  private orderPicker({ header: { kind } }: Sweep): HTMLElement {
    const listed = {
      digits: "By value",
      letters: "A to Z",
      neighbours: "By frequency",
      vocabulary: "As listed",
    }[kind];
    const choices: [Order, string][] = [
      ["listed", listed],
      ["probability", "By P"],
    ];
    const nodes = choices.map(([, text]) => el("button", { type: "button", role: "radio", text }));
    this.orders = new Chips("Order of the values", nodes, (place) => {
      order = choices[Math.min(1, Math.max(0, place))][0];
      this.show();
      if (focusBeside(nodes[0])?.getAttribute("role") === "radio")
        this.orders?.focus(order === "listed" ? 0 : 1);
    });
    this.orders.node.classList.add("segments");
    return this.orders.node;
  }

  private vary(to: number): void {
    const { sweep, source, chips } = this;
    if (!sweep || !source) return;
    const place = Math.min(chips.length - 1, Math.max(0, to));
    source.check(place);
    source.focus(place);
    if (place === (this.asked < 0 ? sweep.header.position : this.asked)) return;
    this.asked = place;
    this.root.classList.add("awaiting");
    this.tell("varied", { position: place });
  }

  private tell(name: string, what: object): void {
    this.reports.tell(name, { key: this.sweep?.header.key, ...what });
  }

  private layout(): void {
    const { root } = this;
    if (!root.clientWidth) return;
    root.dataset.look = themeOf(root);
    root.dataset.size = root.clientWidth < PHONE ? "phone" : root.clientWidth < NARROW ? "narrow" : "wide";
    root.classList.toggle("awaiting", this.asked >= 0);
  }

  /** The step of the page: that of the view that plays, where one does. */
  private stepOf(sweep: Sweep): number {
    return Math.min(this.step ?? sweep.header.step, sweep.nSteps - 1);
  }

  /** Shows the step of the page. */
  private show(): void {
    const { sweep, rows } = this;
    if (!sweep || !rows) return;
    const step = this.stepOf(sweep),
      { rivals, written } = sweep.header;
    rows.show(step, order);
    this.orders?.check(order === "listed" ? 0 : 1);
    const after = written[step] ? `after ${tail(safe(written[step]), 60)}` : "as the first token";
    setText(this.where, `Step ${step}: P of two next tokens ${after}`);
    const named = [rivals[step].own, rivals[step].other].map((id) => visible(sweep.token(id)));
    setText(this.verdict, verdictOf(sweep, step, named));
  }
}

/** What is drawn but for the step: rows are built anew when it changes. */
function factsOf({ header }: Sweep): string {
  return JSON.stringify({ ...header, step: 0, report: 0 });
}

function sourceChip(token: string, place: number): HTMLElement {
  const chip = el("button", { type: "button", class: "chip", role: "radio", text: clip(visible(token), 24) });
  const point = () => tell("token", { side: "source", place }),
    end = () => tell("token", null);
  chip.addEventListener("pointerenter", point);
  chip.addEventListener("pointerleave", end);
  chip.addEventListener("focus", point);
  chip.addEventListener("blur", end);
  return chip;
}

/** What the values have in common. */
function rule({ header }: Sweep): (Node | string)[] {
  const { kind, values, position, source_tokens: source, n_between: between, unit } = header;
  const token = (place: number, edge: string) =>
    source[place] === undefined
      ? edge
      : el("span", {}, words("b", visible(source[place]), "source"), twinPlace(source, place));
  const neighbours = [token(position - 1, "the beginning"), " and ", token(position + 1, "the end")];
  const sources = `${formatCount(header.n_sources)} ${header.own_pairs ? "pairs of the training" : "sources of its task"}`;
  if (kind === "digits") return [`All ${values.length} digits that the model knows; everything else stays.`];
  if (kind === "letters")
    return [`${plural(values.length, "letter")} that the model knows; everything else stays.`];
  if (kind === "vocabulary")
    return [`${plural(values.length, unit)} of the vocabulary; everything else stays.`];
  if (between >= values.length)
    return [
      `${plural(between, unit)} that stand between `,
      ...neighbours,
      ` in ${sources}; everything else stays.`,
    ];
  const beside = values.length - between;
  return [
    `${plural(between, unit)} that ${between === 1 ? "stands" : "stand"} between `,
    ...neighbours,
    `, then ${beside} beside one of the two, in ${sources}; everything else stays.`,
  ];
}

/** How many values each rival wins. */
function verdictOf(sweep: Sweep, step: number, [own, other]: string[]): string {
  const { values, n_forced: forced } = sweep.header;
  const winners = values.map((_, row) => sweep.at(row, step).winner),
    won = (by: string) => winners.filter((each) => each === by).length;
  const rest = won("else") ? `, another token for ${won("else")}` : "";
  const begun = forced ? ` Each output begins with the ${plural(forced, "token")} of this branch.` : "";
  return `${own} is the most probable for ${won("own")} of ${plural(values.length, "value")}, ${other} for ${won("other")}${rest}.${begun} Press a value to make it the sentence.`;
}

export default styled(
  mounted(".vary-view", (root, signal) => new VaryView(root, signal)),
  viewCss,
  css,
);
