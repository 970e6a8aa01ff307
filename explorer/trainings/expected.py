"""How long trainings will take here, each measured once for all visitors of a server."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING

from core.data.tasks import get_task

if TYPE_CHECKING:
    from core.data.dataset import Dataset
    from core.run_description import RunDescription
    from core.training.expected_time import PartTimes

MOST_KEPT = 256


class ExpectedTimes:
    """What was measured lately; any number of threads may ask."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, PartTimes | None] = OrderedDict()
        self._measuring = threading.Lock()

    def of(self, description: RunDescription, dataset: Dataset | None = None) -> PartTimes | None:
        """The times of a training's parts; None where it is so large that nobody should wait for its measurement.

        Args:
            description: What is trained, and how.
            dataset: The pairs of a run that learns somebody's own.
        """
        from core.training.expected_time import part_times

        source, target = typical_lengths(description, dataset)
        training = description.train_config
        sizes = {
            "n_validation": training.n_validation,
            "n_test": training.n_test,
            "source_tokens": source,
            "target_tokens": target,
        }
        key = (description.config, training.batch_size, *sizes.values())
        # One at a time: many visitors who measure at once would each wait as long as all of them.
        with self._measuring:
            if key not in self._known:
                found = part_times(description.config, training.batch_size, **sizes)
                self._known[key] = found
                if len(self._known) > MOST_KEPT:
                    self._known.popitem(last=False)
            return self._known[key]


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
