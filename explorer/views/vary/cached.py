"""Sweeps over one token of a sentence, each computed once for all visitors."""

from __future__ import annotations

from collections.abc import Sequence

from core.run import Run
from explorer.models.shared_cache import SharedCache
from explorer.models.sources import learned_sources
from explorer.models.translation import Translation
from explorer.views.vary.component import Rivals
from explorer.views.vary.data import Sweep, compute_sweep

_SWEEPS: SharedCache[Sweep] = SharedCache("vary: sweeps", 8 * 2**20)


def sweep_of(
    run: Run, name: str, text: str, shown: Translation, position: int, rivals: Sequence[Rivals]
) -> Sweep:
    """What a model makes of a sentence with other tokens at one position.

    Args:
        run: The model.
        name: Of the run, which knows what it has learned from.
        text: The sentence.
        shown: The decoding of it that is looked at.
        position: The varied one.
        rivals: Two tokens for each step of the decoding.

    Raises:
        InputError: when the model cannot read the sentence, or its weights are damaged.
    """
    pairs = tuple((each.own, each.other) for each in rivals)
    key = (run.fingerprint, name, text, shown.prefix, position, pairs)
    return _SWEEPS.get(
        key, lambda: compute_sweep(run, text, shown, position, rivals, lambda: learned_sources(name))
    )
