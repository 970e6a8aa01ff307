"""Training in the app: begin, watch, pause, step, stop, go on; a queue; and limits, for many visitors at once.

The truth is on disk (locks, run stores, notes, the queue), so a restarted server or a second one sees the same.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from core.data.dataset import Dataset
from core.data.tasks import TASKS
from core.errors import ExplorerError, RunError
from core.files import write_whole
from core.run_description import RUN_FILE, RunDescription
from core.training.control import Wish, ask, forget_wishes
from core.training.expected_time import PartTimes
from core.training.kept import thin
from core.training.lock import is_training, last_sign_of_life
from core.training.new_run import begin_run
from core.training.run_store import RunStore
from explorer.server.limits import OPEN, Limits
from explorer.trainings import archive
from explorer.trainings.expected import ExpectedTimes
from explorer.trainings.processes import Processes, Spare, bound_log, kill
from explorer.trainings.pulses import SILENT_AFTER, Pulses
from explorer.trainings.queue import Queue
from explorer.trainings.room import Room, needed_bytes
from explorer.trainings.rules import NOBODY, Rules, Visitor
from explorer.trainings.run_folders import LOG_FILE, RunFolders, bytes_in, clean_title
from explorer.trainings.status import (
    GOING_ON,
    LIVING,
    RunStatus,
    Summary,
    ending_of,
    last_reported,
    read_status,
    reported_start,
)
from explorer.trainings.watch import Watch

LOG = logging.getLogger(__name__)
# Only the server shows what is logged; a command that uses an engine prints what it has to say.
LOG.addHandler(logging.NullHandler())
PATIENCE = 30.0
"""Seconds that a deletion or a resumption waits for a process that is just ending, and an upload for another one."""
MOST_SPARES = 2
"""Processes that are kept ready at most: each has torch in memory."""


@dataclass(frozen=True)
class NewRun:
    """A training that somebody asks for.

    Attributes:
        description: What is trained, and how; of a task by `core.training.plan.describe_task`.
        dataset: The pairs of a run that learns somebody's own.
        title: For people; where it is empty, the description's name.
        parent: Folder of the run that it goes on from; None where it begins with random weights.
    """

    description: RunDescription
    dataset: Dataset | None = None
    title: str = ""
    parent: Path | None = None


class TrainingEngine:
    """Trainings in one runs folder. Any number of threads, and of engines in other processes, may use it at once.

    Keep one for a server: it has spare processes, and remembers for how long a trainer has given no sign of life; of
    everything else nothing is kept in memory but what was measured or read before. In class mode, which its limits
    say, it asks the rules who may do what; a call that does not say who asks is nobody's, and refused. Where the
    folder cannot be written everything is read, and only what would write says so.

    Args:
        folder: Of all runs; made where it does not exist.
        limits: Of this server.
        spare_seconds: How long a spare process is kept after the last `warm`.
        clock: Seconds since the epoch, for the age of runs.
        pulses: What is seen of the trainers.
    """

    def __init__(
        self,
        folder: Path,
        limits: Limits = OPEN,
        *,
        spare_seconds: float = 300.0,
        clock: Callable[[], float] = time.time,
        pulses: Pulses | None = None,
    ) -> None:
        self._folders = RunFolders(folder)
        self.limits = limits
        self._rules = Rules(limits)
        self._clock = clock
        self._pulses = pulses or Pulses()
        self._expected = ExpectedTimes()
        self._room = Room(self._folders, limits, self._is_busy, self._remove, clock)
        self._queue = Queue(self._folders.root)
        self._living: set[str] = set()
        self._looking = Lock()
        self._watch = Watch(self._look_after)
        self._processes = Processes(self._folders.root, self._one_has_ended)
        self._spares = tuple(Spare(self._processes, spare_seconds) for _ in range(MOST_SPARES))
        self._checking = Lock()
        self._summaries: dict[str, tuple[tuple[int, int], Summary]] = {}
        with suppress(RunError), self._queue.deciding():  # A folder that cannot be written is not tidied.
            self._folders.tidy()
            self._processes.tidy()
        # An earlier server may have left trainings, and others that wait.
        if self._folders.root.is_dir():
            self._watch.keep()

    @property
    def folder(self) -> Path:
        """The folder of all runs."""
        return self._folders.root

    def require_allowed(self, description: RunDescription, dataset: Dataset | None = None) -> None:
        """Refuse a training that is larger than this server lets people train, or would take longer.

        Args:
            description: What is trained, and how.
            dataset: The pairs of a run that learns somebody's own.

        Raises:
            RunError: then; it says what to make smaller.
        """
        self._rules.require_size(description)
        if self.limits.most_seconds is not None:
            expected = self.part_times(description, dataset)
            self._rules.require_time(expected.of(description.train_config) if expected else None)

    def part_times(self, description: RunDescription, dataset: Dataset | None = None) -> PartTimes | None:
        """How long its parts take on a free core of this machine, measured once; None for very large trainings."""
        return self._expected.of(description, dataset)

    def begin(
        self,
        description: RunDescription,
        dataset: Dataset | None = None,
        *,
        title: str = "",
        by: Visitor = NOBODY,
        parent: Path | None = None,
    ) -> str:
        """Begin one training and return its id: `begin_all` of a single `NewRun`, with its errors."""
        (run_id,) = self.begin_all([NewRun(description, dataset, title, parent)], by=by)
        return run_id

    def begin_all(self, wanted: Sequence[NewRun], *, by: Visitor = NOBODY) -> tuple[str, ...]:
        """Begin trainings, now or as soon as there is a place for each: all of them, or none.

        Args:
            wanted: In the order in which they wait.
            by: Whose runs they are.

        Returns:
            The ids of the runs.

        Raises:
            RunError: when one is not allowed, there is no room for all, or the folder cannot be written.
            ConfigError: when somebody's own pairs are not given.
        """
        for each in wanted:
            self.require_allowed(each.description, each.dataset)
        with self._queue.deciding():
            self._require_places(by, len(wanted))
            self._room.make(sum(needed_bytes(each.description) for each in wanted), runs=len(wanted))
            made: list[str] = []
            team = secrets.token_hex(8) if len(wanted) > 1 else ""
            try:
                for each in wanted:
                    made.append(self._make(each, by, team))
                self._queue.write([*self._queue.read(), *made])
            except BaseException:
                for run_id in made:
                    with suppress(RunError):  # Why it cannot begin is told, not what is left of it.
                        self._remove(self._folders.path_of(run_id))
                raise
            self._start_waiting()
        self._watch.keep()
        return tuple(made)

    def _make(self, wanted: NewRun, by: Visitor, team: str) -> str:
        """The id of a run that is described, but in no queue yet."""
        folder = self._folders.make()
        try:
            begin_run(folder, wanted.description, wanted.dataset, parent=wanted.parent)
            title = wanted.title or wanted.description.name
            return self._folders.publish(folder, title, owner=by.mark, team=team)
        except BaseException:
            self._folders.remove(folder)
            raise

    def may_steer(self, run_id: str, by: Visitor) -> bool:
        """Whether somebody may pause, step, stop and resume a run.

        Raises:
            RunError: when there is no such run.
        """
        return self._rules.may_steer(by, self._owner_of(run_id))

    def may_manage(self, by: Visitor) -> bool:
        """Whether somebody may rename, delete and upload runs."""
        return self._rules.may_manage(by)

    def pause(self, run_id: str, *, by: Visitor = NOBODY) -> None:
        """Let a training make no more updates until `go_on` or `step`.

        Raises:
            RunError: when it does not train, or is not theirs to steer; so do `go_on` and `step`.
        """
        self._ask(run_id, "pause", by)

    def go_on(self, run_id: str, *, by: Visitor = NOBODY) -> None:
        """Let a paused training go on."""
        self._ask(run_id, "go on", by)

    def step(self, run_id: str, count: int = 1, *, by: Visitor = NOBODY) -> None:
        """Let a training make so many updates more and pause then.

        Raises:
            ConfigError: when the count is impossible.
        """
        self._ask(run_id, "step", by, count)

    def stop(self, run_id: str, *, by: Visitor = NOBODY) -> None:
        """End a training at a checkpoint, or take it out of the queue; one that has ended stays as it is.

        Raises:
            RunError: when there is no such run, it cannot be reached, or is not theirs to steer.
        """
        self._rules.require_steer(by, self._owner_of(run_id))
        self._stop(run_id)

    def _stop(self, run_id: str) -> None:
        folder = self._folders.path_of(run_id)
        with self._queue.deciding():
            queue = self._queue.read()
            if run_id in queue:
                self._queue.write([other for other in queue if other != run_id])
                return
        if not self._is_alive(run_id):
            return
        if self._is_silent(run_id):
            self._end_at_once(run_id)
            return
        try:
            ask(folder, "stop")
        except RunError:
            # Its control file is damaged; its process listens to a signal as well.
            _signal(folder, lambda process: os.kill(process, signal.SIGTERM))

    def resume(self, run_id: str, *, by: Visitor = NOBODY) -> None:
        """Go on with a run that was stopped, interrupted or has failed, from its last checkpoint.

        Raises:
            RunError: when that is not possible, it is not theirs, or there is no place in the queue.
        """
        folder = self._folders.path_of(run_id)
        self._rules.require_steer(by, self._owner_of(run_id))
        with self._queue.deciding():
            status = self.status(run_id)
            if status.state in GOING_ON:
                return
            if not status.can_resume:
                raise RunError(f"“{status.title}” has nothing to go on from; begin a new run.")
            self._require_places(by, 1)
            self._await_end(run_id)
            forget_wishes(folder)
            self._queue.write([*self._queue.read(), run_id])
            self._start_waiting()
        self._watch.keep()

    def status(self, run_id: str) -> RunStatus:
        """How a run stands.

        Raises:
            RunError: when there is no such run.
        """
        return self._status(run_id, self._queue.read())

    def statuses(self) -> list[RunStatus]:
        """How all runs stand, the newest first; starts what waits, if a place has become free or is not used."""
        if self._room.is_time_to_clear():
            with suppress(ExplorerError), self._queue.deciding():
                self._room.clear()
        queue = self._queue.read()
        if queue and self._startable(queue):
            self._one_has_ended()
            queue = self._queue.read()
        found = []
        for run_id in self._folders.ids():
            with suppress(RunError):  # Deleted meanwhile.
                found.append(self._status(run_id, queue))
        if queue:
            self._end_long_pauses([status.run_id for status in found if status.state == "paused"])
        self._end_long_silences([status.run_id for status in found if status.state == "silent"])
        return sorted(found, key=lambda status: (-status.begun, status.run_id))

    def rename(self, run_id: str, title: str, *, by: Visitor = NOBODY) -> None:
        """Give a run another title.

        Raises:
            RunError: when there is no such run, nothing is left of the title, it cannot be written, or is not theirs
                to rename.
        """
        self._folders.path_of(run_id)
        self._rules.require_manage(by, "renamed")
        cleaned = clean_title(title)
        if not cleaned:
            raise RunError("Type a title of at least one character.")
        with self._queue.deciding():
            self._folders.write_note(run_id, replace(self._folders.note(run_id), title=cleaned))

    def delete(self, run_id: str, *, by: Visitor = NOBODY) -> None:
        """Remove a run for good.

        Raises:
            RunError: when there is no such run, it trains, cannot be removed, or is not theirs to delete.
        """
        folder = self._folders.path_of(run_id)
        self._rules.require_manage(by, "deleted")
        with self._queue.deciding():
            if self.status(run_id).state in LIVING:
                raise RunError("A run that trains is not deleted; stop it first.")
            self._await_end(run_id)
            self._queue.write([other for other in self._queue.read() if other != run_id])
            self._remove(folder)

    def thin(self, run_id: str, most: int, *, by: Visitor = NOBODY) -> int:
        """Let a finished run keep so many moments of its training, and no checkpoint; return the bytes freed.

        Raises:
            RunError: when there is no such run, it is not finished, cannot be thinned, or is not theirs to thin.
        """
        folder = self._folders.path_of(run_id)
        self._rules.require_manage(by, "thinned")
        with self._queue.deciding():
            if self.status(run_id).state in GOING_ON:
                raise RunError("A run that trains is not thinned; stop it first.")
            return thin(folder, most)

    def add(self, uploaded: bytes | BinaryIO, *, title: str = "", by: Visitor = NOBODY) -> str:
        """Add a run from an archive (explorer/trainings/archive.py), to be used; return its id.

        Raises:
            RunError: when there is no room for it, the archive is no run, or it is not theirs to add.
        """
        self._rules.require_manage(by, "added")
        most = min(self.limits.most_upload, archive.MOST_ARCHIVE_BYTES)
        needed = archive.needed_bytes(uploaded, most)
        with self._checking_alone():
            self._room.require_disk(needed)
            # A stranger's file may take long to check: nobody else's decisions wait for it.
            with (
                archive.unpacked(uploaded, self._folders, most_bytes=most) as place,
                self._queue.deciding(),
            ):
                self._room.make(needed, written=bytes_in(place))
                return self._folders.publish(place, title or "Uploaded run")

    def run_folder(self, run_id: str) -> Path:
        """Where a run lies.

        Raises:
            RunError: when there is no such run.
        """
        return self._folders.path_of(run_id)

    def disk_bytes(self, run_id: str) -> int:
        """Bytes on disk of a run.

        Raises:
            RunError: when there is no such run.
        """
        return self._folders.bytes_of(run_id)

    def warm(self, description: RunDescription | None = None, *, together: int = 1) -> None:
        """Have processes ready for the next trainings; to be called while somebody looks at where they are begun.

        Args:
            description: What will be trained most likely; the pairs of its task are made in advance.
            together: How many will be begun together.
        """
        order = None
        if description and description.task in TASKS and self._is_allowed(description):
            order = {"task": description.task, "training": asdict(description.train_config)}
        if self._places_taken() < self.limits.most_at_once:
            with suppress(RunError):  # A training begins more slowly then, and says what is wrong.
                for spare in self._spares[: min(together, self.limits.most_together)]:
                    spare.keep(order)

    def close(self) -> None:
        """Give up the spare processes, and look after trainings no more. Those that have begun continue."""
        self._watch.close()
        for spare in self._spares:
            spare.close()

    def stop_all(self) -> tuple[list[str], dict[str, str]]:
        """Empty the queue and ask every training for its end.

        Returns:
            The ids of those that were asked, and why the others could not be, by their ids.

        Raises:
            RunError: when the queue cannot be emptied.
        """
        with self._queue.deciding():
            self._queue.write([])
            living = [run_id for run_id in self._folders.ids() if self._is_alive(run_id)]
        problems: dict[str, str] = {}
        for run_id in living:
            try:
                self._stop(run_id)
            except ExplorerError as error:
                if self._is_alive(run_id):
                    problems[run_id] = str(error)
        return [run_id for run_id in living if run_id not in problems], problems

    def _is_allowed(self, description: RunDescription) -> bool:
        try:
            self.require_allowed(description)
        except RunError:
            return False
        return True

    def _owner_of(self, run_id: str) -> str:
        self._folders.path_of(run_id)
        return self._folders.note(run_id).owner

    def _is_busy(self, run_id: str) -> bool:
        return run_id in self._queue.read() or self._is_alive(run_id)

    @contextmanager
    def _checking_alone(self) -> Iterator[None]:
        """Let one upload be checked at a time: each takes the memory of a model."""
        if not self._checking.acquire(timeout=PATIENCE):
            raise RunError("Other uploads are being checked; try again in a moment.")
        try:
            yield
        finally:
            self._checking.release()

    def _remove(self, folder: Path) -> None:
        self._folders.remove(folder)
        with self._looking:
            self._living.discard(folder.name)
        self._summaries.pop(folder.name, None)
        self._pulses.forget(folder.name)

    def _ask(self, run_id: str, wish: Wish, by: Visitor, count: int = 1) -> None:
        folder = self._folders.path_of(run_id)
        self._rules.require_steer(by, self._owner_of(run_id))
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
        is_silent = is_alive and self._is_silent(run_id)
        return read_status(
            folder, note, self._summary(folder), place=place, is_alive=is_alive, is_silent=is_silent
        )

    def _summary(self, folder: Path) -> Summary:
        """What the run's description says, read again only when the file is another."""
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

    def _silence(self, run_id: str) -> float:
        """Seconds for which a run's living process has given no sign of life."""
        sign = (self._folders.note(run_id).ticket, last_sign_of_life(self._folders.root / run_id))
        return self._pulses.silence(run_id, sign)

    def _is_silent(self, run_id: str) -> bool:
        return self._silence(run_id) >= SILENT_AFTER

    def _await_end(self, run_id: str) -> None:
        """Wait for a process that has told its last and is only ending."""
        until = time.monotonic() + PATIENCE
        while self._is_alive(run_id):
            if time.monotonic() > until:
                raise RunError("The run's process has not ended yet; try again.")
            time.sleep(0.01)

    def _training_teams(self) -> Counter[str]:
        """How many runs of each team train; one that does not answer keeps no other one from its place."""
        return Counter(
            self._team_of(run_id)
            for run_id in self._folders.ids()
            if self._is_alive(run_id) and not self._is_silent(run_id)
        )

    def _team_of(self, run_id: str) -> str:
        return self._folders.note(run_id).team or run_id

    def _places_of(self, teams: Counter[str]) -> int:
        return sum(-(-members // self.limits.most_together) for members in teams.values())

    def _places_taken(self) -> int:
        return self._places_of(self._training_teams())

    def _startable(self, queue: Sequence[str]) -> str:
        """The first in a queue for which there is a place, if only beside those it was begun with; empty for none."""
        teams = self._training_teams()
        most = max(self.limits.most_at_once, self._places_of(teams))
        fits = (
            run_id for run_id in queue if self._places_of(teams + Counter([self._team_of(run_id)])) <= most
        )
        return next(fits, "")

    def _require_places(self, by: Visitor, count: int) -> None:
        self._rules.require_places(len(self._queue.read()), self._places_taken(), count)
        if self.limits.is_public:
            theirs = [run_id for run_id in self._folders.ids() if self._folders.note(run_id).owner == by.mark]
            self._rules.require_turn(by, sum(map(self._is_busy, theirs)), count)

    def _one_has_ended(self) -> None:
        with suppress(ExplorerError, OSError):
            self._look_after()

    def _look_after(self) -> bool:
        """Log the trainings that have ended, and start those that wait; return False if none lives or waits."""
        with self._looking:
            living = set(filter(self._is_alive, self._folders.ids()))
            ended, self._living = self._living - living, living
        for run_id in sorted(ended):
            self._log_end(run_id)
        if queue := self._queue.read():
            with suppress(ExplorerError), self._queue.deciding():
                self._start_waiting()
            self._end_long_pauses([run_id for run_id in living if self.status(run_id).state == "paused"])
        self._end_long_silences([run_id for run_id in living if self._is_silent(run_id)])
        return bool(living or queue)

    def _log_end(self, run_id: str) -> None:
        """Write one line about a training whose process has ended."""
        try:
            status = self.status(run_id)
        except RunError:
            LOG.info("Training removed: %s", run_id)
            return
        failed = status.state in ("failed", "interrupted")
        LOG.log(logging.WARNING if failed else logging.INFO, "Training ended: %s", ending_of(status))

    def _end_long_pauses(self, paused: Sequence[str]) -> None:
        """In class mode nobody keeps the others waiting by a pause that is forgotten: it ends at a checkpoint."""
        if (most := self.limits.paused_seconds) is None:
            return
        for run_id in paused:
            with suppress(ExplorerError):
                if self._clock() - last_reported(self._folders.path_of(run_id)) >= most:
                    self._stop(run_id)

    def _end_long_silences(self, silent: Sequence[str]) -> None:
        """In class mode what does not answer for as long as a training may take is ended: nobody waits for it."""
        for run_id in silent if self.limits.most_seconds is not None else ():
            if self._silence(run_id) >= max(SILENT_AFTER, self.limits.most_seconds or 0.0):
                with suppress(ExplorerError):
                    self._end_at_once(run_id)

    def _end_at_once(self, run_id: str) -> None:
        """End a process that hears nothing; its run goes on from its last checkpoint.

        Raises:
            RunError: when it is not known which process that is.
        """
        if not self._processes.end_at_once(self._folders.note(run_id).ticket):
            _signal(self._folders.path_of(run_id), kill)

    def _start_waiting(self) -> None:
        """Start what waits, as long as there is a place; the lock is held."""
        queue = self._queue.read()
        known = set(self._folders.ids())
        while run_id := self._startable(queue):
            queue.remove(run_id)
            # It may have been deleted by hand, or started before a server was killed at just this place.
            if run_id in known and not self._is_alive(run_id):
                self._start(run_id, self._folders.path_of(run_id))
            self._queue.write(queue)

    def _start(self, run_id: str, folder: Path) -> None:
        log = folder / LOG_FILE
        write_whole(log, b"")
        started, reported = time.time(), reported_start(folder)
        try:
            most = self.limits.most_seconds
            tickets = (ticket for spare in self._spares if (ticket := spare.train(folder, most)))
            ticket = next(tickets, None) or self._processes.start(folder, most)
        except RunError as error:
            write_whole(log, str(error).encode())
            LOG.warning("Training failed to start: %s: %s", run_id, error.sentence)
            ticket = ""
        note = self._folders.note(run_id)
        self._folders.write_note(run_id, replace(note, started=started, ticket=ticket, told=reported))
        if ticket:
            LOG.info("Training started: %s “%s”", run_id, note.title)
            with self._looking:
                self._living.add(run_id)


def _signal(folder: Path, send: Callable[[int], object]) -> None:
    """Send a signal to the process that says it holds the lock of a training's folder."""
    with closing(RunStore.read(folder)) as store:
        process = store.fact("process")
    if not isinstance(process, int) or process < 2 or not is_training(folder):
        raise RunError("The training cannot be reached; try again.")
    with suppress(ProcessLookupError):
        send(process)
