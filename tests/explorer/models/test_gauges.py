"""Gauges of a server: its runs by state, its queue, its disk and its background jobs."""

import shutil
from collections.abc import Iterator

import pytest

from core.training.new_run import begin_run
from explorer.models import gauges
from explorer.models.background import Job, JobLine
from explorer.models.gauges import DISK, FAMILIES, FREE, JOBS, QUEUE, RUNS, server_gauges
from explorer.server.limits import Limits
from explorer.trainings.engine import TrainingEngine
from tests.explorer.trainings.conftest import small


@pytest.fixture
def engine(tmp_path, monkeypatch) -> Iterator[TrainingEngine]:
    """Return the engine of a server that starts no training."""
    found = TrainingEngine(tmp_path / "runs", Limits(most_at_once=0))
    monkeypatch.setattr(gauges, "training_engine", lambda: found)
    yield found
    found.close()


def test_gauges_count_runs_queue_and_disk(engine, monkeypatch):
    for _ in range(2):
        engine.begin(small())
    begin_run(engine.folder / "in-a-terminal", small(), None)
    line = JobLine(0)
    for visitor in ("Anna", "Ben", "Carla"):
        job = Job("measurement", line)
        job.ask(visitor)
        line.add(job, lambda: None)
    monkeypatch.setattr(gauges, "LINE", line)
    found = {(gauge.name, *gauge.labels.values()): gauge.value for gauge in server_gauges()}
    assert {name for name, *_ in found} == set(FAMILIES)
    assert (found[QUEUE,], found[RUNS, "waiting"], found[RUNS, "stopped"]) == (2, 2, 1)
    assert sum(value for (name, *_), value in found.items() if name == RUNS) == 3
    sizes = [file.stat().st_size for file in engine.folder.glob("*/**/*") if file.is_file()]
    assert 0 < found[DISK,] <= sum(sizes)
    assert 0 < found[FREE,] <= shutil.disk_usage(engine.folder).total
    assert (found[JOBS, "running"], found[JOBS, "waiting"]) == (0, 3)
