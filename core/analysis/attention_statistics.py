"""Numbers that sum up attention weights: entropy, and agreement with a known alignment.

All take weights [..., query, key] as recorded at the ``….weights`` sites: any axes may stand before.
"""

import math
from collections.abc import Collection, Sequence

import torch
from torch import Tensor

from core.errors import InputError


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
    nats: Tensor = torch.special.entr(weights).sum(dim=-1)
    return (nats / math.log(2)).clamp(min=0.0)


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


def looks_at(weights: Tensor, targets: Tensor) -> Tensor:
    """Whether the key with the largest weight of each row is one of its targets: bool [..., query].

    Of equal weights the first key is taken; a row of zeros looks at no key. Taking the largest weight as the word
    alignment follows Garg et al., "Jointly Learning to Align and Translate with Transformer Models" (2019).

    Args:
        weights: [..., query, key].
        targets: Bool, of the weights' shape with sizes of 1 where it is the same.
    """
    top = weights.argmax(dim=-1, keepdim=True)
    on_target = targets.expand_as(weights).gather(-1, top) & (weights.gather(-1, top) > 0)
    return on_target[..., 0]


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
    _check_axes(weights)
    if gold.dtype != torch.bool or gold.shape != weights.shape:
        raise InputError(
            f"gold must be bools that fit weights of the shape {list(weights.shape)}, "
            f"not {gold.dtype} {list(gold.shape)}"
        )
    n_rows = int(gold.any(dim=-1).sum())
    if n_rows == 0:
        return None
    hits = int(looks_at(weights, gold.to(weights.device)).sum())
    return 1 - 2 * hits / (n_rows + int(gold.sum()))


def _check_axes(weights: Tensor) -> None:
    if weights.dim() < 2 or not weights.is_floating_point():
        raise InputError(
            f"weights must be real numbers [..., query, key], not {weights.dtype} {list(weights.shape)}"
        )
