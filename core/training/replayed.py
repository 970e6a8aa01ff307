"""An update that was made again, as a page and a file have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.data.batching import Batch
    from core.training.captured import CapturedUpdate


@dataclass(frozen=True)
class Replayed:
    """An update that was made again.

    Attributes:
        update: All of it.
        first_batches: Those of the first updates of the run, with which another replay need not make the pairs;
            none where it went on from a checkpoint.
        changes: What differs from the machine that trained, where the checkpoint tells it.
    """

    update: CapturedUpdate
    first_batches: tuple[Batch, ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def n_bytes(self) -> int:
        """Bytes of the update; the batches are small."""
        return self.update.n_bytes
