"""Sites that nobody computes during a forward pass: functions of recorded ones, evaluated on first look."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

MOST_PLAIN = 20.0
"""The largest score whose exponential people can still read: e to the power of 20 has nine digits."""


def mean(x: Tensor) -> Tensor:
    """μ over the last axis: from [..., d_model] to [...]."""
    return x.mean(dim=-1)


def variance(x: Tensor) -> Tensor:
    """σ² over the last axis, biased as in layer normalisation: from [..., d_model] to [...]."""
    return x.var(dim=-1, unbiased=False)


def normalized(x: Tensor, eps: float) -> Tensor:
    """(x - μ)/√(σ² + ε) of x [..., d_model], before γ and β."""
    return (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(x.var(dim=-1, unbiased=False, keepdim=True) + eps)


def dot_products(q: Tensor, k: Tensor) -> Tensor:
    """Q Kᵀ of equation 1 before it is scaled: queries [B, H, Q, d_head], keys [B, H, K, d_head], to [B, H, Q, K]."""
    return q @ k.mT


def masked_scores(scores: Tensor, mask: Tensor) -> Tensor:
    """Scores [B, H, Q, K] with -inf where the mask [B, Q, K] hides a key from a query."""
    return scores.masked_fill(~mask[:, None], -math.inf)


def exponentials(scores: Tensor, mask: Tensor) -> Tensor:
    """e to the power of each score [B, H, Q, K], 0 where the mask [B, Q, K] hides the key.

    Of a row that goes beyond `MOST_PLAIN` the largest score is taken off first, which a softmax does not notice.
    """
    masked = masked_scores(scores, mask)
    largest = masked.amax(dim=-1, keepdim=True)
    return (masked - largest.where(largest > MOST_PLAIN, 0.0)).exp()


def totals(scores: Tensor, mask: Tensor) -> Tensor:
    """What a softmax divides the exponentials of each query by: [B, H, Q]."""
    return exponentials(scores, mask).sum(dim=-1)


def log_probs(logits: Tensor) -> Tensor:
    """log softmax over the vocabulary, of logits [..., vocab]."""
    return logits.log_softmax(dim=-1)


DERIVATIONS: dict[str, Callable[..., Tensor]] = {
    "mean": mean,
    "variance": variance,
    "normalize": normalized,
    "dot_product": dot_products,
    "apply_mask": masked_scores,
    "exponential": exponentials,
    "total": totals,
    "log_softmax": log_probs,
}
"""The function of each derived operation."""
