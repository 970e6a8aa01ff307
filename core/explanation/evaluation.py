"""The value of a formula, from the numbers that stand for its letters."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from core.explanation.formula import (
    Call,
    Cases,
    Compare,
    Expression,
    Fraction,
    Named,
    Negative,
    Number,
    Plus,
    Power,
    Product,
    Root,
    Silent,
    Sum,
    Symbol,
    children,
)
from core.explanation.operand import Operand

Bound: TypeAlias = Mapping[Expression, Operand | Sequence[Operand]]
"""What stands for a letter, or for a whole expression that is known as one number: of a sum's letters one operand for
each place."""


def evaluate(whole: Expression, bound: Bound, place: int = 0) -> float:
    """The value of an expression in float64.

    Args:
        whole: Of which every letter is bound.
        bound: The numbers.
        place: In the sum that the expression is the summand of.

    Raises:
        KeyError: for a letter that nothing is known of.
    """
    known = operand_of(whole, bound, place)
    if known is not None:
        return known.value

    def value(part: Expression) -> float:
        return evaluate(part, bound, place)

    match whole:
        case Number(number):
            return number
        case Named(inner) | Silent(inner):
            return value(inner)
        case Negative(inner):
            return -value(inner)
        case Plus(parts):
            return math.fsum(map(value, parts))
        case Product(factors):
            return math.prod(map(value, factors))
        case Fraction(above, below):
            top, bottom = value(above), value(below)
            return top / bottom if top or bottom else 0.0
        case Power(base, exponent):
            return math.pow(value(base), value(exponent))
        case Root(inner):
            return math.sqrt(value(inner))
        case Call(function, arguments):
            return _FUNCTIONS[function](*map(value, arguments))
        case Compare(left, sign, right):
            return float(_HOLDS[sign](value(left), value(right)))
        case Cases(chosen, condition, otherwise):
            return value(chosen if value(condition) else otherwise)
        case Sum(_, summand):
            return math.fsum(evaluate(summand, bound, at) for at in range(places_of(whole, bound)))
        case Symbol():
            raise KeyError(f"nothing is known of {whole}")
    raise TypeError(f"{whole} is no expression that can be evaluated")


def operand_of(whole: Expression, bound: Bound, place: int = 0) -> Operand | None:
    """What stands for an expression as a whole; None where it has to be computed from its parts."""
    found = bound.get(whole)
    return found if found is None or isinstance(found, Operand) else found[place]


def operands_of(whole: Expression, bound: Bound, place: int = 0) -> Iterator[Operand]:
    """What goes into an expression, in the order in which it is written; what is silent is left out."""
    known = operand_of(whole, bound, place)
    if known is not None:
        yield known
    elif not isinstance(whole, Silent):
        for part in children(whole):
            yield from operands_of(part, bound, place)


def places_of(whole: Sum, bound: Bound) -> int:
    """How many places a sum runs over: as many as its letters have operands."""
    return next((n for n in map(len, _lists(whole.summand, bound))), 0)


def _lists(part: Expression, bound: Bound) -> Iterator[Sequence[Operand]]:
    found = bound.get(part)
    if found is not None and not isinstance(found, Operand):
        yield found
    else:
        for each in children(part):
            yield from _lists(each, bound)


def _exp(exponent: float) -> float:
    try:
        return math.exp(exponent)
    except OverflowError:
        return math.inf


_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "exp": _exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "max": max,
    "min": min,
    "Φ": lambda x: math.erfc(-x / math.sqrt(2)) / 2,
}
_HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "=": lambda left, right: left == right,
    "≠": lambda left, right: left != right,
    "≤": lambda left, right: left <= right,
}
