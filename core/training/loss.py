"""Cross-entropy with label smoothing (section 5.4)."""

from torch import Tensor


def label_smoothed_cross_entropy(logits: Tensor, labels: Tensor, *, smoothing: float, pad_id: int) -> Tensor:
    """Mean over the labels that are not padding of -Σ y'·log p, with y' = (1-α)·y + α/V.

    The same definition as torch's ``cross_entropy(label_smoothing=α, ignore_index=pad_id)``.

    Args:
        logits: [batch, position, vocab].
        labels: Ids [batch, position].
        smoothing: α; 0 gives the plain cross-entropy.
        pad_id: Labels that do not count.
    """
    counts = (labels != pad_id).flatten()
    log_probs = logits.flatten(0, 1).log_softmax(dim=-1)  # [N, V]
    label_term = -log_probs.gather(1, labels.reshape(-1, 1))[:, 0]
    uniform_term = -log_probs.mean(dim=-1)
    per_label = (1 - smoothing) * label_term + smoothing * uniform_term  # [N]
    return per_label.masked_fill(~counts, 0.0).sum() / counts.sum()
