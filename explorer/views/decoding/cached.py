"""Logit lens and cache of a decoding, computed once for all visitors."""

from __future__ import annotations

from core.run import Run
from explorer.models.decodings import recorded_of, translation_of
from explorer.models.shared_cache import SharedCache
from explorer.views.decoding.internals import Internals, compute_internals

_INTERNALS: SharedCache[Internals] = SharedCache("decoding: internals", 16 * 2**20)


def internals_of(run: Run, text: str, prefix: tuple[int, ...] = ()) -> Internals:
    """Logit lens and key/value cache of a sentence's output, computed once for all visitors.

    Raises:
        InputError: when the model cannot read the sentence, or the recording would take too much memory.
    """
    output = translation_of(run, text, prefix).output_ids

    def compute() -> Internals:
        return compute_internals(run, text, output, recorded_of(run, text, prefix).trace)

    return _INTERNALS.get((run.fingerprint, text, output), compute)
