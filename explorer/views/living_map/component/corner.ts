// The free corner beside the encoder: the next token while the step rests, the lens while it runs, a block that is asked about.

import { button, el, setText, words } from "../../../browser/shared/elements";
import { fixed, formatCount, formatProbability } from "../../../browser/shared/numbers";
import { penOn } from "../../../browser/shared/pen";
import type { Pen } from "../../../browser/shared/pen";
import { lensContent, skyline } from "./lens";
import type { Block } from "./run";
import { isAtRest } from "./saying";
import type { Scene } from "./scene";
import { ENCODER, within } from "./timeline";

const ROWS = 6,
  ROW = 25,
  SKYLINE = 74,
  LOW_SKYLINE = 44,
  AROUND = 62;
const INSPECTS = { class: "inspect", title: "All its numbers, in the Tensor inspector" };

/** What can be done in the corner. */
export interface CornerActs {
  force(token: number): void;
  explain(token: number): void;
  open(block: string): void;
  inspect(block: string, name: string): void;
  close(): void;
}

export class Corner {
  readonly node = el("section", { class: "corner" });
  private readonly heading = el("h2");
  private readonly beside = el("span");
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private readonly list = el("div", { class: "candidates" });
  private readonly card = el("div", { class: "card" });
  private shown = "";

  constructor(private readonly acts: CornerActs) {
    this.node.append(el("header", {}, this.heading, this.beside), this.canvas, this.list, this.card);
  }

  /** Show what belongs to the scene; a block that is asked about comes before all else. */
  draw(scene: Scene, block: Block | null): void {
    const { at, step } = scene,
      isRunning = !isAtRest(scene) && (at.step === ENCODER || at.ms < step.output[0]);
    const isEncoder = at.step === ENCODER;
    const kind = block
      ? `block/${block.id}`
      : isRunning || isEncoder
        ? "lens"
        : `next/${scene.run.header.key}/${at.step}`;
    if (kind !== this.shown) this.rebuild(scene, block, kind);
    if (kind === "lens") this.lens(scene);
    else if (!block) this.next(scene);
  }

  private rebuild(scene: Scene, block: Block | null, kind: string): void {
    this.shown = kind;
    this.node.dataset.kind = kind.split("/")[0];
    this.list.replaceChildren(...(kind.startsWith("next") ? this.candidates(scene) : []));
    this.card.replaceChildren(...(block ? this.about(block) : []));
    this.canvas.hidden = Boolean(block);
    if (!block && kind !== "lens") this.title("Next token", besideNext(scene.run));
    if (block) this.title(block.title, block.note);
  }

  private title(title: string, beside: string): void {
    setText(this.heading, title);
    setText(this.beside, beside);
  }

  private lens(scene: Scene): void {
    const { title, beside, draw } = lensContent(scene),
      room = Math.max(60, this.room() - 30);
    this.title(title, beside);
    draw(this.prepared(scene, room), this.node.clientWidth, room);
  }

  private room(): number {
    return this.node.clientHeight || 300;
  }
  private get tall(): number {
    return this.room() < 260 ? LOW_SKYLINE : SKYLINE;
  }

  private next(scene: Scene): void {
    const { at, step } = scene,
      risen = within(at.ms, step.output);
    skyline(scene, this.prepared(scene, this.tall), this.node.clientWidth, this.tall, risen / 0.6);
    this.list.style.opacity = String(within(risen, [0.6, 1]));
  }

  private prepared({ pen: { look } }: Scene, height: number): Pen {
    this.canvas.style.height = `${height}px`;
    return penOn(this.canvas, this.node.clientWidth, height, look);
  }

