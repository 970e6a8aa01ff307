"""Small runs, and engines on a folder of their own whose processes do not outlive the test."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from core.config import TrainConfig
from core.data.tasks import get_task
from core.run_description import RunDescription
from core.training.plan import describe_task
from core.training.run_store import RunStore
from explorer.server.limits import Limits
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.pulses import Pulses
from explorer.trainings.status import LIVING, RunStatus
from tests.conftest import TRAINING_PATIENCE

MODEL = {
    "d_model": 16,
    "n_heads": 2,
    "d_ff": 32,
    "n_encoder_layers": 1,
    "n_decoder_layers": 1,
    "dropout": 0.1,
}


def small(steps: int = 60, **changes) -> RunDescription:
    """A run that is trained within a second once its process has begun."""
    settings = {
        "steps": steps, "warmup_steps": 5, "batch_size": 8, "n_train": 200, "n_validation": 10, "n_test": 10,
        "validate_every": min(steps, 50), "checkpoint_every": 10, **changes,
    }  # fmt: skip
    return describe_task(get_task("copy"), TrainConfig(**settings), MODEL, name="small")


def endless() -> RunDescription:
    """A run that does not end by itself."""
    return small(10**6, validate_every=10**6, checkpoint_every=500)


def wait_for(engine: TrainingEngine, run_id: str, condition: Callable[[RunStatus], object]) -> RunStatus:
    """The first status of a run for which the condition holds; as long as the run gets further it is waited for."""
    stood, until = None, 0.0
    while not condition(status := engine.status(run_id)):
        if stood != (stood := (status.state, status.place, status.updates)):
            until = time.monotonic() + TRAINING_PATIENCE
        assert time.monotonic() < until, status
        time.sleep(0.01)
    return status


def wait_until(condition: Callable[[], object]) -> None:
    until = time.monotonic() + TRAINING_PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def process_of(engine: TrainingEngine, run_id: str) -> int:
    with closing(RunStore.read(engine.run_folder(run_id))) as store:
        return store.fact("process")


def is_in(*states: str) -> Callable[[RunStatus], bool]:
    return lambda status: status.state in states


@pytest.fixture
def engines(tmp_path) -> Iterator[Callable[..., TrainingEngine]]:
    """Makes engines on one runs folder."""
    made: list[TrainingEngine] = []

    def make(
        *, spare_seconds: float = 300.0, clock=time.time, watch=time.monotonic, **limits
    ) -> TrainingEngine:
        folder, pulses = tmp_path / "runs", Pulses(watch)
        made.append(
            TrainingEngine(folder, Limits(**limits), spare_seconds=spare_seconds, clock=clock, pulses=pulses)
        )
        return made[-1]

    yield make
    for engine in made:
        engine.close()
    asked, problems = made[0].stop_all() if made else ([], {})
    assert not problems
    for run_id in asked:
        wait_for(made[0], run_id, lambda status: status.state not in LIVING)


@pytest.fixture
def engine(engines) -> TrainingEngine:
    return engines()
