"""How long a training will take on this machine, from a few of its steps made on random tokens."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

import torch
from torch import Tensor

from core.config import DecodeConfig, TrainConfig, TransformerConfig
from core.data.batching import Batch
from core.data.vocabulary import Vocabulary
from core.decoding.autoregressive import decode_steps
from core.decoding.together import TOGETHER
from core.model.random_numbers import DrawnFrom, drop_from
from core.model.shapes import expected_parameters
from core.model.transformer import Transformer
from core.training.least_time import timed
from core.training.plan import N_PROBES
from core.training.trainer import Trainer

N_TIMED = 3
MOST_WORK = 10**9
"""Parameters times tokens of a batch: beyond, even a few updates would keep whoever asks waiting."""
MOST_PARAMETERS = 10**7
"""Beyond, the throw-away model with its gradient and Adam's moments would take more than 160 MB."""


@dataclass(frozen=True)
class PartTimes:
    """Processor seconds of the parts of a training on one core.

    Attributes:
        update: Of one.
        validation: Of one look at the validation pairs and the fixed sources.
        test: Of the look at the test pairs in the end.
    """

    update: float
    validation: float
    test: float

    def of_updates(self, training: TrainConfig) -> float:
        """Seconds of all updates of the training."""
        return training.steps * self.update

    def of_validations(self, training: TrainConfig) -> float:
        """Seconds of all validations and of the test at the end."""
        return n_validations(training) * self.validation + self.test

    def of(self, training: TrainConfig) -> float:
        """Seconds of a whole training."""
        return self.of_updates(training) + self.of_validations(training)


def n_validations(training: TrainConfig) -> int:
    """Looks at the validation pairs; the last update is always followed by one."""
    return math.ceil(training.steps / training.validate_every)


def part_times(
    config: TransformerConfig,
    batch_size: int,
    *,
    n_validation: int,
    n_test: int,
    source_tokens: int,
    target_tokens: int,
) -> PartTimes | None:
    """How long the parts of a training take; what the model learns makes no difference to an update.

    An output is taken to be half as long again as its target, which is where a look ends at the latest.

    Args:
        config: Of the model.
        batch_size: Rows of a batch.
        n_validation: Validation pairs.
        n_test: Test pairs.
        source_tokens: Of a row.
        target_tokens: Of a row.

    Returns:
        None where the model has more than `MOST_PARAMETERS`, or a single row is more than `MOST_WORK`.
    """
    source, target = (max(1, min(length, config.max_len)) for length in (source_tokens, target_tokens))
    parameters = expected_parameters(config)
    most_rows = MOST_WORK // (parameters * (source + target))
    if parameters > MOST_PARAMETERS or not most_rows:
        return None
    sample = _Sample(config, source, target, most_rows)
    update = sample.update_seconds(batch_size)
    validation, probes, test = map(sample.validation_seconds, (n_validation, N_PROBES, n_test))
    return PartTimes(update, validation + probes, test)


class _Sample:
    """A throw-away model with random weights, and rows of random tokens to time it with.

    Of more rows than the most, that many are timed and the others counted like them. Where a row is not all the
    work, that is too much rather than too little.
    """

    def __init__(self, config: TransformerConfig, source: int, target: int, most_rows: int) -> None:
        self.config, self.source, self.target, self.most_rows = config, source, target, most_rows
        self.generator = torch.Generator().manual_seed(0)
        with DrawnFrom(self.generator):
            self.model = Transformer(config)
        drop_from(self.model, self.generator)

    def update_seconds(self, batch_size: int) -> float:
        """The median of a few updates, after one that warms up."""
        rows = min(batch_size, self.most_rows)
        src, tgt = self.sources(rows), self.targets(rows)
        batch = Batch(src, tgt, tgt, rows * self.target)
        trainer = Trainer(self.model, TrainConfig(batch_size=rows))
        trainer.update(batch)
        seconds = statistics.median(timed(lambda: trainer.update(batch)) for _ in range(N_TIMED))
        return seconds * batch_size / rows

    def validation_seconds(self, n_pairs: int) -> float:
        """Seconds of decoding so many sources and of computing the loss of their targets."""
        rows = min(n_pairs, TOGETHER, self.most_rows)
        src, tgt = self.sources(rows), self.targets(rows)
        model, n_steps = self.model.eval(), self.target * 3 // 2 + 5
        steps = decode_steps(model, src, DecodeConfig(max_length=n_steps))
        # The first of them reads the sources as well. Weights that are random hardly ever end all rows at once.
        first, *others = (timed(lambda: next(steps, None)) for _ in range(1 + N_TIMED))
        with torch.no_grad():
            loss = timed(lambda: model(src, tgt))
        seconds = first + (n_steps - 1) * statistics.median(others) + loss
        return seconds * n_pairs / rows

    def sources(self, rows: int) -> Tensor:
        """Draw random source ids [row, position] that end in eos."""
        ids = self._ids(rows, self.source)
        ids[:, -1] = Vocabulary.eos_id
        return ids

    def targets(self, rows: int) -> Tensor:
        """Draw random target ids [row, position] that begin with bos."""
        ids = self._ids(rows, self.target)
        ids[:, 0] = Vocabulary.bos_id
        return ids

    def _ids(self, rows: int, length: int) -> Tensor:
        """Draw random tokens [row, position] that both vocabularies have."""
        most = min(self.config.src_vocab_size, self.config.tgt_vocab_size)
        return torch.randint(Vocabulary.eos_id, most, (rows, length), generator=self.generator)
