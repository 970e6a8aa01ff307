// A run of any size for the living map's tests: its names and shapes, without numbers.

import { Run } from "../../explorer/views/living_map/component/run";
import type { Header } from "../../explorer/views/living_map/component/run";

type Lanes = Header["encoder"];
export interface Sizes {
  source: number;
  target: number;
  encoderLayers: number;
  decoderLayers: number;
  heads: number;
}

function sublayer(stack: string, layer: number, part: string): Lanes["sublayers"][number] {
  const id = `${stack}.layers.${layer}.${part}`,
    isAttention = part !== "feed_forward";
  return {
    id,
    kind: isAttention ? "attention" : "feed-forward",
    title: part,
    layer,
    crosses: part === "cross_attn",
    joins: `${id}_add_norm`,
    norm: "",
  };
}

function lanes(stack: "encoder" | "decoder", layers: number): Lanes {
  const parts =
    stack === "encoder" ? ["self_attn", "feed_forward"] : ["self_attn", "cross_attn", "feed_forward"];
  const id = stack === "encoder" ? "src_embed" : "tgt_embed";
  return {
    embedding: { id, tokens: `${id}.tokens`, positions: `${id}.positions`, output: `${id}.output` },
    sublayers: Array.from({ length: layers }, (_, layer) =>
      parts.map((part) => sublayer(stack, layer, part)),
    ).flat(),
  };
}

export function runOf({ source, target, encoderLayers, decoderLayers, heads }: Sizes): Run {
  const names = (side: string, length: number) => Array.from({ length }, (_, i) => `${side}${i}`);
  const header: Partial<Header> = {
    key: "run",
    source: names("s", source),
    inputs: names("i", target),
    outputs: names("o", target),
    causal: true,
    n_heads: heads,
    encoder: lanes("encoder", encoderLayers),
    decoder: lanes("decoder", decoderLayers),
    d_model: 64,
    d_ff: 256,
  };
  const shape = [source, heads, Math.min(16, 64 / heads)];
  return new Run(header as Header, {}, { "src_embed.output": Object.assign(new Uint8Array(), { shape }) });
}
