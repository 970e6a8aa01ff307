"""The law of every formula on the screen: with the recorded numbers put in it gives the recorded number."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from core.explanation.evaluation import Bound, evaluate
from core.explanation.explanation import Explanation
from core.explanation.formula import (
    Call,
    Expression,
    Fraction,
    Named,
    Negative,
    Plus,
    Power,
    Product,
    Root,
    Silent,
    Sum,
)
from core.explanation.operand import Operand
from tests.optional import unwrap

Reader = Callable[[str, tuple[int, ...]], float]
"""Reads a number of a site at an index."""


def reread(explanation: Explanation, read: Reader) -> Bound:
    """What stands for the letters, every number that has a place read there again."""

    def again(operand: Operand) -> Operand:
        return replace(operand, value=read(operand.site, operand.index)) if operand.site else operand

    return {
        symbol: again(each) if isinstance(each, Operand) else [again(one) for one in each]
        for symbol, each in explanation.bound.items()
    }


def holds(explanation: Explanation, bound: Bound, right: Expression | None = None) -> bool:
    """Whether the formula, or another in its place, gives the recorded number within rounding."""
    if right is None:
        right = unwrap(explanation.formula).right
    try:
        value = evaluate(right, bound)
    except (ValueError, ZeroDivisionError, OverflowError):
        return False
    return value == explanation.recorded or abs(value - explanation.recorded) <= explanation.tolerance


GUARD = 1e-4
"""Constants below this keep a divisor from being 0; rounding hides what becomes of them."""


def mutants(whole: Expression, bound: Bound) -> Iterator[Expression]:
    """A formula with one fault in it, for every fault that it can have."""
    if is_guard(whole, bound):
        return
    if whole in bound:
        yield whole * 2
        return
    match whole:
        case Plus(parts):
            yield from (Plus(each) for each in _with_one_changed(parts, bound))
            if len(parts) > 1:
                yield from (
                    Plus((*parts[:at], *parts[at + 1 :]))
                    for at, part in enumerate(parts)
                    if not is_guard(part, bound)
                )
        case Product(factors):
            yield from (Product(each) for each in _with_one_changed(factors, bound))
            yield from (Product((*factors[:at], *factors[at + 1 :])) for at in range(len(factors)))
        case Call(function, arguments):
            yield from (Call(function, each) for each in _with_one_changed(arguments, bound))
        case Fraction(above, below):
            yield above
            yield from (Fraction(one, other) for one, other in _with_one_changed((above, below), bound))
        case Power(base, exponent):
            yield base
            yield from (Power(*each) for each in _with_one_changed((base, exponent), bound))
        case Root(inner):
            yield inner
            yield from map(Root, mutants(inner, bound))
        case Negative(inner):
            yield inner
            yield from map(Negative, mutants(inner, bound))
        case Sum(index, summand):
            yield whole * 2
            yield from (Sum(index, each) for each in mutants(summand, bound))
        case Silent(inner) | Named(inner):
            yield from mutants(inner, bound)


def is_guard(part: Expression, bound: Bound) -> bool:
    """Whether a part is a constant that is too small to be seen."""
    found = bound.get(part)
    return isinstance(found, Operand) and not found.site and 0 < abs(found.value) < GUARD


def _with_one_changed(parts: tuple[Expression, ...], bound: Bound) -> Iterator[tuple[Expression, ...]]:
    for at, part in enumerate(parts):
        for changed in mutants(part, bound):
            yield (*parts[:at], changed, *parts[at + 1 :])
