// One box for all marked terms: it opens on focus and hover, follows no click by itself, and Escape closes it.

import { el, setText, words } from "../shared/elements";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import type { Component, Report, View } from "../shared/mount";
import { themeOf } from "../shared/theme";
import css from "./tips.css";
import { styled } from "../shared/styles";

/** Name and meaning of each term by its key, and the address of the glossary, which names a term in its query. */
interface Message {
  address: string;
  terms: Record<string, [name: string, meaning: string]>;
}
type Way = "mouse" | "key" | "touch";

const GAP = 6,
  EDGE = 8; // pixels
const BEFORE = 120,
  AFTER = 200; // milliseconds before it opens on hover, and until it closes
const HINTS: Record<Way, string> = {
  mouse: "Click for the glossary",
  key: "Enter opens the glossary, Escape closes this",
  touch: "Tap again for the glossary",
};

class TermTips implements View {
  private readonly title = words("b", "");
  private readonly text = words("span", "");
  private readonly hint = words("small", "");
  private readonly box = el(
    "div",
    { class: "term-tip", id: "term-tip", role: "tooltip", popover: "manual" },
    this.title,
    this.text,
    this.hint,
  );
  private terms: Message["terms"] = {};
  private prefix = "";
  private send: Report = () => undefined;
  private shown: Element | null = null;
  private touched: Element | null = null;
  private pointer = [-1, -1]; // where it was last, in the window
  private isSkipped = false; // whether a term lies under it that it has not been moved to
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, signal: AbortSignal) {
    root.replaceChildren(this.box);
    const on = <Name extends keyof DocumentEventMap>(
      name: Name,
      act: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, act, { signal, capture: true });
    on("pointerover", (event) => this.onOver(event));
    on("pointermove", (event) => this.onMove(event));
    on("focusin", (event) => {
      const link = this.linkOf(event);
      if (link?.matches(":focus-visible")) this.show(link, "key");
    });
    on("focusout", (event) => {
      if (this.linkOf(event)) this.hide();
    });
    on("keydown", (event) => {
      if (event.key !== "Escape" || !this.shown) return;
      event.preventDefault();
      event.stopPropagation();
      this.hide();
    });
    // Bringing a term into sight scrolls, too; the box goes along.
    on("scroll", () => {
      if (this.shown) this.place(this.shown);
    });
    on("pointerdown", (event) => this.onPress(event));
    on("click", (event) => this.onClick(event));
    addEventListener("resize", () => this.hide(), { signal });
  }

  /** The marked term that an event is about, also in a component's own tree. */
  private linkOf(event: Event): Element | null {
    const path = event.composedPath().filter((node) => node instanceof Element);
    const link = path.find((node) => node.matches(`a[href^="${this.prefix}"]`));
    return link && this.termOf(link) in this.terms ? link : null;
  }
  private termOf(link: Element): string {
    return (link.getAttribute("href") ?? "").slice(this.prefix.length);
  }

  // ---- open and close ----------------------------------------------------------------------------------------
  private show(link: Element, by: Way): void {
    clearTimeout(this.timer);
    if (this.shown !== link) this.hide();
    const { box } = this,
      [name, meaning] = this.terms[this.termOf(link)];
    setText(this.title, name);
    setText(this.text, meaning);
    setText(this.hint, HINTS[by]);
    box.dataset.look = themeOf(box);
    this.shown = link;
    // A description by id ends at the border of a component's own tree; the words themselves do not.
    if (link.getRootNode() === document) link.setAttribute("aria-describedby", box.id);
    else link.setAttribute("aria-description", meaning);
    box.showPopover();
    this.place(link);
  }

  private place(link: Element): void {
    const at = link.getClientRects().item(0),
      { width, height } = this.box.getBoundingClientRect();
    if (!at || at.bottom < 0 || at.top > innerHeight) return this.hide();
    const below = at.bottom + GAP,
      above = at.top - GAP - height;
    const isBelow = below + height <= innerHeight - EDGE || above < EDGE;
    this.box.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - EDGE - width))}px`;
    this.box.style.top = `${isBelow ? below : above}px`;
  }

  private hide(): void {
    clearTimeout(this.timer);
    if (!this.shown) return;
    this.shown.removeAttribute("aria-describedby");
    this.shown.removeAttribute("aria-description");
    this.shown = null;
    if (this.box.isConnected) this.box.hidePopover();
  }

  private later(act: () => void, wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, wait);
  }

  // ---- pointers ----------------------------------------------------------------------------------------------
  // A term that the page slides under a pointer at rest was not asked about, and its box would lie over what is there.
  private onOver(event: PointerEvent): void {
    const isAtRest = event.clientX === this.pointer[0] && event.clientY === this.pointer[1];
    this.isSkipped = isAtRest && this.linkOf(event) !== this.shown;
    if (!this.isSkipped) this.onHover(event);
    else if (this.shown) this.later(() => this.hide(), AFTER);
  }

  private onMove(event: PointerEvent): void {
    const isMoved = event.clientX !== this.pointer[0] || event.clientY !== this.pointer[1];
    this.pointer = [event.clientX, event.clientY];
    if (!isMoved || !this.isSkipped) return;
    this.isSkipped = false;
    this.onHover(event);
  }

  private onHover(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    const link = this.linkOf(event);
    if (link)
      this.later(
        () => {
          if (link.isConnected) this.show(link, "mouse");
        },
        link === this.shown ? 0 : BEFORE,
      );
    else if (
      this.shown &&
      !event.composedPath().includes(this.box) &&
      !this.shown.matches(":focus-visible")
    ) {
      this.later(() => this.hide(), AFTER);
    } else clearTimeout(this.timer);
  }

  // A finger cannot hover: its first tap explains, the second one follows.
  private onPress(event: PointerEvent): void {
    const link = this.linkOf(event);
    if (!link && !event.composedPath().includes(this.box)) this.hide();
    this.touched = event.pointerType === "touch" && link !== this.shown ? link : null;
  }

  private onClick(event: MouseEvent): void {
    const link = this.linkOf(event);
    // A new tab or window is the browser's business.
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    event.stopPropagation();
    if (this.touched === link) {
      this.touched = null;
      return this.show(link, "touch");
    }
    this.hide();
    this.send("asked", this.termOf(link));
  }

  update({ data, setTriggerValue }: Component): void {
    const message = readJson<Message>(data);
    this.terms = message.terms;
    this.prefix = `${message.address}?term=`;
    this.send = setTriggerValue;
  }

  dispose(): void {
    this.hide();
  }
}

export default styled(
  mounted(".term-tips", (root, signal) => new TermTips(root, signal)),
  css,
);
