"""The loss of a known target, token by token, with and without label smoothing; padding does not count."""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.data.batching import Batch
from core.errors import InputError
from core.model.transformer import Transformer
from core.notebook import Brief
from core.training.loss import label_losses


@dataclass(frozen=True, repr=False)
class TargetLoss(Brief):
    """A target under teacher forcing: at each position the decoder reads the right token, whatever it would say.

    Attributes:
        tgt_in: What the decoder reads [position]: BOS, then the target without its last token.
        tgt_out: What it is to say [position]: the target, with EOS, then perhaps padding.
        log_probs: Log-probability of every token [position, vocab], in float64.
        plain: -log P of each label [position]; 0 at padding.
        smoothed: With label smoothing [position]; 0 at padding.
        smoothing: ε_ls.
        n_tokens: Labels that are no padding.
    """

    tgt_in: Tensor
    tgt_out: Tensor
    log_probs: Tensor
    plain: Tensor
    smoothed: Tensor
    smoothing: float
    n_tokens: int

    @property
    def mean_plain(self) -> float:
        """Mean over the labels that count, without smoothing."""
        return float(self.plain.sum()) / self.n_tokens

    @property
    def mean_smoothed(self) -> float:
        """Mean over the labels that count: what training makes smaller."""
        return float(self.smoothed.sum()) / self.n_tokens


def smoothed_target(label: int, vocab_size: int, smoothing: float) -> Tensor:
    """y' = (1-ε_ls)·y + ε_ls/V, in float64 [vocab].

    Raises:
        InputError: when the label is no token, or ε_ls is not from 0 up to but not including 1.
    """
    _check_smoothing(smoothing)
    if not 0 <= label < vocab_size:
        raise InputError(f"label {label} is outside the vocabulary of {vocab_size} tokens")
    target = torch.full((vocab_size,), smoothing / vocab_size, dtype=torch.float64)
    target[label] += 1 - smoothing
    return target


def token_losses(logits: Tensor, labels: Tensor, *, smoothing: float, pad_id: int) -> Tensor:
    """The loss of each label by the trainer's own function [position]; 0 where the label is padding.

    The same as torch's ``cross_entropy(label_smoothing=ε_ls, ignore_index=pad_id, reduction="none")``.

    Args:
        logits: [position, vocab].
        labels: Ids [position].
        smoothing: ε_ls.
        pad_id: Labels that do not count.

    Raises:
        InputError: when the shapes do not fit, or ε_ls is impossible.
    """
    _check_smoothing(smoothing)
    if logits.dim() != 2 or labels.shape != logits.shape[:1]:
        raise InputError(
            f"{list(logits.shape)} logits and {list(labels.shape)} labels do not fit: give [position, vocab] "
            "and [position]"
        )
    return label_losses(logits, labels, smoothing=smoothing).masked_fill(labels == pad_id, 0.0)


@torch.no_grad()
def target_loss(model: Transformer, batch: Batch, *, smoothing: float, row: int = 0) -> TargetLoss:
    """Read one row of a batch through the model, all positions at once.

    Args:
        model: In evaluation mode.
        batch: With sources, shifted inputs and labels, perhaps padded.
        smoothing: ε_ls.
        row: Which pair.

    Raises:
        InputError: when there is no such row, its labels are padding alone, or ε_ls is impossible.
    """
    if not 0 <= row < len(batch.src):
        raise InputError(f"row {row} is outside of the batch of {len(batch.src)} pairs")
    on_device = batch.to(model.device)
    pad_id, labels = model.config.pad_id, batch.tgt_out[row].cpu()
    n_tokens = int((labels != pad_id).sum())
    if n_tokens == 0:
        raise InputError("a target of padding alone has no loss; give it at least one token")
    # The whole batch, as in training: padding must change nothing, and this is where it could.
    logits = model(on_device.src, on_device.tgt_in)[row].cpu().double()
    return TargetLoss(
        tgt_in=batch.tgt_in[row].cpu(),
        tgt_out=labels,
        log_probs=logits.log_softmax(dim=-1),
        plain=token_losses(logits, labels, smoothing=0.0, pad_id=pad_id),
        smoothed=token_losses(logits, labels, smoothing=smoothing, pad_id=pad_id),
        smoothing=smoothing,
        n_tokens=n_tokens,
    )


def _check_smoothing(smoothing: float) -> None:
    if not 0 <= smoothing < 1:
        raise InputError(f"label smoothing is a number from 0 up to but not including 1, not {smoothing}")
