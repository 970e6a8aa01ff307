"""The generator: the last linear map, from the decoder's output to one logit per token (section 3.4)."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.activations.tap import Tap, rows_from
from core.config import TransformerConfig


class Generator(nn.Module):
    """Logits of the next token; their softmax is the model's probability.

    Attributes:
        weight: [vocab, d_model]; the target embedding's table when the embeddings are tied.
    """

    __call__: Callable[..., Tensor]  # torch declares Any.

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(config.tgt_vocab_size, config.d_model))
        nn.init.normal_(self.weight, std=config.d_model**-0.5)
        self.logits = Tap("batch", "position", "vocab")

    def forward(self, x: Tensor, first_position: int = 0) -> Tensor:
        """From [batch, position, d_model] to logits [batch, position, vocab]."""
        with rows_from(first_position):
            return self.logits(F.linear(x, self.weight))
