"""Somebody's own pairs as a run keeps them: a copy beside it, dealt out into its splits. Reading it needs no torch."""

from pathlib import Path

from core.data.pairs import COPY_LIMITS, parse_copy
from core.data.splits import Splits, accept_all_targets
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
    # Training pairs are one a row; of held-out ones each source is one pair, whose targets have a row each.
    train, held_out = pairs[: training.n_train], accept_all_targets(pairs[training.n_train :])
    is_whole = len(train) == training.n_train and len(held_out) == training.n_validation + training.n_test
    if not is_whole or {pair.source for pair in train} & {pair.source for pair in held_out}:
        raise RunError(f"{folder.name}/{PAIRS_FILE} is not as the run left it; start a new run")
    return Splits(train, held_out[: training.n_validation], held_out[training.n_validation :])


def _stored_pairs(folder: Path) -> tuple[Pair, ...]:
    stored = read_bounded(folder / PAIRS_FILE, COPY_LIMITS.max_bytes)
    try:
        return parse_copy(stored, PAIRS_FILE)
    except InputError as error:
        raise RunError(f"{folder.name}: {error}") from error
