"""A training session: pulls the updates, pauses and ends as it is asked to, lets the rest of this folder write.

A run's folder has `run.json` and `model.safetensors`, the run as it can be used (core/run.py); beside them
`metrics.sqlite` and `checkpoints/`, from which the training can be watched and gone on with; `history/`, the weights
at some moments; `control.sqlite`, what somebody wishes of it; and `pairs.tsv` where it learns somebody's own pairs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from core.data.dataset import Dataset
from core.device import resolve_device
from core.errors import ExplorerError, RunError
from core.run_description import RunDescription
from core.training.beginning import first_trainer, origin_of, training_batches
from core.training.checkpoint_files import drop_last_checkpoint
from core.training.checkpointing import Checkpointing
from core.training.control import POLL_EVERY, Control
from core.training.history import moments_of
from core.training.interruptions import Interruptions
from core.training.job import TrainingJob
from core.training.lock import HeldFolder, training_lock
from core.training.new_run import check_possible
from core.training.pace import Pace
from core.training.processes import ALONE, Processes
from core.training.records import TrainStep, Validation
from core.training.reporting import Reporting
from core.training.run_store import RunStore

Event = TrainStep | Validation
"""What a training yields."""


def train_run(
    folder: Path,
    description: RunDescription,
    dataset: Dataset,
    *,
    device: str = "cpu",
    processes: Processes = ALONE,
    should_stop: Callable[[], bool] = lambda: False,
    warn: Callable[[str], None] = lambda sentence: None,
    moments: Collection[int] | None = None,
    most_seconds: float | None = None,
) -> Generator[Event, None, None]:
    """Train a run in its folder, from its newest checkpoint if it has one, and yield what happens.

    The training ends after its last update with the test pairs' figures in `run.json`, or at a checkpoint after
    the update during which `should_stop` became true or its time was up, with those of its best weights so far.
    Whoever stops pulling leaves it as a kill would: it goes on from its last checkpoint, bit for bit as if nothing
    had happened.

    Args:
        folder: Where `begin_run` has been.
        description: What it has written.
        dataset: The run's pairs.
        device: "cpu", "cuda" or "mps".
        processes: Those that train together; the first alone writes.
        should_stop: Asked after every update.
        warn: Called with sentences about what is not as it should be, yet no reason to end.
        moments: After how many updates the weights are kept for `load_run_at`; None for those of `moments_of`.
        most_seconds: That this turn of the training may take, pauses included; None for as long as it needs.

    Raises:
        RunError: when the folder cannot be written, its files are damaged, or another process trains there.
        InputError: when the loss is no longer finite.
    """
    target = resolve_device(device)
    with ExitStack() as stack:
        store, place = None, HeldFolder(folder)
        with processes.together(target):
            if processes.is_first:
                place = stack.enter_context(training_lock(folder))
                store = stack.enter_context(closing(RunStore.create(folder)))
        control = stack.enter_context(closing(Control(folder, warn))) if processes.is_first else None
        try:
            job = TrainingJob(place, description, dataset, target, processes, warn)
            known = moments_of(description.config, description.train_config)
            session = TrainingSession(job, store, known if moments is None else moments)
            yield from session.run(Interruptions(place, control, should_stop, most_seconds))
        except Exception as error:
            first = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
            reason = error.sentence if isinstance(error, ExplorerError) else first
            # What cannot be reported, as on a full disk, must not hide why.
            with suppress(RunError):
                if store:
                    store.set_facts(state="failed", reason=reason, ended=time.time())
            raise


class TrainingSession:
    """One process's part of a training, from where the run is to its last update or an end before."""

    def __init__(self, job: TrainingJob, store: RunStore | None, moments: Collection[int]) -> None:
        check_possible(job.description, job.dataset, job.device)
        self._job, self._config, self._pace = job, job.description.train_config, Pace()
        self._pairs = job.dataset.encode(job.dataset.splits.train)
        self._trainer = first_trainer(job.folder, job.description, job.device, job.processes)
        self._checkpointing = Checkpointing(job, self._trainer, origin_of(job.description, self._pairs))
        # The first process alone has a store, and writes.
        self._reporting = Reporting(job, self._trainer, store, moments) if store else None

    def run(self, interruptions: Interruptions) -> Iterator[Event]:
        """Make the updates that are left, and yield them and the validations."""
        self._resume()
        stream = training_batches(self._pairs, self._config, self._trainer.updates)
        while self._trainer.updates < self._config.steps and not self._is_exhausted():
            if self._is_over(interruptions):
                self._save_checkpoint()
                with self._job.processes.together(self._job.device):
                    if self._reporting:
                        self._reporting.end_early(interruptions.reason)
                return
            step = self._trainer.update(next(stream))
            if self._reporting and interruptions.control:
                interruptions.control.made_update()
                seconds = self._pace.after_update()
                at_once = interruptions.paused or self._pace.updates == 1
                self._reporting.add_step(step, seconds, at_once=at_once)
            yield step
            yield from self._after_update()
        self._save_checkpoint()
        with self._job.processes.together(self._job.device):
            if self._reporting:
                self._reporting.finish()
                drop_last_checkpoint(self._job.folder)

    def _resume(self) -> None:
        """Go back to the newest checkpoint that can be read, and begin with one where there is none."""
        read = None
        with self._job.processes.together(self._job.device):
            if self._reporting:
                read = self._checkpointing.newest()
                if read is None:
                    self._reporting.require_new()
        # The first alone has read it; all must begin the same way.
        resumed = self._checkpointing.resume(read)
        if self._reporting:
            self._reporting.begin(read)
            if not resumed:
                self._reporting.snapshot()
        self._save_checkpoint()

    def _is_exhausted(self) -> bool:
        """Whether its patience has ended, which the first process alone knows: it validates."""
        updates = self._trainer.updates
        if not (
            self._config.patience
            and updates
            and self._config.is_time_for(self._config.validate_every, updates)
        ):
            return False
        asked = self._reporting and self._reporting.progress.is_exhausted(self._config)
        (exhausted,) = self._job.processes.sums(float(bool(asked)), device=self._job.device)
        return exhausted > 0

    def _is_over(self, interruptions: Interruptions) -> bool:
        """Whether anybody asks for the end; while the first process is asked to pause, all of them wait.

        They meet at every poll, so that a pause may last longer than one of them would wait for another.
        """
        while True:
            changed = interruptions.pause_changed()
            if self._reporting:
                if changed:
                    self._reporting.set_state("paused" if interruptions.paused else "training")
                self._reporting.show_life()
            asked = float(interruptions.ends), float(interruptions.waits)
            ending, waiting = self._job.processes.sums(*asked, device=self._job.device)
            if ending or not waiting:
                return ending > 0
            self._pace.rest()
            time.sleep(POLL_EVERY)

    def _after_update(self) -> Iterator[Validation]:
        """Validate, keep a moment and write a checkpoint, each where it is time for it."""
        updates = self._trainer.updates
        if self._reporting:
            if self._config.is_time_for(self._config.validate_every, updates):
                yield self._reporting.validate()
            self._reporting.snapshot()
        if self._config.is_time_for(self._config.checkpoint_every, updates):
            self._save_checkpoint()

    def _save_checkpoint(self) -> None:
        """Write everything from which the training goes on, unless it is written already."""
        if self._checkpointing.saved != self._trainer.updates:
            generators = self._checkpointing.generators()
            if self._reporting:
                # Figures first, since they are not made again.
                self._reporting.commit()
                self._checkpointing.write(generators, self._reporting.best, self._reporting.progress)
            self._checkpointing.saved = self._trainer.updates
