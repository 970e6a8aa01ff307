"""A cache that forgets the least recently used values once together they take too many bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, Protocol, TypeVar


class Sized(Protocol):
    """A value that knows how much memory it takes."""

    @property
    def n_bytes(self) -> int:
        """Bytes held."""


Value = TypeVar("Value", bound=Sized)


class ByteBoundedCache(Generic[Value]):
    """Shared by all visitors: values must be read-only. A value too large for it is made but not kept.

    Attributes:
        limit: Bytes that the kept values may take together.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made when it is not there. Two visitors may make the same value at once."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        # Outside the lock: one visitor's long computation must not hold up the others.
        value = make()
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while self.n_bytes > self.limit:
                self._values.popitem(last=False)
        return value

    def held(self, key: Hashable) -> Value | None:
        """The value of a key where it is kept; nothing is made."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    @property
    def n_bytes(self) -> int:
        """Bytes of the kept values together."""
        return sum(value.n_bytes for value in self._values.values())

    def __len__(self) -> int:
        return len(self._values)
