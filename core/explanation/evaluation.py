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


Reckoner: TypeAlias = Callable[[int], float]
"""Gives the value of an expression at a place of the sum that it is the summand of."""


def evaluate(whole: Expression, bound: Bound) -> float:
    """The value of an expression in float64.

    Args:
        whole: Of which every letter is bound.
        bound: The numbers.

    Raises:
        KeyError: for a letter that nothing is known of.
    """
    return reckoner(whole, bound)(0)


def reckoner(whole: Expression, bound: Bound) -> Reckoner:
    """What evaluates an expression at any place; the letters are looked up once for all places.

    Raises:
        KeyError: for a letter that nothing is known of.
    """
    known = bound.get(whole)
    if known is not None:
        return _constant(known.value) if isinstance(known, Operand) else lambda at: known[at].value
    if isinstance(whole, Sum) and not places_of(whole, bound):
        return _constant(0.0)
    parts = [reckoner(part, bound) for part in children(whole)]
    match whole:
        case Number(value):
            return _constant(value)
        case Named() | Silent():
            return parts[0]
        case Negative():
            return lambda at: -parts[0](at)
        case Plus():
            return lambda at: math.fsum([part(at) for part in parts])
        case Product():
            return lambda at: math.prod([part(at) for part in parts])
        case Fraction():
            return lambda at: _divided(parts[0](at), parts[1](at))
        case Power():
            return lambda at: math.pow(parts[0](at), parts[1](at))
        case Root():
            return lambda at: math.sqrt(parts[0](at))
        case Call(function):
            called = _FUNCTIONS[function]
            return lambda at: called(*[part(at) for part in parts])
        case Compare(_, sign):
            holds = _HOLDS[sign]
            return lambda at: float(holds(parts[0](at), parts[1](at)))
        case Cases():
            return lambda at: parts[0](at) if parts[1](at) else parts[2](at)
        case Sum():
            places = range(places_of(whole, bound))
            return lambda at: math.fsum(map(parts[0], places))
        case Symbol():
            raise KeyError(f"nothing is known of {whole}")
    raise TypeError(f"{whole} is not an expression that can be evaluated")


def operand_of(whole: Expression, bound: Bound, place: int = 0) -> Operand | None:
    """What stands for an expression as a whole; None where it has to be computed from its parts."""
    found = bound.get(whole)
    return None if found is None else at_place(found, place)


def at_place(operand: Operand | Sequence[Operand], place: int) -> Operand:
    """The operand of a place, where there is one for each."""
    return operand if isinstance(operand, Operand) else operand[place]


def operands_of(whole: Expression, bound: Bound) -> Iterator[Operand | Sequence[Operand]]:
    """What goes into an expression, in the order in which it is written; what is silent is left out."""
    known = bound.get(whole)
    if known is not None:
        yield known
    elif not isinstance(whole, Silent):
        for part in children(whole):
            yield from operands_of(part, bound)


def places_of(whole: Sum, bound: Bound) -> int:
    """How many places a sum runs over: as many as its letters have operands."""
    lists = (each for each in operands_of(whole.summand, bound) if not isinstance(each, Operand))
    return next(map(len, lists), 0)


def _constant(value: float) -> Reckoner:
    return lambda at: value


def _divided(above: float, below: float) -> float:
    return above / below if above or below else 0.0


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
