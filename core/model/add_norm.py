"""The residual connection and layer normalisation around each sub-layer (section 3.1)."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.activations.tap import Tap
from core.config import TransformerConfig
from core.model.dropout import Dropout


class LayerNorm(nn.Module):
    """γ·(x - μ)/√(σ² + ε) + β over the last axis, with the biased variance.

    Attributes:
        weight: γ, [d_model].
        bias: β, [d_model].
    """

    __call__: Callable[..., Tensor]  # torch declares Any.

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.eps = config.norm_eps
        self.weight = nn.Parameter(torch.ones(config.d_model))
        self.bias = nn.Parameter(torch.zeros(config.d_model))
        self.output = Tap("batch", "position", "d_model")

    def forward(self, x: Tensor) -> Tensor:
        """From [batch, position, d_model] to the same shape."""
        return self.output(F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps))


class AddNorm(LayerNorm):
    """Post-norm, as in the paper: LayerNorm(x + dropout(sublayer(x)))."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.dropout = Dropout(config.dropout)
        self.sum = Tap("batch", "position", "d_model")

    def forward(self, x: Tensor, sublayer_output: Tensor) -> Tensor:  # type: ignore[override]
        """Both [batch, position, d_model]; the result too."""
        return super().forward(self.sum(x + self.dropout(sublayer_output)))


class Add(nn.Module):
    """Pre-norm's way out: x + dropout(sublayer(LayerNorm(x)))."""

    __call__: Callable[..., Tensor]  # torch declares Any.

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.dropout = Dropout(config.dropout)
        self.output = Tap("batch", "position", "d_model")

    def forward(self, x: Tensor, sublayer_output: Tensor) -> Tensor:
        """Both [batch, position, d_model]; the result too."""
        return self.output(x + self.dropout(sublayer_output))
