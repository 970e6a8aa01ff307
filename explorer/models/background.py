"""What takes long is computed once for all visitors, in the background: how far it is, its stop, and what it gives."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import ExplorerError
from core.run import Run
from explorer.models.byte_bounded_cache import ByteBoundedCache, Sized, bytes_of
from explorer.server.shared import turns

FORGOTTEN_AFTER = 15.0
"""Seconds after which a visitor who has not asked about a job again does not want it any more."""
MOST_AT_ONCE = 2
"""Jobs of a server that run at the same time: a short one passes a long one, and pages share the processor with few."""
MOST_OF_A_VISITOR = 2
"""Jobs that one visitor can want at the same time, so that nobody fills the line alone. A page asks for one."""

MORE = 1.25
"""Factor by which the parts of a result grow before it is shown again."""

Step = TypeVar("Step")
Result = TypeVar("Result", bound=Sized)


def passes_of(run: Run, n_passes: int, n_tokens: int) -> float:
    """Multiplications of so many passes over a sentence, about."""
    return float(sum(each.numel() for each in run.model.parameters())) * n_passes * n_tokens


def current_visitor() -> str:
    """Return a name of the session whose page is drawn in this thread; empty in other threads."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


class Job:
    """The progress of a computation, and the visitors who want it.

    Args:
        what: A word for it, as a sentence says it: "evaluation".
        line: Line of jobs that this one belongs to.
        earlier: The job that has computed the same before, without a result.

    Attributes:
        n_done: Parts that are done.
        n_all: How many there are; 0 until that is known.
        reason: Why it has failed; empty before, with a result, or where it is to be made anew.
        has_ended: Whether nothing more will come.
        so_far: Result of the parts that are done, for a view that shows it meanwhile; None before the first.
    """

    def __init__(self, what: str, line: JobLine, earlier: Job | None = None) -> None:
        self.n_done = self.n_all = 0
        self.reason = ""
        self.has_ended = False
        self.so_far: Any = None
        self._shown_parts = 0.0
        self._what, self._line = what, line
        self._asked: dict[str, float] = {}
        # A visitor who has stopped the earlier job has not asked for this one.
        self._stopped: set[str] = set(earlier._stopped) if earlier else set()

    def show(self, n_parts: int, result: Callable[[], object]) -> None:
        """Publish the result so far, if it has a quarter more parts than the published one.

        Args:
            n_parts: Number of parts that the result covers.
            result: Returns the result. The growing distances keep the cost of all calls within a few last ones.
        """
        if n_parts >= max(1.0, MORE * self._shown_parts):
            self.so_far, self._shown_parts = result(), n_parts

    def ask(self, visitor: str) -> None:
        """Note that a visitor still wants it; one who has stopped it does not, until `again`."""
        if visitor not in self._stopped:
            self._asked[visitor] = time.monotonic()

    def stop(self, visitor: str | None = None) -> None:
        """Withdraw the interest of a visitor, by default the current one. Without interested visitors the job ends."""
        visitor = current_visitor() if visitor is None else visitor
        self._stopped.add(visitor)
        self._asked.pop(visitor, None)

    def forget(self, visitor: str) -> None:
        """Forget a visitor who has asked for other jobs since."""
        self._asked.pop(visitor, None)

    def again(self, visitor: str | None = None) -> None:
        """Renew the interest of a visitor who has stopped the job; one that failed is computed again."""
        self._stopped.discard(current_visitor() if visitor is None else visitor)
        if self.has_ended:
            self.reason = ""

    @property
    def is_stopped(self) -> bool:
        """True if a visitor has stopped it and not asked for it again."""
        return bool(self._stopped)

    def is_wanted(self) -> bool:
        """Return True if a visitor has asked about it lately."""
        now = time.monotonic()
        return any(now - asked < FORGOTTEN_AFTER for asked in list(self._asked.values()))

    def reason_for(self, visitor: str) -> str:
        """Return why a visitor is shown no progress; empty while progress is shown."""
        if self.reason or visitor not in self._stopped:
            return self.reason
        goes_on = self.is_wanted() and not self.has_ended
        return f"The {self._what} was stopped.{' It goes on for other visitors.' if goes_on else ''}"

    @property
    def n_before(self) -> int:
        """Jobs that come before this one while it waits; 0 once it runs."""
        return self._line.n_before(self)

    def pull(self, steps: Iterator[Step]) -> Iterator[Step]:
        """Yield the steps of the computation, each in a turn that comes after those of pages, while it is wanted."""
        while self.is_wanted():
            with turns().background_turn():
                try:
                    step = next(steps)
                except StopIteration:
                    return
            yield step


