"""What every component's report to Python is checked with; all of it comes from a browser, none of it is trusted."""

from typing import TypeGuard

MAX_REPORT = 2**53
"""Below it JavaScript writes whole numbers exactly."""


def is_index(value: object, length: int) -> TypeGuard[int]:
    """Whether a value is a whole number from 0 up to but not including the length."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < length
