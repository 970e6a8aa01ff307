// The whole view: what is looked at, the keys, and the report to Python.

import { el, keepScroll, svg, words } from "../../../browser/shared/elements";
import { isShortcut } from "../../../browser/shared/keys";
import { readPayload } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { Reports } from "../../../browser/shared/reports";
import { onResize } from "../../../browser/shared/resize";
import { Segments } from "../../../browser/shared/segments";
import { clip } from "../../../browser/shared/text";
import { themeOf } from "../../../browser/shared/theme";
import type { Beam } from "./beam";
import { buildList, buildTable, Details } from "./details";
import { Picture } from "./picture";
import { pathTo, readTree } from "./tree";
import type { Header, Pruned, Tree, TreeNode } from "./tree";
import viewCss from "../../../browser/shared/view.css";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

const PHONE = 640; // pixels
const CHOICES: [name: Pruned, label: string][] = [
  ["none", "None"],
  ["best", "Best 2"],
  ["all", "All"],
];
const END = {
  settled: "it was over when nothing kept could still get into the list",
  "nothing kept": "it was over when nothing was left to extend",
  limit: "the length limit stopped it",
};
let pruned: Pruned = "best"; // as the visitor last chose it, in whatever tree

/** One tree as it is shown: its picture, its details, and what is looked at. */
class Search implements Beam {
  readonly state: Beam["state"];
  readonly picture: Picture;
  private readonly details: Details;
  private readonly choices = new Segments<Pruned>(
    "segments",
    "Pruned nodes",
    (choice) => this.setPruned(choice),
    CHOICES,
  );

  constructor(
    readonly tree: Tree,
    private readonly view: BeamView,
  ) {
    this.state = { cursor: tree.best, hover: null, pruned };
    this.picture = new Picture(this);
    this.details = new Details(this);
    const table = buildTable(this);
    view.root.replaceChildren(this.card(table), buildList(this));
  }

  get opened(): Set<string> {
    return this.view.opened;
  }
  get size(): Beam["size"] {
    return { isPhone: this.view.isPhone, width: this.picture.node.clientWidth };
  }
  looked(): TreeNode {
    return this.state.hover ?? this.state.cursor;
  }

  // ---- what the visitor can do -------------------------------------------------------------------------------
  hover(node: TreeNode | null): void {
    const next = node && this.picture.isShown(node) ? node : null;
    if (next === this.state.hover) return;
    this.state.hover = next;
    this.light();
  }

  move(node: TreeNode): void {
    if (node === this.state.cursor && !this.state.hover) return;
    Object.assign(this.state, { cursor: node, hover: null });
    this.light();
  }

  open(node: TreeNode): void {
    this.view.open(this.tree, node);
  }

  private setPruned(choice: Pruned): void {
    const { state, picture, tree } = this;
    state.pruned = pruned = choice;
    state.hover = null;
    picture.layout();
    // What the picture no longer shows cannot be looked at: its nearest ancestor that it shows can.
    state.cursor = pathTo(tree, state.cursor).findLast((at) => picture.isShown(at)) ?? tree.best;
    this.light();
    this.choices.show(choice);
  }

  private light(): void {
    this.picture.light();
    this.details.light();
  }

  layout(): void {
    this.picture.layout();
    this.details.layout();
  }

  widestToken(nodes: TreeNode[]): number {
    const context = document.createElement("canvas").getContext("2d")!;
    context.font = `650 14px ${getComputedStyle(this.view.root).fontFamily}`;
    return Math.max(...nodes.map((node) => context.measureText(clip(node.token, 40)).width));
  }

