"""Room for runs: how many there may be and how much disk they may take, refused with what could be deleted."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import RunError
from explorer.training.run_folders import RunFolders

if TYPE_CHECKING:
    from core.run_description import RunDescription

LEAST_FREE = 64 * 2**20
"""Bytes that stay free on the disk."""
_FIGURES = 4 * 2**20
"""Bytes for the figures and the description of a run."""


@dataclass(frozen=True)
class Room:
    """The limits of one runs folder."""

    folders: RunFolders
    most_runs: int
    most_bytes: int

    def require_for(self, description: RunDescription) -> None:
        """Refuse a training that there is no room for.

        Raises:
            RunError: then.
        """
        self.require(needed_bytes(description))

    def require(self, needed: int) -> None:
        """Refuse a run of so many bytes if there is no room for it.

        Raises:
            RunError: then; it says what to delete, since nothing is deleted unasked.
        """
        ids = self.folders.ids()
        if len(ids) >= self.most_runs:
            raise RunError(f"There are {len(ids)} runs already, which is the most; {self._advice(ids)}.")
        taken = self.folders.bytes_of()
        if taken + needed > self.most_bytes:
            raise RunError(
                f"The runs take {megabytes(taken)} and this one needs {megabytes(needed)}, "
                f"of {megabytes(self.most_bytes)} in all; {self._advice(ids)}."
            )
        free = shutil.disk_usage(self.folders.root).free
        if needed + LEAST_FREE > free:
            raise RunError(
                f"The disk has {megabytes(free)} left and this run needs {megabytes(needed)}; {self._advice(ids)}."
            )

    def _advice(self, ids: list[str]) -> str:
        """What could be deleted: the largest run, by its title."""
        if not ids:
            return "choose a smaller model"
        largest = max(ids, key=self.folders.bytes_of)
        title, size = self.folders.note(largest).title, self.folders.bytes_of(largest)
        return f"delete one that nobody needs, such as “{title}” ({megabytes(size)})"


def needed_bytes(description: RunDescription) -> int:
    """About what a training writes: two checkpoints and a third beside them, the model, and its kept moments."""
    from core.model.transformer import expected_parameters
    from core.training.history import kept_updates, most_kept

    weights = 4 * expected_parameters(description.config)
    moments = len(kept_updates(description.train_config.steps, most_kept(description.config)))
    return 3 * 3 * weights + weights + moments * weights // 2 + _FIGURES


def megabytes(size: int) -> str:
    """A size as people read it."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{max(1, size // 1000)} kB"
