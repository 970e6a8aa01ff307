"""The runs folder: ids that are no paths, titles, sizes, deletion that stays inside, limits that say what to do."""

import json
import os
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import replace

import pytest

from core import files
from core.errors import RunError
from core.run_description import RUN_FILE
from core.training import run_store
from core.training.lock import training_lock
from core.training.new_run import begin_run
from core.training.plan import dataset_of
from core.training.run_store import STORE_FILE
from core.training.session import train_run
from explorer.trainings import run_folders
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.run_folders import LOG_FILE, NOTE_FILE, RunFolders, clean_title, runs_folder
from tests.explorer.own_runs import train_tiny
from tests.explorer.trainings.conftest import small
from tests.unwritable import unwritable


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
    to_disk, times = files._to_disk, list[float]()

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
    # The two that wait will take about 9 MB.
    narrow = engines(most_at_once=0, most_bytes=20 * 10**6)
    third = narrow.begin(small(), title="large")
    (narrow.run_folder(third) / "ballast").write_bytes(b"0" * 8 * 2**20)
    with pytest.raises(
        RunError, match=r"take 1\d MB and this one needs \d MB, of 20 MB in all; .* such as “large”"
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


def test_runs_are_read_where_nothing_can_be_written(engines):
    engine = engines(most_at_once=0)
    run_id = engine.begin(small(), title="Mine")
    engine.stop(run_id)
    with unwritable(engine.folder):
        reader = TrainingEngine(engine.folder)
        assert [status.title for status in reader.statuses()] == ["Mine"]
        assert reader.status(run_id).state == "stopped"
        for act in (
            lambda: reader.begin(small()),
            lambda: reader.resume(run_id),
            lambda: reader.rename(run_id, "Yours"),
            lambda: reader.delete(run_id),
        ):
            with pytest.raises(RunError) as caught:
                act()
            assert caught.value.sentence == "The runs folder cannot be written: Permission denied."
        reader.close()
    assert engine.status(run_id).title == "Mine"


def test_a_training_is_seen_where_nothing_can_be_written(engines):
    engine = engines(most_at_once=0)
    folder = engine.folder / "terminal"
    begin_run(folder, small(), None)
    training = train_run(folder, small(), dataset_of(folder, small()))
    next(training)
    with unwritable(engine.folder):
        reader = TrainingEngine(engine.folder)
        assert reader.status("terminal").state == "training"
        reader.close()
    training.close()


def test_a_folder_that_goes_while_a_server_runs_is_made_again_by_the_next_run(engines):
    engine = engines(most_at_once=0)
    shutil.rmtree(engine.folder)
    assert engine.statuses() == []
    assert engine.status(engine.begin(small())).state == "waiting"


@pytest.mark.parametrize(
    "said",
    [
        "[Errno 13] Permission denied: '{root}/my run/metrics.sqlite'",
        "continue with: python -m core.train --resume {root}/tiny0001",
        "{root}: Is a directory",
    ],
)
def test_what_a_process_said_of_its_files_is_told_without_where_they_lie(idle, said):
    run_id = idle.begin(small())
    idle.stop(run_id)
    (idle.run_folder(run_id) / LOG_FILE).write_text(said.format(root=idle.folder))
    note = idle._folders.note(run_id)
    idle._folders.write_note(run_id, replace(note, started=1.0))
    status = idle.status(run_id)
    assert status.state == "failed"
    assert status.reason
    assert str(idle.folder.parent) not in status.reason


@pytest.mark.proof
def test_a_store_that_is_locked_is_told_and_not_taken_for_the_end_of_a_run(idle, monkeypatch):
    monkeypatch.setattr(run_store, "READER_PATIENCE", 0.05)
    folder = train_tiny(idle.folder)
    idle._folders.write_note(folder.name, replace(idle._folders.note(folder.name), started=1.0))
    with closing(sqlite3.connect(folder / STORE_FILE, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        status = idle.status(folder.name)
    assert status.state == "finished"
    assert "metrics.sqlite is locked by another program" in status.reason
    assert "close it there, then try again" in status.reason


def test_the_folder_is_the_projects_own_or_the_environments(monkeypatch, tmp_path):
    monkeypatch.delenv("EXPLORER_RUNS", raising=False)
    assert runs_folder().name == "runs"
    assert (runs_folder().parent / "core").is_dir()
    monkeypatch.setenv("EXPLORER_RUNS", str(tmp_path / "else"))
    assert runs_folder() == tmp_path / "else"


def test_the_note_keeps_no_more_than_it_needs(idle):
    run_id = idle.begin(small(), title="A")
    note = json.loads((idle.run_folder(run_id) / NOTE_FILE).read_text())
    assert set(note) == {"title", "created", "started", "ticket", "owner", "team", "told"}


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Three-digit sums", ["three_digit_sums", "three_digit_sums_2", "three_digit_sums_3"]),
        ("Übersetzung ÀÉ", ["ubersetzung_ae", "ubersetzung_ae_2"]),
        ("../../etc/passwd\0 0.", ["etc_passwd_0"]),
        ("你好 🙂", ["run", "run_2"]),
        ("copy", ["copy_2"]),  # A shipped model has that name.
        ("x" * 80, ["x" * 40]),
    ],
)
def test_the_folder_of_a_run_is_read_in_its_title(idle, title, names):
    folders = RunFolders(idle.folder)
    for name in names:
        place = folders.make()
        (place / "run.json").write_text("{}")
        assert folders.publish(place, title) == name
        assert folders.path_of(name).parent == idle.folder
