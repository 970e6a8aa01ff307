"""Patching maps, each computed once for all visitors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from explorer.models.byte_bounded_cache import ByteBoundedCache

if TYPE_CHECKING:
    from core.interventions.patching import PatchingMap
    from core.interventions.sweep import Progress
    from core.run import Run

CACHE_BYTES = 8 * 2**20


@dataclass(frozen=True, eq=False)
class _Map:
    found: PatchingMap
    n_bytes: int


def map_of(run: Run, sentence: str, donor: str, step: int, progress: Progress | None = None) -> PatchingMap:
    """The patching map of two sentences, for one step of the answer.

    Raises:
        InputError: when the sentences do not fit each other.
    """
    from core.interventions.patching import patching_map

    def compute() -> _Map:
        found = patching_map(run, sentence, donor, step, progress=progress)
        return _Map(found, 64 * sum(len(row) for row in found.shares))

    return _maps().get((run.fingerprint, sentence, donor, step), compute).found


def map_is_kept(run: Run, sentence: str, donor: str, step: int) -> bool:
    """Whether somebody has had it computed."""
    return _maps().held((run.fingerprint, sentence, donor, step)) is not None


@st.cache_resource(show_spinner=False)
def _maps() -> ByteBoundedCache[_Map]:
    return ByteBoundedCache(CACHE_BYTES)
