"""Values that a server has once and keeps as long as it lives.

`st.cache_resource` would not do: its values can be cleared while others use them, and whoever clears the caches would
reset the count of wrong admin tokens, or start a second engine beside the first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import RLock
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Singleton(Generic[P, T]):
    """A function that makes its value at the first call, and returns the same one from then on.

    Args:
        make: Returns the value. An exception is not kept. With positional arguments there is one value for each.
    """

    def __init__(self, make: Callable[P, T]) -> None:
        self.__doc__ = make.__doc__
        self._make = make
        self._values: dict[Hashable, T] = {}
        self._lock = RLock()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the value; the first of several threads makes it, and the others wait."""
        with self._lock:
            if args not in self._values:
                self._values[args] = self._make(*args, **kwargs)
            return self._values[args]

    def clear(self) -> None:
        """Forget the value, for tests that go through several servers in one process."""
        with self._lock:
            self._values.clear()
