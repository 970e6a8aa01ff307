"""What takes long is computed once for all visitors, in the background: how far it is, its stop, and what it gives."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from core.errors import ExplorerError
from explorer.models.byte_bounded_cache import ByteBoundedCache, Sized, bytes_of
from explorer.models.server import turns

if TYPE_CHECKING:
    from core.run import Run

FORGOTTEN_AFTER = 15.0
"""Seconds after which a job that nobody asks about any more ends."""

Step = TypeVar("Step")
Result = TypeVar("Result", bound=Sized)


def passes_of(run: Run, n_passes: int, n_tokens: int) -> float:
    """Multiplications of so many passes over a sentence, about."""
    return float(sum(each.numel() for each in run.model.parameters())) * n_passes * n_tokens


@dataclass
class Job:
    """A computation as far as it is.

    Attributes:
        n_done: Parts that are done.
        n_all: How many there are; 0 until that is known.
        reason: Why it has ended without a result; empty before, with one, or where it is to be made anew.
        stops: Whether it is to end.
        asked: When somebody last wanted to know.
        has_ended: Whether nothing more will come.
    """

    n_done: int = 0
    n_all: int = 0
    reason: str = ""
    stops: bool = False
    asked: float = field(default_factory=time.monotonic)
    has_ended: bool = False

    def stop(self) -> None:
        """Let it end before its end."""
        self.stops = True

    def again(self) -> None:
        """Forget how it ended without a result, so that it begins anew when it is asked for."""
        if self.has_ended:
            self.reason = ""

    def is_wanted(self) -> bool:
        """Whether it should go on."""
        return not self.stops and time.monotonic() - self.asked < FORGOTTEN_AFTER

    def pull(self, steps: Iterator[Step]) -> Iterator[Step]:
        """The steps of the computation, each in a turn of its own, until nobody wants more of them."""
        while self.is_wanted():
            with turns().turn():  # Pages that others wait for come in between.
                try:
                    step = next(steps)
                except StopIteration:
                    return
            yield step


class Jobs(Generic[Result]):
    """The computations of one kind on a server: each runs once, whoever asks for it.

    Args:
        what: A word for one of them, as a sentence begins with it: "evaluation".
        kept_bytes: Bytes that their results may take together, each as its ``n_bytes`` says.
    """

    def __init__(self, what: str, kept_bytes: int) -> None:
        self._what = what
        self._results: ByteBoundedCache[Result] = ByteBoundedCache(kept_bytes, bytes_of)
        self._running: dict[Hashable, Job] = {}
        self._lock = Lock()

    def of(self, key: Hashable, work: Callable[[Job], Result | None]) -> Result | Job:
        """The result of a key, or how far its computation is, which begins where there is none.

        Args:
            key: Names the result.
            work: Makes it, and says in the job how far it is; None where it ended before its end.
        """
        with self._lock:
            # Inside the lock: a result is there before its job leaves the running ones.
            if (found := self._results.held(key)) is not None:
                return found
            job = self._job(key)
            if job is None:
                job = self._running[key] = Job()
                Thread(target=self._run, args=(key, job, work), daemon=True).start()
            job.asked = time.monotonic()
            return job

    def known(self, key: Hashable) -> Result | Job | None:
        """The result of a key, or the job that makes it or has failed to; None where nobody has asked for it."""
        with self._lock:
            found = self._results.held(key)
            return found if found is not None else self._job(key)

    def _job(self, key: Hashable) -> Job | None:
        job = self._running.get(key)
        return None if job is not None and job.has_ended and not job.reason else job

    def _run(self, key: Hashable, job: Job, work: Callable[[Job], Result | None]) -> None:
        try:
            found = work(job)
            if found is not None:
                self._results.get(key, lambda: found)
            elif job.stops:
                job.reason = f"The {self._what} was stopped."
        except ExplorerError as error:
            job.reason = error.sentence
        except Exception as error:  # A thread has nobody above it; whoever waits must hear of it.
            job.reason = f"The {self._what} failed: {type(error).__name__}."
            raise
        finally:
            job.has_ended = True
            with self._lock:
                if not job.reason and self._running.get(key) is job:
                    del self._running[key]
