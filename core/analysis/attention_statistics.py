"""Numbers that sum up attention weights: entropy, distance, and agreement with a known alignment.

All take weights [..., query, key] as recorded at the ``….weights`` sites: any axes may stand before.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import InputError


@dataclass(frozen=True)
class AlignmentScore:
    """How well the keys that queries look at agree with the ones that are known to matter.

    Attributes:
        score: Share of the counted rows whose largest weight is on a gold key; None when none counts.
        gold_weight: Mean over the counted rows of the weight on all gold keys; None when none counts.
        n_rows: Rows that count: those with at least one gold key.
    """

    score: float | None
    gold_weight: float | None
    n_rows: int


def attention_entropy(weights: Tensor) -> Tensor:
    """-Σ w·log₂ w over the keys, in bits: 0 for a query on one key, log₂ n for n keys alike.

    A row of zeros, which attends to nothing, has entropy 0 (0·log 0 = 0).

    Args:
        weights: [..., query, key].

    Returns:
        [..., query].

    Raises:
        InputError: when there is no query and key axis.
    """
    _check_axes(weights)
    # A weight that rounding left just above 1 would make it negative.
    return (torch.special.entr(weights).sum(dim=-1) / math.log(2)).clamp(min=0.0)


def attention_distance(weights: Tensor) -> Tensor:
    """Σ w·|query - key| over the keys: how many positions away a query of self-attention looks.

    Args:
        weights: [..., query, key] of a self-attention; both count the positions of one sequence.

    Returns:
        Positions [..., query]; 0 for a row of zeros.

    Raises:
        InputError: when queries and keys are not equally many, as in cross-attention.
    """
    _check_axes(weights)
    n_queries, n_keys = weights.shape[-2:]
    if n_queries != n_keys:
        raise InputError(
            f"a distance needs self-attention, with as many queries as keys, not {n_queries} and {n_keys}"
        )
    position = torch.arange(n_keys, device=weights.device)
    steps = (position[:, None] - position[None, :]).abs()  # [query, key]
    return (weights * steps).sum(dim=-1)


def gold_mask(alignment: Sequence[Collection[int]], n_queries: int, n_keys: int) -> Tensor:
    """An alignment, such as a pair's, as bools [query, key]: True at the keys behind each query's token.

    Under teacher forcing row t of the weights predicts target token t, so rows are target tokens as they
    are. Queries after the last aligned one, such as the one that predicts eos, have no gold key.

    Raises:
        InputError: when the alignment has more rows than there are queries, or a key is outside.
    """
    if len(alignment) > n_queries:
        raise InputError(f"the alignment has {len(alignment)} rows, but there are {n_queries} queries")
    gold = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for query, keys in enumerate(alignment):
        for key in keys:
            if not 0 <= key < n_keys:
                raise InputError(f"query {query} is aligned with key {key}, but there are {n_keys} keys")
            gold[query, key] = True
    return gold


def alignment_score(weights: Tensor, gold: Tensor) -> AlignmentScore:
    """Compare each row's largest weight with the gold keys, over all rows of all axes together.

    Rows without a gold key do not count. Of equal weights the first key is taken; a row of zeros looks
    at no key and is a miss. Taking the largest weight as the word alignment follows Garg et al.,
    "Jointly Learning to Align and Translate with Transformer Models" (2019).

    Args:
        weights: [..., query, key]; average over heads first for the score of their mean.
        gold: Bool, of the weights' shape with sizes of 1 where it is the same, or [query, key] for all.

    Raises:
        InputError: when the shapes do not fit, or gold is not of bools.
    """
    _check_axes(weights)
    gold = _fitted(gold, weights)
    counted = gold.any(dim=-1)  # [..., query]
    n_rows = int(counted.sum())
    if n_rows == 0:
        return AlignmentScore(score=None, gold_weight=None, n_rows=0)
    top = weights.argmax(dim=-1, keepdim=True)
    hit = (gold.gather(-1, top) & (weights.gather(-1, top) > 0))[..., 0]
    on_gold = weights.masked_fill(~gold, 0.0).sum(dim=-1, dtype=torch.float64)
    return AlignmentScore(
        score=int((hit & counted).sum()) / n_rows, gold_weight=float(on_gold.sum()) / n_rows, n_rows=n_rows
    )


def alignment_error_rate(weights: Tensor, gold: Tensor) -> float | None:
    """AER = 1 - 2·|A ∩ G| / (|A| + |G|): how far the largest value of each row is from a known alignment.

    After Och and Ney, "A Systematic Comparison of Various Statistical Alignment Models" (2003), with every gold link a
    sure one. A has the key with the largest value of each row that has a gold key; of rows without one, such as the one
    that writes eos, nothing is known. Where several tokens stand behind one, it cannot be 0.

    Args:
        weights: [query, key]: attention, or whatever else says how much a key counts for a query.
        gold: Bool [query, key].

    Returns:
        From 0 to 1; None where no row has a gold key.

    Raises:
        InputError: when the shapes do not fit, or gold is not of bools.
    """
    if weights.dim() != 2:
        raise InputError(f"an error rate is of one table [query, key], not of {list(weights.shape)}")
    found = alignment_score(weights, gold)
    if found.score is None:
        return None
    hits = round(found.score * found.n_rows)
    return 1 - 2 * hits / (found.n_rows + int(gold.sum()))


def _check_axes(weights: Tensor) -> None:
    if weights.dim() < 2 or not weights.is_floating_point():
        raise InputError(
            f"weights must be real numbers [..., query, key], not {weights.dtype} {list(weights.shape)}"
        )


def _fitted(gold: Tensor, weights: Tensor) -> Tensor:
    """Gold in the weights' shape."""
    # Torch alone would fit a batch's gold [B, Q, K] to the heads of [B, H, Q, K] where B equals H.
    same_axes = gold.dim() in (2, weights.dim()) and gold.shape[-2:] == weights.shape[-2:]
    if gold.dtype != torch.bool or not same_axes:
        raise InputError(
            f"gold must be bools that fit weights of the shape {list(weights.shape)}, "
            f"not {gold.dtype} {list(gold.shape)}"
        )
    try:
        return gold.to(weights.device).expand(weights.shape)
    except RuntimeError as error:
        raise InputError(
            f"gold of the shape {list(gold.shape)} does not fit weights of {list(weights.shape)}"
        ) from error
