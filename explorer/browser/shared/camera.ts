// The way between the whole picture and one of its blocks: a block grows from its place, and goes back to it.
//
// The two are different components, of which one leaves the page when the other comes; what is on its way is the page's.

export type Direction = "in" | "out";
/** A rectangle in the window. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
interface Flight {
  direction: Direction;
  block: string;
  box: Box;
  began: number;
}

const LENGTH: Record<Direction, number> = { in: 420, out: 360 },
  LATE = 2500,
  EASE = "cubic-bezier(.45,.05,.35,1)";

declare global {
  var explorerFlight: Flight | undefined;
}

function isStill(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Something begins to grow from a box, or to shrink: the picture that it leaves goes at once. */
export function leave(direction: Direction, block: string, box: Box, picture: HTMLElement): void {
  globalThis.explorerFlight = { direction, block, box, began: performance.now() };
  if (isStill()) return;
  const { left, top, width, height } = picture.getBoundingClientRect(),
    share = 0.14;
  // Going in, the whole squeezes upwards to where the rail will be; going out, the block's picture fades where it is.
  picture.style.transformOrigin = `${((box.left + box.width / 2 - left) / width) * 100}% ${direction === "in" ? 0 : ((box.top + box.height / 2 - top) / height) * 100}%`;
  const gone =
    direction === "in" ? { transform: `scaleY(${share})`, opacity: 0 } : { transform: "none", opacity: 0.35 };
  picture.animate([{ transform: "none", opacity: 1 }, gone], {
    duration: LENGTH[direction] / 2,
    easing: EASE,
    fill: "forwards",
  });
  frame(picture, box, direction === "in" ? picture.getBoundingClientRect() : box, LENGTH[direction]);
}

/** Where somebody comes from, if they are on their way into this or out to it; null otherwise. It is asked once. */
export function arrival(direction: Direction): Flight | null {
  const flight = globalThis.explorerFlight;
  if (flight?.direction !== direction) return null;
  globalThis.explorerFlight = undefined;
  return performance.now() - flight.began < LATE && !isStill() ? flight : null;
}

/** The block's picture grows from the box where its block stood. */
export function growFrom({ box, began }: Flight, picture: HTMLElement, later: HTMLElement[]): void {
  const { left, top, right, bottom } = picture.getBoundingClientRect(),
    passed = performance.now() - began;
  const edges = [
    box.top - top,
    right - box.left - box.width,
    bottom - box.top - box.height,
    box.left - left,
  ].map((edge) => `${Math.max(0, edge)}px`);
  const timing = { duration: LENGTH.in, delay: -Math.min(LENGTH.in * 0.45, passed), easing: EASE };
  picture.animate(
    [
      { clipPath: `inset(${edges.join(" ")} round 8px)`, opacity: 0.2 },
      { clipPath: "inset(0 round 8px)", opacity: 1 },
    ],
    timing,
  );
  for (const node of later)
    node.animate([{ opacity: 0 }, { opacity: 0, offset: 0.5 }, { opacity: 1 }], timing);
}

/** The whole picture opens from the rail, and the block goes back to its place in it. */
export function openAround(place: Box, picture: HTMLElement): void {
  picture.style.transformOrigin = "50% 0";
  picture.animate(
    [
      { transform: "scaleY(.14)", opacity: 0 },
      { transform: "none", opacity: 1 },
    ],
    { duration: LENGTH.out, easing: EASE },
  );
  frame(picture, picture.getBoundingClientRect(), place, LENGTH.out);
}

/** A frame that goes from one box to another over a picture. */
function frame(picture: HTMLElement, from: Box, to: Box, duration: number): void {
  const node = document.createElement("div"),
    { left, top } = picture.parentElement!.getBoundingClientRect();
  const at = (box: Box) => ({
    transform: `translate(${box.left - left}px,${box.top - top}px)`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  });
  node.style.cssText =
    "position:absolute;inset:0 auto auto 0;border:2px solid currentColor;border-radius:8px;pointer-events:none;z-index:3";
  node.setAttribute("aria-hidden", "true");
  picture.parentElement!.append(node);
  void node
    .animate([at(from), { ...at(to), opacity: 1, offset: 0.9 }, { ...at(to), opacity: 0 }], {
      duration,
      easing: EASE,
      fill: "forwards",
    })
    .finished.then(
      () => node.remove(),
      () => node.remove(),
    );
}
