// The mark of each arm: it stands before its name, on its curves and in the verdict. Shape and dash tell arms apart, never colour.

import { svg } from "../../../browser/shared/elements";

export type Shape = "disc" | "square" | "triangle" | "diamond";
/** How an arm's curve is dashed, and the sign that stands at its value. */
export const DASHES: Record<Shape, string> = {
  disc: "",
  square: "6 4",
  triangle: "2 3",
  diamond: "10 3 2 3",
};
export const SIGNS: Record<Shape, string> = { disc: "●", square: "□", triangle: "△", diamond: "◇" };

const PATHS: Record<Exclude<Shape, "disc">, string> = {
  square: "M3 3H13V13H3Z",
  triangle: "M8 2.5L14 13.5H2Z",
  diamond: "M8 1.5L14.5 8L8 14.5L1.5 8Z",
};

/** The control's disc is filled, the others are open. */
export function markNode(shape: Shape): SVGSVGElement {
  const drawn =
    shape === "disc"
      ? svg("circle", { cx: 8, cy: 8, r: 5.5, class: "filled" })
      : svg("path", { d: PATHS[shape], class: "open" });
  return svg(
    "svg",
    { class: "arm-mark", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    drawn,
  );
}
