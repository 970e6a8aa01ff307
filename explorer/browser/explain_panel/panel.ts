// The panel: head with the number and the way to it, terms, check and links; its keys and where the focus goes.

import { tell } from "../shared/bus";
import { el, words } from "../shared/elements";
import { focused } from "../shared/focus";
import { actOn, comesFrom, isFromPage } from "../shared/keys";
import { formula } from "../shared/mathml";
import { mounted } from "../shared/mount";
import type { Component, View } from "../shared/mount";
import { Reports } from "../shared/reports";
import { safe } from "../shared/text";
import { themeOf } from "../shared/theme";
import { readExplanation } from "./data";
import type { Actions, Cell, Explanation, Packed } from "./data";
import { buildButtons, buildCheck, buildHead, buildPicked, buildUses, spoken } from "./parts";
import { buildParts, TermsTable } from "./table";
import type { Order } from "./table";
import css from "./panel.css";
import { styled } from "../shared/styles";

const DOCKED = "(min-width: 1280px)"; // where the panel stands beside the picture: see explorer/shell/page_style.py

class ExplainPanel implements View, Actions {
  private before: HTMLElement | null = null; // focused element when the panel opened
  private data: Explanation | null = null;
  private table: TermsTable | null = null;
  private order: Order | null = null;
  private readonly reports = new Reports();
  private written = "";

  /** box: Streamlit's container, which scrolls. page: the page, which gives the panel its place while it is open. */
  constructor(
    private readonly root: HTMLElement,
    private readonly box: HTMLElement,
    private readonly page: HTMLElement,
    signal: AbortSignal,
  ) {
    box.setAttribute("role", "region");
    box.tabIndex = -1;
    box.addEventListener(
      "keydown",
      (event) => actOn(event, { Escape: () => this.back(-1), Backspace: () => this.previous() }),
      { signal },
    );
    window.addEventListener("resize", () => this.fit(), { signal });
    // It closes from the picture, too, which may do with the key what it does.
    document.addEventListener(
      "keydown",
      (event) => {
        const isFree = isFromPage(event) || comesFrom(event, ".st-key-page");
        if (this.data && event.key === "Escape" && isFree && !comesFrom(event, "input, textarea, select"))
          this.back(-1);
      },
      { signal },
    );
  }

  // ---- what is reported --------------------------------------------------------------------------------------
  follow({ site, index }: Cell): void {
    this.report({ kind: "follow", site, index });
  }
  back(place: number): void {
    this.report({ kind: "back", place });
  }
  open(site: string): void {
    this.report({ kind: "open", site });
  }

  private report(what: object): void {
    this.reports.tell("report", { key: this.data?.key, ...what });
  }

  /** One number back on the way; from the first one the panel closes. */
  private previous(): void {
    const places = (this.data?.crumbs ?? []).map((crumb) => crumb.place).filter((place) => place !== null);
    this.back(places.length > 1 ? places[places.length - 2] : -1);
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
    const packed = JSON.parse(text) as Packed | Record<string, never>;
    if (!("key" in packed)) return this.close();
    const data = readExplanation(packed as Packed);
    const isOther = this.data?.key !== data.key,
      isHeld = this.data ? box.contains(document.activeElement) : isOwnAct();
    if (!this.data) this.before = focused();
    this.data = data;
    this.page.dataset.explaining = "";
    box.setAttribute("aria-label", spoken(data));
    this.table = null;
    const head = buildHead(this, data, () => this.previous());
    root.replaceChildren(el("div", { class: "content" }, head, ...(data.problem ? [] : this.parts(data))));
    this.fit();
    tell("term", null);
    if (!isOther || !isHeld) return;
    box.scrollTop = 0;
    box.focus({ preventScroll: true });
    if (!matchMedia(DOCKED).matches) box.scrollIntoView({ block: "start" });
  }

  /** Leave out small terms where the sum would be out of sight beside the picture. */
  private fit(): void {
    const { root, box } = this,
      bottom = (sums: Element) => sums.getBoundingClientRect().bottom - root.getBoundingClientRect().top;
    this.table?.fit((sums) => !matchMedia(DOCKED).matches || bottom(sums) <= box.clientHeight);
  }

  private parts(data: Explanation): HTMLElement[] {
    return [
      ...line(data.formula),
      el("section", { class: "body" }, ...buildPicked(this, data), ...this.terms(data)),
      ...line(data.numbers),
      el(
        "section",
        { class: "foot" },
        ...(data.note ? [words("p", safe(data.note), "note")] : []),
        ...(data.layout === "none" ? [] : [buildCheck(data)]),
        ...buildUses(this, data),
        ...buildButtons(this, data),
      ),
    ];
  }

  private terms(data: Explanation): HTMLElement[] {
    if (data.layout === "none") return [];
    if (data.layout === "parts") return [buildParts(this, data)];
    this.table = new TermsTable(this, data, this.order);
    this.order = this.table.order;
    return [this.table.node];
  }

  dispose(): void {
    this.close();
  }

  private close(): void {
    if (!this.data) return;
    this.data = null;
    this.written = "";
    delete this.page.dataset.explaining;
    tell("term", null);
    // Back to where the visitor came from, unless the focus has gone on by itself.
    const { before, box, root } = this,
      now = focused(),
      isOurs = !now || now === document.body || box.contains(now) || root.contains(now);
    root.replaceChildren();
    if (!isOurs || !before?.isConnected) return;
    const back = () => before.focus({ preventScroll: matchMedia(DOCKED).matches });
    back();
    // What the panel took the place of can have the focus once it is gone.
    if (focused() !== before) requestAnimationFrame(back);
  }
}

function line(text: string): HTMLElement[] {
  return text ? [el("div", { class: "formula" }, formula(text))] : [];
}

/** Whether the visitor has just asked for a number in the page, rather than opened a link or come from the navigation bar. */
function isOwnAct(): boolean {
  return navigator.userActivation.hasBeenActive && !document.activeElement?.closest(".st-key-nav");
}

export default styled(
  mounted(".explain-panel", (root, signal) => {
    // A page that is being left has none any more.
    const box = (root.getRootNode() as Partial<ShadowRoot>).host?.closest<HTMLElement>(".st-key-explain");
    const page = box?.closest<HTMLElement>(".st-key-page");
    return box && page ? new ExplainPanel(root, box, page, signal) : null;
  }),
  css,
);
