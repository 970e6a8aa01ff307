"""What interventions do to a teacher-forced batch: loss, log-probabilities, and which answers change."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from core.activations.record import Edits, edit
from core.errors import InputError
from core.model.transformer import Transformer
from core.notebook import Brief


@dataclass(frozen=True, repr=False)
class Effect(Brief):
    """A teacher-forced batch before and after a change.

    Attributes:
        loss_before: Mean of -log p over the labels, in nats, without smoothing; padding does not count.
        loss_after: The same with the change.
        log_prob_change: Each label's log p after minus before, in nats [batch, position]; 0 at padding.
        changed: True where another token has become the most probable [batch, position]; False at padding.
    """

    loss_before: float
    loss_after: float
    log_prob_change: Tensor
    changed: Tensor

    @property
    def loss_change(self) -> float:
        """How much worse the change makes the model, in nats; below 0 when it is better with it."""
        return self.loss_after - self.loss_before


@dataclass(frozen=True, repr=False)
class Measured(Brief):
    """A forward pass: each label's log p and the most probable token, both [batch, position]."""

    log_prob: Tensor
    most_probable: Tensor


@torch.no_grad()
def intervention_effect(
    model: Transformer, src: Tensor, tgt_in: Tensor, tgt_out: Tensor, edits: Edits
) -> Effect:
    """Run the model without and with the edits, under teacher forcing.

    Both runs take the eager attention, so that no edits give no difference in any bit. Edits that are
    already open around the call act in both. Nothing stays on the model.

    Args:
        model: In evaluation mode.
        src: Source ids [batch, source position].
        tgt_in: Target ids shifted right [batch, position].
        tgt_out: Labels [batch, position].
        edits: As for `edit`: ``run.intervene(…).changes.edits``, what `bind` gives, or your own.

    Raises:
        InputError: when the model is in training mode, or the labels do not fit.
        UnknownSite: when an edit matches no site.
        CaptureError: when an edit does not fit its site.
    """
    check_batch(model, tgt_in, tgt_out)
    before = teacher_forced(model, src, tgt_in, tgt_out, ())
    after = teacher_forced(model, src, tgt_in, tgt_out, edits)
    return effect_between(before, after, (tgt_out != model.config.pad_id).cpu())


def teacher_forced(
    model: Transformer, src: Tensor, tgt_in: Tensor, tgt_out: Tensor, edits: Edits
) -> Measured:
    """One forward pass with the edits."""
    # Also with no edits: the open block makes attention eager, and the fused kernel rounds otherwise.
    with edit(model, edits):
        logits = model(src, tgt_in)
    return measured(logits, tgt_out)


def measured(logits: Tensor, labels: Tensor) -> Measured:
    """What an effect is told from, of logits [..., position, vocab] and labels [..., position]."""
    log_probs = logits.log_softmax(dim=-1)
    of_labels = log_probs.gather(-1, labels.to(log_probs.device, torch.int64)[..., None])[..., 0]
    return Measured(of_labels.cpu(), log_probs.argmax(dim=-1).cpu())


def effect_between(before: Measured, after: Measured, counts: Tensor) -> Effect:
    """The effect of a change on the labels that count [batch, position]."""
    return Effect(
        loss_before=-float(before.log_prob[counts].mean()),
        loss_after=-float(after.log_prob[counts].mean()),
        log_prob_change=(after.log_prob - before.log_prob).masked_fill(~counts, 0.0),
        changed=(after.most_probable != before.most_probable) & counts,
    )


def check_batch(model: Transformer, tgt_in: Tensor, tgt_out: Tensor) -> None:
    """One label for each position, at least one of them no padding, and nothing dropped at random.

    Raises:
        InputError: when it is not so.
    """
    if model.training:
        raise InputError("the model is in training mode, where dropout hides the effect; call model.eval()")
    if tgt_out.shape != tgt_in.shape:
        raise InputError(
            f"labels {list(tgt_out.shape)} must have the shape of the target ids {list(tgt_in.shape)}"
        )
    if (tgt_out == model.config.pad_id).all():
        raise InputError("labels of padding alone have no loss; give at least one token")
    vocab_size = model.config.tgt_vocab_size
    if tgt_out.min() < 0 or tgt_out.max() >= vocab_size:
        wrong = int(tgt_out.min() if tgt_out.min() < 0 else tgt_out.max())
        raise InputError(f"label {wrong} is outside the vocabulary of {vocab_size} tokens")
