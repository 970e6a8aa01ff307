"""The shipped models and their translations, loaded once for all visitors: the only file with Streamlit's caches.

torch is imported by the first translation, not by the first page: a page with its title and controls is on
the screen seconds earlier.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import RunError
from core.run_description import RUN_FILE, RunDescription, read_description
from explorer.byte_bounded_cache import ByteBoundedCache

if TYPE_CHECKING:
    from core.analysis.embedding_geometry import PrincipalAxes
    from core.analysis.initial_logits import InitialLogits
    from core.config import DecodeConfig, Positional
    from core.run import Run
    from explorer.beam import BeamTree
    from explorer.components.map_view import MapData
    from explorer.internals import Internals
    from explorer.recorded import Recorded
    from explorer.sampling import SampledOutput, Samples
    from explorer.tokenizations import LearnedTokenizers
    from explorer.translation import Translation

CHECKPOINTS = Path(__file__).parent.parent / "checkpoints"
TRANSLATION_BYTES = 64 * 2**20
RECORDING_BYTES = 512 * 2**20
MAP_BYTES = 16 * 2**20
INTERNALS_BYTES = 16 * 2**20
SAMPLING_BYTES = 16 * 2**20
BEAM_BYTES = 16 * 2**20
FIRST_PAINT_PAUSE = 0.8
"""Seconds; once in the life of a server."""


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


@st.cache_resource(show_spinner=False, max_entries=8)
def loaded_run(name: str) -> Run:
    """A run with its weights, shared by all visitors.

    Raises:
        RunError: when its files are damaged.
    """
    _let_the_page_reach_the_screen()
    from core.run import load_run

    run = load_run(CHECKPOINTS / name)
    # torch brings a quarter of a million objects that never die; without this every full collection visits them.
    gc.collect()
    gc.freeze()
    return run


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


def map_of(run: Run, text: str, prefix: tuple[int, ...] = ()) -> MapData:
    """The map of the model with a recording's values, drawn up once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    from explorer.architecture import map_data

    return _maps().get((run.fingerprint, text, prefix), lambda: map_data(recorded_of(run, text, prefix)))


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


def internals_of(run: Run, text: str, output: tuple[int, ...]) -> Internals:
    """Logit lens and key/value cache of an output, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence.
    """
    from explorer.internals import compute_internals

    key = (run.fingerprint, text, output)
    return _internals().get(key, lambda: compute_internals(run, text, output))


@st.cache_resource(show_spinner=False, max_entries=8)
def learned_tokenizers(name: str) -> LearnedTokenizers:
    """The tokenizers that a run's task teaches within a second, for comparison with the run's own."""
    from explorer.tokenizations import learn_tokenizers

    return learn_tokenizers(shipped_runs()[name])


@st.cache_resource(show_spinner=False, max_entries=16)
def table_axes(name: str, parameter: str, n_axes: int) -> PrincipalAxes:
    """Principal axes of one of a run's embedding tables, without padding's row, which no text uses.

    Raises:
        ExplorerError: when the run's files are damaged, or the table has not so many axes.
    """
    import torch

    from core.analysis.embedding_geometry import principal_axes

    run = loaded_run(name)
    table = run.model.get_parameter(parameter)
    return principal_axes(table[torch.arange(len(table)) != run.config.pad_id], n_axes)


@st.cache_resource(show_spinner=False, max_entries=8)
def initial_logits(name: str) -> InitialLogits:
    """How the logits of a run's model vary before any training, measured once."""
    from core.analysis.initial_logits import initial_logit_variance

    run = shipped_runs()[name]
    return initial_logit_variance(run.config, seed=run.train_config.seed)


@st.cache_resource(show_spinner=False, max_entries=24)
def order_difference_of(name: str, positional: Positional) -> float:
    """What the order of tokens means to a run's encoder before any training, with these positions."""
    from dataclasses import replace

    from core.analysis.position_geometry import order_difference

    run = shipped_runs()[name]
    return order_difference(replace(run.config, positional=positional), seed=run.train_config.seed)


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
