"""Room for runs: how many there may be and how much disk they may take, refused with what could be deleted."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.errors import RunError
from core.model.shapes import expected_parameters
from core.numbers import counted
from core.run_description import RunDescription, read_description
from core.training.history import moments_of
from explorer.server.limits import Limits
from explorer.trainings.expiry import Ended, expired, giving_way
from explorer.trainings.run_folders import RunFolders

LEAST_FREE = 64 * 2**20
"""Bytes that stay free on the disk."""
BETWEEN_CLEARINGS = 600.0
"""Seconds between two looks for runs that are too old."""
_FIGURES = 4 * 2**20
"""Bytes for the figures and the description of a run."""


class Room:
    """The room of one runs folder; in class mode visitors' runs that have ended give way, the oldest first.

    Args:
        folders: The runs.
        limits: Of the server.
        is_busy: Whether a run trains or waits.
        remove: Deletes a run's folder.
        clock: Seconds since the epoch.
    """

    def __init__(
        self,
        folders: RunFolders,
        limits: Limits,
        is_busy: Callable[[str], bool],
        remove: Callable[[Path], None],
        clock: Callable[[], float],
    ) -> None:
        self.folders, self.limits = folders, limits
        self._is_busy, self._remove, self._clock = is_busy, remove, clock
        self._cleared_at = float("-inf")

    def make(self, needed: int, runs: int = 1, *, written: int = 0) -> None:
        """Make room for new runs.

        Args:
            needed: Bytes of all of them together.
            runs: How many there are.
            written: Bytes of them that lie in the folder already.

        Raises:
            RunError: when there is none; it says what to do.
        """
        if self.limits.is_public:
            self.clear()
        promised = self._promised()
        if self.limits.is_public:
            taken, there = self.folders.bytes_in_all() + promised - written, len(self.folders.ids())
            going = giving_way(
                self._ended(), self.limits, self._clock(), runs=there, new=runs, taken=taken, needed=needed
            )
            for run_id in going:
                self._remove(self.folders.path_of(run_id))
        self._require(needed, promised, runs, written)

    def is_time_to_clear(self) -> bool:
        """Whether class mode should look for old runs again."""
        return self.limits.is_public and time.monotonic() - self._cleared_at > BETWEEN_CLEARINGS

    def clear(self) -> None:
        """Delete visitors' runs that are too old.

        Raises:
            RunError: when one cannot be deleted.
        """
        self._cleared_at = time.monotonic()
        for run_id in expired(self._ended(), self.limits, self._clock()):
            self._remove(self.folders.path_of(run_id))

    def _ended(self) -> list[Ended]:
        """The runs of visitors that are not busy; whoever runs the server keeps their own."""
        theirs = [run_id for run_id in self.folders.ids() if self.folders.note(run_id).owner]
        return [
            Ended(run_id, self.folders.changed(run_id), self.folders.bytes_of(run_id))
            for run_id in theirs
            if not self._is_busy(run_id)
        ]

    def _promised(self) -> int:
        """Bytes that the runs that train or wait are still to write."""
        promised = 0
        for run_id in filter(self._is_busy, self.folders.ids()):
            with suppress(RunError):  # What cannot be read will write nothing.
                whole = needed_bytes(read_description(self.folders.path_of(run_id)))
                promised += max(0, whole - self.folders.bytes_of(run_id))
        return promised

    def _require(self, needed: int, promised: int, runs: int, written: int) -> None:
        ids = self.folders.ids()
        left = max(0, self.limits.most_runs - len(ids))
        if runs > left:
            advice = "begin fewer" if runs > self.limits.most_runs else self._advice(ids, "begin fewer")
            are_there = "There is 1 run" if len(ids) == 1 else f"There are {len(ids)} runs"
            raise RunError(
                f"{are_there} already, which is the most; {advice}."
                if runs == 1
                else f"There is room for {left} more, of {counted(self.limits.most_runs, 'run')} in all, "
                f"and this begins {runs}; {advice}."
            )
        taken = self.folders.bytes_in_all() + promised - written
        new = "this one needs" if runs == 1 else f"{runs} more need"
        if taken + needed > self.limits.most_bytes:
            take = "will take" if promised else "take"
            raise RunError(
                f"The runs {take} {megabytes(taken)} and {new} {megabytes(needed)}, "
                f"of {megabytes(self.limits.most_bytes)} in all; {self._advice(ids)}."
            )
        self.require_disk(promised + needed - written, f"{new} {megabytes(needed)}")

    def require_disk(self, more: int, who: str = "") -> None:
        """Refuse to write so many bytes more where the disk has no room for them; `who` needs how much.

        Raises:
            RunError: then; it says what to do.
        """
        free = shutil.disk_usage(self.folders.root).free
        if more + LEAST_FREE > free:
            needs = who or f"this one needs {megabytes(more)}"
            raise RunError(
                f"The disk has {megabytes(free)} left and {needs}; {self._advice(self.folders.ids())}."
            )

    def _advice(self, ids: list[str], or_else: str = "choose a smaller model") -> str:
        """Say which run could be deleted, the largest one, or what to do where there is none."""
        if not ids:
            return or_else
        if self.limits.is_public:
            return "try again later, or ask whoever runs this server to delete some"
        largest = max(ids, key=self.folders.bytes_of)
        title, size = self.folders.note(largest).title, self.folders.bytes_of(largest)
        return f"delete one that nobody needs, such as “{title}” ({megabytes(size)})"


def needed_bytes(description: RunDescription) -> int:
    """About what a training writes: checkpoints, the one that is being written among them, models and kept moments."""
    weights = 4 * expected_parameters(description.config)
    moments = len(moments_of(description.config, description.train_config))
    initial = weights if description.parent else 0
    return 3 * 3 * weights + weights + initial + moments * weights // 2 + _FIGURES


def megabytes(size: int) -> str:
    """A size as people read it."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{max(1, size // 1000)} kB"
