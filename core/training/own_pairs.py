"""Somebody's own pairs as a run keeps them: a copy beside it, dealt out into its splits. Reading it needs no torch."""

from pathlib import Path

from core.data.pairs import COPY_LIMITS, parse_copy
from core.data.splits import Splits
from core.data.tasks import Pair
from core.errors import InputError, RunError
from core.files import read_bounded
from core.run_description import RunDescription

PAIRS = "pairs"
"""The task's name of a run that learns from somebody's own pairs."""
PAIRS_FILE = "pairs.tsv"


def own_splits(folder: Path, description: RunDescription) -> Splits:
    """The own pairs of a run that has begun, in the splits that it was begun with.

    Raises:
        RunError: when they cannot be read, or are not as the run left them.
    """
    training, pairs = description.train_config, _stored_pairs(folder)
    if len(pairs) != training.n_train + training.n_validation + training.n_test:
        raise RunError(f"{folder.name}/{PAIRS_FILE} is not as the run left it; start a new run")
    end_train, end_validation = training.n_train, training.n_train + training.n_validation
    splits = Splits(pairs[:end_train], pairs[end_train:end_validation], pairs[end_validation:])
    sources = [{pair.source for pair in split} for split in (splits.train, splits.validation, splits.test)]
    if sum(map(len, sources)) > len(set().union(*sources)):
        # No source is in two splits, or the figures would be of pairs that were learned.
        raise RunError(f"{folder.name}/{PAIRS_FILE} is not as the run left it; start a new run")
    return splits


def _stored_pairs(folder: Path) -> tuple[Pair, ...]:
    stored = read_bounded(folder / PAIRS_FILE, COPY_LIMITS.max_bytes)
    try:
        return parse_copy(stored, PAIRS_FILE)
    except InputError as error:
        raise RunError(f"{folder.name}: {error}") from error
