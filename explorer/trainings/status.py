"""How a run stands: read from its folder alone, so that every server sees the same."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.errors import RunError
from core.files import without_places
from core.numbers import is_number
from core.run_description import MODEL_FILE, RunDescription, read_description
from core.training.checkpoint_files import checkpoints
from core.training.records import TrainStep
from core.training.run_store import STORE_FILE, RunStore
from explorer.trainings.run_folders import LAST_TIME, LOG_FILE, Note

State = Literal[
    "waiting", "starting", "training", "paused", "silent", "stopped", "interrupted", "finished", "failed"
]
LIVING: tuple[State, ...] = ("starting", "training", "paused", "silent")
"""States of a run that has a process."""
GOING_ON: tuple[State, ...] = (*LIVING, "waiting")
"""States of a run that has not ended."""
MOST_REASON = 300
"""Most characters of a reason."""


@dataclass(frozen=True)
class RunStatus:
    """How a run stands.

    Attributes:
        run_id: Names it; the folder's name.
        title: For people.
        task: That it learns; empty where the run cannot be read.
        state: What goes on.
        updates: That were made.
        of: Updates that are planned.
        may_end_early: Whether it may end before them, because its patience ends.
        loss: Of the last update.
        place: In the queue, counted from 0.
        seconds_left: About how long the rest takes, while it trains and once that is known.
        begun: When, in seconds since the epoch.
        reason: A sentence where the state needs one.
        can_resume: Whether it can be gone on with.
        has_checkpoint: Whether there is one to go on from; without one it would begin anew.
    """

    run_id: str
    title: str
    task: str
    state: State
    updates: int
    of: int
    loss: float | None
    place: int | None
    seconds_left: float | None
    begun: float
    reason: str
    can_resume: bool
    has_checkpoint: bool
    may_end_early: bool = False

    @property
    def span(self) -> int:
        """Updates in all, as far as is known: of a finished run those that were made."""
        return self.updates if self.state == "finished" else self.of


@dataclass(frozen=True)
class Summary:
    """What a status needs of `run.json`, which is long to read."""

    task: str
    steps: int
    updates: int
    is_complete: bool
    may_end_early: bool = False
    problem: str = ""

    @classmethod
    def of(cls, description: RunDescription) -> Summary:
        """The part of a description."""
        return cls(
            description.task,
            description.train_config.steps,
            description.updates,
            description.is_complete,
            description.train_config.patience > 0,
        )

    @classmethod
    def read(cls, folder: Path) -> Summary:
        """The part of a run's description, or the sentence why it cannot be read."""
        try:
            return cls.of(read_description(folder))
        except RunError as error:
            return cls("", 0, 0, False, problem=str(error))


@dataclass(frozen=True)
class _Reported:
    """What the training has reported in the run store."""

    state: Any = None
    reason: Any = None
    started: Any = None
    pace: Any = None
    last: TrainStep | None = None

    @classmethod
    def read(cls, folder: Path) -> _Reported:
        if not (folder / STORE_FILE).is_file():
            return cls()
        try:
            with closing(RunStore.read(folder)) as store:
                names = ("state", "reason", "started", "seconds_per_update")
                state, reason, started, pace = map(store.fact, names)
                return cls(state, reason, started, pace, store.last_step())
        except RunError as error:
            return cls(state="unreadable", reason=str(error))


def read_status(
    folder: Path,
    note: Note,
    summary: Summary,
    *,
    place: int | None,
    is_alive: bool,
    is_silent: bool = False,
) -> RunStatus:
    """How a run stands.

    Args:
        folder: Of the run.
        note: What the app knows of it.
        summary: Of its description.
        place: In the queue, or None.
        is_alive: Whether a process trains it, looked up before this was called: what it has reported last counts.
        is_silent: Whether this process has given no sign of life for long.
    """
    reported = _Reported.read(folder)
    has_checkpoint = bool(checkpoints(folder))
    state, reason = _state(folder, note, summary, reported, place, is_alive, has_checkpoint)
    if is_silent and state in LIVING:
        state, reason = "silent", ""
    updates = reported.last.index + 1 if reported.last else summary.updates
    return RunStatus(
        run_id=folder.name,
        title=note.title,
        task=summary.task,
        state=state,
        updates=updates,
        of=summary.steps,
        loss=reported.last.loss if reported.last else None,
        place=place,
        seconds_left=_seconds_left(reported.pace, summary.steps - updates) if state == "training" else None,
        begun=note.created,
        reason=_sentence(without_places(reason)),
        can_resume=state in ("stopped", "interrupted", "failed")
        and _can_resume(folder, summary, has_checkpoint),
        has_checkpoint=has_checkpoint,
        may_end_early=summary.may_end_early,
    )


