"""The numbers of the positions: what is added for one, for each kind of position that a model can have."""

from __future__ import annotations

import math

import numpy as np

from explorer.explanations.printing import WEIGHT_DECIMALS, at_source, length_of, printed
from explorer.explanations.scene import Numbers, Piece, Scene, Shown, number
from explorer.theme import format_count, format_signed


def positions(scene: Scene) -> Numbers:
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
