"""Multiply-adds over the number of tokens, counted from a model's sizes alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.analysis.cache_cost import decoding_multiply_adds, encoder_parts, even_length
from core.config import TransformerConfig

LENGTHS = tuple(2**power for power in range(1, 15))
"""Tokens for which it is counted: of a short sentence to those of a long book chapter."""


LINEAR, ATTENTION = "encoder, linear maps", "encoder, scores and weighted sums"
CACHED, UNCACHED = "decoding, with the cache", "decoding, without"


@dataclass(frozen=True)
class Costs:
    """What a text takes, by its length.

    Attributes:
        lengths: Tokens of the source, and as many that are written.
        curves: Multiply-adds by what takes them, in the order in which they are named.
        even_at: Tokens at which the encoder's attention takes as much as its linear maps.
    """

    lengths: tuple[int, ...]
    curves: Mapping[str, tuple[int, ...]]
    even_at: int


def costs_by_length(config: TransformerConfig) -> Costs:
    """What texts of more and more tokens take, in a model of these sizes.

    It is counted for lengths that the model was never trained on as well: a product has its size, whatever it says.
    """
    parts = [encoder_parts(config, length) for length in LENGTHS]
    decoded = {
        use_cache: tuple(
            decoding_multiply_adds(config, length, length, use_cache=use_cache) for length in LENGTHS
        )
        for use_cache in (True, False)
    }
    curves = {
        LINEAR: tuple(linear for linear, _ in parts),
        ATTENTION: tuple(attention for _, attention in parts),
        CACHED: decoded[True],
        UNCACHED: decoded[False],
    }
    if not config.causal:  # No cache is valid where a token reads those after it.
        del curves[CACHED]
    return Costs(LENGTHS, curves, even_length(config))


def cost_words(costs: Costs) -> str:
    """What the curves say, in sentences."""
    base = TransformerConfig.base(src_vocab_size=4, tgt_vocab_size=4)  # The table has no part in it.
    text = (
        "Twice the tokens: twice the encoder’s linear maps, four times its scores and weighted sums, since each token "
        f"has one with every token. At {costs.even_at:,} tokens both take as much (2 · d_model + d_ff); in the paper’s "
        f"base model at {even_length(base):,}."
    )
    if CACHED not in costs.curves:
        return text
    times = costs.curves[UNCACHED][-1] / costs.curves[CACHED][-1]
    return (
        f"{text} Writing as many tokens takes {times:,.0f} times as much without the cache at "
        f"{costs.lengths[-1]:,} tokens, and that grows with every token."
    )
