"""Checkpointing: a training goes on from its newest checkpoint, and leaves one whenever it is time for it."""

from __future__ import annotations

import torch
from torch import Tensor

from core.errors import RunError
from core.training.beginning import generator_states, set_generators
from core.training.checkpoint import Checkpoint, Machine, Origin, load_checkpoint, save_checkpoint
from core.training.checkpoint_files import checkpoints
from core.training.job import TrainingJob
from core.training.progress import Progress
from core.training.records import Validation
from core.training.trainer import Trainer


class Checkpointing:
    """The checkpoints of one training. Every process has one of these; the first alone reads and writes files.

    Attributes:
        saved: Updates that the newest checkpoint holds; None before there is one.
    """

    def __init__(self, job: TrainingJob, trainer: Trainer, origin: Origin) -> None:
        self.saved: int | None = None
        self._job, self._trainer, self._origin = job, trainer, origin
        self._machine = Machine.of(job.device, job.processes.count)

    def newest(self) -> Checkpoint | None:
        """The newest checkpoint that can be read, its weights and moments put in place; None where there is none.

        Raises:
            RunError: when there are checkpoints, but none of them can be read.
        """
        found = checkpoints(self._job.folder)
        for path in found:
            try:
                return load_checkpoint(path, self._trainer, self._origin)
            except RunError as error:
                if path == found[-1]:
                    raise
                self._job.warn(f"{error}; going on from the checkpoint before it")
        return None

    def resume(self, read: Checkpoint | None) -> bool:
        """Let all processes begin as the first one does; whether that is at a checkpoint.

        Args:
            read: What the first process has read; None in the others.
        """
        (resumed,) = self._job.processes.sums(float(read is not None), device=self._job.device)
        self._trainer.follow_first()
        self._share_generators(read.generators if read else [])
        if read:
            self._warn_of_changes(read)
        self.saved = self._trainer.updates if resumed else None
        return resumed > 0

    def generators(self) -> list[dict[str, Tensor]]:
        """The states of every process's random generators, by rank; all processes ask for them together."""
        processes = self._job.processes
        columns = {
            kind: processes.gather(state) for kind, state in generator_states(self._job.device).items()
        }
        return [{kind: states[rank] for kind, states in columns.items()} for rank in range(processes.count)]

    def write(self, generators: list[dict[str, Tensor]], best: Validation | None, progress: Progress) -> None:
        """Write everything from which the training goes on; the first process alone does.

        Args:
            generators: Of every process.
            best: The validation of the weights that are kept as the run's model.
            progress: What the validations have shown so far.

        Raises:
            RunError: when the run is gone or the disk is full.
        """
        self._job.place.require()
        held = Checkpoint(generators, best, progress, self._machine)
        save_checkpoint(self._job.folder, self._trainer, held, self._origin)

    def _warn_of_changes(self, read: Checkpoint) -> None:
        if changes := read.machine.changes(self._machine) if read.machine else ():
            self._job.warn(f"the checkpoint was made with {'; '.join(changes)}: the last digits may differ")

    def _share_generators(self, states: list[dict[str, Tensor]]) -> None:
        """Set every process's generators to what the first has read for it.

        A process that was not there when the checkpoint was made keeps the generator of its own rank.
        """
        processes, own = self._job.processes, generator_states(self._job.device)
        for kind, state in own.items():
            known = [each[kind] for each in states if kind in each]
            fitting = known if all(each.shape == state.shape for each in known) else []
            count = int(processes.from_first(torch.tensor(len(fitting))))
            everyone = torch.stack(fitting) if fitting else state.new_zeros((count, *state.shape))
            if count:
                processes.from_first(everyone)
            if processes.rank < count:
                own[kind] = everyone[processes.rank].clone()
        set_generators(own, self._job.device)
