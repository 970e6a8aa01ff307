"""A formula as structure: written once where an operation is explained, printed and evaluated everywhere else.

Expressions are put together with Python's own signs, so that a formula reads as its equation in the paper:
``Sum(E, Q[I, E] * K[J, E]) / Root(D_HEAD)`` is the score of equation 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Written: TypeAlias = "Expression | float"
"""What Python's signs take on both sides."""


@dataclass(frozen=True)
class Expression:
    """A part of a formula."""

    def __add__(self, other: Written) -> Plus:
        mine = self.parts if isinstance(self, Plus) else (self,)
        return Plus((*mine, expression(other)))

    def __radd__(self, other: float) -> Plus:
        return expression(other) + self

    def __sub__(self, other: Written) -> Plus:
        return self + -expression(other)

    def __rsub__(self, other: float) -> Plus:
        return expression(other) - self

    def __mul__(self, other: Written) -> Product:
        mine = self.factors if isinstance(self, Product) else (self,)
        return Product((*mine, expression(other)))

    def __rmul__(self, other: float) -> Product:
        return expression(other) * self

    def __truediv__(self, other: Written) -> Fraction:
        return Fraction(self, expression(other))

    def __rtruediv__(self, other: float) -> Fraction:
        return expression(other) / self

    def __pow__(self, other: Written) -> Power:
        return Power(self, expression(other))

    def __neg__(self) -> Negative:
        return Negative(self)


def expression(value: Written) -> Expression:
    """A number as an expression; an expression as it is."""
    return value if isinstance(value, Expression) else Number(value)


@dataclass(frozen=True)
class Number(Expression):
    """A number that stands in the formula itself."""

    value: float


@dataclass(frozen=True)
class Symbol(Expression):
    """A letter with its indices: ``Q[I, E]`` is the letter q with the places i and e below it.

    Attributes:
        letter: As people write it: ``q``, ``σ²``, ``log P``.
        accent: What stands above or behind it.
        mark: A name below it that is not an index, as the Q of W_Q.
        upper: Indices above, as the head of an attention.
        lower: Indices below.
        of: What stands in brackets behind it, as in P(v).
        given: What that is conditioned on, as in P(y | x).
    """

    letter: str
    accent: Literal["", "tilde", "hat", "prime"] = ""
    mark: str = ""
    upper: tuple[Expression, ...] = ()
    lower: tuple[Expression, ...] = ()
    of: tuple[Expression, ...] = ()
    given: tuple[Expression, ...] = ()

    def __getitem__(self, places: Expression | tuple[Expression, ...]) -> Symbol:
        return replace(self, lower=places if isinstance(places, tuple) else (places,))


@dataclass(frozen=True)
class Plus(Expression):
    """What is added up; a difference adds a negative."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Negative(Expression):
    """An expression with its sign turned."""

    inner: Expression


@dataclass(frozen=True)
class Product(Expression):
    """What is multiplied; with a dot where letters side by side would not be clear."""

    factors: tuple[Expression, ...]
    dot: bool = False


@dataclass(frozen=True)
class Fraction(Expression):
    """One expression over another, perhaps in one line with a slash; 0/0 is 0: who sees no key has no weights."""

    above: Expression
    below: Expression
    slash: bool = False


@dataclass(frozen=True)
class Power(Expression):
    """A base with its exponent."""

    base: Expression
    exponent: Expression


@dataclass(frozen=True)
class Root(Expression):
    """A square root."""

    inner: Expression


@dataclass(frozen=True)
class Call(Expression):
    """A function of numbers; ``Φ`` is the normal distribution's, ``norm`` the Euclidean length."""

    function: Literal["exp", "log", "sin", "cos", "max", "min", "Φ", "norm"]
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Compare(Expression):
    """1 where it holds and else 0."""

    left: Expression
    sign: Literal["=", "≠", "≤"]
    right: Expression


@dataclass(frozen=True)
class Cases(Expression):
    """One expression where a comparison holds, and else another."""

    value: Expression
    condition: Compare
    otherwise: Expression


@dataclass(frozen=True)
class Sum(Expression):
    """A summand added up over all places of an index, or over those for which something holds."""

    index: Symbol | tuple[Symbol, ...]
    summand: Expression
    such_that: Compare | None = None


@dataclass(frozen=True)
class Silent(Expression):
    """A summand that a computer needs and mathematics does not, such as a largest score taken off before exp.

    It is computed with and shown among the numbers; the letters pass over it.
    """

    inner: Expression


@dataclass(frozen=True)
class Named(Expression):
    """An expression that a table calls by a word, where its letters say too little or take too much room."""

    inner: Expression
    text: str


@dataclass(frozen=True)
class Equation:
    """A letter and what it is equal to."""

    left: Expression
    right: Expression


@dataclass(frozen=True)
class Formula:
    """How a number is computed.

    Attributes:
        equations: Almost always one. Where a shared matrix is used in several ways each gives a share, and the
            number is the sum of all.
        where: What letters in there stand for.
    """

    equations: tuple[Equation, ...]
    where: tuple[Equation, ...] = ()

    @property
    def right(self) -> Expression:
        """What is computed, as one expression."""
        rights = [equation.right for equation in self.equations]
        return rights[0] if len(rights) == 1 else Plus(tuple(rights))


def exp(exponent: Expression) -> Call:
    """The exponential of an expression."""
    return Call("exp", (exponent,))


def log(argument: Expression) -> Call:
    """The natural logarithm of an expression."""
    return Call("log", (argument,))


def children(whole: Expression) -> tuple[Expression, ...]:
    """The parts that an expression is computed from, in the order in which they are written."""
    match whole:
        case Plus(parts) | Product(parts) | Call(_, parts):
            return parts
        case Negative(inner) | Root(inner) | Silent(inner) | Named(inner) | Sum(_, inner):
            return (inner,)
        case Fraction(first, second) | Power(first, second) | Compare(first, _, second):
            return (first, second)
        case Cases(value, condition, otherwise):
            return (value, condition, otherwise)
    return ()


def walk(whole: Expression) -> Iterator[Expression]:
    """An expression and all that it is computed from."""
    yield whole
    for part in children(whole):
        yield from walk(part)
