"""From an experiment's arm to the run that trains it, and back."""

from __future__ import annotations

from core.data.tasks import get_task
from core.experiments.experiment import Arm, Experiment
from core.run_description import RunDescription
from core.training.plan import describe_task


def describe_arm(experiment: Experiment, arm: Arm, seed: int) -> RunDescription:
    """The run that trains an arm with a seed.

    Raises:
        ConfigError: when a setting is impossible.
    """
    return describe_task(
        get_task(experiment.task),
        experiment.training_of(arm, seed),
        experiment.model_of(arm),
        name=arm.title,
    )


def is_of_arm(run: RunDescription, experiment: Experiment, arm: Arm) -> bool:
    """Whether a run has the arm's model and training; its seed may be any."""
    planned = describe_arm(experiment, arm, run.train_config.seed)
    return (run.task, run.config, run.train_config) == (planned.task, planned.config, planned.train_config)


def settings_of(experiment: Experiment, arm: Arm) -> dict[str, object]:
    """Every setting of an arm's model and training but the seed, as plain values."""
    described = describe_arm(experiment, arm, 0)
    config = {f"model.{name}": value for name, value in described.config.to_dict().items()}
    training = {f"training.{name}": value for name, value in described.train_config.to_dict().items()}
    return {name: value for name, value in (config | training).items() if name != "training.seed"}
