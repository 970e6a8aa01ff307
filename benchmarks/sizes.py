"""Sizes of the models and batches that the benchmarks measure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from core.config import TransformerConfig
from core.data.vocabulary import Vocabulary


@dataclass(frozen=True)
class Size:
    """Dimensions of a model and of its batches.

    Attributes:
        name: Name in the tables.
        d_model: Width of the residual stream.
        n_heads: Number of attention heads.
        n_layers: Number of encoder layers, and of decoder layers.
        d_ff: Inner width of the feed-forward network.
        vocab: Size of the vocabulary that source and target share.
        batch: Number of rows in a batch.
        length: Number of source positions, and of target positions.
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
        """Return the same model size with another batch size."""
        return replace(self, name=f"{self.name}, batch {batch}", batch=batch)

    def make_config(self, **changes: object) -> TransformerConfig:
        """Build the model's configuration, overriding the given settings."""
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

    def draw_sources(self, device: torch.device | str = "cpu") -> Tensor:
        """Draw random source ids without padding [batch, length], each row ending in eos."""
        ids = self._draw_ids(device)
        ids[:, -1] = Vocabulary.eos_id
        return ids

    def draw_targets(self, device: torch.device | str = "cpu") -> Tensor:
        """Draw random target ids without padding [batch, length], each row beginning with bos."""
        ids = self._draw_ids(device)
        ids[:, 0] = Vocabulary.bos_id
        return ids

    def _draw_ids(self, device: torch.device | str) -> Tensor:
        return torch.randint(3, self.vocab, (self.batch, self.length), device=device)


TINY = Size("TINY", d_model=64, n_heads=2, n_layers=2, d_ff=256, vocab=64, batch=4, length=8)
TOY = Size("TOY", d_model=128, n_heads=4, n_layers=2, d_ff=512, vocab=64, batch=64, length=16)
SMALL = Size("SMALL", d_model=256, n_heads=8, n_layers=3, d_ff=1024, vocab=8000, batch=32, length=32)
BASE = Size("BASE", d_model=512, n_heads=8, n_layers=6, d_ff=2048, vocab=8000, batch=8, length=64)
