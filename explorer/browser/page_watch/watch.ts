// What is watched for as long as the page is open: its connection, its colours, pastes, and the keys of a lesson.

import { listenForLesson } from "../shared/lesson_keys";
import type { Component } from "../shared/mount";
import { themeOf } from "../shared/theme";
import type { Theme } from "../shared/theme";
import { keepHistoryShort } from "./address";
import { watchConnection } from "./connection";
import { watchPastes } from "./paste";

declare global {
  var explorerColours: Theme | undefined;
}

export default function ({ parentElement, data, setTriggerValue }: Component): void {
  keepHistoryShort();
  watchConnection(() => setTriggerValue("again", Date.now()));
  watchPastes();
  listenForLesson();
  const mark = parentElement.querySelector("span")!,
    now = themeOf(mark);
  // Charts are made in Python, for the colours that the browser told with its last message.
  if (globalThis.explorerColours && globalThis.explorerColours !== now) setTriggerValue("colours", now);
  globalThis.explorerColours = now;
  // What a view's mark says of the view, this says of all that Python draws: which colours it has been made for.
  mark.dataset.look = new TextDecoder().decode(data);
}
