"""Figures of a tensor: extremes, mean, spread, norms, and how many of its numbers are zero, masked or no numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from explorer.look.theme import format_count, format_signed

_CHUNK = 2**20
"""Numbers that are widened to float64 at once."""
NONE = "–"


@dataclass(frozen=True)
class TensorStatistics:
    """Figures of one tensor, or of a part of it.

    Minimum, maximum, mean, standard deviation, norms and zeros are of the finite numbers that are not masked.

    Attributes:
        shape: Of the array.
        count: Of all its numbers.
        masked: How many are masked; these are in none of the figures below.
        nan: How many are not a number; so positive_infinity and negative_infinity.
        zeros: How many are exactly 0.
        minimum: NaN where there is no number at all; so maximum, mean and std.
        std: Square root of the biased variance.
        l1: Sum of sizes.
        l2: Square root of the sum of squares.
    """

    shape: tuple[int, ...]
    count: int
    masked: int
    nan: int
    positive_infinity: int
    negative_infinity: int
    zeros: int
    minimum: float
    maximum: float
    mean: float
    std: float
    l1: float
    l2: float

    @property
    def finite(self) -> int:
        """How many numbers the figures are of."""
        return self.count - self.masked - self.nan - self.positive_infinity - self.negative_infinity

    @property
    def zero_share(self) -> float:
        """Share of exact zeros among them; NaN where there are none."""
        return self.zeros / self.finite if self.finite else math.nan


def statistics(values: np.ndarray, hidden: np.ndarray | None = None) -> TensorStatistics:
    """The figures of an array.

    Args:
        values: Any shape.
        hidden: True where masked, of the same shape; None for nowhere.

    Raises:
        ValueError: when the mask has another shape.
    """
    if hidden is not None and hidden.shape != values.shape:
        raise ValueError(f"the mask has the shape {hidden.shape}, the values {values.shape}")
    shown = values.ravel() if hidden is None else values[~hidden]
    finite = shown[np.isfinite(shown)]
    chunks = [finite[at : at + _CHUNK] for at in range(0, finite.size, _CHUNK)]
    mean = (
        math.fsum(float(chunk.sum(dtype=np.float64)) for chunk in chunks) / finite.size
        if chunks
        else math.nan
    )
    spread = math.fsum(float(np.square(chunk.astype(np.float64) - mean).sum()) for chunk in chunks)
    squares = math.fsum(float(np.square(chunk.astype(np.float64)).sum()) for chunk in chunks)
    return TensorStatistics(
        shape=values.shape,
        count=values.size,
        masked=0 if hidden is None else int(np.count_nonzero(hidden)),
        nan=int(np.count_nonzero(np.isnan(shown))),
        positive_infinity=int(np.count_nonzero(shown == np.inf)),
        negative_infinity=int(np.count_nonzero(shown == -np.inf)),
        zeros=int(np.count_nonzero(finite == 0)),
        minimum=float(finite.min()) if chunks else math.nan,
        maximum=float(finite.max()) if chunks else math.nan,
        mean=mean,
        std=math.sqrt(spread / finite.size) if chunks else math.nan,
        l1=math.fsum(float(np.abs(chunk.astype(np.float64)).sum()) for chunk in chunks),
        l2=math.sqrt(squares),
    )


def statistics_columns(of: dict[str, tuple[TensorStatistics, str]]) -> dict[str, list[str]]:
    """The figures as a table, a column for each array.

    Args:
        of: By the head of the column: the figures, and the dtype.
    """
    rows = ["shape", "dtype", "numbers", "masked", "not a number", "+∞", "−∞", "exact zeros"]
    rows += ["minimum", "maximum", "mean", "standard deviation", "L1 norm", "L2 norm"]
    return {"figure": rows} | {head: _column(each, dtype) for head, (each, dtype) in of.items()}


def _column(each: TensorStatistics, dtype: str) -> list[str]:
    counts = (each.count, each.masked, each.nan, each.positive_infinity, each.negative_infinity)
    figures = (each.minimum, each.maximum, each.mean, each.std, each.l1, each.l2)
    zeros = format_count(each.zeros) + (f" (share {each.zero_share:.3f})" if each.zeros else "")
    return [
        "×".join(map(format_count, each.shape)) or "1",
        dtype,
        *map(format_count, counts),
        zeros,
        *(NONE if math.isnan(figure) else format_signed(figure) for figure in figures),
    ]
