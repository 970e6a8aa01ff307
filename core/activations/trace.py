"""The trace of a hypothesis: everything one teacher-forced forward pass over its tokens computes."""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.activations.activations import Activations
from core.activations.record import record
from core.errors import InputError
from core.model.transformer import Transformer


@dataclass(frozen=True)
class Trace:
    """One source with one hypothesis; causality makes decoding step t row t of every decoder site.

    Attributes:
        src: Source ids [source position], with eos.
        tgt_in: What the decoder reads [target position]: bos, then the hypothesis without its last token.
        tgt_out: What it is to produce [target position]: the hypothesis.
        logits: [target position, vocab].
        activations: The recorded sites, with a batch of one.
    """

    src: Tensor
    tgt_in: Tensor
    tgt_out: Tensor
    logits: Tensor
    activations: Activations


@torch.no_grad()
def trace(model: Transformer, src: Tensor, hypothesis: Tensor, *patterns: str) -> Trace:
    """Run the model once over a hypothesis and record the sites that match (no pattern: all).

    Args:
        model: In evaluation mode.
        src: Source ids [source position], with eos.
        hypothesis: Produced ids [target position], without bos.
        patterns: As for `record`.

    Raises:
        InputError: when the hypothesis is empty.
    """
    if hypothesis.numel() == 0:
        raise InputError("the trace of a hypothesis needs at least one produced token")
    bos = hypothesis.new_tensor([model.config.bos_id])
    tgt_in = torch.cat((bos, hypothesis[:-1]))
    with record(model, *patterns) as activations:
        logits = model(src[None], tgt_in[None])[0]
    return Trace(src.cpu(), tgt_in.cpu(), hypothesis.cpu(), logits.cpu(), activations)
