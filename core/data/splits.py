"""Splits: training, validation and test pairs of a task that share no source."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.data.tasks.task import Compositional, Pair, Task
from core.errors import ConfigError
from core.notebook import Brief

# A stream that repeats itself this many times in a row has, for all we can tell, nothing new to say.
MAX_REPEATS = 10_000
MAX_PAIRS = 500_000
"""Most pairs of all splits together: beyond, a slip of the keyboard would fill the memory."""


@dataclass(frozen=True, repr=False)
class Splits(Brief):
    """Tuples of pairs; no source is in two of them.

    A source with several targets is several pairs of `train`, or one pair of another split that accepts them all.

    `unseen` holds the pairs with a combination of words that occurs in no other split; it is empty where
    nothing was kept out.
    """

    train: tuple[Pair, ...]
    validation: tuple[Pair, ...]
    test: tuple[Pair, ...]
    unseen: tuple[Pair, ...] = ()


def by_source(pairs: Iterable[Pair]) -> Iterable[Sequence[Pair]]:
    """Group pairs by their source, in the order in which the sources first occur."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.source, []).append(pair)
    return groups.values()


def accept_all_targets(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Merge the pairs of each source into one that accepts every target, the first one first."""
    return tuple(_merged(group) for group in by_source(pairs))


def separate_targets(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return the pairs that `accept_all_targets` has merged, one for each target."""
    return tuple(
        replace(pair, target=target, others=()) if pair.others else pair
        for pair in pairs
        for target in pair.accepted
    )


def _merged(group: Sequence[Pair]) -> Pair:
    first = group[0]
    others = dict.fromkeys(target for pair in group for target in pair.accepted)
    credits = dict.fromkeys(pair.attribution for pair in group if pair.attribution)
    return replace(
        first,
        others=tuple(target for target in others if target != first.target),
        attribution="; ".join(credits),
    )


def split_pairs(
    task: Task, seed: int, n_train: int, n_validation: int, n_test: int, *, unseen_pairs: bool = False
) -> Splits:
    """Draw distinct sources from the task's stream and deal them out; a seed gives the same splits each time.

    With `unseen_pairs`, every pair with one of the task's unseen combinations is kept out of the three
    splits, and `n_test` of them are the split `unseen`.

    Raises:
        ConfigError: a count is negative, they are too many together, the task has too few distinct sources,
            or it is to keep out combinations and knows none.
    """
    if min(n_train, n_validation, n_test) < 0:
        raise ConfigError("ask for zero or more pairs in each split")
    count = n_train + n_validation + n_test
    if count > MAX_PAIRS:
        raise ConfigError(
            f"ask for at most {MAX_PAIRS:,} distinct pairs in all splits together, not {count:,}"
        )
    is_unseen = _unseen_test(task) if unseen_pairs else _nothing_is_unseen
    rng = random.Random(seed)
    n_unseen = n_test if unseen_pairs else 0
    pairs, unseen = _distinct_pairs(task, rng, count, n_unseen, is_unseen)
    # Sources drawn late are rarer ones, so without the shuffle the splits would differ in kind.
    rng.shuffle(pairs)
    rng.shuffle(unseen)
    end_train, end_validation = n_train, n_train + n_validation
    return Splits(
        tuple(pairs[:end_train]),
        tuple(pairs[end_train:end_validation]),
        tuple(pairs[end_validation:]),
        tuple(unseen[:n_unseen]),
    )


def _unseen_test(task: Task) -> Callable[[Pair], bool]:
    if not isinstance(task, Compositional):
        raise ConfigError(f"leave unseen_pairs off: task {task.name} knows no combinations to keep out")
    return task.is_unseen


def _nothing_is_unseen(pair: Pair) -> bool:
    return False


def _distinct_pairs(
    task: Task, rng: random.Random, count: int, n_unseen: int, is_unseen: Callable[[Pair], bool]
) -> tuple[list[Pair], list[Pair]]:
    """Return `count` ordinary pairs, and all unseen ones that came along, at least `n_unseen`."""
    pairs: list[Pair] = []
    unseen: list[Pair] = []
    new_pairs = _new_pairs(task, rng)
    while len(pairs) < count or len(unseen) < n_unseen:
        pair = next(new_pairs, None)
        if pair is None:
            found, wanted = (pairs, count) if len(pairs) < count else (unseen, n_unseen)
            kind = "distinct" if found is pairs else "unseen"
            raise ConfigError(f"ask task {task.name} for at most {len(found)} {kind} pairs, not {wanted}")
        if is_unseen(pair):
            unseen.append(pair)
        elif len(pairs) < count:
            pairs.append(pair)
    return pairs, unseen


def _new_pairs(task: Task, rng: random.Random) -> Iterator[Pair]:
    """Yield the pairs of the task's stream whose source has not come before, until no new one comes."""
    sources: set[str] = set()
    repeats = 0
    while repeats <= MAX_REPEATS:
        pair = task.sample(rng)
        repeats = repeats + 1 if pair.source in sources else 0
        if not repeats:
            sources.add(pair.source)
            yield pair
