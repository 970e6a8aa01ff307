"""Batches: pairs as padded rows of ids, in an endless shuffled stream with little padding."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeVar

import torch
from torch import Tensor

from core.data.tasks.task import Pair
from core.data.tokenizers import Tokenizer
from core.data.vocabulary import Vocabulary
from core.errors import InputError
from core.notebook import Brief

Length = TypeVar("Length", int, tuple[int, ...])
"""The length of a row; or several of one row, which count one after the other."""


@dataclass(frozen=True, repr=False)
class EncodedPairs(Brief):
    """The ids of pairs, row by row, without specials."""

    sources: tuple[tuple[int, ...], ...]
    targets: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.sources)

    def select(self, rows: Sequence[int]) -> EncodedPairs:
        """Return the pairs of these rows, in this order."""
        return EncodedPairs(
            tuple(self.sources[row] for row in rows), tuple(self.targets[row] for row in rows)
        )


@dataclass(frozen=True, repr=False)
class Batch(Brief):
    """One training step's rows, padded on the right with `pad_id`.

    Attributes:
        src: Source ids [B, S], each row ending in `</s>`.
        tgt_in: Ids that the decoder reads [B, T], each row beginning with `<s>`.
        tgt_out: Ids that each position of `tgt_in` has to predict [B, T], each row ending in `</s>`.
        n_tokens: Number of labels that are not padding.
    """

    src: Tensor
    tgt_in: Tensor
    tgt_out: Tensor
    n_tokens: int

    def to(self, device: torch.device | str) -> Batch:
        """Return the same batch on a device."""
        src, tgt_in, tgt_out = (ids.to(device) for ids in (self.src, self.tgt_in, self.tgt_out))
        return replace(self, src=src, tgt_in=tgt_in, tgt_out=tgt_out)

    def part(self, index: int, count: int) -> Batch:
        """Return every count-th row from row `index` on, without columns that are padding alone.

        The parts 0 … count - 1 together are the batch; with fewer rows than parts the last ones are empty.
        """
        src, tgt_in, tgt_out = (ids[index::count] for ids in (self.src, self.tgt_in, self.tgt_out))
        width_src, width_tgt = _width(src), _width(tgt_out)
        return Batch(
            src[:, :width_src],
            tgt_in[:, :width_tgt],
            tgt_out[:, :width_tgt],
            n_tokens=int((tgt_out != Vocabulary.pad_id).sum()),
        )


def encode_pairs(pairs: Sequence[Pair], src_tokenizer: Tokenizer, tgt_tokenizer: Tokenizer) -> EncodedPairs:
    """Return the ids of all sources and targets."""
    return EncodedPairs(
        tuple(tuple(src_tokenizer.encode(pair.source)) for pair in pairs),
        tuple(tuple(tgt_tokenizer.encode(pair.target)) for pair in pairs),
    )


def collate(encoded: EncodedPairs) -> Batch:
    """Return one batch of all the given pairs.

    Raises:
        InputError: there is no pair.
    """
    if not len(encoded):
        raise InputError("give at least one pair to make a batch of")
    bos, eos = Vocabulary.bos_id, Vocabulary.eos_id
    return Batch(
        src=padded([(*row, eos) for row in encoded.sources]),
        tgt_in=padded([(bos, *row) for row in encoded.targets]),
        tgt_out=padded([(*row, eos) for row in encoded.targets]),
        n_tokens=sum(len(row) + 1 for row in encoded.targets),
    )


def by_length(lengths: Sequence[Length], size: int) -> list[Sequence[int]]:
    """Return rows in groups of a size, those of like length together: less padding, and short groups end early.

    Args:
        lengths: Of each row, or several of them, which count one after the other.
        size: Rows of a group; the last has what is left.
    """
    return _cut(sorted(range(len(lengths)), key=lambda row: lengths[row]), size)


def spread_lengths(groups: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """Return groups of `by_length` in an order in which the first few already have short and long rows.

    What is counted over the first groups then resembles what is counted over all. The shortest comes first.
    """
    golden_ratio = (5**0.5 - 1) / 2
    return [groups[place] for place in sorted(range(len(groups)), key=lambda place: place * golden_ratio % 1)]


def batches(
    encoded: EncodedPairs, batch_size: int, *, seed: int, start: int = 0, bucket_batches: int = 1
) -> Iterator[Batch]:
    """Yield batches without end; each epoch takes every pair once, in a new order.

    The stream depends on the seed alone, and `start` skips that many batches at once, so that a
    resumed training continues with the batch it would have seen.

    Of every `bucket_batches` batches the rows are sorted by length: the more, the less padding, but the less
    chance too, and batches of a single length teach badly.

    Raises:
        InputError: there is no pair, `batch_size` or `bucket_batches` is below 1 or `start` is negative.
    """
    if not len(encoded):
        raise InputError("give at least one pair to make batches of")
    for name, value, least in (
        ("batch_size", batch_size, 1),
        ("bucket_batches", bucket_batches, 1),
        ("start", start, 0),
    ):
        if value < least:
            raise InputError(f"set {name} to {least} or more, not {value}")
    return _endless(encoded, batch_size, seed, start, bucket_batches)


def _endless(
    encoded: EncodedPairs, batch_size: int, seed: int, start: int, bucket_batches: int
) -> Iterator[Batch]:
    batches_per_epoch = -(-len(encoded) // batch_size)
    first_epoch, skipped = divmod(start, batches_per_epoch)
    for epoch in count(first_epoch):
        rng = random.Random(f"{seed}/{epoch}")
        for rows in _epoch(encoded, batch_size, rng, bucket_batches)[skipped:]:
            yield collate(encoded.select(rows))
        skipped = 0


def _epoch(
    encoded: EncodedPairs, batch_size: int, rng: random.Random, bucket_batches: int
) -> list[Sequence[int]]:
    """Return the rows of each batch of one epoch."""
    rows = list(range(len(encoded)))
    rng.shuffle(rows)
    if bucket_batches == 1:
        return _cut(rows, batch_size)
    by_length = [
        row
        for pool in _cut(rows, bucket_batches * batch_size)
        for row in sorted(pool, key=lambda row: (len(encoded.sources[row]), len(encoded.targets[row])))
    ]
    epoch = _cut(by_length, batch_size)
    rng.shuffle(epoch)
    return epoch


def _cut(rows: Sequence[int], size: int) -> list[Sequence[int]]:
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def _width(ids: Tensor) -> int:
    """Columns up to the last that is not padding alone."""
    return int((ids != Vocabulary.pad_id).any(dim=0).sum())


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Return the rows as one LongTensor, as wide as the longest."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[Vocabulary.pad_id] * (width - len(row))] for row in rows])
