"""The numbers of the model's blocks in the run that is looked at: every one of them read from the recording."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from torch import Tensor

from explorer.explanations.position_numbers import positions
from explorer.explanations.printing import (
    WEIGHT_DECIMALS,
    length_of,
    plural,
    printed,
    printed_probability,
)
from explorer.explanations.scene import Numbers, Piece, Scene, Shown, Side, Stack, number
from explorer.stages.add_norm import norm_place, statistics
from explorer.stages.sublayers import SUBLAYERS, chosen_stack
from explorer.theme import format_count, format_probability, format_signed

Attention = Literal["self_attn", "cross_attn"]
SUM_DECIMALS = 6


@dataclass(frozen=True)
class _Reading:
    """A token that an embedding reads.

    Attributes:
        path: Of the embedding.
        side: Whose tokens it reads.
        words: What they are called.
        tokens: The tokens.
        ids: Their ids.
        table: Its rows.
        position: Of the token.
    """

    path: str
    side: Literal["source", "target"]
    words: str
    tokens: tuple[str, ...]
    ids: list[int]
    table: Tensor
    position: int


def _reading(scene: Scene) -> _Reading:
    """The marked token, which may be one that the decoder reads, and of a marked row of the table the first with it."""
    recorded, marked = scene.recorded, scene.marked
    model, trace = recorded.run.model, recorded.trace
    if marked is not None and "target" in (marked.sides.get("position"), marked.sides.get("vocab")):
        reading = _Reading(
            "tgt_embed",
            "target",
            "decoder input",
            recorded.inputs,
            trace.tgt_in.tolist(),
            model.tgt_embed.weight,
            scene.step,
        )
    else:
        reading = _Reading(
            "src_embed",
            "source",
            "source",
            recorded.source,
            trace.src.tolist(),
            model.src_embed.weight,
            scene.source_position,
        )
    row = None if marked is None else marked.numbers.get("vocab")
    return replace(reading, position=reading.ids.index(row)) if row in reading.ids else reading


def tokens(scene: Scene) -> Numbers:
    """Id, row and length of a token of the source, or of what the decoder reads."""
    reads, config = _reading(scene), scene.recorded.run.config
    token_id, size = reads.ids[reads.position], reads.table.shape[0]
    length = length_of(scene.recorded.values(f"{reads.path}.tokens")[reads.position])
    row = reads.table[token_id].detach()
    shown = f"{length:.{WEIGHT_DECIMALS}f}"
    return Numbers(
        (
            Piece(f"At {reads.words} position {reads.position}, "),
            Piece(reads.tokens[reads.position], reads.side),
            Piece(" has the id "),
            number(str(token_id)),
            Piece(f": it takes row {token_id} of a table of {format_count(size)} rows of "),
            Piece(f"{config.d_model} numbers. That row has the length "),
            number(f"{length_of(row.float().numpy()):.{WEIGHT_DECIMALS}f}"),
            Piece(f"; times √{config.d_model} it has the length "),
            number(shown),
            Piece("."),
        ),
        Shown(
            shown,
            (
                f'vector = recorded.activations["{reads.path}.tokens"][0, {reads.position}]',
                f'print(f"{{vector.norm().item():.{WEIGHT_DECIMALS}f}}")',
            ),
        ),
    )


def attention(stack: Stack, kind: Attention) -> Callable[[Scene], Numbers]:
    """Numbers of one of the three attentions: the strongest weight of the row, and the row's sum."""

    def of(scene: Scene) -> Numbers:
        layer, head = scene.layer(stack), scene.head
        site = f"{stack}.layers.{layer}.{kind}.weights"
        weights = scene.recorded.values(site)[head]
        query, key = _query_and_key(scene, stack, weights)
        row, largest = weights[query], int(weights[query].argmax())
        source = stack == "encoder" or kind == "cross_attn"
        names = scene.recorded.source if source else scene.recorded.inputs
        side: Side = "source" if source else "target"
        shown = f"{row[key]:.{WEIGHT_DECIMALS}f}"
        return Numbers(
            (
                *scene.where(stack, query),
                Piece(f"head {head} of {stack} layer {layer} gives "),
                Piece(names[key], side),
                Piece(f" at position {key} "),
                number(shown),
                *(
                    (Piece(f" of its weight, the largest of {len(row)}. The row sums to "),)
                    if row[key] == row[largest]
                    else (
                        Piece(" of its weight. The largest, "),
                        number(f"{row[largest]:.{WEIGHT_DECIMALS}f}"),
                        Piece(", goes to "),
                        Piece(names[largest], side),
                        Piece(f" at position {largest}. The row sums to "),
                    )
                ),
                number(f"{row.sum(dtype=np.float64):.{SUM_DECIMALS}f}"),
                Piece(f", and {plural(int((row == 0).sum()), 'weight is', 'weights are')} exactly 0."),
            ),
            Shown(
                shown,
                (
                    f'weights = recorded.activations["{site}"]',
                    f'print(f"{{weights[0, {head}, {query}, {key}].item():.{WEIGHT_DECIMALS}f}}")',
                ),
            ),
        )

    return of


