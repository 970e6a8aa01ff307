"""Two pieces of work side by side in one process, and the rows of the table that comes of it.

Peers take turns, the order is reversed every other round, each round gives a ratio, and the median counts.
Absolute times depend on the machine and its other work; such ratios hardly do.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

Work = Callable[[], object]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        size: Name of the model and batch.
        what: What was measured beside what.
        ratio: How many times as fast as the peer, or, where `at_most` is set, how many times the cost.
        at_least: The least acceptable speed.
        aim: The speed we are after.
        at_most: The most acceptable cost.
    """

    size: str
    what: str
    ratio: float
    at_least: float | None = None
    aim: float | None = None
    at_most: float | None = None


def ratio(ours: Work, peer: Work, rounds: int, repeats: int, clock: Clock = time.process_time) -> float:
    """Our time over the peer's: the median over the rounds; one more warms up.

    Args:
        ours: Timed beside the peer.
        peer: Another function than ours.
        rounds: Ratios of which the median is taken.
        repeats: Calls of each a round.
        clock: Seconds; by default those that the process had the CPU.
    """
    ratios = []
    for index in range(rounds + 1):
        order = (ours, peer) if index % 2 else (peer, ours)
        spent = {work: seconds(work, repeats, clock) for work in order}
        ratios.append(spent[ours] / spent[peer])
    return statistics.median(ratios[1:])


def speed(ours: Work, peer: Work, rounds: int, repeats: int, clock: Clock = time.process_time) -> float:
    """How many times as fast as the peer ours is; arguments as for `ratio`."""
    return ratio(peer, ours, rounds, repeats, clock)


def clock_of(device: torch.device | str) -> Clock:
    """CPU seconds of the process for the CPU; for a GPU wall seconds, once it has finished what it was given."""
    if torch.device(device).type == "cpu":
        return time.process_time

    def wall_seconds() -> float:
        torch.cuda.synchronize(device)
        return time.perf_counter()

    return wall_seconds


def seconds(work: Work, repeats: int, clock: Clock) -> float:
    """What so many calls of it take together."""
    start = clock()
    for _ in range(repeats):
        work()
    return clock() - start
