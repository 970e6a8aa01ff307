// The legend of one scale: a bar, what its ends mean, and what lies beyond them.

import { el, words } from "../shared/elements";
import { mathWords } from "../shared/math";
import type { Plane } from "../shared/planes";
import type { PanelEntry } from "../shared/tensors";
import { oddities } from "./scales";
import type { Group } from "./scales";

export function legendOf(group: Group, panels: readonly PanelEntry[], planes: readonly Plane[]): HTMLElement {
  const {
      scale: { kind },
      members,
      end,
    } = group,
    isSigned = kind === "signed";
  const node = el("div", { class: `legend ${kind}`, "aria-hidden": "true" }, el("i"));
  if (kind === "mask") node.append(words("span", "yes"), el("i", { class: "hatched" }), words("span", "no"));
  else {
    const middle = isSigned ? "0" : kind === "weight" ? "weight" : "";
    node.append(
      words("span", isSigned && end !== "0" ? `−${end}` : "0"),
      words("span", middle),
      words("span", end),
    );
  }
  if (planes.length > members.length)
    node.append(mathWords("span", members.map((k) => symbolOf(panels[k])).join(", "), "about"));
  node.append(words("span", oddities(group, planes), "beyond"));
  return node;
}

/** Of a title such as Q queries the symbol is enough. */
function symbolOf({ title }: PanelEntry): string {
  return title.replace(/^([A-Za-zα-ω](?:_\w+|ᵀ)?) (?!−).*/, "$1");
}
