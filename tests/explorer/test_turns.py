"""Turns are had one at a time, in the order they were asked for, and nobody waits long for one that takes long."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import pytest

from explorer.turns import PATIENCE, Turns

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
    turns, order = Turns(clock=Clock()), []

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
