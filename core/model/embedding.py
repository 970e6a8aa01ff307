"""Embeddings: a table row per token, times √d_model, plus its position (sections 3.4 and 3.5)."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.activations.tap import Tap, rows_from
from core.config import TransformerConfig
from core.model.dropout import Dropout
from core.model.positional_encoding import positional_encoding


class Embedding(nn.Module):
    """Token vectors with their positions.

    Attributes:
        weight: The table, [vocab, d_model]; shared with others when the embeddings are tied.
    """

    def __init__(self, config: TransformerConfig, vocab_size: int) -> None:
        super().__init__()
        self.pad_id = config.pad_id
        self.scale = math.sqrt(config.d_model)
        self.weight = nn.Parameter(torch.empty(vocab_size, config.d_model))
        self.positional = positional_encoding(config)
        self.dropout = Dropout(config.dropout)
        self.tokens = Tap("batch", "position", "d_model")
        if self.positional is not None:
            self.positions = Tap("batch", "position", "d_model")
        self.output = Tap("batch", "position", "d_model")
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Variance 1/d_model, so that a tied output projection starts with logits of variance 1."""
        nn.init.normal_(self.weight, std=self.weight.shape[1] ** -0.5)
        with torch.no_grad():
            self.weight[self.pad_id].zero_()

    def forward(self, ids: Tensor, first_position: int = 0) -> Tensor:
        """From ids [batch, position] to vectors [batch, position, d_model]."""
        with rows_from(first_position):
            x = self.tokens(F.embedding(ids, self.weight, padding_idx=self.pad_id) * self.scale)
            if self.positional is not None:
                rows = self.positional(ids.shape[1], first_position)  # [position, d_model]
                x = x + self.positions(rows.expand_as(x))
            return self.output(self.dropout(x))
