"""Stop every training in the runs folder at a checkpoint: ``python -m explorer.trainings.stop``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from core.errors import ExplorerError
from explorer.server.limits import Limits
from explorer.trainings.engine import TrainingEngine
from explorer.trainings.run_folders import runs_folder
from explorer.trainings.status import LIVING, ending_of

PATIENCE = 60.0
"""Seconds to wait for a training to stop."""


def main(arguments: Sequence[str] = ()) -> int:
    """Run the command; return 1 when a training still runs, 2 when the runs folder cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.trainings.stop",
        description="Stop all trainings that the app has started, each at a checkpoint from which it can be resumed.",
        epilog="The runs folder is runs/, or EXPLORER_RUNS if set.",
    )
    parser.parse_args(arguments)
    try:
        if not runs_folder().is_dir():
            print("no training is running")
            return 0
        engine = TrainingEngine(
            runs_folder(), Limits(most_at_once=0)
        )  # With this limit it starts no waiting training.
        waiting = [status for status in engine.statuses() if status.state == "waiting"]
        asked, problems = engine.stop_all()
        for status in waiting:
            print(f"{status.run_id} “{status.title}”: removed from the queue")
        for run_id, problem in problems.items():
            print(f"{run_id} “{engine.status(run_id).title}”: {problem}", file=sys.stderr)
        left = wait_for(engine, asked)
    except ExplorerError as error:
        print(error, file=sys.stderr)
        return 2
    if not asked and not waiting and not problems:
        print("no training is running")
    return 1 if left or problems else 0


def wait_for(engine: TrainingEngine, asked: list[str]) -> list[str]:
    """Print how each training ended; return the ids of those that still run."""
    left, until = list(asked), time.monotonic() + PATIENCE
    while left and time.monotonic() < until:
        for status in map(engine.status, tuple(left)):
            if status.state not in LIVING:
                left.remove(status.run_id)
                print(ending_of(status))
        time.sleep(0.05)
    for status in map(engine.status, left):
        print(
            f"{status.run_id} “{status.title}”: still {status.state}; no response within {PATIENCE:.0f} s",
            file=sys.stderr,
        )
    return left


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
