"""An experiment's arms as runs of the app: begun together, found again by what they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from core.errors import ExplorerError, RunError
from core.experiments.arms import describe_arm, is_of_arm
from core.experiments.experiment import Experiment
from core.run_description import RunDescription
from explorer.trainings.engine import NewRun, TrainingEngine
from explorer.trainings.rules import NOBODY, Visitor
from explorer.trainings.status import GOING_ON, RunStatus


@dataclass(frozen=True)
class Trial:
    """The runs that trained every arm of an experiment with one seed, in the order of the arms."""

    seed: int
    arms: tuple[str, ...]


def begin_arms(
    engine: TrainingEngine, experiment: Experiment, seed: int, by: Visitor = NOBODY
) -> tuple[str, ...]:
    """Begin every arm, to be trained one after the other as the queue lets them; return their ids.

    Args:
        engine: That trains them.
        experiment: Of the arms.
        seed: Of each of them.
        by: Whose runs they are; so in the functions below.

    Raises:
        RunError: when there is no room for all of them; none is begun then.
    """
    return engine.begin_all([NewRun(describe_arm(experiment, arm, seed)) for arm in experiment.arms], by=by)


def stop_arms(engine: TrainingEngine, arms: Sequence[str], by: Visitor = NOBODY) -> None:
    """End all that go on; those that wait first, so that none of them begins meanwhile.

    Raises:
        RunError: when one of them cannot be reached.
    """
    for run_id in sorted(arms, key=lambda each: engine.status(each).state != "waiting"):
        engine.stop(run_id, by=by)


def resume_arms(engine: TrainingEngine, arms: Sequence[str], by: Visitor = NOBODY) -> None:
    """Go on with all that were stopped or broken off.

    Raises:
        RunError: when that is not possible.
    """
    for run_id in arms:
        if engine.status(run_id).can_resume:
            engine.resume(run_id, by=by)


def seed_of(
    experiment: Experiment, arms: Sequence[str], described: Callable[[str], RunDescription | None]
) -> int:
    """The seed of runs that a link names, which must be the experiment's arms in their order.

    Args:
        experiment: That they are to be of.
        arms: Their ids.
        described: What is known of a run.

    Raises:
        RunError: when they are not, or one of them is not here any more.
    """
    runs = [described(run_id) for run_id in arms]
    if any(run is None for run in runs):
        raise RunError("A run of this experiment has been deleted; begin it again.")
    known = [run for run in runs if run is not None]
    seeds = {run.train_config.seed for run in known}
    fit = len(known) == len(experiment.arms) and all(
        is_of_arm(run, experiment, arm) for run, arm in zip(known, experiment.arms, strict=True)
    )
    if not fit or len(seeds) != 1:
        raise RunError("These runs are not the models of this experiment; begin it here.")
    return seeds.pop()


def trials_here(
    experiment: Experiment,
    statuses: Sequence[RunStatus],
    described: Callable[[str], RunDescription | None],
) -> list[Trial]:
    """Every seed with which all arms were trained or are in training here, ascending.

    Args:
        experiment: Of the arms.
        statuses: Of all runs, the newest first, which are taken where there are several.
        described: What is known of a run.
    """
    found: dict[int, dict[str, str]] = {}
    for status in statuses:
        run = described(status.run_id) if status.task == experiment.task else None
        if run is None or status.state not in (*GOING_ON, "finished"):
            continue
        for arm in experiment.arms:
            with suppress(ExplorerError):
                if is_of_arm(run, experiment, arm):
                    found.setdefault(run.train_config.seed, {}).setdefault(arm.key, status.run_id)
    keys = [arm.key for arm in experiment.arms]
    return [
        Trial(seed, tuple(arms[key] for key in keys))
        for seed, arms in sorted(found.items())
        if set(arms) == set(keys)
    ]