  // ---- keys --------------------------------------------------------------------------------------------------
  onKey(event: KeyboardEvent): void {
    if (isShortcut(event) || !(event.target as Element).closest(".node")) return;
    const next = this.neighbour(event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    this.move(next);
    this.picture.focus(next);
  }

  /** The node that a key leads to, null where there is none, undefined for other keys. */
  private neighbour(key: string): TreeNode | null | undefined {
    const {
      tree,
      picture,
      state: { cursor: at },
    } = this;
    const beside = (by: number) => {
      const column = picture.column(at.step);
      return (column[column.indexOf(at) + by] as TreeNode | undefined) ?? null;
    };
    const ways: Record<string, (() => TreeNode | null) | undefined> = {
      ArrowLeft: () => (at.parent === null ? null : tree.nodes[at.parent]),
      ArrowRight: () => {
        const children = at.children.filter((node) => picture.isShown(node));
        return children.find((node) => node.best) ?? children.at(0) ?? null;
      },
      ArrowUp: () => beside(-1),
      ArrowDown: () => beside(1),
      Home: () => pathTo(tree, at)[0],
      End: () => tree.best,
    };
    return ways[key]?.();
  }

  // ---- the card ----------------------------------------------------------------------------------------------
  private card(table: { node: HTMLElement; button: HTMLElement }): HTMLElement {
    const { tree, picture } = this;
    const kept = tree.width === 1 ? "the best hypothesis is" : `the best ${tree.width} hypotheses are`;
    return el(
      "section",
      { class: "card", "aria-label": "Beam search tree" },
      picture.node,
      picture.wide,
      el(
        "header",
        {},
        el("div", {}, words("h2", "Search tree"), words("p", `${kept} kept at each step; ${END[tree.end]}`)),
        this.picker(),
      ),
      legend(),
      this.details.node,
      el("p", { class: "foot" }, keyHints(), table.button),
      table.node,
    );
  }

  private picker(): HTMLElement {
    this.choices.show(this.state.pruned);
    return el("div", { class: "picker" }, words("span", "Pruned"), this.choices.node);
  }
}

class BeamView implements View {
  readonly opened = new Set<string>();
  isPhone = false;
  private search: Search | null = null;
  private readonly reports = new Reports();

  constructor(
    readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    root.addEventListener("keydown", (event) => this.search?.onKey(event), { signal });
    onResize(root, () => this.layout(), signal);
  }

  open({ key }: Tree, { index }: TreeNode): void {
    this.reports.tell("opened", { trace: key, node: index });
  }

  private layout(): void {
    if (!this.search || !this.root.clientWidth) return;
    this.root.dataset.look = themeOf(this.root);
    this.isPhone = window.innerWidth < PHONE;
    this.root.dataset.size = this.isPhone ? "phone" : "wide";
    this.search.layout();
  }

  update({ data, setStateValue }: Component): void {
    this.reports.through(setStateValue);
    const payload = readPayload<Header>(data);
    if (this.search?.tree.key === payload.header.key) {
      if (this.root.dataset.look !== themeOf(this.root)) this.layout();
      return;
    }
    const scrollBack = keepScroll(this.root);
    this.search = new Search(readTree(payload), this);
    this.layout();
    scrollBack();
  }
}

function legend(): HTMLElement {
  const sample = (name: string, text: string) =>
    el(
      "span",
      { class: "sample" },
      svg(
        "svg",
        { width: 30, height: 10, "aria-hidden": "true" },
        svg("path", { class: name, d: "M1 5H29" }),
      ),
      words("span", text),
    );
  const chip = el(
    "span",
    { class: "node key", "aria-hidden": "true" },
    words("span", "token", "token"),
    words("em", "P"),
    words("small", "log P"),
    words("small", "score"),
  );
  return el(
    "div",
    { class: "legend" },
    chip,
    sample("best", "best output"),
    sample("greedy", "greedy’s path"),
    sample("kept", "kept"),
    sample("pruned", "pruned"),
    words("span", "rounded: ended"),
  );
}

function keyHints(): HTMLElement {
  return el(
    "span",
    { class: "keys", "aria-hidden": "true" },
    ...["←", "→", "↑", "↓"].map((key) => words("kbd", key)),
    words("span", "move"),
    words("kbd", "Enter"),
    words("span", "open"),
  );
}

export default styled(
  mounted(".beam-view", (root, signal) => new BeamView(root, signal)),
  viewCss,
  css,
);
