"""What a run makes of its held-out pairs: computed once for all visitors, in the background, and kept with the run."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import ExplorerError, InputError, RunError
from core.run_description import RunDescription, read_description
from explorer.models.byte_bounded_cache import ByteBoundedCache
from explorer.models.known import loaded_run, run_folder, shipped_runs
from explorer.models.server import turns

if TYPE_CHECKING:
    from core.data.tasks import Pair
    from core.evaluation.held_out import HeldOut
    from core.evaluation.pair_result import PairResult
    from core.run import Run

KEPT_BYTES = 128 * 2**20
FORGOTTEN_AFTER = 15.0
"""Seconds after which an evaluation that nobody asks about any more ends."""
SPLITS = {"test": "Test", "validation": "Validation", "unseen": "Unseen combinations"}


@dataclass(frozen=True)
class Evaluated:
    """The results of a split, and about how many bytes they take."""

    held_out: HeldOut

    @property
    def n_bytes(self) -> int:
        """About 60 bytes per token, with its text, its loss and what was written in its place."""
        return sum(2000 + 240 * len(each.reference_tokens) for each in self.held_out.results)


@dataclass
class Evaluating:
    """An evaluation as far as it is.

    Attributes:
        n_done: Pairs that are translated.
        n_pairs: Of all of them; 0 until they are there.
        reason: Why it has ended without results; empty before, or with them.
        stops: Whether it is to end.
        asked: When somebody last wanted to know.
        has_ended: Whether nothing more will come.
    """

    n_done: int = 0
    n_pairs: int = 0
    reason: str = ""
    stops: bool = False
    asked: float = field(default_factory=time.monotonic)
    has_ended: bool = False

    def is_wanted(self) -> bool:
        """Whether it should go on."""
        return not self.stops and time.monotonic() - self.asked < FORGOTTEN_AFTER


class Evaluations:
    """The evaluations of a server: each runs once, whoever asks for it."""

    def __init__(self) -> None:
        self._results: ByteBoundedCache[Evaluated] = ByteBoundedCache(KEPT_BYTES)
        self._running: dict[tuple[str, str], Evaluating] = {}
        self._lock = Lock()

    def of(
        self, run: Run, split: str, pairs: Callable[[], tuple[Pair, ...]], folder: Path | None
    ) -> HeldOut | Evaluating:
        """The results of a run's split, or how far its evaluation is, which begins where there is none.

        Args:
            run: What is evaluated.
            split: Of its pairs.
            pairs: Makes them.
            folder: Where results are kept, and looked for first; None for nowhere.
        """
        key = (run.fingerprint, split)
        with self._lock:
            # Inside the lock: results are there before their evaluation leaves the running ones.
            if (found := self._results.held(key)) is not None:
                return found.held_out
            job = self._running.get(key)
            if job is None or (job.has_ended and not job.reason):
                job = self._running[key] = Evaluating()
                Thread(target=self._run, args=(key, job, run, pairs, folder), daemon=True).start()
            job.asked = time.monotonic()
            return job

    def again(self, run: Run, split: str) -> None:
        """Forget how an evaluation ended without results, so that it begins anew when it is asked for."""
        with self._lock:
            job = self._running.get((run.fingerprint, split))
            if job is not None and job.has_ended:
                del self._running[run.fingerprint, split]

    def _run(
        self,
        key: tuple[str, str],
        job: Evaluating,
        run: Run,
        pairs: Callable[[], tuple[Pair, ...]],
        folder: Path | None,
    ) -> None:
        try:
            found = self._kept(key, folder) or self._evaluated(key[1], job, run, pairs(), folder)
            if found is not None:
                self._results.get(key, lambda: Evaluated(found))
        except ExplorerError as error:
            job.reason = error.sentence
        except Exception as error:  # A thread has nobody above it; whoever waits must hear of it.
            job.reason = f"The evaluation failed: {type(error).__name__}."
            raise
        finally:
            job.has_ended = True
            with self._lock:
                if not job.reason and self._running.get(key) is job:
                    del self._running[key]

    def _kept(self, key: tuple[str, str], folder: Path | None) -> HeldOut | None:
        from core.evaluation.store import read_held_out

        with suppress(RunError):  # What is damaged is made anew.
            return read_held_out(folder, *key) if folder else None
        return None

    def _evaluated(
        self, split: str, job: Evaluating, run: Run, pairs: tuple[Pair, ...], folder: Path | None
    ) -> HeldOut | None:
        from core.evaluation.held_out import MOST_PAIRS
        from core.evaluation.pairs import collect, evaluate_pairs
        from core.evaluation.store import write_held_out

        job.n_pairs = min(len(pairs), MOST_PAIRS)
        batches = evaluate_pairs(run, pairs[:MOST_PAIRS], split=split)
        results: list[PairResult] = []
        while True:
            if not job.is_wanted():
                job.reason = "The evaluation was stopped." if job.stops else ""
                return None
            with turns().turn():  # Pages that others wait for come in between.
                batch = next(batches, None)
            if batch is None:
                break
            results += batch
            job.n_done = len(results)
        found = collect(run, results, split=split, n_available=len(pairs))
        if folder is not None:
            with suppress(RunError):  # A full disk is no reason to show nothing.
                write_held_out(folder, found)
        return found


@st.cache_resource(show_spinner=False)
def _evaluations() -> Evaluations:
    return Evaluations()


def evaluation_of(name: str, updates: int | None, split: str) -> HeldOut | Evaluating:
    """The results of a run's held-out pairs, or how far their evaluation is; asking begins it.

    Args:
        name: Key of the run.
        updates: Moment of its training whose weights it has; None for the best.
        split: One of `splits_of`.

    Raises:
        RunError: when there is no such run, or its files are damaged.
        InputError: when it has no such pairs.
    """
    run = loaded_run(name, updates)
    # What is shipped belongs to the repository; and the results of a moment are not those of the run.
    folder = None if updates is not None or name in shipped_runs() else run_folder(name)
    return _evaluations().of(run, split, lambda: _pairs(name, split), folder)


def stop_evaluation(name: str, updates: int | None, split: str) -> None:
    """Let an evaluation end before its end."""
    found = evaluation_of(name, updates, split)
    if isinstance(found, Evaluating):
        found.stops = True


def begin_again(name: str, updates: int | None, split: str) -> None:
    """Let an evaluation that was stopped, or that failed, be made anew."""
    _evaluations().again(loaded_run(name, updates), split)


def splits_of(run: RunDescription) -> tuple[tuple[str, str], ...]:
    """The held-out splits of a run, by key and title."""
    training = run.train_config
    counts = {
        "test": training.n_test,
        "validation": training.n_validation,
        "unseen": training.n_test * training.unseen_pairs,
    }
    return tuple((key, title) for key, title in SPLITS.items() if counts[key])


def usual_split(run: RunDescription) -> str:
    """The split that is looked at where nobody has chosen one: the first in which the run is known to err."""
    splits = [key for key, _ in splits_of(run)]
    figures = run.evaluation
    knows_all = figures.get("exact_match") == 1 and figures.get("unseen_exact_match", 1) < 1
    return "unseen" if knows_all and "unseen" in splits else splits[0]


def _pairs(name: str, split: str) -> tuple[Pair, ...]:
    from core.training.plan import dataset_of

    folder = run_folder(name)
    pairs: tuple[Pair, ...] = getattr(dataset_of(folder, read_description(folder)).splits, split)
    if not pairs:
        raise InputError(f"this run has no {split} pairs; choose others")
    return pairs
