"""The view on paper."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from core.decoding.sampling import SamplingPipeline
from explorer.explaining.scene import Scene
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_probability
from explorer.look.token_text import visible
from explorer.models.decodings import translation_of
from explorer.views.sampling.cached import sampled_output_of
from explorer.views.sampling.component import SamplingViewData
from explorer.views.sampling.data import SampledOutput, columns_of, sampling_config, sampling_data
from explorer.visitor.state import ExplorerState
from explorer.worksheets.document import Block, Heading, Question, Table, paragraph
from explorer.worksheets.questions import question


def blocks(scene: Scene) -> Iterator[Block]:
    """The chosen step from logits to the drawn token."""
    run, state = scene.recorded.run, scene.state
    drawn = sampled_output_of(run, state.sentence, sampling_config(run, state), state.decoding.prefix)
    greedy = translation_of(run, state.sentence, state.decoding.prefix)
    data = sampling_data(run, drawn, greedy, state)
    yield from _questions(drawn, data)
    yield from sampling_blocks(
        drawn, columns_of(run, drawn, sampling_config(run, state), data.step), data, state
    )


def _questions(output: SampledOutput, data: SamplingViewData) -> Iterator[Question]:
    logits = output.logits[data.step].astype(np.float64)
    if data.never:
        logits[list(data.never)] = -np.inf
    best = int(logits.argmax())
    once, twice = (np.exp((logits - logits.max()) / t) for t in (1, 2))
    p, flat = (format_probability(float(each[best] / each.sum())) for each in (once, twice))
    yield question(
        (
            f"At temperature 1 the token with the largest logit has the probability {p}. Temperature 2 halves all "
            "logits. Is it then more or less probable?",
        ),
        ("Less: ", number(flat), ". Halved differences make flatter probabilities."),
    )
    yield question(
        ("What does top-k 1 draw, whatever the seed?",),
        (
            Piece(data.vocabulary[best], "target"),
            ": the token with the largest logit alone is kept, as greedy decoding.",
        ),
    )


MOST_CANDIDATES = 20
"""Tokens of a sampling step that are printed."""


def sampling_blocks(
    output: SampledOutput, columns: SamplingPipeline, data: SamplingViewData, state: ExplorerState
) -> Iterator[Block]:
    """One step from logits to the drawn token, and the number that drew it."""
    step = data.step
    order = columns.scaled.masked_fill(~columns.allowed, -torch.inf).argsort(descending=True)[
        :MOST_CANDIDATES
    ]
    drawn = output.token_ids[step]
    sampling = state.sampling
    top_k = "off" if sampling.top_k is None else str(sampling.top_k)
    yield Heading(f"Step {step} of {len(output.tokens)} tokens")
    yield paragraph(
        f"Temperature {sampling.temperature:g}, top-k {top_k}, top-p {sampling.top_p:g}, seed {sampling.seed}. "
        f"The number {output.uniform[step]:.4f} was drawn."
    )
    yield Table(
        ("token", "logit", "logit / temperature", "kept", "P", ""),
        tuple(
            (
                visible(data.vocabulary[token_id]),
                f"{float(columns.logits[token_id]):.3f}".replace("-", "\N{MINUS SIGN}"),
                f"{float(columns.scaled[token_id]):.3f}".replace("-", "\N{MINUS SIGN}"),
                "yes" if columns.kept_by_top_p[token_id] else "no",
                format_probability(float(columns.probs[token_id])),
                "taken" if token_id == drawn else "",
            )
            for token_id in order.tolist()
        ),
        (0, 3, 5),
        f"The {len(order)} highest of {len(data.vocabulary):,} tokens",
    )
    yield paragraph(f"Output: {data.text}")
    yield paragraph(f"Greedy output: {data.greedy_text}")
