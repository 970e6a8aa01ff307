"""Ten visitors for half an hour: whether the server's memory stays where it is, and everybody is answered.

    python -m benchmarks.ui.soak --minutes 30

Runs the app with small caches (small_caches.py): full caches are memory as meant, and all growth beyond them is not.
"""

import argparse
import statistics
import sys
from dataclasses import dataclass

from benchmarks.ui.acting import EVERY_PAGE
from benchmarks.ui.crowd import Crowd, crowd
from benchmarks.ui.memory import resident_bytes
from benchmarks.ui.server import PORT, URL, serving

VISITORS, PAUSE = 10, 2.0
WARM_UP = 0.2
"""Share of the time in which caches fill, pages are imported and threads get their heaps."""
MOST_GROWTH = 0.1
COMMAND = [sys.executable, "-m", "benchmarks.ui.small_caches", "--server.port", str(PORT)]


@dataclass(frozen=True)
class Soak:
    """What became of a long use.

    Attributes:
        crowd: The actions.
        warm_bytes: The server's memory after the warm-up, a median over a tenth of the time; end_bytes at the end.
        end_bytes: See there.
    """

    crowd: Crowd
    warm_bytes: float
    end_bytes: float

    @property
    def growth(self) -> float:
        """Memory gained after the warm-up, as a share."""
        return self.end_bytes / self.warm_bytes - 1

    @property
    def problems(self) -> list[str]:
        """What must not be: somebody else's answers, and stack traces."""
        return [*self.crowd.mistakes, *self.crowd.exceptions]


def soak(url: str, port: int, *, seconds: float, visitors: int = VISITORS, pause: float = PAUSE) -> Soak:
    """Let visitors use every page for so long.

    Raises:
        RuntimeError: when a visitor is not answered.
    """
    sizes: list[int] = []

    def watch() -> None:
        sizes.append(resident_bytes(port))

    result = crowd(url, visitors=visitors, seconds=seconds, pause=pause, pages=EVERY_PAGE, watch=watch)

    def around(first: float, last: float) -> float:
        start = int(first * len(sizes))
        return statistics.median(sizes[start : max(start + 1, int(last * len(sizes)))])

    return Soak(result, around(WARM_UP, WARM_UP + 0.1), around(0.9, 1.0))


def main() -> int:
    """Print what became of it; 1 when memory grew or an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ui.soak", description="A long use.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--visitors", type=int, default=VISITORS)
    options = parser.parse_args()
    with serving(COMMAND):
        found = soak(URL, PORT, seconds=60 * options.minutes, visitors=options.visitors)
    actions = len(found.crowd.all_seconds)
    print(
        f"{options.visitors} visitors, {options.minutes:g} minutes, {actions:,} actions: memory "
        f"{found.warm_bytes / 2**20:.0f} MiB after the warm-up, {found.end_bytes / 2**20:.0f} MiB at the end "
        f"({found.growth:+.1%}, at most {MOST_GROWTH:.0%}); answers {found.crowd.median:.0f} ms median, "
        f"{found.crowd.p95:.0f} ms p95; {len(found.problems)} wrong answers or stack traces; "
        f"load of the machine {found.crowd.load:.1f}."
    )
    for problem in found.problems[:10]:
        print(problem)
    return int(bool(found.problems) or found.growth > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
