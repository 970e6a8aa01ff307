"""One training at a time in a folder: a lock that the operating system lets go when its process dies, however."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import RunError
from core.files import PART, shown
from core.run_description import RUN_FILE

LOCK_FILE = ".training"
PATIENCE = 1.0
"""Seconds that the lock of a folder is waited for."""


@dataclass(frozen=True)
class HeldFolder:
    """A run's folder in which this process trains.

    Attributes:
        path: Where it is.
        lock: Descriptor of its lock file; None in a process that leaves the writing to another one.
    """

    path: Path
    lock: int | None = None

    @property
    def is_gone(self) -> bool:
        """Whether somebody has removed the run by hand, or put another one in its place."""
        if self.lock is None:
            return False
        try:
            # A lock is of the file that was opened: whoever finds another one there would train beside this process.
            same = os.path.samestat(os.fstat(self.lock), os.stat(self.path / LOCK_FILE))
        except OSError:
            return True
        return not same or not (self.path / RUN_FILE).exists()

    def require(self) -> None:
        """Refuse to write where the run is gone: it must not come back half or whole.

        Raises:
            RunError: then.
        """
        if self.is_gone:
            raise RunError(
                f"the run {self.path.name} was removed while it trained, so the training has ended"
            )


@contextmanager
def training_lock(folder: Path) -> Iterator[HeldFolder]:
    """Hold a run's folder for as long as the block lasts.

    Raises:
        RunError: when another process trains there, or the folder cannot be written.
    """
    try:
        file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise RunError(f"{shown(folder / LOCK_FILE)} cannot be written: {error.strerror}") from error
    try:
        if not take_patiently(file, PATIENCE):
            raise RunError(
                f"the run {folder.name} is being trained by another process; wait for it or stop it first"
            )
        show_life(folder)
        _remove_half_written(folder)
        yield HeldFolder(folder, file)
    finally:
        os.close(file)


def show_life(folder: Path) -> None:
    """Let whoever watches the training in a folder see that it goes on; a disk that is full takes no pulse."""
    with suppress(OSError):
        os.utime(folder / LOCK_FILE)


def last_sign_of_life(folder: Path) -> int:
    """When the training in a folder has shown last that it goes on, by its own clock; 0 where none has begun."""
    with suppress(OSError):
        return (folder / LOCK_FILE).stat().st_mtime_ns
    return 0


def is_training(folder: Path) -> bool:
    """Whether a living process trains in the folder now."""
    return is_locked(folder / LOCK_FILE)


def is_locked(path: Path) -> bool:
    """Whether a living process holds the lock of a file. Those who only look do not see each other."""
    try:
        # Also where nothing can be written.
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not take(file, shared=True)
    finally:
        os.close(file)


def take_patiently(file: int, seconds: float) -> bool:
    """Take the lock of an open file within some seconds; `is_locked` holds it for a moment when it looks."""
    until = time.monotonic() + seconds
    while not take(file):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def _remove_half_written(folder: Path) -> None:
    """What a killed process was writing: nobody else writes while the lock is held."""
    for part in (*folder.glob(f"*{PART}"), *folder.glob(f"*/*{PART}")):
        if re.search(rf"\.[0-9a-f]{{32}}{re.escape(PART)}$", part.name):
            part.unlink(missing_ok=True)


def take(file: int, *, shared: bool = False) -> bool:
    """Take the lock of an open file, if nobody has it; closing the file lets it go. Many may share it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
