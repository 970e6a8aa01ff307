"""Clocks that are set back or forth while a training goes on, and times that no calendar has."""

import json
import math
import time
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from core.run_description import RUN_FILE
from core.training import control as control_module
from core.training import pace as pace_module
from core.training.control import Control, ask
from core.training.pace import Pace
from core.training.run_store import RunStore
from explorer.trainings.run_folders import NOTE_FILE, Note, RunFolders
from explorer.trainings.status import Summary, read_status, reported_start

HOUR = 3600.0
SUMMARY = Summary(task="copy", steps=100, updates=0, is_complete=False)


def clock(now: float) -> SimpleNamespace:
    return SimpleNamespace(time=lambda: now, monotonic=time.monotonic)


@pytest.mark.parametrize("step", [-10 * HOUR, -1.0, 10 * HOUR])
def test_a_wish_is_followed_whatever_the_clock_was_set_to_meanwhile(tmp_path, monkeypatch, step):
    training = Control(tmp_path, pytest.fail)
    training.poll()
    monkeypatch.setattr(control_module, "time", clock(time.time() + step))
    ask(tmp_path, "stop")
    monkeypatch.setattr(control_module, "POLL_EVERY", 0)
    training._next_poll = 0
    training.poll()
    assert training.stopped
    training.close()


def told(folder, **facts) -> None:
    store = RunStore.create(folder)
    for name, value in facts.items():
        store.set_fact(name, value)
    store.close()


def state_of(folder, note: Note) -> str:
    return read_status(folder, note, SUMMARY, place=None, is_alive=True).state


def test_a_training_that_began_before_it_was_started_by_the_clock_is_seen_to_train(tmp_path):
    told(tmp_path, state="training", started=1000.0)
    assert state_of(tmp_path, Note(started=1000.0 + HOUR)) == "training"


def test_what_an_earlier_process_told_at_a_later_time_is_not_taken_for_news(tmp_path):
    told(tmp_path, state="stopped", started=1000.0 + HOUR)
    note = Note(started=1000.0, told=reported_start(tmp_path))
    assert state_of(tmp_path, note) == "starting"
    told(tmp_path, state="training", started=1001.0)
    assert state_of(tmp_path, note) == "training"


@pytest.mark.parametrize("pace", [-1.0, math.nan, math.inf, 1e300, True, "soon", None])
def test_the_time_that_is_left_is_known_or_not_but_never_nonsense(tmp_path, pace):
    told(tmp_path, state="training", started=1000.0, seconds_per_update=pace)
    status = read_status(tmp_path, Note(started=1.0), SUMMARY, place=None, is_alive=True)
    assert status.seconds_left is None


def test_the_pace_is_not_of_the_clock_on_the_wall(monkeypatch):
    moments = iter((10.0, 12.0, 14.0))
    fallen = SimpleNamespace(monotonic=lambda: next(moments), time=lambda: -HOUR)
    monkeypatch.setattr(pace_module, "time", fallen)
    pace = Pace()
    pace.after_update()
    pace.after_update()
    assert pace.after_update() == pytest.approx(2.0)


@pytest.mark.parametrize("created", [-1.0, 1e11 * 9, 1e300, math.inf, "yesterday", None])
def test_a_time_that_no_calendar_has_is_the_files_own(tmp_path, created):
    folder = tmp_path / "run00001"
    folder.mkdir()
    (folder / RUN_FILE).write_text("{}")
    (folder / NOTE_FILE).write_text(json.dumps({"title": "Mine", "created": created}))
    note = RunFolders(tmp_path).note("run00001")
    assert note.title == "Mine"
    assert datetime.fromtimestamp(note.created, UTC).year == datetime.now(UTC).year
