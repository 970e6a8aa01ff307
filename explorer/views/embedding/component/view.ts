// The first view: the cuts above, the merging below.

import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { themeOf } from "../../../browser/shared/theme";
import { buildCuts } from "./cuts";
import type { TokenData } from "./data";
import { Merging } from "./merging";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

class TokenView implements View {
  private message = "";

  constructor(private readonly root: HTMLElement) {}

  update({ data }: Component): void {
    this.root.dataset.look = themeOf(this.root);
    const text = new TextDecoder().decode(data);
    // The same message again, as after an unrelated rerun, must not take the step and the focus away.
    if (this.message === text) return;
    this.message = text;
    const message = JSON.parse(text) as TokenData;
    this.root.replaceChildren(
      buildCuts(message),
      ...(message.merging ? [new Merging(message.merging).node] : []),
    );
  }
}

export default styled(
  mounted(".token-view", (root) => new TokenView(root)),
  viewCss,
  css,
);
