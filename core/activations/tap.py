"""A tap: an identity module placed on a value, through which that value can be seen or changed."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Protocol

from torch import Tensor, nn


class Watcher(Protocol):
    """Somebody who looks at, or edits, the values of one model in one thread."""

    @property
    def needs_whole(self) -> bool:
        """Whether it must see every position so far in each decoding step, so that no cache may stand for any."""

    def watches(self, tap: "Tap") -> bool:
        """Whether the tap belongs to the watched model."""

    def wants(self, tap: "Tap") -> bool:
        """Whether this very tap's value is to be stored or edited."""

    def edit(self, tap: "Tap", value: Tensor) -> Tensor:
        """The value that flows on; the same object where the watcher does not edit this tap."""

    def store(self, tap: "Tap", value: Tensor) -> None:
        """Keep the value that flows on, if the watcher wants this tap's."""


# A context variable and not an attribute: a server shares one model between threads, and each thread
# must see only its own watchers. (A task that is started inside a block inherits the block's watchers.)
watchers: ContextVar[tuple[Watcher, ...]] = ContextVar("watchers", default=())

first_position: ContextVar[int] = ContextVar("first_position", default=0)
"""The target position of the first row that is computed now: above 0 where earlier ones are in a cache, or left out."""


def rows_from(first: int) -> AbstractContextManager[None]:
    """While it is open, the first row of what the decoder computes is this target position."""
    return _rows_from(first) if first else nullcontext()


@contextmanager
def _rows_from(first: int) -> Iterator[None]:
    token = first_position.set(first)
    try:
        yield
    finally:
        first_position.reset(token)


class Tap(nn.Module):
    """An identity with a name and axes; ordinary PyTorch hooks can be put on it as well.

    Attributes:
        axes: The name of each axis of the value, outermost first.
        name: The tap's module path in its model, such as ``encoder.layers.0.self_attn.weights``.
    """

    def __init__(self, *axes: str) -> None:
        super().__init__()
        self.axes = axes
        self.name = ""

    # An ordinary module call costs ten times this look-up, a tenth of a small model's decoding step.
    def __call__(self, value: Tensor) -> Tensor:
        """The value itself, seen and perhaps edited by this thread's watchers."""
        if self._hooked:
            seen: Tensor = super().__call__(value)
            return seen
        return self.forward(value) if watchers.get() else value

    def forward(self, value: Tensor) -> Tensor:
        """Let every edit act first, so that a recording holds the value that flows on."""
        present = watchers.get()
        for watcher in present:
            value = watcher.edit(self, value)
        for watcher in present:
            watcher.store(self, value)
        return value

    @property
    def watched(self) -> bool:
        """Whether anybody looks at this tap's model in this thread, or has put a hook on the tap."""
        return self._hooked or any(watcher.watches(self) for watcher in watchers.get())

    @property
    def wanted(self) -> bool:
        """Whether anybody would see or edit this very value now."""
        return self._hooked or any(watcher.wants(self) for watcher in watchers.get())

    @property
    def _hooked(self) -> bool:
        return bool(
            self._forward_hooks or self._forward_pre_hooks or self._backward_hooks or self._backward_pre_hooks
        )

    def extra_repr(self) -> str:
        """The axes, as ``print(model)`` shows them."""
        return ", ".join(self.axes)
