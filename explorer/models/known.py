"""The models, shipped and own, listed and loaded once for all visitors.

torch is imported by the first translation, not by the first page: a page with its title and controls is on
the screen seconds earlier.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from core.errors import RunError
from core.interventions.intervention import Intervention
from core.interventions.links import to_json
from core.run import Run, load_run
from core.run_description import MODEL_FILE, RUN_FILE, RunDescription, read_description
from core.training.checkpoint_files import checkpoints
from core.training.history import history, history_path, load_run_at
from explorer.models.listing import (
    OWN_FILES,
    OwnRun,
    Version,
    newest_runs,
    read_own_run,
    version_of,
    versions_in,
    with_own_runs,
)
from explorer.models.shared_cache import SharedCache
from explorer.models.task_facts import title_of
from explorer.server.shared import server_limits
from explorer.trainings.run_folders import RunFolders, runs_folder

CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"
RECORDED = "reverse-recorded"
"""The shipped run that brings its whole training, which Train plays where nobody has trained anything."""


@st.cache_resource(show_spinner=False)
def shipped_runs() -> dict[str, RunDescription]:
    """Every shipped run that can be read, by its folder's name. Names come from here, never from a visitor.

    Raises:
        RunError: when there is none.
    """
    runs: dict[str, RunDescription] = {}
    for path in sorted(CHECKPOINTS.glob(f"*/{RUN_FILE}")):
        try:
            run = read_description(path.parent)
        except RunError:
            # A damaged folder takes nobody's page away; the others are still there.
            continue
        # Another one has learnt the same task; no two titles are alike.
        title = f"{title_of(run.task)}, recorded" if path.parent.name == RECORDED else run.name
        runs[path.parent.name] = replace(run, name=title)
    if not runs:
        raise RunError("No model can be read in the folder checkpoints; run `make checkpoints`.")
    return runs


def known_runs() -> dict[str, RunDescription]:
    """Every run that can be looked at, by its key: the shipped ones, then the newest of the runs folder.

    An own run is described by its title in place of its folder's name. One that is damaged, has no weights yet,
    or is called as a shipped one is left out; the page Runs says why. While one trains, the next call sees its
    newest weights.

    Raises:
        RunError: when there is no shipped run.
    """
    versions, most = versions_in(runs_folder()), server_limits().listed_runs
    return dict(_LISTED.get((tuple(versions.items()), most), lambda: _listed(versions, most)))


def known_run(name: str) -> RunDescription:
    """One of `known_runs`.

    Raises:
        RunError: when it is not there any more: deleted, expired, or no longer among the newest.
    """
    try:
        return known_runs()[name]
    except KeyError:
        raise RunError("There is no such run any more.") from None


# Descriptions are kept elsewhere, so four lists are enough: it is their number that counts.
_LISTED: SharedCache[dict[str, RunDescription]] = SharedCache("models: listed runs", 4, lambda runs: 1)


def _listed(versions: dict[Path, Version], most: int) -> dict[str, RunDescription]:
    own = newest_runs(versions, lambda folder, version: _own_run(str(folder), repr(version)), most)
    return with_own_runs(shipped_runs(), own)


@st.cache_resource(show_spinner=False, max_entries=512)
def _own_run(folder: str, version: str) -> OwnRun | None:
    """What is known of a run, read again when its files are others."""
    return read_own_run(Path(folder))


def own_description(name: str) -> RunDescription | None:
    """What is known of a run of the runs folder, with weights or without; None where that cannot be read."""
    try:
        folder = RunFolders(runs_folder()).path_of(name)
    except RunError:
        return None
    run = _own_run(str(folder), repr(version_of(folder, *OWN_FILES)))
    return run.description if run else None


def run_folder(name: str) -> Path:
    """Where a run lies, shipped or own.

    Raises:
        RunError: when there is none of this name.
    """
    return CHECKPOINTS / name if name in shipped_runs() else RunFolders(runs_folder()).path_of(name)


def kept_moments(name: str) -> tuple[int, ...]:
    """After how many updates a run's weights were kept, ascending; most shipped runs keep none."""
    try:
        return tuple(history(run_folder(name)))
    except RunError:
        return ()


def loaded_run(name: str, updates: int | None = None, changes: tuple[Intervention, ...] = ()) -> Run:
    """A run with its weights, shared by all visitors; of one that trains, the best so far.

    Args:
        name: Key of `known_runs`.
        updates: Moment of the training whose weights it has, one of `kept_moments`; None for the best.
        changes: What is changed on the way whenever it computes; its fingerprint is another then.

    Raises:
        RunError: when there is no such run or moment, or its files are damaged.
        ExplorerError: when the model cannot be changed so.
    """
    folder = run_folder(name)
    weights = MODEL_FILE if updates is None else str(history_path(folder, updates).relative_to(folder))
    key = folder, updates, version_of(folder, RUN_FILE, weights)
    run = _LOADED.get(key, lambda: load_run(folder) if updates is None else load_run_at(folder, updates))
    return _changed(run.fingerprint, to_json(changes), changes, run) if changes else run


def _bytes_of(run: Run) -> int:
    return sum(weight.nbytes for weight in run.model.parameters())


_LOADED: SharedCache[Run] = SharedCache("models: loaded runs", 512 * 2**20, _bytes_of)


@st.cache_resource(show_spinner=False, max_entries=128)
def _changed(fingerprint: str, key: str, _changes: tuple[Intervention, ...], _run: Run) -> Run:
    return _run.intervene(*_changes)


def kept_checkpoints(name: str) -> tuple[int, ...]:
    """After how many updates a run's training checkpoints were made, ascending; a shipped run has none."""
    try:
        return tuple(sorted(int(path.stem) for path in checkpoints(run_folder(name))))
    except RunError:
        return ()
