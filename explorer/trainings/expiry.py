"""Which runs of visitors are deleted in class mode: the oldest that have ended, by age and to make room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.server.limits import Limits


@dataclass(frozen=True)
class Ended:
    """A visitor's run that has ended.

    Attributes:
        run_id: Names it.
        at: When it last changed, in seconds since the epoch.
        size: Bytes on disk.
    """

    run_id: str
    at: float
    size: int


def expired(ended: Sequence[Ended], limits: Limits, now: float) -> list[str]:
    """The runs that are too old, the oldest first."""
    if limits.run_seconds is None:
        return []
    return [run.run_id for run in _oldest_first(ended) if now - run.at > limits.run_seconds]


def giving_way(
    ended: Sequence[Ended], limits: Limits, now: float, *, runs: int, new: int, taken: int, needed: int
) -> list[str]:
    """The runs that give way to new ones, the oldest first and no more than needed.

    Args:
        ended: Of visitors.
        limits: Of the server.
        now: In seconds since the epoch.
        runs: In the folder, of any state.
        new: Runs that are to come.
        taken: Bytes of those in the folder.
        needed: Bytes of the new ones.

    Returns:
        Their ids; none where all that may go would not be enough.
    """

    def fits() -> bool:
        return runs + new <= limits.most_runs and taken + needed <= limits.most_bytes

    going: list[str] = []
    for run in _oldest_first(ended):
        if fits():
            break
        if now - run.at >= limits.kept_seconds:
            going.append(run.run_id)
            runs, taken = runs - 1, taken - run.size
    return going if fits() else []


def _oldest_first(ended: Sequence[Ended]) -> list[Ended]:
    return sorted(ended, key=lambda run: (run.at, run.run_id))
