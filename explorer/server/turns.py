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
MOST_DEFERRED = 2.0
"""Seconds after which a step of a background job gets the next turn, however many pages wait: it is never starved."""


class _Turn:
    """One turn, with the times at which it was requested and granted."""

    def __init__(self) -> None:
        self.since = 0.0
        self.asked = 0.0


class Turns:
    """Turns in the order in which they were asked for; those of background jobs come after those of pages.

    Args:
        clock: Seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = Condition()
        self._waiting: deque[_Turn] = deque()
        self._deferred: deque[_Turn] = deque()
        self._holder: _Turn | None = None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and have it; another gets it when it ends, or after the server's patience."""
        with self._turn(self._waiting):
            yield

    @contextmanager
    def background_turn(self) -> Iterator[None]:
        """Wait until no page wants a turn, and have one; pages wait for its end no longer than for another page's."""
        with self._turn(self._deferred):
            yield

    @contextmanager
    def _turn(self, queue: deque[_Turn]) -> Iterator[None]:
        mine = _Turn()
        self._take(mine, queue)
        try:
            yield
        finally:
            self._give_up(mine)

    def _take(self, mine: _Turn, queue: deque[_Turn]) -> None:
        with self._changed:
            mine.asked = self._clock()
            queue.append(mine)
            while (seconds := self._seconds_to_wait(mine)) != 0.0:
                self._changed.wait(seconds)
            queue.popleft()
            self._holder, mine.since = mine, self._clock()
            self._changed.notify_all()

    def _give_up(self, mine: _Turn) -> None:
        with self._changed:
            if self._holder is mine:
                self._holder = None
                self._changed.notify_all()

    def _next(self) -> _Turn:
        """Return whose turn comes next; one waits at least."""
        is_overdue = self._deferred and self._clock() - self._deferred[0].asked >= MOST_DEFERRED
        return self._deferred[0] if is_overdue or not self._waiting else self._waiting[0]

    def _seconds_to_wait(self, mine: _Turn) -> float | None:
        """0 for whose turn it is; None for whoever is told by those before."""
        if self._next() is not mine:
            is_next_job = bool(self._deferred) and self._deferred[0] is mine
            return mine.asked + MOST_DEFERRED - self._clock() if is_next_job else None
        return 0.0 if self._holder is None else max(0.0, self._holder.since + PATIENCE - self._clock())
