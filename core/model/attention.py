"""Scaled dot-product attention in several heads: softmax(QKᵀ/√d_head)·V (section 3.2).

Sizes: B batch · H heads · Q queries · K keys · D d_model · E d_head.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.activations.tap import Tap
from core.config import TransformerConfig
from core.model.cache import CrossAttentionCache, SelfAttentionCache
from core.model.dropout import dropout
from core.model.masks import causal_mask, combine_masks
from core.model.plain import is_plain_linear


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the keys that a query may see; exact zeros elsewhere, also in a row that sees nothing.

    Args:
        scores: [B, H, Q, K].
        mask: Bool, broadcast to the scores; True where a query may look.
    """
    masked = scores.masked_fill(~mask, -math.inf)
    sees_something = mask.any(dim=-1, keepdim=True)
    if sees_something.all():
        return masked.softmax(dim=-1)
    # A row of -inf alone would be 0/0. Softmax a row of zeros instead and drop it, so that its
    # gradient is zero as well.
    return masked.masked_fill(~sees_something, 0.0).softmax(dim=-1).masked_fill(~sees_something, 0.0)


class MultiHeadAttention(nn.Module):
    """What self- and cross-attention share: the heads' attention and the output projection.

    Attributes:
        in_proj: W_Q, W_K and W_V in one matrix [3·D, D], in this order; see w_q, w_k, w_v.
        out_proj: W_O, [D, D].
        drop_generator: What dropped weights are drawn from on the CPU; None for torch's global one.
    """

    __call__: Callable[..., Tensor]  # torch declares Any.
    drop_generator: torch.Generator | None = None

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.n_heads = config.n_heads
        self.d_head = config.d_head
        self.scale = config.score_scale
        self.attention_dropout = config.attention_dropout
        self.always_eager = config.attention_backend == "eager"
        width = config.n_heads * config.d_head
        self.in_proj = nn.Linear(config.d_model, 3 * width, bias=config.attention_bias)
        self.out_proj = nn.Linear(width, config.d_model, bias=config.attention_bias)
        self.q = Tap("batch", "head", "query", "d_head")
        self.k = Tap("batch", "head", "key", "d_head")
        self.v = Tap("batch", "head", "key", "d_head")
        self.scores = Tap("batch", "head", "query", "key")
        self.mask = Tap("batch", "query", "key")
        self.weights = Tap("batch", "head", "query", "key")
        self.context = Tap("batch", "head", "query", "d_head")
        self.output = Tap("batch", "query", "d_model")
        # A tuple: asked for one by one, a module's parts take longer to find than to ask.
        self._between = (self.scores, self.mask, self.weights, self.context)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Xavier-uniform for W_Q, W_K, W_V each by itself: on the packed matrix it would be 1/√2 too small."""
        for weight in (self.w_q, self.w_k, self.w_v, self.out_proj.weight):
            nn.init.xavier_uniform_(weight)
        for linear in (self.in_proj, self.out_proj):
            if linear.bias is not None:
                nn.init.zeros_(linear.bias)

    @property
    def w_q(self) -> Tensor:
        """W_Q, [D, D]: the first third of the packed projection."""
        return self.in_proj.weight.chunk(3)[0]

    @property
    def w_k(self) -> Tensor:
        """W_K, [D, D]: the second third of the packed projection."""
        return self.in_proj.weight.chunk(3)[1]

    @property
    def w_v(self) -> Tensor:
        """W_V, [D, D]: the last third of the packed projection."""
        return self.in_proj.weight.chunk(3)[2]

    def split_heads(self, packed: Tensor, n: int) -> tuple[Tensor, ...]:
        """n projections that lie side by side, split into heads: from [B, N, n·D] to n times [B, H, N, E]."""
        # Side by side, and not head by head: so their n gradients are packed again by a single copy.
        parts = packed.view(*packed.shape[:2], n, self.n_heads, self.d_head).unbind(2)
        return tuple([part.transpose(1, 2) for part in parts])

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, *, causal: bool) -> Tensor:
        """Every head's attention, joined and mixed by W_O: from [B, H, Q | K, E] to [B, Q, D]."""
        if self.always_eager or self._watched or self._drops(q.device):
            context = self._attend_eager(q, k, v, mask, causal=causal)
        else:
            context = self._attend_fused(q, k, v, mask, causal=causal)
        joined = context.transpose(1, 2).flatten(2)  # [B, Q, H·E]
        return self.output(self.out_proj(joined))

    def _drops(self, device: torch.device) -> bool:
        """Whether weights are dropped where the fused kernel has no fast way to do it."""
        return self.training and self.attention_dropout > 0 and device.type == "cpu"

    @property
    def _watched(self) -> bool:
        """Whether somebody may want to see what the fused kernel never makes."""
        return any(tap.watched for tap in self._between)

    def _attend_eager(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, *, causal: bool) -> Tensor:
        """The equation step by step, each value on a tap: [B, H, Q, E]."""
        future = causal_mask(q.shape[2], k.shape[2], device=q.device) if causal else None
        may_look = combine_masks(mask, future)  # None, or broadcast to [B, 1, Q, K]
        if self.mask.wanted:
            everything = torch.ones((), dtype=torch.bool, device=q.device)
            shape = (q.shape[0], 1, q.shape[2], k.shape[2])
            whole = (everything if may_look is None else may_look).expand(shape)[:, 0]
            seen = self.mask(whole)
            # Whoever only looks leaves a mask that hides nothing out of the computation.
            may_look = may_look if seen is whole else seen[:, None]

        scores = self.scores(q @ k.mT * self.scale)  # [B, H, Q, K]
        weights = scores.softmax(dim=-1) if may_look is None else masked_softmax(scores, may_look)
        weights = self.weights(weights)  # [B, H, Q, K]
        if self.training:
            weights = dropout(weights, self.attention_dropout, self.drop_generator)
        return self.context(weights @ v)

    def _attend_fused(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, *, causal: bool) -> Tensor:
        """The same in one kernel, for when nobody looks: [B, H, Q, E]."""
        n_queries, n_keys = q.shape[2], k.shape[2]
        # The newest query may look at every key: nothing is hidden from it.
        causal = causal and n_queries > 1
        if causal and (mask is not None or n_queries != n_keys):
            mask = combine_masks(mask, causal_mask(n_queries, n_keys, device=q.device))
            causal = False
        context = F.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=mask,
            is_causal=causal,
            scale=self.scale,
            dropout_p=self.attention_dropout if self.training else 0.0,
        )
        return _with_broken_rows(context, q, k) if mask is None and q.device.type == "cpu" else context


