"""Decoding on paper: the steps with their probabilities, what else was considered, and the attention that is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate

import numpy as np

from core.decoding.sampling import sampling_pipeline
from explorer.beam import BeamTree, verdict
from explorer.components.decode_view import ATTENTIONS, DecodeViewData
from explorer.components.sampling_view import SamplingViewData
from explorer.sampling import SampledOutput, sampling_config
from explorer.state import ExplorerState
from explorer.theme import format_log_prob, format_probability
from explorer.token_text import visible
from explorer.worksheet.document import Block, Heading, Picture, Table, said
from explorer.worksheet.matrix import Matrix, matrix_svg, number_tables

_TITLES = {
    "cross": "Cross-attention",
    "self": "Masked self-attention",
    "encoder": "Self-attention of the encoder",
}
MOST_CANDIDATES = 20
"""Tokens of a sampling step that are printed."""


def decoding_blocks(data: DecodeViewData) -> Iterator[Block]:
    """All steps, the candidates of the shown one, and the shown attention."""
    yield Heading("Step by step")
    yield Table(
        ("step", "produced", "P", "log P", "log P so far"),
        tuple(
            (
                str(step),
                visible(token),
                format_probability(float(np.exp(log_prob))),
                format_log_prob(log_prob),
                total,
            )
            for step, (token, log_prob, total) in enumerate(
                zip(data.output_tokens, data.log_probs.tolist(), _totals(data), strict=True)
            )
        ),
        (1,),
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
    yield Picture(matrix_svg(matrix), data.sites[data.attention].format(layer=data.layer))
    yield from number_tables(matrix)


def _totals(data: DecodeViewData) -> tuple[str, ...]:
    return tuple(format_log_prob(total, total=True) for total in accumulate(data.log_probs.tolist()))


def _attention(data: DecodeViewData) -> Matrix:
    """The large matrix: one head of a layer, or the mean over its heads."""
    weights = getattr(data, ATTENTIONS[data.attention])[data.layer]
    head = "mean of the heads" if data.head is None else f"head {data.head}"
    values = weights.mean(axis=0) if data.head is None else weights[data.head]
    read = (data.bos, *data.output_tokens[:-1])
    rows = data.source_tokens if data.attention == "encoder" else data.output_tokens
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
    )


def sampling_blocks(output: SampledOutput, data: SamplingViewData, state: ExplorerState) -> Iterator[Block]:
    """One step from logits to the drawn token, and the number that drew it."""
    import torch

    step = data.step
    never = data.never
    config = sampling_config(state)
    drawing = config if config.temperature else replace(config, temperature=1.0, top_k=1, top_p=1.0)
    columns = sampling_pipeline(
        torch.from_numpy(output.logits[step : step + 1].copy()),
        drawing,
        torch.tensor([output.uniform[step]]),
        never=never,
    ).row(0)
    order = columns.scaled.masked_fill(~columns.allowed, -torch.inf).argsort(descending=True)[
        :MOST_CANDIDATES
    ]
    drawn = output.token_ids[step]
    top_k = "off" if state.top_k is None else str(state.top_k)
    yield Heading(f"Step {step} of {len(output.tokens)} tokens")
    yield said(
        f"Temperature {state.temperature:g}, top-k {top_k}, top-p {state.top_p:g}, seed {state.seed}. "
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
    yield said(f"Output: {data.text}")
    yield said(f"Greedy output: {data.greedy_text}")


def beam_blocks(tree: BeamTree) -> Iterator[Block]:
    """The verdict, the outputs that were found, and what every step kept."""
    yield Heading("The outputs")
    yield said(verdict(tree))
    named = [
        *((f"beam, {rank}", node) for rank, node in enumerate(tree.n_best, 1)),
        ("greedy", tree.greedy[-1]),
    ]
    yield Table(
        ("found by", "output", "log P", "score"),
        tuple(
            (
                name,
                visible_text(tree.nodes[node].text),
                format_log_prob(tree.nodes[node].log_prob, total=True),
                format_log_prob(tree.nodes[node].score, total=True),
            )
            for name, node in named
        ),
        (0, 1),
        f"Width {tree.width}, length penalty α = {tree.length_penalty:g}",
    )
    yield Heading("The search, step by step")
    ranked = sorted(
        (node for node in tree.nodes if node.rank is not None), key=lambda node: (node.step, node.rank)
    )
    yield Table(
        ("step", "rank", "text so far", "newest token", "log P", "score", ""),
        tuple(
            (
                str(node.step),
                str(node.rank),
                visible_text(node.text),
                visible(node.token),
                format_log_prob(node.log_prob, total=True),
                format_log_prob(node.score, total=True),
                node.fate,
            )
            for node in ranked
        ),
        (2, 3, 6),
    )


def visible_text(text: str) -> str:
    """A whole output, in which spaces stay spaces."""
    return " ".join(map(visible, text.split(" "))) if text else "∅"
