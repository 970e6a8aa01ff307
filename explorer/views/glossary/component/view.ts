// The field, the letters and the list; whatever has the focus of field and list, the arrow keys walk through the terms.

import { el, setText, words } from "../../../browser/shared/elements";
import { actOn, onSlash } from "../../../browser/shared/keys";
import { readJson } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { plural } from "../../../browser/shared/numbers";
import { Reports } from "../../../browser/shared/reports";
import { themeOf } from "../../../browser/shared/theme";
import { found } from "./terms";
import type { Term } from "./terms";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

/** chosen: key of a term, empty for none. report: number of the last report that this message knows of. */
interface Message {
  terms: Term[];
  chosen: string;
  report: number;
}

class TermIndex implements View {
  private readonly input = el("input", {
    id: "sought",
    type: "text",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "true",
    "aria-controls": "terms",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  private readonly letters = el("div", { class: "letters", role: "group", "aria-label": "First letter" });
  private readonly count = el("p", { class: "count", "aria-live": "polite" });
  private readonly list = el("div", {
    id: "terms",
    class: "list",
    role: "listbox",
    tabindex: "0",
    "aria-label": "Terms",
  });
  private terms: Term[] = [];
  private rows: Term[] = [];
  private active = 0;
  private chosen = "";
  private readonly reports = new Reports();
  private written = "";

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    const hint = el("kbd", { text: "/", "aria-hidden": "true" });
    root.replaceChildren(
      el("label", { for: "sought", text: "Search the glossary" }),
      el("div", { class: "field" }, this.input, hint),
      this.letters,
      this.count,
      this.list,
    );
    this.listen(signal);
  }

  private listen(signal: AbortSignal): void {
    const { input, list, letters } = this;
    for (const node of [input, list])
      node.addEventListener("keydown", (event) => this.onKey(event, node === list), { signal });
    input.addEventListener("input", () => this.draw(), { signal });
    list.addEventListener(
      "click",
      (event) => {
        const node = (event.target as Element).closest("[role=option]");
        if (node) this.choose([...list.children].indexOf(node));
      },
      { signal },
    );
    letters.addEventListener(
      "click",
      (event) => {
        const button = (event.target as Element).closest("button");
        if (!button) return;
        this.go(this.rows.findIndex(([, name]) => name[0].toUpperCase() === button.textContent));
        list.scrollTop = (this.row(this.active)?.offsetTop ?? 0) - 4;
        list.focus({ preventScroll: true });
      },
      { signal },
    );
    onSlash(
      this.root,
      () => {
        input.focus();
        input.select();
      },
      signal,
    );
  }

  private onKey(event: KeyboardEvent, isInList: boolean): void {
    const { active, input, rows } = this;
    actOn(event, {
      ArrowDown: () => this.go(active + 1),
      ArrowUp: () => this.go(active - 1),
      PageDown: () => this.go(active + 10),
      PageUp: () => this.go(active - 10),
      Enter: () => this.choose(active),
      " ": isInList && (() => this.choose(active)),
      Home: isInList && (() => this.go(0)),
      End: isInList && (() => this.go(rows.length - 1)),
      Escape:
        input.value !== "" &&
        (() => {
          input.value = "";
          this.draw();
        }),
    });
  }

  private draw(): void {
    const { input, list, letters } = this,
      isSearch = input.value !== "";
    this.rows = found(this.terms, input.value);
    this.active = isSearch ? 0 : Math.max(0, this.placeOf(this.chosen));
    list.replaceChildren(
      ...this.rows.map(([key, name], place) =>
        el("div", { role: "option", id: `term-${place}`, "aria-selected": key === this.chosen, text: name }),
      ),
    );
    const firsts = [...new Set(this.rows.map(([, name]) => name[0].toUpperCase()))].sort();
    letters.replaceChildren(...(isSearch ? [] : firsts).map((letter) => words("button", letter)));
    letters.hidden = isSearch;
    setText(this.count, this.rows.length ? plural(this.rows.length, "term") : "No term has these words.");
    this.mark();
  }

  private mark(): void {
    const { list } = this;
    [...list.children].forEach((node, place) => node.classList.toggle("active", place === this.active));
    for (const node of [this.input, list]) {
      if (this.rows.length) node.setAttribute("aria-activedescendant", `term-${this.active}`);
      else node.removeAttribute("aria-activedescendant");
    }
    // Only the list scrolls; the page stays where it is.
    const node = this.row(this.active);
    if (!node) return;
    const over = node.offsetTop - list.scrollTop - 4,
      under = node.offsetTop + node.offsetHeight - list.scrollTop - list.clientHeight + 4;
    if (over < 0) list.scrollTop += over;
    else if (under > 0) list.scrollTop += under;
  }

  private go(place: number): void {
    this.active = Math.max(0, Math.min(this.rows.length - 1, place));
    this.mark();
  }

  private choose(place: number): void {
    const row = this.rows[place] as Term | undefined;
    if (!row) return;
    this.active = place;
    [this.chosen] = row;
    [...this.list.children].forEach((node, at) => node.setAttribute("aria-selected", String(at === place)));
    this.mark();
    this.reports.tell("chosen", { term: this.chosen });
  }

  private placeOf(term: string | undefined): number {
    return this.rows.findIndex(([key]) => key === term);
  }
  private row(place: number): HTMLElement | undefined {
    return this.list.children[place] as HTMLElement | undefined;
  }

  update({ data, setStateValue }: Component): void {
    this.reports.through(setStateValue);
    this.root.dataset.look = themeOf(this.root);
    const next = readJson<Message>(data),
      text = JSON.stringify(next.terms),
      isFirst = !this.written;
    // A message that does not know of the last choice yet must not take it back; one that does says nothing new.
    if (next.report < this.reports.last || (text === this.written && next.chosen === this.chosen)) return;
    this.written = text;
    ({ terms: this.terms, chosen: this.chosen } = next);
    this.input.placeholder = `${plural(this.terms.length, "term")}, by name or meaning`;
    const sought = (this.rows[this.active] as Term | undefined)?.[0];
    this.draw();
    if (this.input.value) this.go(Math.max(0, this.placeOf(sought)));
    else if (isFirst && this.chosen)
      this.list.scrollTop = (this.row(this.active)?.offsetTop ?? 0) - this.list.clientHeight / 2;
  }
}

export default styled(
  mounted(".term-index", (root, signal) => new TermIndex(root, signal)),
  viewCss,
  css,
);
