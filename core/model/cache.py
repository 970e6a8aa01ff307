"""Keys and values that a decoder keeps between steps, so that only the newest token is computed."""

from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass
class SelfAttentionCache:
    """Grows by one row a step: the keys and values of every target token so far.

    Attributes:
        capacity: Rows that fit; asking for more is a mistake of the caller.
        length: Rows that are filled.
    """

    capacity: int
    length: int = 0
    _keys: Tensor | None = None
    _values: Tensor | None = None

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Add rows [batch, head, new, d_head]; return all rows so far [batch, head, length, d_head]."""
        if self._keys is None or self._values is None:
            shape = (*k.shape[:2], self.capacity, k.shape[3])
            self._keys, self._values = k.new_empty(shape), v.new_empty(shape)
        end = self.length + k.shape[2]
        self._keys[:, :, self.length : end] = k
        self._values[:, :, self.length : end] = v
        self.length = end
        return self._keys[:, :, :end], self._values[:, :, :end]


@dataclass
class CrossAttentionCache:
    """Filled once, at the first step: the memory's keys and values never change."""

    keys: Tensor | None = None
    values: Tensor | None = None


@dataclass
class LayerCache:
    """What one decoder layer keeps."""

    self_attn: SelfAttentionCache
    cross_attn: CrossAttentionCache = field(default_factory=CrossAttentionCache)


@dataclass
class KeyValueCache:
    """What a decoder keeps, layer by layer, for one batch of hypotheses."""

    layers: list[LayerCache]

    @classmethod
    def empty(cls, n_layers: int, capacity: int) -> "KeyValueCache":
        """A cache for up to capacity target tokens."""
        return cls([LayerCache(SelfAttentionCache(capacity)) for _ in range(n_layers)])

    @property
    def length(self) -> int:
        """Target tokens already seen: the position of the next one."""
        return self.layers[0].self_attn.length

    @property
    def n_bytes(self) -> int:
        """Bytes in use by rows that are filled."""
        total = 0
        for layer in self.layers:
            own, cross = layer.self_attn, layer.cross_attn
            tensors: list[Tensor | None] = [cross.keys, cross.values]
            if own._keys is not None and own._values is not None:
                tensors += [own._keys[:, :, : own.length], own._values[:, :, : own.length]]
            total += sum(t.numel() * t.element_size() for t in tensors if isinstance(t, torch.Tensor))
        return total
