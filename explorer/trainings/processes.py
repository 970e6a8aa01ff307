"""Processes that train: started on their own, so that they outlive the server, and one spare that is ready at once.

Each holds the lock of a file, its ticket, as long as it lives, from the moment it is started: the lock comes with an
open file that it inherits. So everybody can see whether it lives, and no process id is taken for another's. On Windows,
where no file is inherited so, the server holds the lock for it, and a run's own lock tells of what outlives the server.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from core.errors import RunError
from core.training.lock import is_locked, take
from explorer.server.child_process import child_environment, give_way
from explorer.trainings.run_folders import ABANDONED, LOG_FILE

TICKET_FOLDER = ".processes"
SECONDS_BETWEEN_ORDERS = 10.0
INHERITS_FILES = os.name != "nt"
"""Whether a process can be given an open file, and with it the file's lock."""
MOST_LOG_BYTES = 256 * 2**10

_PROJECT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Started:
    """A process, and the name of the ticket that it holds."""

    process: subprocess.Popen[bytes]
    ticket: str


class Processes:
    """Starts the processes of one runs folder; `ended` is called, on a thread of its own, whenever one ends.

    Nobody's child becomes a zombie: for each a thread waits for its end.
    """

    def __init__(self, root: Path, ended: Callable[[], None]) -> None:
        self._tickets, self._ended = root / TICKET_FOLDER, ended

    def start(self, folder: Path, most_seconds: int | None = None) -> str:
        """Train the run in a folder; return the ticket.

        Args:
            folder: Of the run.
            most_seconds: After which it ends at a checkpoint.

        Raises:
            RunError: when no process can be started.
        """
        command = [sys.executable, "-m", "core.train", *_arguments(folder, most_seconds)]
        with open(folder / LOG_FILE, "ab") as log:
            return self.run(command, stdin=subprocess.DEVNULL, output=log).ticket

    def run(self, command: Sequence[str], *, stdin: int, output: IO[bytes] | int) -> Started:
        """Start a process that outlives this one and gives way to others.

        Raises:
            RunError: when it cannot be started.
        """
        ticket = secrets.token_hex(8)
        with ExitStack() as opened:
            try:
                self._tickets.mkdir(exist_ok=True)
                file = os.open(self._tickets / ticket, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
                opened.callback(os.close, file)
                take(file)
                process = subprocess.Popen(
                    command,
                    cwd=_PROJECT,
                    env=child_environment(),
                    stdin=stdin,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    pass_fds=(file,) if INHERITS_FILES else (),
                )
            except OSError as error:
                raise RunError(f"a training process cannot be started: {error.strerror}") from error
            held = ExitStack() if INHERITS_FILES else opened.pop_all()
        give_way(process.pid)
        with suppress(OSError):
            (self._tickets / ticket).write_text(str(process.pid))
        threading.Thread(target=self._reap, args=(process, ticket, held), daemon=True).start()
        return Started(process, ticket)

    def is_alive(self, ticket: str) -> bool:
        """Whether the process that was given this ticket lives."""
        return bool(ticket) and is_locked(self._tickets / ticket)

    def end_at_once(self, ticket: str) -> bool:
        """End the process that was given this ticket, which cannot prevent it; whether it is known and lived."""
        try:
            process = int((self._tickets / ticket).read_text()) if self.is_alive(ticket) else 0
        except (OSError, ValueError):
            return False
        return kill(process)

    def tidy(self) -> None:
        """Remove the tickets of processes that are long gone, as after a restart of the server."""
        with suppress(OSError):
            for path in self._tickets.iterdir():
                # Not the newest: somebody may be about to lock it.
                if time.time() - path.stat().st_mtime > ABANDONED and not is_locked(path):
                    path.unlink(missing_ok=True)

    def _reap(self, process: subprocess.Popen[bytes], ticket: str, held: ExitStack) -> None:
        process.wait()
        held.close()  # Windows removes no file that is open.
        with suppress(OSError):
            (self._tickets / ticket).unlink(missing_ok=True)
        self._ended()


class Spare:
    """At most one process that has torch imported and waits for a run; given up when nobody has asked for a while."""

    def __init__(self, processes: Processes, idle_seconds: float) -> None:
        self._processes, self._idle_seconds = processes, idle_seconds
        self._changed = threading.Condition()
        self._started: Started | None = None
        self._ordered: Mapping[str, Any] | None = None
        self._ordered_at, self._until = 0.0, 0.0

    def keep(self, order: Mapping[str, Any] | None = None) -> None:
        """Have a spare from now on, for as long as this is called again and again.

        Args:
            order: What it makes ready besides (core/training/spare.py).

        Raises:
            RunError: when no process can be started.
        """
        with self._changed:
            self._until = time.monotonic() + self._idle_seconds
            if not self._started or self._started.process.poll() is not None:
                command = [sys.executable, "-m", "core.training.spare"]
                self._started = self._processes.run(command, stdin=subprocess.PIPE, output=subprocess.DEVNULL)
                self._ordered = None
                threading.Thread(target=self._give_up_when_idle, args=(self._started,), daemon=True).start()
            # Visitors who want different things must not keep it busy while one of them begins.
            is_time = time.monotonic() - self._ordered_at > SECONDS_BETWEEN_ORDERS or not self._ordered
            if order and order != self._ordered and is_time and self._send(self._started, order):
                self._ordered, self._ordered_at = order, time.monotonic()

    def train(self, folder: Path, most_seconds: int | None = None) -> str | None:
        """Let the spare train a run as `Processes.start` does; its ticket, or None when there is no spare."""
        with self._changed:
            started, self._started = self._started, None
            self._changed.notify_all()
        if started is None or started.process.poll() is not None:
            return None
        order = {"arguments": _arguments(folder, most_seconds), "log": str(folder / LOG_FILE)}
        return started.ticket if self._send(started, order) else None

    def close(self) -> None:
        """Give the spare up."""
        with self._changed:
            self._until = 0.0
            self._changed.notify_all()

    def _send(self, started: Started, order: Mapping[str, Any]) -> bool:
        """Whether the process could be told something; it may have died."""
        if not started.process.stdin:
            return False
        try:
            started.process.stdin.write(json.dumps(order).encode() + b"\n")
            started.process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def _give_up_when_idle(self, mine: Started) -> None:
        with self._changed:
            while self._started is mine and (left := self._until - time.monotonic()) > 0:
                self._changed.wait(left)
            if self._started is mine:
                self._started = None
                if mine.process.stdin:
                    with suppress(OSError):
                        mine.process.stdin.close()


def _arguments(folder: Path, most_seconds: int | None) -> list[str]:
    """Arguments of ``python -m core.train`` with which it goes on with the run in a folder."""
    turn = [] if most_seconds is None else ["--most-seconds", str(most_seconds)]
    return ["--resume", str(folder), "--quiet", *turn]


def kill(process: int) -> bool:
    """End a process at once, even one that is suspended; whether there was one."""
    if process < 2:
        return False
    try:
        os.kill(process, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    except OSError:
        return False
    return True


def bound_log(folder: Path) -> None:
    """Empty a run's log when it has grown beyond what anybody reads; its process goes on at the end of it."""
    path = folder / LOG_FILE
    with suppress(OSError):
        if path.stat().st_size > MOST_LOG_BYTES:
            os.truncate(path, 0)
