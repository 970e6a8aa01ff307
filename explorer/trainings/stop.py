"""End every training under the runs folder at a checkpoint: ``python -m explorer.trainings.stop``."""

from __future__ import annotations

import sys
import time

from core.errors import ExplorerError
from explorer.server.limits import Limits
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.run_folders import runs_folder
from explorer.trainings.status import LIVING, RunStatus

PATIENCE = 60.0
"""Seconds until a training counts as not to be stopped."""


def main() -> int:
    """Entry of the command; 1 when something goes on, 2 when the runs folder cannot be used."""
    try:
        if not runs_folder().is_dir():
            print("nothing trains")
            return 0
        engine = TrainingEngine(runs_folder(), Limits(most_at_once=0))  # It starts nothing that waits.
        waiting = [status for status in engine.statuses() if status.state == "waiting"]
        asked, problems = engine.stop_all()
        for status in waiting:
            print(f"{status.run_id} “{status.title}”: waited, and does not any more")
        for run_id, problem in problems.items():
            print(f"{run_id} “{engine.status(run_id).title}”: {problem}", file=sys.stderr)
        left = wait_for(engine, asked)
    except ExplorerError as error:
        print(error, file=sys.stderr)
        return 2
    if not asked and not waiting and not problems:
        print("nothing trains")
    return 1 if left or problems else 0


def wait_for(engine: TrainingEngine, asked: list[str]) -> list[str]:
    """Say of each training how it ended; return those that go on."""
    left, until = list(asked), time.monotonic() + PATIENCE
    while left and time.monotonic() < until:
        for status in map(engine.status, tuple(left)):
            if status.state not in LIVING:
                left.remove(status.run_id)
                print(ending_of(status))
        time.sleep(0.05)
    for status in map(engine.status, left):
        print(f"{status.run_id} “{status.title}”: still {status.state}; it has not heard", file=sys.stderr)
    return left


def ending_of(status: RunStatus) -> str:
    """One line about a training that has ended."""
    ending = f"{status.state} after {status.updates:,} of {status.of:,} updates"
    return f"{status.run_id} “{status.title}”: {ending}{f' ({status.reason})' if status.reason else ''}"


if __name__ == "__main__":
    sys.exit(main())
