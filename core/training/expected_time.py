"""How long a training will take on this machine, from a few of its updates made on random tokens."""

from __future__ import annotations

import time

import torch

from core.config import TrainConfig, TransformerConfig
from core.data.batching import Batch
from core.data.vocabulary import Vocabulary
from core.model.random_numbers import DrawnFrom, drop_from
from core.model.transformer import Transformer, expected_parameters
from core.training.trainer import Trainer

N_TIMED = 3
MOST_WORK = 10**9
"""Parameters times tokens of a batch: beyond, even a few updates would keep whoever asks waiting."""
MOST_PARAMETERS = 10**7
"""Beyond, the throw-away model with its gradient and Adam's moments would take more than 160 MB."""


def seconds_per_update(
    config: TransformerConfig, batch_size: int, *, source_tokens: int, target_tokens: int
) -> float | None:
    """Processor seconds of one update on one core: the median of a few, after one that warms up.

    The model is a throw-away one with random tokens; how long an update takes does not depend on what it learns.

    Args:
        config: Of the model.
        batch_size: Rows of a batch.
        source_tokens: Of a row; so are target_tokens.

    Returns:
        None where that would take more than `MOST_WORK`, or the model has more than `MOST_PARAMETERS`.
    """
    parameters = expected_parameters(config)
    if parameters > MOST_PARAMETERS or parameters * batch_size * (source_tokens + target_tokens) > MOST_WORK:
        return None
    generator = torch.Generator().manual_seed(0)
    with DrawnFrom(generator):
        model = Transformer(config)
    drop_from(model, generator)
    trainer = Trainer(model, TrainConfig(batch_size=batch_size))
    batch = _random_batch(config, batch_size, source_tokens, target_tokens, generator)
    trainer.update(batch)
    seconds = sorted(_timed(trainer, batch) for _ in range(N_TIMED))
    return seconds[N_TIMED // 2]


def _random_batch(
    config: TransformerConfig, rows: int, source_tokens: int, target_tokens: int, generator: torch.Generator
) -> Batch:
    source, target = (max(1, min(length, config.max_len)) for length in (source_tokens, target_tokens))
    src = torch.randint(Vocabulary.eos_id, config.src_vocab_size, (rows, source), generator=generator)
    tgt = torch.randint(Vocabulary.eos_id, config.tgt_vocab_size, (rows, target), generator=generator)
    return Batch(src, tgt, tgt, rows * target)


def _timed(trainer: Trainer, batch: Batch) -> float:
    # Of this thread alone: what else the machine does meanwhile is not the training's.
    start = time.thread_time()
    trainer.update(batch)
    return time.thread_time() - start