class JobLine:
    """A queue that runs a few jobs at the same time, the oldest first."""

    def __init__(self, most: int = MOST_AT_ONCE) -> None:
        self._most = most
        self._running: set[Job] = set()
        self._waiting: dict[Job, Callable[[], None]] = {}
        self._of_visitors: dict[str, deque[Job]] = {}
        self._lock = Lock()

    def ask(self, job: Job, visitor: str) -> None:
        """Note that a visitor wants a job, and of the earlier ones only the latest."""
        job.ask(visitor)
        with self._lock:
            theirs = self._of_visitors.setdefault(visitor, deque())
            if job not in theirs:
                theirs.append(job)
            while len(theirs) > MOST_OF_A_VISITOR:
                theirs.popleft().forget(visitor)

    def add(self, job: Job, work: Callable[[], None]) -> None:
        """Let a job run as soon as there is a place for it."""
        with self._lock:
            self._waiting[job] = work
            self._start()

    def n_before(self, job: Job) -> int:
        """Count the jobs that run, or wait before one that waits."""
        with self._lock:
            if job not in self._waiting:
                return 0
            before = list(self._waiting)[: list(self._waiting).index(job)]
            return len(self._running) + sum(other.is_wanted() for other in before)

    def counts(self) -> tuple[int, int]:
        """Return how many jobs run and how many wait."""
        with self._lock:
            return len(self._running), sum(job.is_wanted() for job in self._waiting)

    def _start(self) -> None:
        """Start what there is a place for; the lock is held."""
        for job in list(self._waiting):
            # A job that is not wanted any more needs no place: it ends before it computes anything.
            if job.is_wanted():
                if len(self._running) >= self._most:
                    continue
                self._running.add(job)
            Thread(target=self._run, args=(job, self._waiting.pop(job)), daemon=True).start()

    def _run(self, job: Job, work: Callable[[], None]) -> None:
        try:
            work()
        finally:
            with self._lock:
                self._running.discard(job)
                self._forget_visitors()
                self._start()

    def _forget_visitors(self) -> None:
        for visitor, jobs in list(self._of_visitors.items()):
            if all(job.has_ended for job in jobs):
                del self._of_visitors[visitor]


LINE = JobLine()
"""The line of all kinds of jobs of this server."""


class Jobs(Generic[Result]):
    """The computations of one kind on a server: each runs once, whoever asks for it.

    Args:
        what: A word for one of them, as a sentence begins with it: "evaluation".
        kept_bytes: Bytes that their results may take together, each as its ``n_bytes`` says.
        line: In which they wait.
    """

    def __init__(self, what: str, kept_bytes: int, line: JobLine = LINE) -> None:
        self._what, self._line = what, line
        self._results: ByteBoundedCache[Result] = ByteBoundedCache(kept_bytes, bytes_of)
        self._running: dict[Hashable, Job] = {}
        self._lock = Lock()

    def of(self, key: Hashable, work: Callable[[Job], Result | None]) -> Result | Job:
        """The result of a key, or how far its computation is, which begins where there is none.

        Args:
            key: Names the result.
            work: Makes it, and says in the job how far it is; None where it ended before its end.
        """
        visitor = current_visitor()
        with self._lock:
            # Inside the lock: a result is there before its job leaves the running ones.
            if (found := self._results.held(key)) is not None:
                return found
            job = self._job(key, visitor)
            if job is not None:
                self._line.ask(job, visitor)
                return job
            made = self._running[key] = Job(self._what, self._line, self._running.get(key))
            self._line.ask(made, visitor)
            self._line.add(made, lambda: self._run(key, made, work))
            return made

    def known(self, key: Hashable) -> Result | Job | None:
        """The result of a key, or the job that makes it or has failed to; None where nobody has asked for it."""
        with self._lock:
            found = self._results.held(key)
            return found if found is not None else self._job(key, current_visitor())

    def held(self, key: Hashable) -> Result | Job | None:
        """Return the result of a key, or else the last job for it; asking begins nothing and keeps nothing running."""
        with self._lock:
            found = self._results.held(key)
            return found if found is not None else self._running.get(key)

    def _job(self, key: Hashable, visitor: str) -> Job | None:
        job = self._running.get(key)
        is_over = job is not None and job.has_ended and not job.reason_for(visitor)
        return None if is_over else job

    def _run(self, key: Hashable, job: Job, work: Callable[[Job], Result | None]) -> None:
        found = None
        try:
            found = work(job) if job.is_wanted() else None
            if found is not None:
                self._results.get(key, lambda: found)
        except ExplorerError as error:
            job.reason = error.sentence
        except Exception as error:  # A thread has nobody above it; whoever waits must hear of it.
            job.reason = f"The {self._what} failed: {type(error).__name__}."
            raise
        finally:
            job.has_ended = True
            with self._lock:
                is_told = bool(job.reason) or (found is None and job.is_stopped)
                if not is_told and self._running.get(key) is job:
                    del self._running[key]
