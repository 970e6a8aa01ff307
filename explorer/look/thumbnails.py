"""Small pictures of tensors as bytes: at most 32 columns, one byte a value, what is masked or no number marked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from explorer.tensors import Axis, Scale, TensorData

MAX_COLUMNS = 32
MAX_ROWS = 64
MASKED, NAN, TOP, MIDDLE = 255, 254, 252, 126
"""Codes of a preview: 0 to TOP are values, MIDDLE is the zero of a signed one."""


@dataclass(frozen=True, eq=False)
class Preview:
    """A small picture of recorded values.

    Attributes:
        codes: uint8 [rows, columns], or [head, rows, columns] for attention weights.
        scale: How codes become colours.
        limit: The value of the last colour; of the first one, too, with a minus, where the scale is signed.
        beyond: How many of the values here are larger than that.
        grows: Whether row t is computed at step t, so that later rows are not there yet.
    """

    codes: np.ndarray
    scale: Scale
    limit: float
    beyond: int = 0
    grows: bool = False


def thumbnail(tensor: TensorData, *, limit: float | None = None, grows: bool = False) -> Preview:
    """The first rows and columns of a tensor as one matrix.

    Its rows are positions, queries or keys; heads stand side by side. A vector is a single row.

    Args:
        tensor: With a stack of no layers.
        limit: Value of the last colour; None for the largest that is shown.
        grows: Whether row t is computed at step t.
    """
    values, hidden = as_matrix(tensor.values), None if tensor.hidden is None else as_matrix(tensor.hidden)
    return _preview(_window(values), None if hidden is None else _window(hidden), tensor.scale, limit, grows)


def heads_thumbnail(weights: TensorData, *, grows: bool) -> Preview:
    """Attention weights [head, query, key] as one small picture per head, each from 0 to 1."""
    window = (slice(None), slice(MAX_ROWS), slice(MAX_COLUMNS))
    hidden = None if weights.hidden is None else weights.hidden[window]
    return _preview(weights.values[window], hidden, "weight", 1.0, grows)


def common_limit(matrices: list[np.ndarray]) -> float:
    """A round number that all but 1 % of the values [row, column] stay below: the end of a shared scale."""
    sizes = np.concatenate([np.abs(_window(as_matrix(values))).ravel() for values in matrices])
    finite = sizes[np.isfinite(sizes)]
    size = float(np.quantile(finite, 0.99)) if finite.size else 0.0
    if size == 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(size))
    return float(next(step * power for step in (1, 2, 3, 5, 10) if step * power >= size))


def as_column(tensor: TensorData) -> TensorData:
    """One number per position as a matrix of a single column, so that positions run down here, too."""
    return replace(tensor, values=tensor.values[:, None], axes=(*tensor.axes, Axis("value", 1)))


def as_matrix(values: np.ndarray) -> np.ndarray:
    """A vector as one row; heads [head, row, column] side by side [row, head · column]."""
    if values.ndim <= 2:
        return np.atleast_2d(values)
    return values.swapaxes(0, 1).reshape(values.shape[1], -1)


def _window(matrix: np.ndarray) -> np.ndarray:
    return matrix[:MAX_ROWS, :MAX_COLUMNS]


def _preview(
    values: np.ndarray, hidden: np.ndarray | None, scale: Scale, limit: float | None, grows: bool
) -> Preview:
    shown = values if hidden is None else values[~hidden]
    sizes = np.abs(shown[np.isfinite(shown)])
    if limit is None:
        limit = 1.0 if scale != "signed" else float(sizes.max(initial=0.0)) or 1.0
    beyond = int((np.abs(shown) > limit * (1 + 1e-6)).sum())
    part = np.nan_to_num(np.clip(values / limit, -1, 1), nan=0.0)
    scaled = part * MIDDLE + MIDDLE if scale == "signed" else np.maximum(part, 0) * TOP
    codes = np.rint(scaled).astype(np.uint8)
    codes[np.isnan(values)] = NAN
    if hidden is not None:
        codes[hidden] = MASKED
    return Preview(codes, scale, limit, beyond, grows)
