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
    from core.config import DecodeConfig
    from core.run import Run
    from explorer.beam import BeamTree
    from explorer.internals import Internals
    from explorer.sampling import SampledOutput, Samples
    from explorer.translation import Translation

CHECKPOINTS = Path(__file__).parent.parent / "checkpoints"
TRANSLATION_BYTES = 64 * 2**20
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
