// The way between the whole picture and one of its blocks.
//
// The two are different components, of which one leaves the page when the other comes. Meanwhile a copy of what was seen
// lies over their place, grey but for the block, so that no frame is blank. So it is between all other pages, too.

import { whenDrawn } from "../screen/below";
import { el, words } from "./elements";

/** A rectangle, in pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
type BoxOf = (block: string) => Box | null;
/** What was seen last of the whole picture, and where its blocks stand in it. */
interface Whole {
  copy: () => HTMLElement;
  boxOf: BoxOf;
  seen: Box;
  window: string; // its size
  block: string; // the block that was opened
  isByKey: boolean;
}

const AWAY_MS = { in: 220, out: 160 },
  COMING_MS = 200,
  TURNING_MS = 120,
  WAIT_MS = 220, // before the wait is spoken of
  USUAL_MS = 1500, // usual time until a page is open
  ENDED_MS = 400, // after Streamlit has drawn a page, which may have no picture
  MOST = 1.5,
  ROOM = 0.9,
  LARGE = 0.25, // share of the window that a picture takes
  EASE = "cubic-bezier(.45,.05,.35,1)",
  GREY = "saturate(0) opacity(.5)",
  PLAIN = "saturate(1) opacity(1)",
  FRAME = 2.5,
  GROUND = "var(--st-background-color, Canvas)",
  HEADING = ".st-key-page h1";

let curtain: Curtain | null = null,
  whole: Whole | null = null;

/** A copy of the picture that is left, over its place. */
class Curtain {
  private readonly node: HTMLElement;
  private readonly waits: ReturnType<typeof setTimeout> | undefined;
  readonly since = performance.now();
  private isLifted = false;

  /** scene: what is seen. opening: what to say if it takes long. come: moves on once another picture is there. */
  constructor(
    scene: HTMLElement,
    { left, top, width, height }: Box,
    opening: string,
    readonly come: (picture: HTMLElement) => void,
  ) {
    curtain?.lift(0);
    this.node = el("div", { class: "explorer-curtain" }, scene);
    this.node.style.cssText =
      `position: fixed; z-index: 5; left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px;` +
      `overflow: hidden; pointer-events: none; background: ${GROUND};`;
    document.body.append(this.node);
    const below = Math.max(0, top + height - innerHeight);
    if (opening) this.waits = setTimeout(() => this.say(opening, below), WAIT_MS);
    whenDrawn(() => setTimeout(() => this.lift(TURNING_MS), ENDED_MS));
  }

  /** below: pixels of it that lie below the window. */
  private say(opening: string, below: number): void {
    const said = words("p", opening);
    said.setAttribute("role", "status");
    said.style.cssText =
      `position: absolute; left: 0; bottom: ${below}px; margin: 0; padding: 2px 8px 2px 0;` +
      `font: 14px/20px inherit; background: ${GROUND};`;
    this.node.append(said);
  }

  /** Take it away, at once or little by little. */
  lift(duration: number): void {
    if (this.isLifted) return;
    this.isLifted = true;
    clearTimeout(this.waits);
    if (curtain === this) curtain = null;
    if (!duration || isStill()) return this.node.remove();
    const away = this.node.animate([{ opacity: 1 }, { opacity: 0 }], { duration, fill: "forwards" });
    away.onfinish = away.oncancel = () => this.node.remove();
    return undefined;
  }

  /** Show it little by little. */
  fadeIn(duration: number): void {
    if (!isStill()) this.node.animate([{ opacity: 0 }, { opacity: 1 }], { duration });
  }
}

/** Leave the whole picture for a block of it, which is enlarged. */
export function goInto(picture: HTMLElement, block: string, title: string, boxOf: BoxOf): void {
  const box = boxOf(block),
    seen = picture.getBoundingClientRect();
  if (!box) return;
  const copy = copier(picture),
    [grey, lit] = [copy(), copy()],
    frame = el("div"),
    scene = el("div", {}, grey, lit, frame),
    near = nearness(box, seen),
    { left, top, width, height } = box;
  whole = {
    copy,
    boxOf,
    seen,
    window: sizeOfWindow(),
    block,
    isByKey: focused()?.matches(":focus-visible") ?? false,
  };
  grey.style.filter = GREY;
  lit.style.clipPath = `inset(${top}px ${seen.width - left - width}px ${seen.height - top - height}px ${left}px round 8px)`;
  frame.style.cssText =
    `position: absolute; left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px;` +
    `border: ${FRAME / near.scale}px solid currentColor; border-radius: 8px; box-sizing: border-box;`;
  Object.assign(scene.style, { position: "absolute", inset: "0", transformOrigin: near.origin });
  const { isByKey } = whole;
  const into = (curtain = new Curtain(scene, seen, `Opening ${title}`, (block) => {
    into.lift(COMING_MS);
    if (isByKey) focusOn(document.querySelector(HEADING));
    if (!isStill())
      block.animate([{ transform: "scale(.97)" }, { transform: "none" }], {
        duration: COMING_MS,
        easing: EASE,
      });
  }));
  if (isStill()) return;
  const timing: KeyframeAnimationOptions = { duration: AWAY_MS.in, easing: EASE, fill: "forwards" };
  grey.animate([{ filter: PLAIN }, { filter: GREY }], timing);
  scene.animate([{ transform: "none" }, { transform: `scale(${near.scale})` }], timing);
  showWait(frame);
}

