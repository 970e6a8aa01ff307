"""Splits: training, validation and test pairs of a task that share no source."""

from __future__ import annotations

import random
from dataclasses import dataclass

from core.data.tasks.task import Pair, Task
from core.errors import ConfigError

# A stream that repeats itself this many times in a row has, for all we can tell, nothing new to say.
MAX_REPEATS = 10_000


@dataclass(frozen=True)
class Splits:
    """Three tuples of pairs; every source occurs once, in one of them."""

    train: tuple[Pair, ...]
    validation: tuple[Pair, ...]
    test: tuple[Pair, ...]


def split_pairs(task: Task, seed: int, n_train: int, n_validation: int, n_test: int) -> Splits:
    """Draw distinct sources from the task's stream and deal them out; a seed gives the same splits each time.

    Raises:
        ConfigError: a count is negative, or the task has too few distinct sources.
    """
    if min(n_train, n_validation, n_test) < 0:
        raise ConfigError("ask for zero or more pairs in each split")
    rng = random.Random(seed)
    pairs = _distinct_pairs(task, rng, n_train + n_validation + n_test)
    # Sources drawn late are rarer ones, so without the shuffle the three splits would differ in kind.
    rng.shuffle(pairs)
    end_train, end_validation = n_train, n_train + n_validation
    return Splits(
        tuple(pairs[:end_train]), tuple(pairs[end_train:end_validation]), tuple(pairs[end_validation:])
    )


def _distinct_pairs(task: Task, rng: random.Random, count: int) -> list[Pair]:
    pairs: dict[str, Pair] = {}
    repeats = 0
    while len(pairs) < count:
        pair = task.sample(rng)
        repeats = repeats + 1 if pair.source in pairs else 0
        if repeats > MAX_REPEATS:
            raise ConfigError(f"ask task {task.name} for at most {len(pairs)} distinct pairs, not {count}")
        pairs.setdefault(pair.source, pair)
    return list(pairs.values())
