"""Keys and values that a decoder keeps between steps, so that only the newest token is computed."""

from dataclasses import dataclass, field

import torch
from torch import Tensor

FIRST_ROWS = 32
"""Target tokens that a cache has room for before it grows."""


@dataclass
class SelfAttentionCache:
    """Grows by one row a step: the keys and values of every target token so far.

    Attributes:
        length: Rows that are filled.
    """

    length: int = 0
    _keys: Tensor | None = None
    _values: Tensor | None = None

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Add rows [batch, head, new, d_head]; return all rows so far [batch, head, length, d_head]."""
        end = self.length + k.shape[2]
        if self._keys is None or self._values is None:
            self._keys, self._values = _with_rows(k[:, :, :0], end), _with_rows(v[:, :, :0], end)
        elif end > self._keys.shape[2]:
            self._keys, self._values = _with_rows(self._keys, end), _with_rows(self._values, end)
        self._keys[:, :, self.length : end] = k
        self._values[:, :, self.length : end] = v
        self.length = end
        return self._keys[:, :, :end], self._values[:, :, :end]

    def reorder(self, rows: Tensor) -> None:
        """Row i becomes a copy of row rows[i]."""
        if self._keys is not None and self._values is not None:
            self._keys, self._values = self._keys.index_select(0, rows), self._values.index_select(0, rows)


def _with_rows(stored: Tensor, needed: int) -> Tensor:
    """A larger buffer that begins with the stored rows; twice the size, so that rows are seldom copied."""
    rows = max(FIRST_ROWS, 2 * needed)
    larger = stored.new_empty((*stored.shape[:2], rows, stored.shape[3]))
    larger[:, :, : stored.shape[2]] = stored
    return larger


@dataclass
class CrossAttentionCache:
    """Filled once, at the first step: the memory's keys and values never change."""

    keys: Tensor | None = None
    values: Tensor | None = None

    def reorder(self, rows: Tensor) -> None:
        """Row i becomes a copy of row rows[i]."""
        if self.keys is not None and self.values is not None:
            self.keys, self.values = self.keys.index_select(0, rows), self.values.index_select(0, rows)


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
    def empty(cls, n_layers: int) -> "KeyValueCache":
        """A cache before the first step."""
        return cls([LayerCache() for _ in range(n_layers)])

    @property
    def length(self) -> int:
        """Target tokens already seen: the position of the next one."""
        return self.layers[0].self_attn.length

    def reorder(self, rows: Tensor) -> None:
        """Let row i continue what row rows[i] holds; rows [batch] may repeat or leave out old rows."""
        for layer in self.layers:
            layer.self_attn.reorder(rows)
            layer.cross_attn.reorder(rows)

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
