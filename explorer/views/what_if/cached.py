"""Boards, each computed once for all visitors, and how much may be computed before somebody is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from explorer.models.byte_bounded_cache import ByteBoundedCache

if TYPE_CHECKING:
    from core.interventions.sweep import Progress
    from core.run import Run
    from explorer.models.recorded import Recorded
    from explorer.views.what_if.switching import Priced

CACHE_BYTES = 8 * 2**20
MOST_AT_ONCE = 4e10
"""Multiplications that are simply done, about a second; what takes more is asked for."""


@dataclass(frozen=True, eq=False)
class _Board:
    found: tuple[Priced, ...]
    n_bytes: int


def board_of(run: Run, recorded: Recorded, progress: Progress | None = None) -> tuple[Priced, ...]:
    """What each part of a run is worth to a sentence.

    Raises:
        CaptureError: when the changes do not fit the sentence.
    """
    from explorer.views.what_if.switching import switch_board

    def compute() -> _Board:
        found = switch_board(run, recorded, progress)
        return _Board(found, 256 * len(found))

    return _boards().get((run.fingerprint, recorded.key), compute).found


def board_is_kept(run: Run, recorded: Recorded) -> bool:
    """Whether somebody has had it computed."""
    return _boards().held((run.fingerprint, recorded.key)) is not None


@st.cache_resource(show_spinner=False)
def _boards() -> ByteBoundedCache[_Board]:
    return ByteBoundedCache(CACHE_BYTES)
