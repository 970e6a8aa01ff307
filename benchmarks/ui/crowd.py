"""Thirty visitors at once: measure the server's response times and check that no visitor gets another's answer."""

import os
import statistics
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random

from benchmarks.ui.acting import PAGES, Actor
from benchmarks.ui.visitor import Visitor

VISITORS, SECONDS, PAUSE = 30, 60.0, 2.0
"""A class for a minute; each visitor acts every two seconds on average."""
PAUSES = {300: 5.0}
"""Mean seconds between two actions of a visitor, for numbers of visitors where it is not two."""


@dataclass
class CrowdResult:
    """Response times and errors of a crowd's actions.

    Attributes:
        seconds: Response times, from each action to the last message of its answer, by kind of action.
        mistakes: Descriptions of answers that did not match the visitor's action.
        exceptions: Stack traces that the app showed.
        load: Load average of the machine over the last minute.
    """

    seconds: dict[str, list[float]] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    load: float = 0.0

    @property
    def all_seconds(self) -> list[float]:
        """Response times of all actions, in ascending order."""
        return sorted(second for times in self.seconds.values() for second in times)

    @property
    def median(self) -> float:
        """Median response time in milliseconds."""
        return 1000 * statistics.median(self.all_seconds)

    @property
    def p95(self) -> float:
        """95th percentile of the response times in milliseconds."""
        return 1000 * statistics.quantiles(self.all_seconds, n=20)[-1]


def run_crowd(
    url: str,
    *,
    visitors: int = VISITORS,
    seconds: float = SECONDS,
    pause: float = PAUSE,
    pages: tuple[str, ...] = PAGES,
    watch: Callable[[], None] = lambda: None,
) -> CrowdResult:
    """Let several visitors act concurrently.

    Args:
        url: Address of the server.
        visitors: Number of visitors.
        seconds: Duration in seconds.
        pause: Mean time in seconds between two actions of a visitor.
        pages: Titles of the pages to visit.
        watch: Callback that runs about once a second in the meantime.

    Raises:
        RuntimeError: when a visitor gets no answer.
    """
    result, lock, failures = CrowdResult(), threading.Lock(), []
    with ExitStack() as open_sessions:
        actors = [Actor(open_sessions.enter_context(Visitor(url)), seed, pages) for seed in range(visitors)]
        for actor in actors:
            actor.begin()
        end = time.monotonic() + seconds

        def act_until_end(actor: Actor, moments: Random) -> None:
            due = time.monotonic() + moments.uniform(0, pause)
            try:
                while due < end:
                    time.sleep(max(0.0, due - time.monotonic()))
                    name, answer = actor.act()
                    with lock:
                        result.seconds.setdefault(name, []).append(answer.seconds)
                    due += moments.uniform(0.5, 1.5) * pause
            except Exception as error:
                failures.append(f"{type(error).__name__}: {error}")

        threads = [
            threading.Thread(target=act_until_end, args=(actor, Random(-seed - 1)))
            for seed, actor in enumerate(actors)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(1.0)
            watch()
        for actor in actors:
            result.mistakes += actor.mistakes
            result.exceptions += actor.visitor.exceptions
    if failures:
        raise RuntimeError(f"{len(failures)} visitors got no answer; the first failed with {failures[0]}")
    result.load = os.getloadavg()[0]
    return result
