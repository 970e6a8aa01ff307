// The picture: a column for each step, a button for each node, and curves from parents to children.

import { el, svg, words } from "../../../browser/shared/elements";
import { focusBeside } from "../../../browser/shared/focus";
import { fixed, formatProbability, ordinal } from "../../../browser/shared/numbers";
import type { Beam } from "./beam";
import { fateOf, pathTo, placeNodes } from "./tree";
import type { Place, Places, Tree, TreeNode } from "./tree";

const SIZES = { wide: { height: 42, row: 54, root: 34 }, phone: { height: 46, row: 58, root: 30 } };
const LEAST_WIDTH = 94,
  MOST_WIDTH = 156,
  TIGHT_WIDTH = 104,
  LEAST_GAP = 26,
  MOST_GAP = 54,
  TOP = 34,
  GROUP_GAP = 14;

/** Where the columns and rows of the picture are, in pixels. */
interface Grid {
  /** Of a node. */
  width: number;
  height: number;
  root: number;
  /** The left end of a step's column. */
  x(step: number): number;
  /** The middle of a row. */
  y(place: Place): number;
}

export class Picture {
  readonly node: HTMLElement;
  readonly plane: HTMLElement;
  readonly wide = words("p", "Wider than the card: scroll to see all steps.", "wide");
  // Made when first shown: most nodes are pruned ones that nobody asks for.
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly curves: SVGPathElement[] = [];
  private readonly greedyCurves: Map<number, SVGPathElement>;
  private readonly heads: HTMLElement[];
  private readonly root = el("span", { class: "root", text: "<s>", title: "every hypothesis begins here" });
  private readonly lines = svg("svg", { "aria-hidden": "true" });
  private places: Places = new Map();
  private lit: TreeNode[] = [];

  constructor(private readonly beam: Beam) {
    const { tree } = beam;
    this.greedyCurves = new Map(tree.greedy.map((i) => [i, svg("path", { class: "greedy" })]));
    this.heads = Array.from({ length: tree.steps }, (_, t) =>
      el("span", { class: "step-name", text: `step ${t}` }),
    );
    this.plane = el(
      "div",
      {
        class: "plane",
        role: "group",
        "aria-label": "Beam search tree: arrow keys move between tokens, Enter opens one in Step by step",
      },
      this.lines,
      this.root,
    );
    this.node = el("div", { class: "scroller" }, this.plane);
    this.listen();
  }

