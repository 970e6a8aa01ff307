"""A cached decoding step straight from the weights: the decoder's own equations, for when nobody looks.

One token of one sentence is little arithmetic: most of the modular decoder's time goes into calling modules and asking
taps. Without them a small model's step takes a third of the time, and gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.modules.module import _has_any_global_hook

from core.activations.tap import Tap, watchers
from core.errors import InputError
from core.model.add_norm import Add, AddNorm, LayerNorm
from core.model.attention import CrossAttention, MultiHeadAttention, SelfAttention
from core.model.cache import CrossAttentionCache, KeyValueCache, SelfAttentionCache
from core.model.decoder import Decoder, PostNormDecoderLayer, PreNormDecoderLayer
from core.model.dropout import Dropout
from core.model.embedding import Embedding
from core.model.feed_forward import FeedForward
from core.model.generator import Generator
from core.model.plain import is_as_built
from core.model.positional_encoding import LearnedPositionalEncoding, SinusoidalPositionalEncoding

if TYPE_CHECKING:
    from core.model.transformer import Transformer

_AS_BUILT = {
    Add,
    AddNorm,
    CrossAttention,
    Decoder,
    Dropout,
    Embedding,
    FeedForward,
    Generator,
    LayerNorm,
    LearnedPositionalEncoding,
    PostNormDecoderLayer,
    PreNormDecoderLayer,
    SelfAttention,
    SinusoidalPositionalEncoding,
    Tap,
    nn.Linear,
    nn.ModuleList,
}


@dataclass(frozen=True, slots=True)
class _Linear:
    """A linear map, x Wᵀ + b: from [..., inputs] to [..., outputs]."""

    weight: Tensor
    bias: Tensor | None

    def __call__(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight, self.bias)


@dataclass(frozen=True, slots=True)
class _Norm:
    """Layer normalisation over the last axis, with its γ and β [d_model]."""

    weight: Tensor
    bias: Tensor
    eps: float

    def __call__(self, x: Tensor) -> Tensor:
        return torch.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


@dataclass(frozen=True, slots=True)
class _Attention:
    """What both attention blocks need; `project` makes queries alone, or queries, keys and values side by side."""

    project: _Linear
    output: _Linear
    n_heads: int
    d_head: int
    scale: float

    def attend_to_itself(self, x: Tensor, cache: SelfAttentionCache) -> Tensor:
        """The newest position beside all before it: from [B, D] to [B, D]."""
        q, k, v = self.project(x).view(len(x), 3, self.n_heads, 1, self.d_head).unbind(1)
        return self._attend(q, *cache.append(k, v), None)

    def attend_to_memory(self, x: Tensor, cache: CrossAttentionCache, mask: Tensor | None) -> Tensor:
        """The newest position beside the memory: from [B, D] to [B, D]."""
        if cache.keys is None or cache.values is None:
            raise InputError("a lean step reads the memory from the cache; take the first step without it")
        # Hypotheses of one source are as many queries to its memory, which so is read once for all.
        q = self.project(x).view(len(cache.keys), -1, self.n_heads, self.d_head).transpose(1, 2)
        return self._attend(q, cache.keys, cache.values, mask)

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """From queries [source, H, hypothesis, E] to [source · hypothesis, D]."""
        context = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=self.scale)
        return self.output(context.transpose(1, 2).reshape(-1, self.n_heads * self.d_head))


@dataclass(frozen=True, slots=True)
class _Layer:
    self_attn: _Attention
    cross_attn: _Attention
    linear1: _Linear
    linear2: _Linear
    activation: Callable[[Tensor], Tensor]
    norms: tuple[_Norm, _Norm, _Norm]

    def feed_forward(self, x: Tensor) -> Tensor:
        """From [B, D] to [B, D]."""
        return self.linear2(self.activation(self.linear1(x)))


class LeanStep:
    """The weights of one model's decoder, laid out for one step after the other.

    It is made once for a decoding, and shares the weights: what is changed in place is seen, what takes a
    weight's place only by the next decoding.
    """

    def __init__(self, model: Transformer) -> None:
        config = model.config
        self._model = model
        # Faster than `Module.modules`, which looks for names and repeated modules as well.
        modules: list[nn.Module] = [model.tgt_embed, model.decoder, model.generator]
        for module in modules:
            modules += filter(None, module._modules.values())
        self._as_built = config.attention_backend != "eager" and all(
            type(module) in _AS_BUILT and is_as_built(module) for module in modules
        )
        # The modules' own dictionaries, which fill when somebody registers a hook: asked in every step.
        self._hooks = [hooks for m in modules for hooks in (m._forward_hooks, m._forward_pre_hooks)]
        self._post = config.norm_position == "post"
        if self._as_built:
            self._layers = [_layer(layer) for layer in model.decoder.layers]
            final = model.decoder.final_norm
            self._final_norm = None if final is None else _norm(final)

    def is_possible(self) -> bool:
        """Whether nobody would miss the modules: no watcher in this thread, no hook, no part replaced."""
        return self._as_built and not watchers.get() and not _has_any_global_hook() and not any(self._hooks)

    def __call__(self, newest: Tensor, cache: KeyValueCache, memory_mask: Tensor | None) -> Tensor:
        """Logits [row, vocab] of the next token.

        Args:
            newest: The last id of each row [row].
            cache: Keys and values of the memory and of every step before; filled by this call.
            memory_mask: True at source positions that may be seen, for each source.
        """
        # Nothing of it can take part in a backward pass; the logits, made outside, are tensors like any other.
        with torch.inference_mode():
            x = self._decode(newest, cache, memory_mask)
        return F.linear(x, self._model.generator.weight)

    def _decode(self, newest: Tensor, cache: KeyValueCache, memory_mask: Tensor | None) -> Tensor:
        """The decoder's output at the newest position [row, d_model]."""
        embed = self._model.tgt_embed
        x = F.embedding(newest, embed.weight) * embed.scale  # [row, d_model]
        if embed.positional is not None:
            x = x + embed.positional(1, cache.length)
        for layer, kept in zip(self._layers, cache.layers, strict=True):
            x = self._layer(layer, x, kept.self_attn, kept.cross_attn, memory_mask)
        if self._final_norm is not None:
            x = self._final_norm(x)
        return x

    def _layer(
        self,
        layer: _Layer,
        x: Tensor,
        own: SelfAttentionCache,
        cross: CrossAttentionCache,
        mask: Tensor | None,
    ) -> Tensor:
        first, second, third = layer.norms
        if self._post:
            x = first(x + layer.self_attn.attend_to_itself(x, own))
            x = second(x + layer.cross_attn.attend_to_memory(x, cross, mask))
            return third(x + layer.feed_forward(x))
        x = x + layer.self_attn.attend_to_itself(first(x), own)
        x = x + layer.cross_attn.attend_to_memory(second(x), cross, mask)
        return x + layer.feed_forward(third(x))


