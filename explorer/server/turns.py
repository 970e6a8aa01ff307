"""Turns: the pages of many visitors are made one after the other, not all at the same time.

One interpreter makes them all. Side by side, each of some hundred operations of torch would wait for it again, and
thirty pages together take ten times as long as thirty in a row.

A server that has just begun has not yet imported what its pages need. Whoever looks at a module that another thread is
importing may find half of it, so until all is imported a turn passes to nobody before it ends.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, get_ident

PATIENCE = 0.25
"""Seconds after which whoever has the turn is not waited for any more: a page that takes long holds up nobody."""
COLD_PATIENCE = 60.0
"""Seconds of the same while a page may still import something."""


class _Turn:
    """One turn: whose thread has it, and since when."""

    def __init__(self) -> None:
        self.thread = get_ident()
        self.since = 0.0


class Turns:
    """Turns in the order in which they were asked for.

    Args:
        clock: Seconds that never go back.
        is_warm: Whether everything has been imported already.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, is_warm: bool = True) -> None:
        self._clock = clock
        self._changed = Condition()
        self._waiting: deque[_Turn] = deque()
        self._holder: _Turn | None = None
        self._is_warm = is_warm

    @property
    def is_warm(self) -> bool:
        """Whether a turn passes on when its page takes long."""
        return self._is_warm

    def warm_up(self) -> None:
        """Let turns pass on from now on: everything that a page needs is imported."""
        with self._changed:
            self._is_warm = True
            self._changed.notify_all()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and have it; another gets it when it ends, or after the server's patience."""
        mine = _Turn()
        self._take(mine)
        try:
            yield
        finally:
            self._give_up(mine)

    def pause(self, seconds: float) -> None:
        """Let others have their turns for so long, then wait for this thread's to go on; it may have none."""
        with self._changed:
            mine = self._holder
        if mine is None or mine.thread != get_ident():
            time.sleep(seconds)
            return
        self._give_up(mine)
        time.sleep(seconds)
        self._take(mine)

    def _take(self, mine: _Turn) -> None:
        with self._changed:
            self._waiting.append(mine)
            while (seconds := self._seconds_to_wait(mine)) != 0.0:
                self._changed.wait(seconds)
            self._waiting.popleft()
            self._holder, mine.since = mine, self._clock()
            self._changed.notify_all()

    def _give_up(self, mine: _Turn) -> None:
        with self._changed:
            if self._holder is mine:
                self._holder = None
                self._changed.notify_all()

    def _seconds_to_wait(self, mine: _Turn) -> float | None:
        """0 for whose turn it is; None for whoever is told by those before."""
        if self._waiting[0] is not mine:
            return None
        patience = PATIENCE if self._is_warm else COLD_PATIENCE
        return 0.0 if self._holder is None else max(0.0, self._holder.since + patience - self._clock())
