"""Measurements that tell why a training came out as it did. They need no torch."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from core.data.vocabulary import Vocabulary

if TYPE_CHECKING:
    from core.data.batching import EncodedPairs


def unknown_counts(pairs: EncodedPairs) -> dict[str, int]:
    """Count the pairs with a token that the vocabulary lacks, on either side; a side without any is left out."""
    counts = {
        f"n_unknown_{side}": sum(Vocabulary.unk_id in row for row in rows)
        for side, rows in (("sources", pairs.sources), ("targets", pairs.targets))
    }
    return {name: count for name, count in counts.items() if count}


def frequency_loss(
    training: Sequence[Sequence[int]], held_out: Sequence[Sequence[int]], n_tokens: int
) -> float:
    """Return the loss per token of a model that knows nothing but how frequent each token is in training.

    Args:
        training: Ids of the training targets, without EOS.
        held_out: Ids of the targets whose loss is computed, EOS included.
        n_tokens: Size of the vocabulary; each token counts once more than it occurs, so that none is impossible.
    """
    known, asked = _counts(training), _counts(held_out)
    total = sum(known.values()) + n_tokens
    return math.fsum(count * math.log(total / (known[id] + 1)) for id, count in sorted(asked.items())) / sum(
        asked.values()
    )


def _counts(rows: Iterable[Sequence[int]]) -> Counter[int]:
    return Counter(chain.from_iterable((*row, Vocabulary.eos_id) for row in rows))
