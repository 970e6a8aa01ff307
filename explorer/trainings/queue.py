"""The queue of runs that wait for a place, kept on disk, and the lock under which it is decided who is next."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import RunError
from core.files import read_bounded, write_whole
from core.training.lock import take_patiently

LOCK_FILE = ".deciding"
QUEUE_FILE = ".queue.json"
PATIENCE = 30.0
"""Seconds that somebody waits for the decisions of others."""
_MOST_QUEUE_BYTES, _MOST_IDS = 2**20, 1000


class Queue:
    """The ids of the runs that wait in a runs folder, the next one first."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self) -> list[str]:
        """Who waits; what is damaged counts as empty."""
        path = self._root / QUEUE_FILE
        if not path.exists():
            return []
        try:
            found = json.loads(read_bounded(path, _MOST_QUEUE_BYTES))
        except (RunError, ValueError, RecursionError):
            return []
        known = [name for name in found if isinstance(name, str)] if isinstance(found, list) else []
        return list(dict.fromkeys(known))[:_MOST_IDS]

    def write(self, queue: list[str]) -> None:
        """Note who waits.

        Raises:
            RunError: when that cannot be written.
        """
        if queue != self.read():
            write_whole(self._root / QUEUE_FILE, json.dumps(queue).encode())

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Let nobody else decide what begins, waits or goes, in this process or another.

        Raises:
            RunError: when others decide for too long, or the folder cannot be written.
        """
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            file = os.open(self._root / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise RunError(f"the runs folder cannot be written: {error.strerror}") from error
        try:
            if not take_patiently(file, PATIENCE):
                raise RunError("The runs folder is busy; try again.")
            yield
        finally:
            os.close(file)
