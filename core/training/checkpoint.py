"""Training checkpoints: everything from which a training goes on as if it had never been broken off.

A checkpoint is one safetensors file: weights and Adam's moments in full precision, the number of updates (from
which schedule and data position follow), and the state of every random generator. Models for use are other
files (see core/run.py): they have none of this, and nothing goes on from them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from core.errors import RunError
from core.evaluation.figures import Evaluation
from core.files import prepare_part, replacing, shown
from core.model.shapes import expected_parameters
from core.model.transformer import Transformer
from core.numbers import is_number, is_whole
from core.training.checkpoint_files import checkpoint_path, checkpoints
from core.training.progress import Progress
from core.training.records import Validation
from core.training.trainer import MOMENTS, Trainer

KEPT = 2
"""Checkpoints that are kept: the newest, and the one before in case the disk damages it."""
MAX_OTHER_BYTES = 16 * 2**20
"""Room in a checkpoint for its header and the generators of very many processes."""

_STATE = re.compile(r"generator\.(?P<rank>[0-9]+)\.(?P<device>.+)")
"""Name of the state of a process's random generator."""
_KIND = "training checkpoint"


@dataclass(frozen=True)
class Machine:
    """What the same training must run on again to give the same bits.

    Attributes:
        torch_version: As torch tells it.
        threads: Of the CPU.
        device: Its type, such as cpu.
        processes: That train together.
    """

    torch_version: str
    threads: int
    device: str
    processes: int

    @classmethod
    def of(cls, device: torch.device, processes: int) -> Machine:
        """The machine of this process."""
        return cls(torch.__version__, torch.get_num_threads(), device.type, processes)

    def changes(self, now: Machine) -> tuple[str, ...]:
        """What is otherwise now, such as ``threads 1, now 2``."""
        before, after = asdict(self), asdict(now)
        return tuple(
            f"{name} {before[name]}, now {after[name]}" for name in before if before[name] != after[name]
        )


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint holds besides what the trainer takes from it.

    Attributes:
        generators: States of the random generators, process by process.
        best: The validation of the weights that are kept as the run's model; None before the first.
        progress: What the validations have shown; nothing where an earlier version made it.
        machine: That it was made on; None where it does not say.
    """

    generators: list[dict[str, Tensor]]
    best: Validation | None
    progress: Progress
    machine: Machine | None


@dataclass(frozen=True)
class Origin:
    """What a checkpoint must have come from, so that going on from it is going on.

    Attributes:
        settings: Digest of the model's and the training's settings.
        data: Digest of the training pairs.
    """

    settings: str
    data: str


def save_checkpoint(folder: Path, trainer: Trainer, held: Checkpoint, origin: Origin) -> None:
    """Write a run's checkpoint, whole or not at all, and let the oldest go.

    Args:
        folder: Of the run.
        trainer: What is trained.
        held: What it holds besides.
        origin: What it comes from.

    Raises:
        RunError: when it cannot be written.
    """
    tensors = {f"weight.{name}": value.detach() for name, value in trainer.model.named_parameters()}
    tensors |= trainer.state()
    for rank, states in enumerate(held.generators):
        tensors |= {f"generator.{rank}.{device}": state for device, state in states.items()}
    facts = {
        "kind": _KIND,
        "settings": origin.settings,
        "data": origin.data,
        "best": json.dumps(held.best and asdict(held.best)),
        "progress": json.dumps(asdict(held.progress)),
        "machine": json.dumps(held.machine and asdict(held.machine)),
    }
    path = checkpoint_path(folder, trainer.updates)
    prepare_part(path.parent)
    with replacing(path) as beside:
        try:
            save_file({name: value.cpu().contiguous() for name, value in tensors.items()}, beside, facts)
        except SafetensorError as error:
            raise RunError(f"{shown(path)} cannot be written: {error}") from error
    for old in checkpoints(folder)[KEPT:]:
        old.unlink(missing_ok=True)


def load_checkpoint(path: Path, trainer: Trainer, origin: Origin) -> Checkpoint:
    """Take weights, moments and updates from a checkpoint; return what it holds besides.

    Names, sizes and types are read from the header and compared before anything is taken. The trainer is
    changed only when everything fits.

    Raises:
        RunError: when the file is damaged, is no checkpoint, or comes from another run.
    """
    try:
        if path.stat().st_size > _most_bytes(trainer.model):
            raise RunError(f"{shown(path)} is larger than a checkpoint of this model can be")
        with safe_open(path, framework="pt") as stored:
            facts = stored.metadata() or {}
            _check_origin(path, facts, origin)
            best, progress, machine = _best(path, facts), _progress(path, facts), _machine(path, facts)
            return Checkpoint(_take(path, stored, trainer), best, progress, machine)
    except (OSError, SafetensorError) as error:
        raise RunError(f"{shown(path)} is damaged: {error}") from error


def _take(path: Path, stored: safe_open, trainer: Trainer) -> list[dict[str, Tensor]]:
    names = set(stored.keys())
    updates = int(_tensor(path, stored, names, "updates", (), torch.int64))
    if not 0 <= updates <= trainer.config.steps:
        raise RunError(f"{shown(path)} claims {updates} updates of {trainer.config.steps}")
    parameters = dict(trainer.model.named_parameters())
    parts = ("weight", *MOMENTS) if updates else ("weight",)
    tensors = {
        f"{part}.{name}": _tensor(path, stored, names, f"{part}.{name}", tuple(like.shape), like.dtype)
        for name, like in parameters.items()
        for part in parts
    }
    for name, value in tensors.items():
        if not value.isfinite().all():
            raise RunError(f"{shown(path)}: {name} holds values that are not finite numbers")
    generators = _generators(path, stored, names)
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(tensors[f"weight.{name}"])
    trainer.load_state({"updates": torch.tensor(updates), **tensors})
    return generators


def _tensor(
    path: Path, stored: safe_open, names: set[str], name: str, shape: tuple[int, ...], dtype: torch.dtype
) -> Tensor:
    if name not in names:
        raise RunError(f"{shown(path)} lacks {name}")
    found = tuple(stored.get_slice(name).get_shape())
    if found != shape:
        raise RunError(f"{shown(path)}: {name} has the shape {list(found)}, not {list(shape)}")
    tensor: Tensor = stored.get_tensor(name)
    if tensor.dtype != dtype:
        raise RunError(f"{shown(path)}: {name} is stored as {tensor.dtype}, not {dtype}")
    return tensor


def _generators(path: Path, stored: safe_open, names: set[str]) -> list[dict[str, Tensor]]:
    """States by process; ranks must follow each other from 0."""
    found: dict[int, dict[str, Tensor]] = {}
    for name in sorted(names):
        if state := _STATE.fullmatch(name):
            found.setdefault(int(state["rank"]), {})[state["device"]] = stored.get_tensor(name)
    states = [found[rank] for rank in sorted(found)]
    if not states or sorted(found) != list(range(len(found))):
        raise RunError(f"{shown(path)} lacks the state of a random generator")
    if any(state.dtype != torch.uint8 for each in states for state in each.values()):
        raise RunError(f"{shown(path)} has a random generator's state of the wrong kind")
    return states


def _check_origin(path: Path, facts: Mapping[str, str], origin: Origin) -> None:
    if facts.get("kind") != _KIND:
        raise RunError(
            f"{shown(path)} is a model for use, not a training checkpoint; nothing goes on from it"
        )
    if facts.get("settings") != origin.settings:
        raise RunError(f"{shown(path)} was made with other settings than those in run.json")
    if facts.get("data") != origin.data:
        raise RunError(
            f"{shown(path)} was trained on other pairs than this program makes now; start a new run, or go on "
            "with the version that began it"
        )


@contextmanager
def _reading(path: Path, what: str) -> Iterator[None]:
    """Tell that what a checkpoint says of something cannot be used."""
    try:
        yield
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise RunError(f"{shown(path)} says nothing of use about {what}: {error}") from error


def _best(path: Path, facts: Mapping[str, str]) -> Validation | None:
    with _reading(path, "the best weights so far"):
        found = json.loads(facts.get("best", "null"))
        if found is None:
            return None
        validation = Validation(int(found["updates"]), Evaluation(**found["figures"]))
        if not all(map(math.isfinite, validation.figures.rank)):
            raise ValueError("its figures are not numbers")
    return validation


def _progress(path: Path, facts: Mapping[str, str]) -> Progress:
    with _reading(path, "the progress so far"):
        found = Progress(**json.loads(facts.get("progress", "{}")))
        counts = (found.lowest_after, found.most_exact_after, found.stale, found.perfect)
        figures = (found.lowest_loss or 0.0, found.most_exact, found.last_loss)
        if not all(is_whole(count, 0) for count in counts) or not all(map(is_number, figures)):
            raise ValueError("its figures are not numbers")
    return found


def _machine(path: Path, facts: Mapping[str, str]) -> Machine | None:
    with _reading(path, "its machine"):
        found = json.loads(facts.get("machine", "null"))
        return None if found is None else Machine(**found)


def _most_bytes(model: Transformer) -> int:
    return 3 * 8 * expected_parameters(model.config) + MAX_OTHER_BYTES
