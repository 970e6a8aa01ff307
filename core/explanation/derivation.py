"""From a formula and what stands for its letters to the number: its terms, its value, how large the rounding may be."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from core.explanation.evaluation import Bound, at_place, evaluate, operands_of, places_of, reckoner
from core.explanation.formula import Equation, Expression, Formula, Fraction, Plus, Sum, Symbol
from core.explanation.operand import Operand, Term, TokenPlace

Kind = Literal["computed", "look-up", "masked"]


@dataclass(frozen=True, kw_only=True)
class Derivation:
    """What an operation says of a number.

    Attributes:
        kind: "look-up": copied from another cell, or learned, or given. "masked": -inf, because the query may not
            look there. "computed": everything else.
        formula: As structure; None for a number that was learned or given.
        bound: What stands for the letters of the formula.
        places: The places of this number, by the letters of its indices.
        terms: What the result is made of.
        result: The value of the formula, in float64.
        magnitude: Size of what was added up, Σ|terms|: rounding errors are relative to it.
        counted: The letter that counts the terms; empty for terms that stand for themselves.
        total: The sum of the terms, where the formula goes on from there; else None.
        divisor: What the sum of the terms is divided by as a whole.
        selected_by: The id that picked this row out of a table.
    """

    kind: Kind = "computed"
    formula: Formula | None = None
    bound: Bound = field(default_factory=dict)
    places: Mapping[Symbol, int] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()
    result: float
    magnitude: float
    counted: str = ""
    total: float | None = None
    divisor: Expression | None = None
    selected_by: Operand | None = None


def derive(
    formula: Formula | Equation,
    *operands: Operand | Sequence[Operand],
    places: Mapping[Symbol, int] | None = None,
    rows: Sequence[Expression] = (),
    labels: Sequence[str] = (),
    counted: Sequence[str | TokenPlace] = (),
    kind: Kind = "computed",
    magnitude: float | None = None,
    selected_by: Operand | None = None,
) -> Derivation:
    """Evaluate a formula, and take it apart into terms.

    Args:
        formula: Of the number.
        operands: What stands for its letters: one number, or for the letters of a sum one for each place.
        places: Of the number, by the letters of its indices.
        rows: Parts of the formula whose values are its terms; left out: its summands.
        labels: What tells the terms from each other that no sum counts.
        counted: The same of those that a sum counts; left out: their places, as in ``d = 3``.
        kind: As `Derivation` has it.
        magnitude: Left out: Σ|terms|, divided as they are.
        selected_by: As `Derivation` has it.
    """
    whole = Formula((formula,)) if isinstance(formula, Equation) else formula
    bound = bound_by(operands)
    divided, divisor = _divided(whole.right) if not rows else (whole.right, None)
    parts = tuple(rows) or (_summands(divided))
    sums = [part for part in parts if isinstance(part, Sum)]
    alone, in_a_sum = iter(labels), iter(counted)
    found = [tuple(_terms(part, bound, alone, in_a_sum)) for part in parts]
    terms = tuple(term for of_part in found for term in of_part)
    # The result is made of the terms that are shown, and they are reckoned once.
    values = [Operand(part, _total(of_part)) for part, of_part in zip(parts, found, strict=True)]
    total = _total(terms) if divisor or (rows and sums) else None
    scale = 1.0 if divisor is None else evaluate(divisor, bound)
    if magnitude is None:
        magnitude = math.fsum(abs(term.value) for term in terms) / abs(scale)
    return Derivation(
        kind=kind,
        formula=whole,
        bound=bound,
        places=places or {},
        terms=terms,
        result=evaluate(whole.right, {**bound, **bound_by(values)}),
        magnitude=magnitude,
        counted=_counting(sums[0]) if sums and not counted else "",
        total=total,
        divisor=divisor,
        selected_by=selected_by,
    )


def bound_by(operands: Sequence[Operand | Sequence[Operand]]) -> Bound:
    """The operands by what they stand for; a sum without places needs none."""
    return {
        (each if isinstance(each, Operand) else each[0]).symbol: each
        for each in operands
        if isinstance(each, Operand) or each
    }


def given(value: float) -> Derivation:
    """Where a chain ends: nothing computes this number."""
    return Derivation(kind="look-up", result=value, magnitude=abs(value))


def _divided(whole: Expression) -> tuple[Expression, Expression | None]:
    """What is added up and what the sum is divided by, where it is."""
    match whole:
        case Fraction(Sum() | Plus() as above, below):
            return above, below
    return whole, None


def _summands(whole: Expression) -> tuple[Expression, ...]:
    """What is added up, with shares of several sums side by side."""
    return whole.parts if isinstance(whole, Plus) else (whole,)


def _terms(
    part: Expression, bound: Bound, labels: Iterator[str], counted: Iterator[str | TokenPlace]
) -> Iterator[Term]:
    """The terms that a part of a formula has: of a sum one for each place."""
    if not isinstance(part, Sum):
        numbers = tuple(at_place(each, 0) for each in operands_of(part, bound))
        yield Term(next(labels), numbers, evaluate(part, bound))
    elif places := places_of(part, bound):
        value, operands = reckoner(part.summand, bound), list(operands_of(part.summand, bound))
        for place in range(places):
            label = next(counted, f"{_counting(part)} = {place}")
            token = label if isinstance(label, TokenPlace) else None
            numbers = tuple(at_place(each, place) for each in operands)
            yield Term(str(label), numbers, value(place), place, token)


def _total(terms: Sequence[Term]) -> float:
    return math.fsum(term.value for term in terms)


def _counting(whole: Sum) -> str:
    index = whole.index
    return index.letter if isinstance(index, Symbol) else index[0].letter


def as_one(part: Expression, *operands: Operand) -> Operand:
    """A part of a formula that a term shows as one number, computed from what stands for its letters."""
    return Operand(part, evaluate(part, bound_by(operands)))
