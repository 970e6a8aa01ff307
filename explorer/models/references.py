"""What a model should have written: the task's own answer, or what somebody's own pairs say, and how it knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import streamlit as st

from core.data.cleaning import clean_source
from core.data.splits import accept_all_targets
from core.data.tasks import Pair
from core.data.tokenizers import Tokenizer
from core.errors import RunError
from core.run_description import read_description
from core.training.own_pairs import PAIRS, PAIRS_FILE, own_splits
from explorer.models.known import run_folder
from explorer.models.listing import Version, version_of
from explorer.models.task_facts import reference

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")


@dataclass(frozen=True)
class OwnPair:
    """One of the pairs that somebody has brought for a run.

    Attributes:
        pair: The source as it was brought, with every target that is accepted for it.
        split: What it is there for: to train the model, to choose its weights, or to test it.
    """

    pair: Pair
    split: Split


@dataclass(frozen=True)
class OwnPairs:
    """All of a run's own pairs.

    Attributes:
        tokenizer: Of the sources.
        pairs: By their sources, in the one spelling that is tokenized.
    """

    tokenizer: Tokenizer
    pairs: Mapping[str, OwnPair]

    def of(self, source: str) -> OwnPair | None:
        """The pair with a source that somebody typed, or None."""
        cleaned = clean_source(source, keep_spaces=self.tokenizer.exact_spaces).text
        return self.pairs.get(self.tokenizer.normalize(cleaned))


def reference_of(name: str, task: str, source: str) -> Pair | None:
    """The right answer to a source: the task's with its gold alignment, or that of a run's own pairs, without one.

    Args:
        name: Of the run, shipped or own.
        task: That it has learned.
        source: As it was typed.
    """
    if task != PAIRS:
        return reference(task, source)
    known = own_pairs_of(name)
    found = known.of(source) if known else None
    return found.pair if found else None


def own_pairs_of(name: str) -> OwnPairs | None:
    """The pairs that a run has learned from; None where they are not with it, as with an uploaded run."""
    try:
        folder = run_folder(name)
    except RunError:
        return None
    # They are written once, as the training begins, together with all that is asked of its description here.
    return _read(folder, version_of(folder, PAIRS_FILE))


@st.cache_resource(show_spinner=False, max_entries=4)
def _read(folder: Path, version: Version) -> OwnPairs | None:
    try:
        run = read_description(folder)
        splits = own_splits(folder, run)
    except RunError:
        return None
    tokenizer = run.src_tokenizer
    pairs = {
        tokenizer.normalize(pair.source): OwnPair(pair, split)
        for split in SPLITS
        for pair in accept_all_targets(getattr(splits, split))
    }
    return OwnPairs(tokenizer, pairs)
