// The strip about a changed model, with buttons that undo changes: below the bar, or over the title of *What if*.

import { button, el, svg, words } from "../shared/elements";
import type { Changed } from "./data";

export type Act = "undo" | "undo_all" | "compare";

const UNDO = "M5 2 2 5l3 3M2 5h6a3 3 0 0 1 0 6H5";

export class Changes {
  private readonly text = el("p", { role: "status" });
  private readonly undoAll: HTMLButtonElement;
  private readonly compare: HTMLButtonElement;
  readonly node: HTMLElement;

  /** act: asks Python for what a button says. */
  constructor(
    private readonly root: HTMLElement,
    act: (what: Act) => void,
    signal: AbortSignal,
  ) {
    const icon = svg("svg", { viewBox: "0 0 13 13", "aria-hidden": "true" }, svg("path", { d: UNDO }));
    const undo = button({}, () => act("undo"), icon, "Undo");
    this.undoAll = button({}, () => act("undo_all"));
    this.compare = button({ text: "Compare" }, () => act("compare"));
    this.node = el("div", { class: "changes" }, this.text, undo, this.undoAll, this.compare);
    // The title that it covers scrolls away, and the bar does not.
    document.addEventListener("scroll", () => this.scroll(), { capture: true, passive: true, signal });
  }

  take(changed: Changed | null): void {
    const { root, node, text, undoAll, compare } = this,
      strip = changed?.is_compared ? "title" : "below",
      said = changed?.words ?? "";
    node.hidden = !changed;
    node.dataset.strip = strip;
    // Written again, the same words would be read out again.
    if (text.title !== said) {
      text.title = said;
      text.replaceChildren(...(said ? [words("b", "You are looking at a changed model:"), ` ${said}`] : []));
    }
    undoAll.hidden = !changed || changed.n_changes < 2;
    undoAll.textContent = `Undo all ${changed?.n_changes ?? 0}`;
    compare.hidden = strip === "title";
    // The page's own style makes room for it.
    const tree = root.getRootNode();
    if (tree instanceof ShadowRoot) {
      if (changed) tree.host.setAttribute("data-strip", strip);
      else tree.host.removeAttribute("data-strip");
    }
    this.scroll();
  }

  private scroll(): void {
    const { hidden, dataset, style } = this.node;
    if (hidden || dataset.strip !== "title") return;
    style.setProperty("--scrolled", `${document.querySelector(".stMain")?.scrollTop ?? 0}px`);
  }
}
