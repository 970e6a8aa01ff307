"""What may pause a training or end it early: its control file, a signal, the end of its turn, a run that is removed."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.training.control import Control
from core.training.lock import HeldFolder


class Interruptions:
    """What one process of a training is asked to do. Only the first process has a control file.

    Attributes:
        control: That file's reader.
    """

    def __init__(
        self,
        place: HeldFolder,
        control: Control | None,
        should_stop: Callable[[], bool] = lambda: False,
        most_seconds: float | None = None,
    ) -> None:
        self.control = control
        self._place, self._should_stop = place, should_stop
        self._most_seconds, self._began = most_seconds, time.monotonic()

    def pause_changed(self) -> bool:
        """Look whether the control file has something new; whether a pause has begun or ended by that."""
        if not self.control:
            return False
        was_paused = self.control.paused
        self.control.poll()
        return self.control.paused != was_paused

    @property
    def paused(self) -> bool:
        """Whether updates are made only as they are asked for."""
        return bool(self.control and self.control.paused)

    @property
    def waits(self) -> bool:
        """Whether no update is to be made now."""
        return bool(self.control and self.control.waits)

    @property
    def ends(self) -> bool:
        """Whether the training is to end now; also where its run is gone, which the next writing says."""
        asked = self._should_stop() or bool(self.control and self.control.stopped)
        return asked or self._turn_is_over or self._place.is_gone

    @property
    def reason(self) -> str:
        """A sentence for whoever wonders why the training has ended; empty where somebody asked for it."""
        seconds = self._most_seconds
        if seconds is None or not self._turn_is_over:
            return ""
        minutes = f"{seconds / 60:,.3g} {'minute' if seconds == 60 else 'minutes'}"
        return f"its turn of {minutes} is over; resume goes on from here in another one"

    @property
    def _turn_is_over(self) -> bool:
        """Whether it has gone on for as long as it may before others have their turn."""
        return self._most_seconds is not None and time.monotonic() - self._began >= self._most_seconds
