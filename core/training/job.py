"""One training as it is given to a process: which run, on which pairs, where, and with which other processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from core.data.dataset import Dataset
from core.run_description import RunDescription
from core.training.lock import HeldFolder
from core.training.processes import Processes


@dataclass(frozen=True)
class TrainingJob:
    """What the session of a training, its checkpointing and its reporting all know.

    Attributes:
        place: The run's folder, which the first process has locked.
        description: The run as it was begun.
        dataset: Its pairs.
        device: That this process computes on.
        processes: Those that train together; the first alone writes.
        warn: Called with sentences about what is not as it should be, yet no reason to end.
    """

    place: HeldFolder
    description: RunDescription
    dataset: Dataset
    device: torch.device
    processes: Processes
    warn: Callable[[str], None]

    @property
    def folder(self) -> Path:
        """The run's folder."""
        return self.place.path
