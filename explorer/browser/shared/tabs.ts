// Stages as tabs in a line, of which one is open.

import { button, el } from "./elements";
import { actOn } from "./keys";
import { mathWords } from "./math";

export interface Tab {
  key: string;
  title: string;
  tip: string;
}

export class Tabs {
  readonly node = el("div", { class: "stages", role: "tablist", "aria-label": "Stages" });
  private tabs: HTMLButtonElement[] = [];
  private shown: Tab[] = [];

  /** controls: id of what a tab opens. */
  constructor(
    private readonly controls: string,
    private readonly open: (key: string) => void,
  ) {
    this.node.addEventListener("keydown", (event) => {
      const at = this.tabs.indexOf(event.target as HTMLButtonElement),
        count = this.tabs.length;
      const to = (place: number) => at >= 0 && (() => this.go((place + count) % count));
      actOn(event, { ArrowLeft: to(at - 1), ArrowRight: to(at + 1), Home: to(0), End: to(count - 1) });
    });
  }

  private go(place: number): void {
    this.open(this.shown[place].key);
    this.tabs[place].focus();
  }

  build(tabs: Tab[]): void {
    if (JSON.stringify(this.shown) === JSON.stringify(tabs)) return;
    this.shown = tabs;
    this.tabs = tabs.map(({ key, title, tip }) => {
      const attributes = {
        id: idOf(key),
        "aria-controls": this.controls,
        "data-focus": `tab:${key}`,
        title: tip,
      };
      return button({ role: "tab", ...attributes }, () => this.open(key), mathWords("span", title));
    });
    this.node.replaceChildren(...this.tabs);
  }

  /** progress: how many tabs after the first have been played, where something plays. */
  show(key: string, progress: number | null = null): void {
    this.tabs.forEach((tab, i) => {
      const isOn = this.shown[i].key === key;
      tab.setAttribute("aria-selected", String(isOn));
      tab.tabIndex = isOn ? 0 : -1;
      tab.style.setProperty(
        "--share",
        progress === null || i === 0 ? "0" : String(Math.max(0, Math.min(1, progress - (i - 1)))),
      );
    });
  }
}

/** Id of a tab by its key. */
export function idOf(key: string): string {
  return `tab-${key || "whole"}`;
}
