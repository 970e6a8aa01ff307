"""What three seeds of every experiment's arms gave: the file that `python -m core.experiments.measure` writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.errors import RunError
from core.files import read_bounded, write_whole

MEASURED_FILE = Path(__file__).with_name("measured.json")
_MOST_BYTES = 2**20


@dataclass(frozen=True)
class ArmMeasured:
    """What the seeds of one arm gave, each tuple in the order of the seeds.

    Attributes:
        settings: A digest of what was trained; another one means that the arm has changed since.
        machine: Processor, version of torch and threads; on another the last digits, and so the figures, differ.
        seeds: Of the trainings.
        parameters: Of the model.
        updates: That were made with each seed.
        cpu_seconds: Of each training, its validations and tests included, on one thread.
        figures: By their names.
    """

    settings: str
    machine: str
    seeds: tuple[int, ...]
    parameters: int
    updates: int
    cpu_seconds: tuple[float, ...]
    figures: Mapping[str, tuple[float, ...]]


Measured = Mapping[str, Mapping[str, ArmMeasured]]
"""What was measured, by the keys of experiment and arm."""


def read_measured(path: Path = MEASURED_FILE) -> dict[str, dict[str, ArmMeasured]]:
    """What was measured.

    Raises:
        RunError: when the file cannot be read, or holds something else.
    """
    try:
        stored = json.loads(read_bounded(path, _MOST_BYTES))
        return {
            key: {name: _arm(values) for name, values in arms.items()}
            for key, arms in stored["experiments"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, RunError):
            raise
        raise RunError(f"{path.name} cannot be used; run python -m core.experiments.measure") from error


def write_measured(measured: Measured, path: Path = MEASURED_FILE) -> None:
    """Write what was measured.

    Raises:
        RunError: when that cannot be written.
    """
    stored = {key: {name: asdict(arm) for name, arm in arms.items()} for key, arms in measured.items()}
    write_whole(path, (json.dumps({"experiments": stored}, indent=1) + "\n").encode())


def figures_by_arm(arms: Mapping[str, ArmMeasured]) -> dict[str, tuple[float, ...]]:
    """The figures of all arms, as conditions read them."""
    return {f"{key}.{name}": values for key, arm in arms.items() for name, values in arm.figures.items()}


def _arm(values: Mapping[str, Any]) -> ArmMeasured:
    return ArmMeasured(
        settings=values["settings"],
        machine=str(values["machine"]),
        seeds=tuple(values["seeds"]),
        parameters=values["parameters"],
        updates=values["updates"],
        cpu_seconds=tuple(values["cpu_seconds"]),
        figures={name: tuple(each) for name, each in values["figures"].items()},
    )
