"""Boards, each computed once for all visitors, and how much may be computed before somebody is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.models.byte_bounded_cache import ByteBoundedCache

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.analysis.attribution import AlignmentErrors
    from core.interventions.sweep import Progress
    from core.run import Run
    from explorer.models.recorded import Recorded
    from explorer.views.what_if.switching import Priced

_BOARDS: ByteBoundedCache[_Board] = ByteBoundedCache(8 * 2**20)
_ERRORS: ByteBoundedCache[_Errors] = ByteBoundedCache(2**18)
MOST_AT_ONCE = 4e10
"""Multiplications that are simply done, about a second; what takes more is asked for."""


@dataclass(frozen=True, eq=False)
class _Board:
    found: tuple[Priced, ...]
    n_bytes: int


@dataclass(frozen=True, eq=False)
class _Errors:
    found: AlignmentErrors
    n_bytes: int = 256


def board_of(run: Run, recorded: Recorded, progress: Progress | None = None) -> tuple[Priced, ...]:
    """What each part of a run is worth to a sentence.

    Raises:
        CaptureError: when the changes do not fit the sentence.
    """
    from explorer.views.what_if.switching import switch_board

    def compute() -> _Board:
        found = switch_board(run, recorded, progress)
        return _Board(found, 256 * len(found))

    return _BOARDS.get((run.fingerprint, recorded.key), compute).found


def board_is_kept(run: Run, recorded: Recorded) -> bool:
    """Whether somebody has had it computed."""
    return _BOARDS.held((run.fingerprint, recorded.key)) is not None


def alignment_errors_of(recorded: Recorded, gold: Sequence[Sequence[int]]) -> AlignmentErrors:
    """How far what is read, and what is used, are from the known alignment of a recording’s output."""
    from core.analysis.attention_statistics import gold_mask
    from core.analysis.attribution import alignment_errors

    def compute() -> _Errors:
        mask = gold_mask(gold, len(recorded.outputs), len(recorded.source))
        return _Errors(alignment_errors(recorded.run.model, recorded.trace, mask))

    return _ERRORS.get((recorded.run.fingerprint, recorded.key), compute).found
