"""Position-wise feed-forward network: two linear maps with a non-linearity between (section 3.3)."""

from collections.abc import Callable

import torch.nn.functional as F
from torch import Tensor, nn

from core.activations.tap import Tap
from core.config import TransformerConfig
from core.model.dropout import Dropout

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu}


class FeedForward(nn.Module):
    """FFN(x) = activation(x W₁ + b₁) W₂ + b₂, at every position alike (equation 2)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.linear1 = nn.Linear(config.d_model, config.d_ff)
        self.linear2 = nn.Linear(config.d_ff, config.d_model)
        self.activation = ACTIVATIONS[config.activation]
        self.dropout = Dropout(config.ffn_dropout)
        self.pre_activation = Tap("batch", "position", "d_ff")
        self.hidden = Tap("batch", "position", "d_ff")
        self.output = Tap("batch", "position", "d_model")
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Xavier-uniform matrices, zero biases."""
        for linear in (self.linear1, self.linear2):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        """From [batch, position, d_model] to the same shape."""
        hidden = self.hidden(self.activation(self.pre_activation(self.linear1(x))))
        return self.output(self.linear2(self.dropout(hidden)))
