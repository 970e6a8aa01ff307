"""Thirty visitors at once: how long the server takes to answer each, and whether any sees what is another's."""

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
"""A class for a minute, each of whom does something every two seconds."""


@dataclass
class Crowd:
    """What became of a crowd's actions.

    Attributes:
        seconds: From each action to the last message of its answer, by what was done.
        mistakes: Answers that were somebody else's.
        exceptions: Stack traces that were shown.
        load: Processes that wanted a core, the machine's mean over the last minute.
    """

    seconds: dict[str, list[float]] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    load: float = 0.0

    @property
    def all_seconds(self) -> list[float]:
        """Of all actions, ascending."""
        return sorted(second for each in self.seconds.values() for second in each)

    @property
    def median(self) -> float:
        """Milliseconds."""
        return 1000 * statistics.median(self.all_seconds)

    @property
    def p95(self) -> float:
        """Milliseconds that 19 of 20 answers took at most."""
        return 1000 * statistics.quantiles(self.all_seconds, n=20)[-1]


def crowd(
    url: str,
    *,
    visitors: int = VISITORS,
    seconds: float = SECONDS,
    pause: float = PAUSE,
    pages: tuple[str, ...] = PAGES,
    watch: Callable[[], None] = lambda: None,
) -> Crowd:
    """Let visitors act side by side.

    Args:
        url: Of the server.
        visitors: How many.
        seconds: For how long.
        pause: Seconds from one action of a visitor to its next, on average.
        pages: Titles of the pages that they go to.
        watch: Called about once a second meanwhile.

    Raises:
        RuntimeError: when a visitor is not answered.
    """
    result, lock, failures = Crowd(), threading.Lock(), []
    with ExitStack() as open_sessions:
        actors = [Actor(open_sessions.enter_context(Visitor(url)), seed, pages) for seed in range(visitors)]
        for actor in actors:
            actor.begin()
        end = time.monotonic() + seconds

        def live(actor: Actor, moments: Random) -> None:
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
            threading.Thread(target=live, args=(actor, Random(-seed - 1)))
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
        raise RuntimeError(f"{len(failures)} visitors were not answered: {failures[0]}")
    result.load = os.getloadavg()[0]
    return result
