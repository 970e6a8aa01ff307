"""What a training learns from: pairs in three splits, with the tokenizers of both sides."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from core.config import TrainConfig
from core.data.batching import EncodedPairs, encode_pairs
from core.data.splits import Splits, by_source, split_pairs
from core.data.targets import TargetTexts
from core.data.tasks.task import Pair, Task
from core.data.tokenizers import Tokenizer
from core.errors import InputError
from core.notebook import Brief

LEAST_PAIRS = 10
LEAST_SOURCES = 3
"""One to train with, one to validate with and one to test with."""
HELD_OUT_SHARE = 0.1
"""Largest share of somebody's own pairs that validates; as many test."""


@dataclass(frozen=True, repr=False)
class Dataset(Brief):
    """Pairs and how they become ids.

    Attributes:
        splits: No source is in two of them.
        src_tokenizer: Of the sources.
        tgt_tokenizer: Of the targets; the same object where the vocabulary is one.
        is_text: Whether chrF and BLEU of the targets mean something.
    """

    splits: Splits
    src_tokenizer: Tokenizer
    tgt_tokenizer: Tokenizer
    is_text: bool

    def encode(self, pairs: Sequence[Pair]) -> EncodedPairs:
        """The ids of some of the pairs."""
        return encode_pairs(pairs, self.src_tokenizer, self.tgt_tokenizer)

    def target_texts(self, pairs: Sequence[Pair]) -> TargetTexts:
        """Collect the targets of some of the pairs as texts."""
        return TargetTexts.of(pairs, self.tgt_tokenizer, is_text=self.is_text)


def task_dataset(task: Task, training: TrainConfig) -> Dataset:
    """The pairs that a task gives for a seed.

    Raises:
        ConfigError: when the task has too few distinct sources.
    """
    src, tgt = task.tokenizers()
    counts = (training.n_train, training.n_validation, training.n_test)
    splits = split_pairs(task, training.seed, *counts, unseen_pairs=training.unseen_pairs)
    return Dataset(splits, src, tgt, task.is_text)


def split_own_pairs(
    pairs: Sequence[Pair],
    training: TrainConfig,
    validation: Sequence[Pair] = (),
    test: Sequence[Pair] = (),
) -> Splits:
    """Deal a user's own pairs out, shuffled by the seed: a tenth at most validates, a tenth at most tests.

    All pairs of a source go to the same split, where several of them are one after the other.

    Args:
        pairs: Sources may have several targets, each in a pair of its own.
        training: Its seed, the most sources that are held out, and the most training pairs.
        validation: Pairs that were brought to validate with; where there are some, none of the others does.
        test: Pairs that were brought to test with, likewise.

    Raises:
        InputError: when there are too few sources.
    """
    groups = list(by_source(pairs))
    if len(pairs) < LEAST_PAIRS:
        raise InputError(f"training needs at least {LEAST_PAIRS} pairs, not {len(pairs)}; add some")
    if len(groups) < LEAST_SOURCES:
        raise InputError(
            f"training needs at least {LEAST_SOURCES} different sources, not {len(groups)}; add pairs with others"
        )
    random.Random(training.seed).shuffle(groups)
    most = max(1, int(len(groups) * HELD_OUT_SHARE))
    n_validation = 0 if validation else min(training.n_validation, most)
    n_test = 0 if test else min(training.n_test, most)
    held_out = n_validation + n_test
    return Splits(
        train=tuple(chain.from_iterable(groups[held_out:]))[: training.n_train],
        validation=_with_sources_together(validation) or tuple(chain.from_iterable(groups[:n_validation])),
        test=_with_sources_together(test) or tuple(chain.from_iterable(groups[n_validation:held_out])),
    )


def _with_sources_together(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    return tuple(chain.from_iterable(by_source(pairs)))


def digest_of(encoded: EncodedPairs) -> str:
    """A short name for exactly these ids in this order."""
    digest = hashlib.sha256()
    for row in (*encoded.sources, *encoded.targets):
        digest.update(len(row).to_bytes(4, "little"))
        digest.update(b"".join(id.to_bytes(4, "little") for id in row))
    return digest.hexdigest()[:16]
