"""The trace of a hypothesis: everything one teacher-forced forward pass over its tokens computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Tensor

from core.activations.activations import Activations
from core.activations.location import locate
from core.activations.record import record, require_transformer
from core.data.vocabulary import BOS
from core.errors import InputError
from core.model.transformer import Transformer
from core.notebook import Brief, Shade, html_table
from core.numbers import counted

AttentionBlock = Literal["encoder.self_attn", "decoder.self_attn", "decoder.cross_attn"]
"""The attention of a layer."""


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

    @property
    def memory(self) -> Tensor:
        """Return the encoder's output, which the decoder reads [1, source position, d_model].

        Raises:
            UnknownSite: when it was not recorded.
        """
        return self.activations["encoder.output"]

    def attention(
        self, layer: int, head: int, block: AttentionBlock = "decoder.cross_attn"
    ) -> AttentionTable:
        """Return one head's weights with the tokens of their rows and columns.

        Args:
            layer: Layer of the encoder or decoder, counted from 0.
            head: Head of the layer, counted from 0.
            block: Attention of the layer; the decoder's queries are the tokens that it reads.

        Raises:
            InputError: when there is no such block.
            UnknownSite: when there is no such layer, or its weights were not recorded.
            CaptureError: when the layer has no such head.
        """
        if block not in get_args(AttentionBlock):
            raise InputError(f"block must be one of {', '.join(get_args(AttentionBlock))}, not {block!r}")
        stack, _, sublayer = block.partition(".")
        site = f"{stack}.layers.{layer}.{sublayer}.weights"
        place = locate(site)
        sides = {"source": self._source(), "target": self._read()}
        weights = self.activations.select(site, batch=0, head=head)
        return AttentionTable(site, head, sides[place.side], sides[place.key_side], weights)

    def _source(self) -> tuple[str, ...]:
        return self.source_tokens or tuple(map(str, self.src.tolist()))

    def _read(self) -> tuple[str, ...]:
        """Return the tokens that the decoder reads, or their ids."""
        if self.target_tokens:
            return (BOS, *self.target_tokens[:-1])
        return tuple(map(str, self.tgt_in.tolist()))

    def _repr_html_(self) -> str:
        """Each target token with how probable it was."""
        log_probs = self.logits.double().log_softmax(dim=-1)
        tokens = self.target_tokens or tuple(map(str, self.tgt_out.tolist()))
        rows = [
            (place, token, f"{float(log_probs[place, id].exp()):.4f}")
            for place, (token, id) in enumerate(zip(tokens, self.tgt_out.tolist(), strict=True))
        ]
        return html_table(repr(self).strip("<>"), rows, head=("step", "writes", "p"))


@dataclass(frozen=True, repr=False)
class AttentionTable(Brief):
    """The attention weights of one head; a coloured table with its tokens in notebooks.

    Attributes:
        site: The site of the weights.
        head: The head, counted from 0.
        queries: Tokens that read, one for each row.
        keys: Tokens that are read, one for each column.
        weights: Share of its attention that each query gives to each key [query, key].
    """

    site: str
    head: int
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: Tensor

    def _repr_html_(self) -> str:
        rows = [
            (query, *map(Shade, weights))
            for query, weights in zip(self.queries, self.weights.tolist(), strict=True)
        ]
        return html_table(f"{self.site}, head {self.head}", rows, head=("", *self.keys))


@torch.no_grad()
def trace(
    model: Transformer, src: Tensor, hypothesis: Tensor, *patterns: str, encoded: Trace | None = None
) -> Trace:
    """Run the model once over a hypothesis and record the sites that match (no pattern: all).

    Args:
        model: In evaluation mode.
        src: Source ids [source position], with eos.
        hypothesis: Produced ids [target position], without bos.
        patterns: As for `record`.
        encoded: Trace of the same source by the same model, with every site: what the encoder computes is taken
            from it instead of being computed again.

    Raises:
        InputError: when the hypothesis is empty, or `encoded` is the trace of another source.
        UnknownSite: when `encoded` lacks the encoder's output.
    """
    require_transformer(model)
    if hypothesis.numel() == 0:
        raise InputError("the trace of a hypothesis needs at least one produced token")
    bos = hypothesis.new_tensor([model.config.bos_id])
    tgt_in = torch.cat((bos, hypothesis[:-1]))
    if encoded is None:
        with record(model, *patterns) as activations:
            logits = model(src[None], tgt_in[None])[0]
    else:
        if not torch.equal(encoded.src, src.cpu()):
            raise InputError("give the trace of the same source as `encoded`")
        memory, mask = encoded.memory.to(model.device), model.source_mask(src[None])
        with record(model, *patterns) as activations:
            logits = model.generator(model.decode(tgt_in[None], memory, mask, from_start=True))[0]
        activations.add_encoder_of(encoded.activations)
    return Trace(src.cpu(), tgt_in.cpu(), hypothesis.cpu(), logits.cpu(), activations)
