// Watches the open page: connection, colours, pastes.

import { linked } from "../navigation/links";
import { openScreen } from "../screen/screen";
import type { Screen } from "../screen/screen";
import { readJson } from "../shared/message";
import type { Component } from "../shared/mount";
import { themeOf } from "../shared/theme";
import type { Theme } from "../shared/theme";
import { keepHistoryShort } from "./address";
import { watchConnection } from "./connection";
import { watchPastes } from "./paste";

let asked: Theme | null = null; // theme for which Python was asked to draw

export default function ({ parentElement, data, setTriggerValue }: Component): void {
  const { drawn_for, longest_paste, page, screen } = readJson<{
    drawn_for: string;
    longest_paste: number;
    page: string;
    screen: Screen | null;
  }>(data);
  openScreen(page, screen, linked);
  keepHistoryShort();
  watchConnection(() => setTriggerValue("again", Date.now()));
  watchPastes(longest_paste);
  const mark = parentElement.querySelector("span")!,
    now = themeOf(mark);
  // Streamlit sets this on its app alone, and its popovers lie outside.
  document.documentElement.style.colorScheme = now;
  // Charts are made in Python for one theme. The theme may change before this script has been loaded.
  if (drawn_for === now) asked = null;
  else if (asked !== now) {
    asked = now;
    setTriggerValue("colours", now);
  }
  // What a view's mark says of the view, this says of all that Python draws: which colours it has been made for.
  mark.dataset.look = drawn_for;
}
