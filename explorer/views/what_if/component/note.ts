// What is said beside a change: the next token before and after it, what the changed model writes, and the ways on.

import { button, el, words } from "../../../browser/shared/elements";
import { fixed, formatProbability } from "../../../browser/shared/numbers";
import { clip, safe, visible } from "../../../browser/shared/text";
import type { Borrow, Data, Tell } from "./data";

export function noteOf(data: Data, tell: Tell): HTMLElement {
  const refusal = data.refusal ? [el("p", { class: "problem", role: "alert", text: data.refusal })] : [],
    note = el("aside", { class: "note" }, ...refusal, words("h3", title(data)), leading(data), bars(data));
  if (!data.n_changes) {
    note.append(words("p", "Nothing is changed: the bars are of the model as trained.", "mute"));
    return note;
  }
  note.append(words("p", "The upright mark is the model as trained.", "mute"));
  note.append(
    el(
      "p",
      { class: "writes", role: "status" },
      "Left to itself the changed model writes ",
      words("b", safe(data.led.writes) || "nothing", "target"),
      ".",
    ),
  );
  const ways: [string, string, boolean][] = [
    ["See this run on the map", "map", true],
    ["Step by step", "steps", true],
    ["Explain a changed number", "explain", data.can_explain],
  ];
  note.append(
    el(
      "p",
      { class: "ways" },
      ...ways
        .filter(([, , there]) => there)
        .map(([text, to]) => button({ class: "way", text }, () => tell("went", { to }))),
    ),
  );
  return note;
}

function title({ borrow, n_changes: n, way }: Data): string {
  const share = borrow && n ? litShare(borrow) : null;
  if (share !== null) return `Borrowed: ${fixed(share, 2)} of the difference`;
  if (!n) return "As trained";
  return { borrow: "With the changes", off: "Without what is off", row: "With your weights" }[way];
}

/** The share of the one cell that is lit; null where there is none, or several, whose shares do not add up. */
function litShare(borrow: Borrow): number | null {
  if (borrow.lit.length !== 1) return null;
  const [[number, position]] = borrow.lit;
  const row = borrow.panels.flatMap((panel) => panel.rows).find((each) => each.number === number);
  return row?.shares[position] ?? null;
}

function leading(data: Data): HTMLElement {
  const { after } = data.led;
  return el(
    "p",
    {},
    `Step ${data.step}, `,
    ...(after ? ["after ", words("b", safe(after), "target")] : ["the first"]),
    ":",
  );
}

function bars({ led }: Data): HTMLElement {
  const list = el("div", { class: "candidates", role: "list" });
  for (const { text, before, after } of led.candidates) {
    const track = el(
      "i",
      { class: "bar" },
      el("u", { style: `width: ${100 * after}%` }),
      el("s", { style: `left: ${100 * before}%` }),
    );
    const row = el(
      "div",
      { role: "listitem" },
      words("span", clip(visible(text), 12), "chip target"),
      track,
      words("span", formatProbability(after), "p"),
    );
    row.title = `${visible(text)}: ${formatProbability(after)}, as trained ${formatProbability(before)}`;
    list.append(row);
  }
  return list;
}
