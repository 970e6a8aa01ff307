"""What the tests of the pages that train share: an engine on a folder of the test's own."""

from collections.abc import Iterator

import pytest

from explorer.trainings.engine import TrainingEngine
from explorer.trainings.run_folders import runs_folder
from explorer.trainings.status import LIVING
from tests.app_tests import another_server, share_between_app_tests
from tests.explorer.trainings.conftest import wait_for

share_between_app_tests()


@pytest.fixture(autouse=True)
def no_spare(monkeypatch) -> None:
    """A spare process for each page that is opened would only keep the machine busy."""
    monkeypatch.setattr(TrainingEngine, "warm", lambda engine, description=None, *, together=1: None)


@pytest.fixture
def engine(tmp_path, monkeypatch) -> Iterator[TrainingEngine]:
    """The engine on a folder of the test's own; nothing of it goes on afterwards."""
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path / "runs"))
    another_server()
    from explorer.models.server import training_engine

    found = training_engine()
    assert found.folder == runs_folder() == (tmp_path / "runs").resolve()
    yield found
    asked, problems = found.stop_all()
    assert not problems
    for run_id in asked:
        wait_for(found, run_id, lambda status: status.state not in LIVING)
    found.close()
    another_server()


@pytest.fixture
def nothing_starts(monkeypatch) -> None:
    """Every run waits for ever: no process is needed to look at it."""
    monkeypatch.setattr(TrainingEngine, "_start_waiting", lambda engine: None)
