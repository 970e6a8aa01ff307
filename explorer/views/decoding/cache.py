"""The key/value cache of one decoding, as the decoding view shows it."""

from collections.abc import Sequence

from torch import Tensor

from core.analysis.cache_cost import (
    cache_bytes,
    compare_caching,
    encoder_multiply_adds,
    multiply_adds,
    row_bytes,
)
from core.run import Run
from explorer.views.decoding.component.internals import CacheData


def cache_data(run: Run, src: Tensor, output: Sequence[int]) -> CacheData | None:
    """Costs of each step, counted, and both ways of decoding, run; None for a run that no cache is valid for.

    Args:
        run: The model.
        src: Source ids [source position], with eos.
        output: The produced ids, without bos.

    Raises:
        InputError: when the output is empty, or could not have been produced.
    """
    config = run.config
    if not config.causal or any(each.needs_whole for _, each in run.changes.edits):
        return None
    length, steps = len(src), range(len(output))
    compared = compare_caching(run.model, src, output)
    cached, uncached = (
        tuple(multiply_adds(config, length, step, use_cache=use_cache).total for step in steps)
        for use_cache in (True, False)
    )
    return CacheData(
        n_layers=config.n_decoder_layers,
        n_heads=config.n_heads,
        d_head=config.d_head,
        source_length=length,
        dtype=config.dtype,
        row_bytes=row_bytes(config),
        n_bytes=tuple(cache_bytes(config, length, step) for step in steps),
        cached=cached,
        uncached=uncached,
        encoder=encoder_multiply_adds(config, length),
        same_tokens=compared.same_tokens,
        largest_difference=compared.largest_difference,
    )