  /** The most probable tokens: the written one on a scale of 1, its rivals on one of their own, which says so. */
  private candidates(scene: Scene): HTMLElement[] {
    const { run, at } = scene,
      all = run.candidates(at.step),
      count = Math.min(
        all.length,
        ROWS,
        Math.max(2, Math.floor((this.room() - this.tall - AROUND - (run.isChanged ? ROW : 0)) / ROW)),
      );
    const written = all.find(({ isWritten }) => isWritten)!,
      rivals = all.filter((each) => each !== written).slice(0, count - 1);
    const most = rivals.length ? rivals[0].probability : 0,
      isZoomed = !run.isChanged && most > 0 && most < 0.1 && most < written.probability;
    // On their own scale they stay shorter than what won: length is what is seen first.
    const longest = written.probability / 2;
    const scale = isZoomed ? longest / most : 1;
    const row = (each: typeof written, share: number) =>
      this.candidate(scene, each, share, each === written ? 1 : scale);
    const rows = [
      row(written, written.probability),
      ...rivals.map((each) => row(each, scale * each.probability)),
    ];
    const others = 1 - [written, ...rivals].reduce((sum, { probability }) => sum + probability, 0);
    const left = run.header.n_vocabulary - rows.length,
      zoom = isZoomed ? ` · rivals’ bars × ${formatCount(Math.round(longest / most))}` : "";
    const rest = words(
      "p",
      `${formatCount(left)} others together ${formatProbability(Math.max(0, others))}${zoom}`,
      "rest",
    );
    if (!run.isChanged) return [...rows, rest];
    const other = run.otherwise(at.step);
    return [
      ...rows,
      words("p", `dashed: as trained${other ? `, which writes ${other}` : ""}`, "rest trained"),
      rest,
    ];
  }

  private candidate(
    { run, at }: Scene,
    { id, token, probability, isWritten, trained }: ReturnType<Scene["run"]["candidates"]>[number],
    share: number,
    scale: number,
  ): HTMLElement {
    const said = formatProbability(probability),
      canForce = id >= run.header.first_id && !isWritten;
    const explain = button(
      { class: "number", text: said, title: `P = ${fixed(probability, 6)}: how it came about` },
      () => this.acts.explain(id),
    );
    const force = canForce
      ? button({ class: "force", text: "force", "aria-label": `force ${token}` }, () => this.acts.force(id))
      : words("span", !isWritten ? "never" : run.header.forced[at.step] ? "forced" : "chosen", "force");
    const bar = el("i", { class: scale === 1 ? "" : "zoomed" });
    bar.style.width = `${Math.max(0.8, share * 100)}%`;
    const node = el(
      "div",
      { class: isWritten ? "candidate written" : "candidate" },
      words("b", token),
      el("span", { class: "bar" }, bar),
      explain,
      force,
    );
    if (trained !== null) withTrained(node, trained, scale);
    return node;
  }

  /** What is said of a block: what it does, its parameters, and each of its recorded values with its shape. */
  private about(block: Block): HTMLElement[] {
    const close = button({ class: "quiet", text: "Close" }, () => this.acts.close());
    const open = block.page
      ? [button({ class: "plain", text: `Open ${block.page}` }, () => this.acts.open(block.id))]
      : [];
    const rows = block.tensors.map(([name, shape, isLearned]) =>
      el(
        "tr",
        {},
        el(
          "td",
          {},
          button(INSPECTS, () => this.acts.inspect(block.id, name), words("code", name)),
        ),
        words("td", shape.join(" × ")),
        words("td", isLearned ? "learned" : ""),
      ),
    );
    return [
      words("p", block.text),
      words(
        "p",
        `${formatCount(block.n_parameters)} parameters of its own; a name opens all its numbers`,
        "rest",
      ),
      el(
        "div",
        { class: "tensors", tabindex: 0, role: "region", "aria-label": `Tensors of ${block.title}` },
        el("table", {}, el("tbody", {}, ...rows)),
      ),
      el("p", { class: "acts" }, ...open, close),
    ];
  }
}

/** Whose logits stand above the candidates. */
function besideNext({ header: { n_vocabulary }, compared }: Scene["run"]): string {
  const what = { changed: ", then softmax", trained: " as trained", difference: ": changed − trained" }[
    compared
  ];
  return `${formatCount(n_vocabulary)} logits${what}`;
}

/** Beside a candidate's probability the one that it has as the model was trained: a dashed line on its bar, and the number. */
function withTrained(node: HTMLElement, trained: number, scale: number): void {
  const mark = el("i", { class: "was" }),
    number = el(
      "span",
      { class: "was-number", title: `as trained P = ${fixed(trained, 6)}` },
      words("span", "as trained ", "unseen"),
      formatProbability(trained),
    );
  mark.style.left = `${Math.min(100, 100 * scale * trained)}%`;
  node.classList.add("compared");
  node.querySelector(".bar")!.append(mark);
  node.querySelector(".number")!.after(number);
}
