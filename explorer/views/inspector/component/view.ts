// The field and the tree under it: search, keys, and the report of a choice.

import { el, setText, words } from "../../../browser/shared/elements";
import { actOn, onSlash } from "../../../browser/shared/keys";
import { readJson } from "../../../browser/shared/message";
import { mounted } from "../../../browser/shared/mount";
import type { Component, View } from "../../../browser/shared/mount";
import { plural } from "../../../browser/shared/numbers";
import { Reports } from "../../../browser/shared/reports";
import { themeOf } from "../../../browser/shared/theme";
import { groupsAbove, makeTree, MOST_FOUND, rowsOf } from "./tree";
import type { Group, Row, Sites, Tree } from "./tree";
import css from "./view.css";
import { styled } from "../../../browser/shared/styles";

/** key: names the model and the recording. chosen: a tensor's name. report: the last one that this message knows of. */
interface Message extends Sites {
  key: string;
  chosen: string;
  report: number;
}

const KIND_WORDS = { id: "ids", learned: "learned", recorded: "" };
const NOTHING: Message = { key: "", chosen: "", report: 0, groups: [], entries: [] };

class SiteTree implements View {
  private readonly open = new Set<string>();
  private readonly input = el("input", {
    id: "site",
    type: "text",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-haspopup": "tree",
    "aria-controls": "sites",
    "aria-expanded": "false",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  private readonly list = el("div", { id: "sites", role: "tree", "aria-label": "Tensors" });
  private readonly count = words("p", "", "count");
  private readonly popup = el("div", { class: "popup", hidden: "" }, this.count, this.list);
  private readonly live = el("div", { class: "unseen", "aria-live": "polite" });
  private message = NOTHING;
  private tree: Tree = makeTree(NOTHING);
  private query = "";
  private rows: Row[] = [];
  private active = -1;
  private readonly reports = new Reports();
  private isShown = false;

  constructor(
    private readonly root: HTMLElement,
    signal: AbortSignal,
  ) {
    const hint = el("kbd", { text: "/", "aria-hidden": "true" });
    root.replaceChildren(
      el("label", { for: "site", text: "Tensor" }),
      el("div", { class: "field" }, this.input, hint, this.popup),
      this.live,
    );
    this.listen(signal);
  }

  private listen(signal: AbortSignal): void {
    const { input, popup, list } = this;
    input.addEventListener("keydown", (event) => this.onKey(event), { signal });
    input.addEventListener("input", () => this.show(input.value), { signal });
    input.addEventListener(
      "click",
      () => {
        if (!this.isShown) this.show();
      },
      { signal },
    );
    input.addEventListener(
      "focus",
      () => {
        if (!this.isShown) input.select();
      },
      { signal },
    );
    input.addEventListener(
      "blur",
      () => {
        if (this.isShown) this.hide();
      },
      { signal },
    );
    // The field keeps the focus, whatever is clicked in the tree.
    for (const press of ["pointerdown", "mousedown"])
      popup.addEventListener(press, (event) => event.preventDefault(), { signal });
    list.addEventListener(
      "click",
      (event) => {
        const node = (event.target as Element).closest("[role=treeitem]");
        if (node) this.take(this.rows[[...list.children].indexOf(node)]);
      },
      { signal },
    );
    onSlash(
      this.root,
      () => {
        input.focus();
        this.show();
      },
      signal,
    );
  }

  // ---- what is in sight --------------------------------------------------------------------------------------
  private draw(wanted?: string): void {
    const { query, tree } = this,
      { rows, found } = rowsOf(tree, this.open, query);
    this.rows = rows;
    this.active = rows.findIndex((row) => row.key === wanted);
    if (this.active < 0)
      this.active = query ? rows.findIndex((row) => !row.isGroup) : Math.min(0, rows.length - 1);
    this.list.replaceChildren(...rows.map((row, at) => this.rowNode(row, at)));
    const more = found > MOST_FOUND ? `, the first ${MOST_FOUND} shown` : "";
    setText(
      this.count,
      !query
        ? `${plural(tree.leaves.length, "tensor")}. Type to search, arrow keys to walk.`
        : found
          ? `${plural(found, "tensor")} found${more}.`
          : "Nothing has such a name.",
    );
    if (query) {
      setText(this.live, this.count.textContent ?? "");
      this.popup.scrollTop = 0;
    }
    this.mark();
  }

  private rowNode(row: Row, at: number): HTMLElement {
    const node = el("div", {
      role: "treeitem",
      id: `site-${at}`,
      class: row.isGroup ? "group" : "leaf",
      "aria-level": row.level,
      "aria-selected": "false",
    });
    node.style.paddingLeft = `${8 + 18 * (row.level - 1)}px`;
    if (row.isGroup) {
      node.setAttribute("aria-expanded", String(this.query !== "" || this.open.has(row.key)));
      node.append(el("i", { "aria-hidden": "true" }), words("span", row.title, "title"));
    } else {
      if (row.name === this.message.chosen) node.setAttribute("aria-current", "true");
      node.append(
        words("code", row.label),
        words("span", KIND_WORDS[row.kind], "kind"),
        words("span", row.shape, "shape"),
      );
    }
    return node;
  }

  private mark(): void {
    const { list, input, popup } = this;
    [...list.children].forEach((node, at) => node.setAttribute("aria-selected", String(at === this.active)));
    const node = this.activeNode();
    if (!node) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", node.id);
    const above = node.offsetTop - popup.scrollTop - 34,
      below = node.offsetTop + node.offsetHeight - popup.scrollTop - popup.clientHeight;
    if (above < 0) popup.scrollTop += above;
    else if (below > 0) popup.scrollTop += below + 6;
  }

  private activeNode(): HTMLElement | undefined {
    return this.list.children[this.active] as HTMLElement | undefined;
  }

  // ---- open and close ----------------------------------------------------------------------------------------
  private show(text = ""): void {
    const { input, popup, message } = this;
    this.query = text;
    if (!this.isShown) {
      this.open.clear();
      for (const key of groupsAbove(this.tree.byName.get(message.chosen))) this.open.add(key);
      this.isShown = true;
      if (!text) input.value = "";
    }
    popup.hidden = false;
    input.setAttribute("aria-expanded", "true");
    this.draw(text ? undefined : message.chosen);
    // The chosen tensor stands in the middle of the tree, so that its neighbours are seen, too.
    const node = this.activeNode();
    if (!text && node) popup.scrollTop = Math.max(0, node.offsetTop - popup.clientHeight / 2);
  }

  private hide(): void {
    const { input, popup } = this;
    this.isShown = false;
    this.query = "";
    popup.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    input.value = this.message.chosen;
  }

  private choose(site: string): void {
    const isOther = site !== this.message.chosen;
    this.message.chosen = site;
    this.hide();
    this.input.select();
    if (isOther) this.reports.tell("chosen", { site });
  }

  private toggle(group: Group): void {
    if (this.query) return;
    if (!this.open.delete(group.key)) this.open.add(group.key);
    this.draw(group.key);
  }

  private take(row: Row | undefined): void {
    if (row?.isGroup) this.toggle(row);
    else if (row) this.choose(row.name);
  }

  // ---- keys --------------------------------------------------------------------------------------------------
  private onKey(event: KeyboardEvent): void {
    const open = () => this.show();
    actOn(event, this.isShown ? this.treeKeys() : { ArrowDown: open, Enter: open });
  }

  private treeKeys(): Parameters<typeof actOn>[1] {
    const row = this.rows[this.active] as Row | undefined,
      isWalk = !this.query && this.input.value === "";
    const by = (step: number) => () => {
      this.active = Math.min(this.rows.length - 1, Math.max(0, this.active + step));
      this.mark();
    };
    const into = () => (row?.isGroup && !this.open.has(row.key) ? this.toggle(row) : by(1)());
    const out = () => {
      if (row?.isGroup && this.open.has(row.key)) this.toggle(row);
      else if (row?.parent?.key) this.draw(row.parent.key);
    };
    return {
      ArrowDown: by(1),
      ArrowUp: by(-1),
      PageDown: by(10),
      PageUp: by(-10),
      Enter: () => this.take(row),
      Escape: () => this.hide(),
      ArrowRight: isWalk && into,
      ArrowLeft: isWalk && out,
    };
  }

  update({ data, setStateValue }: Component): void {
    this.reports.through(setStateValue);
    this.root.dataset.look = themeOf(this.root);
    const next = readJson<Message>(data),
      before = this.message,
      isOther = next.key !== before.key;
    // A message that does not know of the last choice yet must not take it back.
    if (!isOther && next.report < this.reports.last) next.chosen = before.chosen;
    if (isOther || JSON.stringify(next.entries) !== JSON.stringify(before.entries))
      this.tree = makeTree(next);
    this.message = next;
    this.input.placeholder = `Search ${plural(this.tree.leaves.length, "tensor")}`;
    if (!this.isShown) this.input.value = next.chosen;
    else {
      const at = this.popup.scrollTop;
      this.draw((this.rows[this.active] as Row | undefined)?.key);
      this.popup.scrollTop = at;
    }
  }
}

export default styled(
  mounted(".site-tree", (root, signal) => new SiteTree(root, signal)),
  css,
);
