"""The decoder: N layers of masked self-attention, cross-attention and feed-forward network
(section 3.1, right half of figure 1)."""

from collections.abc import Callable

from torch import Tensor, nn

from core.activations.tap import Tap, rows_from
from core.config import TransformerConfig
from core.model.add_norm import Add, AddNorm, LayerNorm
from core.model.attention import CrossAttention, SelfAttention
from core.model.cache import KeyValueCache, LayerCache
from core.model.feed_forward import FeedForward


class PostNormDecoderLayer(nn.Module):
    """The paper's layer: each sub-layer is added, then normalised."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.causal = config.causal
        self.self_attn = SelfAttention(config)
        self.self_attn_add_norm = AddNorm(config)
        self.cross_attn = CrossAttention(config)
        self.cross_attn_add_norm = AddNorm(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_add_norm = AddNorm(config)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None,
        memory_mask: Tensor | None,
        cache: LayerCache | None,
    ) -> Tensor:
        """From [batch, target position, d_model] to the same shape."""
        own, cross = (cache.self_attn, cache.cross_attn) if cache else (None, None)
        x = self.self_attn_add_norm(x, self.self_attn(x, tgt_mask, causal=self.causal, cache=own))
        x = self.cross_attn_add_norm(x, self.cross_attn(x, memory, memory_mask, cache=cross))
        return self.feed_forward_add_norm(x, self.feed_forward(x))


class PreNormDecoderLayer(nn.Module):
    """The later variant: each sub-layer reads a normalised copy of the residual stream."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.causal = config.causal
        self.self_attn_norm = LayerNorm(config)
        self.self_attn = SelfAttention(config)
        self.self_attn_add = Add(config)
        self.cross_attn_norm = LayerNorm(config)
        self.cross_attn = CrossAttention(config)
        self.cross_attn_add = Add(config)
        self.feed_forward_norm = LayerNorm(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_add = Add(config)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None,
        memory_mask: Tensor | None,
        cache: LayerCache | None,
    ) -> Tensor:
        """From [batch, target position, d_model] to the same shape."""
        own, cross = (cache.self_attn, cache.cross_attn) if cache else (None, None)
        normed = self.self_attn_norm(x)
        x = self.self_attn_add(x, self.self_attn(normed, tgt_mask, causal=self.causal, cache=own))
        normed = self.cross_attn_norm(x)
        x = self.cross_attn_add(x, self.cross_attn(normed, memory, memory_mask, cache=cross))
        return self.feed_forward_add(x, self.feed_forward(self.feed_forward_norm(x)))


class Decoder(nn.Module):
    """The stack; its output is what the generator turns into logits."""

    __call__: Callable[..., Tensor]  # torch declares Any.

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        layer = {"post": PostNormDecoderLayer, "pre": PreNormDecoderLayer}[config.norm_position]
        self.layers = nn.ModuleList(layer(config) for _ in range(config.n_decoder_layers))
        self.final_norm = LayerNorm(config) if config.has_final_norm else None
        self.output = Tap("batch", "position", "d_model")

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
    ) -> Tensor:
        """From embedded targets [batch, target position, d_model] to the same shape.

        Args:
            x: The embedded target; with a cache its newest positions only.
            memory: The encoder's output [batch, source position, d_model].
            tgt_mask: True at target keys that may be seen, besides the causal mask.
            memory_mask: True at source positions that may be seen.
            cache: Keys and values of earlier steps; filled by this call.
        """
        with rows_from(cache.length if cache else 0):
            for index, layer in enumerate(self.layers):
                x = layer(x, memory, tgt_mask, memory_mask, cache.layers[index] if cache else None)
            if self.final_norm is not None:
                x = self.final_norm(x)
            return self.output(x)
