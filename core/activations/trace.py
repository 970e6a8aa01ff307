"""The trace of a hypothesis: everything one teacher-forced forward pass over its tokens computes."""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.activations.activations import Activations
from core.activations.record import record
from core.errors import InputError
from core.model.transformer import Transformer
from core.notebook import html_table
from core.numbers import counted


@dataclass(frozen=True)
class Trace:
    """One source with one hypothesis; causality makes decoding step t row t of every decoder site.

    Attributes:
        src: Source ids [source position], with eos.
        tgt_in: What the decoder reads [target position]: bos, then the hypothesis without its last token.
        tgt_out: What it is to produce [target position]: the hypothesis.
        logits: [target position, vocab].
        activations: The recorded sites, with a batch of one.
        source_tokens: The texts of src; empty where a trace was made of ids alone.
        target_tokens: The texts of tgt_out, likewise.
    """

    src: Tensor
    tgt_in: Tensor
    tgt_out: Tensor
    logits: Tensor
    activations: Activations
    source_tokens: tuple[str, ...] = ()
    target_tokens: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """What was read and written, and how much was recorded."""
        source = " ".join(self.source_tokens) or f"{len(self.src)} source tokens"
        target = " ".join(self.target_tokens) or f"{len(self.tgt_out)} target tokens"
        return f"<Trace: {source} → {target}, {counted(len(self.activations), 'site')}>"

    def _repr_html_(self) -> str:
        """Each target token with how probable it was."""
        log_probs = self.logits.double().log_softmax(dim=-1)
        tokens = self.target_tokens or tuple(map(str, self.tgt_out.tolist()))
        rows = [
            (place, token, f"{float(log_probs[place, id].exp()):.4f}")
            for place, (token, id) in enumerate(zip(tokens, self.tgt_out.tolist(), strict=True))
        ]
        return html_table(repr(self).strip("<>"), rows, head=("step", "writes", "p"))


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
