"""The encoder: N layers of self-attention and feed-forward network (section 3.1, left half of figure 1)."""

from torch import Tensor, nn

from core.activations.tap import Tap
from core.config import TransformerConfig
from core.model.add_norm import Add, AddNorm, LayerNorm
from core.model.attention import SelfAttention
from core.model.feed_forward import FeedForward


class PostNormEncoderLayer(nn.Module):
    """The paper's layer: each sub-layer is added, then normalised."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attn = SelfAttention(config)
        self.self_attn_add_norm = AddNorm(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_add_norm = AddNorm(config)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """From [batch, position, d_model] to the same shape."""
        x = self.self_attn_add_norm(x, self.self_attn(x, mask))
        return self.feed_forward_add_norm(x, self.feed_forward(x))


class PreNormEncoderLayer(nn.Module):
    """The later variant: each sub-layer reads a normalised copy of the residual stream."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attn_norm = LayerNorm(config)
        self.self_attn = SelfAttention(config)
        self.self_attn_add = Add(config)
        self.feed_forward_norm = LayerNorm(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_add = Add(config)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """From [batch, position, d_model] to the same shape."""
        x = self.self_attn_add(x, self.self_attn(self.self_attn_norm(x), mask))
        return self.feed_forward_add(x, self.feed_forward(self.feed_forward_norm(x)))


class Encoder(nn.Module):
    """The stack; its output is the decoder's memory."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        layer = {"post": PostNormEncoderLayer, "pre": PreNormEncoderLayer}[config.norm_position]
        self.layers = nn.ModuleList(layer(config) for _ in range(config.n_encoder_layers))
        self.final_norm = LayerNorm(config) if config.has_final_norm else None
        self.output = Tap("batch", "position", "d_model")

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """From embedded sources [batch, position, d_model] to the memory, of the same shape."""
        for layer in self.layers:
            x = layer(x, mask)
        if self.final_norm is not None:
            x = self.final_norm(x)
        return self.output(x)
