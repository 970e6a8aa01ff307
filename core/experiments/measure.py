"""Train every arm of every experiment with three seeds and write what they gave beside this file.

    python -m core.experiments.measure [EXPERIMENT …] [--seeds 3]

One torch thread, about twenty minutes in all. An arm is trained exactly as the app trains it. Experiments that are
not named keep what was measured of them before; name them all again on another machine, since its figures differ.
"""

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from core.data.dataset import task_dataset
from core.data.tasks import get_task
from core.device import describe_machine
from core.experiments import EXPERIMENTS
from core.experiments.arms import describe_arm, settings_of
from core.experiments.experiment import Arm, Experiment
from core.experiments.measured import MEASURED_FILE, ArmMeasured, read_measured, write_measured
from core.experiments.measurements import measure
from core.model.shapes import expected_parameters
from core.training.new_run import begin_run
from core.training.session import train_run


def digest_of_arm(experiment: Experiment, arm: Arm) -> str:
    """A short name for the task and the settings of an arm."""
    settings = json.dumps([experiment.task, settings_of(experiment, arm)], sort_keys=True)
    return hashlib.sha256(settings.encode()).hexdigest()[:16]


def measure_seed(experiment: Experiment, arm: Arm, seed: int) -> tuple[float, dict[str, float]]:
    """Train an arm with a seed; return its CPU seconds and its figures."""
    description = describe_arm(experiment, arm, seed)
    with tempfile.TemporaryDirectory() as place:
        folder, start = Path(place) / "run", time.process_time()
        begin_run(folder, description, None)
        dataset = task_dataset(get_task(experiment.task), description.train_config)
        for _ in train_run(folder, description, dataset):
            pass
        return time.process_time() - start, measure(folder, experiment.figures)


def measure_arm(experiment: Experiment, arm: Arm, seeds: Sequence[int]) -> ArmMeasured:
    """Train an arm with every seed."""
    description = describe_arm(experiment, arm, 0)
    found = [measure_seed(experiment, arm, seed) for seed in seeds]
    return ArmMeasured(
        settings=digest_of_arm(experiment, arm),
        machine=describe_machine(),
        seeds=tuple(seeds),
        parameters=expected_parameters(description.config),
        updates=description.train_config.steps,
        cpu_seconds=tuple(round(seconds, 1) for seconds, _ in found),
        figures={name: tuple(round(each[name], 6) for _, each in found) for name in experiment.figures},
    )


def main() -> None:
    """Measure; write after each experiment, so that an interruption loses one at most."""
    parser = argparse.ArgumentParser(
        prog="python -m core.experiments.measure",
        description="Train every arm of the experiments with several seeds and store the results.",
    )
    parser.add_argument(
        "experiments", nargs="*", metavar="EXPERIMENT", help="experiments to run (default: all)"
    )
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="seeds per arm (default: 3)")
    options = parser.parse_args()
    wrong = [key for key in options.experiments if key not in EXPERIMENTS]
    if wrong:
        parser.error(f"there is no experiment {wrong[0]!r}; choose from {', '.join(EXPERIMENTS)}")
    if options.seeds < 1:
        parser.error(f"--seeds must be at least 1, not {options.seeds}")
    torch.set_num_threads(1)
    measured = read_measured() if MEASURED_FILE.exists() else {}
    for key in options.experiments or EXPERIMENTS:
        experiment = EXPERIMENTS[key]
        measured[key] = {}
        for arm in experiment.arms:
            found = measured[key][arm.key] = measure_arm(experiment, arm, range(options.seeds))
            print(key, arm.key, found.cpu_seconds, dict(found.figures), flush=True)
        write_measured(measured)


if __name__ == "__main__":
    main()
