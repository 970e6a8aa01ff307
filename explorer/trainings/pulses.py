"""Which trainers still show that they live, by the clock of whoever watches: a trainer's own may be set to anything."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable

SILENT_AFTER = 120.0
"""Seconds without a sign of life after which a trainer counts as one that does not answer. It gives one after every
update and every two hundred sources of a validation, and at least each second of a pause."""


class Pulses:
    """The last sign of each trainer, and since when there was no other one.

    Args:
        clock: Seconds that only go forth.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[str, tuple[Hashable, float]] = {}
        self._looking = threading.Lock()

    def silence(self, run_id: str, sign: Hashable) -> float:
        """Look at a trainer's sign of life; seconds for which it has been seen to be the same."""
        now = self._clock()
        with self._looking:
            known = self._seen.get(run_id)
            if known is None or known[0] != sign:
                known = self._seen[run_id] = (sign, now)
        return now - known[1]

    def forget(self, run_id: str) -> None:
        """Forget the pulse of a run that is gone."""
        with self._looking:
            self._seen.pop(run_id, None)
