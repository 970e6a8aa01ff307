"""What each mask is there for: a padded batch with all masks, and again with one of them switched off.

Three places read a mask. The encoder's self-attention hides padded sources; the decoder's self-attention hides
padded targets and, with the causal mask, the future; cross-attention hides padded sources from the targets.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.activations.activations import Activations
from core.activations.record import Edits, edit, record
from core.data.batching import Batch
from core.errors import InputError
from core.interventions.changes import bind
from core.interventions.intervention import Mask, Unmask
from core.model.masks import causal_mask
from core.model.transformer import Transformer
from core.notebook import Brief

RECORDED = ("*.mask", "*.scores", "*.masked_scores", "*.weights", "generator.log_probs")
"""What is kept of a run: everything from the scores to the weights of every attention, and what comes out."""


@dataclass(frozen=True, repr=False)
class MaskingEffect(Brief):
    """A teacher-forced batch with all masks, and without one of them.

    Attributes:
        off: The mask that was switched off; None for none, so that both runs are one.
        before: The recorded sites of `RECORDED`, with all masks.
        after: The same without the mask.
        counts: True at target positions that are no padding [batch, position].
    """

    off: Mask | None
    before: Activations
    after: Activations
    counts: Tensor

    @property
    def largest_change(self) -> Tensor:
        """Largest |Δ log P| of any next token [batch, position]; 0 at padding."""
        name = "generator.log_probs"
        change = (self.after[name] - self.before[name]).abs().amax(dim=-1)
        return change.masked_fill(~self.counts, 0.0)

    @property
    def changed(self) -> Tensor:
        """Where another token has become the most probable next one [batch, position]; False at padding."""
        best = [each["generator.log_probs"].argmax(dim=-1) for each in (self.before, self.after)]
        return (best[0] != best[1]) & self.counts


@torch.no_grad()
def masking_effect(model: Transformer, batch: Batch, off: Mask | None = None) -> MaskingEffect:
    """Run a padded batch under teacher forcing with all masks and without one of them.

    A model that was built without a causal mask hides no future in either run. Nothing stays on the model.

    Args:
        model: In evaluation mode.
        batch: As training sees it, padded on the right.
        off: The mask to switch off; None runs the model once.

    Raises:
        InputError: when the model is in training mode.
        CaptureError: when it has no causal mask that could be switched off.
    """
    if model.training:
        raise InputError("the model is in training mode, where dropout hides the effect; call model.eval()")
    edits = () if off is None else bind(model, [Unmask(off)]).edits
    before = after = _recorded(model, batch, ())
    if off is not None:
        after = _recorded(model, batch, edits)
    return MaskingEffect(off, before, after, (batch.tgt_in != model.config.pad_id).cpu())


def weight_on_padding(weights: Tensor, padding: Tensor) -> Tensor:
    """What each query gives to keys that are padding: from [B, H, Q, K] and True at padding [B, K] to [B, H, Q]."""
    return (weights * padding[:, None, None, :]).sum(dim=-1)


def weight_on_future(weights: Tensor) -> Tensor:
    """What each query gives to later positions: from [B, H, Q, K] of a self-attention to [B, H, Q]."""
    return (weights * ~causal_mask(weights.shape[-1], device=weights.device)).sum(dim=-1)


def _recorded(model: Transformer, batch: Batch, edits: Edits) -> Activations:
    with edit(model, edits), record(model, *RECORDED) as activations:
        model(batch.src, batch.tgt_in)
    return activations
