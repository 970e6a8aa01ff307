"""Outputs that were drawn, each once for all visitors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.config import DecodeConfig
from core.run import Run
from explorer.models.decodings import translation_of
from explorer.models.shared_cache import SharedCache
from explorer.views.sampling.component import SamplingChoice, SamplingViewData
from explorer.views.sampling.data import (
    SampledOutput,
    Samples,
    draw_samples,
    sample_output,
    sampling_config,
    sampling_data,
)
from explorer.visitor.state import ExplorerState

_SAMPLED_OUTPUTS: SharedCache[SampledOutput] = SharedCache("sampling: sampled outputs", 16 * 2**20)
_SAMPLES: SharedCache[Samples] = SharedCache("sampling: samples", 16 * 2**20)


def sampled_output_of(
    run: Run, text: str, config: DecodeConfig, prefix: tuple[int, ...] = ()
) -> SampledOutput:
    """One output drawn with these settings, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the prefix cannot be forced.
    """
    key = (run.fingerprint, text, config, prefix)
    return _SAMPLED_OUTPUTS.get(key, lambda: sample_output(run, text, config, prefix))


def sampled_data(run: Run, state: ExplorerState) -> SamplingViewData:
    """Return the data of the view of one output.

    Raises:
        InputError: when the model cannot read the sentence, or the prefix cannot be forced.
    """
    text, prefix = state.sentence, state.decoding.prefix
    output = sampled_output_of(run, text, sampling_config(run, state), prefix)
    return sampling_data(run, output, translation_of(run, text, prefix), state)


def sampled_state(state: ExplorerState, choice: SamplingChoice) -> ExplorerState:
    """Return the state after a choice of step and settings."""
    settings = {name: value for name, value in vars(choice).items() if name != "step"}
    return replace(
        state,
        decoding=replace(state.decoding, step=choice.step),
        sampling=replace(state.sampling, **settings),
    )


def samples_of(
    run: Run,
    text: str,
    config: DecodeConfig,
    prefix: tuple[int, ...] = (),
    on_progress: Callable[[float], object] = lambda share: None,
) -> Samples:
    """Many outputs drawn with these settings, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the prefix cannot be forced.
    """
    return _SAMPLES.get(
        (run.fingerprint, text, config, prefix),
        lambda: draw_samples(run, text, config, prefix, on_progress=on_progress),
    )