/** A bar under a frame, which grows while it is waited for. */
function showWait(frame: HTMLElement): void {
  const bar = el("div");
  bar.style.cssText = `position: absolute; left: 0; top: calc(100% + 4px); height: ${FRAME}px; width: 100%; background: currentColor; transform-origin: 0 0;`;
  frame.append(bar);
  bar.animate([{ transform: "scaleX(0)" }, { transform: "none" }], {
    duration: USUAL_MS,
    delay: WAIT_MS,
    fill: "both",
    easing: "ease-out",
  });
}

/** Leave a block's picture for the whole one, which regains its colours when it is there. */
export function goOut(picture: HTMLElement, block: string): void {
  const known = whole?.window === sizeOfWindow() ? whole : null,
    scene = known ? known.copy() : copier(picture)(),
    box = known?.boxOf(block),
    near = box && nearness(box, known!.seen);
  scene.style.filter = GREY;
  if (near && !isStill())
    Object.assign(scene.style, { transformOrigin: near.origin, transform: `scale(${near.scale})` });
  const back = whole?.isByKey ? whole.block : null;
  const out = (curtain = new Curtain(
    scene,
    known?.seen ?? picture.getBoundingClientRect(),
    "Opening the whole picture",
    (root) => {
      focusOn(root.querySelector((back && `[data-block="${CSS.escape(back)}"]`) ?? "canvas"));
      out.lift(COMING_MS);
      if (known && !isStill())
        scene.animate([{}, { filter: PLAIN, transform: "none" }], {
          duration: COMING_MS,
          easing: EASE,
          fill: "forwards",
        });
    },
  ));
  out.fadeIn(AWAY_MS.out);
}

/** Keep the picture of a page that is left. */
export function holdPicture(): void {
  if (curtain) return;
  const pictures = [...document.querySelectorAll(".st-key-page *")]
    .flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll<HTMLElement>("[data-look]") ?? [])])
    .filter(isLarge);
  if (!pictures.length) return;
  const scene = copier(pictures[0])();
  scene.style.filter = GREY;
  const held = (curtain = new Curtain(scene, pictures[0].getBoundingClientRect(), "", () =>
    held.lift(TURNING_MS),
  ));
}

/** A view has been drawn, which is on the page since a time. */
export function arrive(root: HTMLElement, since: number): void {
  const before = curtain;
  if (before && since > before.since) afterFrame(() => isLarge(root) && before.come(root));
}

function isLarge({ offsetWidth, offsetHeight }: HTMLElement): boolean {
  return offsetWidth * offsetHeight > LARGE * innerWidth * innerHeight;
}

function focused(): Element | null {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}

/** Give an element the focus, unless somebody has it elsewhere. */
function focusOn(node: HTMLElement | null): void {
  if (!node || (document.activeElement && document.activeElement !== document.body)) return;
  if (node.tabIndex < 0) node.tabIndex = -1;
  node.focus({ preventScroll: true });
}

function isStill(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Call once what has been drawn by now is on the screen. */
function afterFrame(call: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(call));
}

function sizeOfWindow(): string {
  return `${innerWidth} × ${innerHeight}`;
}

/** How much a picture is enlarged about a box, which stays in sight, and the point that stays where it is. */
function nearness(box: Box, seen: Box): { scale: number; origin: string } {
  const scale = Math.max(
    1,
    Math.min(MOST, (ROOM * seen.width) / box.width, (ROOM * seen.height) / box.height),
  );
  const still = (start: number, size: number, room: number): number => {
    if (scale === 1) return 0;
    const least = (scale * (start + size) - room) / (scale - 1),
      most = (scale * start) / (scale - 1);
    return Math.max(least, Math.min(most, start + size / 2));
  };
  return {
    scale,
    origin: `${still(box.left, box.width, seen.width)}px ${still(box.top, box.height, seen.height)}px`,
  };
}

/** Return what makes copies of a picture as it is now, each in a tree with the same styles. */
function copier(picture: HTMLElement): Whole["copy"] {
  const root = picture.closest<HTMLElement>("[data-look]")!,
    isRoot = root === picture,
    tree = root.getRootNode() as ShadowRoot | Document,
    { width, height } = picture.getBoundingClientRect(),
    variables = ["--st-background-color", "--st-font"].map(
      (name) => [name, getComputedStyle(root).getPropertyValue(name)] as const,
    ),
    canvases = [...picture.querySelectorAll("canvas")].map((canvas) =>
      draw(canvas, document.createElement("canvas")),
    );
  const model = picture.cloneNode(true) as HTMLElement,
    around = root.cloneNode(false) as HTMLElement;
  return () => {
    const host = el("div", { "aria-hidden": "true", inert: "" }),
      stage = model.cloneNode(true) as HTMLElement,
      outer = around.cloneNode(false) as HTMLElement;
    stage.querySelectorAll("canvas").forEach((canvas, i) => draw(canvases[i], canvas));
    Object.assign(stage.style, { width: `${width}px`, height: `${height}px`, margin: "0", flex: "none" });
    Object.assign(outer.style, { minHeight: "0", height: "auto", padding: "0" });
    host.style.cssText = "position: absolute; inset: 0;";
    for (const [name, value] of variables) host.style.setProperty(name, value);
    if (!isRoot) outer.append(stage);
    const shadow = host.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [...tree.adoptedStyleSheets];
    shadow.append(isRoot ? stage : outer);
    return host;
  };
}

/** Draw what is on a canvas on another one, which takes its size; return that. */
function draw(from: HTMLCanvasElement, to: HTMLCanvasElement): HTMLCanvasElement {
  [to.width, to.height] = [from.width, from.height];
  if (from.width && from.height) to.getContext("2d")!.drawImage(from, 0, 0);
  return to;
}
