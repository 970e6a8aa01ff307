// The line at the top of a page: its title and its lead. Where the lead does not fit, its tip has all of it.

import { readJson } from "../shared/message";
import type { Component } from "../shared/mount";
import { showLead } from "./words";
import type { Head } from "./words";

export default function ({ parentElement, data }: Component): void {
  const { title, lead, tab } = readJson<Head>(data),
    heading = parentElement.querySelector("h1")!,
    line = parentElement.querySelector("p")!;
  if (heading.textContent !== title) heading.textContent = title;
  line.hidden = !lead.length;
  line.title = lead.map(([, text]) => text).join("");
  showLead(line, lead);
  document.title = tab;
}
