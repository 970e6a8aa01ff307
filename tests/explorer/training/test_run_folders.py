"""The runs folder: ids that are no paths, titles, sizes, deletion that stays inside, limits that say what to do."""

import errno
import json
import os
import time
from pathlib import Path

import pytest

from core import files
from core.errors import RunError
from core.run_description import RUN_FILE
from core.training.lock import training_lock
from explorer.run_listing import OWN_FILES, versions_in
from explorer.training import run_folders
from explorer.training.engine import TrainingEngine
from explorer.training.run_folders import NOTE_FILE, RunFolders, clean_title, runs_folder
from tests.explorer.training.conftest import small


@pytest.fixture
def idle(engines):
    """An engine that starts nothing."""
    return engines(most_at_once=0)


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        ".",
        "..",
        "../secret",
        "/etc",
        "a/b",
        "a\\b",
        "a\x00b",
        ".queue.json",
        "nowhere1",
        "x" * 100,
        None,
        3,
        ".new-0",
    ],
)
def test_an_id_is_a_run_in_the_folder_or_nothing(idle, hostile):
    (idle.folder.parent / "secret").mkdir()
    (idle.folder.parent / "secret" / RUN_FILE).write_text("{}")
    for act in (
        idle.status,
        idle.delete,
        idle.stop,
        idle.resume,
        idle.pause,
        idle.run_folder,
        idle.disk_bytes,
    ):
        with pytest.raises(RunError, match="no such run"):
            act(hostile)
    assert (idle.folder.parent / "secret" / RUN_FILE).exists()


def test_links_are_neither_listed_nor_followed(idle, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / RUN_FILE).write_text("{}")
    (idle.folder / "linkedup").symlink_to(outside)
    with pytest.raises(RunError, match="no such run"):
        idle.delete("linkedup")
    run_id = idle.begin(small())
    (idle.run_folder(run_id) / "inside").symlink_to(outside)
    assert [status.run_id for status in idle.statuses()] == [run_id]
    assert idle.disk_bytes(run_id) < 100_000
    idle.delete(run_id)
    assert (outside / RUN_FILE).read_text() == "{}"
    assert not (idle.folder / run_id).exists()
    assert not [path for path in idle.folder.iterdir() if path.name.startswith(".removed")]


def test_titles_are_one_visible_line(idle):
    assert clean_title("  a\tb\n\u202ec\x00 ") == "a b c"
    assert len(clean_title("x" * 10_000)) == 80
    run_id = idle.begin(small(), title="<b>“one”</b>")
    assert idle.status(run_id).title == "<b>“one”</b>"
    idle.rename(run_id, "two")
    assert idle.status(run_id).title == "two"
    with pytest.raises(RunError, match="at least one character"):
        idle.rename(run_id, " \n ")
    assert idle.status(run_id).title == "two"


def test_a_process_that_begins_meanwhile_costs_no_note(idle, monkeypatch):
    run_id = idle.begin(small())
    to_disk, times = files._to_disk, []

    def begin_meanwhile(path):
        # As a process does when it has just been started for this run: it clears away what looks half written.
        if not times:
            times.append(path)
            with training_lock(idle.run_folder(run_id)):
                pass
        to_disk(path)

    monkeypatch.setattr(files, "_to_disk", begin_meanwhile)
    idle.rename(run_id, "kept")
    assert len(times) == 1
    assert idle.status(run_id).title == "kept"
    assert not list(idle.run_folder(run_id).glob("*.part"))


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "[",
        "[1]",
        "null",
        '{"title": 7, "created": "x", "ticket": "../../x", "started": 1e999}',
        "[" * 9999,
    ],
)
def test_a_damaged_note_costs_the_title_alone(idle, damage):
    run_id = idle.begin(small())
    (idle.run_folder(run_id) / NOTE_FILE).write_text(damage)
    status = idle.status(run_id)
    assert status.state == "waiting"
    assert status.title in (run_id, "7")
    assert abs(status.begun - time.time()) < 600


@pytest.mark.parametrize("damage", ["", "{", '{"a": 1}', '[1, null, "../x"]'])
def test_a_damaged_queue_counts_as_empty(idle, damage):
    run_id = idle.begin(small())
    (idle.folder / ".queue.json").write_text(damage)
    assert idle.status(run_id).state == "stopped"
    idle.resume(run_id)
    assert idle.status(run_id).state == "waiting"


def test_a_run_that_cannot_be_read_has_failed_and_can_be_deleted(idle):
    run_id = idle.begin(small())
    (idle.run_folder(run_id) / RUN_FILE).write_text("{}")
    status = idle.status(run_id)
    assert (status.state, status.task, status.can_resume) == ("failed", "", False)
    assert "format" in status.reason
    idle.delete(run_id)
    assert idle.statuses() == []


def test_limits_refuse_with_what_to_delete_and_delete_nothing(engines):
    idle = engines(most_at_once=0, most_runs=2)
    for title in ("one", "two"):
        idle.begin(small(), title=title)
    with pytest.raises(
        RunError, match=r"2 runs already, which is the most; delete one .* such as “(one|two)”"
    ):
        idle.begin(small())
    narrow = engines(most_at_once=0, most_bytes=10 * 2**20)
    third = narrow.begin(small(), title="large")
    (narrow.run_folder(third) / "ballast").write_bytes(b"0" * 8 * 2**20)
    with pytest.raises(
        RunError, match=r"take 8 MB and this one needs \d MB, of 10 MB in all; .* such as “large”"
    ):
        narrow.begin(small())
    assert len(narrow.statuses()) == 3
    assert [path for path in narrow.folder.iterdir() if path.name.startswith(".new")] == []
    narrow.delete(third)
    narrow.begin(small())


def test_what_a_kill_left_half_made_is_cleared_away_but_nothing_else(tmp_path):
    folders = RunFolders(tmp_path)
    old, young, mine = tmp_path / f".new-{'a' * 16}", folders.make(), tmp_path / "pictures"
    for path in (old, mine):
        path.mkdir()
    for path in (old, mine):
        os.utime(path, (0, time.time() - 2 * run_folders.ABANDONED))
    folders.tidy()
    assert [path.exists() for path in (old, young, mine)] == [False, True, True]


def test_runs_are_read_where_nothing_can_be_written(tmp_path, monkeypatch):
    (tmp_path / "runs" / "mine0001").mkdir(parents=True)
    for name in OWN_FILES:
        (tmp_path / "runs" / "mine0001" / name).touch()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "touch", full)
    monkeypatch.setattr(Path, "mkdir", full)
    assert [folder.name for folder in versions_in(tmp_path / "runs")] == ["mine0001"]
    assert versions_in(tmp_path / "none") == {}
    with pytest.raises(RunError, match="cannot be written"):
        TrainingEngine(tmp_path / "runs")


def test_the_folder_is_the_projects_own_or_the_environments(monkeypatch, tmp_path):
    monkeypatch.delenv("EXPLORER_RUNS", raising=False)
    assert runs_folder().name == "runs"
    assert (runs_folder().parent / "core").is_dir()
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path / "else"))
    assert runs_folder() == tmp_path / "else"


def test_the_note_keeps_no_more_than_it_needs(idle):
    run_id = idle.begin(small(), title="A")
    note = json.loads((idle.run_folder(run_id) / NOTE_FILE).read_text())
    assert set(note) == {"title", "created", "started", "ticket", "owner", "told"}
