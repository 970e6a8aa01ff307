// Number keys for the whole page.

import { comesFrom, isShortcut } from "../shared/keys";
import { readJson } from "../shared/message";
import { mounted } from "../shared/mount";
import type { Component, Report, View } from "../shared/mount";
import { themeOf } from "../shared/theme";
import css from "./keys.css";
import { styled } from "../shared/styles";

// Fields and lists take numbers themselves.
const TAKES_NUMBERS =
  "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]," +
  '[role="combobox"], [role="listbox"], [role="textbox"], [role="spinbutton"], [role="menu"]';

class DepthKeys implements View {
  private n = 0;
  private send: Report = () => undefined;

  constructor(
    private readonly line: HTMLElement,
    signal: AbortSignal,
  ) {
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
  }

  private onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.repeat || isShortcut(event) || event.shiftKey) return;
    const place = Number(event.key) - 1;
    if (!/^[1-9]$/.test(event.key) || place >= this.n || comesFrom(event, TAKES_NUMBERS)) return;
    this.send("pressed", place);
  }

  update({ data, setTriggerValue }: Component): void {
    ({ n: this.n } = readJson<{ n: number }>(data));
    this.send = setTriggerValue;
    this.line.dataset.look = themeOf(this.line);
    this.line.textContent = `Press 1 to ${this.n}`;
  }
}

export default styled(
  mounted(".depth-keys", (line, signal) => new DepthKeys(line, signal)),
  css,
);
