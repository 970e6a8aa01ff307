"""What is computed once for all visitors: a room names its cache, and the server holds the values."""

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar, overload

from explorer.models.byte_bounded_cache import ByteBoundedCache, Sized, bytes_of
from explorer.server.singleton import Singleton

Value = TypeVar("Value")
SizedValue = TypeVar("SizedValue", bound=Sized)


class SharedCache(Generic[Value]):
    """The name of a cache that all visitors share; its values lie with the server's resources, not with the module.

    Args:
        name: No other cache's.
        limit: Bytes that the kept values may take together.
        size: Bytes that a value takes; its ``n_bytes`` where nothing is said.
    """

    @overload
    def __init__(self: "SharedCache[SizedValue]", name: str, limit: int) -> None: ...

    @overload
    def __init__(self, name: str, limit: int, size: Callable[[Value], int]) -> None: ...

    def __init__(self, name: str, limit: int, size: Callable[[Any], int] = bytes_of) -> None:
        self.name = name
        self._limit = limit
        self._size = size

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made when it is not there. Two visitors may make the same value at once."""
        return self._values().get(key, make)

    def held(self, key: Hashable) -> Value | None:
        """The value of a key where it is kept; nothing is made."""
        return self._values().held(key)

    def clear(self) -> None:
        """Forget every value."""
        self._values().clear()

    def _values(self) -> ByteBoundedCache[Value]:
        caches = _held_by_the_server()
        if self.name not in caches:
            # Of two visitors at once one is first, and both get its cache.
            caches.setdefault(self.name, ByteBoundedCache(self._limit, self._size))
        return caches[self.name]


@Singleton
def _held_by_the_server() -> dict[str, ByteBoundedCache[Any]]:
    """Every cache by its name."""
    return {}
