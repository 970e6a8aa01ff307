"""What the page of positions says in words and curves: wavelengths, products by distance, three kinds compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from core.analysis.position_geometry import learned_position_parameters, similarity_by_distance, wavelengths
from core.config import Positional, TransformerConfig
from core.errors import InputError
from core.model.positional_encoding import sinusoidal_table
from core.model.shapes import expected_parameters
from explorer.look.theme import format_signed
from explorer.models.recorded import Recorded
from explorer.views.positions.rows import learned_table, position_rows

SAME_ORDER = 1e-9
"""Differences in float64 below this are rounding."""
N_SHOWN = 4


@dataclass(frozen=True)
class Kind:
    """One of the three ways to tell a model about positions.

    Attributes:
        positional: Its name in the configuration.
        title: For the visitor.
        own: Whether the model that is looked at has it.
        cost: What it takes to learn, in one sentence.
        beyond: What happens past the last position that was there in training, in one or two.
    """

    positional: Positional
    title: str
    own: bool
    cost: str
    beyond: str

    def order(self, difference: float) -> str:
        """What the order of the tokens means to an untrained encoder, given the measured difference."""
        size = format_signed(difference)
        measured = f"Read backwards, a token's vector after an untrained encoder differs by {size} at most"
        if difference < SAME_ORDER:
            return f"{measured}: rounding. Order means nothing to it."
        return f"{measured}: order matters."


def wave_pairs(config: TransformerConfig, pairs: Sequence[int]) -> dict[int, float | None]:
    """The wavelengths of some pairs; a learned table has none."""
    if config.positional == "learned":
        return dict.fromkeys(pairs)
    lengths = wavelengths(config.d_model).tolist()
    return {pair: lengths[pair] for pair in pairs}


def product_curves(recorded: Recorded, length: int) -> tuple[dict[str, tuple[np.ndarray, np.ndarray]], str]:
    """Mean product and spread, both [distance], by name, and a sentence with the largest spread.

    The model's own positions; of a model without any, what sinusoids would be.
    """
    config = recorded.run.config
    if config.positional == "learned":
        rows = torch.tensor(position_rows(recorded, length), dtype=torch.float64)
        name = "learned positions"
    else:
        rows, name = sinusoidal_table(0, length, config.d_model), "sinusoids"
    means, spreads = similarity_by_distance(rows)
    largest = float(spreads.max())
    sentence = (
        f"Over all pairs of the first {length} positions, products at the same distance differ by "
        f"{format_signed(largest)} at most: they depend on the distance "
        + ("alone." if largest < SAME_ORDER else "and on the place.")
    )
    return {name: (means.numpy(), spreads.numpy())}, sentence


def kinds_compared(recorded: Recorded) -> tuple[Kind, Kind, Kind]:
    """Sinusoids, learned positions and none, for this model's sizes."""
    config = recorded.run.config
    own = config.positional
    return (
        Kind(
            "sinusoidal",
            "Sinusoids",
            own == "sinusoidal",
            "Nothing to learn: 0 parameters.",
            _sinusoids_go_on(config),
        ),
        Kind("learned", "Learned", own == "learned", _learned_cost(config), _learned_ends(recorded)),
        Kind(
            "none",
            "None",
            own == "none",
            "Nothing to learn: 0 parameters.",
            "There is nothing that could end, and in the encoder nothing that tells one place from another.",
        ),
    )


def _learned_cost(config: TransformerConfig) -> str:
    cost, total = learned_position_parameters(config), expected_parameters(config)
    without = total - (cost if config.positional == "learned" else 0)
    return (
        f"{config.max_len} positions × {config.d_model} numbers on each side: {cost:,} parameters, "
        f"{cost / without:.1%} on top of the other {without:,}."
    )


def _sinusoids_go_on(config: TransformerConfig) -> str:
    if config.d_model % 2:
        return f"They pair a sine with a cosine, so this model's width of {config.d_model} has none."
    numbers = sinusoidal_table(config.max_len, 1, config.d_model)[0, :N_SHOWN].tolist()
    return (
        f"They go on for ever: position {config.max_len}, beyond max_len, begins "
        f"{', '.join(map(format_signed, numbers))}. That the model makes sense of it is not promised."
    )


def _learned_ends(recorded: Recorded) -> str:
    """The core's own words for a position that has no vector."""
    table = learned_table(recorded)
    try:
        table(recorded.run.config.max_len + 1)
    except InputError as error:
        return f"One position more, and the model refuses: “{error}.”"
    raise AssertionError("a learned table has a last position")
