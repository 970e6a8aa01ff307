"""The inside of one decoding, beyond what every view of it shows: its logit lens and its key/value cache."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from core.activations.trace import Trace, trace
from core.analysis.logit_lens import lens_sites
from core.run import Run
from explorer.views.decoding.cache import cache_data
from explorer.views.decoding.component.internals import CacheData, LensData
from explorer.views.decoding.lens import lens_data


@dataclass(frozen=True, eq=False)
class Internals:
    """Logit lens and key/value cache of one sentence and one output; arrays are read-only.

    Attributes:
        lens: The logit lens of each step.
        cache: The key/value cache at each step; None for a model that no cache is valid for.
    """

    lens: LensData
    cache: CacheData | None

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays."""
        return sum(array.nbytes for array in self.lens.arrays.values())


def compute_internals(run: Run, text: str, output: Sequence[int], recorded: Trace | None = None) -> Internals:
    """Look at an output through the lens, and decode it twice: with the cache and without.

    Args:
        run: The model.
        text: The sentence.
        output: The produced ids, without bos.
        recorded: Its trace with the sites that the lens reads, if there is one; otherwise it is traced here.

    Raises:
        InputError: when the model cannot read the sentence, or the output is empty or cannot be produced.
    """
    src = run.encode_source(text)
    with run.changing(len(src)):
        if recorded is None:
            hypothesis = torch.tensor(list(output), device=src.device)
            recorded = trace(run.model, src, hypothesis, *lens_sites(run.config))
        cache = cache_data(run, src, output)
    return Internals(lens_data(run, recorded), cache)
