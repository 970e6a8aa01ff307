"""Wishes of a training: what is followed, in which order, and what a broken file does to it: nothing."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import pytest

from core.errors import ConfigError, RunError
from core.training import control as control_module
from core.training import interruptions, reporting, session
from core.training.control import CONTROL_FILE, Control, Wish, ask, forget_wishes
from core.training.lock import LOCK_FILE, last_sign_of_life
from core.training.processes import Processes
from core.training.records import Validation
from core.training.run_store import RunStore
from core.training.session import train_run
from tests.core.training.test_session import TRAINING, begin, begun, figures, go_on, same_files, trained


@pytest.fixture(autouse=True)
def looks_always(monkeypatch):
    monkeypatch.setattr(control_module, "POLL_EVERY", 0.0)


@pytest.fixture
def control(tmp_path):
    control = Control(tmp_path, pytest.fail)
    yield control
    control.close()


def fact(folder, name):
    with closing(RunStore.read(folder)) as store:
        return store.fact(name)


def updates(folder) -> int:
    with closing(RunStore.read(folder)) as store:
        return len(store.steps())


def test_the_last_wish_wins_and_steps_add_up(control, tmp_path):
    control.poll()
    assert not control.waits
    ask(tmp_path, "pause")
    control.poll()
    assert control.waits
    ask(tmp_path, "step", 2)
    ask(tmp_path, "step")
    control.poll()
    assert (control.waits, control.steps) == (False, 3)
    for _ in range(3):
        assert not control.waits
        control.made_update()
    assert control.waits
    ask(tmp_path, "step", 5)
    ask(tmp_path, "pause")
    control.poll()
    assert control.waits
    ask(tmp_path, "pause")
    ask(tmp_path, "go on")
    control.poll()
    assert not control.paused
    ask(tmp_path, "pause")
    ask(tmp_path, "stop")
    control.poll()
    assert control.stopped
    assert not control.waits


@pytest.mark.parametrize(
    ("wish", "count"), [("dance", 1), ("step", 0), ("step", 10**9), ("step", True), ("step", 1.5)]
)
def test_impossible_wishes_are_refused(tmp_path, wish, count):
    with pytest.raises(ConfigError):
        ask(tmp_path, wish, count)
    assert list(tmp_path.iterdir()) == []


def test_nobody_is_asked_where_there_is_no_run(tmp_path):
    with pytest.raises(RunError, match="no run nowhere"):
        ask(tmp_path / "nowhere", "stop")


def test_wishes_for_an_earlier_training_are_not_followed(tmp_path, monkeypatch):
    ask(tmp_path, "stop")
    later = Control(tmp_path, pytest.fail, began=time.time() + 10 * control_module.STALE)
    later.poll()
    assert not later.stopped
    later.close()
    ask(tmp_path, "stop")
    forget_wishes(tmp_path)
    fresh = Control(tmp_path, pytest.fail)
    fresh.poll()
    assert not fresh.stopped


def test_what_comes_as_a_training_ends_is_not_left_for_the_next(tmp_path):
    ending = Control(tmp_path, pytest.fail)
    ask(tmp_path, "stop")
    ending.poll()
    ask(tmp_path, "stop")
    ending.close()
    following = Control(tmp_path, pytest.fail)
    following.poll()
    assert not following.stopped


def test_a_look_is_not_repeated_at_once(control, tmp_path, monkeypatch):
    monkeypatch.setattr(control_module, "POLL_EVERY", 1000.0)
    control.poll()
    ask(tmp_path, "stop")
    control.poll()
    assert not control.stopped


@pytest.mark.parametrize("damage", [b"not a data base" * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_file_lets_the_training_go_on_and_is_told_once(tmp_path, damage):
    begin(tmp_path / "run")
    (tmp_path / "run" / CONTROL_FILE).write_bytes(damage)
    warnings: list[str] = []
    assert len(go_on(tmp_path / "run", warn=warnings.append)) == 9
    assert len(warnings) == 1
    assert "goes on without listening" in warnings[0]
    with pytest.raises(RunError, match=r"control\.sqlite cannot be used"):
        ask(tmp_path / "run", "stop")


@pytest.fixture
def impatient(monkeypatch):
    """Nobody waits for a locked file."""
    monkeypatch.setattr(control_module, "PATIENCE", 0.0)
    monkeypatch.setattr(control_module, "RETRY_AFTER", 0.0)


@contextmanager
def locked(folder) -> Iterator[None]:
    """Somebody else writes, for longer than anybody waits."""
    with closing(sqlite3.connect(folder / CONTROL_FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def test_a_busy_file_keeps_the_pause_and_the_wishes(tmp_path, impatient):
    warnings: list[str] = []
    with closing(Control(tmp_path, warnings.append)) as control:
        ask(tmp_path, "pause")
        control.poll()
        ask(tmp_path, "stop")
        with locked(tmp_path):
            control.poll()
            control.poll()
            assert control.waits
        assert len(warnings) == 1
        assert "locked; wishes are followed as soon as it can be" in warnings[0]
        control.poll()
        assert control.stopped


def test_a_file_that_is_damaged_during_a_pause_ends_it(tmp_path, impatient):
    warnings: list[str] = []
    control = Control(tmp_path, warnings.append)
    ask(tmp_path, "pause")
    control.poll()
    assert control.waits
    ask(tmp_path, "pause")
    with locked(tmp_path):
        control.poll()
    assert control.waits
    forget_wishes(tmp_path)
    (tmp_path / CONTROL_FILE).write_bytes(b"not a data base" * 100)
    control.poll()
    assert not control.waits
    assert len(warnings) == 2
    assert "goes on without listening" in warnings[1]


def test_what_comes_while_the_file_is_not_looked_at_is_not_left_for_the_next_either(tmp_path, impatient):
    ending = Control(tmp_path, lambda sentence: None)
    ask(tmp_path, "stop")
    with locked(tmp_path):
        ending.poll()
    ending.close()
    following = Control(tmp_path, pytest.fail)
    following.poll()
    assert not following.stopped
    following.close()


@pytest.mark.parametrize(
    "row",
    [
        "'step', 'many', 0",
        "x'00', 1, 'now'",
        "'step', 9223372036854775807, 9e999",
        "CAST(x'ff' AS TEXT), 1, 0",
    ],
)
def test_rows_that_are_no_wishes_do_no_harm(tmp_path, row, impatient):
    ask(tmp_path, "go on")
    with closing(sqlite3.connect(tmp_path / CONTROL_FILE)) as connection:
        connection.execute(f"INSERT INTO wishes (wish, count, asked) VALUES ({row})")
        connection.commit()
    control = Control(tmp_path, lambda sentence: None)
    control.poll()
    assert control.steps <= control_module.MOST_STEPS
    assert not control.stopped
    ask(tmp_path, "stop")
    control.poll()
    assert control.stopped
    control.close()


@pytest.mark.proof
def test_a_training_pauses_steps_goes_on_and_ends_with_the_same_bits(tmp_path, monkeypatch):
    trained(tmp_path / "whole")
    folder = tmp_path / "parts"
    begin(folder)
    seen = []

    def waits(seconds):
        """Called while it is paused: look at what others see, and wish the next."""
        seen.append((updates(folder), fact(folder, "state")))
        wishes: dict[int, tuple[Wish, int]] = {2: ("step", 1), 3: ("step", 2), 5: ("go on", 1)}
        ask(folder, *wishes[updates(folder)])

    monkeypatch.setattr(time, "sleep", waits)
    for event in train_run(folder, *begun(folder)):
        if getattr(event, "index", None) == 1:
            ask(folder, "pause")
    assert seen == [(2, "paused"), (3, "paused"), (5, "paused")]
    assert fact(folder, "state") == "finished"
    assert figures(folder) == figures(tmp_path / "whole")
    assert same_files(folder, tmp_path / "whole")


@pytest.mark.sweep
@pytest.mark.proof
@pytest.mark.parametrize("by_signal", [True, False])
def test_a_paused_training_can_be_stopped(tmp_path, monkeypatch, by_signal):
    begin(tmp_path)
    signals = []

    def waits(seconds):
        if by_signal:
            signals.append(15)
        else:
            ask(tmp_path, "stop")

    monkeypatch.setattr(time, "sleep", waits)
    ask(tmp_path, "step", 3)
    go_on(tmp_path, should_stop=lambda: bool(signals))
    assert (updates(tmp_path), fact(tmp_path, "state")) == (3, "stopped")
    go_on(tmp_path)
    assert fact(tmp_path, "state") == "finished"


@pytest.mark.proof
def test_a_paused_training_ends_by_itself_when_its_turn_is_over_and_goes_on_to_the_bit(tmp_path, monkeypatch):
    folder, now = tmp_path / "run", [0.0]
    trained(tmp_path / "whole")
    begin(folder)
    ask(folder, "step", 2)

    def rests(seconds):
        now[0] += 30.0

    clock = SimpleNamespace(time=time.time, monotonic=lambda: now[0], sleep=rests)
    monkeypatch.setattr(session, "time", clock)
    monkeypatch.setattr(interruptions, "time", clock)
    go_on(folder, most_seconds=60)
    assert (updates(folder), fact(folder, "state")) == (2, "stopped")
    assert fact(folder, "reason") == "its turn of 1 minute is over; resume goes on from here in another one"
    go_on(folder, most_seconds=60)
    assert (fact(folder, "state"), fact(folder, "reason")) == ("finished", "")
    assert same_files(folder, tmp_path / "whole")


@pytest.mark.proof
def test_a_training_shows_that_it_lives_in_a_pause_and_during_a_look(tmp_path, monkeypatch):
    monkeypatch.setattr(reporting, "SECONDS_BETWEEN_SIGNS", 0.0)
    seen = []

    def looks() -> int:
        sign = last_sign_of_life(tmp_path)
        os.utime(tmp_path / LOCK_FILE, (0, 0))
        return sign

    def rests(seconds):
        seen.append(looks())
        if len(seen) > 2:
            ask(tmp_path, "go on")

    monkeypatch.setattr(time, "sleep", rests)
    begin(tmp_path)
    ask(tmp_path, "pause")
    for event in train_run(tmp_path, *begun(tmp_path)):
        sign = looks()
        if isinstance(event, Validation):
            assert sign, "no other thing was done since the update before it"
    assert len(seen) > 2
    assert all(seen)


@dataclass(frozen=True)
class Meeting(Processes):
    """One process that notes when it would meet others, and hears an end from them in the pause."""

    happened: list[str] = field(default_factory=list)
    naps_until_an_end: int = 1_000_000

    def sums(self, *values, device):
        self.happened.append("meets")
        if len(values) == 2 and self.happened.count("naps") >= self.naps_until_an_end:
            return [1.0, values[1]]
        return list(values)


@pytest.mark.proof
def test_processes_that_are_paused_together_meet_at_every_look(tmp_path, monkeypatch):
    begin(tmp_path)
    together = Meeting()

    def waits(seconds):
        together.happened.append("naps")
        if together.happened.count("naps") == 3:
            ask(tmp_path, "go on")

    monkeypatch.setattr(time, "sleep", waits)
    ask(tmp_path, "pause")
    events = train_run(tmp_path, *begun(tmp_path), processes=together)
    next(events)
    first = together.happened.index("naps")
    assert together.happened[first - 1 : first + 6] == ["meets", "naps"] * 3 + ["meets"]
    assert len(list(events)) > 5


def test_an_end_that_another_process_is_asked_for_ends_the_pause_of_all(tmp_path, monkeypatch):
    begin(tmp_path)
    together = Meeting(naps_until_an_end=2)

    def waits(seconds):
        together.happened.append("naps")
        assert together.happened.count("naps") < 10, "nobody heard it"

    monkeypatch.setattr(time, "sleep", waits)
    ask(tmp_path, "step", 3)
    list(train_run(tmp_path, *begun(tmp_path), processes=together))
    assert (updates(tmp_path), fact(tmp_path, "state")) == (3, "stopped")
    assert together.happened.count("naps") == 2


def test_the_first_update_and_the_pace_are_told_at_once(tmp_path):
    begin(tmp_path, replace(TRAINING, validate_every=6, checkpoint_every=6))
    events = train_run(tmp_path, *begun(tmp_path))
    next(events)
    assert updates(tmp_path) == 1
    assert len(list(events)) == 6
    assert 0 < fact(tmp_path, "seconds_per_update") < 60
