"""What counts as a number where nothing is trusted: no truth value, nothing infinite, nothing out of bounds.

And how a number of things is written.
"""

from decimal import Decimal
from math import inf, isfinite
from typing import TypeGuard


def is_whole(value: object, least: float = -inf, most: float = inf) -> TypeGuard[int]:
    """Whether a value is a whole number within bounds, both included; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def is_number(value: object, least: float = -inf, most: float = inf) -> TypeGuard[int | float]:
    """Whether a value is a finite number within bounds, both included; true and false are none."""
    if is_whole(value):
        return least <= value <= most
    return isinstance(value, float) and isfinite(value) and least <= value <= most


def counted(number: int, thing: str) -> str:
    """A number of things whose plural ends in s."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def decimal(number: float) -> str:
    """Return a number as people and commands write it, without an exponent: 0.003, or 40."""
    return format(Decimal(str(number)), "f")