def _with_broken_rows(context: Tensor, q: Tensor, k: Tensor) -> Tensor:
    """Give a query whose every score is NaN the context NaN: torch's kernel for CPUs gives it zeros.

    The first key stands for all of them: every query may look at it.
    """
    first_scores = torch.linalg.vecdot(q.detach(), k.detach()[:, :, :1])  # [B, H, Q]
    return context.masked_fill(first_scores.isnan()[..., None], math.nan)


class SelfAttention(MultiHeadAttention):
    """Queries, keys and values from one sequence; with a causal mask in the decoder."""

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        *,
        causal: bool = False,
        cache: SelfAttentionCache | None = None,
    ) -> Tensor:
        """From [B, N, D] to [B, N, D].

        Args:
            x: The sequence; with a cache its newest positions only.
            mask: True where a query may look, broadcast to [B, 1, N, K]; None hides nothing.
            causal: Hide later positions from each query.
            cache: Earlier keys and values, to which the new rows are added.
        """
        q, k, v = self.split_heads(self.in_proj(x), 3)
        q, k, v = self.q(q), self.k(k), self.v(v)
        if cache is not None:
            k, v = cache.append(k, v)
        return self.attend(q, k, v, mask, causal=causal)


class CrossAttention(MultiHeadAttention):
    """Queries from the decoder, keys and values from the encoder's output (the memory)."""

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        *,
        cache: CrossAttentionCache | None = None,
    ) -> Tensor:
        """From queries [B, Q, D] and a memory [B, K, D] to [B, Q, D].

        Args:
            x: The decoder's side.
            memory: The encoder's output.
            mask: True where a query may look, broadcast to [B, 1, Q, K]; None hides nothing.
            cache: Where the memory's keys and values are kept after the first call.
        """
        kept = cache.of_targets(len(x)) if cache is not None else None
        if kept is not None:
            return self.attend(self.q(self.project_query(x)), *kept, mask, causal=False)
        of_x, of_memory = self.project(x, memory)
        (q,) = self.split_heads(of_x, 1)
        q = self.q(q)
        k, v = self.split_heads(of_memory, 2)
        k, v = self.k(k), self.v(v)
        if cache is not None:
            cache.fill(k, v)
        return self.attend(q, k, v, mask, causal=False)

    def project(self, x: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Project the queries of x and the keys and values of the memory: to [B, Q, D] and [B, K, 2·D]."""
        width = self.n_heads * self.d_head
        if not is_plain_linear(self.in_proj):
            return self.in_proj(x)[..., :width], self.in_proj(memory)[..., width:]
        # Both halves of one split, so that their gradients are packed again by a single copy.
        w_q, w_kv = self.in_proj.weight.split((width, 2 * width))
        bias = self.in_proj.bias
        b_q, b_kv = (None, None) if bias is None else bias.split((width, 2 * width))
        return F.linear(x, w_q, b_q), F.linear(memory, w_kv, b_kv)

    def project_query(self, x: Tensor) -> Tensor:
        """Project queries alone and split them into heads: from [B, Q, D] to [B, H, Q, E]."""
        width = self.n_heads * self.d_head
        if is_plain_linear(self.in_proj):
            # Without a gradient to pack, a slice costs less than splitting the whole.
            bias = None if self.in_proj.bias is None else self.in_proj.bias[:width]
            projected = F.linear(x, self.in_proj.weight[:width], bias)
        else:
            projected = self.in_proj(x)[..., :width]
        (q,) = self.split_heads(projected, 1)
        return q
