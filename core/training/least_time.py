"""The least that a training takes on this machine: its matrix products at the rate that is measured here.

For models that are too large to be tried (`core.training.expected_time`): nothing of them is made.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch

from core.config import TransformerConfig

N_TIMED = 5
ROWS = 256
PASSES = 3
"""Forward, and twice as much backward: by the inputs and by the weights."""


def multiply_adds(config: TransformerConfig, *, sources: int, targets: int) -> int:
    """Multiply-adds of the learned matrices in a forward pass over so many source and target tokens."""
    d, own, network = config.d_model, 4 * config.d_model**2, 2 * config.d_model * config.d_ff
    encoder = sources * config.n_encoder_layers * (own + network)
    # Of cross-attention the queries and W_O are for each target token, keys and values for each source token.
    decoder = config.n_decoder_layers * (targets * (own + own // 2 + network) + sources * own // 2)
    return encoder + decoder + targets * d * config.tgt_vocab_size


def rate() -> float:
    """Multiply-adds per second of this thread in products of the shape that a feed-forward network has."""
    x, w = torch.ones(ROWS, 512), torch.ones(512, 1024)
    torch.mm(x, w)
    seconds = statistics.median(timed(lambda: torch.mm(x, w)) for _ in range(N_TIMED))
    return ROWS * 512 * 1024 / max(seconds, 1e-6)


def least_seconds(
    config: TransformerConfig, *, steps: int, batch_size: int, source_tokens: int, target_tokens: int
) -> float:
    """Seconds of one core that the updates take at least.

    Args:
        config: Of the model.
        steps: Updates.
        batch_size: Pairs in each.
        source_tokens: Of a pair, in the mean.
        target_tokens: Likewise.
    """
    tokens = {"sources": batch_size * source_tokens, "targets": batch_size * target_tokens}
    return steps * PASSES * multiply_adds(config, **tokens) / rate()


def timed(act: Callable[[], object]) -> float:
    """Processor seconds of this thread alone: what else the machine does meanwhile is not the training's."""
    start = time.thread_time()
    act()
    return time.thread_time() - start
