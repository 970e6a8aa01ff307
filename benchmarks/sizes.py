"""The models and batches that the benchmarks measure; each stands for a use of the program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from core.config import TransformerConfig


@dataclass(frozen=True)
class Size:
    """A model and a batch.

    Attributes:
        name: As the tables call it.
        n_layers: Of the encoder, and as many of the decoder.
        vocab: Tokens of source and target, one vocabulary for both.
        batch: Rows.
        length: Positions of the source, and as many of the target.
    """

    name: str
    d_model: int
    n_heads: int
    n_layers: int
    d_ff: int
    vocab: int
    batch: int
    length: int

    def with_batch(self, batch: int) -> Size:
        """The same model with another number of rows."""
        return replace(self, name=f"{self.name}, batch {batch}", batch=batch)

    def config(self, **changes: object) -> TransformerConfig:
        """The model's configuration, with some settings changed."""
        settings: dict[str, Any] = {
            "src_vocab_size": self.vocab,
            "tgt_vocab_size": self.vocab,
            "d_model": self.d_model,
            "n_heads": self.n_heads,
            "n_encoder_layers": self.n_layers,
            "n_decoder_layers": self.n_layers,
            "d_ff": self.d_ff,
        }
        return TransformerConfig(**(settings | changes))

    def ids(self, device: torch.device | str = "cpu") -> Tensor:
        """Random ids without padding [batch, length]."""
        return torch.randint(3, self.vocab, (self.batch, self.length), device=device)


TINY = Size("TINY", d_model=64, n_heads=2, n_layers=2, d_ff=256, vocab=64, batch=4, length=8)
TOY = Size("TOY", d_model=128, n_heads=4, n_layers=2, d_ff=512, vocab=64, batch=64, length=16)
SMALL = Size("SMALL", d_model=256, n_heads=8, n_layers=3, d_ff=1024, vocab=8000, batch=32, length=32)
BASE = Size("BASE", d_model=512, n_heads=8, n_layers=6, d_ff=2048, vocab=8000, batch=8, length=64)
