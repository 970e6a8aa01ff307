r"""The words of the room at four depths: idea, numbers, formula, code."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from core.config import TransformerConfig
from core.model import positional_encoding
from core.model.embedding import Embedding
from explorer.explaining.formula import Formula, Sizes, space
from explorer.explaining.printing import WEIGHT_DECIMALS, at_source, length_of, printed
from explorer.explaining.scene import Numbers, Scene, Shown
from explorer.look.pieces import Piece, number
from explorer.look.theme import format_count, format_signed

IDEA = (
    "A vector that depends only on the position is added to each token’s vector. Attention without a mask "
    "does not see the order of what it reads; without this, two orders of the same words would look alike "
    "to the encoder."
)
"""What it does and why it is there, in two sentences."""


def numbers(scene: Scene) -> Numbers:
    """What the position adds, and how fast its waves turn."""
    kind = scene.recorded.run.config.positional
    return {"sinusoidal": _waves, "learned": _learned_position, "none": _no_position}[kind](scene)


def _waves(scene: Scene) -> Numbers:
    position, size = scene.source_position, scene.recorded.run.config.d_model
    row = scene.recorded.values("src_embed.positions")[position]
    slowest = 2 * math.pi * 10000 ** ((size - 2) / size)
    shown = format_signed(float(row[0]))
    return Numbers(
        (
            *at_source(scene),
            Piece(" gets the sine of its position "),
            number(shown),
            Piece(" in place 0 and the cosine "),
            number(format_signed(float(row[1]))),
            Piece(" in place 1. This fastest wave comes back after "),
            number(f"{2 * math.pi:.2f}"),
            Piece(f" positions, the slowest, in places {size - 2} and {size - 1}, after "),
            number(f"{slowest:,.0f}"),
            Piece("."),
        ),
        printed(shown, "src_embed.positions", (0, position, 0), float(row[0])),
    )


def _learned_position(scene: Scene) -> Numbers:
    position, config = scene.source_position, scene.recorded.run.config
    row = scene.recorded.values("src_embed.positions")[position]
    shown = format_signed(float(row[0]))
    return Numbers(
        (
            *at_source(scene),
            Piece(
                f" gets row {position} of a learned table of {format_count(config.max_len)} rows, of length "
            ),
            number(f"{length_of(row):.{WEIGHT_DECIMALS}f}"),
            Piece(". Its first number is "),
            number(shown),
            Piece("; beyond the table there is no position."),
        ),
        printed(shown, "src_embed.positions", (0, position, 0), float(row[0])),
    )


def _no_position(scene: Scene) -> Numbers:
    position = scene.source_position
    values = scene.recorded.values
    difference = float(np.abs(values("src_embed.output") - values("src_embed.tokens")).max())
    shown = format_signed(difference)
    line = 'recorded.activations["src_embed.output"] - recorded.activations["src_embed.tokens"]'
    return Numbers(
        (
            *at_source(scene),
            Piece(f" gets nothing for standing at position {position}: this model has no positions. "),
            Piece("Largest difference between the vectors with and without one: "),
            number(shown),
            Piece("."),
        ),
        Shown(shown, (f"difference = {line}", 'print(f"{difference.abs().max().item():.3f}")')),
    )


def formula(sizes: Sizes) -> Formula:
    """Sines and cosines, a learned table, or nothing."""
    config = sizes.config
    added = ("P", "what the positions add, one row for each")
    if config.positional == "none":
        return Formula(
            "Not in the paper: a model without positions",
            ("x_p = e_p",),
            (rf"x_p = e_p, \quad x_p \in \mathbb{{R}}^{{{config.d_model}}}",),
            (
                ("x_p", "what the first layer reads at position p"),
                ("e_p", "vector of the token, times the square root of its size"),
            ),
        )
    if config.positional == "learned":
        return Formula(
            "Section 3.5, the learned alternative",
            ("x_p = e_p + P_p",),
            ("x_p = e_p + P_p", rf"P \in {space(config.max_len, config.d_model)}"),
            (("e_p", "vector of the token at position p"), added, ("x_p", "what the first layer reads")),
        )

    def waves(size: object) -> tuple[str, ...]:
        return (
            rf"PE_{{p,\,2i}} = \sin\!\left(p / 10000^{{2i/{size}}}\right)",
            rf"PE_{{p,\,2i+1}} = \cos\!\left(p / 10000^{{2i/{size}}}\right)",
        )

    last = (config.d_model - 1) // 2
    return Formula(
        "Section 3.5",
        waves(r"d_{\text{model}}"),
        (*waves(config.d_model), rf"i = 0, \dots, {last}, \quad p = 0, \dots, {sizes.n_source - 1}"),
        (
            ("p", "position, from 0"),
            ("i", "number of the pair of places: one sine, one cosine"),
            (r"d_{\text{model}}", "numbers in a vector"),
            ("PE", "what is added to the vectors of the tokens"),
        ),
    )


def functions(config: TransformerConfig) -> tuple[Callable[..., object], ...]:
    """What a model with this configuration runs here, in the order of the computation."""
    if config.positional == "none":
        return (Embedding.forward,)
    if config.positional == "learned":
        return (positional_encoding.LearnedPositionalEncoding.forward, Embedding.forward)
    return (
        positional_encoding.sinusoidal_table,
        positional_encoding.SinusoidalPositionalEncoding.forward,
        Embedding.forward,
    )
