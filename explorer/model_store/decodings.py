"""What a model made of a sentence: translations, recordings, samples, beams, each computed once for all visitors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from explorer.byte_bounded_cache import ByteBoundedCache

if TYPE_CHECKING:
    from core.config import DecodeConfig
    from core.run import Run
    from explorer.beam import BeamTree
    from explorer.components.map_view import MapData
    from explorer.internals import Internals
    from explorer.recorded import Recorded
    from explorer.sampling import SampledOutput, Samples
    from explorer.translation import Translation

TRANSLATION_BYTES = 64 * 2**20
RECORDING_BYTES = 512 * 2**20
MAP_BYTES = 16 * 2**20
INTERNALS_BYTES = 16 * 2**20
SAMPLING_BYTES = 16 * 2**20
BEAM_BYTES = 16 * 2**20


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
