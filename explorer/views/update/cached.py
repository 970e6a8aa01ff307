"""Updates that were made again, each once for all visitors, one at a time."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from core.config import TrainConfig, TransformerConfig
from core.data.batching import Batch
from core.training.checkpoint_files import checkpoint_path
from core.training.own_pairs import PAIRS_FILE
from core.training.replayed import Replayed
from explorer.models.known import known_run, loaded_run, run_folder, shipped_runs
from explorer.models.listing import Version, version_of
from explorer.models.shared_cache import SharedCache
from explorer.server.shared import server_limits
from explorer.server.singleton import Singleton
from explorer.views.update.choices import UpdateChoice
from explorer.views.update.process import FirstBatches, Progress, make_update_again
from explorer.views.update.shipped import read_first_batches

LEAST_KEPT = 256 * 2**20
"""Bytes of updates that are kept at least."""
BYTES_OF_A_PARAMETER = 32
"""Bytes that an update takes for each parameter: its weight and two moments before and after, and two gradients."""
_FIRST_BATCHES: SharedCache[FirstBatches] = SharedCache("update: first batches", 16 * 2**20)
BETWEEN_LOOKS = 0.5
"""Seconds between two looks at whether another update is made still."""


@Singleton
def _replaying() -> Lock:
    """Return the lock that limits the server to one replayed update at a time."""
    return Lock()


def update_of(name: str, choice: UpdateChoice, on_progress: Progress = lambda share, doing: None) -> Replayed:
    """An update of a run's training, made again once for all visitors, one at a time.

    Raises:
        ExplorerError: when there is no such run, or the update cannot be made or is too large to be kept.
    """
    run = _begun(name)
    key = (run, choice, _checkpoint_version(name, choice))
    if (known := _updates().held(key)) is not None:
        return known

    def make() -> Replayed:
        first = _FIRST_BATCHES.held(run)
        batches = first.batches if first else _shipped_batches(name)
        made = make_update_again(
            run_folder(name),
            choice.checkpoint,
            choice.update,
            batches,
            on_progress=on_progress,
            most_parameters=server_limits().update_parameters,
        )
        if made.first_batches:
            _FIRST_BATCHES.get(run, lambda: FirstBatches(made.first_batches))
        return made

    while not _replaying().acquire(timeout=BETWEEN_LOOKS):
        # Whoever leaves meanwhile is let go here.
        on_progress(0.0, "Waiting for another update")
    try:
        return _updates().get(key, make)
    finally:
        _replaying().release()


def known_batch(name: str, choice: UpdateChoice) -> Batch | None:
    """Return the batch of an update that has to be made again yet; None where making it is what takes long.

    Raises:
        RunError: when there is no such run.
    """
    first = _FIRST_BATCHES.held(_begun(name))
    batches = first.batches if first else _shipped_batches(name)
    is_known = choice.checkpoint is None and choice.update < len(batches)
    return batches[choice.update] if is_known and known_update(name, choice) is None else None


def _shipped_batches(name: str) -> tuple[Batch, ...]:
    return (
        read_first_batches(run_folder(name), loaded_run(name).fingerprint) if name in shipped_runs() else ()
    )


def known_update(name: str, choice: UpdateChoice) -> Replayed | None:
    """An update that was made again already and is still kept; None for any other.

    Raises:
        RunError: when there is no such run.
    """
    return _updates().held((_begun(name), choice, _checkpoint_version(name, choice)))


def _updates() -> SharedCache[Replayed]:
    """Return the cache of updates, with room for at least one of the largest model."""
    largest = BYTES_OF_A_PARAMETER * server_limits().update_parameters
    return SharedCache("update: updates", LEAST_KEPT + max(0, largest - LEAST_KEPT // 4))


def _begun(name: str) -> tuple[Path, str, TransformerConfig, TrainConfig, Version]:
    """All that the first updates of a run hang on, none of which changes while it trains.

    Its own pairs are written as it begins, so another training in the same folder has another version of them.
    """
    run, folder = known_run(name), run_folder(name)
    return folder, run.task, run.config, run.train_config, version_of(folder, PAIRS_FILE)


def _checkpoint_version(name: str, choice: UpdateChoice) -> Version:
    """When the checkpoint was written that an update follows, and its size."""
    if choice.checkpoint is None:
        return ()
    folder = run_folder(name)
    return version_of(folder, str(checkpoint_path(folder, choice.checkpoint).relative_to(folder)))
