"""Values that a test knows to be there although their type allows None."""

from typing import TypeVar

T = TypeVar("T")


def unwrap(value: T | None) -> T:
    """Return a value that must not be None."""
    assert value is not None
    return value
