"""The models, shipped and own, and their translations, loaded once for all: the only file with Streamlit's caches.

torch is imported by the first translation, not by the first page: a page with its title and controls is on
the screen seconds earlier.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import RunError
from core.run_description import RUN_FILE, RunDescription, read_description
from core.training.history import history, history_path
from explorer.admin_gate import AdminGate
from explorer.byte_bounded_cache import ByteBoundedCache
from explorer.lessons.library import Library, read_library
from explorer.lessons.reading import CONTENT
from explorer.limits import Limits, limits_from
from explorer.run_listing import (
    OWN_FILES,
    OwnRun,
    Version,
    newest_runs,
    read_own_run,
    version_of,
    versions_in,
    with_own_runs,
)
from explorer.sockets import send_at_once
from explorer.training.archive import MODEL_FILE
from explorer.training.run_folders import RunFolders, runs_folder
from explorer.turns import Turns

if TYPE_CHECKING:
    from core.analysis.embedding_geometry import PrincipalAxes
    from core.analysis.initial_logits import InitialLogits
    from core.config import DecodeConfig, NormPosition, Positional, TrainConfig, TransformerConfig
    from core.model.transformer import Transformer
    from core.run import Run
    from core.training.replay import Replayed
    from explorer.beam import BeamTree
    from explorer.components.map_view import MapData
    from explorer.internals import Internals
    from explorer.recorded import Recorded
    from explorer.sampling import SampledOutput, Samples
    from explorer.tokenizations import LearnedTokenizers
    from explorer.training.engine import TrainingEngine
    from explorer.training_film import FilmFrame
    from explorer.translation import Translation
    from explorer.update_choices import UpdateChoice
    from explorer.update_process import FirstBatches, Progress

CHECKPOINTS = Path(__file__).parent.parent / "checkpoints"
TRANSLATION_BYTES = 64 * 2**20
RECORDING_BYTES = 512 * 2**20
MAP_BYTES = 16 * 2**20
INTERNALS_BYTES = 16 * 2**20
FILM_BYTES = 32 * 2**20
SAMPLING_BYTES = 16 * 2**20
BEAM_BYTES = 16 * 2**20
UPDATE_BYTES = 256 * 2**20
BATCH_BYTES = 16 * 2**20
BETWEEN_LOOKS = 0.5
"""Seconds between two looks at whether another update is made still."""
MOST_OWN_RUNS = 30
"""The newest ones; the page Runs shows all."""
FIRST_PAINT_PAUSE = 0.8
"""Seconds; once in the life of a server."""


@st.cache_resource(show_spinner=False)
def prepare_server() -> None:
    """What is done once in the life of a server, when its first visitor comes."""
    send_at_once()


@st.cache_resource(show_spinner=False)
def turns() -> Turns:
    """The turns of this server's pages."""
    return Turns()


@st.cache_resource(show_spinner=False)
def shipped_runs() -> dict[str, RunDescription]:
    """Every shipped run that can be read, by its folder's name. Names come from here, never from a visitor.

    Raises:
        RunError: when there is none.
    """
    runs: dict[str, RunDescription] = {}
    for path in sorted(CHECKPOINTS.glob(f"*/{RUN_FILE}")):
        try:
            runs[path.parent.name] = read_description(path.parent)
        except RunError:
            # A damaged folder takes nobody's page away; the others are still there.
            continue
    if not runs:
        raise RunError("No model can be read in the folder checkpoints; run `make checkpoints`.")
    return runs


@st.cache_resource(show_spinner=False)
def server_limits() -> Limits:
    """The limits of this server, read once from its environment.

    Raises:
        ConfigError: when the environment sets one that makes no sense.
    """
    return limits_from(os.environ)


@st.cache_resource(show_spinner=False)
def admin_gate() -> AdminGate:
    """The one place of this server where an admin token is tried."""
    return AdminGate(server_limits().admin_token)


def training_engine() -> TrainingEngine:
    """The one engine of this server for the runs folder.

    Raises:
        RunError: when the runs folder cannot be written.
    """
    return _engine(runs_folder())


@st.cache_resource(show_spinner=False)
def _engine(folder: Path) -> TrainingEngine:
    from explorer.training.engine import TrainingEngine

    return TrainingEngine(folder, server_limits())


def known_runs() -> dict[str, RunDescription]:
    """Every run that can be looked at, by its key: the shipped ones, then the newest of the runs folder.

    An own run is described by its title in place of its folder's name. One that is damaged, has no weights yet,
    or is called as a shipped one is left out; the page Runs says why. While one trains, the next call sees its
    newest weights.

    Raises:
        RunError: when there is no shipped run.
    """
    versions = versions_in(runs_folder())
    # One text as a key: Streamlit takes ten milliseconds to look at as many numbers.
    return dict(_listed(repr(versions), MOST_OWN_RUNS, versions))


