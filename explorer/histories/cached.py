"""The moments of a training, each computed once for all visitors by whoever asks first."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st

from core.errors import InputError, RunError
from core.run import load_run
from core.run_description import MODEL_FILE, RUN_FILE, RunDescription
from core.training.history import history, history_path
from explorer.histories.moments import (
    TrainingMoment,
    TrainingProbe,
    make_moment,
    make_probe,
    probe_sources,
    run_of_moment,
    written_probe,
)
from explorer.histories.picked import PickedTensor, pick_tensor
from explorer.histories.recording import RECORDING_FILE, Recording, read_recording
from explorer.models.known import CHECKPOINTS, run_folder
from explorer.models.listing import version_of
from explorer.models.shared_cache import SharedCache

MOMENTS: SharedCache[TrainingMoment] = SharedCache("moments of trainings", 48 * 2**20)
_TENSORS: SharedCache[PickedTensor] = SharedCache("tensors of moments", 32 * 2**20)


def probes_of(name: str, run: RunDescription, folder: Path | None = None) -> tuple[TrainingProbe, ...]:
    """The fixed sources of a run with their right answers; where nobody knows one, what its best weights write.

    Args:
        name: Of the run.
        run: What is known of it, with weights or without.
        folder: Where it lies; None for where its name says, which of a run called as a shipped one is elsewhere.

    Raises:
        RunError: when there is no such run.
    """
    folder = folder or run_folder(name)
    # Probes are written as the training begins; only those without a right answer hang on the weights.
    return _probes(name, folder, version_of(folder, RUN_FILE, MODEL_FILE), run)


@st.cache_resource(show_spinner=False, max_entries=64)
def _probes(name: str, folder: Path, version: object, _run: RunDescription) -> tuple[TrainingProbe, ...]:
    found = []
    for source in probe_sources(_run):
        probe = make_probe(name, _run, source)
        if probe is None:
            with suppress(RunError, InputError):  # It has no weights yet.
                probe = written_probe(load_run(folder), source)
        if probe is not None:
            found.append(probe)
    return tuple(found)


def moments_of(
    name: str,
    updates: Sequence[int],
    probes: Sequence[TrainingProbe],
    *,
    best_after: int | None = None,
    folder: Path | None = None,
) -> list[TrainingMoment]:
    """What the weights of some moments make of the probes; a moment that is gone or damaged is left out.

    Args:
        name: Of the run.
        updates: The moments.
        probes: As of `probes_of`.
        best_after: After how many updates the best weights were kept, which count as a moment.
        folder: As of `probes_of`.
    """
    folder = folder or run_folder(name)
    recording = recorded_of(folder)
    recorded = recording.moments(probes) if recording else {}
    kept = {*history(folder), best_after} if recorded else set()
    sources = tuple((probe.text, probe.answer) for probe in probes)
    found = []
    for each in updates:
        if each in recorded:
            found.append(replace(recorded[each], is_kept=each in kept))
            continue
        # Discarded meanwhile by a training that was resumed, or damaged.
        with suppress(RunError, InputError):
            make = partial(_made, folder, each, best_after, tuple(probes))
            found.append(MOMENTS.get((*_version(folder, each, best_after), sources), make))
    return found


def recorded_of(folder: Path) -> Recording | None:
    """The recording of a shipped run; None where it brings none. No other folder is looked for one in."""
    return _recording(folder, version_of(folder, RECORDING_FILE)) if folder.parent == CHECKPOINTS else None


@st.cache_resource(show_spinner=False, max_entries=4)
def _recording(folder: Path, version: object) -> Recording | None:
    try:
        return read_recording(folder)
    except RunError:
        return None


def picked_of(
    name: str,
    updates: Sequence[int],
    tensor: str,
    probe: TrainingProbe,
    *,
    best_after: int | None = None,
    folder: Path | None = None,
) -> list[PickedTensor]:
    """A tensor of a run at some moments; a moment that is gone or damaged is left out.

    Args:
        name: Of the run.
        updates: The moments.
        tensor: Name of a recorded value or of a parameter.
        probe: Whose values are recorded, led by its right answer.
        best_after: As for `moments_of`, as is folder.
        folder: Where it lies.
    """
    folder = folder or run_folder(name)
    found = []
    for each in updates:
        with suppress(RunError, InputError):
            make = partial(_made_tensor, folder, each, best_after, tensor, probe)
            key = (*_version(folder, each, best_after), tensor, probe.text, probe.answer)
            found.append(_TENSORS.get(key, make))
    return found


def _version(folder: Path, updates: int, best_after: int | None) -> tuple[object, ...]:
    """Another one whenever the weights of a moment are others."""
    file = str(history_path(folder, updates).relative_to(folder))
    return str(folder), updates, version_of(folder, file, *((MODEL_FILE,) * (updates == best_after)))


def _made_tensor(
    folder: Path, updates: int, best_after: int | None, tensor: str, probe: TrainingProbe
) -> PickedTensor:
    return pick_tensor(run_of_moment(folder, updates, best_after), updates, tensor, probe)


def _made(
    folder: Path, updates: int, best_after: int | None, probes: tuple[TrainingProbe, ...]
) -> TrainingMoment:
    return make_moment(run_of_moment(folder, updates, best_after), updates, probes)
