"""What a run makes of its held-out pairs: computed once for all visitors, in the background, and kept with the run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.data.tasks import Pair
from core.errors import InputError, RunError
from core.evaluation import store
from core.evaluation.held_out import MOST_PAIRS, HeldOut
from core.evaluation.pair_result import PairResult
from core.evaluation.pairs import collect, evaluate_pairs
from core.evaluation.store import write_held_out
from core.run import Run
from core.run_description import RunDescription, read_description
from core.training.plan import dataset_of
from explorer.models.background import Job, Jobs
from explorer.models.known import loaded_run, run_folder, shipped_runs
from explorer.models.shipped_figures import read_held_out

KEPT_BYTES = 128 * 2**20
SPLITS = {"test": "Test", "validation": "Validation", "unseen": "Unseen combinations"}


@dataclass(frozen=True)
class Evaluated:
    """The results of a split, and about how many bytes they take."""

    held_out: HeldOut

    @property
    def n_bytes(self) -> int:
        """About 60 bytes per token, with its text, its loss and what was written in its place."""
        return sum(2000 + 240 * len(each.reference_tokens) for each in self.held_out.results)


class Evaluations:
    """The evaluations of a server: each runs once, whoever asks for it."""

    def __init__(self) -> None:
        self._jobs: Jobs[Evaluated] = Jobs("evaluation", KEPT_BYTES)

    def of(
        self, run: Run, split: str, pairs: Callable[[], tuple[Pair, ...]], folder: Path | None
    ) -> HeldOut | Job:
        """The results of a run's split, or how far its evaluation is, which begins where there is none.

        Args:
            run: What is evaluated.
            split: Of its pairs.
            pairs: Makes them.
            folder: Where results are kept, and looked for first; None for nowhere.
        """

        def work(job: Job) -> Evaluated | None:
            found = _kept(run, split, folder) or _evaluated(run, split, job, pairs(), folder)
            return None if found is None else Evaluated(found)

        found = self._jobs.of((run.fingerprint, split), work)
        return found.held_out if isinstance(found, Evaluated) else found

    def held(self, run: Run, split: str) -> HeldOut | Job | None:
        """Return the results in memory, or else the last job for them; asking begins nothing."""
        found = self._jobs.held((run.fingerprint, split))
        return found.held_out if isinstance(found, Evaluated) else found


def _kept(run: Run, split: str, folder: Path | None) -> HeldOut | None:
    with suppress(RunError):  # What is damaged is made anew.
        return store.read_held_out(folder, run.fingerprint, split) if folder else None
    return None


def _evaluated(
    run: Run, split: str, job: Job, pairs: tuple[Pair, ...], folder: Path | None
) -> HeldOut | None:
    job.n_all = min(len(pairs), MOST_PAIRS)
    results: list[PairResult] = []

    def collected() -> HeldOut:
        return collect(run, results, split=split, n_available=len(pairs))

    for batch in job.pull(evaluate_pairs(run, pairs[:MOST_PAIRS], split=split)):
        results += batch
        job.n_done = len(results)
        job.show(job.n_done, collected)
    if job.n_done < job.n_all:
        return None
    found = collected()
    if folder is not None:
        with suppress(RunError):  # A full disk is no reason to show nothing.
            write_held_out(folder, found)
    return found


_EVALUATIONS = Evaluations()


def evaluation_of(name: str, updates: int | None, split: str) -> HeldOut | Job:
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
    if (found := _shipped(run, name, updates, split)) is not None:
        return found
    # What is shipped belongs to the repository; and the results of a moment are not those of the run.
    folder = None if updates is not None or name in shipped_runs() else run_folder(name)
    return _EVALUATIONS.of(run, split, lambda: pairs_of(name, split), folder)


def held_evaluation(name: str, updates: int | None, split: str) -> HeldOut | Job | None:
    """Return the results of `evaluation_of` if they exist, or else the last job for them; asking begins nothing.

    Raises:
        RunError: when there is no such run, or its files are damaged.
    """
    run = loaded_run(name, updates)
    found = _shipped(run, name, updates, split)
    return _EVALUATIONS.held(run, split) if found is None else found


def _shipped(run: Run, name: str, updates: int | None, split: str) -> HeldOut | None:
    if name not in shipped_runs() or updates is not None:
        return None
    return _shipped_results(run.fingerprint, split, run_folder(name), run)


@st.cache_resource(show_spinner=False, max_entries=16)
def _shipped_results(fingerprint: str, split: str, folder: Path, _run: Run) -> HeldOut | None:
    return read_held_out(folder, _run, split)


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


def pairs_of(name: str, split: str) -> tuple[Pair, ...]:
    """The held-out pairs of a run's split.

    Raises:
        RunError: when its task is unknown, or its own pairs cannot be read.
        InputError: when it has none.
    """
    folder = run_folder(name)
    pairs: tuple[Pair, ...] = getattr(dataset_of(folder, read_description(folder)).splits, split)
    if not pairs:
        raise InputError(f"this run has no {split} pairs; choose others")
    return pairs
