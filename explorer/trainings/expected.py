"""How long trainings will take here, each measured once for all visitors of a server."""

from __future__ import annotations

import threading
from functools import lru_cache

from core.config import TransformerConfig
from core.data.dataset import Dataset
from core.data.tasks import get_task
from core.run_description import RunDescription
from core.training.expected_time import PartTimes, part_times

MOST_KEPT = 256


class ExpectedTimes:
    """What was measured lately; any number of threads may ask."""

    def __init__(self) -> None:
        self._known = lru_cache(maxsize=MOST_KEPT)(_measured)
        self._measuring = threading.Lock()

    def of(self, description: RunDescription, dataset: Dataset | None = None) -> PartTimes | None:
        """The times of a training's parts; None where it is so large that nobody should wait for its measurement.

        Args:
            description: What is trained, and how.
            dataset: The pairs of a run that learns somebody's own.
        """
        source, target = typical_lengths(description, dataset)
        training = description.train_config
        # One at a time: many visitors who measure at once would each wait as long as all of them.
        with self._measuring:
            return self._known(
                description.config,
                training.batch_size,
                n_validation=training.n_validation,
                n_test=training.n_test,
                source_tokens=source,
                target_tokens=target,
            )


def _measured(config: TransformerConfig, batch_size: int, **sizes: int) -> PartTimes | None:
    return part_times(config, batch_size, **sizes)


def typical_lengths(description: RunDescription, dataset: Dataset | None = None) -> tuple[int, int]:
    """Tokens of a source and of a target, as they are in the mean, with EOS or BOS."""
    if dataset is None:
        task = get_task(description.task)
        pairs = [pair for source in description.probes if (pair := task.reference(source)) is not None]
    else:
        pairs = list(dataset.splits.validation)
    sources = [len(description.src_tokenizer.encode(pair.source)) for pair in pairs]
    targets = [len(description.tgt_tokenizer.encode(pair.target)) for pair in pairs]
    return round(sum(sources) / len(pairs)) + 1, round(sum(targets) / len(pairs)) + 1
