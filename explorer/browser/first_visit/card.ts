// Shows the card of a first visit until it is dismissed, and remembers that in this browser.

import { button, words } from "../shared/elements";
import { actOn } from "../shared/keys";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import type { Component, View } from "../shared/mount";
import { themeOf } from "../shared/theme";
import viewCss from "../shared/view.css";
import css from "./card.css";
import { styled } from "../shared/styles";

const KEPT = "explorer-first-visit";

// For a browser that keeps nothing: it knows until the page is loaded again.
declare global {
  var explorerWasDismissed: boolean | undefined;
}

class Card implements View {
  private shown = "";

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    root.addEventListener("keydown", (event) => actOn(event, { Escape: () => this.dismiss() }), { signal });
  }

  update({ data }: Component): void {
    const lines = readJson<string[]>(data);
    this.root.dataset.look = themeOf(this.root);
    this.root.hidden = !lines.length || isDismissed();
    // The button keeps the focus while the page is drawn again.
    if (this.shown === lines.join("\n")) return;
    this.shown = lines.join("\n");
    const paragraphs = lines.map((line) => words("p", line));
    paragraphs.at(-1)?.append(button({ text: "Got it" }, () => this.dismiss()));
    this.root.replaceChildren(...paragraphs);
  }

  private dismiss(): void {
    globalThis.explorerWasDismissed = true;
    try {
      localStorage.setItem(KEPT, "dismissed");
    } catch {
      /* The page remembers it. */
    }
    this.root.hidden = true;
  }
}

function isDismissed(): boolean {
  if (globalThis.explorerWasDismissed) return true;
  try {
    return localStorage.getItem(KEPT) !== null;
  } catch {
    return false;
  }
}

export default styled(
  mounted(".first-visit", (root, signal) => new Card(root, signal)),
  viewCss,
  css,
);
