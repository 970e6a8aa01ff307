"""Cross-entropy with label smoothing (section 5.4)."""

from typing import Any

import torch
from torch import Tensor


def label_smoothed_cross_entropy(logits: Tensor, labels: Tensor, *, smoothing: float, pad_id: int) -> Tensor:
    """Mean over the labels that are not padding of -Σ y'·log p, with y' = (1-ε_ls)·y + ε_ls/V.

    The same definition as torch's ``cross_entropy(label_smoothing=ε_ls, ignore_index=pad_id)``.

    Args:
        logits: [batch, position, vocab].
        labels: Ids [batch, position].
        smoothing: ε_ls; 0 gives the plain cross-entropy.
        pad_id: Labels that do not count.
    """
    counts = (labels != pad_id).flatten()
    per_label = label_losses(logits.flatten(0, 1), labels.flatten(), smoothing=smoothing)
    return per_label.masked_fill(~counts, 0.0).sum() / counts.sum()


def label_losses(logits: Tensor, labels: Tensor, *, smoothing: float) -> Tensor:
    """The loss of each label by itself, padding or not [N].

    Args:
        logits: [N, vocab].
        labels: Ids [N].
        smoothing: ε_ls.
    """
    # torch has not annotated `apply`.
    losses: Tensor = _SmoothedCrossEntropy.apply(logits, labels, smoothing)  # type: ignore[no-untyped-call]
    return losses


class _SmoothedCrossEntropy(torch.autograd.Function):
    """-Σ y'·log p of each row, whose gradient is p - y'.

    Written out, since torch would go back through each term by itself, with a new [N, V] table for each.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, labels: Tensor, smoothing: float) -> Tensor:
        log_probs = logits.log_softmax(dim=-1)  # [N, V]
        ctx.save_for_backward(log_probs, labels)
        ctx.smoothing = smoothing
        label_term = -log_probs.gather(1, labels[:, None])[:, 0]
        uniform_term = -log_probs.mean(dim=-1)
        return (1 - smoothing) * label_term + smoothing * uniform_term  # [N]

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, per_label: Tensor) -> tuple[Tensor, None, None]:
        log_probs, labels = ctx.saved_tensors
        difference = log_probs.exp().sub_(ctx.smoothing / log_probs.shape[1])  # [N, V]
        difference[torch.arange(len(labels), device=labels.device), labels] -= 1 - ctx.smoothing
        return difference.mul_(per_label[:, None]), None, None
