"""Positional encodings: sinusoids (section 3.5), a learned table, or none."""

import warnings
from collections.abc import Callable
from typing import Self

import torch
from torch import Tensor, nn

from core.config import TransformerConfig
from core.errors import InputError

MAX_TABULATED = 4096
"""Positions kept in memory; further ones are computed when they are needed."""


def sinusoidal_table(first: int, length: int, d_model: int, *, dtype: torch.dtype = torch.float64) -> Tensor:
    """PE(p, 2i) = sin(p / 10000^(2i/d)), PE(p, 2i+1) = cos(same), for p from first: [length, d_model].

    Computed in float64 whatever the result's dtype, since p / 10000^(2i/d) loses digits as p grows,
    and on the CPU, since not every device has float64.
    """
    position = torch.arange(first, first + length, dtype=torch.float64, device="cpu")[:, None]
    even_dimension = torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu")
    angle = position / 10000 ** (even_dimension / d_model)  # [length, d_model / 2]
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).to(dtype)


class SinusoidalPositionalEncoding(nn.Module):
    """The fixed table of sines and cosines; it has no parameters and no last position."""

    table: Tensor

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.d_model = config.d_model
        rows = min(config.max_len, MAX_TABULATED)
        self.register_buffer("table", sinusoidal_table(0, rows, config.d_model), persistent=False)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Move or convert the table as torch does; compute it again where it comes from the meta device."""
        had_values = not self.table.is_meta
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        if not had_values and not self.table.is_meta:
            self.table = sinusoidal_table(0, len(self.table), self.d_model).to(self.table)
        return self

    def forward(self, length: int, first: int = 0) -> Tensor:
        """Rows first … first + length - 1: [length, d_model]."""
        if first + length <= len(self.table):
            return self.table[first : first + length]
        rows = sinusoidal_table(first, length, self.d_model, dtype=self.table.dtype)
        return rows.to(self.table.device)


class LearnedPositionalEncoding(nn.Module):
    """One learned vector per position; there is none beyond max_len."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(config.max_len, config.d_model))
        nn.init.normal_(self.weight, std=config.d_model**-0.5)

    def forward(self, length: int, first: int = 0) -> Tensor:
        """Rows first … first + length - 1: [length, d_model].

        Raises:
            InputError: when a position has no learned vector.
        """
        if first + length > len(self.weight):
            raise InputError(
                f"positions are learned up to length {len(self.weight)}, but {first + length} are needed; "
                "shorten the sequence or use sinusoidal positions"
            )
        return self.weight[first : first + length]


def positional_encoding(config: TransformerConfig) -> nn.Module | None:
    """The module that config.positional names, or None for a model that knows no order."""
    if config.positional == "none":
        return None
    return {"sinusoidal": SinusoidalPositionalEncoding, "learned": LearnedPositionalEncoding}[
        config.positional
    ](config)


def warn_of_last_position(config: TransformerConfig, max_length: int | None) -> None:
    """Warn the caller's caller that a target ended where learned positions do, if more tokens were asked for."""
    if config.positional == "learned" and max_length is not None and max_length > config.max_len:
        warnings.warn(
            f"an output ended after {config.max_len} tokens, before max_length {max_length}: the model has learned "
            "no further position",
            stacklevel=3,
        )