@st.cache_resource(show_spinner=False, max_entries=4)
def _listed(key: str, most: int, _versions: dict[Path, Version]) -> dict[str, RunDescription]:
    """All runs, listed again when a file of one is another."""
    own = newest_runs(_versions, lambda folder, version: _own_run(str(folder), repr(version)), most)
    return with_own_runs(shipped_runs(), own)


@st.cache_resource(show_spinner=False, max_entries=64)
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


def loaded_run(name: str, updates: int | None = None) -> Run:
    """A run with its weights, shared by all visitors; of one that trains, the best so far.

    Args:
        name: Key of `known_runs`.
        updates: Moment of the training whose weights it has, one of `kept_moments`; None for the best.

    Raises:
        RunError: when there is no such run or moment, or its files are damaged.
    """
    folder = run_folder(name)
    weights = MODEL_FILE if updates is None else str(history_path(folder, updates).relative_to(folder))
    return _loaded(folder, updates, version_of(folder, RUN_FILE, weights))


@st.cache_resource(show_spinner=False, max_entries=8)
def _loaded(folder: Path, updates: int | None, version: Version) -> Run:
    _let_the_page_reach_the_screen()
    is_first = "torch" not in sys.modules
    from core.run import load_run
    from core.training.history import load_run_at

    run = load_run(folder) if updates is None else load_run_at(folder, updates)
    if is_first:
        # torch brings a quarter of a million objects that never die; without this every full collection visits them.
        gc.collect()
        gc.freeze()
    return run


def film_of(name: str, source: str, answer: str | None, *, most_new: int) -> list[FilmFrame]:
    """What a run's last cross-attention made of a source at its kept moments, each computed once; the first one first.

    Args:
        name: Of the run.
        source: That its model can read.
        answer: As for `explorer.training_film.make_frame`.
        most_new: Moments that are computed now, the newest first; the others come with later calls.

    Raises:
        InputError: when the model cannot read the source.
    """
    from explorer.training_film import make_frame

    folder, cache = run_folder(name), _films()
    frames: list[FilmFrame] = []
    for updates in reversed(kept_moments(name)):
        version = version_of(folder, str(history_path(folder, updates).relative_to(folder)))
        key = (str(folder), updates, version, source, answer)
        if cache.held(key) is None:
            if most_new <= 0:
                continue
            most_new -= 1
        with suppress(RunError):  # Discarded meanwhile by a training that was resumed.
            frames.append(cache.get(key, partial(make_frame, folder, updates, source, answer)))
    return frames[::-1]


def translation_of(run: Run, text: str, prefix: tuple[int, ...] = ()) -> Translation:
    """The translation of a sentence after a forced prefix, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the prefix cannot be forced.
    """
    from explorer.translation import translate

    return _translations().get((run.fingerprint, text, prefix), lambda: translate(run, text, prefix))


def recorded_of(run: Run, text: str, prefix: tuple[int, ...] = ()) -> Recorded:
    """Everything that the model computed for a sentence and its output, recorded once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    from explorer.recorded import record_translation

    translation = translation_of(run, text, prefix)
    return _recordings().get(
        (run.fingerprint, text, prefix), lambda: record_translation(run, text, translation)
    )


def map_of(run: Run, text: str, prefix: tuple[int, ...] = (), *, compact: bool = False) -> MapData:
    """The map of the model with a recording's values, drawn up once for all visitors.

    Args:
        run: The model.
        text: The sentence.
        prefix: What is forced.
        compact: Whether only its overview is wanted, which takes a fifth of the time.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    from explorer.architecture import map_data

    return _maps().get(
        (run.fingerprint, text, prefix, compact),
        lambda: map_data(recorded_of(run, text, prefix), compact=compact),
    )


def sampled_output_of(
    run: Run, text: str, config: DecodeConfig, prefix: tuple[int, ...] = ()
) -> SampledOutput:
    """One output drawn with these settings, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the prefix cannot be forced.
    """
    from explorer.sampling import sample_output

    key = (run.fingerprint, text, config, prefix)
    return _sampled_outputs().get(key, lambda: sample_output(run, text, config, prefix))


def samples_of(
    run: Run,
    text: str,
    config: DecodeConfig,
    prefix: tuple[int, ...] = (),
    on_progress: Callable[[float], None] = lambda share: None,
) -> Samples:
    """Many outputs drawn with these settings, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the prefix cannot be forced.
    """
    from explorer.sampling import draw_samples

    return _samples().get(
        (run.fingerprint, text, config, prefix),
        lambda: draw_samples(run, text, config, prefix, on_progress=on_progress),
    )


