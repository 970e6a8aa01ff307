// The stages of a block as a line: the whole picture, or the picture as far as one of them.

import { el } from "../shared/elements";
import { isShortcut } from "../shared/keys";
import { mathWords } from "../shared/math";
import type { StageEntry } from "./data";

export class Tabs {
  readonly node = el("div", { class: "stages", role: "tablist", "aria-label": "Stages" });
  private tabs: HTMLButtonElement[] = [];
  private keys: string[] = [];

  constructor(private readonly open: (stage: string) => void) {
    this.node.addEventListener("keydown", (event) => {
      const at = this.tabs.indexOf(event.target as HTMLButtonElement), last = this.tabs.length - 1;
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
      if (at < 0 || to === undefined || isShortcut(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (to + this.tabs.length) % this.tabs.length;
      this.open(this.keys[next]);
      this.tabs[next].focus();
    });
  }

  build(stages: StageEntry[]): void {
    const all = [{ key: "", title: "Whole", note: "Every stage in one picture" }, ...stages];
    if (this.keys.join() === all.map(({ key }) => key).join()) return;
    this.keys = all.map(({ key }) => key);
    this.tabs = all.map(({ key, title, note }) => {
      const tab = el("button", { type: "button", role: "tab", id: `tab-${key || "whole"}`, "aria-controls": "picture", title: note }, mathWords("span", title));
      tab.addEventListener("click", () => this.open(key));
      return tab;
    });
    this.node.replaceChildren(...this.tabs);
  }

  /** progress: how many stages have been played, where it plays. */
  show(stage: string, progress: number | null): void {
    this.tabs.forEach((tab, i) => {
      const isOn = this.keys[i] === stage;
      tab.setAttribute("aria-selected", String(isOn));
      tab.tabIndex = isOn ? 0 : -1;
      tab.style.setProperty("--share", progress === null || i === 0 ? "0" : String(Math.max(0, Math.min(1, progress - (i - 1)))));
    });
  }
}
