"""Turns: the pages of many visitors are made one after the other, not all at the same time.

One interpreter makes them all. Side by side, each of some hundred operations of torch would wait for it again, and
thirty pages together take ten times as long as thirty in a row.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

PATIENCE = 0.25
"""Seconds after which whoever has the turn is not waited for any more: a page that takes long holds up nobody."""


class Turns:
    """Turns in the order in which they were asked for.

    Args:
        clock: Seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = Condition()
        self._waiting: deque[object] = deque()
        self._holder: object | None = None
        self._since = 0.0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and have it; it may pass to another after `PATIENCE` seconds."""
        mine = object()
        with self._changed:
            self._waiting.append(mine)
            while (seconds := self._seconds_to_wait(mine)) != 0.0:
                self._changed.wait(seconds)
            self._waiting.popleft()
            self._holder, self._since = mine, self._clock()
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                if self._holder is mine:
                    self._holder = None
                    self._changed.notify_all()

    def _seconds_to_wait(self, mine: object) -> float | None:
        """0 for whose turn it is; None for whoever is told by those before."""
        if self._waiting[0] is not mine:
            return None
        return 0.0 if self._holder is None else max(0.0, self._since + PATIENCE - self._clock())
