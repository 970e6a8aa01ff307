"""Updates that were made again, each once for all visitors, one at a time."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import streamlit as st

from core.training.own_pairs import PAIRS_FILE
from explorer.models.known import known_run, run_folder
from explorer.models.listing import Version, version_of
from explorer.models.server import import_for_all
from explorer.models.shared_cache import SharedCache

if TYPE_CHECKING:
    from core.config import TrainConfig, TransformerConfig
    from core.training.replayed import Replayed
    from explorer.views.update.choices import UpdateChoice
    from explorer.views.update.process import FirstBatches, Progress


_UPDATES: SharedCache[Replayed] = SharedCache("update: updates", 256 * 2**20)
_FIRST_BATCHES: SharedCache[FirstBatches] = SharedCache("update: first batches", 16 * 2**20)
BETWEEN_LOOKS = 0.5
"""Seconds between two looks at whether another update is made still."""


def update_of(name: str, choice: UpdateChoice, on_progress: Progress = lambda share, doing: None) -> Replayed:
    """An update of a run's training, made again once for all visitors, one at a time.

    Raises:
        ExplorerError: when there is no such run, or the update cannot be made or is too large to be kept.
    """
    import_for_all()
    from explorer.views.update.process import FirstBatches, make_update_again

    run = _begun(name)
    key = (run, choice, _checkpoint_version(name, choice))
    if (known := _UPDATES.held(key)) is not None:
        return known

    def make() -> Replayed:
        first = _FIRST_BATCHES.held(run)
        made = make_update_again(
            run_folder(name),
            choice.checkpoint,
            choice.update,
            first.batches if first else (),
            on_progress=on_progress,
        )
        if made.first_batches:
            _FIRST_BATCHES.get(run, lambda: FirstBatches(made.first_batches))
        return made

    lock = _replaying()
    while not lock.acquire(timeout=BETWEEN_LOOKS):
        # Whoever leaves meanwhile is let go here.
        on_progress(0.0, "Waiting for another update")
    try:
        return _UPDATES.get(key, make)
    finally:
        lock.release()


def known_update(name: str, choice: UpdateChoice) -> Replayed | None:
    """An update that was made again already and is still kept; None for any other.

    Raises:
        RunError: when there is no such run.
    """
    return _UPDATES.held((_begun(name), choice, _checkpoint_version(name, choice)))


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
    from core.training.checkpoint_files import checkpoint_path

    folder = run_folder(name)
    return version_of(folder, str(checkpoint_path(folder, choice.checkpoint).relative_to(folder)))


@st.cache_resource(show_spinner=False)
def _replaying() -> Lock:
    """Held while an update is made again: each takes a processor core and the memory of a torch of its own."""
    return Lock()