def _layer(layer: Any) -> _Layer:
    feed_forward = layer.feed_forward
    if isinstance(layer, PostNormDecoderLayer):
        norms: Sequence[LayerNorm] = (
            layer.self_attn_add_norm,
            layer.cross_attn_add_norm,
            layer.feed_forward_add_norm,
        )
    else:
        norms = (layer.self_attn_norm, layer.cross_attn_norm, layer.feed_forward_norm)
    return _Layer(
        self_attn=_attention(layer.self_attn, rows=None),
        cross_attn=_attention(layer.cross_attn, rows=layer.cross_attn.n_heads * layer.cross_attn.d_head),
        linear1=_Linear(feed_forward.linear1.weight, feed_forward.linear1.bias),
        linear2=_Linear(feed_forward.linear2.weight, feed_forward.linear2.bias),
        activation=feed_forward.activation,
        norms=(_norm(norms[0]), _norm(norms[1]), _norm(norms[2])),
    )


def _attention(block: MultiHeadAttention, rows: int | None) -> _Attention:
    """An attention block's weights, with the first rows of its packed projection: all, or those of W_Q alone."""
    bias = None if block.in_proj.bias is None else block.in_proj.bias[:rows]
    return _Attention(
        project=_Linear(block.in_proj.weight[:rows], bias),
        output=_Linear(block.out_proj.weight, block.out_proj.bias),
        n_heads=block.n_heads,
        d_head=block.d_head,
        scale=block.scale,
    )


def _norm(norm: LayerNorm) -> _Norm:
    return _Norm(norm.weight, norm.bias, norm.eps)