def _query_and_key(scene: Scene, stack: Stack, weights: np.ndarray) -> tuple[int, int]:
    """The marked query and key of a head's weights; of one alone, the other one that has the most of it."""
    query = scene.place(stack)
    key = None if scene.marked is None else scene.marked.numbers.get("key")
    if key is None:
        return query, int(weights[query].argmax())
    own = scene.marked is not None and scene.marked.place("source") is not None
    if stack == "encoder" and not own and scene.state.position is None:
        query = int(weights[:, key].argmax())
    return query, key


def masks(scene: Scene) -> Numbers:
    """How many keys the step's query may look at, and what the others get."""
    # Nothing is hidden from the last step, so it would say nothing of the causal mask.
    last, chosen = scene.recorded.last_step, scene.state.decode_step
    step = last // 2 if chosen is None else min(chosen, last)
    layer, head = scene.layer("decoder"), scene.head
    path = f"decoder.layers.{layer}.self_attn"
    seen = scene.recorded.values(f"{path}.mask")[step]
    hidden = scene.recorded.values(f"{path}.weights")[head, step][seen == 0]
    crossing = scene.recorded.values(f"decoder.layers.{layer}.cross_attn.mask")[step]
    shown = str(int(seen.sum()))
    rest = (
        (Piece(f"The {len(hidden)} hidden get the weight "), number(f"{hidden.sum():.{SUM_DECIMALS}f}"))
        if len(hidden)
        else (Piece("None is hidden at this step"),)
    )
    return Numbers(
        (
            Piece(f"Outside of the batch above, for the sentence alone at step {step}, where "),
            Piece(scene.recorded.outputs[step], "target"),
            Piece(" is produced, the query may look at "),
            number(shown),
            Piece(f" of {len(seen)} positions of the decoder's input. "),
            *rest,
            Piece(", and in cross-attention it may look at "),
            number(str(int(crossing.sum()))),
            Piece(f" of {len(crossing)} source positions, as there is no padding."),
        ),
        Shown(
            shown,
            (
                f'mask = recorded.activations["{path}.mask"]',
                f"print(mask[0, {step}].sum().item())",
            ),
        ),
    )


