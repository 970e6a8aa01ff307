"""Make an update of a run again to take it apart: ``python -m core.training.replay``, its order on standard input.

It is a process of its own, since training draws from torch's one random generator, which a server shares among its
visitors. It reads one line of JSON (`Order`), writes a line of JSON for each thing that is done, and leaves the update
in a file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import ExplorerError, InputError
from core.training.replayed import Replayed

if TYPE_CHECKING:
    from core.data.batching import Batch
    from core.run_description import RunDescription

MAX_REPLAYED = 25
"""Updates that are made before the one that is taken apart."""

OnProgress = Callable[[str, int, int], None]
"""Called with what is done: "pairs", "update" or "problem"; how far, and of how many."""


@dataclass(frozen=True)
class Order:
    """Which update of which run is to be made again, and where it is left.

    Attributes:
        folder: Of the run.
        checkpoint: Updates after which the training checkpoint was made that is gone on from; None: from the seed.
        update: The update, counted from 0.
        out: File that it is left in.
        batches: File with the batches of the first updates, as an earlier order has left them; empty for none.
        most_parameters: Parameters of the largest model whose updates are taken apart; None stands for 2,000,000.
    """

    folder: str
    checkpoint: int | None
    update: int
    out: str = ""
    batches: str = ""
    most_parameters: int | None = None


def main() -> int:
    """Entry of the process; the exit code is 2 where the update cannot be made, and the last line says why."""
    from core.training.replay_file import write_replayed

    order = Order(**json.loads(sys.stdin.readline()))
    try:
        import torch

        torch.set_num_threads(1)
        write_replayed(replay(order, _print_progress), Path(order.out))
    except ExplorerError as error:
        print(json.dumps({"done": "problem", "sentence": error.sentence}), flush=True)
        return 2
    return 0


def replay(order: Order, on_progress: OnProgress = lambda done, made, of: None) -> Replayed:
    """Make an update of a run again, by the trainer that made it, with the same seeds and batches.

    It sets and draws from torch's random generators.

    Raises:
        RunError: when the run or its checkpoint cannot be read.
        InputError: when the update is too far from where one can begin, or too large to be taken apart.
    """
    from core.run_description import read_description
    from core.training.captured import check_size

    folder = Path(order.folder)
    description = read_description(folder)
    check_size(description.config, order.most_parameters)
    if order.checkpoint is not None:
        return _from_checkpoint(folder, description, order, on_progress)
    return _from_seed(folder, description, order, on_progress)


def _from_seed(folder: Path, description: RunDescription, order: Order, on_progress: OnProgress) -> Replayed:
    import torch

    from core.training.beginning import first_trainer
    from core.training.captured import capture_update
    from core.training.replay_file import read_batches

    _check_distance(order.update, description)
    batches: Sequence[Batch] = read_batches(Path(order.batches)) if order.batches else ()
    if len(batches) <= order.update:
        on_progress("pairs", 0, 1)
        batches = first_batches(folder, description)
    trainer = first_trainer(folder, description, torch.device("cpu"))
    for made, batch in enumerate(batches[: order.update]):
        on_progress("update", made, order.update + 1)
        trainer.update(batch)
    on_progress("update", order.update, order.update + 1)
    return Replayed(
        capture_update(trainer, batches[order.update], most_parameters=order.most_parameters), tuple(batches)
    )


def _from_checkpoint(
    folder: Path, description: RunDescription, order: Order, on_progress: OnProgress
) -> Replayed:
    import torch

    from core.training.beginning import first_trainer, origin_of, set_generators, training_batches
    from core.training.captured import capture_update
    from core.training.checkpoint import Machine, load_checkpoint
    from core.training.checkpoint_files import checkpoint_path
    from core.training.plan import dataset_of

    assert order.checkpoint is not None
    if order.update != order.checkpoint or order.update >= description.train_config.steps:
        raise InputError(f"No update {order.update} follows the checkpoint after {order.checkpoint} updates.")
    on_progress("pairs", 0, 1)
    dataset = dataset_of(folder, description)
    pairs = dataset.encode(dataset.splits.train)
    device = torch.device("cpu")
    trainer = first_trainer(folder, description, device)
    held = load_checkpoint(checkpoint_path(folder, order.checkpoint), trainer, origin_of(description, pairs))
    set_generators(held.generators[0], device)
    batch = next(training_batches(pairs, description.train_config, trainer.updates))
    on_progress("update", 0, 1)
    captured = capture_update(trainer, batch, most_parameters=order.most_parameters)
    changes = held.machine.changes(Machine.of(device, 1)) if held.machine else ()
    return Replayed(captured, changes=changes)


def first_batches(folder: Path, description: RunDescription) -> list[Batch]:
    """Make the batches of a run's first updates, which takes seconds where the run has many pairs.

    Raises:
        RunError: when its task is unknown, or its own pairs cannot be read.
    """
    from core.training.beginning import training_batches
    from core.training.plan import dataset_of

    dataset = dataset_of(folder, description)
    stream = training_batches(dataset.encode(dataset.splits.train), description.train_config)
    return list(islice(stream, min(MAX_REPLAYED + 1, description.train_config.steps)))


def _check_distance(update: int, description: RunDescription) -> None:
    most = min(MAX_REPLAYED, description.train_config.steps - 1)
    if not 0 <= update <= most:
        raise InputError(
            f"Updates 0 to {most} of this run can be made again from its seed, not {update}; choose one of them."
        )


def _print_progress(done: str, made: int, of: int) -> None:
    facts: dict[str, Any] = {"done": done, "made": made, "of": of}
    print(json.dumps(facts), flush=True)


def order_line(order: Order) -> str:
    """The line that the process reads."""
    return json.dumps(asdict(order)) + "\n"


if __name__ == "__main__":
    sys.exit(main())