def beam_of(run: Run, text: str, width: int, length_penalty: float) -> BeamTree:
    """The tree of a beam search, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence.
    """
    from explorer.beam import search

    key = (run.fingerprint, text, width, length_penalty)
    return _beams().get(key, lambda: search(run, text, width=width, length_penalty=length_penalty))


def internals_of(run: Run, text: str, prefix: tuple[int, ...] = ()) -> Internals:
    """Logit lens and key/value cache of a sentence's output, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    from explorer.internals import compute_internals

    output = translation_of(run, text, prefix).output_ids

    def compute() -> Internals:
        return compute_internals(run, text, output, recorded_of(run, text, prefix).trace)

    return _internals().get((run.fingerprint, text, output), compute)


def lesson_library() -> Library:
    """All lessons, read again when a file of them is another."""
    names = sorted(path.name for path in CONTENT.glob("*.toml"))
    return _lesson_library(repr((names, version_of(CONTENT, *names))))


@st.cache_resource(show_spinner=False, max_entries=2)
def _lesson_library(version: str) -> Library:
    return read_library(CONTENT)


def kept_checkpoints(name: str) -> tuple[int, ...]:
    """After how many updates a run's training checkpoints were made, ascending; a shipped run has none."""
    from core.training.checkpoint import checkpoints

    try:
        return tuple(sorted(int(path.stem) for path in checkpoints(run_folder(name))))
    except RunError:
        return ()


def update_of(name: str, choice: UpdateChoice, on_progress: Progress = lambda share, doing: None) -> Replayed:
    """An update of a run's training, made again once for all visitors, one at a time.

    Raises:
        ExplorerError: when there is no such run, or the update cannot be made or is too large to be kept.
    """
    from explorer.update_process import FirstBatches, make_update_again

    run, updates, batches = _update_run(name), _updates(), _first_batches()
    if (known := updates.held((run, choice.key))) is not None:
        return known

    def make() -> Replayed:
        first = batches.held(run)
        made = make_update_again(
            run_folder(name),
            choice.checkpoint,
            choice.update,
            first.batches if first else (),
            on_progress=on_progress,
        )
        if made.first_batches:
            batches.get(run, lambda: FirstBatches(made.first_batches))
        return made

    lock = _replaying()
    while not lock.acquire(timeout=BETWEEN_LOOKS):
        # Whoever leaves meanwhile is let go here.
        on_progress(0.0, "Waiting for another update")
    try:
        return updates.get((run, choice.key), make)
    finally:
        lock.release()


def known_update(name: str, choice: UpdateChoice) -> Replayed | None:
    """An update that was made again already and is still kept; None for any other.

    Raises:
        RunError: when there is no such run.
    """
    return _updates().held((_update_run(name), choice.key))


def _update_run(name: str) -> tuple[Path, TransformerConfig, TrainConfig]:
    """What the updates of a run depend on, besides its pairs: its folder and its settings."""
    run = known_runs()[name]
    return run_folder(name), run.config, run.train_config


def learned_tokenizers(name: str) -> LearnedTokenizers:
    """The tokenizers that a run's task teaches within a second, for comparison with the run's own."""
    return _learned_tokenizers(name, _described(name), known_runs()[name])


@st.cache_resource(show_spinner=False, max_entries=8)
def _learned_tokenizers(name: str, version: Version, _run: RunDescription) -> LearnedTokenizers:
    from explorer.tokenizations import learn_tokenizers

    return learn_tokenizers(_run)


def _described(name: str) -> Version:
    """Of what is known of a run without its weights."""
    return version_of(run_folder(name), RUN_FILE)


def table_axes(run: Run, parameter: str, n_axes: int) -> PrincipalAxes:
    """Principal axes of one of a run's embedding tables, without padding's row, which no text uses.

    Raises:
        ExplorerError: when the table has not so many axes.
    """
    return _table_axes(run.fingerprint, parameter, n_axes, run)


@st.cache_resource(show_spinner=False, max_entries=16)
def _table_axes(fingerprint: str, parameter: str, n_axes: int, _run: Run) -> PrincipalAxes:
    import torch

    from core.analysis.embedding_geometry import principal_axes

    table = _run.model.get_parameter(parameter)
    return principal_axes(table[torch.arange(len(table)) != _run.config.pad_id], n_axes)


