// The choice of the places of axes: a few as buttons, many in a list, heads as small pictures.

import type { Scale } from "../shared/cells";
import { button, el, words } from "../shared/elements";
import { range } from "../shared/planes";
import type { ChooserEntry, PanelEntry } from "../shared/tensors";
import type { Host } from "./host";
import { optionText, optionWords, resultAt } from "./model";
import { paintPixels } from "./paint";

/** draw: takes the scale of the stage's result. update: shows what is chosen. */
interface Part {
  node: HTMLElement;
  draw?(scale: Scale): void;
  update: () => void;
}

const MOST_SEGMENTS = 12,
  THUMBNAIL = 62,
  LEAST_THUMBNAIL = 10;

/** The choosers that the panels of the open stage follow. */
export class Choosers {
  readonly node: HTMLElement;
  private readonly offered: ChooserEntry[];
  private readonly parts: Part[];

  constructor(host: Host) {
    const { model } = host,
      stage = model.open,
      result = stage.panels[resultAt(stage)];
    this.offered = model.header.choosers.filter(
      ({ axis, options }) => options.length > 1 && stage.panels.some((panel) => model.holds(panel, axis)),
    );
    this.parts = this.offered.map((chooser) => {
      if (chooser.axis === "head" && chooser.local && model.holds(result, "head"))
        return new Thumbnails(host, chooser, result);
      return chooser.options.length > MOST_SEGMENTS ? listOf(host, chooser) : segmentsOf(host, chooser);
    });
    this.node = el("div", { class: "choosers" }, ...this.parts.map((part) => part.node));
  }

  has(axis: string): boolean {
    return this.offered.some((chooser) => chooser.axis === axis);
  }

  draw(scale: Scale): void {
    for (const part of this.parts) {
      part.draw?.(scale);
      part.update();
    }
  }
}

/** Buttons of a chooser's places, of which one is pressed. */
function buttonsOf(
  host: Host,
  chooser: ChooserEntry,
  contents: (place: number) => (Node | string)[],
): { buttons: HTMLElement[]; update: () => void } {
  const buttons = chooser.options.map((_, place) => {
    const attributes = {
      "aria-label": optionWords(chooser, place),
      "data-focus": `${chooser.axis}:${place}`,
    };
    return button(attributes, () => host.choose(chooser.axis, place), ...contents(place));
  });
  return {
    buttons,
    update: () =>
      buttons.forEach((node, place) =>
        node.setAttribute("aria-pressed", String(place === host.model.chosen.choices[chooser.axis])),
      ),
  };
}

function segmentsOf(host: Host, chooser: ChooserEntry): Part {
  const { buttons, update } = buttonsOf(host, chooser, (place) => [optionText(chooser.options[place])]);
  const node = el(
    "div",
    { class: "chooser" },
    words("span", chooser.label, "chooser-name"),
    el("div", { class: "segments", role: "group", "aria-label": chooser.label }, ...buttons),
  );
  return { node, update };
}

function listOf(host: Host, { axis, label, options }: ChooserEntry): Part {
  const select = el(
    "select",
    { "data-focus": `${axis}:list` },
    ...options.map((option, place) => el("option", { value: place, text: optionText(option) })),
  );
  select.addEventListener("change", () => host.choose(axis, Number(select.value)));
  const node = el("label", { class: "chooser" }, words("span", label, "chooser-name"), select);
  return {
    node,
    update: () => {
      select.value = String(host.model.chosen.choices[axis]);
    },
  };
}

/** The stage's result once for each head, all on the scale of the large one. */
class Thumbnails implements Part {
  readonly node: HTMLElement;
  readonly update: () => void;
  private readonly canvases: HTMLCanvasElement[];
  private drawn = "";

  constructor(
    private readonly host: Host,
    private readonly chooser: ChooserEntry,
    private readonly panel: PanelEntry,
  ) {
    this.canvases = chooser.options.map(() => el("canvas", { "aria-hidden": "true" }));
    const { buttons, update } = buttonsOf(host, chooser, (place) => [
      el("span", { class: "paper" }, this.canvases[place]),
      words("span", optionWords(chooser, place), "short"),
    ]);
    this.node = el("div", { class: "thumbs", role: "group", "aria-label": chooser.label }, ...buttons);
    this.update = update;
  }

  draw(scale: Scale): void {
    const {
      chooser: { axis, options },
      host: { model, look },
    } = this;
    const planes = range(options.length).map((place) =>
      model.plane(this.panel, (each) => (each === axis ? place : model.placeOf(each))),
    );
    // Another head is another frame, not another picture.
    const now = [planes[0].key, look.bg, scale.limit].join();
    if (now === this.drawn) return;
    this.drawn = now;
    const { rows, columns } = planes[0],
      longest = Math.max(rows.count, columns.count);
    const cell =
      longest <= 8 ? Math.min(9, Math.max(7, Math.floor(THUMBNAIL / longest))) : THUMBNAIL / longest;
    const [width, height] = [columns.count, rows.count].map((count) =>
      Math.max(LEAST_THUMBNAIL, Math.round(count * cell)),
    );
    this.canvases.forEach((canvas, place) => paintPixels(canvas, planes[place], width, height, scale, look));
  }
}
