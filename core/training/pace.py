"""The pace of a training: seconds from one update to the next, validations and all, but no pauses."""

import time

MEMORY = 50
"""Updates over which the pace is averaged, the newest counting most."""


class Pace:
    """A running mean of the seconds between updates.

    Attributes:
        updates: That were made since the training began or went on.
    """

    def __init__(self) -> None:
        self.updates = 0
        self._last: float | None = None
        self._mean: float | None = None

    def after_update(self) -> float | None:
        """Note an update; return the pace, or None while there is none."""
        now = time.monotonic()
        if self._last is not None:
            seconds = now - self._last
            weight = 1 / min(MEMORY, max(1, self.updates))
            self._mean = seconds if self._mean is None else self._mean + weight * (seconds - self._mean)
        self._last = now
        self.updates += 1
        return self._mean

    def rest(self) -> None:
        """Note a pause: the time until the next update says nothing."""
        self._last = None
