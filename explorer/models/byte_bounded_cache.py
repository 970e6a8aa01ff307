"""A cache that forgets the least recently used values once together they take too many bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, Protocol, TypeVar

Value = TypeVar("Value")


class Sized(Protocol):
    """A value that says how many bytes it takes."""

    @property
    def n_bytes(self) -> int:
        """Bytes that it takes."""


def bytes_of(value: Sized) -> int:
    """What a value says that it takes."""
    return value.n_bytes


class ByteBoundedCache(Generic[Value]):
    """Shared by all visitors: values must be read-only. A value too large for it is made but not kept.

    Attributes:
        limit: Bytes that the kept values may take together.
        size: Bytes that a value takes, as `bytes_of`.
    """

    def __init__(self, limit: int, size: Callable[[Value], int]) -> None:
        self.limit = limit
        self.size = size
        # A value's bytes are counted once, since every page adds values to those of all visitors.
        self._values: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._n_bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made when it is not there. Two visitors may make the same value at once."""
        if (held := self.held(key)) is not None:
            return held
        # Outside the lock: one visitor's long computation must not hold up the others.
        value = make()
        size = self.size(value)
        if size > self.limit:
            return value
        with self._lock:
            _, before = self._values.pop(key, (None, 0))
            self._values[key] = value, size
            self._n_bytes += size - before
            while self._n_bytes > self.limit:
                _, (_, freed) = self._values.popitem(last=False)
                self._n_bytes -= freed
        return value

    def held(self, key: Hashable) -> Value | None:
        """The value of a key where it is kept; nothing is made."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def clear(self) -> None:
        """Forget every value."""
        with self._lock:
            self._values.clear()
            self._n_bytes = 0

    @property
    def n_bytes(self) -> int:
        """Bytes of the kept values together."""
        return self._n_bytes

    def __len__(self) -> int:
        return len(self._values)
