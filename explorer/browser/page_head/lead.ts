// The lead in the note, for windows in which the line at the top of the page has no room for it.

import { readJson } from "../shared/message";
import type { Component } from "../shared/mount";
import { showLead } from "./words";
import type { Head } from "./words";

export default function ({ parentElement, data }: Component): void {
  showLead(parentElement.querySelector("p")!, readJson<Head>(data).lead);
}
