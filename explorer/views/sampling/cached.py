"""Outputs that were drawn, each once for all visitors."""

from __future__ import annotations

from collections.abc import Callable

from core.config import DecodeConfig
from core.run import Run
from explorer.models.shared_cache import SharedCache
from explorer.views.sampling.data import SampledOutput, Samples, draw_samples, sample_output

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
