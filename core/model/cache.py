"""Keys and values that a decoder keeps between steps, so that only the newest token is computed."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass
class AttentionCache:
    """What one attention block keeps; the tensors themselves never change, larger ones take their place.

    Attributes:
        keys: [batch, head, key, d_head]; None before the first step.
        values: Of the same shape.
    """

    keys: Tensor | None = None
    values: Tensor | None = None

    def reorder(self, rows: Tensor) -> None:
        """Row i becomes a copy of row rows[i]."""
        if self.keys is not None and self.values is not None:
            self.keys, self.values = self.keys.index_select(0, rows), self.values.index_select(0, rows)

    @property
    def n_bytes(self) -> int:
        """Bytes of keys and values together."""
        return sum(t.numel() * t.element_size() for t in (self.keys, self.values) if t is not None)


@dataclass
class SelfAttentionCache(AttentionCache):
    """Grows by a row a step: the keys and values of every target token so far."""

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Add rows [batch, head, new, d_head]; return all rows so far [batch, head, length, d_head]."""
        # Copied whole in each step: attention reads them whole as well, and what lies close is read faster.
        self.keys = k.contiguous() if self.keys is None else torch.cat((self.keys, k), dim=2)
        self.values = v.contiguous() if self.values is None else torch.cat((self.values, v), dim=2)
        return self.keys, self.values

    @property
    def length(self) -> int:
        """Target tokens so far."""
        return 0 if self.keys is None else self.keys.shape[2]


@dataclass
class CrossAttentionCache(AttentionCache):
    """Filled once, at the first step: the memory's keys and values never change.

    Later there may be several times as many targets as sources: hypotheses side by side, which share their source's.
    """

    def fill(self, k: Tensor, v: Tensor) -> None:
        """Keep the memory's keys and values [batch, head, source position, d_head]."""
        # They are read in every step: each head's rows should lie side by side.
        self.keys, self.values = k.contiguous(), v.contiguous()

    def of_targets(self, n_targets: int) -> tuple[Tensor, Tensor] | None:
        """Keys and values [target, head, source position, d_head]; None before they are there."""
        if self.keys is None or self.values is None:
            return None
        if n_targets == len(self.keys):
            return self.keys, self.values
        each = n_targets // len(self.keys)
        return self.keys.repeat_interleave(each, dim=0), self.values.repeat_interleave(each, dim=0)


@dataclass
class LayerCache:
    """What one decoder layer keeps."""

    self_attn: SelfAttentionCache = field(default_factory=SelfAttentionCache)
    cross_attn: CrossAttentionCache = field(default_factory=CrossAttentionCache)


@dataclass
class KeyValueCache:
    """What a decoder keeps, layer by layer, for one batch of hypotheses."""

    layers: list[LayerCache]

    @classmethod
    def empty(cls, n_layers: int) -> KeyValueCache:
        """A cache before the first step."""
        return cls([LayerCache() for _ in range(n_layers)])

    @property
    def length(self) -> int:
        """Target tokens already seen: the position of the next one."""
        return self.layers[0].self_attn.length

    def reorder(self, rows: Tensor) -> None:
        """Let row i continue what row rows[i] holds; rows [batch] may repeat or leave out old rows."""
        self.reorder_targets(rows)
        self.reorder_sources(rows)

    def reorder_targets(self, rows: Tensor) -> None:
        """`reorder` by rows [target] for the targets alone: hypotheses change places with others of their source."""
        for layer in self.layers:
            layer.self_attn.reorder(rows)

    def reorder_sources(self, sources: Tensor) -> None:
        """`reorder` by rows [source] for the memory alone: sources leave the batch."""
        for layer in self.layers:
            layer.cross_attn.reorder(sources)

    @property
    def n_bytes(self) -> int:
        """Bytes of all keys and values."""
        return sum(layer.self_attn.n_bytes + layer.cross_attn.n_bytes for layer in self.layers)
