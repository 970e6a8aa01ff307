"""Ten visitors for half an hour: check that the server's memory stays bounded and every answer is correct.

    python -m benchmarks.ui.soak --minutes 30

Runs the app with small caches (small_caches.py) that fill during the warm-up, so that later growth is a leak.
"""

import argparse
import statistics
import sys
from dataclasses import dataclass

from benchmarks.ui.acting import EVERY_PAGE
from benchmarks.ui.crowd import CrowdResult, run_crowd
from benchmarks.ui.memory import read_resident_bytes
from benchmarks.ui.server import PORT, URL, run_server

VISITORS, PAUSE = 10, 2.0
WARM_UP = 0.2
"""Share of the time in which caches fill, pages are imported and threads allocate their heaps."""
MOST_GROWTH = 0.1
"""Largest accepted growth of memory after the warm-up, as a share."""
COMMAND = [sys.executable, "-m", "benchmarks.ui.small_caches", "--server.port", str(PORT)]


@dataclass(frozen=True)
class SoakResult:
    """Outcome of a soak test.

    Attributes:
        crowd: Response times and errors of all actions.
        warm_bytes: Memory of the server after the warm-up, the median over a tenth of the time.
        end_bytes: Memory of the server at the end, the median over the last tenth.
    """

    crowd: CrowdResult
    warm_bytes: float
    end_bytes: float

    @property
    def growth(self) -> float:
        """Growth of memory after the warm-up, as a share."""
        return self.end_bytes / self.warm_bytes - 1

    @property
    def problems(self) -> list[str]:
        """Wrong answers and stack traces; empty if the server is correct."""
        return [*self.crowd.mistakes, *self.crowd.exceptions]


def run_soak(
    url: str, port: int, *, seconds: float, visitors: int = VISITORS, pause: float = PAUSE
) -> SoakResult:
    """Let visitors use every page for the given time while recording the server's memory.

    Args:
        url: Address of the server.
        port: Port by which the server's process is found.
        seconds: Duration in seconds.
        visitors: Number of visitors.
        pause: Mean time in seconds between two actions of a visitor.

    Raises:
        RuntimeError: when a visitor gets no answer.
    """
    sizes: list[int] = []

    def record_memory() -> None:
        sizes.append(read_resident_bytes(port))

    result = run_crowd(
        url, visitors=visitors, seconds=seconds, pause=pause, pages=EVERY_PAGE, watch=record_memory
    )

    def median_between(first: float, last: float) -> float:
        start = int(first * len(sizes))
        return statistics.median(sizes[start : max(start + 1, int(last * len(sizes)))])

    return SoakResult(result, median_between(WARM_UP, WARM_UP + 0.1), median_between(0.9, 1.0))


def main() -> int:
    """Print the outcome; return 1 when memory grew too much or an answer was wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ui.soak",
        description="Let visitors use every page for a long time; fail if memory grows or an answer is wrong.",
    )
    parser.add_argument(
        "--minutes", type=float, default=30.0, metavar="N", help="duration in minutes (default: 30)"
    )
    parser.add_argument(
        "--visitors",
        type=int,
        default=VISITORS,
        metavar="N",
        help=f"number of concurrent visitors (default: {VISITORS})",
    )
    options = parser.parse_args()
    with run_server(COMMAND):
        found = run_soak(URL, PORT, seconds=60 * options.minutes, visitors=options.visitors)
    actions = len(found.crowd.all_seconds)
    print(
        f"{options.visitors} visitors, {options.minutes:g} minutes, {actions:,} actions: memory "
        f"{found.warm_bytes / 2**20:.0f} MiB after the warm-up, {found.end_bytes / 2**20:.0f} MiB at the end "
        f"({found.growth:+.1%}, limit {MOST_GROWTH:+.0%}); response time median {found.crowd.median:.0f} ms, "
        f"95th percentile {found.crowd.p95:.0f} ms; {len(found.problems)} wrong answers or stack traces; "
        f"load average {found.crowd.load:.1f}."
    )
    for problem in found.problems[:10]:
        print(problem)
    return int(bool(found.problems) or found.growth > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
