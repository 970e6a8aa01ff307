// What is written for each fixed source, token by token: wrong ones marked, with the right one below.

import { button, el, setText, words } from "../shared/elements";
import { visible } from "../shared/text";
import type { Probe, Written } from "./data";
import type { Letter, Mark } from "./marks";
import { isRight, lettersOf, oddity, spokenOutput, standing } from "./marks";

const CLASSES: Record<Mark, string> = { right: "ok", wrong: "no", missing: "mi", extra: "ex", more: "more" };

interface Row {
  button: HTMLButtonElement;
  odd: HTMLElement;
  stands: HTMLElement;
  letters: HTMLElement;
}

export class ProbeOutputs {
  readonly node = el("div", { class: "outputs", role: "group", "aria-label": "What it writes" });
  private rows: Row[] = [];
  private drawn = "";
  private unit = "";

  /** choose: called with the place of the probe that is clicked. */
  constructor(private readonly choose: (place: number) => void) {}

  lay(probes: Probe[], unit: string): void {
    const key = JSON.stringify(probes);
    if (key === this.drawn) return;
    this.drawn = key;
    this.unit = unit;
    this.node.classList.toggle("long", unit !== "letter");
    this.rows = probes.map((probe, place) => {
      const odd = words("span", "", "odd"),
        stands = words("span", "", "stands"),
        letters = el("span", { class: "letters" });
      const head = el(
        "span",
        { class: "head" },
        el("span", { class: "name" }, words("span", visible(probe.text).replaceAll("␣", " "), "source"), odd),
        stands,
      );
      return {
        button: button({ class: "output", "aria-pressed": "false" }, () => this.choose(place), head, letters),
        odd,
        stands,
        letters,
      };
    });
    this.node.replaceChildren(...this.rows.map(({ button }) => button));
  }

  /** written: of each probe; null before there is any. */
  show(probes: Probe[], written: Written[] | null, chosen: number): void {
    this.rows.forEach((row, place) => {
      const probe = probes[place],
        wrote = written?.[place] ?? null;
      row.button.setAttribute("aria-pressed", String(place === chosen));
      row.button.setAttribute(
        "aria-label",
        wrote ? spokenOutput(probe, wrote, this.unit) : `${probe.text}: nothing is written yet`,
      );
      row.stands.classList.toggle("right", !!wrote && isRight(probe, wrote));
      setText(row.odd, wrote ? oddity(probe, wrote) : "");
      // Of nothing that is written none is in place.
      setText(row.stands, wrote && wrote.n ? standing(probe, wrote) : "");
      const letters = lettersOf(probe, wrote ?? { tokens: [], n: 0, stopped: true });
      fill(row.letters, letters);
    });
  }
}

/** Boxes are kept from moment to moment, so that nothing flickers and no box moves. */
function fill(place: HTMLElement, letters: Letter[]): void {
  while (place.children.length > letters.length) place.lastChild!.remove();
  while (place.children.length < letters.length) place.append(el("span", {}, el("u"), el("small")));
  letters.forEach(({ mark, text, right }, i) => {
    const box = place.children[i];
    box.className = `letter ${CLASSES[mark]}`;
    setText(box.children[0], text || "\u00a0");
    setText(box.children[1], right);
  });
}
