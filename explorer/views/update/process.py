"""Makes an update again in a process of its own: torch's random generator belongs to all threads of a server."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.data.batching import Batch
from core.errors import InputError, RunError
from core.training.replay import Order, order_line
from core.training.replay_file import read_replayed, write_batches
from core.training.replayed import Replayed
from explorer.server.child_process import child_environment, give_way

Progress = Callable[[float, str], object]
"""Hears how much is done, from 0 to 1, and what is being done."""


@dataclass(frozen=True)
class FirstBatches:
    """The batches of a run's first updates."""

    batches: tuple[Batch, ...]

    @property
    def n_bytes(self) -> int:
        """Bytes of all ids of the batches."""
        return sum(ids.nbytes for each in self.batches for ids in (each.src, each.tgt_in, each.tgt_out))


_PROJECT = Path(__file__).parents[3]
_PAIRS_SHARE = 0.5
"""Share of the progress bar for making the pairs, which takes about as long as everything after it."""


def make_update_again(
    folder: Path,
    checkpoint: int | None,
    update: int,
    batches: Sequence[Batch] = (),
    on_progress: Progress = lambda share, doing: None,
    *,
    most_parameters: int | None = None,
) -> Replayed:
    """An update of a run, made again and kept whole (core/training/replay.py).

    Args:
        folder: Of the run.
        checkpoint: Updates after which the checkpoint was made that is gone on from; None: from the seed.
        update: The update, counted from 0.
        batches: Those of the run's first updates where they are known: the pairs need not be made then.
        on_progress: Told what is done. An exception in it, as when the visitor leaves, ends the process.
        most_parameters: Parameters of the largest model whose updates are taken apart; None stands for 2,000,000.

    Raises:
        InputError: with the sentence that the process ended with.
        RunError: when the process cannot be started, or dies.
    """
    with tempfile.TemporaryDirectory(prefix="update-") as place:
        known = Path(place) / "batches"
        if batches:
            write_batches(batches, known)
        out = Path(place) / "update"
        batches_file = str(known) if batches else ""
        order = Order(str(folder), checkpoint, update, str(out), batches_file, most_parameters)
        problem = _follow(order_line(order), on_progress)
        if problem:
            raise InputError(problem)
        return read_replayed(out)


def _follow(line: str, on_progress: Progress) -> str:
    """Start the process and pass on what it tells; the sentence of its problem, or nothing.

    Raises:
        RunError: when it cannot be started, or dies without a word.
    """
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "core.training.replay"],
            cwd=_PROJECT,
            env=child_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    except OSError as error:
        raise RunError(
            f"No process can be started to make the update again: {error.strerror}. Try again later."
        ) from error
    give_way(process.pid)
    problem = ""
    with process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            on_progress(0.0, "Starting")
            with suppress(BrokenPipeError):  # It died; its exit code says so below.
                process.stdin.write(line)
                process.stdin.close()
            for told in process.stdout:
                facts = json.loads(told)
                if facts["done"] == "problem":
                    problem = facts["sentence"]
                else:
                    on_progress(*_progress(facts["done"], facts["made"], facts["of"]))
            process.wait()
        finally:
            process.kill()
    if not problem and process.returncode:
        raise RunError("The process that made the update again has ended early. Try again.")
    return problem


def _progress(done: str, made: int, of: int) -> tuple[float, str]:
    if done == "pairs":
        return 0.05, "Making the training pairs"
    return _PAIRS_SHARE + (1 - _PAIRS_SHARE) * made / of, f"Update {made}"
