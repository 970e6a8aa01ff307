// The panel: head with the way and the number, terms, check and links; its keys and where the focus goes.

import { el, words } from "../shared/elements";
import { focusBeside, focused } from "../shared/focus";
import { actOn } from "../shared/keys";
import { mounted } from "../shared/mount";
import type { Component, View } from "../shared/mount";
import { Reports } from "../shared/reports";
import { safe } from "../shared/text";
import { themeOf } from "../shared/theme";
import { readExplanation } from "./data";
import type { Actions, Cell, Explanation, Packed } from "./data";
import { buildButtons, buildCheck, buildHead, buildPicked, buildUses } from "./parts";
import { buildParts, TermsTable } from "./table";
import type { Order } from "./table";

const NARROW = 640;   // pixels: below, the panel is a sheet that covers the page

class ExplainPanel implements View, Actions {
  private readonly ends = new AbortController();
  private readonly before = focused();
  private data: Explanation | null = null;
  private order: Order | null = null;
  private readonly reports = new Reports();
  private written = "";

  /** box: Streamlit's container, which holds the formulas too. */
  constructor(private readonly root: HTMLElement, private readonly box: HTMLElement) {
    const { signal } = this.ends;
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-label", "Explain this number");
    box.tabIndex = -1;
    box.addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener("keydown", (event) => {
      if (event.target === document.body && event.key === "Escape") this.onKey(event);
    }, { signal });
  }

  // ---- what is reported --------------------------------------------------------------------------------------
  follow({ site, index }: Cell): void { this.tell({ kind: "follow", site, index }); }
  back(place: number): void { this.tell({ kind: "back", place }); }
  open(site: string): void { this.tell({ kind: "open", site }); }

  private tell(what: object): void { this.reports.tell("report", { key: this.data?.key, ...what }); }

  /** One number back on the way; from the first one the panel closes. */
  private previous(): void {
    const places = (this.data?.crumbs ?? []).map((crumb) => crumb.place).filter((place) => place !== null);
    this.back(places.length > 1 ? places[places.length - 2] : -1);
  }

  // ---- keys --------------------------------------------------------------------------------------------------
  private onKey(event: KeyboardEvent): void {
    actOn(event, { Escape: () => this.back(-1), Backspace: () => this.previous() });
    const isTab = event.key === "Tab" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isTab && window.innerWidth < NARROW) this.stay(event);
  }

  /** The sheet covers the page: the focus goes round in it. */
  private stay(event: KeyboardEvent): void {
    const all = [...this.root.querySelectorAll<HTMLElement>("button:not([disabled]), a[href]")].filter((node) => node.offsetParent);
    const [first, last] = event.shiftKey ? [all.at(-1), all.at(0)] : [all.at(0), all.at(-1)];
    const now = focusBeside(this.root);
    if (now && now !== last) return;
    event.preventDefault();
    first?.focus();
  }

  // ---- new messages ------------------------------------------------------------------------------------------
  update({ data: bytes, setStateValue }: Component): void {
    const { root, box } = this;
    this.reports.through(setStateValue);
    root.dataset.look = themeOf(root);
    const text = new TextDecoder().decode(bytes);
    // The same message again, as in other colours, must not take away what is read.
    if (text === this.written) return;
    this.written = text;
    const data = readExplanation(JSON.parse(text) as Packed);
    const isOther = this.data?.key !== data.key, isInside = this.data === null || box.contains(document.activeElement);
    this.data = data;
    root.replaceChildren(buildHead(this, data), ...(data.problem ? [] : this.parts(data)));
    if (!isOther || !isInside) return;
    box.scrollTop = 0;
    box.focus({ preventScroll: true });
  }

  private parts(data: Explanation): HTMLElement[] {
    return [
      ...(data.formula ? [words("h3", "Formula", "formula")] : []),
      ...(data.numbers ? [words("h3", "Numbers put in", "put-in")] : []),
      el("section", { class: "body" }, ...(data.note ? [words("p", safe(data.note), "note")] : []), ...buildPicked(this, data),
        ...this.terms(data), ...buildUses(this, data), ...buildButtons(this, data)),
    ];
  }

  private terms(data: Explanation): HTMLElement[] {
    if (data.layout === "none") return [];
    if (data.layout === "parts") return [words("h3", "Parts"), buildParts(this, data), buildCheck(data)];
    const table = new TermsTable(this, data, this.order);
    this.order = table.order;
    return [words("h3", "Terms"), table.node, buildCheck(data)];
  }

  dispose(): void {
    this.ends.abort();
    // Back to where the visitor came from, unless the focus has gone on by itself.
    const now = focused(), isOurs = !now || now === document.body || this.box.contains(now) || this.root.contains(now);
    if (isOurs && this.before?.isConnected) this.before.focus({ preventScroll: true });
  }
}

export default mounted(".explain-panel", (root) => {
  // A page that is being left has none any more.
  const box = (root.getRootNode() as Partial<ShadowRoot>).host?.closest<HTMLElement>(".st-key-explain");
  return box ? new ExplainPanel(root, box) : null;
});
