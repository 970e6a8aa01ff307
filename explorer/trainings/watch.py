"""A thread that looks after trainings as long as any lives or waits, whether or not a page is open."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from core.errors import ExplorerError

BETWEEN_LOOKS = 2.0
"""Seconds between two looks. The processes that a server has started tell their end by themselves, and at once; this
finds the end of those that a terminal or an earlier server has started."""


class Watch:
    """One thread for an engine, which ends when nothing is left to look after.

    Args:
        look: Looks after all trainings once; returns True while any lives or waits.
    """

    def __init__(self, look: Callable[[], bool]) -> None:
        self._look = look
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._asked = False

    def keep(self) -> None:
        """Look after the trainings from now on."""
        with self._changed:
            self._asked = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="trainings", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread before its next look."""
        with self._changed:
            self._thread = None
            self._changed.notify_all()

    def _run(self) -> None:
        mine = threading.current_thread()
        while self._thread is mine:
            # A training may begin during a look that does not see it; another look follows then.
            self._asked = False
            is_needed = True
            # A folder that cannot be read or written now may be there again at the next look.
            with suppress(ExplorerError, OSError):
                is_needed = self._look()
            with self._changed:
                if self._thread is not mine:
                    return
                if not is_needed and not self._asked:
                    self._thread = None
                    return
                self._changed.wait(BETWEEN_LOOKS)
