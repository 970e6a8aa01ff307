"""Tensors as the arrays that are kept for all visitors."""

from __future__ import annotations

import numpy as np
from torch import Tensor


def array_of(values: Tensor) -> np.ndarray:
    """The same numbers as float32: bfloat16, which NumPy lacks, is widened, and float64 is shown as float32."""
    return read_only(values.detach().float().cpu().numpy())


def read_only(array: np.ndarray) -> np.ndarray:
    """The array, which nobody can write to any more: caches hand the same one to every visitor."""
    array.setflags(write=False)
    return array
