"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from explorer.explaining.scene import Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_log_prob, format_probability
from explorer.look.token_text import visible
from explorer.models.decodings import translation_of
from explorer.models.translation import SITES
from explorer.views.decoding.cached import internals_of
from explorer.views.decoding.component import DecodeViewData
from explorer.views.decoding.data import view_data
from explorer.worksheets.document import Block, Heading, Picture, Question, Table
from explorer.worksheets.matrix import Matrix, matrix_svg, number_tables
from explorer.worksheets.questions import question


def blocks(scene: Scene) -> Iterator[Block]:
    """The steps, the candidates and the attention of a decoding."""
    run, state = scene.recorded.run, scene.state
    translation = translation_of(run, state.sentence, state.decoding.prefix)
    internals = internals_of(run, state.sentence, translation.output_ids)
    data = view_data(run, translation, state, internals=internals)
    yield from _questions(data)
    yield from decoding_blocks(data)


def _questions(data: DecodeViewData) -> Iterator[Question]:
    least = int(np.argmin(data.log_probs))
    yield question(
        ("At which step was the model least sure of the token that it wrote? How probable was that token?",),
        (
            f"At step {least}: ",
            Piece(data.output_tokens[least], "target"),
            ", P ",
            number(format_probability(float(np.exp(data.log_probs[least])))),
            ".",
        ),
    )
    total = float(np.sum(data.log_probs))
    yield question(
        (
            "How probable is the whole output? Add the logarithms of all steps, or multiply their probabilities.",
        ),
        (
            f"log P = {format_log_prob(total, total=True)}, so P = ",
            number(format_probability(float(np.exp(total)))),
            ".",
        ),
    )


_TITLES = {
    "cross": "Cross-attention",
    "self": "Masked self-attention",
    "encoder": "Self-attention of the encoder",
}


def decoding_blocks(data: DecodeViewData) -> Iterator[Block]:
    """All steps, the candidates of the shown one, and the shown attention."""
    yield Heading("Step by step")
    yield Table(
        ("step", "reads", "writes", "P", "log P", "log P so far"),
        tuple(
            (
                str(step),
                visible(read),
                visible(token),
                format_probability(float(np.exp(log_prob))),
                format_log_prob(log_prob),
                total,
            )
            for step, (read, token, log_prob, total) in enumerate(
                zip(_read(data), data.output_tokens, data.log_probs.tolist(), _totals(data), strict=True)
            )
        ),
        (1, 2),
    )
    step = data.step
    yield Heading(f"What was considered at step {step}")
    yield Table(
        ("token", "P", ""),
        tuple(
            (visible(token), format_probability(p), "chosen" if place == data.chosen[step] else "")
            for place, (token, p) in enumerate(
                zip(data.candidate_tokens[step], data.candidate_probs[step].tolist(), strict=True)
            )
        ),
        (0, 2),
        f"The most probable of {data.vocabulary_size:,} tokens; entropy {data.entropy_bits[step]:.2f} bits",
    )
    matrix = _attention(data)
    yield Heading(matrix.name)
    yield Picture(matrix_svg(matrix), SITES[data.attention].format(layer=data.layer))
    yield from number_tables(matrix)


def _read(data: DecodeViewData) -> tuple[str, ...]:
    """What each step reads last."""
    return (data.bos, *data.output_tokens[:-1])


def _totals(data: DecodeViewData) -> tuple[str, ...]:
    return tuple(format_log_prob(total, total=True) for total in accumulate(data.log_probs.tolist()))


def _attention(data: DecodeViewData) -> Matrix:
    """The large matrix: one head of a layer, or the mean over its heads."""
    weights = data.attentions[data.attention][data.layer]
    head = "mean of the heads" if data.head is None else f"head {data.head}"
    values = weights.mean(axis=0) if data.head is None else weights[data.head]
    read = _read(data)
    rows, writes = (data.source_tokens, ()) if data.attention == "encoder" else (read, data.output_tokens)
    masked = data.attention == "self" and data.causal
    return Matrix(
        f"{_TITLES[data.attention]}, layer {data.layer}, {head}",
        values,
        rows,
        read if data.attention == "self" else data.source_tokens,
        "source" if data.attention == "encoder" else "target",
        "target" if data.attention == "self" else "source",
        "weight",
        hidden=np.triu(np.ones(values.shape, dtype=bool), 1) if masked else None,
        writes=writes,
    )
