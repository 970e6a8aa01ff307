"""A disk that is full while the app begins, renames or queues a training: one sentence, and nothing half made."""

import errno
from pathlib import Path

import pytest

from core.errors import RunError
from explorer.server.limits import Limits
from explorer.trainings.engine import NewRun, TrainingEngine
from explorer.trainings.run_folders import RunFolders
from tests.explorer.trainings.conftest import small

QUOTA = 100
"""Bytes that may still be written."""


@pytest.fixture
def idle(tmp_path):
    engine = TrainingEngine(tmp_path / "runs", Limits(most_at_once=0))
    yield engine
    engine.close()


@pytest.fixture
def full(monkeypatch):
    """Lets the files of core/files.py take no more bytes than a small quota, all together."""
    left: list[int] = []
    write = Path.write_bytes

    def write_within_quota(path: Path, data: bytes) -> int:
        if len(data) > left[0]:
            write(path, data[: left[0]])
            raise OSError(errno.ENOSPC, "No space left on device")
        left[0] -= len(data)
        return write(path, data)

    def fill(quota: int = QUOTA) -> None:
        left[:] = [quota]
        monkeypatch.setattr(Path, "write_bytes", write_within_quota)

    return fill


def left_behind(root: Path) -> list[str]:
    return sorted(
        path.name for path in root.rglob("*") if path.suffix == ".part" or path.name.startswith(".new")
    )


def test_a_training_that_cannot_be_written_is_refused_whole(idle, full):
    kept = idle.begin(small(), title="Kept")
    full()
    with pytest.raises(RunError, match="cannot be written: No space left on device"):
        idle.begin(small(), title="Too much")
    assert [status.run_id for status in idle.statuses()] == [kept]
    assert idle.status(kept).state == "waiting"
    assert left_behind(idle.folder) == []


def test_of_trainings_that_begin_together_none_is_left_where_the_last_cannot_be_written(idle, full):
    kept = idle.begin(small(), title="Kept")
    full(int(2.5 * idle.disk_bytes(kept)))
    with pytest.raises(RunError, match="cannot be written: No space left on device"):
        idle.begin_all([NewRun(small())] * 3)
    assert [status.run_id for status in idle.statuses()] == [kept]
    assert [path.name for path in idle.folder.iterdir() if path.is_dir()] == [kept]


def test_a_title_that_cannot_be_written_leaves_the_old_one(idle, full):
    run_id = idle.begin(small(), title="Before")
    full()
    with pytest.raises(RunError, match="No space left on device"):
        idle.rename(run_id, "After" * 16)
    assert RunFolders(idle.folder).note(run_id).title == "Before"
    assert left_behind(idle.folder) == []
