"""Background jobs: few at a time, each for all its visitors; no visitor decides for another one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from explorer.models import background
from explorer.models.background import MOST_AT_ONCE, MOST_OF_A_VISITOR, Job, JobLine, Jobs
from explorer.server.turns import Turns

PATIENCE = 60


@dataclass(frozen=True)
class Answer:
    text: str
    n_bytes: int = 1


class Kitchen:
    """A kind of jobs whose computations end when the test allows it."""

    def __init__(self, monkeypatch) -> None:
        self.jobs: Jobs[Answer] = Jobs("measurement", 1000, JobLine())
        self.begun: list[str] = []
        self.let_go: set[str] = set()
        self.running = self.most_running = 0
        self._lock = threading.Lock()
        self._visitor = ""
        monkeypatch.setattr(background, "current_visitor", lambda: self._visitor)

    @contextmanager
    def visitor(self, name: str) -> Iterator[None]:
        self._visitor, before = name, self._visitor
        yield
        self._visitor = before

    def ask(self, visitor: str, key: str) -> Answer | Job:
        with self.visitor(visitor):
            return self.jobs.of(key, lambda job: self._work(key, job))

    def job(self, visitor: str, key: str) -> Job:
        found = self.ask(visitor, key)
        assert isinstance(found, Job)
        return found

    def answer(self, visitor: str, key: str) -> str:
        """Let a computation go and return its result."""
        self.let_go.add(key)
        until(lambda: isinstance(self.ask(visitor, key), Answer))
        found = self.ask(visitor, key)
        assert isinstance(found, Answer)
        return found.text

    def _work(self, key: str, job: Job) -> Answer | None:
        with self._lock:
            self.begun.append(key)
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        while job.is_wanted() and key not in self.let_go:
            threading.Event().wait(0.002)
        with self._lock:
            self.running -= 1
        return Answer(key) if key in self.let_go else None


def until(condition) -> None:
    for _ in range(PATIENCE * 200):
        if condition():
            return
        threading.Event().wait(0.005)
    raise AssertionError("it never came")


@pytest.fixture
def kitchen(monkeypatch) -> Iterator[Kitchen]:
    found = Kitchen(monkeypatch)
    yield found
    monkeypatch.setattr(background, "FORGOTTEN_AFTER", -1.0)  # Jobs that still run end.


def test_few_jobs_run_at_once_and_the_others_know_their_place(kitchen):
    jobs = [kitchen.job(f"visitor {number}", f"job {number}") for number in range(48)]
    until(lambda: len(kitchen.begun) == MOST_AT_ONCE)
    assert [job.n_before for job in jobs[:4]] == [0, 0, MOST_AT_ONCE, MOST_AT_ONCE + 1]
    assert jobs[-1].n_before == 47
    assert kitchen.answer("visitor 0", "job 0") == "job 0"
    until(lambda: len(kitchen.begun) == MOST_AT_ONCE + 1)
    assert jobs[2].n_before == 0
    assert jobs[-1].n_before == 46
    for number in range(1, 48):
        kitchen.let_go.add(f"job {number}")
    for number in range(1, 48):
        assert kitchen.answer(f"visitor {number}", f"job {number}") == f"job {number}"
    assert kitchen.begun == [f"job {number}" for number in range(48)]
    assert kitchen.most_running == MOST_AT_ONCE


def test_stop_of_one_visitor_leaves_the_job_to_the_others(kitchen):
    job = kitchen.job("Anna", "job")
    assert kitchen.job("Ben", "job") is job
    with kitchen.visitor("Anna"):
        job.stop()
    assert kitchen.job("Anna", "job") is job
    assert job.reason_for("Anna") == "The measurement was stopped. It goes on for other visitors."
    assert job.reason_for("Ben") == ""
    assert job.is_wanted()
    assert kitchen.answer("Ben", "job") == "job"
    # A result is shown to every visitor.
    assert kitchen.answer("Anna", "job") == "job"


def test_look_up_begins_no_job_and_keeps_none_running(kitchen):
    assert kitchen.jobs.held("job") is None
    job = kitchen.job("Anna", "job")
    job.stop("Anna")
    assert kitchen.jobs.held("job") is job
    assert not job.is_wanted()
    until(lambda: job.has_ended)
    # What was computed before the stop is still shown.
    assert kitchen.jobs.held("job") is job
    job.again("Anna")
    kitchen.answer("Anna", "job")
    assert isinstance(kitchen.jobs.held("job"), Answer)


def test_job_ends_when_the_last_visitor_stops_it_and_begins_anew(kitchen):
    job = kitchen.job("Anna", "job")
    assert kitchen.job("Ben", "job") is job
    until(lambda: kitchen.begun)
    job.stop("Anna")
    job.stop("Ben")
    until(lambda: job.has_ended)
    assert kitchen.job("Anna", "job") is job
    assert job.reason_for("Anna") == job.reason_for("Ben") == "The measurement was stopped."
    # A third visitor is not concerned: the job is computed again for that visitor alone.
    new = kitchen.job("Carla", "job")
    assert new is not job
    assert kitchen.job("Anna", "job") is new
    assert new.reason_for("Anna") == "The measurement was stopped. It goes on for other visitors."
    assert new.reason_for("Carla") == ""
    new.stop("Carla")
    until(lambda: new.has_ended)
    with kitchen.visitor("Anna"):
        new.again()
    assert kitchen.answer("Anna", "job") == "job"


def test_job_ends_when_no_visitor_asks_for_it_any_more(kitchen, monkeypatch):
    job = kitchen.job("Anna", "job")
    until(lambda: kitchen.begun)
    assert job.is_wanted()
    monkeypatch.setattr(background, "FORGOTTEN_AFTER", 0.05)
    until(lambda: job.has_ended)
    assert kitchen.running == 0


def test_job_stopped_in_the_line_computes_nothing(kitchen):
    for number in range(MOST_AT_ONCE):
        kitchen.job(f"visitor {number}", f"job {number}")
    waiting, last = kitchen.job("Anna", "waiting"), kitchen.job("Ben", "last")
    assert last.n_before == MOST_AT_ONCE + 1
    waiting.stop("Anna")
    assert last.n_before == MOST_AT_ONCE
    kitchen.let_go.update({"job 0", "last"})
    assert kitchen.answer("Ben", "last") == "last"
    until(lambda: waiting.has_ended)
    assert "waiting" not in kitchen.begun


def test_visitor_waits_only_for_the_latest_jobs_asked_for(kitchen):
    for number in range(MOST_AT_ONCE):
        kitchen.job(f"visitor {number}", f"job {number}")
    asked = [kitchen.job("Anna", f"of Anna {number}") for number in range(100)]
    # A hundred jobs of one visitor keep another visitor waiting for no more than the latest of them.
    assert kitchen.job("Ben", "of Ben").n_before == MOST_AT_ONCE + MOST_OF_A_VISITOR
    assert [job.is_wanted() for job in asked[-3:]] == [False, True, True]
    until(lambda: all(job.has_ended for job in asked[:-MOST_OF_A_VISITOR]))
    assert kitchen.jobs._line.counts() == (MOST_AT_ONCE, MOST_OF_A_VISITOR + 1)


def test_failure_is_told_to_all_and_frees_the_place(monkeypatch):
    jobs: Jobs[Answer] = Jobs("measurement", 1000, JobLine(1))
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def fail(job: Job) -> None:
        raise ZeroDivisionError

    failed = jobs.of("bad", fail)
    assert isinstance(failed, Job)
    until(lambda: failed.has_ended)
    assert failed.reason_for("anybody") == "The measurement failed: ZeroDivisionError."
    until(lambda: jobs.of("good", lambda job: Answer("good")) == Answer("good"))
    assert jobs.of("bad", fail) is failed
    failed.again()
    until(lambda: jobs.of("bad", lambda job: Answer("mended")) == Answer("mended"))


def test_job_steps_wait_for_pages(kitchen, monkeypatch):
    turns, order = Turns(), list[str]()
    monkeypatch.setattr(background, "turns", lambda: turns)
    job = Job("measurement", JobLine())
    job.ask("Anna")

    def page() -> None:
        with turns.turn():
            order.append("page")

    def steps() -> None:
        for name in job.pull(iter(["step"])):
            order.append(name)

    with turns.turn():
        work = [threading.Thread(target=each, daemon=True) for each in (steps, page)]
        work[0].start()
        until(lambda: turns._deferred or turns._waiting)
        work[1].start()
        until(lambda: len(turns._deferred) + len(turns._waiting) == 2)
    for each in work:
        each.join(PATIENCE)
    assert order == ["page", "step"]
