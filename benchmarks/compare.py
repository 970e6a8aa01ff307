"""Time two functions side by side in one process.

The two alternate, the order is reversed every other round, each round gives a ratio, and the median is reported.
Absolute times depend on the machine and its other load; these ratios hardly do.
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
    """One row of the table.

    Attributes:
        size: Name of the model and batch.
        what: Name of the measurement.
        ratio: Speed as a multiple of the peer's; where `at_most` is set, cost as a multiple of the baseline's.
        at_least: Lowest acceptable speed.
        aim: Desired speed.
        at_most: Highest acceptable cost.
    """

    size: str
    what: str
    ratio: float
    at_least: float | None = None
    aim: float | None = None
    at_most: float | None = None


def measure_ratio(
    ours: Work, peer: Work, rounds: int, repeats: int, clock: Clock = time.process_time
) -> float:
    """Return our time divided by the peer's, the median over the rounds. One extra round warms up.

    Args:
        ours: Function to time.
        peer: Function to compare with; must not be the same object as `ours`.
        rounds: Number of ratios whose median is returned.
        repeats: Calls of each function per round.
        clock: Current time in seconds; by default the CPU time of the process.
    """
    ratios = []
    for index in range(rounds + 1):
        order = (ours, peer) if index % 2 else (peer, ours)
        spent = {work: time_calls(work, repeats, clock) for work in order}
        ratios.append(spent[ours] / spent[peer])
    return statistics.median(ratios[1:])


def measure_speedup(
    ours: Work, peer: Work, rounds: int, repeats: int, clock: Clock = time.process_time
) -> float:
    """Return our speed as a multiple of the peer's. Takes the arguments of `measure_ratio`."""
    return measure_ratio(peer, ours, rounds, repeats, clock)


def choose_clock(device: torch.device | str) -> Clock:
    """Return a clock of the process's CPU seconds, or of wall-clock seconds after synchronising for a GPU."""
    if torch.device(device).type == "cpu":
        return time.process_time

    def read_wall_clock() -> float:
        torch.cuda.synchronize(device)
        return time.perf_counter()

    return read_wall_clock


def time_calls(work: Work, repeats: int, clock: Clock) -> float:
    """Return the seconds that this many calls take in total."""
    start = clock()
    for _ in range(repeats):
        work()
    return clock() - start
