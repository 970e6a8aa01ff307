"""Which run the theatre shows, and what is known of it without its weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import RunError
from core.run_description import MODEL_FILE, RunDescription
from core.training.history import history
from explorer.histories.cached import recorded_of
from explorer.histories.figures import Figures, read_figures
from explorer.histories.moments import moments_with_best
from explorer.models.known import RECORDED, own_description, run_folder, shipped_runs
from explorer.models.task_facts import title_of
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.rules import Visitor
from explorer.trainings.status import GOING_ON, RunStatus

LEAST_MOMENTS = 3
"""A run that kept fewer is nothing to play."""


@dataclass(frozen=True)
class Subject:
    """A run as it is shown.

    Attributes:
        name: Its key among all runs.
        folder: Where it lies.
        status: How it stands; None for a shipped one.
        run: What is known of it; None where its description cannot be read.
    """

    name: str
    folder: Path
    status: RunStatus | None
    run: RunDescription | None

    @property
    def state(self) -> str:
        """What goes on with it."""
        return self.status.state if self.status else "finished"

    @property
    def span(self) -> int:
        """Updates in all, as far as is known."""
        return self.status.span if self.status else self.run.updates if self.run else 0

    @property
    def made(self) -> int:
        """Updates that were made."""
        return self.status.updates if self.status else self.span

    @property
    def has_model(self) -> bool:
        """Whether its weights can be opened; those of a run that is called as a shipped one cannot."""
        return (self.folder / MODEL_FILE).is_file() and (not self.status or self.name not in shipped_runs())

    @property
    def key(self) -> str:
        """Another one for another run, also where that has taken its name."""
        return f"{self.name}.{self.status.begun:.3f}" if self.status else self.name

    def moments(self) -> tuple[int, ...]:
        """After how many updates there is something to look at: kept weights, or what was recorded of them."""
        recording = recorded_of(self.folder)
        return tuple(sorted({*self.kept(), *(recording.outputs if recording else ())}))

    def kept(self) -> tuple[int, ...]:
        """After how many updates its weights are kept; of a run that has ended the best ones count."""
        ended = self.run is not None and self.state == "finished"
        if ended and self.run:
            return moments_with_best(self.folder, self.run)
        return tuple(history(self.folder))

    def figures(self) -> Figures:
        """What its training has told.

        Raises:
            RunError: when its figures are damaged.
        """
        return read_figures(self.folder)


def subject_of(engine: TrainingEngine, chosen: str, by: Visitor) -> Subject:
    """The run that is chosen, or else the visitor's own that goes on, the newest that is finished, or a shipped one.

    Args:
        engine: Of the trainings.
        chosen: Id of a training; empty for none.
        by: Who looks.

    Raises:
        RunError: when the chosen one is not there any more.
    """
    if chosen:
        return _named(engine, chosen)
    statuses = engine.statuses()
    if found := _usual(engine, statuses, by):
        return own_subject(found, engine)
    shipped = shipped_runs()
    return _shipped(RECORDED if RECORDED in shipped else next(iter(shipped)))


def _named(engine: TrainingEngine, name: str) -> Subject:
    """Return the run of a link; for one that is shipped without a record, the recorded training of its task.

    Raises:
        RunError: when there is none of this name, or no training of its task is shipped with a record.
    """
    try:
        return own_subject(engine.status(name), engine)
    except RunError:
        if name not in shipped_runs():
            raise
    shipped = shipped_runs()
    of_task = [name, *(other for other, run in shipped.items() if run.task == shipped[name].task)]
    recorded = next((each for each in of_task if recorded_of(run_folder(each))), None)
    if recorded is None:
        title = title_of(shipped[name].task)
        raise RunError(f"“{title}” is shipped without a record of its training, so another run is shown.")
    return _shipped(recorded)


def _shipped(name: str) -> Subject:
    return Subject(name, run_folder(name), None, shipped_runs()[name])


def own_subject(status: RunStatus, engine: TrainingEngine) -> Subject:
    """A run of the runs folder.

    Raises:
        RunError: when it is not there any more.
    """
    return Subject(status.run_id, engine.run_folder(status.run_id), status, own_description(status.run_id))


def _usual(engine: TrainingEngine, statuses: Sequence[RunStatus], by: Visitor) -> RunStatus | None:
    for status in statuses:
        if status.state in GOING_ON and engine.may_steer(status.run_id, by):
            return status
    for status in statuses:
        if status.state == "finished" and len(history(engine.run_folder(status.run_id))) >= LEAST_MOMENTS:
            return status
    return None
