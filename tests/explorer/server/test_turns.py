"""Turns are had one at a time, in the order they were asked for, and nobody waits long for one that takes long."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import pytest

from explorer.server.turns import COLD_PATIENCE, PATIENCE, Turns

LONG = 60
"""Seconds that no test takes."""


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def told(turns: Turns) -> None:
    """Whoever waits looks again."""
    with turns._changed:
        turns._changed.notify_all()


@pytest.fixture
def pool():
    with ThreadPoolExecutor(20) as threads:
        yield threads


def test_no_two_have_a_turn_at_the_same_time(pool):
    turns, inside, count = Turns(clock=Clock()), Lock(), []

    def visit() -> None:
        for _ in range(50):
            with turns.turn():
                assert inside.acquire(blocking=False)
                count.append(1)
                inside.release()

    for each in [pool.submit(visit) for _ in range(8)]:
        each.result(timeout=LONG)
    assert len(count) == 8 * 50


def test_they_come_in_the_order_in_which_they_asked(pool):
    turns, order = Turns(clock=Clock()), list[float]()

    def visit(name: int) -> None:
        with turns.turn():
            order.append(name)

    visits = []
    with turns.turn():
        for name in range(10):
            visits.append(pool.submit(visit, name))
            # Who has not asked yet is not in the row.
            while len(turns._waiting) <= name:
                pass
    for each in visits:
        each.result(timeout=LONG)
    assert order == list(range(10))


def test_who_takes_long_is_not_waited_for_and_takes_nothing_from_the_next(pool):
    clock = Clock()
    turns, second_is_in, first_may_end, second_may_end = Turns(clock), Event(), Event(), Event()

    def second() -> None:
        with turns.turn():
            second_is_in.set()
            assert second_may_end.wait(LONG)

    def third() -> str:
        with turns.turn():
            return "third"

    def first() -> None:
        with turns.turn():
            assert first_may_end.wait(LONG)

    one = pool.submit(first)
    while turns._holder is None:
        pass
    two = pool.submit(second)
    while not turns._waiting:
        pass
    assert not second_is_in.is_set()
    clock.now = PATIENCE
    told(turns)
    assert second_is_in.wait(LONG)
    # The first one ends while the second has the turn: that is no turn for the third.
    first_may_end.set()
    one.result(timeout=LONG)
    three = pool.submit(third)
    while not turns._waiting:
        pass
    told(turns)
    assert not three.done()
    second_may_end.set()
    two.result(timeout=LONG)
    assert three.result(timeout=LONG) == "third"


def test_a_page_that_cannot_be_drawn_ends_its_turn():
    turns = Turns(clock=Clock())
    with pytest.raises(ValueError, match="page"), turns.turn():
        raise ValueError("page")
    with turns.turn():
        pass


def test_until_everything_is_imported_a_turn_passes_to_nobody_before_it_ends(pool):
    clock = Clock()
    turns, second_is_in = Turns(clock, is_warm=False), Event()

    def second() -> None:
        with turns.turn():
            second_is_in.set()

    with turns.turn():
        two = pool.submit(second)
        while not turns._waiting:
            pass
        clock.now = COLD_PATIENCE - 1
        told(turns)
        assert turns._seconds_to_wait(turns._waiting[0]) == 1
        assert not second_is_in.is_set()
        # From here on it is as ever.
        turns.warm_up()
        assert second_is_in.wait(LONG)
    two.result(timeout=LONG)


def test_who_pauses_gives_the_turn_to_the_next_and_has_one_again_afterwards(pool, monkeypatch):
    turns, order = Turns(clock=Clock(), is_warm=False), []
    second_has_been = Event()

    def second() -> None:
        with turns.turn():
            order.append("second")
        second_has_been.set()

    monkeypatch.setattr("time.sleep", lambda seconds: second_has_been.wait(LONG))
    with turns.turn():
        two = pool.submit(second)
        while not turns._waiting:
            pass
        turns.pause(0.8)
        order.append("first")
        three = pool.submit(second)
        while not turns._waiting:
            pass
        assert order == ["second", "first"]
    for each in (two, three):
        each.result(timeout=LONG)
    assert order == ["second", "first", "second"]


def test_a_thread_without_a_turn_pauses_and_takes_none(monkeypatch):
    turns, slept = Turns(clock=Clock()), list[float]()
    monkeypatch.setattr("time.sleep", slept.append)
    turns.pause(0.8)
    assert slept == [0.8]
    assert turns._holder is None
