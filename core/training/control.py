"""What somebody wants of a training that is going on: pause, go on, step, stop, through a small file in its folder.

The run store has one writer, the training; so wishes have a SQLite file of their own, to which anybody may add one.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal, get_args

from core.errors import ConfigError, RunError
from core.files import shown
from core.numbers import is_whole
from core.training.store_errors import as_sentences, is_busy

CONTROL_FILE = "control.sqlite"
CONTROL_FILES = (CONTROL_FILE, f"{CONTROL_FILE}-wal", f"{CONTROL_FILE}-shm")
MOST_STEPS = 10_000
"""Most updates that one wish may ask for."""
POLL_EVERY = 0.02
"""Seconds between two reads of the file; also how long a paused training sleeps at a time."""
RETRY_AFTER = 1.0
"""Seconds until a file that could not be used is read again."""
PATIENCE = 1.0
"""Seconds that are waited for somebody else who writes."""
STALE = 120.0
"""Seconds: what was wished longer ago than this before a training began was meant for the one before it."""

Wish = Literal["pause", "go on", "step", "stop"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS wishes (
    number INTEGER PRIMARY KEY AUTOINCREMENT, wish TEXT NOT NULL, count INTEGER NOT NULL, asked REAL NOT NULL);
"""


def ask(folder: Path, wish: Wish, count: int = 1) -> None:
    """Wish something of the training in a folder; of several wishes the last wins, and the counts of steps add up.

    Args:
        folder: Of the run.
        wish: "step" makes updates and pauses then; "stop" ends it at a checkpoint.
        count: Updates of a "step".

    Raises:
        ConfigError: when there is no such wish, or the count is impossible.
        RunError: when it cannot be written.
    """
    if wish not in get_args(Wish):
        raise ConfigError(f"a wish must be one of {', '.join(get_args(Wish))}, not {wish!r}")
    if not is_whole(count, 1, MOST_STEPS):
        raise ConfigError(f"step by 1 to {MOST_STEPS:,} updates, not {count!r}")
    if not folder.is_dir():
        raise RunError(f"there is no run {folder.name}")
    with (
        as_sentences(folder / CONTROL_FILE, "move the file away and try again"),
        closing(_opened(folder)) as connection,
    ):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(_SCHEMA)
        connection.execute(
            "INSERT INTO wishes (wish, count, asked) VALUES (?, ?, ?)", (wish, count, time.time())
        )


def forget_wishes(folder: Path) -> None:
    """Remove every wish: a training that begins now is asked nothing yet."""
    for name in CONTROL_FILES:
        with suppress(OSError):
            (folder / name).unlink(missing_ok=True)


class Control:
    """The training's side: reads wishes, rarely enough to cost nothing, and knows what follows from them.

    Attributes:
        stopped: Whether somebody wished the end.
        paused: Whether it makes no update until somebody wishes one.
        steps: Updates that it makes although it is paused.
    """

    def __init__(self, folder: Path, warn: Callable[[str], None], *, began: float | None = None) -> None:
        self.stopped, self.paused, self.steps = False, False, 0
        self._folder, self._warn = folder, warn
        self._since = (time.time() if began is None else began) - STALE
        self._connection: sqlite3.Connection | None = None
        self._next_poll = 0.0
        self._warned: set[str] = set()
        self._has_polled = False

    @property
    def waits(self) -> bool:
        """Whether no update is to be made now."""
        return self.paused and not self.steps and not self.stopped

    def poll(self) -> None:
        """Take the wishes that have come, if the file was last read long enough ago."""
        now = time.monotonic()
        if now < self._next_poll:
            return
        self._next_poll = now + POLL_EVERY
        try:
            for wish, count, asked in self._taken():
                # What comes while it trains is meant for it, whatever the clock has been set to meanwhile.
                if self._has_polled or asked >= self._since:
                    self._follow(wish, count)
            self._has_polled = True
        except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
            self._poll_later(error)

    def made_update(self) -> None:
        """Count an update that was made."""
        self.steps = max(0, self.steps - 1)

    def close(self) -> None:
        """The training has ended: remove what was wished too late, and let the file go."""
        with suppress(sqlite3.Error):
            if connection := self._connected():
                connection.execute("DELETE FROM wishes")
        self._let_go()

    def _taken(self) -> list[tuple[str, int, float]]:
        """The wishes in their order; they are gone from the file then."""
        connection = self._connected()
        if connection is None:
            return []
        found = connection.execute("SELECT number, wish, count, asked FROM wishes ORDER BY number")
        rows = found.fetchmany(1000)
        if rows:
            connection.execute("DELETE FROM wishes WHERE number <= ?", (rows[-1][0],))
        return [(str(wish), int(count), float(asked)) for _, wish, count, asked in rows]

    def _follow(self, wish: str, count: int) -> None:
        if wish == "stop":
            self.stopped = True
        if wish in ("pause", "go on"):
            self.paused, self.steps = wish == "pause", 0
        if wish == "step":
            self.paused, self.steps = True, min(self.steps + max(1, count), MOST_STEPS)

    def _connected(self) -> sqlite3.Connection | None:
        """The file, opened once; None where nobody has wished anything."""
        if self._connection is None and (self._folder / CONTROL_FILE).exists():
            self._connection = _opened(self._folder)
        return self._connection

    def _let_go(self) -> None:
        if self._connection:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _poll_later(self, error: Exception) -> None:
        """A file that is busy keeps its wishes, and the pause lasts; a damaged one must not hold up the training."""
        self._let_go()
        self._next_poll = time.monotonic() + RETRY_AFTER
        if is_busy(error):
            follows = "wishes are followed as soon as it can be"
        else:
            follows = "the training goes on without listening"
            self.paused, self.steps = False, 0
        if follows not in self._warned:
            self._warned.add(follows)
            self._warn(f"{shown(self._folder / CONTROL_FILE)} cannot be used: {error}; {follows}")


def _opened(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / CONTROL_FILE, isolation_level=None, timeout=PATIENCE)
    # Text that is none is no wish, and must not keep the wishes after it from being read.
    connection.text_factory = lambda text: text.decode(errors="replace")
    # Wishes need not survive a power cut, and a file may bring views and triggers of its own.
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection
