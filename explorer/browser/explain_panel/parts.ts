// The parts of the panel above and below its terms: the number and the way to it, the check, and where it leads on.

import { button, el, setText, words } from "../shared/elements";
import { clip, safe } from "../shared/text";
import type { Actions, Explanation } from "./data";
import { operand, shownWords } from "./table";

/** What the panel is, the way to the number, and the number in a sentence; or the sentence that says why there is none. */
export function buildHead(actions: Actions, data: Explanation, previous: () => void): HTMLElement {
  const isDeep = data.crumbs.length > 1;
  const close = link("close", () => actions.back(-1), "quiet");
  const top = el(
    "div",
    { class: "top" },
    words("h2", "This number"),
    link("back", previous, "quiet"),
    ...(isDeep ? [close] : []),
  );
  const way = isDeep ? [buildWay(actions, data)] : [];
  if (data.problem) return el("header", {}, top, ...way, words("p", safe(data.problem), "problem"));
  return el(
    "header",
    {},
    top,
    ...way,
    el("p", { class: "sentence" }, ...data.words.map(shownWords)),
    el(
      "p",
      { class: "value" },
      el("strong", { text: data.value, title: data.exact }),
      el("code", {}, ...named(data.site), el("span", { text: data.index })),
    ),
    words("p", data.shape, "shape"),
  );
}

/** What a screen reader is told when the panel gets the focus: the sentence before all else. */
export function spoken(data: Explanation): string {
  const sentence = data.words.map((each) => shownWords(each).textContent).join("");
  return `This number: ${data.problem ? safe(data.problem) : `${sentence} ${data.value}`}`;
}

function buildWay(actions: Actions, data: Explanation): HTMLElement {
  return el(
    "ol",
    { class: "way", "aria-label": "The way to this number" },
    ...data.crumbs.map(({ text, place }, i) => {
      const name = clip(safe(text), 22);
      if (i === data.crumbs.length - 1) return el("li", {}, el("b", { text: name, "aria-current": "true" }));
      return el("li", {}, place === null ? "…" : link(name, () => actions.back(place)));
    }),
  );
}

/** A dotted name that may break after each dot. */
function named(site: string): (Node | string)[] {
  return site.split(".").flatMap((part, i) => (i ? [".", el("wbr"), part] : [part]));
}

function link(text: string, act: () => void, name = "link"): HTMLElement {
  return button({ class: name, text }, act);
}

/** Which row of a table the number is in. */
export function buildPicked(actions: Actions, data: Explanation): HTMLElement[] {
  if (!data.selected_by) return [];
  return [el("p", { class: "picked" }, "Row picked by token id ", operand(actions, data.selected_by))];
}

/** Whether what the terms give is what was recorded. */
export function buildCheck(data: Explanation): HTMLElement {
  const mark = words("i", data.agrees ? "✓" : "✕");
  mark.setAttribute("aria-hidden", "true");
  const verdict = data.agrees ? "recorded " : "does not agree with the recorded ";
  const difference = data.difference ? `, difference ${data.difference}` : ", no difference";
  return el(
    "p",
    { class: data.agrees ? "check" : "check bad" },
    mark,
    el("span", {}, verdict, words("b", data.recorded), difference),
  );
}

/** What reads this number. */
export function buildUses(actions: Actions, data: Explanation): HTMLElement[] {
  if (!data.used_by.length) return [];
  const list = data.used_by.map(({ text, cell, site }) => {
    if (!cell && !site) return el("li", { text: safe(text) });
    return el(
      "li",
      {},
      link(safe(text), () => (cell ? actions.follow(cell) : actions.open(site))),
    );
  });
  return [el("div", { class: "uses" }, words("h3", "Used by"), el("ul", {}, ...list))];
}

/** The page that shows the number, and the code that prints it. */
export function buildButtons(actions: Actions, data: Explanation): HTMLElement[] {
  const open = data.page ? [link(`Open ${data.page_title}`, () => actions.open(data.site), "plain")] : [];
  const buttons = [...open, ...(data.code ? [copyButton(data.code)] : [])];
  return buttons.length ? [el("div", { class: "buttons" }, ...buttons)] : [];
}

/** A button that copies code, and a field with it where the browser does not allow that. */
export function copyButton(code: string): HTMLElement {
  const said = el("span", { class: "said", role: "status" });
  const fallback = el("textarea", { readonly: "", rows: 6, "aria-label": "Python that prints this number" });
  fallback.value = code;
  fallback.hidden = true;
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(code);
      setText(said, "Copied.");
    } catch {
      fallback.hidden = false;
      fallback.select();
      setText(said, "Copy it from here.");
    }
  }
  return el(
    "div",
    { class: "copy" },
    link("Copy code", () => void copy(), "plain"),
    said,
    fallback,
  );
}