def add_norm(scene: Scene) -> Numbers:
    """Mean and variance of one vector before the norm, normalised, and after γ and β."""
    place = norm_place(scene.recorded, scene.state)
    token = scene.place(place.stack)
    row = statistics(scene.recorded, scene.state)[token]
    shown = format_signed(row.variance)
    name = SUBLAYERS[place.sublayer].lower()
    which = f"the {place.stack}’s final norm"
    if place.layer is not None:
        which = (
            f"the norm {'after' if place.post else 'before'} the {name} of {place.stack} layer {place.layer}"
        )
    return Numbers(
        (
            *scene.where(place.stack),
            Piece(f"{which} reads a vector with mean "),
            number(format_signed(row.mean)),
            Piece(" and variance "),
            number(shown),
            Piece(". Normalised it has mean "),
            # What is left is rounding, of either sign.
            number(f"{abs(row.normalized_mean):.3f}"),
            Piece(" and variance "),
            number(f"{row.normalized_variance:.3f}"),
            Piece("; after γ and β mean "),
            number(format_signed(row.output_mean)),
            Piece(" and variance "),
            number(format_signed(row.output_variance)),
            Piece("."),
        ),
        printed(shown, f"{place.norm}.variance", (0, token), row.variance),
    )


def feed_forward(scene: Scene) -> Numbers:
    """How many hidden units are silent, which is strongest, and how long the output is."""
    stack = chosen_stack(scene.state)
    layer, place = scene.layer(stack), scene.place(stack)
    config = scene.recorded.run.config
    path = f"{stack}.layers.{layer}.feed_forward"
    hidden = scene.recorded.values(f"{path}.hidden")[place]
    unit = int(np.abs(hidden).argmax())
    relu = config.activation == "relu"
    silent = int((hidden == 0 if relu else hidden < 0).sum())
    shown = format_signed(float(hidden[unit]))
    return Numbers(
        (
            *scene.where(stack),
            number(str(silent)),
            Piece(f" of {len(hidden)} hidden units of {stack} layer {layer} are "),
            Piece(f"{'exactly 0' if relu else 'below 0'}, a share of "),
            number(f"{silent / len(hidden):.3f}"),
            Piece(f". The strongest is unit {unit} with "),
            number(shown),
            Piece(f". With the bias the network adds a vector of {config.d_model} numbers, of length "),
            number(f"{length_of(scene.recorded.values(f'{path}.output')[place]):.3f}"),
            Piece("."),
        ),
        printed(shown, f"{path}.hidden", (0, place, unit), float(hidden[unit])),
    )


def output(scene: Scene) -> Numbers:
    """Logit, probability and rank of the produced token, and the entropy of the distribution."""
    step = scene.step
    produced = int(scene.recorded.trace.tgt_out[step])
    # The largest logit in size may be that of an impossible token: unless somebody asks, it is the produced one’s.
    asked = scene.marked.numbers.get("vocab") if scene.marked is not None and scene.marked.explained else None
    token_id = produced if asked is None else asked
    token = Piece(scene.recorded.run.tgt_tokenizer.vocabulary.token(token_id), "target")
    whose = (
        (Piece("its logit is "),) if token_id == produced else (Piece("the logit of "), token, Piece(" is "))
    )
    logits = scene.recorded.values("generator.logits")[step]
    log_probs = scene.recorded.values("generator.log_probs")[step].astype(np.float64)
    rank = 1 + int((logits > logits[token_id]).sum())
    entropy = -float((np.exp(log_probs) * log_probs).sum()) / math.log(2)
    probability = math.exp(log_probs[token_id])
    shown = format_probability(probability)
    return Numbers(
        (
            *scene.where("decoder"),
            *whose,
            number(format_signed(float(logits[token_id]))),
            Piece(f", rank {rank} of {format_count(len(logits))} tokens. The softmax makes it "),
            number(shown),
            Piece(", and the whole distribution has an entropy of "),
            number(f"{max(entropy, 0.0):.2f}"),
            Piece(" bits."),
        ),
        printed_probability(step, token_id, probability),
    )


BLOCK_NUMBERS: Mapping[str, Callable[[Scene], Numbers]] = {
    "tokens": tokens,
    "positions": positions,
    "self-attention": attention("encoder", "self_attn"),
    "masked-self-attention": attention("decoder", "self_attn"),
    "cross-attention": attention("decoder", "cross_attn"),
    "masks": masks,
    "add-norm": add_norm,
    "feed-forward": feed_forward,
    "output": output,
}
"""By the key of the block."""
