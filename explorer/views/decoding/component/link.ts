// The button that copies the address, which holds the whole view.

import { button, el, setText } from "../../../browser/shared/elements";
import type { Decoding } from "./decoding";

/** The button, and what is said when it was pressed. */
export function buildCopyLink(view: Decoding): { button: HTMLElement; said: HTMLElement } {
  const said = el("span", { class: "said", role: "status" });
  let clock = 0;
  async function copy(): Promise<void> {
    await view.settle();
    const isDone = await isCopied(location.href);
    setText(
      said,
      isDone
        ? "Link copied"
        : "The browser does not let pages copy here; take the link from the address bar.",
    );
    clearTimeout(clock);
    clock = window.setTimeout(() => setText(said, ""), isDone ? 2500 : 8000);
  }
  return { button: button({ class: "link copy", text: "Copy link" }, () => void copy()), said };
}

/** A page may have no clipboard, or not the right to write to it. */
async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