def initial_logits(run: RunDescription) -> InitialLogits:
    """How the logits of a run's model vary before any training, measured once."""
    return _initial_logits(run.config, run.train_config.seed)


@st.cache_resource(show_spinner=False, max_entries=8)
def _initial_logits(config: TransformerConfig, seed: int) -> InitialLogits:
    from core.analysis.initial_logits import initial_logit_variance

    return initial_logit_variance(config, seed=seed)


def update_seconds(config: TransformerConfig, batch_size: int, lengths: tuple[int, int]) -> float | None:
    """Processor seconds of one update of such a training on this machine, measured once; None for large ones."""
    return _update_seconds(config, batch_size, *lengths)


@st.cache_resource(show_spinner=False, max_entries=64)
def _update_seconds(
    config: TransformerConfig, batch_size: int, source_tokens: int, target_tokens: int
) -> float | None:
    from core.training.expected_time import seconds_per_update

    return seconds_per_update(config, batch_size, source_tokens=source_tokens, target_tokens=target_tokens)


@st.cache_resource(show_spinner=False, max_entries=8)
def untrained_pair(config: TransformerConfig, seed: int) -> Mapping[NormPosition, Transformer]:
    """Two untrained models of a configuration, one for each place of the norm; nobody may change them."""
    from core.analysis.residual_stream import untrained_pair

    return untrained_pair(config, seed)


def order_difference_of(run: RunDescription, positional: Positional) -> float:
    """What the order of tokens means to a run's encoder before any training, with these positions."""
    return _order_difference(replace(run.config, positional=positional), run.train_config.seed)


@st.cache_resource(show_spinner=False, max_entries=24)
def _order_difference(config: TransformerConfig, seed: int) -> float:
    from core.analysis.position_geometry import order_difference

    return order_difference(config, seed=seed)


def figures_of_arm(name: str, figures: tuple[str, ...]) -> dict[str, float]:
    """What an experiment measures of a finished run, measured once for all visitors.

    Raises:
        RunError: when there is no such run, it has not finished, or its files are damaged.
    """
    folder = run_folder(name)
    return dict(_figures_of_arm(folder, figures, version_of(folder, RUN_FILE, MODEL_FILE)))


@st.cache_resource(show_spinner=False, max_entries=64)
def _figures_of_arm(folder: Path, figures: tuple[str, ...], version: Version) -> dict[str, float]:
    from core.experiments.measurements import measure

    return measure(folder, figures)


def _let_the_page_reach_the_screen() -> None:
    """Pause before the server's first import of torch, while the first visitor's browser asks for its scripts.

    That import keeps the interpreter busy for two seconds, and the same interpreter serves the scripts: without
    the pause, title and controls appear later by as much.
    """
    if "torch" not in sys.modules:
        time.sleep(FIRST_PAINT_PAUSE)


@st.cache_resource(show_spinner=False)
def _translations() -> ByteBoundedCache[Translation]:
    return ByteBoundedCache(TRANSLATION_BYTES)


@st.cache_resource(show_spinner=False)
def _recordings() -> ByteBoundedCache[Recorded]:
    return ByteBoundedCache(RECORDING_BYTES)


@st.cache_resource(show_spinner=False)
def _maps() -> ByteBoundedCache[MapData]:
    return ByteBoundedCache(MAP_BYTES)


@st.cache_resource(show_spinner=False)
def _sampled_outputs() -> ByteBoundedCache[SampledOutput]:
    return ByteBoundedCache(SAMPLING_BYTES)


@st.cache_resource(show_spinner=False)
def _samples() -> ByteBoundedCache[Samples]:
    return ByteBoundedCache(SAMPLING_BYTES)


@st.cache_resource(show_spinner=False)
def _beams() -> ByteBoundedCache[BeamTree]:
    return ByteBoundedCache(BEAM_BYTES)


@st.cache_resource(show_spinner=False)
def _internals() -> ByteBoundedCache[Internals]:
    return ByteBoundedCache(INTERNALS_BYTES)


@st.cache_resource(show_spinner=False)
def _films() -> ByteBoundedCache[FilmFrame]:
    return ByteBoundedCache(FILM_BYTES)


@st.cache_resource(show_spinner=False)
def _updates() -> ByteBoundedCache[Replayed]:
    return ByteBoundedCache(UPDATE_BYTES)


@st.cache_resource(show_spinner=False)
def _first_batches() -> ByteBoundedCache[FirstBatches]:
    return ByteBoundedCache(BATCH_BYTES)


@st.cache_resource(show_spinner=False)
def _replaying() -> Lock:
    """Held while an update is made again: each takes a processor core and the memory of a torch of its own."""
    return Lock()
