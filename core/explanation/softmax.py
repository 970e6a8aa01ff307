"""The softmax of a row of numbers, wherever the model has one."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.explanation.derivation import Derivation, derive
from core.explanation.formula import Equation, Expression, Silent, Sum, Symbol, exp
from core.explanation.letters import LARGEST
from core.explanation.operand import Operand


def derive_softmax(
    left: Expression,
    own: Operand,
    row: Sequence[Operand],
    counted: Symbol,
    places: Mapping[Symbol, int] | None = None,
) -> Derivation:
    """exp(s_j)/Σ exp(s_j'), with the largest number taken off first, which changes nothing but the rounding.

    Args:
        left: The letter of the result.
        own: The number whose exponential is the numerator.
        row: All of them; -inf where one is masked.
        counted: The letter that tells them from each other.
        places: Of the result, by the letters of its indices.
    """
    seen = [each.value for each in row if each.value != -math.inf]
    largest = max(seen, default=0.0)
    total = Sum(counted, exp(row[0].symbol - Silent(LARGEST)))
    derivation = derive(
        Equation(left, exp(own.symbol - Silent(LARGEST)) / total),
        own,
        row,
        Operand(LARGEST, largest),
        places=places,
        rows=(total,),
    )
    # A rounding of a number moves its exponential by as much, relatively.
    spread = max((abs(value - largest) for value in seen), default=0.0)
    return replace(derivation, magnitude=derivation.result * (1 + spread))
