// An embedding in one picture: the row of the table that a token's id picks, scaled, plus the vector of its place.

import { formatSigned } from "../shared/numbers";
import { wholePlace } from "../shared/planes";
import type { Board, Picture, Room, Spot } from "./board";
import { column, layGrid, plus, valueAt } from "./grid";
import type { GridRow } from "./grid";
import type { Model } from "./model";

function idsOf(model: Model): number[] {
  const vocabulary = model.tensors.rows.axis("vocab")!;
  return model.reads.map((_, row) => wholePlace(vocabulary, row));
}

function rowsOf(model: Model): GridRow[] {
  const [picked, scaled, summed] = model.header.stages,
    { row } = model.chosen,
    side = model.header.row_side || "",
    sums = ["tokens", "positions", "output"];
  const vocabulary = model.tensors.rows.axis("vocab")!,
    width = model.tensors.output.axis("d_model")!.size;
  const position: GridRow[] = model.has("positions")
    ? [
        {
          name: "positions",
          tensor: "positions",
          title: summed.panels[1].title,
          below: `of position ${row}`,
          sign: "+",
          rows: "position",
          scale: sums,
          from: summed.key,
        },
      ]
    : [];
  return [
    {
      name: "rows",
      tensor: "rows",
      title: `row ${idsOf(model)[row]} of ${vocabulary.size}`,
      below: picked.panels[0].title,
      rows: "vocab",
      scale: ["rows"],
      from: picked.key,
      tone: side,
      isMade: true,
    },
    {
      name: "tokens",
      tensor: "tokens",
      title: `× √${width}`,
      below: "the same row, scaled",
      rows: "position",
      scale: sums,
      from: scaled.key,
      isMade: true,
    },
    ...position,
    {
      name: "output",
      tensor: "output",
      title: "into layer 0",
      below: position.length ? "their sum" : "nothing is added",
      sign: "=",
      rows: "position",
      scale: sums,
      from: summed.key,
      isMade: true,
      tone: side,
    },
  ];
}

function lay(model: Model, room: Room): Board {
  return layGrid(
    model,
    room,
    rowsOf(model),
    idsOf(model).map((id) => `id ${id}`),
  ).board;
}

function story(model: Model, { part, column: at }: Spot): string {
  const value = (tensor: string, rows = "position") => formatSigned(valueAt(model, tensor, rows, at));
  const width = model.tensors.output.axis("d_model")!.size;
  if (part === "tokens") return `${value("rows", "vocab")} × √${width} = `;
  if (part !== "output" || !model.has("positions")) return "";
  return `${value("tokens")}${plus(valueAt(model, "positions", "position", at))} = `;
}

export const embedding: Picture = {
  lay,
  feeds: column,
  says: (model, spot) => ({ after: `: ${story(model, spot)}` }),
};
