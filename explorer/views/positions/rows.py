"""The rows that positions add: the model's own, sinusoids to any length, learned ones, and rows that are turned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.analysis.position_geometry import rotate, rotation
from core.config import TransformerConfig
from core.errors import InputError
from core.model.positional_encoding import LearnedPositionalEncoding, sinusoidal_table
from core.model.random_numbers import DrawnFrom
from explorer.models.arrays import array_of
from explorer.models.recorded import Recorded

MAX_LENGTH = 128
"""Positions that a table may show."""
LEARNED_SEED = 0
"""Seed of learned positions that no training has touched."""


@dataclass(frozen=True, eq=False)
class Shift:
    """PE(p) turned by R_k, beside the real PE(p + k).

    Attributes:
        matrices: R_k, one a pair [pair, to, from].
        before: PE(p) [position, d_model].
        predicted: R_k·PE(p), of the same shape.
        real: PE(p + k), of the same shape.
    """

    matrices: Tensor
    before: Tensor
    predicted: Tensor
    real: Tensor

    @property
    def largest_difference(self) -> float:
        """Between any predicted number and the real one, in float64."""
        return float((self.predicted - self.real).abs().max())


def shift(d_model: int, offset: int, length: int) -> Shift:
    """Turn the first positions by an offset.

    Raises:
        InputError: when d_model is odd.
    """
    matrices, before = rotation(offset, d_model), sinusoidal_table(0, length, d_model)
    return Shift(matrices, before, rotate(matrices, before), sinusoidal_table(offset, length, d_model))


def longest_table(config: TransformerConfig) -> int:
    """How many positions a table can show: learned ones end at max_len."""
    return min(MAX_LENGTH, config.max_len) if config.positional == "learned" else MAX_LENGTH


def trained_positions(recorded: Recorded) -> int:
    """Source positions that the model was made for, that of EOS included."""
    return recorded.run.max_source_tokens + 1


def position_rows(recorded: Recorded, length: int) -> np.ndarray:
    """What the model adds at the first positions; of a model without any, what sinusoids would be.

    Returns:
        [position, d_model], float32.

    Raises:
        InputError: when positions are learned and there are not so many; or there are none, and d_model is odd.
    """
    positional = recorded.run.model.src_embed.positional
    if positional is not None:
        return array_of(positional(length))
    return array_of(sinusoidal_table(0, length, _even(recorded.run.config.d_model)))


def learned_rows(recorded: Recorded, length: int) -> tuple[np.ndarray, bool]:
    """A learned table [position, d_model], and whether it is this model's own rather than a fresh one.

    Raises:
        InputError: when positions are learned only for fewer; the core's own sentence.
    """
    module = learned_table(recorded)
    return array_of(module(length)), module is recorded.run.model.src_embed.positional


def learned_table(recorded: Recorded) -> LearnedPositionalEncoding:
    """The model's own learned positions, or freshly initialised ones of its size."""
    own = recorded.run.model.src_embed.positional
    if isinstance(own, LearnedPositionalEncoding):
        return own
    with DrawnFrom(torch.Generator().manual_seed(LEARNED_SEED)):
        return LearnedPositionalEncoding(recorded.run.config).requires_grad_(False)


def _even(d_model: int) -> int:
    if d_model % 2:
        raise InputError(f"there are no sinusoids of the odd width {d_model}")
    return d_model
