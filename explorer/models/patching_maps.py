"""Patching maps, each computed once for all visitors."""

from __future__ import annotations

from core.interventions.patching import PatchingMap, patching_map
from core.interventions.sweep import Progress
from core.run import Run
from explorer.models.shared_cache import SharedCache


def _size(found: PatchingMap) -> int:
    return 64 * sum(len(row) for row in found.shares)


MAPS: SharedCache[PatchingMap] = SharedCache("patching maps", 8 * 2**20, _size)


def map_of(run: Run, sentence: str, donor: str, step: int, progress: Progress | None = None) -> PatchingMap:
    """The patching map of two sentences, for one step of the answer.

    Raises:
        InputError: when the sentences do not fit each other.
    """
    return MAPS.get(
        (run.fingerprint, sentence, donor, step),
        lambda: patching_map(run, sentence, donor, step, progress=progress),
    )


def map_is_kept(run: Run, sentence: str, donor: str, step: int) -> bool:
    """Whether somebody has had it computed."""
    return MAPS.held((run.fingerprint, sentence, donor, step)) is not None
