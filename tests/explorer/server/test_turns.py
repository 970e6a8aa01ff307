"""Turns are had one at a time, in the order they were asked for, and nobody waits long for one that takes long."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import pytest

from explorer.server.turns import MOST_DEFERRED, PATIENCE, Turns

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


def test_pages_come_before_background_jobs(pool):
    turns, order = Turns(clock=Clock()), list[str]()

    def page() -> None:
        with turns.turn():
            order.append("page")

    def job() -> None:
        with turns.background_turn():
            order.append("job")

    visits = []
    with turns.turn():
        for _ in range(5):
            visits.append(pool.submit(job))
        while len(turns._deferred) < 5:
            pass
        for _ in range(5):
            visits.append(pool.submit(page))
        while len(turns._waiting) < 5:
            pass
    for visit in visits:
        visit.result(timeout=LONG)
    assert order == 5 * ["page"] + 5 * ["job"]


def test_page_overtakes_a_long_step_of_a_background_job(pool):
    clock = Clock()
    turns, page_is_in = Turns(clock), Event()

    def page() -> None:
        with turns.turn():
            page_is_in.set()

    with turns.background_turn():
        visit = pool.submit(page)
        while not turns._waiting:
            pass
        assert not page_is_in.is_set()
        clock.now = PATIENCE
        told(turns)
        assert page_is_in.wait(LONG)
    visit.result(timeout=LONG)


def test_endless_pages_do_not_starve_a_background_job(pool):
    clock = Clock()
    turns, order, may_end = Turns(clock), list[str](), Event()

    def page() -> None:
        with turns.turn():
            order.append("page")

    def job() -> None:
        with turns.background_turn():
            order.append("job")

    def long_page() -> None:
        with turns.turn():
            assert may_end.wait(LONG)

    visits = [pool.submit(long_page)]
    while turns._holder is None:
        pass
    visits += [pool.submit(job), pool.submit(page)]
    while not (turns._deferred and turns._waiting):
        pass
    # The long page is not waited for any more, and both others could have the next turn.
    clock.now = MOST_DEFERRED
    told(turns)
    for visit in visits[1:]:
        visit.result(timeout=LONG)
    assert order == ["job", "page"]
    may_end.set()
    visits[0].result(timeout=LONG)
