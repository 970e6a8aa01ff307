"""Training in the app: begin, watch, pause, step, stop, go on; a queue; and limits, for many visitors at once.

The truth is on disk (locks, run stores, notes, the queue), so a restarted server or a second one sees the same.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.data.tasks import TASKS
from core.errors import ExplorerError, RunError
from core.files import write_whole
from core.run_description import RUN_FILE
from core.training.control import Wish, ask, forget_wishes
from core.training.lock import is_training
from core.training.run_store import RunStore
from explorer.training import archive
from explorer.training.processes import Processes, Spare, bound_log
from explorer.training.queue import Queue
from explorer.training.room import Room
from explorer.training.run_folders import LOG_FILE, RunFolders, clean_title
from explorer.training.status import LIVING, RunStatus, Summary, read_status

if TYPE_CHECKING:
    from core.data.dataset import Dataset
    from core.run_description import RunDescription

PATIENCE = 30.0
"""Seconds that a deletion or a resumption waits for a process that is just ending."""


class TrainingEngine:
    """Trainings in one runs folder. Any number of threads, and of engines in other processes, may use it at once.

    Keep one for a server: it has a spare process. Nothing else of it is kept in memory.

    Args:
        folder: Of all runs; made where it does not exist.
        most_at_once: Runs that train at the same time; others wait in the queue.
        most_waiting: Runs in the queue.
        most_runs: Runs in the folder, of any state.
        most_bytes: Of all runs together, with what a new one will need.
        spare_seconds: How long a spare process is kept after the last `warm`.

    Raises:
        RunError: when the folder cannot be written.
    """

    def __init__(
        self,
        folder: Path,
        *,
        most_at_once: int = 1,
        most_waiting: int = 20,
        most_runs: int = 50,
        most_bytes: int = 2 * 2**30,
        spare_seconds: float = 300.0,
    ) -> None:
        self._folders = RunFolders(folder)
        self._room = Room(self._folders, most_runs, most_bytes)
        self._most_at_once, self._most_waiting = most_at_once, most_waiting
        self._queue = Queue(self._folders.root)
        self._processes = Processes(self._folders.root, self._one_has_ended)
        self._spare = Spare(self._processes, spare_seconds)
        self._summaries: dict[str, tuple[tuple[int, int], Summary]] = {}
        with self._queue.deciding():
            self._folders.tidy()
            self._processes.tidy()

    @property
    def folder(self) -> Path:
        """Of all runs."""
        return self._folders.root

    def begin(self, description: RunDescription, dataset: Dataset | None = None, *, title: str = "") -> str:
        """Begin a training, now or as soon as there is a place for it.

        Args:
            description: What is trained, and how; of a task by `core.training.plan.describe_task`.
            dataset: The pairs of a run that learns somebody's own.
            title: For people; by default the description's name.

        Returns:
            The id of the run.

        Raises:
            RunError: when there is no room for it, or the folder cannot be written.
            ConfigError: when its own pairs are not given.
        """
        from core.training.worker import begin_run

        with self._queue.deciding():
            self._require_place_in_queue()
            self._room.require_for(description)
            folder = self._folders.make()
            try:
                begin_run(folder, description, dataset)
                run_id = self._folders.publish(folder, title or description.name)
            except BaseException:
                self._folders.remove(folder)
                raise
            self._queue.write([*self._queue.read(), run_id])
            self._start_waiting()
        return run_id

    def pause(self, run_id: str) -> None:
        """Let a training make no more updates until `go_on` or `step`.

        Raises:
            RunError: when it does not train; so do `go_on` and `step`.
        """
        self._ask(run_id, "pause")

    def go_on(self, run_id: str) -> None:
        """Let a paused training go on."""
        self._ask(run_id, "go on")

    def step(self, run_id: str, count: int = 1) -> None:
        """Let a training make so many updates more and pause then.

        Raises:
            ConfigError: when the count is impossible.
        """
        self._ask(run_id, "step", count)

    def stop(self, run_id: str) -> None:
        """End a training at a checkpoint, or take it out of the queue; one that has ended stays as it is.

        Raises:
            RunError: when there is no such run, or it cannot be reached.
        """
        folder = self._folders.path_of(run_id)
        with self._queue.deciding():
            queue = self._queue.read()
            if run_id in queue:
                self._queue.write([other for other in queue if other != run_id])
                return
        if not self._is_alive(run_id):
            return
        try:
            ask(folder, "stop")
        except RunError:
            # Its control file is damaged; its process listens to a signal as well.
            _signal_to_stop(folder)

    def resume(self, run_id: str) -> None:
        """Go on with a run that was stopped, interrupted or has failed, from its last checkpoint.

        Raises:
            RunError: when that is not possible, or there is no place in the queue.
        """
        folder = self._folders.path_of(run_id)
        with self._queue.deciding():
            status = self.status(run_id)
            if status.state in (*LIVING, "waiting"):
                return
            if not status.can_resume:
                raise RunError(f"“{status.title}” has nothing to go on from; begin a new run.")
            self._require_place_in_queue()
            self._await_end(run_id)
            forget_wishes(folder)
            self._queue.write([*self._queue.read(), run_id])
            self._start_waiting()

    def status(self, run_id: str) -> RunStatus:
        """How a run stands.

        Raises:
            RunError: when there is no such run.
        """
        return self._status(run_id, self._queue.read())

    def statuses(self) -> list[RunStatus]:
        """How all runs stand, the newest first; starts what waits, if a place has become free."""
        queue = self._queue.read()
        if queue and self._living() < self._most_at_once:
            self._one_has_ended()
            queue = self._queue.read()
        found = []
        for run_id in self._folders.ids():
            with suppress(RunError):  # Deleted meanwhile.
                found.append(self._status(run_id, queue))
        return sorted(found, key=lambda status: (-status.begun, status.run_id))

    def rename(self, run_id: str, title: str) -> None:
        """Give a run another title.

        Raises:
            RunError: when there is no such run, nothing is left of the title, or it cannot be written.
        """
        self._folders.path_of(run_id)
        cleaned = clean_title(title)
        if not cleaned:
            raise RunError("Type a title of at least one character.")
        with self._queue.deciding():
            self._folders.write_note(run_id, replace(self._folders.note(run_id), title=cleaned))

    def delete(self, run_id: str) -> None:
        """Remove a run for good.

        Raises:
            RunError: when there is no such run, it trains, or it cannot be removed.
        """
        folder = self._folders.path_of(run_id)
        with self._queue.deciding():
            if self.status(run_id).state in LIVING:
                raise RunError("A run that trains is not deleted; stop it first.")
            self._await_end(run_id)
            self._queue.write([other for other in self._queue.read() if other != run_id])
            self._folders.remove(folder)
            self._summaries.pop(run_id, None)

    def add(self, uploaded: bytes | BinaryIO, *, title: str = "") -> str:
        """Add a run from an archive (explorer/training/archive.py), to be used; return its id.

        Raises:
            RunError: when there is no room for it, or the archive is no run.
        """
        with self._queue.deciding():
            self._room.require(archive.MOST_ARCHIVE_BYTES)
            return archive.unpack(uploaded, self._folders.root, title=title)

    def run_folder(self, run_id: str) -> Path:
        """Where a run lies.

        Raises:
            RunError: when there is no such run.
        """
        return self._folders.path_of(run_id)

    def disk_bytes(self, run_id: str | None = None) -> int:
        """Bytes on disk of a run, or of all together.

        Raises:
            RunError: when there is no such run.
        """
        return self._folders.bytes_of(run_id)

    def warm(self, description: RunDescription | None = None) -> None:
        """Have a process ready for the next training; to be called while somebody looks at where one is begun.

        Args:
            description: What will be trained most likely; the pairs of its task are made in advance.
        """
        order = None
        if description and description.task in TASKS:
            order = {"task": description.task, "training": asdict(description.train_config)}
        if self._living() < self._most_at_once:
            with suppress(RunError):  # A training begins more slowly then, and says what is wrong.
                self._spare.keep(order)

    def close(self) -> None:
        """Give up the spare process. Trainings go on."""
        self._spare.close()

    def stop_all(self) -> list[str]:
        """Empty the queue and ask every training for its end; return the ids of those that were asked."""
        with self._queue.deciding():
            self._queue.write([])
            living = [run_id for run_id in self._folders.ids() if self._is_alive(run_id)]
        for run_id in living:
            self.stop(run_id)
        return living

    def _ask(self, run_id: str, wish: Wish, count: int = 1) -> None:
        folder = self._folders.path_of(run_id)
        status = self.status(run_id)
        if status.state not in LIVING:
            raise RunError(f"“{status.title}” does not train now; it is {status.state}.")
        ask(folder, wish, count)

    def _status(self, run_id: str, queue: list[str]) -> RunStatus:
        folder = self._folders.path_of(run_id)
        # Looked up first: what a process has told before it ended is complete.
        is_alive = self._is_alive(run_id)
        if is_alive:
            bound_log(folder)
        place = queue.index(run_id) if run_id in queue else None
        note = self._folders.note(run_id)
        return read_status(folder, note, self._summary(folder), place=place, is_alive=is_alive)

    def _summary(self, folder: Path) -> Summary:
        """Of the run's description, read again only when the file is another."""
        try:
            found = (folder / RUN_FILE).stat()
        except OSError as error:
            raise RunError("There is no such run any more.") from error
        stamp = (found.st_mtime_ns, found.st_size)
        known = self._summaries.get(folder.name)
        if known and known[0] == stamp:
            return known[1]
        summary = Summary.read(folder)
        self._summaries[folder.name] = (stamp, summary)
        return summary

    def _is_alive(self, run_id: str) -> bool:
        ticket = self._folders.note(run_id).ticket
        return self._processes.is_alive(ticket) or is_training(self._folders.root / run_id)

    def _await_end(self, run_id: str) -> None:
        """Wait for a process that has told its last and is only ending."""
        until = time.monotonic() + PATIENCE
        while self._is_alive(run_id):
            if time.monotonic() > until:
                raise RunError("The run's process has not ended yet; try again.")
            time.sleep(0.01)

    def _living(self) -> int:
        return sum(map(self._is_alive, self._folders.ids()))

    def _require_place_in_queue(self) -> None:
        waiting = len(self._queue.read())
        if waiting >= self._most_waiting and self._living() >= self._most_at_once:
            raise RunError(
                f"{waiting} runs are waiting already, which is the most; try again when one has ended."
            )

    def _one_has_ended(self) -> None:
        with suppress(ExplorerError), self._queue.deciding():
            self._start_waiting()

    def _start_waiting(self) -> None:
        """Start what waits, as long as there is a place; the lock is held."""
        queue = self._queue.read()
        known = set(self._folders.ids())
        while queue and self._living() < self._most_at_once:
            run_id, *queue = queue
            # It may have been deleted by hand, or started before a server was killed at just this place.
            if run_id in known and not self._is_alive(run_id):
                self._start(run_id, self._folders.path_of(run_id))
            self._queue.write(queue)

    def _start(self, run_id: str, folder: Path) -> None:
        log = folder / LOG_FILE
        write_whole(log, b"")
        started = time.time()
        try:
            ticket = self._spare.train(folder) or self._processes.start(folder)
        except RunError as error:
            write_whole(log, str(error).encode())
            ticket = ""
        note = self._folders.note(run_id)
        self._folders.write_note(run_id, replace(note, started=started, ticket=ticket))


def _signal_to_stop(folder: Path) -> None:
    """End a training by a signal to the process that says it holds the folder's lock."""
    store = RunStore.read(folder)
    process = store.fact("process")
    store.close()
    if not isinstance(process, int) or process < 2 or not is_training(folder):
        raise RunError("The training cannot be reached; try again.")
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGTERM)
