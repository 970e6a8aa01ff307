"""What goes into a number: its operands, and the terms that they make."""

from dataclasses import dataclass

from core.activations.location import Side
from core.explanation.formula import Expression


@dataclass(frozen=True)
class Operand:
    """A number that goes into another one.

    Attributes:
        symbol: Its letter in the formula, or an expression that is known as one number.
        value: As recorded, or as learned.
        site: A recorded site, a parameter, ``src`` or ``tgt_in``; empty for a constant of the configuration.
        index: Its place in there.
    """

    symbol: Expression
    value: float
    site: str = ""
    index: tuple[int, ...] = ()


@dataclass(frozen=True)
class TokenPlace:
    """Where a token of a batch stands: which side's, in which pair, at which position."""

    side: Side
    row: int
    position: int

    def __str__(self) -> str:
        return f"{self.side} {self.row}, {self.position}"


@dataclass(frozen=True)
class Term:
    """One summand, or the one argument of a function.

    Attributes:
        label: What tells it from the other terms, such as ``d = 3``.
        operands: What it is made of.
        value: In float64, from the operands.
        place: Its place in the sum that counts it; None for a term that stands for itself.
        token: Of a sum over the tokens of a batch the one that adds it.
    """

    label: str
    operands: tuple[Operand, ...]
    value: float
    place: int | None = None
    token: TokenPlace | None = None
