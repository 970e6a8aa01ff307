"""Sources that a run's model has learned from, or others of the same kind."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import streamlit as st

from core.analysis.substitution import Contexts
from core.data.splits import split_pairs
from core.data.tasks import TASKS
from core.run_description import RUN_FILE, RunDescription
from core.training.own_pairs import PAIRS, PAIRS_FILE
from explorer.models.known import known_run, run_folder
from explorer.models.listing import Version, version_of
from explorer.models.references import own_pairs_of

N_SOURCES = 6_000
"""Sources that are looked through, at most: less than a second of work, once."""


@dataclass(frozen=True)
class LearnedSources:
    """What the sources of a training say of the tokens in them.

    Attributes:
        contexts: Which tokens stand between which.
        own: Whether they are the pairs that somebody has brought for the run; otherwise they are the task's.
    """

    contexts: Contexts
    own: bool


def task_sources(run: RunDescription, most: int) -> tuple[str, ...]:
    """Sources of the task that a run has learned, drawn as for its training; none of a task that is not known here."""
    if run.task not in TASKS:
        return ()
    training = run.train_config
    count = min(most, training.n_train)
    splits = split_pairs(TASKS[run.task], training.seed, count, 0, 0, unseen_pairs=training.unseen_pairs)
    return tuple(pair.source for pair in splits.train)


def learned_sources(name: str) -> LearnedSources:
    """The sources of a run, by its name: of its own pairs those of the training, as far as they are with it."""
    folder = run_folder(name)
    return _learned_sources(name, folder, version_of(folder, RUN_FILE, PAIRS_FILE), known_run(name))


@st.cache_resource(show_spinner=False, max_entries=8)
def _learned_sources(name: str, folder: Path, version: Version, _run: RunDescription) -> LearnedSources:
    tokenizer = _run.src_tokenizer
    own = own_pairs_of(name) if _run.task == PAIRS else None
    if own is None:
        texts = task_sources(_run, N_SOURCES)
    else:
        trained = (source for source, each in own.pairs.items() if each.split == "train")
        texts = tuple(islice(trained, N_SOURCES))
    return LearnedSources(Contexts(tokenizer.encode(text) for text in texts), own is not None)