def _state(
    folder: Path,
    note: Note,
    summary: Summary,
    reported: _Reported,
    place: int | None,
    is_alive: bool,
    has_checkpoint: bool,
) -> tuple[State, str]:
    if summary.problem:
        return "failed", summary.problem
    if place is not None:
        return "waiting", ""
    # Facts of an earlier process say nothing about one that has only just been started. Which of the two came later
    # is not asked of the clock, which may have been set back between them.
    has_reported = (
        not note.started
        or reported.state == "unreadable"
        or (is_number(reported.started) and reported.started != note.told)
    )
    if is_alive and not has_reported:
        return "starting", ""
    if has_reported:
        return _reported_state(reported, summary, is_alive, has_checkpoint)
    if summary.is_complete:
        return "finished", ""
    return "failed", last_words(
        folder
    ) or "The training ended before its first update; resume it to try again."


def _reported_state(
    reported: _Reported, summary: Summary, is_alive: bool, has_checkpoint: bool
) -> tuple[State, str]:
    if reported.state == "paused" and is_alive:
        return "paused", ""
    if reported.state == "training" and is_alive:
        return "training", ""
    if reported.state == "failed":
        return "failed", str(reported.reason)
    if reported.state == "unreadable":
        ended: State = "finished" if summary.is_complete else "failed"
        return ("training" if is_alive else ended), str(reported.reason)
    if reported.state in ("training", "paused"):
        way_on = "; resume goes on from the last checkpoint" if has_checkpoint else ""
        return "interrupted", f"Its process ended without a word{way_on}."
    if reported.state == "finished" or summary.is_complete:
        return "finished", ""
    if reported.state is None and is_alive:
        return "starting", ""
    return "stopped", str(reported.reason or "")


def ending_of(status: RunStatus) -> str:
    """Describe the end of a training in one line."""
    ending = f"{status.state} after {status.updates:,} of {status.of:,} updates"
    return f"{status.run_id} “{status.title}”: {ending}{f' ({status.reason})' if status.reason else ''}"


def last_reported(folder: Path) -> float:
    """When a run's process has reported last, in seconds since the epoch; of a paused one, its pause or last update."""
    files = (folder / STORE_FILE, folder / f"{STORE_FILE}-wal")
    return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)


def reported_start(folder: Path) -> float:
    """What a run's last process has reported of its start, in seconds since the epoch; 0 where it has not."""
    started = _Reported.read(folder).started
    return float(started) if is_number(started, 0, LAST_TIME) else 0.0


def last_words(folder: Path) -> str:
    """The last line that a run's process has said, read from the end of its log alone."""
    try:
        with open(folder / LOG_FILE, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
            lines = file.read(4096).decode(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""


def _sentence(reason: str) -> str:
    """A reason as it stands alone, whoever has written it; nothing where there is none."""
    shown = "".join(letter for letter in reason if letter.isprintable())
    if len(shown) > MOST_REASON:
        shown = f"{shown[: MOST_REASON - 1]}…"
    return RunError(shown).sentence if shown else ""


def _seconds_left(pace: Any, updates: int) -> float | None:
    return pace * max(0, updates) if is_number(pace, 0, 1e6) else None


def _can_resume(folder: Path, summary: Summary, has_checkpoint: bool) -> bool:
    """A model without a checkpoint is for use alone; a run without either has not begun."""
    if summary.problem or summary.is_complete:
        return False
    return has_checkpoint or not (folder / MODEL_FILE).exists()
