// What the picture says in words: its title, its caption, and what a screen reader hears when it rests.

import { fixed, formatCount, formatProbability, plural } from "../../../browser/shared/numbers";
import { range } from "../../../browser/shared/planes";
import { isBeside, leadBeside, stepBeside, titleBeside, whose } from "./compare";
import { written } from "./run";
import type { Sublayer } from "./run";
import type { Cell, Pointed, Scene } from "./scene";
import { ENCODER, stagesAt } from "./timeline";

/** A piece of a sentence; a token of a side stands in its colour. */
export type Piece = string | { text: string; kind: "source" | "target" };

const source = (text: string): Piece => ({ text, kind: "source" }),
  target = (text: string): Piece => ({ text, kind: "target" });
const side = (text: string, of: "source" | "target"): Piece => ({ text, kind: of });

export function plainText(pieces: Piece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

/** Whether nothing runs: the step is at its end. */
export function isAtRest({ at, step, encoder }: Pick<Scene, "at" | "step" | "encoder">): boolean {
  return at.ms >= (at.step === ENCODER ? encoder : step).length;
}

/** The picture's title: a question about the step. */
export function question(scene: Scene): Piece[] {
  const {
    run: { header },
    at: { step },
  } = scene;
  if (isBeside(scene.run)) return [titleBeside(scene)];
  if (step === ENCODER) return ["What does the source say?"];
  if (!isAtRest(scene))
    return step
      ? ["What comes after ", target(header.inputs[step]), `${scene.run.where("target", step)}?`]
      : ["What comes first?"];
  if (step === header.outputs.length - 1 && header.ended) return ["What did it read to stop here?"];
  const where = scene.run.whereWritten(step);
  return header.forced[step]
    ? ["Forced: ", target(header.outputs[step]), where]
    : ["What did it read to write ", target(header.outputs[step]), `${where}?`];
}

/** One sentence beside the title. */
export function lead(scene: Scene): string {
  if (isBeside(scene.run)) return leadBeside(scene);
  if (scene.at.step === ENCODER) return "The encoder reads the whole source at once, and only once.";
  if (isAtRest(scene) && scene.run.isChanged) return "The cells show what it read, not why.";
  return isAtRest(scene)
    ? "The cells show what it read, not why. Press play, open a block, or force another token."
    : "Only the new lane is computed; the lanes above it were kept.";
}

/** What the picture shows now, in one line. */
export function caption(scene: Scene): Piece[] {
  const { pointed, at } = scene;
  if (pointed?.cell) return ofCell(scene, pointed.cell);
  if (pointed?.side && pointed.token !== undefined) return ofLane(scene, pointed);
  if (at.step === ENCODER) return ofEncoder(scene);
  return isAtRest(scene) ? ofStep(scene) : ofMoment(scene);
}

function ofCell({ run, layout }: Scene, { sub, row, column }: Cell): Piece[] {
  const stack = run.stackOf(sub),
    keys = run.keys(sub),
    shared = Math.min(layout.keyGroup, keys.length - column);
  const heads =
    run.header.n_heads > 8 || shared > 1
      ? [`mean of ${plural(run.header.n_heads, "head")} ${written(run, mean(run, sub, row, column, shared))}`]
      : Array.from(
          { length: run.header.n_heads },
          (_, head) => `head ${head} ${written(run, run.weight(sub.weights, head, row, column))}`,
        );
  const read =
    shared > 1
      ? `${keys[column]} to ${keys[column + shared - 1]} (mean of ${shared} neighbours)`
      : keys[column];
  return [
    side(stack.tokens[row], stack.side),
    `${run.where(stack.side, row)} reads `,
    side(read, run.keySide(sub)),
    `${shared > 1 ? "" : run.where(run.keySide(sub), column)}, ${nameOf(sub)}: ${whose(run)}${heads.join(" · ")}`,
  ];
}

function mean(run: Scene["run"], sub: Sublayer, row: number, column: number, shared: number): number {
  let sum = 0;
  for (let key = column; key < column + shared; key++) sum += run.mean(sub.weights, row, key);
  return sum / shared;
}

const nameOf = (sub: Sublayer): string => `${sub.title.toLowerCase()}, layer ${sub.layer}`;

function ofLane({ run, at }: Scene, { side: of, token }: Pointed): Piece[] {
  const { header } = run,
    written = Math.max(0, at.step);
  if (of === "target") {
    return token! <= written
      ? [
          target(header.inputs[token!]),
          `${run.where("target", token!)} is read in this lane, and `,
          target(header.outputs[token!]),
          " is written at its end",
        ]
      : [`Step ${token}: not there yet`];
  }
  if (run.compared === "difference")
    return [
      source(header.source[token!]),
      `${run.where("source", token!)}: its lane, its wire of the memory, its columns`,
    ];
  const readers = range(at.step === ENCODER ? 0 : Math.min(header.outputs.length, written + 1)).filter(
    (step) => run.reading(step).place === token,
  );
  return [
    source(header.source[token!]),
    `${run.where("source", token!)}: its lane, its wire of the memory, its columns. Written while it was read most: `,
    ...(readers.length
      ? readers.flatMap((step, i) => [
          ...(i ? [", "] : []),
          target(header.outputs[step]),
          run.whereWritten(step),
        ])
      : ["nothing so far"]),
  ];
}

function ofEncoder({ run, at: { ms }, encoder }: Scene): Piece[] {
  const now = encoder.sublayers.findIndex(([, to]) => ms <= to),
    sub = run.encoder.sublayers.at(now);
  if (ms <= encoder.positions[1])
    return [
      `A row of the table for each token${run.encoder.embedding.positions ? ", plus the vector of its position" : ""}`,
    ];
  if (now >= 0 && sub)
    return [
      `Encoder layer ${sub.layer}, ${sub.title.toLowerCase()}: all ${plural(run.header.source.length, "lane")} at once`,
    ];
  return [
    "The memory is carried to every cross-attention, as keys and values: computed once, kept for every step",
  ];
}

function ofStep(scene: Scene): Piece[] {
  const {
    run,
    at: { step },
    isAsking,
  } = scene;
  if (isBeside(run)) return stepBeside(scene);
  const { header } = run,
    { place, weight } = run.reading(step),
    last = run.crossing.at(-1)!,
    lane = run.where("target", step);
  if (isAsking)
    return [
      `Step ${step}: the lane of `,
      target(header.inputs[step]),
      `${lane} writes `,
      target(header.outputs[step]),
      `, P ${formatProbability(run.probability(step))}`,
    ];
  return [
    `Step ${step}: the lane of `,
    target(header.inputs[step]),
    `${lane} reads `,
    source(header.source[place]),
    `${run.where("source", place)} with ${fixed(weight, 2)} in cross-attention, layer ${last.layer} (mean of ${plural(header.n_heads, "head")}), and writes `,
    target(header.outputs[step]),
    `, P ${formatProbability(run.probability(step))}${header.forced[step] ? ", forced" : ""}`,
  ];
}

function ofMoment(scene: Scene): Piece[] {
  const {
      run,
      at: { step, ms },
      step: schedule,
    } = scene,
    { header } = run,
    read = target(header.inputs[step]),
    lane = run.where("target", step);
  if (ms <= schedule.chip[1])
    return step
      ? [read, `${lane} was written, so it is read: a new lane`]
      : ["The decoder begins with ", read];
  if (ms <= schedule.positions[1])
    return [
      read,
      `${lane}: its row of the table × √${header.d_model}${run.decoder.embedding.positions ? `, plus the vector of position ${step}` : ""}`,
    ];
  const now = schedule.sublayers.findIndex(([, to]) => ms <= to);
  if (now >= 0) return ofSublayer(scene, run.decoder.sublayers[now], now);
  return ms <= schedule.output[1]
    ? [`${formatCount(header.n_vocabulary)} logits, and the softmax of them`]
    : isBeside(run)
      ? stepBeside(scene)
      : [target(header.outputs[step]), ` is written, P ${formatProbability(run.probability(step))}`];
}

function ofSublayer({ run, at: { step, ms }, step: schedule }: Scene, sub: Sublayer, place: number): Piece[] {
  const { header } = run,
    stages = stagesAt(sub, schedule.sublayers[place], ms),
    name = `${sub.title}, layer ${sub.layer}: `;
  const read = target(header.inputs[step]),
    lane = run.where("target", step);
  if (sub.kind === "feed-forward")
    return [
      `${name}${header.d_model} → ${header.d_ff} → ${header.d_model} numbers, for `,
      read,
      `${lane} by itself`,
    ];
  if (stages.fill <= 0) {
    return sub.crosses
      ? [`${name}the query of `, read, `${lane}; keys and values wait in the memory`]
      : [
          `${name}query, key and value of `,
          read,
          `${lane}${step ? "; older keys and values were kept" : ""}`,
        ];
  }
  const seen = sub.crosses ? header.source.length : step + 1;
  if (stages.mix <= 0)
    return [`${name}${plural(header.n_heads, "head")} compare it with ${plural(seen, "key")}`];
  const most = run.strongest(sub, step);
  const what = run.compared === "difference" ? "the weight differs most on " : "most weight on ";
  return stages.add <= 0
    ? [
        `${name}${what}`,
        side(run.keys(sub)[most.place], run.keySide(sub)),
        `${run.where(run.keySide(sub), most.place)}, ${written(run, most.weight)}; the values are mixed`,
      ]
    : [`${name}the heads are joined and added to the lane`];
}

/** The moment as a screen reader hears it. */
export function spoken(scene: Scene): string {
  const {
      run,
      at: { step },
    } = scene,
    { header } = run;
  if (isBeside(run) && step !== ENCODER) return `${titleBeside(scene)}. ${plainText(stepBeside(scene))}.`;
  if (step === ENCODER) return `The encoder has read ${header.source.join(" ")}.`;
  const { place, weight } = run.reading(step),
    last = run.crossing.at(-1)!;
  return (
    `Step ${step}. The decoder reads ${header.inputs.slice(0, step + 1).join(" ")} and writes ${header.outputs[step]} with probability ` +
    `${formatProbability(run.probability(step))}. In layer ${last.layer} it reads ${header.source[place]}${run.where("source", place)} most, weight ${fixed(weight, 2)} ` +
    `in the mean of ${plural(header.n_heads, "head")}.`
  );
}