  private listen(): void {
    const { plane, beam } = this;
    let before: TreeNode | null = null;
    plane.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") beam.hover(this.nodeOf(event));
    });
    plane.addEventListener("pointerleave", () => beam.hover(null));
    plane.addEventListener("focusin", (event) => {
      const at = this.nodeOf(event);
      if (at) beam.move(at);
    });
    plane.addEventListener(
      "pointerdown",
      () => {
        before = beam.state.cursor;
      },
      { capture: true },
    );
    plane.addEventListener("click", (event) => {
      const at = this.nodeOf(event);
      if (!at) return;
      // A finger cannot hover: its first tap looks, the second opens.
      if (event.pointerType === "touch" && before !== at) beam.move(at);
      else beam.open(at);
    });
  }

  private nodeOf(event: Event): TreeNode | null {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button.node") : null;
    return button ? this.beam.tree.nodes[Number(button.dataset.index)] : null;
  }
  private buttonOf(at: TreeNode): HTMLButtonElement {
    return (this.buttons[at.index] ??= buildNode(at, this.beam.tree));
  }
  private curveOf(at: TreeNode): SVGPathElement {
    return (this.curves[at.index] ??= svg("path"));
  }

  isShown(at: TreeNode): boolean {
    return this.places.has(at);
  }

  /** The nodes of a step that are shown, from above. */
  column(step: number): TreeNode[] {
    const rowOf = (node: TreeNode) => this.places.get(node)?.row ?? 0;
    return [...this.places.keys()].filter((node) => node.step === step).sort((a, b) => rowOf(a) - rowOf(b));
  }

  // ---- where things are --------------------------------------------------------------------------------------
  /** Draws the nodes that are shown; the others leave the page. */
  layout(): void {
    const {
        beam: { tree, state },
        plane,
      } = this,
      { places, rows, gaps } = placeNodes(tree, state.pruned);
    this.places = places;
    const grid = this.grid([...places.keys()]),
      rowHeight = grid.y({ row: 1, gap: 0 }) - grid.y({ row: 0, gap: 0 });
    plane.style.width = `${grid.x(tree.steps - 1) + grid.width + 4}px`;
    plane.style.height = `${TOP + rows * rowHeight + gaps * GROUP_GAP}px`;
    plane.style.setProperty("--height", `${grid.height}px`);
    plane.style.setProperty("--width", `${grid.width}px`);
    this.root.style.cssText = `top:${grid.y({ row: 0, gap: 0 }) - 13}px;width:${grid.root}px`;
    this.heads.forEach((head, t) => {
      head.style.left = `${grid.x(t)}px`;
    });
    for (const [at, place] of places) this.put(at, place, grid);
    this.fill(tree.nodes.filter((at) => places.has(at)));
    this.light();
    this.wide.hidden = plane.offsetWidth <= this.node.clientWidth;
  }

  private grid(shown: TreeNode[]): Grid {
    const {
        size,
        tree: { steps },
      } = this.beam,
      { height, row: rowHeight, root } = SIZES[size.isPhone ? "phone" : "wide"];
    const wanted = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, this.beam.widestToken(shown) + 62));
    // A long token gives way before the picture has to scroll; its node's line below says it whole.
    const fitting = (size.width - root - 4) / steps - LEAST_GAP;
    const width = fitting >= TIGHT_WIDTH ? Math.min(wanted, Math.floor(fitting)) : wanted;
    const free = size.width - root - steps * width - 4,
      gap = Math.min(MOST_GAP, Math.max(LEAST_GAP, free / steps));
    return {
      width,
      height,
      root,
      x: (step) => root + (step + 1) * gap + step * width,
      y: ({ row, gap: nGaps }) => TOP + row * rowHeight + nGaps * GROUP_GAP + height / 2,
    };
  }

  private put(at: TreeNode, place: Place, grid: Grid): void {
    const left = grid.x(at.step),
      middle = grid.y(place),
      parent = at.parent === null ? null : this.beam.tree.nodes[at.parent];
    const from = parent ? grid.x(parent.step) + grid.width : grid.root;
    const height = grid.y((parent && this.places.get(parent)) ?? { row: 0, gap: 0 });
    this.buttonOf(at).style.transform = `translate(${left}px, ${middle - grid.height / 2}px)`;
    this.curveOf(at).setAttribute("d", curve(from, height, left, middle));
    // Beside the curve that all nodes have, so that both are seen where they run together.
    this.greedyCurves.get(at.index)?.setAttribute("d", curve(from, height + 6, left, middle + 6));
  }

  private fill(shown: TreeNode[]): void {
    const { plane } = this;
    this.lines.replaceChildren(
      ...drawingOrder(shown).flatMap((at) =>
        [this.curveOf(at), this.greedyCurves.get(at.index) ?? []].flat(),
      ),
    );
    // What is put in its place once more loses the focus.
    const held = focusBeside(plane);
    plane.replaceChildren(this.lines, this.root, ...this.heads, ...shown.map((at) => this.buttonOf(at)));
    if (held instanceof HTMLElement && plane.contains(held)) held.focus({ preventScroll: true });
    for (const at of shown) this.curveOf(at).setAttribute("class", `${at.fate}${at.best ? " best" : ""}`);
  }

  // ---- what is looked at -------------------------------------------------------------------------------------
  /** Lights the path of the node that is looked at. */
  light(): void {
    const { beam } = this,
      mark = (isLit: boolean) => {
        for (const at of this.lit)
          for (const part of [this.buttonOf(at), this.curveOf(at)]) part.classList.toggle("lit", isLit);
      };
    mark(false);
    this.lit = pathTo(beam.tree, beam.looked());
    mark(true);
    this.plane.classList.toggle("asking", beam.state.hover !== null);
    for (const at of this.places.keys()) this.buttonOf(at).tabIndex = at === beam.state.cursor ? 0 : -1;
  }

  focus(at: TreeNode): void {
    this.buttonOf(at).focus({ preventScroll: true });
    this.buttonOf(at).scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

function buildNode(node: TreeNode, tree: Tree): HTMLButtonElement {
  const button = el("button", {
    type: "button",
    class: `node ${node.fate}${node.best ? " best" : ""}${node.greedy ? " greedy" : ""}`,
    "data-index": node.index,
    "aria-label": nodeName(node, tree),
  });
  button.append(
    words("span", node.token, "token"),
    words("em", formatProbability(Math.exp(node.tokenLogProb))),
    words("small", fixed(node.logProb, 2)),
    words("small", fixed(node.score, 3)),
  );
  const tags: string[] = [];
  if (node.place >= 0) tags.push(node.place === 0 ? "best" : ordinal(node.place + 1));
  if (node === tree.last) tags.push("greedy");
  if (tags.length) button.append(words("i", tags.join(" · "), "tag"));
  return button;
}

function nodeName(node: TreeNode, tree: Tree): string {
  const marks = [node.best && "on the best path", node.greedy && "on greedy’s path"].filter(Boolean);
  const p = formatProbability(Math.exp(node.tokenLogProb));
  const numbers = `probability ${p}, log P ${fixed(node.logProb, 2)}, score ${fixed(node.score, 3)}`;
  return [node.token, `step ${node.step}`, numbers, fateOf(node, tree), ...marks].join(", ");
}

/** What matters most is drawn last, over the rest. */
function drawingOrder(nodes: TreeNode[]): TreeNode[] {
  const weight = (node: TreeNode) => (node.best ? 2 : node.fate === "pruned" ? 0 : 1);
  return [...nodes].sort((a, b) => weight(a) - weight(b));
}

function curve(x1: number, y1: number, x2: number, y2: number): string {
  const bend = Math.max(10, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
