"""Random numbers from a generator of one's own: torch's global one belongs to all threads of a server.

Threads that seed it, or draw from it, change each other's numbers. A process that trains alone may use it.
"""

from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from core.model.attention import MultiHeadAttention
from core.model.dropout import Dropout
from core.model.transformer import Transformer

_DRAWS = frozenset({"uniform_", "normal_", "xavier_uniform_", "kaiming_uniform_"})


class DrawnFrom(TorchFunctionMode):
    """Inside, this thread's first weights are drawn from one generator.

    They are the same as after ``torch.manual_seed`` with the generator's seed.

    Args:
        generator: On the device where the weights are made.
    """

    def __init__(self, generator: torch.Generator) -> None:
        super().__init__()
        self.generator = generator

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        drawn = {"generator": self.generator} if getattr(func, "__name__", "") in _DRAWS else {}
        return func(*args, **{**(kwargs or {}), **drawn})


def drop_from(model: Transformer, generator: torch.Generator) -> None:
    """Let a model on the CPU draw from one generator what its dropout needs."""
    for block in model.blocks:
        # By name and not by `DrawnFrom`, which would make each small update a third slower.
        if isinstance(block, Dropout | MultiHeadAttention):
            block.drop_generator = generator
