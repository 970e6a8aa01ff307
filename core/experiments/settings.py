"""Settings that experiments share: a task's preset, with less to validate so that an arm is soon done."""

from dataclasses import replace
from typing import Any, TypedDict

from core.config import TrainConfig
from core.presets import preset

N_VALIDATION, N_TEST = 200, 500


class Settings(TypedDict):
    """The part of an experiment that says what its control is."""

    task: str
    model: dict[str, object]
    training: TrainConfig


def of_preset(task: str, model: dict[str, object] | None = None, **training: Any) -> Settings:
    """A task's preset with other settings of the model and of the training.

    Raises:
        ConfigError: when there is no preset, or a setting is impossible.
    """
    known = preset(task)
    changed = {"n_validation": N_VALIDATION, "n_test": N_TEST, **training}
    return {
        "task": task,
        "model": {**known.model, **(model or {})},
        "training": replace(known.training, **changed),
    }
