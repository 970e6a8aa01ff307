"""The number type of a training's matrix products: whether it is worth its name on this device."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from core.config import TransformerConfig
    from core.run_description import RunDescription

ROWS = 256
"""Tokens of the batch whose matrix products are timed."""
TRIES = 5
"""Measurements of each number type; the fastest counts, since other work only slows one down."""


def precision_warning(description: RunDescription, device: torch.device) -> str:
    """Return a sentence where bfloat16 makes a training on this CPU slower; empty for any other training.

    Measures one pair of matrix products of the model's own size, which takes milliseconds.
    """
    if description.train_config.dtype != "bfloat16" or device.type != "cpu":
        return ""
    usual, half = (_seconds(description.config, enabled=enabled) for enabled in (False, True))
    if half <= usual:
        return ""
    return (
        f"bfloat16 is slower than float32 on this CPU: a matrix product of this model takes {half / usual:.1f} times "
        "as long; leave out --dtype."
    )


def _seconds(config: TransformerConfig, *, enabled: bool) -> float:
    """Return the seconds of one linear map of the model, forwards and backwards."""
    # Its weights are drawn, and the training's random numbers must be the same with and without the measurement.
    with torch.random.fork_rng(devices=[]):
        linear = nn.Linear(config.d_model, config.d_ff)
        rows = torch.randn(ROWS, config.d_model)

    def update() -> None:
        with torch.autocast("cpu", torch.bfloat16, enabled=enabled):
            products = linear(rows)
        products.float().sum().backward()

    update()  # The first call prepares kernels.
    return min(_timed(update) for _ in range(TRIES))


def _timed(act: Callable[[], None]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start
